"""What differs between two sets of files, said once: each change of words with the places in which it was found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher, unified_diff

from golden.comparing import settled

MOST, MOST_CASES = 20, 8  # changes in a message, and results that one of them names
SHOWN = 60  # characters on either side of a change
NEIGHBOURS = 3  # words that tell one place from another
READABLE = ("md", "80.txt", "140.txt", "html", "json", "tex", "csv", "svg")
LARGEST = 4_000_000  # pairs of tokens; beyond, lines are compared and not their words

_TOKEN = re.compile(r"\s*\n% |\s+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\w+|[^\w\s]")  # lines of a comment of TeX are one


@dataclass
class Change:
    """``removed`` became ``added``; ``lines`` are the two as one file has them."""

    removed: str
    added: str
    lines: tuple[str, str]
    places: Counter[str] = field(default_factory=Counter)


def differing(expected: Mapping[str, str], actual: Mapping[str, str], exact: bool) -> dict[str, tuple[str, str]]:
    """By name of a file, what was recorded and what is written now; empty where there is no such file."""
    found = {}
    for name in sorted({*expected, *actual}):
        old, new = expected.get(name, ""), actual.get(name, "")
        if old != new and not exact:
            new = settled(old, new)
        if old != new:
            found[name] = old, new
    return found


def full_diff(found: Mapping[str, tuple[str, str]]) -> str:
    """Line by line, file by file."""
    return "".join(
        line if line.endswith("\n") else f"{line}\n"
        for name, (old, new) in found.items()
        for line in unified_diff(old.splitlines(True), new.splitlines(True), f"recorded/{name}", f"written/{name}", n=1)
    )


def summary(found: Mapping[str, tuple[str, str]]) -> str:
    """Each change once, the most frequent first."""
    lines = [listed(f"{len(names)} {what}", names) for what, names in _whole_files(found).items() if names]
    changes = sorted(distinct(found), key=lambda change: -change.places.total())
    for change in changes[:MOST]:
        lines += ["", f"- {change.lines[0]}", f"+ {change.lines[1]}"]
        lines.append(listed(f"  {_count(change.places.total(), 'place')}", list(change.places)))
    if len(changes) > MOST:
        lines += ["", f"… and {len(changes) - MOST} more changes"]
    heading = f"{_count(len(changes), 'change')} in {_count(len(found), 'file')} of tests/golden/files"
    return "\n".join([heading, *lines])


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}" + ("" if n == 1 else "s")


def _whole_files(found: Mapping[str, tuple[str, str]]) -> dict[str, list[str]]:
    return {
        "not recorded": [name for name, (old, _) in found.items() if not old],
        "no longer written": [name for name, (_, new) in found.items() if not new],
    }


def listed(heading: str, names: list[str], most: int = MOST_CASES) -> str:
    """``kind/case (80.txt, md)``: the files of a case together."""
    by_case: dict[str, list[str]] = {}
    for name in names:
        case, _, end = name.partition(".")
        by_case.setdefault(case, []).append(end)
    shown = [f"{case} ({', '.join(ends)})" for case, ends in by_case.items()]
    rest = [f"and {len(shown) - most} more"] if len(shown) > most else []
    return f"{heading}: {', '.join([*shown[:most], *rest])}"


def distinct(found: Mapping[str, tuple[str, str]]) -> list[Change]:
    """The changes inside of files. The same words changed between the same words are one change."""
    changes: list[Change] = []
    known: dict[tuple[str, ...], Change] = {}
    for name in sorted(found, key=_readability):
        old, new = found[name]
        for removed, added, before, after, lines in _changes(old, new) if old and new else ():
            keys = [(removed, added, "after", *before), (removed, added, "before", *after)]
            change = next((known[key] for key in keys if key in known), None)
            if change is None:
                change = Change(removed, added, lines)
                changes.append(change)
            known |= dict.fromkeys(keys, change)
            change.places[name] += 1
    return changes


def _readability(name: str) -> tuple[int, str]:
    end = name.partition(".")[2]
    return (READABLE.index(end) if end in READABLE else len(READABLE)), name


Words = tuple[str, ...]
Found = tuple[str, str, Words, Words, tuple[str, str]]


def _changes(old: str, new: str) -> Iterator[Found]:
    """Removed, added, the words before and after, and the two as they stand in their lines."""
    before, after = old.splitlines(True), new.splitlines(True)
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield from _in_lines("".join(before[i:j]), "".join(after[k:m]))


def _in_lines(old: str, new: str) -> Iterator[Found]:
    sides = _TOKEN.findall(old), _TOKEN.findall(new)
    plain = [[" " if token[0].isspace() else token for token in side] for side in sides]
    if plain[0] == plain[1] or not old or not new or len(sides[0]) * len(sides[1]) > LARGEST:
        yield old, new, (), (), (repr(old[: 2 * SHOWN]), repr(new[: 2 * SHOWN]))
        return
    for i, j, k, m in _regions(*plain):
        lines = _excerpt(plain[0], i, j), _excerpt(plain[1], k, m)
        removed, added = "".join(plain[0][i:j]).strip(), "".join(plain[1][k:m]).strip()
        yield removed, added, _words(plain[0][:i])[-NEIGHBOURS:], _words(plain[0][j:])[:NEIGHBOURS], lines


def _regions(old: list[str], new: list[str]) -> list[tuple[int, int, int, int]]:
    """Where tokens differ; regions with no word between them are one."""
    regions: list[tuple[int, int, int, int]] = []
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        if regions and not _words(old[regions[-1][1] : i]):
            i, k = regions[-1][0], regions.pop()[2]
        regions.append((i, j, k, m))
    return regions


def _words(tokens: list[str]) -> Words:
    return tuple(token for token in tokens if token[0].isalnum())


def _excerpt(tokens: list[str], start: int, end: int) -> str:
    """The change among its neighbours."""
    before, after = "".join(tokens[:start]).lstrip(), "".join(tokens[end:]).rstrip()
    left = before if len(before) <= SHOWN else "…" + before[-SHOWN:]
    right = after if len(after) <= SHOWN else after[:SHOWN] + "…"
    return f"{left}{''.join(tokens[start:end])}{right}"
