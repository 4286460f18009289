"""Small files as tools, archives and papers write them, each with its right reading: ``public_files.toml``.

An entry is read at once (``reading``), or refused (``refused``: what the message says) with a way out (``then``: what
it offers) and the reading that results. ``python tests/reading/test_public_files.py`` prints how each fares; with
names or kinds, what each message says; with ``--write``, it renews ``not_yet.txt``, the entries not right yet.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
from contract.reading_cases import PROGRAMS

HERE = Path(__file__).parent
NOT_YET = HERE / "not_yet.txt"
NEEDS = {"parquet": ("pandas", "pyarrow"), "xlsx": ("pandas", "openpyxl"), "json": ("pandas",), "jsonl": ("pandas",)}
KINDS = (
    "as-it-is", "truth", "description", "row-number", "models-in-rows", "average", "two-scores", "status", "budget",
    "signed", "statistic", "cells", "part-of-algorithm", "fold", "runs-in-runs", "way-out", "folder", "direction",
    "battles", "advice", "first-refusal", "recognition",
)  # fmt: skip
FACTS = {
    "algorithms",
    "problems",
    "runs",
    "score",
    "better",
    "left_out",
    "values",
    "failed",
    "wins",
    "cautions",
    "silent",
}
KEYS = {"name", "kind", "source", "command", "arguments", "write", "files", "refused", "then", "at_once", "never",
        "reading", "open", "repeat", "last"}  # fmt: skip
RIGHT, WAY_OUT, SILENT, REFUSED, WRONG, CRASHED = FARES = (
    "right", "refused with a way out", "read, not said", "refused", "WRONG", "CRASHED")  # fmt: skip
_OPTION = r"--(?!help|json|report|details)[a-z][a-z-]+(?:[ =](?:'[^']*'|\"[^\"]*\"|[^\s'\"();-][^\s'\"();]*))?"
OFFER = re.compile(rf"{_OPTION}(?: {_OPTION})*")


@cache
def entries() -> dict[str, dict[str, Any]]:
    """By name, and by name and suffix where one table is written to several sources."""
    found = tomllib.loads((HERE / "public_files.toml").read_text(encoding="utf-8"))["file"]
    cases = {}
    for entry in found:
        for suffix in entry.get("write", [""]):
            name = f"{entry['name']}.{suffix}" if suffix else entry["name"]
            assert name not in cases, name
            cases[name] = {**entry, "suffix": suffix}
    return cases


def put(entry: Mapping[str, Any], folder: Path) -> None:
    """The files of an entry, in a folder."""
    for name, text in entry["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if "repeat" in entry:  # the rows again and again, and a last line
            head, _, rows = text.partition("\n")
            text = f"{head}\n{rows * entry['repeat']}{entry.get('last', '')}"
        if entry["suffix"] in ("", "csv") or path.suffix != ".csv":
            path.write_text(text, encoding="utf-8")
        else:
            _write(text, path, entry["suffix"])


def _write(text: str, path: Path, suffix: str) -> None:
    """A table of text as a data frame writes it elsewhere."""
    import pandas as pd

    frame = pd.read_csv(io.StringIO(text))
    target = path.with_suffix(f".{suffix}")
    if suffix == "parquet":
        frame.to_parquet(target)
    elif suffix == "xlsx":
        frame.to_excel(target, index=False)
    elif suffix == "json":
        frame.to_json(target, orient="records")
    else:
        frame.to_json(target, orient="records", lines=True)


def call_of(entry: Mapping[str, Any], then: str = "") -> list[str]:
    """The command line that is given."""
    words = [*shlex.split(entry["arguments"]), *shlex.split(then)]
    if entry["suffix"]:
        words = [re.sub(r"\.csv$", f".{entry['suffix']}", word) for word in words]
    return [entry.get("command", "compare"), *words]


def answered(call: list[str]) -> tuple[dict[str, Any] | None, str]:
    """What is read, None where it is refused; the report, or the message."""
    done = CliRunner().invoke(main, [*call, "--json", "--report", "report.txt"])
    if done.exit_code not in (0, 2):
        raise AssertionError(f"exit code {done.exit_code}: {done.stderr or done.output} {done.exception!r}")
    if done.exit_code == 2:
        said = " ".join(done.stderr.split())
        assert not PROGRAMS.search(said), f"advises a program of the shell: {said}"
        return None, said
    found = json.loads(done.stdout)
    scores = found.get("scores") or found.get("curves") or found["battles"]
    return {**scores, "cautions": found["cautions"]}, " ".join(Path("report.txt").read_text(encoding="utf-8").split())


def differences(reading: Mapping[str, Any], scores: Mapping[str, Any], report: str) -> Iterator[str]:
    """Between the right reading and what was read."""
    problems, algorithms = scores.get("problems", []), scores["algorithms"]
    if sorted(algorithms) != sorted(reading["algorithms"]):
        yield f"algorithms {algorithms}"
    rows = reading.get("problems", 0)
    if len(problems) != rows if isinstance(rows, int) else sorted(problems) != sorted(rows):
        yield f"{len(problems)} problems {problems[:12]}"
    runs = [[1]] if scores.get("runs") is None else [[_n_runs(cell) for cell in row] for row in scores["runs"]]
    if {n for row in runs for n in row} != {reading.get("runs", 1)}:
        yield f"runs {runs[0]}"
    if "score" in reading and reading["score"] not in (scores.get("metric"), scores.get("columns", {}).get("score")):
        yield f"score {scores.get('metric')}"
    if "wins" in reading and reading["wins"] != (found := _wins(scores)):
        yield f"wins {found}"
    if "better" in reading and reading["better"] != scores["better"]:
        yield f"better {scores['better']}"
    _, _, after = report.partition("left out")
    if silent := [name for name in reading.get("left_out", ()) if name not in after]:
        yield f"not said to be left out: {silent}"
    for problem, expected in reading.get("values", {}).items():
        found = scores["values"][problems.index(problem)] if problem in problems else []
        by_name = dict(zip(algorithms, found, strict=False))
        if [by_name.get(name) for name in reading["algorithms"]] != pytest.approx(expected, rel=1e-9):
            yield f"values of {problem}: {found}"
    yield from _of_runs_and_cautions(reading, scores)


def _of_runs_and_cautions(reading: Mapping[str, Any], scores: Mapping[str, Any]) -> Iterator[str]:
    if "failed" in reading:
        cells = [cell for row in scores.get("runs") or scores["values"] for cell in row]
        values = [value for cell in cells for value in (cell if isinstance(cell, list) else [cell])]
        failed = sum(not isinstance(value, int | float) for value in values)
        if failed != reading["failed"]:
            yield f"{failed} failed"
    codes = {f"{each['code']} ({each['object']})" for each in scores["cautions"]} | {
        each["code"] for each in scores["cautions"]
    }
    if lacking := set(reading.get("cautions", ())) - codes:
        yield f"not said: {lacking}"
    if shown := codes & set(reading.get("silent", ())):
        yield f"not said rightly: {shown}"


def _wins(battles: Mapping[str, Any]) -> dict[str, float]:
    wins = dict.fromkeys(battles["algorithms"], 0.0)
    for pair, counts in zip(battles["pairs"], battles["counts"], strict=True):
        for algorithm, count in zip(pair, counts, strict=False):
            wins[battles["algorithms"][algorithm]] += count
    return wins


def _n_runs(cell: Any) -> int:
    return sum(value is not None for value in cell) if isinstance(cell, list) else 1


def outcome(entry: Mapping[str, Any]) -> tuple[str, str]:
    """How an entry fares, and why."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        put(entry, Path(folder))
        try:
            return _outcome(entry)
        except AssertionError as error:
            return CRASHED, str(error)


