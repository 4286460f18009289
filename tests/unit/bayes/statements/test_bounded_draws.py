"""Draws of large tables are bounded by the work that they take."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.bayes.statements import sign_statements


def test_draws_end_exactly_where_their_work_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A is best on each of 60 problems, so that only B and C take 60 multiplications per draw: 6000 are 100 draws."""
    for name, value in (("FIRST_DRAWS", 20), ("FEWEST_DRAWS", 10), ("MOST_WORK", 6000)):
        monkeypatch.setattr(sign_statements, name, value)
    monkeypatch.setattr(sign_statements, "joint_undecided", lambda *_: True)
    b, c = np.random.default_rng(0).normal(size=(2, 60))
    found = bo.bayes.compare(bo.Scores(np.c_[b - 99, b, c], better="lower"), prior="flat", rng=1)
    assert found.n_draws == 100
