"""From a Comparison to the format-free Document: what a report says, in which order."""

from __future__ import annotations

from bakeoff import numerals
from bakeoff.comparison import Comparison
from bakeoff.report.comparison import sentences, tables
from bakeoff.report.comparison.data import to_dict as to_dict
from bakeoff.report.comparison.methods import cited_keys, methods
from bakeoff.report.comparison.pair_tables import corrections, pairs
from bakeoff.report.comparison.sheets import sheets as sheets
from bakeoff.report.document import Document, Figure, Points, Section
from bakeoff.report.sections import (
    cautions_section,
    methods_section,
    one_block,
    points,
    present,
    provenance_section,
    references_section,
    sizes,
)

MANY_NAMES = 60  # in the list of groups


def document(comparison: Comparison, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    s = comparison.scores
    sections = [
        one_block("diagram", "Diagram", Figure(comparison, sentences.basis(comparison))),
        cautions_section(comparison.cautions),
        one_block("ranking", "Ranking", tables.ranking(comparison)),
        Section(key="pairs", title="Which ones differ, and by how much", blocks=tuple(pairs(comparison))),
        one_block("corrections", "All corrections", corrections(comparison)),
        _groups(comparison),
        one_block("omnibus", "Do the algorithms differ at all?", tables.omnibus(comparison)),
        _steps(comparison),
        one_block("records", "Problem by problem", tables.records(comparison)),
        one_block("contrasts", "Contrast estimation", tables.contrasts(comparison)),
        methods_section(methods(comparison)),
        _choices(comparison),
        references_section(cited_keys(comparison)),
        provenance_section(s, command),
    ]
    return Document(
        title=sizes(s),
        verdict=sentences.verdict(comparison),
        basis=sentences.basis(comparison),
        sections=present(sections),
        on_screen=("ranking", "pairs", "steps", "cautions"),
    )


def _groups(c: Comparison) -> Section | None:
    """The groups in words, while they are few enough to read."""
    named = [group for group in c.groups if len(group) > 1]
    if not named or sum(map(len, named)) > MANY_NAMES:
        return None  # the letters in the ranking say the same
    letters = dict(zip(c.groups, "abcdefghijklmnopqrstuvwxyz", strict=False))
    items = [(letters.get(group, ""), ", ".join(map(numerals.plain, group))) for group in named]
    return points("groups", "Groups not shown to differ", items)


def _steps(c: Comparison) -> Section | None:
    if not c.steps:
        return None
    passed = {True: "passed", False: "not passed", None: ""}
    items = tuple((step.title, numerals.plain(step.outcome), passed[step.passed]) for step in c.steps)
    return Section(key="steps", title=f"The recipe {c.recipe}, step by step", blocks=(Points(items),))


def _choices(c: Comparison) -> Section | None:
    if not c.choices:
        return None
    items = [(choice.parameter, f"{choice.value}: {choice.reason}") for choice in c.choices]
    return points("choices", "What was chosen, and why", items)
