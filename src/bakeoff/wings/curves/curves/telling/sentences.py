"""What curves say in words."""

import numpy as np

from bakeoff import numerals
from bakeoff.means.run_means import CLAIMS
from bakeoff.report import sections
from bakeoff.report.document import Text
from bakeoff.report.methods import joined, problem_count, sample, software, text
from bakeoff.wings.curves.curves.statistics import CurvePair, Curves
from bakeoff.wings.curves.curves.statistics.segments import stretch


def differs_somewhere(pair: CurvePair) -> bool:
    """Was a difference shown somewhere?"""
    return bool(pair.segments)


def budget_span(result: Curves) -> str:
    """``from 10 to 5000 evaluations``."""
    return stretch(float(result.t[0]), float(result.t[-1]), result.table.budget_name)


def verdict(result: Curves) -> str:
    """Who is better than whom, from which budget to which, and of what that is said."""
    return f"{_findings(result)[:-1]}{CLAIMS[result.over]}."


def _findings(result: Curves) -> str:
    if not result.reachable:
        units = numerals.count(result.n_units, result.unit)
        return f"This experiment cannot tell: with {units} no outcome could show a difference at {result.alpha:g}."
    if len(result.pairs) == 1:
        [pair] = result.pairs
        if pair.segments:
            return f"{pair.verdict}."
        return (
            f"No difference shown between {numerals.plain(pair.a)} and {numerals.plain(pair.b)} {budget_span(result)}."
        )
    name = result.control if result.control is not None else result.table.algorithms[result.ranked[0]]
    shown = sum(map(differs_somewhere, result.pairs))
    if not shown and result.control is not None:
        return f"{numerals.plain(name)} is not shown to differ from any other {budget_span(result)}."
    if not shown:
        best = f"{numerals.plain(name)} is the best by area under the curve"
        return f"No difference is shown in any of {len(result.pairs)} pairs {budget_span(result)}; {best}."
    of_all = f"{shown} of {len(result.pairs)} pairs {'differs' if shown == 1 else 'differ'} somewhere"
    better, worse = against(result, name, True), against(result, name, False)
    sentence = numerals.plain(name)
    what = "" if result.control is not None else ", the best by area under the curve,"
    if better or worse:
        m = len(result.table.algorithms) - 1
        parts = [sections.better_and_worse(better, [], m)] if better else []
        parts += [sections.better_and_worse([], worse, m)] if worse else []
        sentence += f"{what} is {', and '.join(f'{part} at some budgets' for part in parts)}"
    else:
        sentence += f"{what} is not shown to differ from any other at any budget"
    return f"{sentence}; {of_all} {budget_span(result)}."


def against(result: Curves, name: str, better: bool) -> list[str]:
    """Whom it beats (or who beats it) somewhere."""
    listed = []
    for pair in result.pairs:
        if name in (pair.a, pair.b):
            own = "a" if pair.a == name else "b"
            if any((s.better == own) == better for s in pair.segments):
                listed.append(numerals.plain(pair.b if own == "a" else pair.a))
    return listed


def basis(result: Curves) -> str:
    """What the verdict rests on."""
    pairs = "" if len(result.pairs) == 1 else f"{len(result.pairs)} pairs and "
    how = "Runs within problems" if result.over == "runs" else f"Sign flips of {result.unit}s"
    return (
        f"{how}, largest |t| over {pairs}{numerals.count(len(result.t), 'budget')}, "
        f"family-wise α = {result.alpha:g}; {problem_count(result.scores)}; {result.table.better} scores are better."
    )


def scores_words(result: Curves) -> str:
    """``log10 score``."""
    return numerals.plain(result.scores.metric or "score")


def runs_words(result: Curves) -> str:
    """What one curve is."""
    table = result.table
    low, high = table.n_runs
    of_runs = "one run" if high == 1 else f"{low} runs" if low == high else f"{low} to {high} runs"
    kept = "best score so far" if table.best_so_far else "latest score"
    how = f"the {table.cell} of {of_runs}" if high > 1 else of_runs
    log = ", as logarithm to base 10" if table.scale == "log" else ""
    grid = f"{numerals.count(len(result.t), 'budget')} {budget_span(result)}"
    sentence = f"Each curve is {how} on one problem, the {kept}{log}, at {grid}"
    if table.target is not None:
        sentence += f"; a run that reached {numerals.significant(table.target, 6)} keeps it"
    return f"{sentence}. "


