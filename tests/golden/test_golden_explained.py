"""Changes between two revisions are explained by items, or not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from golden.explained import ITEMS, WHERE, Changes, Item, at, changes

LINES = Item(name="line breaks", words=[(r"\s+", " ")])
KINDS = Item(name="kinds", folders={"timing": "time"}, words=[("bakeoff.timing/", "bakeoff.time/")])
GONE = Item(name="gone", gone=["ranked/*"], new=["fresh/*"])
OLD = {
    "timing/plain.json": '{"schema": "bakeoff.timing/1", "p": 0.25, "resamples": 99}\n',
    "timing/plain.svg": "<svg/>\n",
    "ranked/plain.md": "One.\n",
    "compare/plain.80.txt": "A is better\nthan B.\n",
    "style.css": "b {}\n",
}
NEW = {
    "time/plain.json": '{"schema": "bakeoff.time/1", "p": 0.25, "resamples": 99}\n',
    "time/plain.svg": "<svg/>\n",
    "fresh/plain.md": "Two.\n",
    "compare/plain.80.txt": "A is better than B.\n",
    "style.css": "b {}\n",
}


def committed(folder: Path, files: dict[str, str]) -> str:
    """The revision with these files as the golden files."""
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.autocrlf=false"]
    subprocess.run([*git, "init", "-q"], cwd=folder, check=True)
    for path in (folder / WHERE).rglob("*.*"):
        path.unlink()
    for name, text in files.items():
        (folder / WHERE / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / WHERE / name).write_bytes(text.encode())
    subprocess.run([*git, "add", "-A"], cwd=folder, check=True)
    subprocess.run([*git, "commit", "-q", "-m", "x"], cwd=folder, check=True)
    return (
        subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True)
        .stdout.decode()
        .strip()
    )


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_two_revisions_are_compared(tmp_path: Path) -> None:
    first, second = committed(tmp_path, OLD), committed(tmp_path, NEW)
    result = changes(at(first, tmp_path), at(second, tmp_path), [KINDS, GONE, LINES])
    assert result.in_order
    assert str(result).splitlines() == [
        "kinds (2): time/plain (json, svg)",
        "gone (2): fresh/plain (md), ranked/plain (md)",
        "line breaks (1): compare/plain (80.txt)",
        "no number of JSON differs",
    ]


def compared(items: list[Item], **files: str) -> Changes:
    new = {**NEW, **{f"{name.replace('_', '/')}.json": text for name, text in files.items()}}
    return changes(OLD, new, items)


def test_a_change_without_an_item_is_shown() -> None:
    result = compared([KINDS, GONE])
    assert not result.in_order
    assert list(result.unexplained) == ["compare/plain.80.txt"]
    assert "+A is better than B." in str(result)


@pytest.mark.parametrize("items", [[KINDS, LINES], [GONE, LINES]])
def test_files_come_and_go_by_an_item_alone(items: list[Item]) -> None:
    assert not compared(items).in_order


@pytest.mark.parametrize(("number", "differs"), [("0.5", True), ("0.25", False), ("0.250", False), ('1, "q": 2', True)])
def test_numbers_of_json_have_to_be_the_same(number: str, differs: bool) -> None:
    anything = Item(name="anything", words=[(r"(?s).+", "")])
    text = NEW["time/plain.json"].replace("0.25", number).replace("resamples", "n_resamples")
    result = compared([KINDS, GONE, anything], time_plain=text)
    assert (result.numbers == ["time/plain.json"]) is differs
    assert not result.unexplained


def test_a_caution_has_an_object_in_every_format() -> None:
    rest = '"text": "A \\"b\\".", "reference": "", "severity": "note"'
    old = {"a/b.json": f'{{"code": "few-units", {rest}}}', "a/b.md": "few-units"}
    new = {"a/b.json": f'{{"code": "too-few", {rest}, "object": "units"}}', "a/b.md": "too-few\n(units)"}
    result = changes(old, new, ITEMS)
    assert result.in_order
    assert [item for item, names in result.explained.items() if names] == ["object of a caution"]
    assert not changes(old, {**new, "a/b.md": "too-few (clusters)"}, ITEMS).in_order
