"""Files of other programs that are damaged: an error of bakeoff, never another. Every format, every file of it."""

import copy
import gzip
import json
import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ReadingError
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.formats import recognised
from bakeoff.wings.formats.measurements import read_measurements
from bakeoff.wings.formats.source_file import SourceFile

FILES = Path(__file__).parents[1] / "oracles" / "data" / "formats"
EVERY = sorted(path for path in FILES.rglob("*") if path.is_file())
FORMAT_OF = {path: found.name for path in EVERY if (found := recognised(SourceFile(str(path))))}
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    1e308,
    "",
    "NaN",
    "\ud800",
    [],
    {},
    [[]],
    {"x": []},
    [None],
    float("nan"),
)
CHANGES = 12
"""Of each file; more were tried while this was written."""


def read(path: Path, name: str) -> None:
    """A table, or an error of bakeoff's own with a message that fits on a screen."""
    try:
        read_measurements(path, name)
    except BakeoffError as error:
        assert 10 < len(str(error)) < 2000  # noqa: PT017


@pytest.fixture
def victim(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A copy, with what lies beside the file."""
    path: Path = request.param
    if path.parent == FILES:
        shutil.copy(path, tmp_path)
        return tmp_path / path.name
    top = FILES / path.relative_to(FILES).parts[0]
    shutil.copytree(top, tmp_path / top.name)
    return tmp_path / path.relative_to(FILES)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every entry of a JSON document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value[:3]) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*at, key)
        yield from places(each, (*at, key))


def damaged(document: Any, rng: random.Random, count: int) -> Iterator[Any]:
    """The document with an entry left out, or replaced by something of another kind."""
    paths = list(places(document))
    for *above, last in rng.sample(paths, min(count, len(paths))):
        changed = copy.deepcopy(document)
        inner = changed
        for key in above:
            inner = inner[key]
        if rng.random() < 0.4:
            del inner[last]
        else:
            inner[last] = rng.choice(HOSTILE)
        yield changed
    yield from (None, 3, "x", [], [[]], [document], {}, {"results": document})


def json_lines(text: str) -> tuple[list[Any], str] | None:
    """The document, or the first lines of one document each, and how to write them."""
    try:
        return [json.loads(text)], ""
    except ValueError:
        try:
            return [json.loads(line) for line in text.splitlines()[:3]], "\n"
        except ValueError:
            return None


@pytest.mark.few(8)
@pytest.mark.parametrize("victim", FORMAT_OF, ids=lambda path: path.relative_to(FILES).as_posix(), indirect=True)
def test_damage(victim: Path, request: pytest.FixtureRequest) -> None:
    name = FORMAT_OF[request.node.callspec.params["victim"]]
    rng = random.Random(str(victim.name))
    whole = victim.read_bytes()
    for end in (0, 1, len(whole) // 3, len(whole) - 2):
        victim.write_bytes(whole[:end])
        read(victim, name)
    for _ in range(3):
        at = rng.randrange(len(whole))
        victim.write_bytes(whole[:at] + rng.choice([b"\xff\xfe", b"\x00", b"]", b'"', b",", b"\n"]) + whole[at + 1 :])
        read(victim, name)
    victim.write_bytes(gzip.compress(whole)[:-9])
    read(victim, name)
    text = whole.decode("utf-8", "ignore")
    if found := json_lines(text):
        documents, end_of_line = found
        for changed in damaged(documents[0], rng, CHANGES):
            victim.write_text(end_of_line.join(map(json.dumps, [changed, *documents[1:]])))
            read(victim, name)
        victim.write_text("[" * 100_000)
        read(victim, name)
    elif "\x00" not in text:
        lines = text.splitlines()
        for i in rng.sample(range(len(lines)), min(CHANGES, len(lines))):
            for line in ("", lines[i][: len(lines[i]) // 2], lines[i].replace(",", ";"), f"{lines[i]},x y,\ufeff=1"):
                victim.write_text("\n".join([*lines[:i], line, *lines[i + 1 :]]))
                read(victim, name)


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_of_another_kind_under_the_name_of_a_format(name: str, tmp_path: Path) -> None:
    for content in (b"", b"hello\n", b"\xff\xfe\x00", b"\x1f\x8b\x08", b"{}", b"[]", b"null", b"a,b\n1,2\n"):
        (tmp_path / "x.json").write_bytes(content)
        try:
            rows = read_measurements(tmp_path / "x.json", name)
        except BakeoffError:
            continue
        assert name == "rliable"  # a matrix of words that mean a missing score
        assert np.isnan(rows.score).all()
    with pytest.raises(BakeoffError):
        read_measurements([], name)


def test_beside_results_other_files_are_ignored(tmp_path: Path) -> None:
    shutil.copy(FILES / "hyperfine.json", tmp_path / "run.json")
    (tmp_path / "README.md").write_text("# results")
    (tmp_path / "plot.png").write_bytes(b"\x89PNG\x00\xff")
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8b\x08\x00")
    assert bo.read_results(tmp_path).problems == ("command",)


def test_files_beside_the_results_are_no_processes(tmp_path: Path) -> None:
    """Nor are pipes, which would wait for ever, and links to nowhere; those called as results are refused by name."""
    (tmp_path / "a.md").write_text("notes")
    os.mkfifo(tmp_path / "b.pipe")
    (tmp_path / "c.lock").symlink_to(tmp_path / "gone")
    for name in ("d.txt", "e.txt"):
        shutil.copy(FILES / "go_bench.txt", tmp_path / name)
    rows = read_measurements({"old": str(tmp_path)})
    assert rows.not_taken == ["a.md", "b.pipe", "c.lock"]
    assert rows.runs.names == ["1.0", "1.1", "1.2", "2.0", "2.1", "2.2"]
    (tmp_path / "e.txt").unlink()
    assert read_measurements({"old": str(tmp_path)}).runs.names == ["0", "1", "2"]


def test_a_folder_of_nothing_and_of_several_formats(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="is a folder without files"):
        read_measurements(tmp_path)
    shutil.copy(FILES / "hyperfine.json", tmp_path)
    shutil.copy(FILES / "go_bench.txt", tmp_path)
    with pytest.raises(ReadingError, match=r"hyperfine\.json is of hyperfine, .*go_bench\.txt is of go"):
        read_measurements(tmp_path)
    assert read_measurements(tmp_path, "go").metric == "time"


def test_a_record_in_place_of_a_name_is_refused(tmp_path: Path) -> None:
    machine = {"cpu": "X", "cpus": 2, "system": "Linux"}
    lines = [
        {"schema": "bakeoff.time/1", "problem": "p", "machine": machine, "version": "1"},
        {"problem": "p", "round": 0, "runs": [{"algorithm": {"a": 1}, "seconds": 1.0, "status": "ok"}]},
    ]
    path = tmp_path / "t.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with pytest.raises(ReadingError, match="names must be text"):
        read_measurements(path)
