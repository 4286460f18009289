"""What a stranger types first: each refusal ends with what would work (issue 12, item 5)."""

from __future__ import annotations

import random
import re
import shlex
import textwrap
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main

HEADER = ["problem", "my method", "base", "svm"]


def write(rows: list[tuple[Any, ...]]) -> None:
    def text(separator: str, header: list[str], lines: list[Any]) -> str:
        return "".join(separator.join(map(str, line)) + "\n" for line in [header, *lines])

    def long(*columns: str) -> str:
        cells = [(row[0], name, x) for row in rows for name, x in zip(HEADER[1:], row[1:], strict=True)]
        return text(",", list(columns), cells)

    comma = [[str(x).replace(".", ",") for x in row] for row in rows]
    files = {
        "a.csv": text(",", HEADER, rows),
        "b.csv": text(",", HEADER, rows),
        "eu.csv": text(";", HEADER, comma),
        "quoted.csv": text(",", HEADER, [[f'"{x}"' for x in row] for row in comma]),
        "long.csv": long("ds", "clf", "acc"),
        "weird.csv": long("q", "who", "points"),
        "turned.csv": text(",", ["who", "q", "points"], [(b, a, c) for a, b, c in _cells(rows)]),
        "mixed.csv": text(",", ["problem", "area", *HEADER[1:]], [(row[0], "vision", *row[1:]) for row in rows]),
        "stats.csv": text(",", ["problem", "a", "b", "mean", "std"], [(*row[:3], 5, 2) for row in rows]),
        "holes.csv": text(",", HEADER, [(*rows[0][:2], "", rows[0][3]), (*rows[1][:3], ""), *rows[2:]]),
        "r.json": '{"schema": "bakeoff.compare/1"}',
        "spaces.txt": text(" ", ["problem", "a", "b"], [[*row[:3], "x y"][: 3 + i % 2] for i, row in enumerate(rows)]),
        "hyperfine.json": '{"results": [{"command": "a", "mean": 1.0}, {"command": "b", "mean": 2.0}]}',
        "lists.json": "[[1, 2], [3, 4]]",
        "nested.json": '{"p1": {"a": 1, "b": 2}}',
    }
    for name, content in files.items():
        Path(name).write_text(content, encoding="utf-8")


