"""The table of pairs: evidence, decision and size, the smallest adjusted p first."""

from dataclasses import replace
from functools import partial

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import effects, margins, sentences
from bakeoff.analyses.compare.reporting.tables import order
from bakeoff.analyses.compare.statistics import Comparison, Pair, catalogue
from bakeoff.analyses.compare.statistics.limits import read_later
from bakeoff.analyses.compare.statistics.sizes import by_evidence
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.posthoc import PAIR_TESTS
from bakeoff.report.document import (
    Column,
    ColumnSpec,
    DecidedOnly,
    Row,
    Section,
    Table,
    legends,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.sections import LISTED, WHOLE, split_by_decision, unlisted_note

BRIEF = DecidedOnly(
    title="Pairs that differ, smallest adjusted p first", more="that differ", rest="without a shown difference"
)


def pairs(comparison: Comparison) -> list[Table]:
    """All pairs, in one table; large families as the decided ones and then the rest."""
    c, shown = comparison, _columns(comparison)
    who = "Pairs" if c.control is None else f"{numerals.plain(c.control)} (the control) against"
    whole = "Pairs, smallest adjusted p first" if c.control is None else f"{who} each other algorithm"

    def caption(n: int, decided: bool) -> str:
        what = "with a difference, smallest adjusted p first" if decided else "without a shown difference"
        return f"{who}: the {n} {what}"

    test = f"Two-sided {catalogue.tests_of_pairs(c.pairwise, c.n_rows)}; {sentences.correction_phrase(c)}."
    note = f"{test} {legends(shown)}".strip()
    return split_by_decision(by_evidence(c), shown, _decided, whole, note, caption, BRIEF, partial(as_shown, c))


def _decided(pair: Pair) -> bool:
    return pair.verdict in DECIDED


def correction_table(comparison: Comparison) -> Table | None:
    """Every correction that was computed, beside the raw p, as the papers print them."""
    c = comparison
    if len(c.posthoc) < 2 or len(c.pairs) < 2:
        return None
    shown = [*two_columns_of_names(c), _raw(c)]
    shown += [_adjusted(c, method, catalogue.correction_of(c, method).short) for method in c.posthoc]
    caption = f"Adjusted p-values; {catalogue.correction_of(c, c.primary).short} decides"
    rows = [as_shown(c, pair) for pair in by_evidence(c)[:LISTED]]
    note, folded = unlisted_note(len(c.pairs)), len(c.pairs) > WHOLE
    return tabulate("corrections", caption, shown, rows, strong=_decided, note=note, folded=folded, on_screen="titles")


def two_columns_of_names(c: Comparison) -> list[ColumnSpec[Pair]]:
    """First and second; with a control the other algorithm alone."""
    title = "second" if c.control is None else "algorithm"
    second: ColumnSpec[Pair] = text_column("b", title, lambda p: numerals.plain(p.b), wraps=True)
    return (
        [text_column("a", "first", lambda p: numerals.plain(p.a), wraps=True), second]
        if c.control is None
        else [second]
    )


def _raw(c: Comparison) -> ColumnSpec[Pair]:
    alone = len(c.pairs) == 1
    title = "p" if alone else "raw p"
    title = f"largest {title}" if c.missing == "bounds" else title
    return number_column(
        "pvalue", title, lambda p: numerals.pvalue(p.pvalue, p.log_pvalue, c.alpha), strong=alone, rank=2
    )


def _adjusted(c: Comparison, method: str, title: str, key: str = "") -> ColumnSpec[Pair]:
    decides = method == c.primary
    return number_column(
        key or method, title, lambda p: numerals.pvalue(p.adjusted[method], None, c.alpha), strong=decides
    )


def _bounds(c: Comparison) -> list[ColumnSpec[Pair]]:
    """The other end of the p-values over all completions, and whether it is a bound."""
    if c.missing != "bounds":
        return []

    def smallest(pair: Pair) -> str:
        assert pair.bounds is not None
        mark = "" if pair.bounds.kind == "exact" else " (bound)"
        return numerals.pvalue(pair.bounds.adjusted[c.primary][0], None, c.alpha) + mark

    legend = "Smallest and largest p: over all values of the missing scores; (bound): no value gives a more extreme p."
    title = "smallest p" if len(c.pairs) == 1 else "smallest adjusted p"
    return [number_column("smallest", title, smallest, rank=1, legend=legend)]


def _columns(c: Comparison) -> list[ColumnSpec[Pair]]:
    """Names, verdict, the deciding p, size; then the evidence behind them."""
    verdict: ColumnSpec[Pair] = text_column(
        "verdict", "verdict", lambda pair: margins.shown_verdict(c, pair), wraps=True
    )
    shown: list[ColumnSpec[Pair]] = [*two_columns_of_names(c), verdict]
    if len(c.pairs) > 1:
        most = "largest " if c.missing == "bounds" else ""
        title = f"{most}adjusted p ({catalogue.correction_of(c, c.primary).short})"
        shown.append(_adjusted(c, c.primary, title, "adjusted"))
    shown += [*_bounds(c), _raw(c)]
    first = "the first-named algorithm" if c.control is None else "the control"
    if effects.known(c):
        shown.append(effects.column(c, c.pairs, effects.legend(c, first)))
    record = "w / t / l" if c.control is None else "control won / tied / lost"
    legend = f"w / t / l: {c.unit}s won, tied, lost by {first}." if c.control is None else ""
    shown.append(number_column("record", record, lambda pair: sentences.record(pair, pair.a), rank=3, legend=legend))
    if c.missing:
        legend = "n: problems that both have."
        shown.append(number_column("n", "n", lambda pair: str(pair.n_problems), rank=1, legend=legend))
    if not read_later(len(c.pairs)) and any(pair.rank_biserial is not None for pair in c.pairs):
        shown.append(number_column("rank_biserial", "rank-biserial", _biserial, rank=4))
    return [*shown, number_column("statistic", PAIR_TESTS[c.pairwise].symbol, lambda pair: _statistic(c, pair), rank=5)]


def as_shown(c: Comparison, pair: Pair) -> Pair:
    """The better one first, so that its difference is positive; the control stays where it is. A page of a large family
    has no effects."""
    if read_later(len(c.pairs)):
        pair = replace(pair, effect=None, interval=None, rank_biserial=None)
    behind = pair.effect is not None and pair.effect.turned.estimate > pair.effect.estimate
    second = pair.verdict == "b better" or (pair.verdict not in DECIDED and behind)
    return pair.turned if c.control is None and second else pair


def _biserial(pair: Pair) -> str:
    return numerals.MISSING if pair.rank_biserial is None else numerals.decimals(pair.rank_biserial, 2)


def _statistic(c: Comparison, pair: Pair) -> str:
    """z and t to three decimals; sums of ranks and counts as they are."""
    counted = c.pairwise in ("wilcoxon", "sign", "sign-without-ties", "mcnemar")
    return numerals.statistic(pair.statistic) if counted else numerals.decimals(pair.statistic, 3)


def margin_section(c: Comparison) -> Section | None:
    """The pairs against the margin, those first of which it says something; None without a margin."""
    if c.margin is None:
        return None
    first, second = ("first", "second") if c.control is None else ("control", "algorithm")

    def claim(pair: Pair) -> str:
        return margins.shown_verdict(c, pair) if pair.verdict in (*DECIDED, *margins.CLAIMED) else "nothing shown"

    def p(key: str) -> ColumnSpec[Pair]:
        title = {"equal": "equal", "a_not_worse": f"{first} not worse", "b_not_worse": f"{second} not worse"}[key]
        return number_column(
            key,
            title,
            lambda pair: numerals.pvalue(getattr(pair, f"adjusted_{key}"), None, c.alpha),
            strong=key == "equal",
        )

    shown = [*two_columns_of_names(c), text_column("claim", "up to the margin", claim, wraps=True)]
    shown += [p("equal"), p("a_not_worse"), p("b_not_worse")]
    if len(c.pairs) > 1:
        raw = lambda pair: numerals.pvalue(pair.p_equal, None, c.alpha)  # noqa: E731
        shown.append(number_column("p_equal", "raw p: equal", raw, rank=1))
    rows = sorted(by_evidence(c), key=lambda pair: pair.verdict not in margins.CLAIMED and not margins.within(c, pair))
    made: Table = tabulate(
        "margin",
        f"{'P-values' if len(c.pairs) == 1 else 'Adjusted p-values'} against a margin of {margins.size(c.margin)}",
        shown,
        [as_shown(c, pair) for pair in rows[:LISTED]],
        strong=lambda pair: pair.verdict == margins.CLAIMED[0] or margins.within(c, pair),
        note=f"{margins.margin_note(c, c.margin)} {unlisted_note(len(rows))}".strip(),
        folded=len(rows) > WHOLE,
        brief=margins.BRIEF,
    )
    return Section("margin", "Equal, or not worse?", (replace(made, unlisted=max(0, len(rows) - LISTED)),))


# The adjusted p-values of all pairs as a triangle: shorter than the list from five algorithms on.


SIZES = range(5, 31)  # algorithms; the diagram of more shows the verdicts as a matrix
FOLDED = 12  # algorithms; a larger one is shown on demand
SMALLEST = 0.001
MARKS = {
    "cannot tell": ("?", "no outcome could have reached this level"),
    sentences.DEPENDS: ("*", "depends on the missing scores"),
    "practically equal": ("=", "practically equal, up to the margin"),
}


def pvalue_matrix(comparison: Comparison) -> Table | None:
    """Row against column, best mean rank (or mean) first, with an arrow to the better one; not with a control."""
    c, k = comparison, comparison.scores.n_algorithms
    if c.control is not None or k not in SIZES:
        return None
    best_first = order(c)
    names = [c.scores.algorithms[j] for j in best_first]
    pairs = {frozenset((pair.a, pair.b)): pair for pair in c.pairs}
    rows = []
    for i, name in enumerate(names):
        row_pairs = [pairs[frozenset((name, names[j]))] for j in range(i)]
        cells = [_cell(c, pair, name) for pair in row_pairs] + [""] * (k - 1 - i)
        bold = frozenset(j + 2 for j, pair in enumerate(row_pairs) if pair.verdict in DECIDED)
        shades = tuple((j + 2, _shade(pair.adjusted[c.primary])) for j, pair in enumerate(row_pairs) if j + 2 in bold)
        rows.append(Row((str(i + 1), numerals.plain(name), *cells[: k - 1]), bold=bold, shades=shades))
    columns = (
        Column("place", "#", numeric=True),
        Column("name", "algorithm"),
        *(Column(f"p{j}", str(j + 1), numeric=True) for j in range(k - 1)),
    )
    short = catalogue.correction_of(c, c.primary).short
    caption = f"Adjusted p-values ({short}) of the row against the algorithm with the number of the column"
    note = f"Best {'mean' if c.by_means else 'mean rank'} first. "
    note += f"Bold: at most {c.alpha:g}; ↑: the column's algorithm is better, ←: the row's."
    there = {pair.verdict for pair in c.pairs}
    note += "".join(f" {mark}: {words}." for verdict, (mark, words) in MARKS.items() if verdict in there)
    folded = k > FOLDED
    return Table(
        key="matrix", caption=caption, columns=columns, rows=rows, note=note, wide=True, square=True, folded=folded
    )


def _shade(p: float) -> int:
    return 3 if p < SMALLEST else 2 if p < 10.0 * SMALLEST else 1


def _cell(c: Comparison, pair: Pair, row: str) -> str:
    """``0.031 ←`` where the row's algorithm is better."""
    p = pair.adjusted[c.primary]
    text = f"<{SMALLEST:g}" if p < SMALLEST else _three_places(p, c.alpha)
    if pair.verdict in MARKS:
        return f"{text} {MARKS[pair.verdict][0]}"
    winner = sentences.winner(pair)
    return text if winner is None else f"{text} {'←' if winner == row else '↑'}"


def _three_places(p: float, alpha: float) -> str:
    """More beside the level, so that it is seen on which side p lies; never 1.000 below 1."""
    if 0.9995 <= p < 1.0:
        return ">0.999"
    return numerals.on_its_side(p, lambda x: x <= alpha, lambda digits: numerals.decimals(p, digits), 3)
