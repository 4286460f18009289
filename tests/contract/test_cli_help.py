"""Help that fits a screen, and what ``bakeoff FILE`` says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from bakeoff.analysis import GROUPS
from bakeoff.cli import _main as door, main

CONTEXT = click.Context(main)
COMPARE = main.get_command(CONTEXT, "compare") or click.Command("")
LOWER = ("--better", "lower")
SMALL = "problem,new,old\n" + "".join(f"p{i},{i / 7:.3f},{i / 6 + 1:.3f}\n" for i in range(12))
HYPERFINE = (Path(__file__).parents[1] / "oracles/data/formats/hyperfine.json").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "small.csv").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bakeoff(*args: str) -> Result:
    return CliRunner().invoke(main, args)


def done(result: Result) -> str:
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(result: Result) -> str:
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    return result.stderr


def test_the_help_has_six_headings_and_two_examples() -> None:
    """One list of 32 commands was no answer to "where do I begin?"."""
    text = done(bakeoff("--help"))
    assert re.findall(r"^(\w.*):$", text, re.MULTILINE) == ["Options", *GROUPS]
    assert len(GROUPS) == 6
    examples = re.findall(r"^  bakeoff (\w+) ", text.split("Options:")[0], re.MULTILINE)
    assert examples == ["compare", "check"]
    assert max(map(len, text.splitlines())) < 80
    under = {name: group for group, listed in door.headings().items() for name in listed}
    assert [under[name] for name in ("compare", "evaluate", "check", "run", "verify", "explain")] == list(GROUPS)


def test_the_help_of_compare_fits_a_screen_and_names_every_option() -> None:
    short, whole = (done(bakeoff("compare", flag)) for flag in ("-h", "--help-all"))
    assert len(short.splitlines()) <= 60
    options = {name for param in COMPARE.params for name in param.opts if name[:2] == "--"}
    for text in (short, whole):
        assert options <= set(re.findall(r"--[a-z-]+", text))
    assert "explains them" in short
    assert "explains them" not in whole
    assert len(whole.splitlines()) > 100
    assert "Column of the run" in " ".join(whole.split())


@pytest.mark.parametrize("command", [name for name in door.commands() if name not in ("study", "baseline")])
def test_every_help_tells_the_folded_options_apart(command: str) -> None:
    """Whatever -h does not explain it names, and --help-all is offered exactly then."""
    text = done(bakeoff(command, "-h"))
    folded = re.findall(r"--[a-z-]+", text.partition("More options")[2].split("At length")[0])
    assert bool(folded[1:]) == ("--help-all" in text)
    if folded:
        whole = done(bakeoff(command, "--help-all"))
        assert all(re.search(rf"^  (-\w, )?{name}\b", whole, re.MULTILINE) for name in folded if name != "--help-all")


FIRST_TABLE = "dataset,a,b\n" + "".join(f"d{i},{i / 10},{i / 9}\n" for i in range(4))
FIRST_ANSWERS = "question,a,b\n" + "".join(f"q{i},{i % 2},{(i // 2) % 2}\n" for i in range(8))


@pytest.mark.parametrize(
    ("name", "content", "what", "typed"),
    [
        ("t.csv", FIRST_TABLE, "4 problems (rows, from “dataset”) × 2 algorithms", "compare t.csv --better lower"),
        ("t.csv", FIRST_ANSWERS, "answers right or wrong: 8 problems", "evaluate t.csv --better higher"),
        ("e.toml", "seed = 1\n", "an experiment", "run e.toml"),
        ("r.json", '{"schema": "bakeoff.compare/1"}', "a report of bakeoff", "verify r.json"),
        ("s.sqlite", "", "the runs of an experiment", "status s.sqlite"),
        ("h.json", HYPERFINE, "hyperfine", "compare h.json"),
    ],
)
def test_a_file_alone_says_what_it_is_and_what_to_type(
    folder: Path, name: str, content: str, what: str, typed: str
) -> None:
    (folder / name).write_text(content, encoding="utf-8")
    said = done(bakeoff(name))
    assert said.startswith(f"{name}: ")
    assert what in said.splitlines()[0]
    assert f"  bakeoff {typed}" in said


def test_a_file_alone_that_is_no_table_is_refused_as_by_its_command(folder: Path) -> None:
    (folder / "bad.csv").write_text("nothing here\n", encoding="utf-8")
    assert refused(bakeoff("bad.csv")) == refused(bakeoff("compare", "bad.csv", *LOWER))
    said = refused(bakeoff("small.csv", *LOWER))
    assert "the command is missing: say bakeoff compare small.csv --better lower" in said
    assert done(bakeoff(*shlex.split(re.search(r"bakeoff (compare .*) \(see", said)[1])))  # type: ignore[index]
    assert len(refused(bakeoff("comapre", "small.csv"))) < 100
