"""From a Comparison to the format-free Document: what a report says, in which order."""

from functools import partial

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import Comparison, score_table
from bakeoff.analyses.compare.statistics.sizes import by_evidence
from bakeoff.analyses.compare.telling import at_a_glance, margins, sentences, tables
from bakeoff.analyses.compare.telling.data import content, pair_columns
from bakeoff.analyses.compare.telling.methods import cited_keys, in_short, methods, with_contrasts
from bakeoff.analyses.compare.telling.pair_tables import as_shown, correction_table, pairs
from bakeoff.analyses.compare.telling.pvalue_matrix import pvalue_matrix
from bakeoff.analyses.compare.telling.scores.attachment import scores_section
from bakeoff.analyses.compare.telling.scores.document import grids
from bakeoff.analyses.compare.telling.scores.table import MOST
from bakeoff.analyses.compare.telling.sentences import verdict as verdict
from bakeoff.report import sections
from bakeoff.report.data import Grid
from bakeoff.report.document import Figure, Paragraph, Points, Section
from bakeoff.report.sections import one_block
from bakeoff.report.telling import Rows, Telling

MANY_NAMES = 60  # in the list of groups


def _on_screen(c: Comparison) -> tuple[str, ...]:
    """The margin if there is one; all pairs at a glance if not all are listed."""
    return ("ranking", "pairs", "margin", *([] if sections.if_few(c.pairs) else ["matrix"]), "steps")


def _detectable(c: Comparison) -> tuple[Paragraph, ...]:
    """Was the experiment large enough to know?"""
    sentence = " ".join(filter(None, (sentences.detectable_sentence(c), margins.not_equal(c))))
    return (Paragraph((sentence,)),) if sentence else ()


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


def _choices(c: Comparison) -> list[tuple[str, str]]:
    return [(choice.parameter, f"{choice.value}: {choice.reason}") for choice in c.choices]


def _ranking(c: Comparison) -> Rows:
    mean_ranks = sorted(zip(c.mean_ranks.tolist(), c.scores.algorithms, strict=True))
    return [("algorithm", "mean_rank"), *((name, mean) for mean, name in mean_ranks)]


def _grids(c: Comparison) -> tuple[Grid, ...]:
    return grids(score_table(c.scores, control=c.control)) if c.scores.values.size <= MOST else ()


def _body(c: Comparison) -> list[Section | None]:
    return [
        sections.figure("Diagram", Figure(c, sentences.basis(c))),
        sections.cautions(c.cautions),
        one_block("ranking", "Ranking", tables.ranking(c)),
        Section("pairs", "Which ones differ, and by how much", (*pairs(c), *_detectable(c))),
        margins.section(c, by_evidence(c), partial(as_shown, c)) if c.margin else None,
        one_block("matrix", "All pairs at a glance", pvalue_matrix(c), "aside"),
        one_block("corrections", "All corrections", correction_table(c)),
        _groups(c),
        one_block("omnibus", "Do the algorithms differ at all?", tables.omnibus(c), "aside"),
        _steps(c),
        scores_section(c.scores, c.control),
        one_block("records", "Wins, ties and losses", tables.records(c), "aside"),
        one_block("contrasts", "Contrast estimation", tables.contrasts(c) if with_contrasts(c) else None),
        Section("in-short", "In short, ready to paste", (Paragraph(in_short(c)),), role="aside"),
        sections.methods(methods(c)),
        sections.points("choices", "What was chosen, and why", _choices(c)),
    ]


TELLING = Telling[Comparison](
    schema="bakeoff.compare/1",
    verdict=verdict,
    basis=partial(sentences.basis, sizes=False),
    body=_body,
    on_screen=_on_screen,
    brief=at_a_glance.at_a_glance,
    brief_basis=partial(sentences.basis, sizes=False),
    methods=methods,
    works=cited_keys,
    keys=content,
    main=pair_columns,
    second=_ranking,
    grids=_grids,
)
