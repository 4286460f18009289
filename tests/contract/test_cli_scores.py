"""``--report scores.tex``: the table of scores by the file's name; and what is checked before anything is computed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main

SMALL = "problem,new,old,my method\n" + "".join(
    f"p{i},{i / 7:.3f},{i / 6 + 1:.3f},{i % 5 + i / 5:.3f}\n" for i in range(12)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.csv").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def compare(*reports: str, control: str = "") -> Result:
    options = [word for path in reports for word in ("--report", path)]
    return run("compare", "small.csv", "--better", "lower", *(["--control", control] if control else []), *options)


def test_a_file_called_scores_holds_the_table_of_scores(folder: Path) -> None:
    done = compare("scores.tex", "scores-ranks.md", "scores.html", "r.md", control="my method")
    assert done.exit_code == 0, done.stderr
    assert "Written: scores.tex (the table of scores)" in done.stdout
    assert "Written: scores-ranks.md (the table of scores with ranks)" in done.stdout
    assert "Written: r.md\n" in done.stdout
    expected = bo.score_table(bo.read_scores("small.csv", better="lower"), control="my method")
    expected.save("expected.tex")
    assert (folder / "scores.tex").read_text().replace("scores", "expected") == (
        (folder / "expected.tex").read_text().replace("scores", "expected")
    )
    ranked = (folder / "scores-ranks.md").read_text()
    assert "| p1 | **0.143 (1)** |" in ranked
    assert "won/tied/lost" in ranked
    assert "Holm" not in (folder / "scores.html").read_text()
    assert "Holm" in (folder / "r.md").read_text()


@pytest.mark.parametrize("name", ["scores.xlsx", "scores.csv", "scores.txt", "scores.json"])
def test_every_format_but_pictures(folder: Path, name: str) -> None:
    assert compare(name).exit_code == 0
    assert (folder / name).stat().st_size > 100


def test_the_part_can_be_said_before_any_name(folder: Path) -> None:
    done = compare("scores:table1.md", "report:scores.md")
    assert done.exit_code == 0, done.stderr
    assert (folder / "table1.md").read_text().startswith("*Scores; lower is better*")
    assert (folder / "scores.md").read_text().startswith("# 3 algorithms on 12 problems")


def test_a_picture_called_scores_is_the_diagram(folder: Path) -> None:
    assert compare("scores.svg").exit_code == 0
    assert "mean rank" in (folder / "scores.svg").read_text()
    done = compare("scores:x.svg")
    assert done.exit_code == 2
    assert "there is no figure of the table of scores" in done.stderr


def test_the_scores_themselves_are_never_overwritten(folder: Path) -> None:
    (folder / "scores.csv").write_text(SMALL)
    done = run("compare", "scores.csv", "--better", "lower", "--report", "scores.csv")
    assert done.exit_code == 2
    assert "which it would overwrite" in done.stderr
    assert (folder / "scores.csv").read_text() == SMALL


def test_bayes_has_it_too(folder: Path) -> None:
    done = run("bayes", "small.csv", "--better", "lower", "--report", "scores.md")
    assert done.exit_code == 0, done.stderr
    assert (folder / "scores.md").read_text().startswith("*Scores; lower is better*")


@pytest.mark.slow
def test_other_commands_know_no_parts(folder: Path) -> None:
    done = run("plan", "--effect", "0.5", "--report", "scores.md")
    assert done.exit_code == 0, done.stderr
    assert "52" in (folder / "scores.md").read_text() or "34" in (folder / "scores.md").read_text()


def test_a_missing_writer_is_named_before_anything_is_computed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """U-A32: the message names the package and the command, and says that nothing was written."""
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    monkeypatch.setattr(bo, "compare", None)
    for path in ("pairs.xlsx", "scores.xlsx"):
        done = compare("r.html", path)
        assert done.exit_code == 2
        assert f"--report {path}: writing .xlsx needs the package openpyxl: pip install openpyxl" in done.stderr
        assert "Nothing was computed, no file was written" in done.stderr
    assert [path.name for path in folder.iterdir()] == ["small.csv"]


def test_one_side_counts_wins_against_a_control(folder: Path) -> None:
    """U-A30: in the ranking and in the table of pairs, the control's."""
    shown = run(
        "compare", "small.csv", "--better", "lower", "--control", "new", "--look", "width=200", "--details"
    ).stdout
    ranking, pairs = shown.split("(the control) against")[:2]
    for table in (ranking, pairs):
        heads = table.split("───")[0]
        assert all(word in heads for word in ("won", "tied", "lost")), heads
    assert "wins / ties / losses" not in shown
    s = bo.read_scores("small.csv", better="lower")
    record = bo.score_table(s, control="new")
    assert record.wins is not None
    assert record.losses is not None
    j = s.index("my method")
    counts = f"{record.wins[j]} / {12 - record.wins[j] - record.losses[j]} / {record.losses[j]}"
    assert counts in ranking
    assert counts in pairs
