"""Runs that failed: a status is why there is no score, whatever number stands beside it."""

import copy
import io
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, MissingScoreError, ReadingError
from bakeoff.report.reading_back import rebuilt_scores
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats._read_results import cells_of
from bakeoff.wings.formats.measurement import Measurement
from bakeoff.wings.formats.measurements import gather

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"
LONG = """problem,algorithm,run,score,status
p1,A,1,1.0,ok
p1,A,2,60.0,TIMEOUT
p1,B,1,2.0,
p1,B,2,2.5,FINISHED
p2,A,1,3.0,success
p2,A,2,3.5,ok
p2,B,1,,crashed: signal 9
p2,B,2,4.0,ok
"""
MORE = LONG + "".join(f"p{i},{a},{r},{i + r},ok\n" for i in range(3, 9) for a in "AB" for r in (1, 2))


def read(text: str = LONG, **options: object) -> bo.Scores:
    return bo.read_scores(io.StringIO(text), "lower", **options)  # type: ignore[arg-type]


def test_a_run_that_failed_has_no_score() -> None:
    """A timeout at 60 s is not a time, and a missing score is named with its reason."""
    with pytest.raises(MissingScoreError, match=r"run '2' \(timeout\); problem 'p2'.*run '1' \(crashed: signal 9\)"):
        read()
    scores = read(missing="available")
    assert scores.values.tolist() == [[1.0, 2.25], [3.25, 4.0]]
    assert scores.status is not None
    assert scores.status.tolist() == [[["ok", "timeout"], ["ok", "ok"]], [["ok", "ok"], ["ok", "crashed: signal 9"]]]
    assert (scores.status == "timeout").sum() == 1
    assert read(LONG.replace("score", "time"), score="time", missing="available").values.tolist()[0][0] == 1.0


@pytest.mark.parametrize(
    ("policy", "values"),
    [("drop", [[5.0, 6.0]]), ("worst", [[np.inf, 2.0], [5.0, 6.0]]), ("keep", [[np.nan, 2.0], [5.0, 6.0]])],
)
def test_what_a_failure_means(policy: str, values: list[list[float]]) -> None:
    text = "problem,algorithm,score,status\np1,A,0,failed\np1,B,2,ok\np2,A,5,ok\np2,B,6,ok\n"
    scores = read(text, missing=policy)
    np.testing.assert_equal(scores.values, np.array(values))
    assert scores.status is not None
    assert scores.status.shape == scores.values.shape
    if policy == "worst":
        assert scores.filled == (("p1", "A"),)
    if policy == "keep":
        with pytest.raises(MissingScoreError, match=r"algorithm 'A' \(failed\)"):
            bo.friedman(scores)


def test_failures_are_said_wherever_other_runs_stand_for_them() -> None:
    text = next(c.text for c in bo.compare(read(MORE, missing="available")).cautions if c.name == "left-out (runs)")
    assert "2 runs (1 timeout, 1 crashed: signal 9)" in text
    assert "left-out (runs)" not in [c.name for c in bo.compare(read(MORE, missing="worst")).cautions]


def test_a_status_that_is_no_word() -> None:
    with pytest.raises(ReadingError, match=r"column 4 \('status'\): a status is a word.*drop='status'"):
        read("problem,algorithm,score,status\np1,A,0,1\np1,B,2,0\n")
    assert read("problem,algorithm,score,status\np1,A,0,1\np1,B,2,0\n", drop=["status"]).status is None
    with pytest.raises(BakeoffError, match="status names a column of the long layout"):
        read("problem,A,B,status\np1,1,2,ok\n", layout="wide", status="status")


def test_frames_have_statuses_and_clusters() -> None:
    import pandas

    frame = pandas.read_csv(io.StringIO(LONG)).rename(columns={"status": "state"})
    frame["cluster"] = frame["problem"].str.upper()
    scores = bo.read_scores(frame, "lower", status="state", missing="available")
    assert scores.clusters == ("P1", "P2")
    assert scores.status is not None
    assert scores.status.tolist() == read(missing="available").status.tolist()  # type: ignore[union-attr]


