"""Each promise that a page or a report prints is shown by a theorem, an enumeration, or a row of the record."""

from __future__ import annotations

import re
import tomllib
from inspect import cleandoc
from pathlib import Path
from typing import Any

import pytest

from repository.printed import METHODS, candidates, sentences, sentences_of_docstring
from repository.shown import complaint


def register(kind: str) -> list[dict[str, Any]]:
    files = sorted((Path(__file__).parent / "promises").glob("*.toml"))
    return [entry for file in files for entry in tomllib.loads(file.read_text(encoding="utf-8")).get(kind, [])]


PROMISES, OTHERS = register("promise"), register("other")
PAGES = [path.stem for path in sorted(METHODS.glob("*.md")) if path.read_text(encoding="utf-8").startswith("---")]


@pytest.mark.parametrize("page", PAGES)
def test_what_a_procedure_controls_is_shown(page: str) -> None:
    """The field ``shown`` at the top of its page."""
    found = re.search(r'^shown: "(.+)"$', (METHODS / f"{page}.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert found, f"{page}.md does not say what shows that it controls what it says"
    assert not [text for text in map(complaint, found[1].split("; ")) if text]


@pytest.mark.parametrize("promise", PROMISES, ids=lambda one: one["words"][0][:40])
def test_a_registered_promise_stands_where_it_is_said_to_and_is_shown(promise: dict[str, Any]) -> None:
    printed = {where: sentences(where) for where in promise["where"]}
    for words in promise["words"]:
        assert any(words in one for texts in printed.values() for one in texts), f"nobody prints {words!r} any more"
    for where, texts in printed.items():
        assert any(words in one for words in promise["words"] for one in texts), f"{where} prints none of these"
    assert promise["data"], "names its data"
    assert promise["shown"], "by something"
    assert not [text for text in map(complaint, promise["shown"]) if text]


def explained(where: str, sentence: str, entry: dict[str, Any]) -> bool:
    """By its file, or by its words: all of the sentence where ``exact``."""
    files = entry.get("where", [""])
    inside = any(where.startswith(file) if file.endswith("/") or not file else where == file for file in files)
    if "words" not in entry:
        return inside
    return inside and any(words == sentence if entry.get("exact") else words in sentence for words in entry["words"])


def test_no_sentence_promises_anything_unregistered() -> None:
    missing = []
    for where, sentence in candidates():
        registered = any(where in one["where"] and any(w in sentence for w in one["words"]) for one in PROMISES)
        if not registered and not any(explained(where, sentence, entry) for entry in OTHERS):
            missing.append(f"{where}: {sentence}")
    assert not missing, (
        "register these in promises/*.toml, or say in none.toml why they promise nothing:\n" + "\n".join(missing)
    )


def test_sentences_of_docstrings_are_those_of_parameters_and_notes_and_no_example() -> None:
    text = """One line.

    Parameters
    ----------
    alpha : float
        The family-wise level.
    level, power : float
        Confidence. Another sentence.

    Examples
    --------
    >>> holds()
    """
    assert sentences_of_docstring(cleandoc(text)) == [
        "One line.",
        "The family-wise level.",
        "Confidence.",
        "Another sentence.",
    ]
    assert any(
        "with confidence 1 − alpha" in one
        for one in sentences("src/bakeoff/wings/boards/leaderboard/statistics/_leaderboard.py")
    )


def test_exceptions_are_needed() -> None:
    """One that explains no sentence is to be deleted."""
    said = list(candidates())
    for entry in OTHERS:
        assert entry["reason"]
        for words in entry.get("words", [""]):
            one = {**entry, "words": [words]} if words else entry
            assert any(explained(where, sentence, one) for where, sentence in said), f"no sentence with {words!r}"
