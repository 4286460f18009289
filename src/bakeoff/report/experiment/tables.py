"""The tables of an experiment's report: effects, looks, and every problem with its runs and standard error."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bakeoff import numerals
from bakeoff.report.document import Brief, Column, Row, Table
from bakeoff.report.experiment.sentences import amount
from bakeoff.report.sheets import Sheets
from bakeoff.running.analysis.pair_effect import PairEffect
from bakeoff.running.analysis.results import Analysis
from bakeoff.running.results import RunResult
from bakeoff.running.schedulers import REASONS

MOST = 2000  # problems listed; .csv has all
FOLDED = 25  # problems; a longer table is shown on demand
BRIEF = Brief(title="Pairs that differ", more="that differ", rest="without a shown difference")


def effects(result: RunResult) -> Table:
    """A row per pair."""
    found, percent = result.analysis, result.analysis.question.differences == "percent"
    several = len(found.pairs) > 1
    alpha = found.question.alpha
    rows = []
    for p in found.pairs:
        effect = p.effect
        share = effect is not None and effect.kind == "share of wins"
        value, interval, d = numerals.MISSING, numerals.MISSING, numerals.MISSING
        if effect is not None:
            value = amount(effect.estimate, percent and not share)
            interval = _interval(effect, percent and not share)
            d = numerals.MISSING if effect.standardized is None else numerals.decimals(effect.standardized, 3)
        cells = [numerals.plain(p.a), numerals.plain(p.b), p.verdict, _p(p.pvalue, alpha)]
        cells += [_p(p.adjusted, alpha)] if several else []
        rows.append(
            Row(cells=(*cells, value, interval, d), tone="strong" if p.verdict in ("a better", "b better") else "")
        )
    kinds = {p.effect.kind for p in found.pairs if p.effect is not None}
    kind = kinds.pop() if len(kinds) == 1 else "effect"
    columns = [
        Column(key="a", title="a"),
        Column(key="b", title="b"),
        Column(key="verdict", title="verdict", rank=4),
        Column(key="pvalue", title="p", numeric=True, strong=not several),
    ]
    if several:
        columns.append(Column(key="adjusted", title="p (Holm)", numeric=True, strong=True))
    level = f"{numerals.percent(1 - alpha)} interval"
    columns += [
        Column(key="effect", title=kind, numeric=True, rank=1),
        Column(key="interval", title=level, numeric=True, rank=3),
    ]
    if kind == "share of wins":
        note = "Share of the untied problems on which a is better; above one half, a wins more often."
        rows = [replace(row, cells=row.cells[:-1]) for row in rows]
    else:
        legend = "d: mean difference in standard deviations of the differences."
        note = f"Positive where a is better. {legend}"
        columns.append(Column(key="d", title="d", numeric=True, rank=2, legend=legend))
    if percent and kind != "share of wins":
        note += f" Per cent of {_reference(found, result)}."
    if found.question.sequential is not None:
        note += " The p-values allow for the looks, the intervals do not."
    elif several:
        note += " The intervals are not simultaneous."
    return Table(key="pairs", caption="Effect", columns=tuple(columns), rows=rows, note=note, brief=BRIEF)


def _reference(found: Analysis, result: RunResult) -> str:
    """What percent differences are divided by, problem by problem."""
    if found.question.control is None and len(result.algorithms) > 2:
        return "the mean of all algorithms on the problem"
    name = result.algorithms[0] if found.question.control is None else found.question.control
    return f"the {result.statistic} of {numerals.plain(name)} on the problem"


def _p(p: float | None, alpha: float) -> str:
    return numerals.MISSING if p is None else numerals.pvalue(p, alpha=alpha)


def _interval(effect: PairEffect, percent: bool) -> str:
    low, high = amount(effect.low, percent), amount(effect.high, percent)
    if abs(effect.high) > 1e300:
        return f"≥ {low}" if abs(effect.low) <= 1e300 else numerals.MISSING
    return f"≤ {high}" if abs(effect.low) > 1e300 else f"{low} … {high}"


def looks(result: RunResult) -> Table | None:
    """At which problems it was looked, and what was seen."""
    kept = result.analysis.looks
    if not kept:
        return None
    words = {"go on": "continue", "stop": "stop: decided", "end": "last look"}
    shown = kept if len(kept) <= FOLDED else (*kept[:3], *kept[-10:])
    rows = [
        Row(cells=(str(x.number), str(x.n), numerals.pvalue(x.statistic, alpha=x.threshold), words[x.verdict]))
        for x in shown
    ]
    note = "p allows for all planned looks; the experiment stops when it is at most α"
    note += " for every pair, after Holm." if len(result.analysis.pairs) > 1 else "."
    if len(shown) < len(kept):
        note += f" Shown: the first 3 and the last 10 of {len(kept)} looks."
    columns = (
        Column(key="look", title="look", numeric=True),
        Column(key="n", title="problems", numeric=True),
        Column(key="p", title="p", numeric=True, strong=True),
        Column(key="verdict", title="then"),
    )
    return Table(key="looks", caption="Looks at the first problems drawn, in their order", columns=columns, rows=rows,
                 note=note, folded=len(rows) > 8)  # fmt: skip


def problems(result: RunResult) -> Table:
    """Every problem: runs, difference, standard error, and why it ended."""
    percent = result.analysis.question.differences == "percent"
    single = len(result.analysis.pairs) == 1
    rows = []
    for e in result.estimates[:MOST]:
        cells = [numerals.plain(e.problem), " + ".join(map(str, e.n_runs))]
        if single:
            cells.append(numerals.MISSING if e.difference is None else amount(e.difference, percent))
        cells.append(numerals.MISSING if e.standard_error is None else amount(e.standard_error, percent))
        rows.append(Row(cells=(*cells, e.reason), tone="muted" if e.reason in ("budget", "error") else ""))
    pair = result.analysis.pair
    legend = f"Difference: positive where {numerals.plain(pair.a)} is better than {numerals.plain(pair.b)}."
    columns = [
        Column(key="problem", title="problem"),
        Column(key="runs", title="runs", numeric=True),
        *([Column(key="difference", title="difference", numeric=True, strong=True, legend=legend)] if single else []),
        Column(key="se", title="standard error", numeric=True),
        Column(key="reason", title="stopped by"),
    ]
    reasons = [f"{reason}: {REASONS[reason]}" for reason in result.reasons]
    note = f"{f'{legend} ' if single else ''}Runs of {' + '.join(map(numerals.plain, result.algorithms))}. "
    note += f"{'; '.join(reasons)}."
    if len(result.estimates) > MOST:
        note += f" The first {MOST} of {len(result.estimates)}; a report named .csv has all."
    return Table(key="problems", caption="Problem by problem", columns=tuple(columns), rows=rows, note=note,
                 folded=len(rows) > FOLDED)  # fmt: skip


def sheets(result: RunResult) -> Sheets:
    """For .csv and .xlsx: one row per problem and pair."""
    names = ("problem", "a", "b", "difference", "standard_error", "reason", *(f"runs_{n}" for n in result.algorithms))
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for e in result.estimates:
        for pair in e.pairs:
            cells = (e.problem, pair.a, pair.b, pair.difference, pair.standard_error, e.reason, *e.n_runs)
            for name, cell in zip(names, cells, strict=True):
                columns[name].append(cell)
    means = result.scores.values.mean(axis=0).tolist()
    ranking = [("algorithm", "mean_score"), *zip(result.algorithms, means, strict=True)]
    return Sheets(pairs=columns, ranking=ranking, cautions=(*result.analysis.cautions, *result.cautions))
