"""Arguments and scores at the edge of floating point, and which side an error names."""

from __future__ import annotations

import warnings

import pytest

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
