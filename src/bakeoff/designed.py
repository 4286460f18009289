"""The design of a table against what an analysis respects; what its numbers estimate; whether weights decide.

Every function that a record names passes through here: a feature of the table that the record does not name in
``respects`` is refused before the analysis sees a number.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import is_dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ParameterError, ScoreError, Severity, counted, listing
from bakeoff.places import load
from bakeoff.scores import Array, Scores
from bakeoff.scores.design import Estimand, Weights, shares
from bakeoff.special import ndtri
from bakeoff.words import is_one_of, positions_in_time

if TYPE_CHECKING:
    from bakeoff.analysis import Analysis

FEWEST_IN_TIME = 8
MOST_NAMED = 6
BY_CHANCE = 0.023
"""How often rows or runs that are independent seem to resemble the one before."""
SHARED_DATA = "cell='median'; a column called seed, if each run has data of its own"
FEWEST_IN_SERIES = 11
"""Rows that ``means.serial`` needs."""
FEATURES: dict[str, tuple[Callable[[Scores], str], str]] = {
    "tasks": (lambda s: counted(len(s.design.task_names), "task") if s.design.task_names else "", "weights='problems'"),
    "clusters": (lambda s: "problems in clusters" if s.design.has_clusters else "", "drop the column of clusters"),
    "runs": (lambda s: "" if s.runs is None else "several runs per cell", "cell='median'"),
    "unequal runs": (lambda s: "unequal numbers of runs" if np.ptp(s.n_runs[s.n_runs > 0]) else "", "cell='median'"),
    "folds": (lambda s: "runs that are folds" if _are_folds(s) and s.folds is None else "", SHARED_DATA),
    "sized folds": (lambda s: "" if s.folds is None else "folds with test sets of a known size", "cell='median'"),
    "runs in time": (lambda s: _runs_in_time(s), "cell='median'"),
    "one data set": (lambda s: "folds of one data set" if s.is_one_data_set else "", "give several data sets"),
    "series": (lambda s: "rows in time, judged as one series" if s.serial else "", "leave serial=True out"),
    "order": (lambda s: _in_time(s), "cluster=, a column of the month, the season or the like"),
    "missing": (lambda s: "missing scores" if s.holes.any() else "", "missing='drop'"),
    "metric": (lambda s: contributions(s), "a metric that is a mean over items, such as accuracy or brier"),
}
"""What a table may have: in words, empty where it has not; and what gives it up."""


OF_RUNS = ("folds", "sized folds", "runs in time")
"""Features by which runs are not independent; whoever averages them respects these."""


def refuse_by_claim(scores: Scores, record: Analysis, over: object) -> None:
    """The same of an analysis over problems, or with ``over="runs"``: their runs are the sample then. Problems are
    fixed, so that they may be in any order."""
    if over != "runs":
        return refuse_features(scores, record)
    respects = (record.respects | {"order"}) - set(OF_RUNS)
    of_runs = replace(record, function=f"{record.function} over='runs'", respects=respects)
    return refuse_features(scores, of_runs, "over='problems'")


def refuse_features(scores: Scores, record: Analysis, way: str = "") -> None:
    """A feature of the table that the analysis does not respect, or weights that it cannot have.

    ``way``: how to give it up, where that is not the usual one.
    """
    design = scores.design
    for name, (words, gives_up) in FEATURES.items():
        given_up = name == "tasks" and design.asked and design.weights == "problems"
        if name not in record.respects and not given_up and (feature := words(scores)):
            rule = f"has {feature}, which {record.function} does not respect. "
            raise ScoreError(rule + _ways_out(scores, record, name, way or gives_up), parameter="scores")
    if design.asked and "weights" not in record.respects and (usual := _usual(scores, record)) != design.weights:
        raise ParameterError(
            f"cannot be {design.weights!r} in {record.function}, where {usual} count equally. Leave it out, or use "
            f"{_others('weights', record)}",
            parameter="weights",
        )


def _are_folds(scores: Scores) -> bool:
    """By their kind; where no one says it, by the name of their column."""
    header = dict(scores.read_as.columns).get("run", "")
    named = scores.run_kind is None and is_one_of(header, "fold", "certain")
    return scores.runs is not None and (named or scores.run_kind == "split")


def _ways_out(scores: Scores, record: Analysis, name: str, gives_up: str) -> str:
    """What to do about a feature; rows in time may be one series, and folds of one data set have a test of pairs."""
    if name == "order" and contributions(scores):
        return f"Take a metric that is a mean over items, with serial=True, or give that up ({gives_up})"
    if name == "order" and scores.n_problems >= FEWEST_IN_SERIES and not scores.design.task_names:
        own = "Say serial=True, which judges means by independent averages of the series. Or give"
        start = own if "series" in record.respects else "Give"
        return f"{start} that up ({gives_up}), or use {_others('series', record)} with serial=True"
    if name == "folds" and "sized folds" in record.respects:
        own = "Say folds=, the share of the data that each one tests (folds='fold' of a file). Or give"
        return f"{own} that up ({gives_up}), or use {_others(name, record)}"
    return f"Give that up ({gives_up}), or use {_others(name, record)}"


def contributions(scores: Scores) -> str:
    """Rows that are no scores of their own, in words; "" if they are."""
    predicted = scores.predicted
    return "" if predicted is None or predicted.is_mean else f"contributions of items to the {predicted.label}"


def refuse_contributions(scores: Scores, function: str) -> None:
    """Refuse contributions in a function without a record, which takes each row for a score."""
    if what := contributions(scores):
        rule = f"holds {what}, which is no mean over items, and {function} takes each for a score. Use"
        takers = [r.function for r in load("analyses:all_analyses")() if "metric" in r.respects and r.computes]
        raise ScoreError(f"{rule} {', '.join(dict.fromkeys(takers))}", parameter="scores")


def _in_time(scores: Scores) -> str:
    """Rows in time whose differences resemble those of the row before: tests that take them as independent err.

    The lag-1 correlation of an algorithm's scores less the mean of all; above z/√n, one-sided at .023 for all of them.
    """
    n, k = scores.values.shape
    if (
        scores.serial
        or scores.order is None
        or n < FEWEST_IN_TIME
        or scores.design.has_clusters
        or not np.isfinite(scores.values).all()
    ):
        return ""
    away = (scores.values - scores.values.mean(axis=1, keepdims=True))[np.argsort(scores.order, kind="stable")]
    away = away - away.mean(axis=0)
    most = max(map(_lag, away.T), default=0.0)
    if most * math.sqrt(n) <= -float(ndtri(BY_CHANCE / max(1, k - 1))):
        return ""
    return f"rows in time whose differences resemble those of the row before (lag-1 correlation {most:.2f})"


def _lag(series: Array) -> float:
    """The lag-1 correlation of deviations from their mean; 0 where nothing varies."""
    squares = float((series**2).sum())
    return float((series[1:] * series[:-1]).sum()) / squares if squares else 0.0


def _runs_in_time(scores: Scores) -> str:
    """Runs in time that resemble the run before: tests that take them as independent err.

    The lag-1 correlations of all cells together; the mean of one is −1/n.
    """
    if scores.runs is None or scores.run_ids is None:
        return ""
    header, lags, total = dict(scores.read_as.columns).get("run", ""), [], 0.0
    for i, j in np.argwhere(scores.n_runs >= FEWEST_IN_TIME).tolist():
        n = int(scores.n_runs[i, j])
        cell, names = scores.runs[i, j, :n], [str(name) for name in scores.run_ids[i, j, :n]]
        places = positions_in_time(header, names) if np.isfinite(cell).all() else None
        if places is None:
            return ""
        lags.append(_lag((cell - cell.mean())[np.argsort(places, kind="stable")]))
        total += (lags[-1] + 1.0 / n) * math.sqrt(n)
    if total <= -float(ndtri(BY_CHANCE)) * math.sqrt(len(lags)):
        return ""
    return f"runs in time that resemble the run before (lag-1 correlation {sum(lags) / len(lags):.2f})"


def _others(feature: str, record: Analysis) -> str:
    every = load("analyses:all_analyses")()
    names = [r.function for r in every if feature in r.respects and r.computes and r.kind != record.kind]
    return listing(list(dict.fromkeys(names)), MOST_NAMED) if names else "another program"


def _usual(scores: Scores, record: Analysis) -> Weights:
    """What counts equally in an analysis that has no choice."""
    return "clusters" if record.estimates == "ranks of clusters" and scores.design.has_clusters else "problems"


def estimand_of(record: Analysis, result: Any) -> Estimand | None:
    """What the numbers of a result are about; None of one that is about no table of scores."""
    if ":" in record.estimates:
        estimand: Estimand | None = load(record.estimates)(result)
        return estimand
    scores = getattr(result, "scores", None)
    if not record.estimates or not isinstance(scores, Scores):
        return None
    if scores.is_one_data_set:
        return of_folds(scores)
    if record.estimates == "means" or scores.serial:
        return of_means(scores)
    alone = getattr(result, "unit", None) == "problem"
    return Estimand(weights="problems" if alone else _usual(scores, record), runs=averaged_runs(scores))


def of_means(scores: Scores, what: str = "", runs: str | None = None) -> Estimand:
    """The mean of scores by the weights of the design; ``what``: what is averaged, if not the scores."""
    design = scores.design
    sizes = list(Counter(design.tasks or ()).values())
    over = {
        "tasks": f"{counted(len(sizes), 'task')}{_sizes(sizes)}",
        "clusters": counted(len(set(design.clusters or ())), "cluster"),
        "problems": f"{counted(scores.n_problems, 'row')} in time"
        if scores.serial
        else counted(scores.n_problems, "problem"),
    }[design.weights]
    own = scores.metric or "score" if contributions(scores) else f"mean {scores.metric or 'score'}"
    return Estimand(
        what=what or own,
        over=over + _as_in_files(scores),
        weights="rows" if scores.serial else design.weights,
        runs=averaged_runs(scores) if runs is None else runs,
    )


def _as_in_files(scores: Scores) -> str:
    """Whose value in the files shows these weights: that of a group of tasks."""
    group = scores.read_as.weighted_as
    return f", weighted as {group[0]} in the results files" if scores.design.weights in group[1:] else ""


def of_folds(scores: Scores) -> Estimand:
    """The mean over the folds of one data set, which says nothing of another one."""
    share = f"test sets of {100 * (scores.folds or 0.0):.3g} % of the data; about this data set only"
    folds = f"{counted(int(scores.n_runs.max()), 'fold')} of one data set"
    return Estimand(what=f"mean {scores.metric or 'score'}", over=folds, weights="folds", runs=share)


def _sizes(sizes: list[int]) -> str:
    if len(sizes) > 4:
        return f" ({min(sizes)} to {max(sizes)} problems)"
    return f" ({', '.join(map(str, sizes[:-1]))} and {sizes[-1]} problems)" if len(sizes) > 1 else ""


def averaged_runs(scores: Scores) -> str:
    """``each score is the mean of 10 runs``; of runs inside runs, that they were averaged first."""
    inner = scores.read_as.averaged
    if scores.runs is None:
        return f"each score is the mean over {', '.join(inner)}" if inner else ""
    low, high = int(scores.n_runs[~scores.holes].min()), int(scores.n_runs.max())
    noun = "run" if scores.folds is None else "fold"
    several = counted(high, noun) if low == high else f"{low} to {high} {noun}s"
    return f"each score is the mean of {several}" + (f", each the mean over {', '.join(inner)}" if inner else "")


def with_weights_decide(record: Analysis, result: Any) -> Any:
    """The result with the caution ``weights-decide``, where other weights turn the order of the first two."""
    estimand = estimand_of(record, result) if is_dataclass(result) else None
    scores = getattr(result, "scores", None)
    if estimand is None or not isinstance(scores, Scores) or not hasattr(result, "cautions"):
        return result
    if any(caution.code == "weights-decide" for caution in result.cautions):
        return result
    turned = weights_decide(scores, record, estimand)
    return result if turned is None else replace(result, cautions=(turned, *result.cautions))


def weights_decide(scores: Scores, record: Analysis, estimand: Estimand) -> Caution | None:
    """The caution, where other weights turn the order of the first two algorithms of a table."""
    design = scores.design
    named = {"tasks": bool(design.task_names), "problems": True, "clusters": design.has_clusters}
    others = [weights for weights, there in named.items() if there and weights != estimand.weights]
    if not others or estimand.weights not in named or scores.holes.any() or not np.isfinite(scores.values).all():
        return None
    costs = scores.costs if contributions(scores) or _is_mean(estimand) else load("ranks:doubled_ranks")(scores) / 2.0
    own, n = shares(design, estimand.weights, scores.n_problems) @ costs, scores.n_problems
    a, b = np.argsort(own, kind="stable")[:2].tolist()
    slack = 1e-12 * float(np.abs(costs).max())
    for weights in others:
        means = shares(design, weights, n) @ costs
        if own[b] - own[a] > slack and means[a] - means[b] > slack:
            severity: Severity = "warning" if design.asked else "stop"
            about = {"first": scores.algorithms[a], "second": scores.algorithms[b], "own": estimand.weights}
            words = about | {"other": weights} | _words(record, estimand, weights)
            return caution_of("weights-decide", severity=severity, **words)
    return None


def _is_mean(estimand: Estimand) -> bool:
    """Is it a mean of scores, and not of ranks, or a share of problems?"""
    return "mean" in estimand.what and estimand.what != "mean rank"


def _words(record: Analysis, estimand: Estimand, other: str) -> dict[str, str]:
    """What is ordered, and how to say which weights are meant."""
    what = "mean" if _is_mean(estimand) else "mean rank"
    if "weights" in record.respects:
        return {"what": what, "ways": f"Say which you mean: weights='{other}' or weights='{estimand.weights}'."}
    return {"what": what, "ways": f"If you mean these, bo.evaluate compares means in which {other} count equally."}
