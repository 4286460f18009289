"""Records of corrections by name, what an incomplete table bounds, and what it says of Li's correction."""

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.analyses.compare.statistics.catalogue import correction, correction_of
from bakeoff.analyses.compare.statistics.incomplete.bounds import rank_extremes
from bakeoff.errors import UnknownNameError
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.posthoc import POSTHOC


def test_a_name_means_the_test_unless_a_paper_printed_p_times_a_number() -> None:
    assert correction("nemenyi", control=False) is POSTHOC["nemenyi"]
    assert correction("nemenyi", control=False, printed=True) is PAIRWISE_METHODS["nemenyi"]
    assert correction("holm") is CONTROL_METHODS["holm"]
    assert correction("holm", control=False) is PAIRWISE_METHODS["holm"]
    table = bo.Scores(np.random.default_rng(0).normal(size=(12, 4)), better="lower")
    for recipe, record in (("derrac-2011", PAIRWISE_METHODS["nemenyi"]), ("demsar-2006", POSTHOC["nemenyi"])):
        assert correction_of(bo.compare(table, recipe=recipe), "nemenyi") is record


def test_a_correction_that_is_gone_keeps_its_name() -> None:
    gone = correction("mine")
    assert (gone.name, gone.short) == ("mine", "mine")
    with pytest.raises(UnknownNameError, match="no longer registered"):
        gone.function()


def gaps() -> bo.Scores:
    values = np.random.default_rng(0).normal(size=(12, 4))
    values[1, 1] = math.nan
    return bo.Scores(values, better="lower", missing="keep")


def test_li_depends_on_the_largest_p_of_an_incomplete_table_too() -> None:
    found = bo.compare(gaps(), control="A1", posthoc="li")
    (caution,) = (one for one in found.cautions if one.name == "pool-dependent (li)")
    assert f"(here {max(pair.pvalue for pair in found.pairs):.3g})" in caution.text


@pytest.mark.parametrize(("a", "b"), [(0, 1), (1, 0), (2, 3)])
def test_a_table_without_gaps_has_one_p_of_its_mean_ranks(a: int, b: int) -> None:
    """The z of the ranks as they are: their differences over √(2 Σ s²) of the squared deviations by problem."""
    costs = np.random.default_rng(2).integers(0, 6, size=(9, 4)).astype(float)
    ranks = np.array([[np.sum(row < x) + (np.sum(row == x) + 1) / 2 for x in row] for row in costs])
    lead = float((ranks[:, b] - ranks[:, a]).sum())
    z = abs(lead) / math.sqrt(2 * float(((ranks - 2.5) ** 2).sum()) / 3)
    found = rank_extremes(costs, a, b)
    expected = pytest.approx(float(normal_two_sided(z)[0]), rel=1e-12)
    assert (found.smallest[0], found.largest[0]) == (expected, expected)
    assert found.lowest == found.highest == np.sign(lead)


def test_one_gap_in_mean_ranks_lies_between_the_ends() -> None:
    """Of A2 missing on one problem: best or worst there, with the ranks of no tie, or of a tie with one other."""
    costs = np.array([[1.0, 2.0, 3.0]] * 5 + [[1.0, math.nan, 2.0]])
    found = rank_extremes(costs, 0, 1)
    leads = [5 - 1, 5 + 2]  # of the doubled ranks, halved: A2 first or last on the sixth problem
    spreads = [2 * (6 * 2.0 - tied) / 2 for tied in (0.0, 0.5)]
    zs = leads[0] / math.sqrt(spreads[0]), min(leads[1] / math.sqrt(spreads[1]), math.sqrt(12))
    ends = [float(normal_two_sided(z)[0]) for z in zs]
    assert (found.largest[0], found.smallest[0]) == pytest.approx(tuple(ends), rel=1e-12)
    assert not found.exact
