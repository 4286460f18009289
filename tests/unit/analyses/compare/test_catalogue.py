"""Which corrections can be named, and contrasts that nothing is known of."""

from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from bakeoff.analyses.compare.statistics.catalogue import corrections
from bakeoff.analyses.compare.statistics.incomplete.ranks import score_contrasts


def test_tests_with_a_control_are_named_where_there_is_one() -> None:
    with_control, all_pairs = ([method.name for method in corrections(control)] for control in (True, False))
    assert (with_control[-1], all_pairs[-1]) == ("dunnett", "tukey")
    assert "nemenyi" in all_pairs
    assert {"dunnett", "nemenyi", "tukey"} & set(with_control) == {"dunnett"}
    assert "dunnett" not in all_pairs
    assert "shaffer" in all_pairs
    assert "shaffer" not in with_control


def test_a_contrast_without_variance_shows_nothing() -> None:
    """z = (3 − 1)/√(2 + 2 − 2·0) = 1 of the first pair; the second has the covariance of its variances."""
    covariance = np.array([[2.0, 0.0, 2.0], [0.0, 2.0, 0.0], [2.0, 0.0, 2.0]])
    found = cast("Any", SimpleNamespace(scores=np.array([1.0, 3.0, 4.0]), covariance=covariance))
    tests = score_contrasts(found, [(0, 1), (0, 2)])
    assert (tests.statistic.tolist(), tests.direction.tolist()) == ([1.0, 0.0], [1.0, 0.0])
    assert tests.pvalue[1] == 1.0
