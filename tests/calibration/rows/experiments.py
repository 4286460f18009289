"""Experiments that may stop early, and the power that plans state."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
Floats = NDArray[np.float64]

# --- experiments that stop early --------------------------------------------------------------------------------------


def experiment(draw: Callable[[Generator, int], Floats], n: int, sequential: str, test: str, power: float = 0.0) -> Any:
    def count(rng: Generator) -> Outcome:
        scores = dict(zip([f"p{i}" for i in range(n)], draw(rng, n).tolist(), strict=True))
        made = {"a": lambda problem, seed: 0.0, "b": lambda problem, seed: scores[problem]}
        asked: dict[str, Any] = {"test": test, "sequential": sequential}
        found = bo.run(bo.Experiment(made, list(scores), better="lower", seed=1, runs=1, **asked))
        declared = found.analysis.pairs[0].verdict in ("a better", "b better")
        if power:
            return int(not declared), 1
        return int(declared), 1, int(cautioned(found.analysis, "skew (experiment)"))

    return count


def sequential(
    said: str, n: int, how: str, test: str, draw: Any, tables: int, power: float = 0.0, ends: str = ""
) -> Row:
    return Row(
        f"sequential: {how}, {test}, {said}",
        f'`bo.run(sequential="{how}")`, {"finds it" if power else "verdict"}',
        f'at most {n} problems, test="{test}"; {said}',
        "coverage" if power else "error",
        power or ALPHA,
        experiment(draw, n, how, test, power),
        tables=tables,
        short=10,
        ends=ends,
    )


def centred_lognormal(rng: Generator, n: int) -> Floats:
    return rng.lognormal(size=n) - math.exp(0.5)


def no_difference(rng: Generator, n: int) -> Floats:
    return rng.normal(size=n)


SEQUENTIAL = (
    sequential("normal, no difference", 35, "group", "t", no_difference, 2000),
    sequential("normal, d = 0.5", 35, "group", "t", lambda rng, n: rng.normal(0.5, 1, n), 2000, power=0.8),
    sequential("centred lognormal", 36, "group", "t", centred_lognormal, 2000, ends="skew (experiment)"),
    sequential("normal, no difference", 48, "anytime", "t", no_difference, 1000),
    sequential("normal, no difference", 62, "anytime", "wilcoxon", no_difference, 500),
    sequential("normal, no difference", 90, "anytime", "sign", no_difference, 500),
)

# --- plans ------------------------------------------------------------------------------------------------------------

TESTS: dict[str, Any] = {"t": bo.paired_t, "wilcoxon": bo.wilcoxon, "sign": bo.sign_test}


@cache
def planned(test: str, effect: float, margin: float | None = None, claim: Any = None) -> Any:
    kind: Any = test
    return bo.plan.instances(effect, test=kind, margin=margin, claim=claim)


def found_as_planned(test: str, effect: float) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        plan = planned(test, effect)
        d = rng.normal(effect, 1, plan.n)
        scores = bo.Scores(np.column_stack([d, np.zeros(plan.n)]), better="higher")
        return int(TESTS[test](scores, 0, 1).pvalue <= ALPHA), 1, plan.power

    return count


def shown_as_planned(test: Any, effect: float, claim: str) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        plan = planned(test, effect, 0.5, claim)
        sample = rng.normal(effect, 1, plan.n)
        found = bo.equivalence(sample, np.zeros(plan.n), margin=0.5, better="higher", test=test)
        return int((found.pvalue if claim == "equal" else found.p_a_not_worse) <= ALPHA), 1, plan.power

    return count


PLANS = (
    *(
        Row(
            f"plan: {test}, d = {effect:g}",
            f'`bo.plan.instances({effect:g}, test="{test}")`, power',
            f"as many normal differences as planned, d = {effect:g}",
            "stated",
            0.0,
            found_as_planned(test, effect),
            tables=8000,
        )
        for test in TESTS
        for effect in (0.5, 0.9)
    ),
    *(
        Row(
            f"plan: {claim}, {test}, d = {effect:g}",
            f'`bo.plan.instances(margin=0.5, claim="{claim}", test="{test}")`, power',
            f"as many normal differences as planned, d = {effect:g}",
            "stated",
            0.0,
            shown_as_planned(test, effect, claim),
            tables=8000,
        )
        for test, effect, claim in (("t", 0.0, "equal"), ("t", -0.1, "not-worse"), ("wilcoxon", 0.1, "equal"))
    ),
)

ROWS = (*SEQUENTIAL, *PLANS)
