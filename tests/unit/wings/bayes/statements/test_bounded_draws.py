"""Draws of large tables are bounded by the work that they take."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.statements import sign_statements
from bakeoff.wings.bayes.statements.joint_probability import JointProbabilities, joint_probabilities


def test_draws_end_exactly_where_their_work_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A is best on each of 60 problems, so that only B and C take 60 multiplications per draw: 6000 are 100 draws."""
    for name, value in (("FIRST_DRAWS", 20), ("FEWEST_DRAWS", 10), ("MOST_WORK", 6000)):
        monkeypatch.setattr(sign_statements, name, value)
    monkeypatch.setattr(sign_statements, "joint_undecided", lambda *_: True)
    b, c = np.random.default_rng(0).normal(size=(2, 60))
    found = bo.bayes.compare(bo.Scores(np.c_[b - 99, b, c], better="lower"), prior="flat", rng=1)
    assert found.n_draws == 100


def joint(probability: float, error: float) -> JointProbabilities:
    return JointProbabilities(
        probability=np.array([probability]), standard_error=np.array([error]), low=np.zeros(1), high=np.ones(1)
    )


def test_draws_go_on_while_either_joint_probability_may_cross_the_level() -> None:
    far, near = joint(0.5, 0.01), joint(0.92, 0.01)
    for lower, upper, undecided in ((far, near, True), (near, far, True), (far, far, False)):
        assert sign_statements.joint_undecided({-1: lower, 1: upper}, 0.95, 1) == undecided


def test_an_error_is_at_most_half_of_what_exact_probabilities_leave() -> None:
    """1 − .01 − .02 <= P(both) <= 1 − .02."""
    failures, never, exact = np.array([1, 1, 8]), np.zeros(2, dtype=bool), np.ones(2, dtype=bool)
    found = joint_probabilities(failures, never, np.array([0.01, 0.02]), exact=exact)
    assert found.probability == pytest.approx([0.99, 0.97])
    assert found.standard_error == pytest.approx([0.0, 0.005])
