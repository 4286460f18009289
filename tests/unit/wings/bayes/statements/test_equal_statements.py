"""Statements that are as probable as each other, in the order of their mean ranks; verdicts of few clusters."""

import numpy as np
import pytest

import bakeoff as bo


def test_of_two_equally_probable_statements_the_larger_difference_is_first() -> None:
    """No problem contradicts any of the three, so that each is as probable as three problems allow."""
    scores = bo.Scores([[1.0, 2.0, 3.0]] * 3, list("ABC"), better="lower")
    found = bo.bayes.compare(scores, prior="exchangeable", n_draws=100).statements
    assert len({one.probability for one in found}) == 1
    assert (found[0].better, found[0].worse) == ("A", "C")


@pytest.mark.parametrize(("strength", "rope"), [(0.0, 0.0), (1.0, 0.0), (0.0, 0.5)])
def test_two_clusters_give_no_verdict(strength: float, rope: float) -> None:
    """Leads 1 and −.04, which one more cluster could turn; a region of equivalence changes nothing."""
    d = np.array([1.0] * 50 + [1.0] * 24 + [-1.0] * 26)
    scores = bo.Scores(np.c_[d, 0 * d], ["a", "b"], better="higher", clusters=["x"] * 50 + ["y"] * 50)
    assert bo.bayes.sign_test(scores, 0, 1, strength, rope).verdict == "indeterminate"


def test_at_a_draw_of_clusters_the_first_name_is_better() -> None:
    d = np.array([1.0, 1.0, -1.0, -1.0, 1.0, -1.0])
    scores = bo.Scores(np.c_[d, 0 * d], ["a", "b"], better="higher", clusters=list("uuvvxx"))
    (found,) = bo.bayes.compare(scores, n_draws=100).statements
    assert (found.better, found.worse, found.probability) == ("a", "b", 0.5)
