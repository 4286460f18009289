"""What all reports are put together from: cautions, methods, references, provenance, long tables in two."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from bakeoff import numerals
from bakeoff.errors import Caution
from bakeoff.report.document import Block, Code, Paragraph, Points, Section, Table, Text
from bakeoff.report.methods import versions
from bakeoff.report.references import bibtex, find
from bakeoff.scores import Scores

WHOLE = 40  # rows; a longer table of pairs is split into the decided ones and the rest, which is folded
MOST_NAMED = 5  # algorithms; of more, a sentence says how many

Item = TypeVar("Item")


def present(sections: Iterable[Section | None]) -> tuple[Section, ...]:
    """The sections that there are."""
    return tuple(section for section in sections if section is not None)


def sizes(s: Scores) -> str:
    """The title of a report on scores."""
    return f"{numerals.count(s.n_algorithms, 'algorithm')} on {numerals.count(s.n_problems, 'problem')}"


def of_others(found: Sequence[str], m: int) -> str:
    """Names out of ``m`` others, while they are few enough to read; else how many."""
    if len(found) == m:
        return f"each of the {m} other algorithms"
    if len(found) > MOST_NAMED:
        return f"{len(found)} of the {m} other algorithms"
    return f"{numerals.names(list(found))} ({len(found)} of {m})"


def one_block(key: str, title: str, block: Block | None) -> Section | None:
    """A section of one block, if there is one."""
    return None if block is None else Section(key=key, title=title, blocks=(block,))


def points(key: str, title: str, items: Iterable[tuple[str, str]]) -> Section:
    """A section that is a list of terms and sentences."""
    return Section(key=key, title=title, blocks=(Points(tuple((term, text, "") for term, text in items)),))


def cautions_section(cautions: Sequence[Caution], title: str = "Read this before quoting") -> Section | None:
    """What a reader must know; None if there is nothing."""
    if not cautions:
        return None
    items = tuple((caution.code, numerals.plain(caution.text), caution.reference) for caution in cautions)
    return Section(key="cautions", title=title, blocks=(Points(items),))


def methods_section(text: Text) -> Section:
    """The paragraph for a paper."""
    return Section(key="methods", title="Methods, ready to paste", blocks=(Paragraph(text),))


def references_section(keys: Sequence[str]) -> Section:
    """Whom to cite, to read and to copy."""
    listed = sorted((find(key) for key in keys), key=lambda work: (work.surnames, work.fields["year"]))
    blocks = (
        Points(tuple(("", work.text(), "") for work in listed)),
        Code(bibtex(keys, versions()["bakeoff"]), "bibtex"),
    )
    return Section(key="references", title="References", blocks=blocks)


def provenance_section(
    s: Scores | None = None, command: str | None = None, more: Iterable[tuple[str, str]] = ()
) -> Section:
    """What computed it, from what, and on which command."""
    items = [("versions", ", ".join(f"{name} {version}" for name, version in versions().items()))]
    if s is not None:
        items.append(("input SHA-256", s.source_sha256))
    items += more
    if command:
        items.append(("command", numerals.plain(command)))
    if s is not None and s.dropped:
        items.append(("problems left out", _all(s.dropped)))
    if s is not None and s.filled:
        items.append(("cells counted as worst", _all([f"{problem} / {algorithm}" for problem, algorithm in s.filled])))
    return points("provenance", "Provenance", items)


def _all(names: Sequence[str], limit: int = 100) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(map(numerals.plain, itertools.islice(names, limit))) + more


def in_two(
    rows: Sequence[Item],
    decided: Callable[[Item], bool],
    table: Callable[[Sequence[Item], str, str, bool], Table],
    whole: str,
    titles: Callable[[int, bool], str],
) -> list[Table]:
    """One table of pairs; a long one as the decided ones and then the rest.

    ``table`` makes one of rows, key, caption and whether it is folded; ``titles`` captions a part by its size and
    whether it is the decided one.
    """
    if len(rows) <= WHOLE:
        return [table(rows, "pairs", whole, False)]
    first, rest = [row for row in rows if decided(row)], [row for row in rows if not decided(row)]
    tables = []
    if first:
        tables.append(table(first, "pairs", titles(len(first), True), len(first) > 2 * WHOLE))
    if rest:
        tables.append(table(rest, "pairs-rest" if first else "pairs", titles(len(rest), False), True))
    return tables
