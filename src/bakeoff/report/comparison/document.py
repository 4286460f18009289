"""From a Comparison to the format-free Document: what a report says, in which order."""

from bakeoff import numerals
from bakeoff.comparison import Comparison
from bakeoff.report import sections
from bakeoff.report.comparison import margins, sentences, tables
from bakeoff.report.comparison.data import sheets as sheets, to_dict as to_dict
from bakeoff.report.comparison.methods import cited_keys, methods, with_contrasts
from bakeoff.report.comparison.pair_tables import correction_table, pairs, winners_first
from bakeoff.report.comparison.pvalue_matrix import pvalue_matrix
from bakeoff.report.comparison.sentences import verdict as verdict
from bakeoff.report.document import Document, Figure, Paragraph, Points, Section
from bakeoff.report.scores.attachment import scores_section
from bakeoff.report.sections import FEW_PAIRS, one_block

MANY_NAMES = 60  # in the list of groups


def document(comparison: Comparison, command: str | None = None) -> Document:
    """The whole report; ``command`` is the command line that asked for it, if one did."""
    c, basis = comparison, sentences.basis(comparison)
    return Document(
        title=sections.sizes(c.scores),
        verdict=verdict(c),
        basis=basis,
        sections=sections.present(
            sections.figure("Diagram", Figure(c, basis)),
            sections.cautions(c.cautions),
            one_block("ranking", "Ranking", tables.ranking(c)),
            Section("pairs", "Which ones differ, and by how much", (*pairs(c), *_detectable(c))),
            margins.section(c, winners_first(c)),
            one_block("matrix", "All pairs at a glance", pvalue_matrix(c), "aside"),
            one_block("corrections", "All corrections", correction_table(c)),
            _groups(c),
            one_block("omnibus", "Do the algorithms differ at all?", tables.omnibus(c), "aside"),
            _steps(c),
            scores_section(c.scores, c.control),
            one_block("records", "Wins, ties and losses", tables.records(c), "aside"),
            one_block("contrasts", "Contrast estimation", tables.contrasts(c) if with_contrasts(c) else None),
            sections.methods(methods(c)),
            _choices(c),
            sections.references(cited_keys(c)),
            sections.provenance(c.scores, command),
        ),
        on_screen=("ranking", "pairs", *_sometimes(c), "steps", "cautions"),
        doubts=sections.doubts(c.cautions),
    )


def _sometimes(c: Comparison) -> list[str]:
    """On screen if there is a margin; if not all pairs are listed."""
    return [*(["margin"] if c.margin else []), *(["matrix"] if len(c.pairs) > FEW_PAIRS else [])]


def _detectable(c: Comparison) -> tuple[Paragraph, ...]:
    """Was the experiment large enough to know?"""
    said = " ".join(filter(None, (sentences.detectable_sentence(c), margins.not_equal(c))))
    return (Paragraph((said,)),) if said else ()


def _groups(c: Comparison) -> Section | None:
    """The groups in words, while they are few enough to read."""
    named = [group for group in c.groups if len(group) > 1]
    if not named or sum(map(len, c.groups)) > MANY_NAMES:
        return None  # the letters in the ranking say the same
    letters = tables.letters(c)
    items = [
        (letters.get(group, ""), ", ".join(map(numerals.plain, group)) + (" alone" if len(group) == 1 else ""))
        for group in c.groups
    ]
    return sections.points("groups", "Groups not shown to differ", items)


def _steps(c: Comparison) -> Section | None:
    passed = {True: "passed", False: "not passed", None: ""}
    items = tuple((step.title, numerals.plain(step.outcome), passed[step.passed]) for step in c.steps)
    return Section("steps", f"The recipe {c.recipe}, step by step", (Points(items),), role="steps") if items else None


def _choices(c: Comparison) -> Section | None:
    items = [(choice.parameter, f"{choice.value}: {choice.reason}") for choice in c.choices]
    return sections.points("choices", "What was chosen, and why", items) if items else None