def _outcome(entry: Mapping[str, Any]) -> tuple[str, str]:
    scores, said = answered(call_of(entry))
    if scores is not None:
        if "refused" in entry and "at_once" not in entry:
            return WRONG, f"read, not refused: {scores['algorithms']}, score {scores.get('metric')}"
        return _judged(entry["reading"], scores, said)
    if harmful := [words for words in entry.get("never", ()) if words in said]:
        return REFUSED, f"offers {harmful}: {said}"
    lacking = [word for word in entry.get("refused", ()) if word.lower() not in said.lower()]
    why = f"does not say {lacking}: {said}" if lacking else said
    if "reading" not in entry:
        return (REFUSED, why) if lacking else (RIGHT, "")
    followed = {offer: _followed(entry, offer) for offer in dict.fromkeys(offered(said))}
    right = [offer for offer, fares in followed.items() if fares[0] in (RIGHT, SILENT)]
    demanded = [offer for offer in followed if _pairs(entry.get("then", "--")) <= _pairs(offer)]
    if "refused" in entry and not lacking and ("at_once" in entry or demanded):
        best = next((offer for offer in demanded or right if offer in right), None)
        if best is not None:
            return followed[best][0], f"{best}: {followed[best][1]}"
        if demanded:
            return followed[demanded[0]][0], f"{demanded[0]}: {followed[demanded[0]][1]} <- {said}"
    return (WAY_OUT, f"{right[0]}: {why}") if right else (REFUSED, why)


