"""Names that something on the way could take for something else: refused by name, or carried through unchanged."""

from __future__ import annotations

import csv
import os
import re
import sys
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.figures.geometry.metrics import shorten, text_width
from bakeoff.files import HIDDEN, csv_line
from faults import hostile_names
from faults.hostile_names import Solver

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of files are those of Linux")


@pytest.mark.slow
def test_hostile_names_are_carried_through_or_refused() -> None:
    assert hostile_names.main(1, formats=(".html", ".json", ".txt", ".csv")).endswith(
        "lost, changed, duplicated or mixed"
    )


@pytest.mark.exhaustive
def test_many_hostile_names_are_carried_through_or_refused() -> None:
    assert hostile_names.main(7, seed=1).endswith("lost, changed, duplicated or mixed")


def test_a_metric_that_cannot_be_written_is_refused() -> None:
    """A lone surrogate was a UnicodeEncodeError; returned beside the score it would have stopped the export."""
    with pytest.raises(ParameterError, match=r"score: the name '.*' cannot be written in UTF-8"):
        bo.Experiment({"a": Solver(0, "m"), "b": Solver(1, "m")}, {"p": 0}, better="lower", seed=1, score="\ud800")

    def twice(problem: object, rng: object) -> dict[str, float]:
        return {"m": 1.0, "\ud800": 2.0}

    with pytest.raises(bo.BakeoffError, match="cannot be written in UTF-8"):
        bo.run(bo.Experiment([twice, Solver(0, "m").__call__], {"p": 0}, better="lower", seed=1, score="m"))


def test_a_store_that_no_file_can_be_called() -> None:
    """Both were internal errors: a name with a lone surrogate, and one longer than the file system has."""
    experiment = hostile_names.experiment(["a", "b"], ["p"], "m")
    for name in ("x\ud800.sqlite", "x" * 10_000):
        with pytest.raises(ParameterError, match="store: no file can be called") as refused:
            bo.run(experiment, name)
        assert len(str(refused.value)) < 200


def test_a_store_whose_name_is_not_utf_8(tmp_path: Path) -> None:
    """Linux takes any bytes; SQLite was given text that it cannot encode."""
    store = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.sqlite"))
    bo.run(hostile_names.experiment(["a", "b"], ["p"], "m"), store)
    assert bo.run(hostile_names.experiment(["a", "b"], ["p"], "m"), store).n_runs == 4
    assert os.listdir(os.fsencode(tmp_path)) == [b"caf\xe9.sqlite"]


def test_no_two_names_are_exported_alike() -> None:
    """An escaped name, and one that looks escaped; a formula, and one with an apostrophe already."""
    names = [
        *["=1", "'=1", "''=1", "+a", "\t=", "\\x1b", "\\\\x1b", "\\\\\\x1b", "\\u202e", "\\n", "a\\b"],
        "\x1b",
        "\\\x1b",
        "\u202e",
        "\x9b",
    ]
    written = [next(csv.reader([csv_line([name])]))[0] for name in names]
    assert len(set(written)) == len(names)
    assert not [name for name in written if name.startswith(tuple("=+-@\t\r")) or HIDDEN.search(name)]
    assert csv_line(["plain", "C:\\path", "it's", 1.5, None]) == "plain,C:\\path,it's,1.5,\n"


@pytest.mark.slow
def test_long_names_are_shortened_in_no_time() -> None:
    """A name of 10 000 characters took 10 s in each of its places in a diagram."""
    name = "a long name " * 5000
    short = shorten(name, 80.0, 7.0)
    assert text_width(short, 7.0) <= 80.01
    assert short.startswith("a long nam")
    assert short.endswith("name ")
    for limit in (5.0, 20.0, 33.3, 50.0):
        for text in ("Bergmann-Hommel v2", "  spaces  in  it  ", "wwwwiiii…", "xy"):
            assert shorten(text, limit, 7.0) == _slowly(text, limit, 7.0)


def _slowly(text: str, limit: float, size: float) -> str:
    """Every length, from the longest; a text that ends in an ellipsis keeps that one."""
    if text_width(text, size) <= limit + 0.01:
        return text
    whole = text.removesuffix("…")
    cut = whole != text
    for kept in range(len(whole) - (not cut), 1, -1):
        tail = 0 if cut else kept // 2
        candidate = whole[: kept - tail].rstrip() + "…" + whole[len(whole) - tail :].lstrip()
        if text_width(candidate, size) <= limit + 0.01:
            return candidate
    return text[:1] + "…"


def test_the_page_lists_every_script_and_its_command() -> None:
    """docs/how-to/executors.md, "How this is tested": each script that can be started, and none that does not exist."""
    here = Path(__file__).parent
    page = (
        (here.parents[1] / "docs" / "how-to" / "executors.md")
        .read_text(encoding="utf-8")
        .split("## How this is tested")[1]
    )
    started = {
        path.stem for path in here.glob("[!t]*.py") if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    }
    assert set(re.findall(r"python -m faults\.(\w+)", page)) == started
    for path in re.findall(r"tests/faults/[\w./]+", page):
        assert (here.parents[1] / path).exists(), path
