"""The corrections of a second opinion, what a printed error makes reachable, and tables of exactly three."""

import math
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics.cautions import _signed_rank_method
from bakeoff.analyses.compare.statistics.corrections import QUICK, _refuse_long
from bakeoff.analyses.compare.statistics.reach import ExperimentDesign
from bakeoff.errors import TooLargeError
from bakeoff.posthoc.attainable import smallest_adjusted_pvalue, smallest_raw_pvalues


@pytest.mark.parametrize(
    ("primary", "k", "method"),
    [
        ("nemenyi", 3, "bonferroni"),
        ("holm", QUICK, "holm"),
        ("holm", QUICK + 1, "holm"),
        ("shaffer-dynamic", QUICK, "shaffer-dynamic"),
        ("shaffer-dynamic", QUICK + 1, "shaffer"),
        ("bergmann-hommel", QUICK, "bergmann-hommel"),
        ("bergmann-hommel", QUICK + 1, "shaffer"),
    ],
)
def test_the_correction_of_signed_ranks_beside_mean_ranks(primary: str, k: int, method: str) -> None:
    assert _signed_rank_method(primary, k) == method


@pytest.mark.parametrize("printed", [None, math.sqrt(5 * 6 / (6 * 4))])
def test_what_a_design_can_reach(printed: float | None) -> None:
    """With the papers' standard error Finner's correction profits from pairs that lie half as far apart."""
    design = ExperimentDesign(n=4, k=5, control=True, pairwise="mean-ranks", printed_error=printed)
    for method in ("li", "finner", "holm", "hommel"):
        raw = smallest_raw_pvalues(4, 5, True, "mean-ranks", printed)
        assert design.reach(method) == smallest_adjusted_pvalue(raw, method, 5, printed is not None), method


def test_signed_ranks_may_contradict_mean_ranks_of_three() -> None:
    """C is last everywhere, by little; A and B differ, by much, where their ranks do not show it."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=12)
    table = np.column_stack([x, x + np.where(np.arange(12) < 8, 5.0, -0.1), x + 9])
    found = bo.compare(bo.Scores(table, list("ABC"), better="lower"), pairwise="mean-ranks")
    assert "pool-dependent" in [caution.code for caution in found.cautions]
    two = bo.compare(bo.Scores(table[:, :2], list("AB"), better="lower"), pairwise="mean-ranks")
    assert not {"pool-dependent", "not-checked"} & {caution.code for caution in two.cautions}


@pytest.mark.parametrize(
    ("omnibus", "k", "rough"), [("iman-davenport", 7, True), ("anova", 7, False), ("anova", 3, False)]
)
def test_the_f_law_of_three_problems_is_rough_for_ranks_only(omnibus: Any, k: int, rough: bool) -> None:
    """A caution that promises an exact law: the analysis of variance has none, and needs none."""
    table = bo.Scores(np.random.default_rng(0).normal(size=(3, k)), better="lower")
    assert ("rough (f)" in {caution.name for caution in bo.compare(table, omnibus=omnibus).cautions}) == rough


@pytest.mark.parametrize(("on_line", "said"), [(True, "takes minutes .* anyway"), (False, "as far as possible")])
def test_what_takes_long_is_computed_for_those_who_ask(on_line: bool, said: str) -> None:
    with pytest.raises(TooLargeError, match=said):
        _refuse_long("bergmann-hommel", 999, on_line)
    _refuse_long("holm", 999, on_line)


@pytest.mark.parametrize(("recipe", "level"), [(None, 0.05 / 2), ("demsar-2006", None)])
def test_the_level_of_a_single_pair(recipe: Any, level: float | None) -> None:
    table = bo.Scores(np.random.default_rng(0).normal(size=(9, 3)), better="lower")
    assert bo.compare(table, recipe=recipe, control=0).level == (level if level is None else pytest.approx(level))