def test_scores_take_statuses_and_keep_them() -> None:
    with pytest.raises(MissingScoreError, match=r"problem 'P1', algorithm 'A2' \(timeout\)"):
        bo.Scores([[1, 60], [2, 3]], better="lower", status=[["ok", "timeout"], ["ok", "ok"]])
    scores = bo.Scores(
        [[1, 60], [2, 3]], better="lower", status=[["ok", "timeout"], ["ok", "ok"]], missing="keep", unit="s"
    )
    assert (scores.status == "timeout").tolist() == [[False, True], [False, False]]
    assert scores.holes.tolist() == [[False, True], [False, False]]
    for same in (pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores), scores.select()):
        assert same.status.tolist() == scores.status.tolist()  # type: ignore[union-attr]
        assert same.unit == "s"
    assert scores.select(["A2", "A1"], ["P1", "P2"]).status.tolist() == [["timeout", "ok"], ["ok", "ok"]]  # type: ignore[union-attr]
    assert bo.Scores([[1, 2]], better="lower").status is None
    with pytest.raises(BakeoffError, match="status must have the shape"):
        bo.Scores([[1, 2]], better="lower", status=["ok", "ok"])
    with pytest.raises(BakeoffError, match="unit must be the unit"):
        bo.Scores([[1, 2]], better="lower", unit="")


@pytest.mark.parametrize("policy", ["available", "worst", "keep"])
def test_json_holds_statuses_and_verifies(policy: str, tmp_path: Path) -> None:
    scores = read(MORE, missing=policy, unit="s", metric="time")
    found = bo.compare(scores)
    path = tmp_path / "r.json"
    found.save(path)
    data = json.loads(path.read_text())["scores"]
    again = rebuilt_scores(data)
    assert again.status is not None
    assert again.status.tolist() == scores.status.tolist()  # type: ignore[union-attr]
    assert again.unit == "s"
    assert bo.verify(path).ok
    data["status"] = [["ok"]]
    with pytest.raises(BakeoffError, match=r"scores\.status must be a list of 8"):
        rebuilt_scores(data)


def test_adapters_pass_status_and_unit() -> None:
    with pytest.raises(MissingScoreError, match=r"no score at all of 'a' \(failed\), 'b' \(failed\)"):
        bo.read_results(dict.fromkeys("ab", FILES / "hyperfine_param_fail.json"), missing="keep")
    scores = bo.read_results({"a": FILES / "hyperfine.json", "b": FILES / "hyperfine.json"})
    assert scores.unit == "s"
    assert scores.status is not None
    assert set(scores.status.ravel().tolist()) == {"ok"}


def test_problems_measured_in_different_versions_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        Measurement(problem, algorithm, 1.0, better="lower", version=version)
        for problem, versions in (("q1", "aa"), ("q2", "ab"), ("q3", "bb"))
        for algorithm, version in zip("AB", versions, strict=True)
    ]
    cells = cells_of(gather(rows, None, FORMATS["hyperfine"]))
    assert list(cells.problems) == ["q1", "q3"]
    form = FORMATS["hyperfine"].__class__("hyperfine", "x", lambda f: True, lambda *_: rows)
    monkeypatch.setattr("bakeoff.wings.formats.hyperfine.FORMAT", form)
    scores = bo.read_results(FILES / "hyperfine.json", "hyperfine")
    assert scores.differing == ("q2",)
    text = next(c.text for c in bo.compare(scores).cautions if c.name == "left-out (versions)")
    assert "different versions: 1 problem (q2)" in text
    with pytest.raises(ReadingError, match="every problem was measured in different versions"):
        cells_of(gather(rows[2:4], None, FORMATS["hyperfine"]))
