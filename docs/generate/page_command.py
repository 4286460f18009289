"""The command line shared by the generators: write the pages, measure their numbers anew, or check them."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bakeoff.cautions import explanations, facts

Files = Callable[[], dict[Path, str]]


def caution_link(name: str, page: str) -> str:
    """The name of a caution, with a link to the heading of docs/understand/cautions.md that explains it."""
    entry = explanations()[name]
    shared = bool(facts()[entry.code].do) or not entry.object
    heading = entry.code if shared else f"{entry.code}-{entry.like or entry.object}"
    return f"[`{name}`]({page}#{heading})"


def run(
    arguments: list[str],
    script: str,
    files: Files,
    measure: Callable[..., None] | None = None,
    check: Callable[[], list[str]] = list,
    sections: Sequence[str] = (),
) -> int:
    """No option: write the files. --measure: first measure the stored numbers. --check: exit 1 unless current.

    With ``sections``, --measure may be followed by names of these, which ``measure`` takes as a list.
    """
    options = ["--check"] if measure is None else ["--measure", "--check"]
    named = arguments[1:] if sections and arguments[:1] == ["--measure"] else []
    if arguments[: len(arguments) - len(named)] not in ([], *([option] for option in options)) or {*named} - {
        *sections
    }:
        sys.stderr.write(f"usage: python {script} [{' | '.join(options)}]\n")
        sys.stderr.write(f"--measure [{' '.join(sections)}]\n" if sections else "")
        return 2
    if arguments == ["--check"]:
        complaints = [*outdated(script, files()), *check()]
        sys.stderr.write("".join(f"{complaint}\n" for complaint in complaints))
        return 1 if complaints else 0
    if arguments and measure is not None:
        measure(*([named] if sections else []))
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
    return 0


def outdated(script: str, files: dict[Path, str]) -> list[str]:
    """Files whose content is not what would be written now."""
    return [
        f"{path.name} is not current: run python {script}"
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def filled(page: Path, parts: Mapping[str, object]) -> str:
    """The text of a page, with what stands between ``<!-- name -->`` and ``<!-- end -->`` replaced.

    Sentences are written in the page; parts are numbers within them, and tables on lines of their own.
    """
    text = page.read_text(encoding="utf-8")
    for name, part in parts.items():
        shown = f"\n{str(part).rstrip()}\n" if "\n" in str(part) else str(part)
        marks = re.compile(rf"(<!-- {re.escape(name)} -->).*?(<!-- end -->)", re.S)
        assert marks.search(text), f"{page.name} has no mark {name!r}"
        text = marks.sub(lambda found, shown=shown: f"{found[1]}{shown}{found[2]}", text)  # type: ignore[misc]
    return text


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: int | None = 1) -> str:
    """Of Markdown; the first ``words`` columns are text, the others numbers on the right. None: all are text."""
    n = len(heads) if words is None else words
    lines = [heads, ["---"] * n + ["---:"] * (len(heads) - n), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