def methods(result: Curves) -> Text:
    """The paragraph for a paper."""
    if result.over == "runs":
        return joined(sample(result.scores), text(_of_runs(result) + _area(result)), (runs_words(result),), software())
    each = f"all signs of the {result.unit}s" if result.exact else f"{result.n_resamples} choices of signs"
    unit = "clusters, whose problems were averaged" if result.unit == "cluster" else "problems"
    pairs = "all budgets" if len(result.pairs) == 1 else f"all {len(result.pairs)} pairs and all budgets"
    paragraph = (
        f"Paired differences were tested at all budgets at once: the signs of whole curves of {unit} were flipped "
        f"({each}, the same for {pairs}). P-values were adjusted by the step-down procedure for the largest |t| over "
        f"{pairs} [@westfallyoung1993]. The family-wise error is at most {result.alpha:g} if the differences are "
        "symmetric. "
    )
    return joined(sample(result.scores), text(paragraph + _area(result)), (runs_words(result),), software())


def _area(result: Curves) -> str:
    axis = "the logarithm of the budget" if result.table.spacing == "log" else "the budget"
    return f"The area under a curve is its mean height over {axis}. "


def _of_runs(result: Curves) -> str:
    pairs = "all budgets" if len(result.pairs) == 1 else f"all {len(result.pairs)} pairs and all budgets"
    return (
        "The problems were treated as fixed, and the runs on each as a sample. Standard errors are those of runs "
        "within problems, with Satterthwaite's degrees of freedom, the fewest over all budgets. Where numbers of runs "
        "differ, errors of differences are at least Student's. Differences between "
        f"mean curves were judged by the distribution of the largest |t| over {pairs} [@gameshowell1976]. It was "
        f"sampled {result.n_resamples} times from Gaussian curves with the covariance of the runs; α = "
        f"{result.alpha:g} for the family. "
    ) + _of_middle(result)


def _of_middle(result: Curves) -> str:
    if not result.interquartile:
        return ""
    return (
        "Interquartile means of all runs [@agarwal2021] have errors by the Winsorized contributions of the runs within "
        "problems, and bands that hold at all budgets of an algorithm at once. "
    )


def budget_line(result: Curves, budget: float) -> str:
    """``At 1000 evaluations: A 0.12, B 0.31 (means over problems).``"""
    values = result.fixed_budget(budget).values
    log = result.table.scale == "log"
    means = (10.0 ** np.log10(values).mean(axis=0) if log else values.mean(axis=0)).tolist()
    each = ", ".join(
        f"{numerals.plain(name)} {value}"
        for name, value in zip(result.table.algorithms, numerals.equal_decimals(means), strict=True)
    )
    where = stretch(budget, budget, result.table.budget_name)
    return f"{where[0].upper()}{where[1:]}: {each} ({'geometric mean' if log else 'mean'} scores over problems)."


def target_line(result: Curves, target: float) -> str:
    """``To 0.01: A 320 evaluations (95 % 210 to 540; 12 of 12 runs), …``"""
    time = result.running_time(target, rng=result.rng)
    each = []
    for j, name in enumerate(time.algorithms):
        low, high = (numerals.score(float(x)) for x in time.interval[j])
        reached = f"{int(time.successes[:, j].sum())} of {int(time.trials[:, j].sum())} runs"
        mean = numerals.score(float(time.pooled[j]))
        each.append(f"{numerals.plain(name)} {mean} ({low} to {high}; {reached})")
    level = numerals.percent(time.confidence_level)
    units = "problems" if result.over == "runs" else f"{result.unit}s"
    return (
        f"Expected {numerals.plain(result.table.budget_name)} to {numerals.significant(target, 6)}, all problems "
        f"together ({level} bootstrap interval of each over {units}): {', '.join(each)}."
    )
