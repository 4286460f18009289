"""From a Comparison to the format-free Document: what a report says, in which order."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import effects, margins, sentences, tables
from bakeoff.analyses.compare.reporting.data import content, pair_columns
from bakeoff.analyses.compare.reporting.methods import cited_keys, in_short, methods, with_contrasts
from bakeoff.analyses.compare.reporting.omnibus import omnibus_line
from bakeoff.analyses.compare.reporting.pair_tables import (
    BRIEF,
    as_shown,
    correction_table,
    margin_section,
    pairs,
    pvalue_matrix,
    two_columns_of_names,
)
from bakeoff.analyses.compare.reporting.recipe_tables import step_tables
from bakeoff.analyses.compare.reporting.scores.document import grids
from bakeoff.analyses.compare.reporting.scores.table import MOST, scores_section
from bakeoff.analyses.compare.reporting.sentences import verdict as verdict
from bakeoff.analyses.compare.reporting.tables import ranking
from bakeoff.analyses.compare.statistics import Comparison, Pair, score_table
from bakeoff.analyses.compare.statistics.sizes import by_evidence
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.report import sections
from bakeoff.report.data import Grid
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Paragraph,
    Points,
    Section,
    Table,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.reporting import Reporting, Rows
from bakeoff.report.sections import LISTED, one_block, one_process_alone, present

BRIEF_RANKING = ("place", "algorithm", "mean_rank", "against", "mean", "median")


def at_a_glance(c: Comparison) -> tuple[Section, ...]:
    """The ranking, the pairs that say something, and what the experiment could have found."""
    whole = ranking(c)
    letters = "Same letter: not shown to differ." if c.control is None and c.groups else ""
    kept = [i for i, column in enumerate(whole.columns) if column.key in BRIEF_RANKING]
    note = " ".join(filter(None, (letters, omnibus_line(c))))
    return present(Section("ranking", "Ranking", (replace(whole.selected(kept), note=note),)), _pairs(c), _power(c))


def _listed(pair: Pair) -> bool:
    return pair.verdict in (*DECIDED, *margins.CLAIMED, sentences.DEPENDS)


def _pairs(c: Comparison) -> Section | None:
    """Those that differ, or of which a margin says something; the others are counted."""
    pairs = [pair for pair in by_evidence(c) if _listed(pair)]
    shown = [as_shown(c, pair) for pair in pairs[:LISTED]]
    blocks: list[Table | Paragraph] = [replace(_table(c, shown), unlisted=len(pairs) - len(shown))] if pairs else []
    rest = len(c.pairs) - len(pairs)
    if rest and any(pair.verdict != "cannot tell" for pair in c.pairs):
        noun = numerals.count(rest, "other pair" if pairs else "pair")
        blocks.append(Paragraph((f"{noun} {'is' if rest == 1 else 'are'} not shown to differ.",)))
    return Section("pairs", "Pairs", tuple(blocks)) if blocks else None


def _table(c: Comparison, pairs: list[Pair]) -> Table:
    adjusted = [pair.adjusted[c.primary] for pair in pairs]
    written = dict(zip(map(id, pairs), numerals.pvalue_column(adjusted, c.alpha), strict=True))
    shown: list[ColumnSpec[Pair]] = two_columns_of_names(c)
    differ = all(pair.verdict == "a better" and not margins.within(c, pair) for pair in pairs)
    if not differ:
        shown.append(text_column("verdict", "verdict", lambda pair: margins.shown_verdict(c, pair)))
    shown.append(number_column("adjusted", "adjusted p" if len(c.pairs) > 1 else "p", lambda pair: written[id(pair)]))
    if effects.known(c):
        shown.append(effects.column(c, pairs, effects.short_legend(c, pairs)))
    record = "won / tied / lost"
    shown.append(number_column("record", record, lambda pair: sentences.record(pair, pair.a), rank=3))
    caption = "Pairs that differ, the better algorithm first"
    if c.control is not None:
        name = f"{numerals.plain(c.control)} (the control)"
        caption = f"{name} is better than" if differ else f"{name} against"
    elif not differ:
        caption = "Pairs, smallest adjusted p first"
    return tabulate("pairs", caption, shown, pairs, brief=BRIEF)


def _power(c: Comparison) -> Section | None:
    """Was the experiment large enough to know?"""
    size = c.detectable
    if size is None or one_process_alone(c):
        return None
    chance = f"{sentences.detected(c, size)}."
    return Section("power", "Power", (Paragraph((chance,)),))


# What a terminal shows of a comparison before it is asked for more: a screen.


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
    if not items:
        return None
    title = "Also computed" if c.recipe is None else f"The recipe {c.recipe}, step by step"
    return Section("steps", title, (Points(items), *step_tables(c)), role="steps")


def _choices(c: Comparison) -> list[tuple[str, str]]:
    return [(choice.parameter, f"{choice.value}: {choice.reason}") for choice in c.choices]


def _ranking(c: Comparison) -> Rows:
    values = (c.means if c.by_means else c.mean_ranks).tolist()
    ordered = sorted(zip(c.standing.tolist(), c.scores.algorithms, values, strict=True))
    return [("algorithm", "mean" if c.by_means else "mean_rank"), *((name, value) for _, name, value in ordered)]


def _grids(c: Comparison) -> tuple[Grid, ...]:
    return grids(score_table(c.scores, control=c.control)) if c.scores.values.size <= MOST else ()


def _body(c: Comparison) -> list[Section | None]:
    return [
        sections.figure("Diagram", Figure(c, sentences.basis(c))),
        sections.cautions(c.cautions),
        one_block("ranking", "Ranking", tables.ranking(c)),
        Section("pairs", "Which ones differ, and by how much", (*pairs(c), *_detectable(c))),
        margin_section(c),
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


REPORT = Reporting[Comparison](
    verdict=verdict,
    basis=partial(sentences.basis, sizes=False),
    body=_body,
    on_screen=_on_screen,
    brief=at_a_glance,
    brief_basis=partial(sentences.basis, sizes=False),
    methods=methods,
    works=cited_keys,
    keys=content,
    main=pair_columns,
    second=_ranking,
    grids=_grids,
)
