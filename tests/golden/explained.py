"""What has changed in tests/golden/files since a revision, by reason.

An item is a reason for which files may differ: words that stand for one another, folders that were renamed, files that
are gone or new. A change is explained if the two texts are equal once every item has replaced its words in both; it is
listed below each item whose words differ. JSON must have the same numbers, whatever its keys are called. Items that
no revision needs any longer can be deleted.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from bakeoff.cautions import explanations, former
from golden.changes import full_diff, listed
from golden.comparing import recorded

ROOT = Path(__file__).parents[2]
WHERE = "tests/golden/files"


@dataclass(frozen=True, kw_only=True)
class Item:
    """What may differ: ``words`` of ``files``, as patterns with replacements; ``folders``, former with present."""

    name: str
    words: Sequence[tuple[str, str]] = ()
    files: str = "*"
    folders: Mapping[str, str] = field(default_factory=dict)
    gone: Sequence[str] = ()
    new: Sequence[str] = ()


def caution_names() -> Iterator[tuple[str, str]]:
    """A pattern for each family of former and present names of a caution, and one of them."""
    pairs = [{code, name} for code, names in former().items() for name in names]
    renamed = {name for pair in pairs for name in pair}
    pairs += [{entry.code, name} for name, entry in explanations().items() if name not in renamed]
    families: list[set[str]] = []
    for pair in pairs:
        joined = [family for family in families if family & pair]
        families = [family for family in families if family not in joined] + [pair.union(*joined)]
    for family in families:
        names = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in sorted(family, key=len, reverse=True))
        yield rf"(?<![\w-])(?:{names})(?![\w-])", min(family)


RENAMED = {
    "comparison": "compare",
    "evaluation": "evaluate",
    "known-truth": "study-known-truth",
    "plackett-luce": "bayes-plackett-luce",
    "power": "study-power",
    "timing": "time",
}
_CODE = r'"code": "([^"]*)"((?:,\s*"(?:text|reference|severity)": "(?:[^"\\]|\\.)*")*),\s*"object": '
_SMALLEST = r"A\s+line:\s+the\s+upper\s+is\s+better\.\s+Beside\s+it:[^.]*\."
ITEMS = [
    Item(
        name="list in place of the drawn graph",
        words=[
            (r"(?s)<svg .*?</svg>|\\begin\{tikzpicture\}.*?\\end\{tikzpicture\}", "drawing"),
            (rf"asked for\)\.\s+{_SMALLEST}", "requested)."),
        ],
        files="bayes/*",
    ),
    Item(
        name="object of a caution",
        words=[(rf'{_CODE}""', r'"code": "\1"\2'), (rf'{_CODE}"([^"]+)"', r'"code": "\1 (\3)"\2'), *caution_names()],
    ),
    Item(name="n_resamples", words=[(r'"resamples":', '"n_resamples":')]),
    Item(name="look", words=[(r"\(--width\)|\(--look\s+width=N\)", "(--look width=N)")]),
    Item(
        name="kind = schema",
        words=[
            (r'"bakeoff\.interquartile-mean/', '"bakeoff.iqm/'),
            (r'"bakeoff\.study\.', '"bakeoff.study-'),
            *((rf'(?<="bakeoff\.){old}(?=/)|(?<=[\[ ]){old}(?=/[\w-]+\.\w+\])', now) for old, now in RENAMED.items()),
        ],
        folders=RENAMED,
    ),
    Item(name="several results in one report", gone=["examined/*", "ranked/*"]),
    Item(name="line breaks", words=[(r"(?:\s|(?<=\n)% )+", " ")]),
]


@dataclass(frozen=True)
class Changes:
    """Names of files by item, the texts before and after where no item explains them, and JSON with other numbers."""

    explained: dict[str, list[str]]
    unexplained: dict[str, tuple[str, str]]
    numbers: list[str]

    @property
    def in_order(self) -> bool:
        return not self.unexplained and not self.numbers

    def __str__(self) -> str:
        groups = {**self.explained, "NO ITEM": [*self.unexplained], "OTHER NUMBERS": self.numbers}
        lines = [listed(f"{group} ({len(names)})", names, len(names)) for group, names in groups.items() if names]
        lines += [] if self.numbers else ["no number of JSON differs"]
        return "\n".join([*lines, full_diff(self.unexplained)]).rstrip()


def changes_since(revision: str) -> Changes:
    """Those from the revision to the working tree."""
    return changes(at(revision), recorded(), ITEMS)


def at(revision: str, root: Path = ROOT) -> dict[str, str]:
    """The golden files of a revision, by name."""
    packed = subprocess.run(["git", "archive", revision, WHERE], cwd=root, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        files = {entry.name.removeprefix(f"{WHERE}/"): archive.extractfile(entry) for entry in archive}
        return {name: file.read().decode() for name, file in files.items() if file}


def changes(old: Mapping[str, str], new: Mapping[str, str], items: Sequence[Item]) -> Changes:
    """Those between two sets of files."""
    result = Changes({item.name: [] for item in items}, {}, [])
    former_names = {_renamed(name, items): name for name in old}
    for name in sorted({*former_names, *new}):
        former_name = former_names.get(name, name)
        before, after = old.get(former_name), new.get(name)
        if (former_name, before) == (name, after):
            continue
        reasons = [item.name for item in items if former_name != name and _folder(former_name) in item.folders]
        if before is None or after is None:
            globs = {item.name: item.new if before is None else item.gone for item in items}
            reasons = [item for item in globs if any(fnmatch(name, glob) for glob in globs[item])]
            is_explained = bool(reasons)
        else:
            words, is_explained = _compared(name, before, after, items)
            reasons += words
            if name.endswith(".json") and sorted(_numbers(json.loads(before))) != sorted(_numbers(json.loads(after))):
                result.numbers.append(name)
        for reason in dict.fromkeys(reasons):
            result.explained[reason].append(name)
        if not is_explained:
            result.unexplained[name] = before or "", after or ""
    return result


def _folder(name: str) -> str:
    return name.partition("/")[0]


def _renamed(name: str, items: Sequence[Item]) -> str:
    folders = {former: now for item in items for former, now in item.folders.items()}
    return folders.get(_folder(name), _folder(name)) + name[len(_folder(name)) :]


def _compared(name: str, old: str, new: str, items: Sequence[Item]) -> tuple[list[str], bool]:
    """The items whose words differ, and whether nothing else does."""
    reasons = []
    for item in items:
        if old == new or not fnmatch(name, item.files):
            continue
        for pattern, replacement in item.words:
            matches = [[match[0] for match in re.finditer(pattern, text)] for text in (old, new)]
            if matches[0] != matches[1]:
                old, new = re.sub(pattern, replacement, old), re.sub(pattern, replacement, new)
                reasons.append(item.name)
    return reasons, old == new


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value
