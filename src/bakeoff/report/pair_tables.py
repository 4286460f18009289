"""The table of pairs: evidence, decision and size, the smallest adjusted p first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bakeoff.comparison import Comparison, Pair
from bakeoff.report import numbers, sentences
from bakeoff.report.document import Column, Row, Table
from bakeoff.report.vocabulary import PAIRWISE, POSTHOC, entry

WHOLE = 40  # a family up to this size is one table; beyond it, decided pairs first and the rest folded

Show = tuple[Column, Callable[[Pair], str]]


def by_evidence(comparison: Comparison) -> list[Pair]:
    """Smallest adjusted p first, then smallest raw p (by its logarithm), then the order of the columns."""
    return sorted(comparison.pairs, key=lambda pair: (pair.adjusted[comparison.primary], pair.log_pvalue))


def pairs(comparison: Comparison) -> list[Table]:
    """All pairs, in one table; large families as the decided ones and then the rest."""
    done = by_evidence(comparison)
    who = "Pairs" if comparison.control is None else f"{numbers.plain(comparison.control)} (the control) against"
    if len(done) <= WHOLE:
        title = "Pairs, smallest adjusted p first" if comparison.control is None else f"{who} each other algorithm"
        return [_table(comparison, done, "pairs", title, folded=False)]
    decided = [pair for pair in done if pair.verdict in sentences.DECIDED]
    rest = [pair for pair in done if pair.verdict not in sentences.DECIDED]
    tables = []
    if decided:
        title = f"{who}: the {len(decided)} with a difference, smallest adjusted p first"
        tables.append(_table(comparison, decided, "pairs", title, folded=len(decided) > 2 * WHOLE))
    if rest:
        title = f"{who}: the {len(rest)} without a shown difference"
        tables.append(_table(comparison, rest, "pairs-rest" if decided else "pairs", title, folded=True))
    return tables


def record(pair: Pair, name: str) -> str:
    """``16 / 0 / 9``: problems on which ``name`` won, tied, lost."""
    return " / ".join(map(str, sentences.wins_ties_losses(pair, name)))


def _table(c: Comparison, chosen: Sequence[Pair], key: str, caption: str, folded: bool) -> Table:
    shown = _columns(c)
    rows = [
        Row(
            cells=tuple(write(pair) for _, write in shown),
            tone="strong" if pair.verdict in sentences.DECIDED else "",
        )
        for pair in chosen
    ]
    columns = tuple(column for column, _ in shown)
    return Table(key=key, caption=caption, columns=columns, rows=rows, note=_note(c), folded=folded)


def _columns(c: Comparison) -> list[Show]:
    """Names, verdict, the deciding p, size; then the evidence behind them and the other corrections."""
    shown: list[Show] = [(Column(key="b", title="algorithm"), lambda pair: numbers.plain(pair.b))]
    if c.control is None:
        shown = [
            (Column(key="a", title="first"), lambda pair: numbers.plain(pair.a)),
            (Column(key="b", title="second"), lambda pair: numbers.plain(pair.b)),
        ]
    shown.append((Column(key="verdict", title="verdict"), sentences.pair_verdict))
    if len(c.pairs) > 1:
        title = f"adjusted p ({entry(POSTHOC, c.primary).short})"
        shown.append((Column(key="adjusted", title=title, numeric=True, strong=True), _adjusted(c, c.primary)))
    if any(pair.effect is not None for pair in c.pairs):
        shown.append((Column(key="effect", title="difference [interval]", numeric=True, rank=1), _effect))
    shown.append((Column(key="record", title="w / t / l", numeric=True, rank=3), lambda pair: record(pair, pair.a)))
    if any(pair.rank_biserial is not None for pair in c.pairs):
        shown.append((Column(key="rank_biserial", title="rank-biserial", numeric=True, rank=4), _biserial))
    shown.append((Column(key="statistic", title=_symbol(c), numeric=True, rank=5), _statistic))
    raw = Column(key="pvalue", title="p, unadjusted" if len(c.pairs) > 1 else "p", numeric=True, rank=2)
    shown.append((raw, lambda pair: numbers.pvalue(pair.pvalue, pair.log_pvalue, c.alpha)))
    if len(c.pairs) > 1:
        for i, method in enumerate(m for m in c.posthoc if m != c.primary):
            column = Column(key=method, title=entry(POSTHOC, method).short, numeric=True, rank=6 + i)
            shown.append((column, _adjusted(c, method)))
    return shown


def _adjusted(c: Comparison, method: str) -> Callable[[Pair], str]:
    return lambda pair: numbers.pvalue(pair.adjusted[method], None, c.alpha)


def _effect(pair: Pair) -> str:
    return numbers.MISSING if pair.effect is None else sentences.interval(pair.effect)


def _biserial(pair: Pair) -> str:
    return numbers.MISSING if pair.rank_biserial is None else numbers.decimals(pair.rank_biserial, 2)


def _statistic(pair: Pair) -> str:
    return numbers.statistic(pair.statistic)


def _symbol(c: Comparison) -> str:
    return {"wilcoxon": "min(R+, R−)", "sign": "wins", "t": "t"}.get(c.pairwise, "z")


def _note(c: Comparison) -> str:
    first = "the control" if c.control is not None else "the first-named algorithm"
    test = entry(PAIRWISE, c.pairwise).phrase
    levels = [pair.effect.confidence_level for pair in c.pairs if pair.effect is not None]
    effect = ""
    if levels:
        effect = (
            f" Difference: Hodges–Lehmann estimate in score units with its {numbers.percent(levels[0])} interval, "
            f"positive where {first} is better."
        )
    return f"Two-sided {test}; {sentences.correction(c)}.{effect} w / t / l: problems won, tied, lost by {first}."
