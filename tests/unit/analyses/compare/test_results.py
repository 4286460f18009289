"""Reading a comparison by names: pairs either way round, ranks, and what help() says of every field."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics.results import Choice, Effect, Interval, Pair, Step
from bakeoff.errors import ParameterError, UnknownNameError
from bakeoff.posthoc.pairs import PAIRWISE
from bakeoff.wings.run._run import Estimate, PairEstimate, RunResult
from bakeoff.wings.run.analysis.results import ExperimentAnalysis, PairAnalysis
from bakeoff.wings.run.racing.results import RaceResult

S = bo.datasets.load("derrac_cec2005")


@pytest.mark.few(7)
@pytest.mark.parametrize("pairwise", [p for p in PAIRWISE if p != "mcnemar"])
@pytest.mark.parametrize("effect", ["difference", "percent", "a12"])
def test_a_turned_pair_is_the_pair_of_the_table_with_its_columns_exchanged(pairwise: str, effect: Any) -> None:
    one = bo.compare(S.select(["PSO", "CHC", "SaDE"]), pairwise=pairwise, effect=effect, posthoc="holm")
    two = bo.compare(S.select(["SaDE", "CHC", "PSO"]), pairwise=pairwise, effect=effect, posthoc="holm")
    for a, b in (("PSO", "SaDE"), ("SaDE", "PSO"), ("CHC", "PSO")):
        assert_same(one.pair(a, b), two.pair(a, b))
    assert one.pair("PSO", "SaDE") in one.pairs
    assert one.pair("SaDE", "PSO") not in one.pairs
    assert_same(one.pair("SaDE", "PSO").turned, one.pair("PSO", "SaDE"))


def assert_same(first: Any, second: Any) -> None:
    for field in dataclasses.fields(first):
        x, y = getattr(first, field.name), getattr(second, field.name)
        if dataclasses.is_dataclass(x):
            assert_same(x, y)
        else:
            assert x == (pytest.approx(y, rel=1e-12) if isinstance(y, float | dict) else y), field.name


def test_mcnemar_turned() -> None:
    rng = np.random.default_rng(3)
    table = (rng.random((60, 3)) < [0.3, 0.5, 0.8]).astype(float)
    names = ["a", "b", "c"]
    one = bo.compare(bo.Scores(table, names, better="higher"), pairwise="mcnemar")
    two = bo.compare(bo.Scores(table[:, ::-1], names[::-1], better="higher"), pairwise="mcnemar")
    for a, b in (("a", "c"), ("c", "a")):
        assert_same(one.pair(a, b), two.pair(a, b))
    assert one.pair("c", "a").verdict == "a better"
    assert one.pair("c", "a").statistic == one.pair("c", "a").wins


def test_pairs_with_a_control() -> None:
    result = bo.compare(S, control="SaDE")
    assert result.pair("SaDE", "PSO") == next(p for p in result.pairs if p.b == "PSO")
    assert result.pair("PSO", "SaDE").verdict == "b better"
    with pytest.raises(UnknownNameError) as error:
        result.pair("PSO", "CHC")
    assert str(error.value) == (
        "a and b: with the control 'SaDE' there is no pair of 'PSO' and 'CHC'; there are .pair('SaDE', 'PSO') and "
        ".pair('SaDE', 'CHC'). For every pair: the same call without a control."
    )


def test_names_that_do_not_exist() -> None:
    result = bo.compare(S)
    with pytest.raises(UnknownNameError, match=r"^b: no algorithm is called 'sade'; did you mean 'SaDE'\?"):
        result.pair("PSO", "sade")
    with pytest.raises(ParameterError, match=r"^a and b must be two different algorithms; both are 'PSO'"):
        result.pair("PSO", "PSO")
    assert result.pair(0, -1) == result.pair("PSO", "SaDE")


def test_ranks_by_name_best_first() -> None:
    result = bo.compare(S)
    assert result.ranks["SaDE"] == 3.88
    assert list(result.ranks) == ["DE-Exp", "SaDE", "DE-Bin", "SS-BLX", "IPOP-CMA-ES", "SS-Arit", "SSGA", "CHC", "PSO"]
    assert list(result.ranks.values()) == sorted(result.mean_ranks)
    tied = bo.compare(bo.Scores([[1, 1, 0]] * 6, ["b", "a", "c"], better="lower"))
    assert list(tied.ranks) == ["c", "b", "a"], "equal ones stay in column order"


DOCUMENTED = [bo.Comparison, Pair, Effect, Interval, Choice, Step]
DOCUMENTED += [RunResult, Estimate, PairEstimate, ExperimentAnalysis, PairAnalysis, RaceResult]


@pytest.mark.parametrize("kind", DOCUMENTED)
def test_help_describes_every_field(kind: type) -> None:
    assert undocumented(kind) == set()


def undocumented(kind: type) -> set[str]:
    """Fields and properties that the Attributes section of the docstring does not name."""
    doc = inspect.getdoc(kind) or ""
    section = doc.partition("Attributes\n----------\n")[2]
    named = {w.strip() for line in re.findall(r"^([\w, ]+?)(?: : |$)", section, flags=re.M) for w in line.split(",")}
    fields = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return fields - named
