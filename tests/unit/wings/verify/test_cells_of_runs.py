"""One long cell makes all cells as long: how many runs a report may take is limited before they are laid out."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ReportError
from bakeoff.report import reading_back


def test_cells_that_one_long_cell_blows_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    content = bo.Scores(np.arange(12.0).reshape(3, 2, 2), ["a", "b"], better="lower")
    report = bo.evaluate(content).to_dict()
    monkeypatch.setattr(reading_back, "MOST_CELLS", 12)
    assert bo.verify(report).ok
    report["scores"]["runs"][1][0].append(7.0)
    with pytest.raises(ReportError, match=r"scores\.runs: 3 × 2 cells of up to 3 runs; at most 12 runs are read"):
        bo.verify(report)
