"""A run without a time and without a status is a hole, also among other runs of its cell."""

from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError


def test_one_run_without_time_or_status(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    runs = {"p,A": ["3,ok", ",", "5,ok"], "p,B": ["4,ok"] * 3, "q,A": ["1,ok"] * 3, "q,B": ["2,ok"] * 3}
    rows = [f"{cell},{i},{run}\n" for cell, each in runs.items() for i, run in enumerate(each)]
    path.write_text("problem,algorithm,run,score,status\n" + "".join(rows))
    scores = bo.read_scores(path, better="lower", missing="keep")
    with pytest.raises(MissingScoreError, match=r"runs without a time or a status that says why .*'p', algorithm 'A'"):
        bo.runtimes(scores, 10)
