"""The tables of an experiment's report: effects, looks, and every problem with its runs and standard error."""

from collections.abc import Callable

from bakeoff import numerals
from bakeoff.plan.differences import KINDS, Kind
from bakeoff.report.document import ColumnSpec, DecidedOnly, Table, equal_column, number_column, tabulate, text_column
from bakeoff.report.reporting import Columns, Rows, sheet_columns
from bakeoff.wings.run._run import Estimate, RunResult
from bakeoff.wings.run.analysis.results import ExperimentAnalysis, PairAnalysis, PairEffect
from bakeoff.wings.run.run.reporting.sentences import DECIDED, tested_centre
from bakeoff.wings.run.schedulers import REASONS
from bakeoff.wings.run.store.contents import StoredLook

MOST = 2000  # problems listed; .csv has all
FOLDED = 25  # problems; a longer table is shown on demand
BRIEF = DecidedOnly(title="Pairs that differ", more="that differ", rest="without a shown difference")


def effects(result: RunResult) -> Table:
    """A row per pair."""
    analysis, alpha = result.analysis, result.analysis.question.alpha
    several = len(analysis.pairs) > 1
    kinds = {p.effect.kind for p in analysis.pairs if p.effect is not None}
    kind = kinds.pop() if len(kinds) == 1 else "effect"
    q, of = analysis.question, analysis.question.kind

    def write(words_of: Callable[[PairEffect], str]) -> Callable[[PairAnalysis], str]:
        return lambda p: numerals.MISSING if p.effect is None else words_of(p.effect)

    def unit(effect: PairEffect) -> Kind:
        return KINDS["simple"] if effect.kind == "share of wins" else of

    def standardized(effect: PairEffect) -> str:
        return numerals.MISSING if effect.standardized is None else numerals.decimals(effect.standardized, 3)

    adjusted: ColumnSpec[PairAnalysis] = number_column(
        "adjusted", "p (Holm)", lambda p: _p(p.adjusted, alpha), strong=True
    )
    level = f"{numerals.percent(1 - alpha)} interval"
    shown: list[ColumnSpec[PairAnalysis]] = [
        text_column("a", "a", lambda p: numerals.plain(p.a)),
        text_column("b", "b", lambda p: numerals.plain(p.b)),
        text_column("verdict", "verdict", lambda p: p.verdict, rank=4),
        number_column("pvalue", "p", lambda p: _p(p.pvalue, alpha), strong=not several),
        *([adjusted] if several else []),
        number_column("effect", kind, write(lambda e: unit(e).written(e.estimate)), rank=1),
        number_column("interval", level, write(lambda e: _interval(e, unit(e))), rank=3, in_paper=True),
    ]
    if kind == "share of wins":
        note = "Share of the untied problems on which a is better; above one half, a wins more often."
        if not q.about_equality:
            note = f"Share of the problems, without ties, on which a is better by more than {q.null_words}."
    else:
        legend = "d: mean difference in standard deviations of the differences."
        if not q.about_equality:
            legend = f"d: mean difference, less {q.null_words}, in standard deviations of the differences."
        note = f"Positive where a is better. {legend}"
        if of.logs:
            legend = legend.replace("difference", "log ratio")
            note = f"Above × 1 where a is better: exp of the mean difference of logarithms. {legend}"
        shown.append(number_column("d", "d", write(standardized), rank=2, legend=legend, in_paper=True))
        note += f" Per cent of {_reference(analysis, result)}." if of.relative else ""
        note += "" if q.about_equality else f" The intervals are of the {tested_centre(q)}, whatever the null value."
    if analysis.question.sequential is not None:
        note += " The p-values allow for the looks, the intervals do not."
    elif several:
        note += " The intervals are not simultaneous."
    return tabulate(
        "pairs", "Effect", shown, analysis.pairs, strong=lambda p: p.verdict in DECIDED, note=note, brief=BRIEF
    )


