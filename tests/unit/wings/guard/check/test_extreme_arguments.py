"""Arguments and scores at the edge of floating point, and which side an error names."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.stats

import bakeoff as bo
from bakeoff.errors import ScoreError

COUNTS = {"x": [5.0] * 10}


@pytest.mark.parametrize("sd", [1e-320, 1e308])
def test_any_given_spread_is_judged_without_a_warning(sd: float) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = bo.check(COUNTS, {"x": [5.0] * 9 + [6.0]}, margin="5%", better="lower", run_sd=sd)
    assert found.decision == ("ok" if sd < 1 else "inconclusive")


@pytest.mark.parametrize("value", [0.0, float("inf")])
def test_the_side_with_scores_of_no_use_is_named(value: float) -> None:
    bad = {"x": [1.0, value, 2.0]}
    for baseline, new, named in ((bad, COUNTS, "baseline"), (COUNTS, bad, "new")):
        with pytest.raises(ScoreError) as error:
            bo.check(baseline, new, margin="5%", better="lower")
        assert error.value.parameter == named


@pytest.mark.parametrize(
    ("n_old", "n_new", "test", "least"),
    [(3, 3, "t", 0.05), (3, 6, "t", 0.125), (3, 6, "rank", 1 / 84), (6, 3, "t", 0.125)],
)
def test_the_caution_of_few_runs_states_the_bound_of_this_test(n_old: int, n_new: int, test: str, least: float) -> None:
    old, new = ([level + 0.001 * i**2 for i in range(n)] for level, n in ((1.0, n_old), (2.0, n_new)))
    found = bo.check({"x": old}, {"x": new}, margin="5%", better="lower", test=test)
    assert found.rows[0].pvalue == pytest.approx(least)
    (text,) = (caution.text for caution in found.cautions if caution.name == "too-few (processes)")
    assert f"Only 3 independent runs per side: no p-value is below {least:.3g} then" in text


def test_one_test_over_benchmarks_takes_sides_of_different_sizes() -> None:
    rng = np.random.default_rng(3)
    old, new = (rng.normal(level, 0.01, size=(2, n)) for level, n in ((1.0, 5), (1.2, 8)))
    found = bo.check(*({"x": side[0], "y": side[1]} for side in (old, new)), margin="5%", better="lower", level="suite")
    means = (np.log(side).mean(axis=0) for side in (new, old))
    expected = scipy.stats.ttest_ind(next(means) - np.log1p(0.05), next(means), equal_var=False, alternative="greater")
    assert found.decision == "regressed"
    assert found.rows[0].pvalue == pytest.approx(expected.pvalue, rel=1e-9)
