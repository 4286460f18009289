"""The tables of an experiment's report: effects, looks, and every problem with its runs and standard error."""

from collections.abc import Callable
from typing import Any

from bakeoff import numerals
from bakeoff.report.document import Brief, Sheets, Shown, Table, numeric, tabulate, words
from bakeoff.report.experiment.sentences import DECIDED, amount
from bakeoff.running.analysis.pair_effect import PairEffect
from bakeoff.running.analysis.results import ExperimentAnalysis, PairAnalysis
from bakeoff.running.results import Estimate, RunResult
from bakeoff.running.schedulers import REASONS
from bakeoff.running.store.contents import StoredLook

MOST = 2000  # problems listed; .csv has all
FOLDED = 25  # problems; a longer table is shown on demand
BRIEF = Brief(title="Pairs that differ", more="that differ", rest="without a shown difference")


def effects(result: RunResult) -> Table:
    """A row per pair."""
    found, alpha = result.analysis, result.analysis.question.alpha
    several = len(found.pairs) > 1
    kinds = {p.effect.kind for p in found.pairs if p.effect is not None}
    kind = kinds.pop() if len(kinds) == 1 else "effect"
    percent = found.question.differences == "percent"

    def write(said: Callable[[PairEffect], str]) -> Callable[[PairAnalysis], str]:
        return lambda p: numerals.MISSING if p.effect is None else said(p.effect)

    def in_percent(effect: PairEffect) -> bool:
        return percent and effect.kind != "share of wins"

    def standardized(effect: PairEffect) -> str:
        return numerals.MISSING if effect.standardized is None else numerals.decimals(effect.standardized, 3)

    adjusted: Shown[PairAnalysis] = numeric("adjusted", "p (Holm)", lambda p: _p(p.adjusted, alpha), strong=True)
    level = f"{numerals.percent(1 - alpha)} interval"
    shown: list[Shown[PairAnalysis]] = [
        words("a", "a", lambda p: numerals.plain(p.a)),
        words("b", "b", lambda p: numerals.plain(p.b)),
        words("verdict", "verdict", lambda p: p.verdict, rank=4),
        numeric("pvalue", "p", lambda p: _p(p.pvalue, alpha), strong=not several),
        *([adjusted] if several else []),
        numeric("effect", kind, write(lambda e: amount(e.estimate, in_percent(e))), rank=1),
        numeric("interval", level, write(lambda e: _interval(e, in_percent(e))), rank=3, in_paper=True),
    ]
    if kind == "share of wins":
        note = "Share of the untied problems on which a is better; above one half, a wins more often."
    else:
        legend = "d: mean difference in standard deviations of the differences."
        note = f"Positive where a is better. {legend}"
        shown.append(numeric("d", "d", write(standardized), rank=2, legend=legend, in_paper=True))
        note += f" Per cent of {_reference(found, result)}." if percent else ""
    if found.question.sequential is not None:
        note += " The p-values allow for the looks, the intervals do not."
    elif several:
        note += " The intervals are not simultaneous."
    return tabulate(
        "pairs", "Effect", shown, found.pairs, strong=lambda p: p.verdict in DECIDED, note=note, brief=BRIEF
    )


def _reference(found: ExperimentAnalysis, result: RunResult) -> str:
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
    then = {"go on": "continue", "stop": "stop: decided", "end": "last look"}
    rows = kept if len(kept) <= FOLDED else (*kept[:3], *kept[-10:])
    note = "p allows for all planned looks; the experiment stops when it is at most α"
    note += " for every pair, after Holm." if len(result.analysis.pairs) > 1 else "."
    if len(rows) < len(kept):
        note += f" Shown: the first 3 and the last 10 of {len(kept)} looks."
    shown: list[Shown[StoredLook]] = [
        numeric("look", "look", lambda x: str(x.number)),
        numeric("n", "problems", lambda x: str(x.n)),
        numeric("p", "p", lambda x: numerals.pvalue(x.statistic, alpha=x.threshold), strong=True),
        words("verdict", "then", lambda x: then[x.verdict]),
    ]
    caption = "Looks at the first problems drawn, in their order"
    return tabulate("looks", caption, shown, rows, note=note, folded=len(rows) > 8)


def problems(result: RunResult) -> Table:
    """Every problem: runs, difference, standard error, and why it ended."""
    percent = result.analysis.question.differences == "percent"
    single, pair = len(result.analysis.pairs) == 1, result.analysis.pair
    legend = f"Difference: positive where {numerals.plain(pair.a)} is better than {numerals.plain(pair.b)}."

    def size(value: float | None) -> str:
        return numerals.MISSING if value is None else amount(value, percent)

    difference: Shown[Estimate] = numeric(
        "difference", "difference", lambda e: size(e.difference), strong=True, legend=legend
    )
    shown: list[Shown[Estimate]] = [
        words("problem", "problem", lambda e: numerals.plain(e.problem)),
        numeric("runs", "runs", lambda e: " + ".join(map(str, e.n_runs))),
        *([difference] if single else []),
        numeric("se", "standard error", lambda e: size(e.standard_error)),
        words("reason", "stopped by", lambda e: e.reason),
    ]
    reasons = [f"{reason}: {REASONS[reason]}" for reason in result.reasons]
    note = f"{f'{legend} ' if single else ''}Runs of {' + '.join(map(numerals.plain, result.algorithms))}. "
    note += f"{'; '.join(reasons)}."
    if len(result.estimates) > MOST:
        note += f" The first {MOST} of {len(result.estimates)}; a report named .csv has all."
    listed = result.estimates[:MOST]
    return tabulate(
        "problems",
        "Problem by problem",
        shown,
        listed,
        muted=lambda e: e.reason in ("budget", "error"),
        note=note,
        folded=len(listed) > FOLDED,
    )


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