def _followed(entry: Mapping[str, Any], then: str) -> tuple[str, str]:
    """How an entry fares with an offer of the message."""
    try:
        scores, said = answered(call_of(entry, then))
    except (ValueError, AssertionError) as error:  # an open quotation; a crash
        return WRONG, str(error)
    return (REFUSED, said) if scores is None else _judged(entry["reading"], scores, said)


def _judged(reading: Mapping[str, Any], scores: Mapping[str, Any], report: str) -> tuple[str, str]:
    found = list(differences(reading, scores, report))
    silent = all(each.startswith("not said") for each in found)
    return RIGHT if not found else SILENT if silent else WRONG, "; ".join(found)


def offered(said: str) -> Iterator[str]:
    """The options that a message names: neighbours together, then each by itself."""
    for match in OFFER.finditer(said):
        yield match[0].rstrip(".,:?")
    for match in re.finditer(_OPTION, said):
        yield match[0].rstrip(".,:?")


def _pairs(options: str) -> set[str]:
    """Each option with its value, without quotation marks."""
    try:
        return set(re.split(r" (?=--)", " ".join(shlex.split(options.replace("=", " ", 1)))))
    except ValueError:
        return set()


def not_yet() -> dict[str, str]:
    """The entries that are not right yet, and how each fares."""
    lines = NOT_YET.read_text(encoding="utf-8").splitlines() if NOT_YET.exists() else []
    return {name: fares for name, _, fares in (line.partition(": ") for line in lines)}


def _marked() -> Iterator[Any]:
    waiting = not_yet()
    for name, entry in entries().items():
        marks = [pytest.mark.needs(package) for package in NEEDS.get(entry["suffix"], ())]
        if name in waiting:
            marks.append(pytest.mark.xfail(reason=waiting[name], strict=True))
        yield pytest.param(name, marks=marks, id=name)


@pytest.mark.parametrize("name", list(_marked()))
def test_a_public_file_is_read_as_it_means(name: str) -> None:
    fares, why = outcome(entries()[name])
    assert fares == RIGHT, f"{fares}: {why}"


def test_entries_are_whole() -> None:
    """Each says whence it is and what is right; the list of those not right yet names no others."""
    for name, entry in entries().items():
        assert set(entry) - {"suffix"} <= KEYS, name
        assert entry["kind"] in KINDS, name
        assert entry["source"], name
        assert "reading" in entry or "refused" in entry, name
        assert ("then" in entry) == ("refused" in entry and "reading" in entry), name
        assert set(entry.get("reading", ())) <= FACTS, name
        assert all(len(text.splitlines()) <= 40 for text in entry["files"].values()), name
    assert set(not_yet()) <= set(entries())


def _table(chosen: list[str]) -> None:
    known = entries()
    names = [name for name, entry in known.items() if not chosen or {name, entry["name"], entry["kind"]} & {*chosen}]
    wide = max(map(len, names))
    fares = {}
    for name in names:
        fares[name], why = outcome(known[name])
        print(f"{name:{wide}}  {known[name]['kind']:18} {fares[name]:22} {why if chosen else why[:150]}")
    counts = Counter(fares.values())
    print("\n" + ", ".join(f"{counts[each]} {each}" for each in FARES))
    readable = [name for name in names if "reading" in known[name]]
    done = sum(fares[name] in (RIGHT, WAY_OUT) for name in readable)
    print(f"read at once or with one option that the refusal named: {done} of {len(readable)}")
    for kind in KINDS:
        own = Counter(fares[name] for name in names if known[name]["kind"] == kind)
        if own:
            print(f"  {kind:18} {own.total():3}:  " + ", ".join(f"{n} {each}" for each, n in own.most_common()))
    if not chosen:
        _keep(fares)


def _keep(fares: Mapping[str, str]) -> None:
    lines = [f"{name}: {how}\n" for name, how in fares.items() if how != RIGHT]
    if "--write" in sys.argv:
        NOT_YET.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    os.environ["BAKEOFF_CACHE"] = os.environ["BAKEOFF_ACCELERATOR"] = "off"
    _table([word for word in sys.argv[1:] if not word.startswith("--")])
