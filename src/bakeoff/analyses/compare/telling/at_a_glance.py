"""What a terminal shows of a comparison before it is asked for more: a screen."""

from __future__ import annotations

from dataclasses import replace

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import Comparison, Pair
from bakeoff.analyses.compare.statistics.sizes import by_evidence
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.analyses.compare.telling import effects, margins, sentences
from bakeoff.analyses.compare.telling.omnibus import omnibus_line
from bakeoff.analyses.compare.telling.pair_tables import BRIEF, as_shown, two_columns_of_names
from bakeoff.analyses.compare.telling.tables import ranking
from bakeoff.report.document import ColumnSpec, Paragraph, Section, Table, number_column, tabulate, text_column
from bakeoff.report.sections import LISTED, one_process_alone, present

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
        usual, places = effects.usual(c), effects.places_of(pairs)
        title, legend = effects.column_title(c), effects.short_legend(c, pairs)
        shown.append(
            number_column("effect", title, lambda pair: effects.written(pair, usual, places), rank=1, legend=legend)
        )
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
