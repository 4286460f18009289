"""Hostile names of algorithms, problems, metrics, files and stores: refused by name, or carried through unchanged.

    PYTHONPATH=tests python -m faults.hostile_names 200          # how many experiments, and optionally a seed

Every name is text that something on the way could take for something else: quotes, line ends, NUL, characters that
reorder a line, ``../``, SQL, HTML, TeX, formulas, placeholders, options, 10 000 characters, emoji, lone surrogates, and
names that differ from others by an escape sequence or a space only. Experiments with such names are run, interrupted
and resumed; raced, interrupted and resumed; verified, exported, read again, compared and reported in every format.
The score of a run says which problem, algorithm and run it belongs to, so a run that is lost, changed, counted twice or
filed under another name is seen.
"""

from __future__ import annotations

import csv
import json
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main as command_line
from bakeoff.errors import BakeoffError
from bakeoff.packages import installed
from bakeoff.scores.cells import refuse_lookalikes
from bakeoff.wings.run._race import stored_race
from bakeoff.wings.run.store.contents import read_store, scores_of
from bakeoff.wings.run.verification import verify_store
from pages import without_script

NAMES = (
    "plain",
    " plain",
    "Plain",
    "'single' \"double\" `back`",
    "two\nlines",
    "two\\nlines",
    "two lines",
    "carriage\rreturn",
    "nul\0inside",
    "\u202eright to left\u202c",
    "\\u202eright to left\\u202c",
    "zero\u200bwidth",
    "../../up",
    "/etc/passwd",
    "'); DROP TABLE run; --",
    "<script>alert(1)</script>",
    "&lt;b&gt;",
    "{seed}",
    "{instance} {nonsense} {0}",
    "%s %d $HOME $(id) ${x}",
    "$x_1^2$ \\input{/etc/passwd} #1 ~ _",
    "| a | b |\n|---|---|",
    "[link](javascript:alert(1)) **bold**",
    "-o",
    "--help",
    "=1+1",
    "'=1+1",
    "@SUM(A1)",
    "a,b;c\td",
    " ",
    "",
    "1",
    "1.0",
    "nan",
    "None",
    "problem",
    "run",
    "Average",
    "\N{PILE OF POO}\N{FAMILY}\ufe0f",
    "e\u0301",
    "\xe8",
    "\ufeff",
    "\x1b[31mred\x1b[0m\x07",
    "\\x1b[31mred\\x1b[0m\\x07",
    "lone \ud800 surrogate",
    "long " * 2000,
    "long " * 1999 + "LONG ",
)
FORMATS = (".html", ".md", ".tex", ".json", ".txt", ".csv", ".xlsx", ".svg")
PICTURES = (".pdf", ".png")  # a second each
ALPHABET = "ab' \"\\/\n\r\t<>&;|{}$#%=+-@[]().,_~\u202e\u200b\ufeff\x1b\xe9\u0301\N{PILE OF POO}"
N_RUNS = 2


class Solver:
    """Its score is made of the numbers of the problem and the algorithm; of which run it is, of the generator."""

    def __init__(self, number: int, metric: str) -> None:
        self.number, self.metric = number, metric

    def __call__(self, problem: object, rng: np.random.Generator) -> dict[str, float]:
        number = int(Path(problem).read_text()) if isinstance(problem, Path) else int(str(problem))
        return {self.metric: code(number, self.number) + float(rng.random()), "seconds": 1.0}


def code(problem: int, algorithm: int) -> int:
    return 100 * problem + algorithm


class Watched(HTMLParser):
    """What a page would execute."""

    def __init__(self) -> None:
        super().__init__()
        self.executed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "iframe", "img", "object"):
            self.executed.append(tag)
        self.executed += [name for name, value in attrs if name.startswith("on") or "javascript:" in (value or "")]


def accepted(name: str) -> bool:
    """What the package promises to take: text that is not blank and can be stored."""
    return bool(name.strip()) and "\0" not in name and not any("\ud800" <= sign <= "\udfff" for sign in name)


def experiment(algorithms: Sequence[str], problems: Any, metric: str) -> bo.Experiment:
    solvers = {name: Solver(i, metric) for i, name in enumerate(algorithms)}
    if not isinstance(problems, str):
        problems = {name: i for i, name in enumerate(problems)}
    return bo.Experiment(solvers, problems, better="lower", seed=1, runs=N_RUNS, score=metric)


def interrupted(start: Callable[[Callable[[Any], None]], object]) -> None:
    """Begun, and stopped by Ctrl-C after some runs."""

    def stop(progress: Any) -> None:
        raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        start(stop)


