"""Means and medians of the runs of each cell."""

from __future__ import annotations

import numpy as np

import bakeoff as bo


def test_one_failed_run_moves_the_mean_not_the_median() -> None:
    """U-A21: one infinite run of five makes the mean infinite."""
    runs = np.array([[[1.0, 2.0, 3.0, 4.0, np.inf], [2.0, 2.0, 5.0, 5.0, 9.0]]])
    s = bo.Scores(runs, better="lower")
    assert s.means.tolist() == s.values.tolist() == [[np.inf, 4.6]]
    assert s.medians.tolist() == [[3.0, 5.0]]
    assert not s.medians.flags.writeable


def test_padding_is_no_run_and_single_scores_are_their_own_summary() -> None:
    cells = np.array([[[1.0, 9.0, np.nan], [1.0, 2.0, 4.0]]])
    s = bo.Scores.from_cells(cells, ["a", "b"], ["p"], better="lower")
    assert s.medians.tolist() == [[5.0, 2.0]]
    one = bo.Scores([[1.0, 2.0]], better="lower")
    assert one.medians is one.means is one.values
