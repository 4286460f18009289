"""The table of pairs: evidence, decision and size, the smallest adjusted p first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bakeoff import numerals
from bakeoff.comparison import Comparison, Pair, catalogue
from bakeoff.posthoc import PAIRWISE
from bakeoff.report.comparison import sentences
from bakeoff.report.document import Brief, Column, Row, Table
from bakeoff.report.sections import WHOLE, in_two

BRIEF = Brief(
    title="Pairs that differ, smallest adjusted p first", more="that differ", rest="without a shown difference"
)

Show = tuple[Column, Callable[[Pair], str]]


def by_evidence(comparison: Comparison) -> list[Pair]:
    """Smallest adjusted p first, then smallest raw p (by its logarithm), then the order of the columns."""
    return sorted(comparison.pairs, key=lambda pair: (pair.adjusted[comparison.primary], pair.log_pvalue))


def pairs(comparison: Comparison) -> list[Table]:
    """All pairs, in one table; large families as the decided ones and then the rest."""
    done = by_evidence(comparison)
    who = "Pairs" if comparison.control is None else f"{numerals.plain(comparison.control)} (the control) against"
    whole = "Pairs, smallest adjusted p first" if comparison.control is None else f"{who} each other algorithm"

    def table(chosen: Sequence[Pair], key: str, caption: str, folded: bool) -> Table:
        return _table(comparison, chosen, key, caption, folded)

    def title(n: int, decided: bool) -> str:
        what = "with a difference, smallest adjusted p first" if decided else "without a shown difference"
        return f"{who}: the {n} {what}"

    return in_two(done, lambda pair: pair.verdict in sentences.DECIDED, table, whole, title)


def record(pair: Pair, name: str) -> str:
    """``16 / 0 / 9``: problems on which ``name`` won, tied, lost."""
    return " / ".join(map(str, sentences.wins_ties_losses(pair, name)))


def _table(c: Comparison, chosen: Sequence[Pair], key: str, caption: str, folded: bool) -> Table:
    columns = _columns(c)
    test = f"Two-sided {catalogue.tests_of_pairs(c.pairwise, c.scores.n_problems)}; {sentences.correction(c)}."
    note = " ".join([test, *(column.legend for column, _ in columns if column.legend)])
    return replace(_filled(c, columns, chosen, key, caption, note, folded), brief=BRIEF)


def _filled(
    c: Comparison, shown: Sequence[Show], chosen: Sequence[Pair], key: str, caption: str, note: str, folded: bool
) -> Table:
    rows = [
        Row(
            cells=tuple(write(pair) for _, write in shown),
            tone="strong" if pair.verdict in sentences.DECIDED else "",
        )
        for pair in (_winner_first(c, pair) for pair in chosen)
    ]
    columns = tuple(column for column, _ in shown)
    return Table(key=key, caption=caption, columns=columns, rows=rows, note=note, folded=folded)


def corrections(comparison: Comparison) -> Table | None:
    """Every correction that was computed, beside the raw p, as the papers print them."""
    c = comparison
    if len(c.posthoc) < 2 or len(c.pairs) < 2:
        return None
    shown = [*_names(c), _raw(c)]
    for method in c.posthoc:
        title = catalogue.correction(method).short
        shown.append((Column(key=method, title=title, numeric=True, strong=method == c.primary), _adjusted(c, method)))
    done = by_evidence(c)
    caption = f"Adjusted p-values; {catalogue.correction(c.primary).short} decides"
    return _filled(c, shown, done, "corrections", caption, "", len(done) > WHOLE)


def _names(c: Comparison) -> list[Show]:
    if c.control is not None:
        return [(Column(key="b", title="algorithm"), lambda pair: numerals.plain(pair.b))]
    return [
        (Column(key="a", title="first"), lambda pair: numerals.plain(pair.a)),
        (Column(key="b", title="second"), lambda pair: numerals.plain(pair.b)),
    ]


def _raw(c: Comparison) -> Show:
    title = "raw p" if len(c.pairs) > 1 else "p"
    column = Column(key="pvalue", title=title, numeric=True, strong=len(c.pairs) == 1, rank=2)
    return column, lambda pair: numerals.pvalue(pair.pvalue, pair.log_pvalue, c.alpha)


def _columns(c: Comparison) -> list[Show]:
    """Names, verdict, the deciding p, size; then the evidence behind them."""
    shown = _names(c)
    shown.append((Column(key="verdict", title="verdict"), lambda pair: _verdict(c, pair)))
    if len(c.pairs) > 1:
        title = f"adjusted p ({catalogue.correction(c.primary).short})"
        shown.append((Column(key="adjusted", title=title, numeric=True, strong=True), _adjusted(c, c.primary)))
    shown.append(_raw(c))
    if any(pair.effect is not None for pair in c.pairs):
        shown.append(
            (Column(key="effect", title="difference [interval]", numeric=True, rank=1, legend=_sizes(c)), _effect)
        )
    counts = Column(key="record", title="w / t / l", numeric=True, rank=3, legend=_counts(c))
    shown.append((counts, lambda pair: record(pair, pair.a)))
    if any(pair.rank_biserial is not None for pair in c.pairs):
        shown.append((Column(key="rank_biserial", title="rank-biserial", numeric=True, rank=4), _biserial))
    shown.append((Column(key="statistic", title=_symbol(c), numeric=True, rank=5), lambda pair: _statistic(c, pair)))
    return shown


def _winner_first(c: Comparison, pair: Pair) -> Pair:
    """As it is shown: the better one first, so that its difference is positive; the control stays where it is."""
    if c.control is not None or pair.verdict != "b better":
        return pair
    n = pair.wins + pair.losses + pair.ties - pair.ties % 2  # an odd tie is dropped, the others split
    turned = {"wilcoxon": pair.statistic, "sign": n - pair.statistic}.get(c.pairwise, -pair.statistic)
    e = pair.effect
    effect = None if e is None else replace(e, estimate=-e.estimate, low=-e.high, high=-e.low)
    return replace(
        pair,
        a=pair.b,
        b=pair.a,
        statistic=turned,
        verdict="a better",
        effect=effect,
        wins=pair.losses,
        losses=pair.wins,
        rank_biserial=None if pair.rank_biserial is None else -pair.rank_biserial,
    )


def _verdict(c: Comparison, pair: Pair) -> str:
    first = "first" if c.control is None else "control"
    return {"a better": f"{first} better", "b better": f"{first} worse"}.get(pair.verdict, pair.verdict)


def _adjusted(c: Comparison, method: str) -> Callable[[Pair], str]:
    return lambda pair: numerals.pvalue(pair.adjusted[method], None, c.alpha)


def _effect(pair: Pair) -> str:
    return numerals.MISSING if pair.effect is None else sentences.interval(pair.effect)


def _biserial(pair: Pair) -> str:
    return numerals.MISSING if pair.rank_biserial is None else numerals.decimals(pair.rank_biserial, 2)


def _statistic(c: Comparison, pair: Pair) -> str:
    """z and t to three decimals; sums of ranks and counts as they are."""
    counted = c.pairwise in ("wilcoxon", "sign")
    return numerals.statistic(pair.statistic) if counted else numerals.decimals(pair.statistic, 3)


def _symbol(c: Comparison) -> str:
    return PAIRWISE[c.pairwise].symbol


def _sizes(c: Comparison) -> str:
    level = next(pair.effect.confidence_level for pair in c.pairs if pair.effect is not None)
    return (
        f"Difference: Hodges–Lehmann estimate in score units with its {numerals.percent(level)} interval "
        f"(each on its own, uncorrected), positive where {_first(c)} is better."
    )


def _counts(c: Comparison) -> str:
    return f"w / t / l: problems won, tied, lost by {_first(c)}."


def _first(c: Comparison) -> str:
    return "the control" if c.control is not None else "the first-named algorithm"