def check_runs(scores: bo.Scores, algorithms: Sequence[str], problems: Sequence[str], number: dict[str, int]) -> None:
    """Each score under its own names, and as many as there should be."""
    assert tuple(scores.algorithms) == tuple(algorithms), "algorithms changed"
    assert sorted(scores.problems or ()) == sorted(problems), "problems changed"
    assert scores.runs is not None
    assert scores.runs.shape == (len(problems), len(algorithms), N_RUNS), "runs lost or duplicated"
    for row, name in enumerate(scores.problems or ()):
        for column in range(len(algorithms)):
            found = np.floor(scores.runs[row, column])
            assert (found == code(number[name], column)).all(), f"mixed: {name!r}, {algorithms[column]!r}"


def check_export(store: Path, algorithms: Sequence[str], problems: Sequence[str], number: dict[str, int]) -> None:
    """A line for each run, no two names written alike, none that a spreadsheet or a terminal would obey."""
    for suffix in (".csv", ".parquet") if installed("pyarrow") else (".csv",):
        target = store.with_name(f"export{suffix}")
        done = CliRunner().invoke(command_line, ["export", "-o", str(target), "--", str(store)])
        assert done.exit_code == 0, done.output
        if suffix == ".csv":
            with target.open(encoding="utf-8", newline="") as file:
                rows = list(csv.DictReader(file))
        else:
            import pyarrow.parquet

            rows = pyarrow.parquet.read_table(target).to_pylist()
            assert {row["algorithm"] for row in rows} == set(algorithms)
            assert {row["problem"] for row in rows} == set(problems)
        assert len(rows) == len(problems) * len(algorithms) * N_RUNS
        keys = Counter((row["problem"], row["algorithm"], row["run"]) for row in rows)
        assert max(keys.values()) == 1, f"{suffix}: names written alike: {keys.most_common(1)[0][0]!r}"
        cells: dict[tuple[str, str], set[int]] = {}
        for row in rows:
            cells.setdefault((row["problem"], row["algorithm"]), set()).add(int(float(row["score"])))
        wanted = {code(number[p], a) for p in problems for a in range(len(algorithms))}
        assert all(len(found) == 1 for found in cells.values()), f"{suffix}: two cells under one name"
        assert set().union(*cells.values()) == wanted
        for row in rows if suffix == ".csv" else []:
            for cell in (row["problem"], row["algorithm"]):
                assert not cell.startswith(("=", "+", "-", "@", "\t", "\r")), f"a formula: {cell!r}"
                assert not {"\x1b", "\u202e", "\x07"} & set(cell), f"obeyed by a terminal: {cell!r}"
        try:
            keep = [name for name in ("Average", "@SUM(A1)", "'@SUM(A1)") if name in {row["problem"] for row in rows}]
            read = bo.read_scores(target, better="lower", layout="long", keep=keep)
        except BakeoffError as error:  # spaces around a cell do not count; names that differ by them are refused
            alike = any(len({name.strip() for name in names}) < len(names) for names in (algorithms, problems))
            if alike and "must occur once" in str(error):
                continue
            raise
        assert read.runs is not None
        assert read.runs.shape == (len(problems), len(algorithms), N_RUNS), f"{suffix}: read with other runs"
        found = {tuple(sorted({int(x) for x in read.runs[i].ravel()})) for i in range(len(problems))}
        assert found == {tuple(code(number[p], a) for a in range(len(algorithms))) for p in problems}


def check_reports(result: Any, algorithms: Sequence[str], folder: Path, formats: Sequence[str]) -> None:
    for suffix in formats:
        target = folder / f"report{suffix}"
        result.save(target)
        assert target.stat().st_size
        if suffix == ".html":
            page = Watched()
            page.feed(without_script(target.read_text(encoding="utf-8")))
            assert page.executed == [], page.executed
        elif suffix == ".json":
            assert set(json.loads(target.read_text(encoding="utf-8"))["algorithms"]) == set(algorithms)
        elif suffix == ".txt":
            assert not {"\x1b", "\u202e", "\x07", "\r"} & set(target.read_text(encoding="utf-8"))
        target.unlink()


def disturbed(
    algorithms: Sequence[str],
    problems: Sequence[str],
    metric: str,
    store: Path,
    files: Path | None,
    formats: Sequence[str],
) -> None:
    """One experiment and one race through everything; AssertionError if a run is lost, changed, doubled or mixed."""
    number = {name: i for i, name in enumerate(problems)}
    given = problems if files is None else f"{files}/**/*"
    asked = experiment(algorithms, given, metric)
    interrupted(lambda stop: bo.run(asked, store, progress=stop))
    result = bo.run(experiment(algorithms, given, metric), store)
    assert result.n_runs == len(algorithms) * len(problems) * N_RUNS
    check_runs(result.scores, algorithms, problems, number)
    check_runs(scores_of(read_store(store)), algorithms, problems, number)
    assert verify_store(store).findings == ()
    done = CliRunner().invoke(command_line, ["compare", "--json", "--", str(store)])
    assert done.exit_code == 0, done.output
    assert list(json.loads(done.stdout)["mean_ranks"]) == list(algorithms)
    check_export(store, algorithms, problems, number)
    compared = bo.compare(result.scores)
    assert list(compared.to_dict()["mean_ranks"]) == list(algorithms)
    check_reports(result, algorithms, store.parent, formats)

    raced = store.with_name(f"r{store.name}"[:200])
    calm = bo.race(asked, block=2)
    interrupted(lambda stop: bo.race(asked, store=raced, block=2, progress=stop))
    again = bo.race(asked, store=raced, block=2)
    assert again.digest == calm.digest
    assert json.dumps(again.to_dict()) == json.dumps(calm.to_dict())
    assert set(again.survivors) | {left.algorithm for left in again.eliminated} <= set(algorithms)
    assert json.dumps(stored_race(raced).to_dict()) == json.dumps(calm.to_dict())
    assert verify_store(raced).findings == ()


