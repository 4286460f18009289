"""The tables of a Bayesian report: who is best, every statement, the test of "all equal"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from bakeoff import numerals
from bakeoff.bayes import FriedmanPosterior, Overview, PairPosterior, Statement
from bakeoff.bayes.statements.wording import chance, span
from bakeoff.report.bayes.sentences import level, statements
from bakeoff.report.document import Brief, Column, Row, Table
from bakeoff.report.sections import in_two
from bakeoff.report.sheets import Sheets

BRIEF = Brief(
    title="Accepted statements, most probable first", more="that are accepted", rest="without an accepted statement"
)
Show = tuple[Column, Callable[[Statement], str]]


def order(overview: Overview) -> list[int]:
    """Columns, best posterior mean rank first; equal ones stay in column order."""
    return sorted(range(len(overview.joint.algorithms)), key=overview.ranks.mean_ranks.__getitem__)


def ranking(overview: Overview) -> Table:
    """Probability of being best, mean rank and expected loss of every algorithm."""
    ranks = overview.ranks
    exact = ranks.method == "exact"
    better, worse = _counts(overview)
    rows = []
    for place, j in enumerate(order(overview), start=1):
        name = ranks.algorithms[j]
        low, high = (numerals.decimals(float(x), 2) for x in (ranks.quantiles[j][0], ranks.quantiles[j][-1]))
        cells = (
            str(place),
            numerals.plain(name),
            chance(float(ranks.p_best[j]), exact=exact),
            numerals.rank(float(ranks.mean_ranks[j])),
            f"{low} – {high}",
            numerals.decimals(float(ranks.expected_loss[j]), 3),
            f"{better[name]} / {worse[name]}",
        )
        rows.append(Row(cells=cells, tone="strong" if place == 1 or name == overview.control else ""))
    columns = (
        Column(key="place", title="#", numeric=True),
        Column(key="algorithm", title="algorithm"),
        Column(key="p_best", title="P best", numeric=True, strong=True),
        Column(key="mean_rank", title="mean rank", numeric=True, rank=1),
        Column(key="interval", title="95 % of posterior", numeric=True, rank=3),
        Column(key="loss", title="expected loss", numeric=True, rank=2),
        Column(key="statements", title="better/worse", numeric=True, rank=4),
    )
    note = (
        "P best: probability of the lowest mean rank. Expected loss of choosing it: how far its mean rank is expected "
        "to lie above the lowest. Better/worse: than how many others, by accepted statements."
        f"{' P best, ranks and losses are with the prior at equality.' if overview.prior == 'ignorance' else ''}"
    )
    return Table(key="ranking", caption="Who is best, by posterior mean rank", columns=columns, rows=rows, note=note)


def _counts(overview: Overview) -> tuple[dict[str, int], dict[str, int]]:
    better = dict.fromkeys(overview.joint.algorithms, 0)
    worse = dict(better)
    for s in overview.joint.statements:
        if s.accepted:
            better[s.better] += 1
            worse[s.worse] += 1
    return better, worse


def pairs(overview: Overview) -> list[Table]:
    """A row per pair, as its more probable statement; large families as the accepted ones and then the rest."""
    found = statements(overview)

    def table(chosen: Sequence[Statement], key: str, caption: str, folded: bool) -> Table:
        return _table(overview, chosen, key, caption, folded)

    def title(n: int, accepted: bool) -> str:
        what = "accepted statements, most probable first" if accepted else "pairs without an accepted statement"
        return f"The {n} {what}"

    return in_two(found, lambda s: s.accepted, table, "Pairs, most probable first", title)


def _table(overview: Overview, chosen: Sequence[Statement], key: str, caption: str, folded: bool) -> Table:
    shown = _columns(overview)
    rows = [Row(cells=tuple(say(s) for _, say in shown), tone="strong" if s.accepted else "") for s in chosen]
    columns = tuple(column for column, _ in shown)
    note = " ".join(column.legend for column in columns if column.legend)
    return Table(key=key, caption=caption, columns=columns, rows=rows, note=note, folded=folded, brief=BRIEF)


def _columns(overview: Overview) -> list[Show]:
    need = level(overview)
    little = ", by however little" if overview.rope else ""
    prior = " (prior at equality)" if overview.prior == "ignorance" else ""
    found = {frozenset((pair.a, pair.b)): pair for pair in overview.pairs}

    def pair_of(s: Statement) -> PairPosterior | None:
        return found.get(frozenset((s.better, s.worse)))

    shown: list[Show] = [
        (Column(key="a", title="first"), lambda s: numerals.plain(s.better)),
        (Column(key="b", title="second"), lambda s: numerals.plain(s.worse)),
        (Column(key="verdict", title="first better", rank=3), lambda s: s.verdict),
        (
            Column(
                key="probability",
                title="P",
                numeric=True,
                strong=True,
                legend=f"P: probability that the first is better{little}.",
            ),
            lambda s: _of_statement(s, need),
        ),
    ]
    if len(overview.joint.algorithms) > 2:
        before = "all before it" if overview.control is None else "all more probable ones, of any pair,"
        legend = f"Together: probability that this statement and {before} are true."
        column = Column(key="joint", title="together", numeric=True, legend=legend)
        shown.append((column, lambda s: _together(s, need)))
    if overview.rope and found:
        legend = f"By signs, and by signed ranks{prior}: better / within ±{overview.rope:g} / worse."
        column = Column(key="signs", title="by signs", numeric=True, rank=1, legend=legend)
        shown.append((column, lambda s: _triple(s, pair_of(s), "sign", need)))
    if any(pair.signed_rank is not None for pair in overview.pairs):
        legend = "" if overview.rope else f"By signed ranks{prior}: P from the sizes of differences."
        column = Column(key="signed_rank", title="by signed ranks", numeric=True, rank=2, legend=legend)
        shown.append((column, lambda s: _triple(s, pair_of(s), "signed_rank", need)))
    legend = "w / t / l: problems won, tied, lost by the first."
    record = Column(key="record", title="w / t / l", numeric=True, rank=4, legend=legend)
    return [*shown, (record, lambda s: f"{s.wins} / {s.ties} / {s.losses}")]


def _of_statement(s: Statement, need: float) -> str:
    exact = s.standard_error == 0
    if s.probability_bounds is None:
        return chance(s.probability, need, exact=exact)
    return span(*s.probability_bounds, need, exact=exact)


def _together(s: Statement, need: float) -> str:
    exact = s.joint_standard_error == 0
    if s.joint_bounds is None:
        return chance(s.joint, need, exact=exact)
    return span(*s.joint_bounds, need, exact=exact)


def _triple(s: Statement, pair: PairPosterior | None, which: str, need: float) -> str:
    """P(better) of the first-named, with a rope also of the other two outcomes."""
    posterior = None if pair is None else getattr(pair, which)
    if posterior is None:
        return numerals.MISSING
    p = (posterior.p_better, posterior.p_equivalent, posterior.p_worse)
    p = p if posterior.a == s.better else p[::-1]
    exact = posterior.method != "monte-carlo"
    cells = [chance(float(x), need, exact=exact) for x in (p if posterior.rope else p[:1])]
    return " / ".join(cells)


def friedman(overview: Overview) -> Table:
    """The test of "all equal" by both regions."""
    tests = [overview.friedman, *([overview.friedman_exact] if overview.friedman_exact else [])]
    columns = (
        Column(key="test", title="region"),
        Column(key="statistic", title="distance²", numeric=True),
        Column(key="critical", title="edge of the region", numeric=True),
        Column(key="probability", title="content of the region through “all equal”", numeric=True, strong=True),
        Column(key="verdict", title="verdict"),
    )
    rows = [Row(cells=_cells(overview, t), tone="" if i else "strong") for i, t in enumerate(tests)]
    note = (
        "“All equal” is excluded if its squared Mahalanobis distance from the posterior mean exceeds that of the edge "
        f"of the {numerals.percent(level(overview))} region. The ellipsoid takes its edge from the F distribution, "
        "which allows for few problems; the exact region contains that share of the posterior."
    )
    caption = "Bayesian Friedman test of “all mean ranks are equal”"
    return Table(key="friedman", caption=caption, columns=columns, rows=rows, note=note)


def _cells(overview: Overview, test: FriedmanPosterior) -> tuple[str, ...]:
    need, exact = level(overview), test.standard_error == 0
    inside = chance(test.probability, need, exact=exact)
    if test.probability_bounds is not None:
        inside = span(*test.probability_bounds, need, exact=exact)
    names = {"ellipsoid": "ellipsoid", "exact": "exact (from draws)"}
    return (
        names.get(test.region, test.region),
        numerals.statistic(test.statistic),
        numerals.statistic(test.critical_value),
        inside,
        test.verdict,
    )


# --- as a spreadsheet -------------------------------------------------------------------------------------------


def sheets(overview: Overview) -> Sheets:
    """A row per pair, the better one of its more probable statement first."""
    ranks = overview.ranks
    head = ("algorithm", "p_best", "mean_rank", "expected_loss")
    body = [
        (ranks.algorithms[j], *(float(x[j]) for x in (ranks.p_best, ranks.mean_ranks, ranks.expected_loss)))
        for j in order(overview)
    ]
    return Sheets(pairs=_pair_columns(overview), ranking=[head, *body], cautions=overview.cautions)


def _pair_columns(overview: Overview) -> dict[str, list[Any]]:
    chosen = statements(overview)
    columns: dict[str, list[Any]] = {"a": [s.better for s in chosen], "b": [s.worse for s in chosen]}
    plain = ("probability", "joint", "joint_standard_error", "accepted", "verdict", "wins", "ties", "losses")
    columns |= {key: [getattr(s, key) for s in chosen] for key in plain}
    for key in ("probability_bounds", "joint_bounds"):
        if chosen and getattr(chosen[0], key) is not None:
            columns |= {f"{key}_{end}": [getattr(s, key)[i] for s in chosen] for i, end in enumerate(("low", "high"))}
    found = {frozenset((pair.a, pair.b)): pair for pair in overview.pairs}
    pairs_ = [found.get(frozenset((s.better, s.worse))) for s in chosen]
    for which in ("sign", "signed_rank"):
        if any(pair is not None and getattr(pair, which) is not None for pair in pairs_):
            for key in ("p_better", "p_equivalent", "p_worse"):
                columns[f"{which}_{key}"] = [_share(s, p, which, key) for s, p in zip(chosen, pairs_, strict=True)]
    return columns


def _share(s: Statement, pair: PairPosterior | None, which: str, key: str) -> float | None:
    posterior = None if pair is None else getattr(pair, which)
    if posterior is None:
        return None
    turned = {"p_better": "p_worse", "p_worse": "p_better"}
    return float(getattr(posterior, key if posterior.a == s.better else turned.get(key, key)))
