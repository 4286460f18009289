"""The edges of every argument that is a number, a switch or a word: what lies on them, and what lies beyond."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError
from bakeoff.wings.run.racing.rules.e_sign import SignRace
from bakeoff.wings.run.racing.rules.rule import make_rule

VALUES = np.random.default_rng(0).lognormal(0, 1, size=(8, 3)).round(3)
TABLE = bo.Scores(VALUES, better="lower")
SINGLE = bo.Scores(np.random.default_rng(1).normal(size=(1, 2, 10)), better="lower", run_kind="split")
RIGHT = bo.Scores((VALUES[:, :2] > 1).astype(float), better="higher")
CLUSTERED = bo.Scores(np.tile(VALUES, (2, 1)), better="lower", clusters=[f"c{i // 2}" for i in range(16)])
OLD, NEW = ({p: (size * VALUES[:, j]).tolist() for j, p in enumerate("pqr")} for size in (1.0, 1.1))
BEYOND_A_LEVEL = [0.0, 1.0, -0.1, math.nan, "5%", True, None]
NO_SWITCH: list[object] = [1, 0, "yes", None]
NO_WORD: list[object] = ["nonsense", 3, ["exact"]]


def race(method: str, **options: Any) -> Any:
    return make_rule(method, 3, **options)


def check(**options: Any) -> Any:
    return bo.check(OLD, NEW, "5%", better="lower", **options)


CASES: dict[str, tuple[Callable[..., Any], str, list[Any], list[Any]]] = {
    "runtimes, shift": (
        lambda **o: bo.runtimes(TABLE, n_resamples=100, **o),
        "shift",
        [0, 0.5],
        [-1e-9, "x", math.nan],
    ),
    "runtimes, alpha": (lambda **o: bo.runtimes(TABLE, n_resamples=100, **o), "alpha", [0.5], BEYOND_A_LEVEL),
    "runtimes, k": (lambda **o: bo.runtimes(TABLE, 9.0, n_resamples=100, **o), "k", [1, 2.5, (1, 10)], [0.99, "x"]),
    "runtimes, resamples": (lambda **o: bo.runtimes(TABLE, **o), "n_resamples", [100], [99, 1_000_001, 200.5]),
    "runtimes, resamples at a level": (lambda **o: bo.runtimes(TABLE, alpha=0.01, **o), "n_resamples", [200], [199]),
    "evaluate, alpha": (lambda **o: bo.evaluate(TABLE, n_resamples=999, **o), "alpha", [0.5], BEYOND_A_LEVEL),
    "evaluate, correction": (lambda **o: bo.evaluate(TABLE, **o), "correction", ["max-t", "holm"], NO_WORD),
    "evaluate, tasks": (lambda **o: bo.evaluate(TABLE, **o), "tasks", ["fixed"], [*NO_WORD, "new"]),
    "evaluate, unit": (lambda **o: bo.evaluate(CLUSTERED, **o), "unit", ["cluster", "problem", None], NO_WORD),
    "evaluate, n_resamples": (lambda **o: bo.evaluate(TABLE, alpha=0.01, **o), "n_resamples", [100], [99, 0, 100.5]),
    "compare, alpha": (lambda **o: bo.compare(TABLE, **o), "alpha", [0.5], BEYOND_A_LEVEL),
    "compare, alpha of a margin": (lambda **o: bo.compare(TABLE, margin=0.5, **o), "alpha", [0.49], [0.5, 0.0, 0.9]),
    "compare, omnibus": (lambda **o: bo.compare(TABLE, **o), "omnibus", ["quade"], NO_WORD),
    "compare, effect": (lambda **o: bo.compare(TABLE, **o), "effect", ["percent", "a12"], NO_WORD),
    "compare, intervals": (lambda **o: bo.compare(TABLE, **o), "intervals", ["simultaneous", "single"], NO_WORD),
    "compare, transform": (lambda **o: bo.compare(TABLE, **o), "transform", ["log"], NO_WORD),
    "compare, unit": (lambda **o: bo.compare(CLUSTERED, **o), "unit", ["cluster", "problem"], NO_WORD),
    "compare, standard_error": (
        lambda **o: bo.compare(TABLE, pairwise="mean-ranks", **o),
        "standard_error",
        ["permutation", "papers"],
        NO_WORD,
    ),
    "equivalence, alpha": (lambda **o: bo.equivalence(TABLE, 0, 1, 0.5, **o), "alpha", [0.49], [0.5, 0.0, -0.1]),
    "equivalence, test": (lambda **o: bo.equivalence(TABLE, 0, 1, 0.5, **o), "test", ["wilcoxon", "t"], NO_WORD),
    "score_table, ranks": (lambda **o: bo.score_table(TABLE, **o), "ranks", [True, False], NO_SWITCH),
    "kendall_w, ties": (lambda **o: bo.kendall_w(TABLE, **o), "ties", ["none", "corrected"], NO_WORD),
    "rank_biserial, zeros": (lambda **o: bo.rank_biserial(TABLE, 0, 1, **o), "zeros", ["split", "drop"], NO_WORD),
    "hodges_lehmann, level": (
        lambda **o: bo.hodges_lehmann(TABLE, 0, 1, **o),
        "confidence_level",
        [0.5],
        BEYOND_A_LEVEL,
    ),
    "median_difference, level": (
        lambda **o: bo.median_difference(TABLE, 0, 1, **o),
        "confidence_level",
        [0.5],
        BEYOND_A_LEVEL,
    ),
    "paired_t, level": (lambda **o: bo.paired_t(TABLE, 0, 1, **o), "confidence_level", [0.5], BEYOND_A_LEVEL),
    "cluster_t, level": (lambda **o: bo.cluster_t(CLUSTERED, 0, 1, **o), "confidence_level", [0.5], BEYOND_A_LEVEL),
    "skillings_mack, n_resamples": (
        lambda **o: bo.skillings_mack(TABLE, method="permutation", **o),
        "n_resamples",
        [1],
        [0, 100_000_001, 2.5],
    ),
    "friedman, n_resamples": (lambda **o: bo.friedman(TABLE, method="permutation", **o), "n_resamples", [1], [0, 2.5]),
    "sign_flip, n_resamples": (
        lambda **o: bo.sign_flip(TABLE, 0, 1, method="permutation", **o),
        "n_resamples",
        [1],
        [0, 2.5],
    ),
    "resampled_t, test_fraction": (
        lambda **o: bo.resampled_t(SINGLE, 0, 1, **o),
        "test_fraction",
        [0.1, 0.999],
        [0.0, 1.0, -1],
    ),
    "correlated_t, correlation": (
        lambda **o: bo.bayes.correlated_t(SINGLE, 0, 1, **o),
        "correlation",
        [0.0, 0.999],
        [1.0, -1e-9],
    ),
    "correlated_t, folds": (lambda **o: bo.bayes.correlated_t(SINGLE, 0, 1, **o), "folds", [2, 10], [1, 0, 2.5]),
    "mcnemar, method": (lambda **o: bo.mcnemar(RIGHT, 0, 1, **o), "method", ["exact", "mid-p"], NO_WORD),
    "race, alpha": (lambda **o: SignRace(3, **o), "alpha", [0.5], BEYOND_A_LEVEL),
    "race, strict": (lambda **o: race("e-sign", **o), "strict", [True, False], NO_SWITCH),
    "race, tolerance": (lambda **o: race("e-choose", **o), "tolerance", [0.51, 0.99], [0.509, 1.0, math.nan]),
    "race, equivalence": (lambda **o: race("e-sign", **o), "equivalence", [0.05], [0.0, 1.0]),
    "race, margin": (lambda **o: race("e-sign", equivalence=0.05, **o), "margin", [0.001, 0.49], [0.0009, 0.5]),
    "check, alpha": (check, "alpha", [0.5], BEYOND_A_LEVEL),
    "check, strict": (check, "strict", [True, False], NO_SWITCH),
    "check, allow_missing": (check, "allow_missing", [True, False], NO_SWITCH),
    "check, correction": (check, "correction", ["holm", "bh", "none"], NO_WORD),
    "check, test": (check, "test", ["t", "rank"], NO_WORD),
    "check, level": (check, "level", ["auto", "problem", "suite"], NO_WORD),
    "check, scale": (check, "scale", ["auto", "ratio"], NO_WORD),
}


@pytest.mark.parametrize("name", CASES)
def test_an_edge_is_allowed_and_what_lies_beyond_is_refused_by_name(name: str) -> None:
    call, parameter, allowed, refused = CASES[name]
    for value in allowed:
        call(**{parameter: value})
    for value in refused:
        with pytest.raises(BakeoffError) as caught:
            call(**{parameter: value})
        assert caught.value.parameter == parameter, value