def check_refused(name: str, folder: Path) -> None:
    """A name that cannot be stored is refused as what it stands for, and nothing is begun."""
    store = folder / "refused.sqlite"
    cases = (("algorithms", ["plain", name], ["p"], "m"), ("problems", ["plain", "other"], ["p", name], "m"))
    for what, algorithms, problems, metric in cases:
        with pytest.raises(BakeoffError, match=what):
            bo.run(experiment(algorithms, problems, metric), store)
    try:
        result = bo.run(experiment(["plain", "other"], ["p"], name), store)
    except BakeoffError:
        pass
    else:
        assert result.n_failed == 0


def with_files(names: Sequence[str], folder: Path) -> tuple[list[str], Path]:
    """Problem files called so, as far as the file system has such names; names that UTF-8 lacks as raw bytes."""
    instances, made = folder / "instances", []
    instances.mkdir()
    for name in names:
        if "/" in name or name.startswith("."):
            continue
        with suppress(OSError, ValueError):
            (instances / name).write_text(str(len(made)))
            made.append(name)
    return made, instances


def store_named(name: str, folder: Path) -> Path | None:
    """A store called so; None where the file system has no such name."""
    path = Path(folder, f"{name}.sqlite")
    with suppress(OSError, ValueError):
        path.touch()
        path.unlink()
        return path if path.parent == folder else None
    return None


def check_unwritable(name: str, folder: Path) -> None:
    """A store that cannot be called so is an error of the package, in words."""
    for command in ("compare", "verify", "status", "race"):
        done = CliRunner().invoke(command_line, [command, "--", os.path.join(folder, f"{name}.sqlite")])
        assert done.exit_code == 2, (command, done.exit_code, done.output[-300:])
        assert "internal error" not in done.output, (command, done.output[-300:])
    try:
        bo.run(experiment(["a", "b"], ["p"], "m"), os.path.join(folder, f"{name}.sqlite"))
    except BakeoffError:
        return
    assert os.path.exists(os.path.join(folder, f"{name}.sqlite")), "runs are kept nowhere"


def random_name(chance: random.Random) -> str:
    return "".join(chance.choice(ALPHABET) for _ in range(chance.choice((1, 2, 3, 8, 40))))


def told_apart(names: Sequence[str]) -> list[str]:
    """Those that look like none before them: others are refused."""
    kept: list[str] = []
    for name in dict.fromkeys(names):
        with suppress(BakeoffError):
            refuse_lookalikes("names", [*kept, name])
            kept.append(name)
    return kept


def main(wanted: int, seed: int = 0, formats: Sequence[str] = FORMATS + PICTURES) -> str:
    started, done = time.monotonic(), 0
    chance = random.Random(seed)
    good = [name for name in NAMES if accepted(name)]
    for name in NAMES:
        with tempfile.TemporaryDirectory() as folder:
            if not accepted(name):
                check_refused(name, Path(folder))
            if store_named(name, Path(folder)) is None:
                check_unwritable(name, Path(folder))
    rounds = [good[i : i + 8] for i in range(0, len(good), 8)]
    while done < wanted:
        names = rounds[done] if done < len(rounds) else chance.sample(good, 5)
        if done >= len(rounds):
            names = told_apart([*names, *filter(accepted, (random_name(chance) for _ in range(3)))])
        metric = next(name for name in (*names[done % len(names) :], "m") if len(name) <= 200 and name != "seconds")
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            store = next(filter(None, (store_named(name, folder) for name in names[::-1])), folder / "s.sqlite")
            problems, files = names, None
            if done % 2:
                problems, files = with_files(names, folder)
            if len(problems) < 2:
                problems, files = names, None
            try:
                disturbed(names, problems, metric, store, files, formats)
            except Exception as error:
                what = f"experiment {done} of seed {seed}: {type(error).__name__}: {str(error)[:1000]}"
                raise AssertionError(f"{what}; the names: {[name[:40] for name in names]!a}") from error
        done += 1
    took = time.monotonic() - started
    return f"{done} experiments and races, {took:.1f} s: no run lost, changed, duplicated or mixed"


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:3] or ["200"])))