def _cells(rows: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(row[0], name, x) for row in rows for name, x in zip(HEADER[1:], row[1:], strict=True)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rng = random.Random(1)
    write([(f"p{i}", *(round(0.1 + 0.8 * rng.random(), 3) for _ in HEADER[1:])) for i in range(12)])


def bakeoff(*args: str) -> Any:
    return CliRunner().invoke(main, [*args])


COMPARE = ("compare", "a.csv", "--better", "higher")
MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "a direction as a flag": (("compare", "a.csv", "--maximize"), "say --better higher"),
    "a control by another name": ((*COMPARE, "--baseline", "base"), "say --control NAME"),
    "a test by another name": ((*COMPARE, "--test", "t"), "say --pairwise NAME"),
    "a correction by another name": ((*COMPARE, "--correction", "holm"), "say --posthoc NAME"),
    "an output by another name": ((*COMPARE, "-o", "r.html"), "say --report report.html"),
    "an option of another command": ((*COMPARE, "--rope", "0.1"), "it belongs to bakeoff bayes"),
    "a level in percent": ((*COMPARE, "--alpha", "5%"), "--alpha must be a number; got '5%': 5 % is 0.05"),
    "a level with a comma": ((*COMPARE, "--alpha", "0,05"), "got '0,05': did you mean 0.05?"),
    "a number in words": (("plan", "--n", "ten"), "--n must be a whole number; got 'ten'"),
    "a file's name": (("compare", "acsv", "--better", "higher"), "did you mean 'a.csv'?"),
    "a store's name": (("status", "acsv"), "there is no store 'acsv'; did you mean 'a.csv'?"),
    "an experiment's name": (("run", "b.cs"), "did you mean 'b.csv'?"),
    "two files": (
        ("compare", "a.csv", "b.csv", "--better", "higher"),
        "--score 'my method'. If each column is an algorithm",
    ),
    "a name without quotes": ((*COMPARE, "--control", "my", "method"), "needs quotes: --control 'my method'"),
    "no command": (("a.csv", "--better", "lower"), "say bakeoff compare a.csv --better lower"),
    "a table as an experiment": (("run", "a.csv"), "compared by: bakeoff compare a.csv --better lower|higher"),
    "one algorithm": ((*COMPARE, "--only", "my method"), "To compare one with the others: --control 'my method'"),
    "a column of names": (("compare", "mixed.csv", "--better", "higher"), "is left out with --drop area"),
    "columns of statistics": (
        ("compare", "stats.csv", "--better", "lower"),
        "look like statistics. Leave them out with --drop mean --drop std, or compare them with --keep mean --keep std",
    ),
    "missing scores": (
        ("compare", "holes.csv", "--better", "lower"),
        "problem 'p0', algorithm 'base'; problem 'p1', algorithm 'svm'. Problems missing: ",
    ),
    "the table before the report": (
        ("verify", "a.csv", "r.json"),
        "the report comes first: bakeoff verify r.json a.csv",
    ),
    "columns by spaces": (("compare", "spaces.txt", "--better", "lower"), "by bars or spaces if there are as many"),
    "another program's JSON": (
        ("compare", "hyperfine.json", "--better", "lower"),
        "results[0] has no times, only their mean; have hyperfine write them: --export-json",
    ),
    "lists in JSON": (("compare", "lists.json", "--better", "lower"), "got list; give a list of records"),
    "nested JSON": (("compare", "nested.json", "--better", "lower"), "pandas.read_json(path).T.to_csv"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_refusal_says_what_would_work(mistake: str) -> None:
    args, said = MISTAKES[mistake]
    done = bakeoff(*args)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert len(textwrap.wrap(done.stderr, 80)) <= 3


@pytest.mark.parametrize(
    ("args", "advice"),
    [
        (("compare", "a.csv", "b.csv", "--better", "higher"), "--run file"),
        (("compare", "mixed.csv", "--better", "higher"), r"--drop \w+"),
        (("compare", "a.csv", "--better", "higher", "--only", "my method"), "--control '.*'"),
    ],
)
def test_the_advice_pasted_works(args: tuple[str, ...], advice: str) -> None:
    found = re.search(advice, bakeoff(*args).stderr)
    assert found
    kept = [a for a in args if a not in ("--only", "my method")]
    done = bakeoff(*kept, *shlex.split(found[0]))
    assert done.exit_code == 0, done.stderr
    assert "12 problems" in done.stdout


def test_a_dropped_column_of_names_may_stand_beside_dropped_problems() -> None:
    done = bakeoff("compare", "mixed.csv", "--better", "higher", "--drop", "area", "--drop", "p3")
    assert done.exit_code == 0, done.stderr
    assert "11 problems" in done.stdout
    assert (
        "called 'aria'"
        in bakeoff("compare", "mixed.csv", "--better", "higher", "--drop", "area", "--drop", "aria").stderr
    )


@pytest.mark.parametrize(
    ("file", "problem", "algorithm"), [("weird.csv", "q", "who"), ("turned.csv", "q", "who"), ("long.csv", "ds", "clf")]
)
def test_a_long_table_of_other_words_is_read_if_there_is_one_way(file: str, problem: str, algorithm: str) -> None:
    """The line on the data says which columns were taken."""
    done = bakeoff("compare", file, "--better", "higher")
    assert done.exit_code == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert f"12 problems (“{problem}”) × 3 algorithms (“{algorithm}”)" in said


@pytest.mark.parametrize("mistake", MISTAKES)
def test_what_is_wrong_comes_first_and_neither_it_nor_the_advice_takes_more_than_three_lines(mistake: str) -> None:
    said = bakeoff(*MISTAKES[mistake][0]).stderr
    wrong, *rest = re.split(r"(?<=[^.]\.) (?=[A-Z])|; (?=did|give|if|the)|: (?=say)", said, maxsplit=1)
    assert wrong.startswith("bakeoff: ")
    assert not re.match("bakeoff: (say|give|name|use|try) ", wrong)
    assert all(len(textwrap.wrap(part, 80)) <= 3 for part in (wrong, *rest))
