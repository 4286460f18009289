"""In how many hand-written files outside its folder does an analysis stand? A new one has to be entered in each.

``python tests/repository/test_named_elsewhere.py tradeoff`` lists them.

Counted is every file of the package (but texts of cautions) and of the build that names it, and every other file that
*lists* analyses: that names at least half of them. Not counted are what scripts write or record, the change log, the
public stub, pages and tests about the analysis itself, and files that mention a few analyses for reasons of their own,
as the page on margins does: nothing has to be written there for a new one.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from bakeoff.analyses import all_analyses, folder_of
from bakeoff.analysis import Analysis

ROOT = Path(__file__).parents[2]
MOST = 12  # the header of its wing, a view on the local page, the tree of CONTRIBUTING, the doors of tests/units
LISTS = 0.5  # share of the analyses that a list names
PACKAGE = ("src/", "pyproject.toml", "Makefile", "conda/")
STUB = "src/bakeoff/__init__.pyi"
NOT_EDITED = re.compile(
    r"^(CHANGELOG\.md|llms\.txt|man/|src/bakeoff/(wings/\w+/)?(schemas|cautions)/|tests/golden/|docs/figures/|docs/gallery/"
    r"|docs/methods/(index|bibliography)\.md|docs/reference/schemas\.md|docs/understand/cautions\.md"
    r"|docs/trust/(calibration|units|power|racing|reproduction|bayes-regions)\.(md|json)"
    r"|src/bakeoff/cli/synonyms\.toml|tests/contract/search_words\.toml)"
)
"""What ``docs/generate`` writes, what ``make golden`` records (more variants are a choice), the log, and words that
readers type: a new page is found by its title."""


def names(record: Analysis) -> set[str]:
    """Of its command, kind and function."""
    return {record.command, record.command.replace("-", "_"), record.kind, record.function.rpartition(".")[2]} - {""}


def pattern(record: Analysis) -> re.Pattern[str]:
    """Its names as words of code: quoted, in a call, in a path or behind ``bakeoff``; "time" alone is a word."""
    words = "|".join(map(re.escape, sorted(names(record))))
    return re.compile(rf"(?:bo\.|bakeoff |[\"'`./])(?:{words})(?![\w-])")


@cache
def texts() -> dict[str, str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    files = [
        name for name in listed.stdout.decode().split("\0") if re.search(r"\.(py|pyi|toml|md|yml|tcl)$|Makefile$", name)
    ]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in files if not NOT_EDITED.match(name)}


def commands() -> list[Analysis]:
    return [record for record in all_analyses() if record.command]


def elsewhere(record: Analysis) -> Iterator[str]:
    """The files."""
    own = {f"{name}.md" for name in names(record)} | {f"{name.replace('_', '-')}.md" for name in names(record)}
    folder = f"src/bakeoff/{folder_of(record.command).replace('.', '/')}/"
    for file, text in texts().items():
        about_itself = Path(file).name in own or file.startswith((folder, f"tests/unit/{folder[12:]}"))
        if (
            file in (STUB, "tests/repository/test_named_elsewhere.py")
            or about_itself
            or not pattern(record).search(text)
        ):
            continue
        named = sum(pattern(other).search(text) is not None for other in commands())
        if file.startswith(PACKAGE) or named >= LISTS * len(commands()):
            yield file


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="the list of files is git's")
@pytest.mark.parametrize("command", ["tradeoff", "iqm"])
def test_an_analysis_is_entered_in_few_files(command: str) -> None:
    (record,) = (record for record in commands() if record.command == command)
    assert len(found := list(elsewhere(record))) <= MOST, "\n".join(found)


if __name__ == "__main__":
    for one in commands():
        if one.command in sys.argv[1:]:
            sys.stdout.write("".join(f"{file}\n" for file in elsewhere(one)))
