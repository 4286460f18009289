"""A run without a time and without a status is a hole, also among other runs of its cell."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import MissingScoreError


def test_one_run_without_time_or_status(tmp_path: Path) -> None:
    path = tmp_path / "runs.csv"
    runs = {"p,A": ["3,ok", ",", "5,ok"], "p,B": ["4,ok"] * 3, "q,A": ["1,ok"] * 3, "q,B": ["2,ok"] * 3}
    rows = [f"{cell},{i},{run}\n" for cell, each in runs.items() for i, run in enumerate(each)]
    path.write_text("problem,algorithm,run,score,status\n" + "".join(rows))
    scores = bo.read_scores(path, better="lower", missing="keep")
    with pytest.raises(MissingScoreError, match=r"runs without a time or a status that says why .*'p', algorithm 'A'"):
        bo.runtimes(scores, 10)


ENDS = "problem,algorithm,time,status\n" + "".join(
    f"p{i},{name},{'' if failed else seconds + i},{'memout' if failed else 'ok'}\n"
    for i in range(36)
    for name, seconds in (("fast", 3), ("slow", 4))
    if not (i == 35 and name == "fast")
    for failed in [name == "slow" and i < 23]
)


@pytest.mark.parametrize("command", [["runtimes", "--cap", "100"], ["profile", "--better", "lower"]])
def test_dropping_what_was_not_run_keeps_what_failed(tmp_path: Path, command: list[str]) -> None:
    """One problem was not run by one solver; the 23 on which the other ran out of memory were left out with it."""
    table, report = tmp_path / "t.csv", tmp_path / "r.json"
    table.write_text(ENDS)
    read = ["--status", "status"]
    done = CliRunner().invoke(main, [*command, str(table), *read, "--missing", "drop", "--report", str(report)])
    assert done.exit_code == 0, done.output
    content = json.loads(report.read_text())
    assert (content["scores"]["dropped"], content["n_problems"]) == (["p35"], 35)
    assert "left-out" in {caution["code"] for caution in content["cautions"]}
    assert CliRunner().invoke(main, ["verify", str(report), str(table), *read]).exit_code == 0
    scores = bo.read_scores(table, better="lower", status="status", missing="drop-unrun")
    if command[0] == "runtimes":
        assert bo.runtimes(scores, 100).solved.tolist() == [35.0, 12.0]


def test_a_table_without_statuses_has_only_what_was_not_run(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("problem,a,b\nx,1,2\ny,2,\nz,3,1\n")
    either = [bo.read_scores(table, better="lower", missing=policy) for policy in ("drop", "drop-unrun")]
    assert either[0].values.tolist() == either[1].values.tolist()
    assert either[0].dropped == either[1].dropped == ("y",)