def _reference(analysis: ExperimentAnalysis, result: RunResult) -> str:
    """Name what percent differences are divided by, problem by problem."""
    if analysis.question.control is None and len(result.algorithms) > 2:
        return "the mean of all algorithms on the problem"
    name = result.algorithms[0] if analysis.question.control is None else analysis.question.control
    return f"the {result.statistic} of {numerals.plain(name)} on the problem"


def _p(p: float | None, alpha: float) -> str:
    return numerals.MISSING if p is None else numerals.pvalue(p, alpha=alpha)


def _interval(effect: PairEffect, kind: Kind) -> str:
    low, high = kind.written(effect.low), kind.written(effect.high)
    open_low = effect.low == 0 if kind.logs else abs(effect.low) > 1e300
    if abs(effect.high) > 1e300:
        return numerals.MISSING if open_low else f"≥ {low}"
    return f"≤ {high}" if open_low else f"{low} … {high}"


def interim_looks(result: RunResult) -> Table | None:
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
    shown: list[ColumnSpec[StoredLook]] = [
        number_column("look", "look", lambda x: str(x.number)),
        number_column("n", "problems", lambda x: str(x.n)),
        number_column("p", "p", lambda x: numerals.pvalue(x.statistic, alpha=x.threshold), strong=True),
        text_column("verdict", "then", lambda x: then[x.verdict]),
    ]
    caption = "Looks at the first problems drawn, in their order"
    return tabulate("looks", caption, shown, rows, note=note, folded=len(rows) > 8)


def problems(result: RunResult) -> Table:
    """Every problem: runs, difference, standard error, and why it ended."""
    kind = result.analysis.question.kind
    single, pair = len(result.analysis.pairs) == 1, result.analysis.pair
    of = "of mean logarithms, " if kind.logs else ""
    legend = f"Difference: {of}positive where {numerals.plain(pair.a)} is better than {numerals.plain(pair.b)}."

    listed = result.estimates[:MOST]

    def sizes(key: str, title: str, of: Callable[[Estimate], float | None]) -> ColumnSpec[Estimate]:
        strong = key == "difference"
        if not kind.relative:
            return equal_column(key, title, listed, of, strong=strong, legend=legend if strong else "")

        def write(e: Estimate) -> str:
            return numerals.MISSING if (value := of(e)) is None else kind.written(value)

        return number_column(key, title, write, strong=strong, legend=legend if strong else "")

    shown: list[ColumnSpec[Estimate]] = [
        text_column("problem", "problem", lambda e: numerals.plain(e.problem)),
        number_column("runs", "runs", lambda e: " + ".join(map(str, e.n_runs))),
        *([sizes("difference", "difference", lambda e: e.difference)] if single else []),
        sizes("se", "standard error", lambda e: e.standard_error),
        text_column("reason", "stopped by", lambda e: e.reason),
    ]
    reasons = [f"{reason}: {REASONS[reason]}" for reason in result.reasons]
    note = f"{f'{legend} ' if single else ''}Runs of {' + '.join(map(numerals.plain, result.algorithms))}. "
    note += f"{'; '.join(reasons)}."
    if len(result.estimates) > MOST:
        note += f" The first {MOST} of {len(result.estimates)}; a report named .csv has all."
    return tabulate(
        "problems",
        "Problem by problem",
        shown,
        listed,
        muted=lambda e: e.reason in ("budget", "error"),
        note=note,
        folded=len(listed) > FOLDED,
    )


def pair_columns(result: RunResult) -> Columns:
    """For .csv and .xlsx: one row per problem and pair."""
    rows = [(e, pair) for e in result.estimates for pair in e.pairs]
    of_pairs = sheet_columns([pair for _, pair in rows], "a", "b", "difference", "standard_error")
    runs = {f"runs_{name}": [e.n_runs[i] for e, _ in rows] for i, name in enumerate(result.algorithms)}
    of_problems = [e for e, _ in rows]
    return sheet_columns(of_problems, "problem") | of_pairs | sheet_columns(of_problems, "reason") | runs


def mean_scores(result: RunResult) -> Rows:
    """The mean score of each algorithm."""
    means = result.scores.values.mean(axis=0).tolist()
    return [("algorithm", "mean_score"), *zip(result.algorithms, means, strict=True)]
