"""From a Comparison to the format-free Document: what a report says, in which order."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from bakeoff import numerals
from bakeoff.comparison import Comparison
from bakeoff.errors import Caution
from bakeoff.report.comparison import sentences, tables
from bakeoff.report.comparison.methods import cited_keys, methods, versions
from bakeoff.report.comparison.pair_tables import corrections, pairs
from bakeoff.report.document import Code, Document, Figure, Paragraph, Points, Section, Table
from bakeoff.report.references import bibtex, find
from bakeoff.scores import Scores

MANY_NAMES = 60  # in the list of groups


def document(comparison: Comparison, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    s = comparison.scores
    sections = [
        Section(key="diagram", title="Diagram", blocks=(Figure(comparison, sentences.basis(comparison)),)),
        cautions_section(comparison.cautions),
        Section(key="ranking", title="Ranking", blocks=(tables.ranking(comparison),)),
        Section(key="pairs", title="Which ones differ, and by how much", blocks=tuple(pairs(comparison))),
        _one_table("corrections", "All corrections", corrections(comparison)),
        _groups(comparison),
        Section(key="omnibus", title="Do the algorithms differ at all?", blocks=(tables.omnibus(comparison),)),
        _steps(comparison),
        _one_table("records", "Problem by problem", tables.records(comparison)),
        _one_table("contrasts", "Contrast estimation", tables.contrasts(comparison)),
        Section(key="methods", title="Methods, ready to paste", blocks=(Paragraph(methods(comparison)),)),
        _choices(comparison),
        references_section(cited_keys(comparison)),
        provenance_section(s, command),
    ]
    return Document(
        title=sizes(s),
        verdict=sentences.verdict(comparison),
        basis=sentences.basis(comparison),
        sections=tuple(section for section in sections if section is not None),
    )


def sizes(s: Scores) -> str:
    """The title of every report."""
    return f"{numerals.count(s.n_algorithms, 'algorithm')} on {numerals.count(s.n_problems, 'problem')}"


def cautions_section(cautions: Sequence[Caution]) -> Section | None:
    """What a reader must know; None if there is nothing."""
    if not cautions:
        return None
    items = tuple((caution.code, numerals.plain(caution.text), caution.reference) for caution in cautions)
    return Section(key="cautions", title="Read this before quoting", blocks=(Points(items),))


def _groups(c: Comparison) -> Section | None:
    """The groups in words, while they are few enough to read."""
    named = [group for group in c.groups if len(group) > 1]
    if not named or sum(map(len, named)) > MANY_NAMES:
        return None  # the letters in the ranking say the same
    letters = dict(zip(c.groups, "abcdefghijklmnopqrstuvwxyz", strict=False))
    items = tuple((letters.get(group, ""), ", ".join(map(numerals.plain, group)), "") for group in named)
    return Section(key="groups", title="Groups not shown to differ", blocks=(Points(items),))


def _steps(c: Comparison) -> Section | None:
    if not c.steps:
        return None
    passed = {True: "passed", False: "not passed", None: ""}
    items = tuple((step.title, numerals.plain(step.outcome), passed[step.passed]) for step in c.steps)
    return Section(key="steps", title=f"The recipe {c.recipe}, step by step", blocks=(Points(items),))


def _one_table(key: str, title: str, table: Table | None) -> Section | None:
    return None if table is None else Section(key=key, title=title, blocks=(table,))


def _choices(c: Comparison) -> Section | None:
    if not c.choices:
        return None
    items = tuple((choice.parameter, f"{choice.value}: {choice.reason}", "") for choice in c.choices)
    return Section(key="choices", title="What was chosen, and why", blocks=(Points(items),))


def references_section(keys: Sequence[str]) -> Section:
    """Whom to cite, to read and to copy."""
    listed = sorted((find(key) for key in keys), key=lambda work: (work.surnames, work.fields["year"]))
    blocks = (
        Points(tuple(("", work.text(), "") for work in listed)),
        Code(bibtex(keys, versions()["bakeoff"]), "bibtex"),
    )
    return Section(key="references", title="References", blocks=blocks)


def provenance_section(s: Scores, command: str | None) -> Section:
    """What computed it, from what."""
    items = [("versions", ", ".join(f"{name} {version}" for name, version in versions().items()), "")]
    items.append(("input SHA-256", s.source_sha256, ""))
    if command:
        items.append(("command", numerals.plain(command), ""))
    if s.dropped:
        items.append(("problems left out", _all(s.dropped), ""))
    if s.filled:
        cells = [f"{problem} / {algorithm}" for problem, algorithm in s.filled]
        items.append(("cells counted as worst", _all(cells), ""))
    return Section(key="provenance", title="Provenance", blocks=(Points(tuple(items)),))


def _all(names: list[str] | tuple[str, ...], limit: int = 100) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(map(numerals.plain, itertools.islice(names, limit))) + more
