"""curves(): from which budget to which is one algorithm better than another?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from bakeoff.checks import N_RESAMPLES, choice, draw_count, flag, number, probability
from bakeoff.designed import refuse_by_claim, with_weights_decide
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError, by_severity
from bakeoff.means.run_means import CLAIMS, Over, refuse_single_runs
from bakeoff.means.strata import Stratum, design_strata
from bakeoff.places import load
from bakeoff.randomness import generator, integer_seed
from bakeoff.scores import Array, Better, Scores
from bakeoff.scores.clusters import Codes, codes_of
from bakeoff.scores.design import Weights, check_weights
from bakeoff.scores.pair_family import Family, family_of
from bakeoff.scores.read_as import LONG
from bakeoff.scores.source_cautions import files_not_taken
from bakeoff.wings.curves.curves.statistics.budgets import (
    Spacing,
    area_weights,
    budget_grid,
    curve_sentence,
    shown_segments,
)
from bakeoff.wings.curves.curves.statistics.cautions import curve_cautions, interquartile_cautions
from bakeoff.wings.curves.curves.statistics.curve_tests import (
    InterquartileCurve,
    RunsAlong,
    StepDown,
    interquartile_curves,
    judged_by_runs,
    step_down,
)
from bakeoff.wings.curves.curves.statistics.readers import ALL, are_logs, log_trajectories, table_trajectories
from bakeoff.wings.curves.curves.statistics.results import Cell, CurvePair, Curves, CurveTable, Scale, scores_of_runs
from bakeoff.wings.curves.even_runs import are_even, drawn_evenly
from bakeoff.wings.curves.trajectories import RunChoice, Trajectories

_TIED = 16 * np.finfo(np.float64).eps  # of the larger score: differences that decimals do not have
MOST_NUMBERS = 1 << 26


def judged_curves(
    table: CurveTable,
    control: str | int | None = None,
    alpha: float = 0.05,
    unit: Literal["cluster", "problem"] | None = None,
    n_resamples: int = N_RESAMPLES,
    rng: int | None = None,
    over: Over = "problems",
    interquartile: bool = False,
) -> Curves:
    """The arguments are checked; ``rng`` is a seed."""
    alpha = probability("alpha", alpha)
    n_resamples = draw_count("n_resamples", n_resamples, math.ceil(1 / alpha))
    scores = _scores(table, table.values[:, :, -1])
    column = None if control is None else scores.index(control, "control")
    choice("over", over, tuple(CLAIMS))
    if flag("interquartile", interquartile) and over != "runs":
        raise ParameterError(f"is over runs, and needs over='runs'; got over={over!r}", parameter="interquartile")
    if unit is not None:
        choice("unit", unit, ("cluster", "problem"))
    family = family_of(len(table.algorithms), column)
    judge = _over_runs if over == "runs" else _over_problems
    used, n_units, means, tested, strata = judge(table, scores, family, unit, n_resamples, rng)
    reachable = used == "run" or (2.0 ** (1 - n_units) <= alpha and all(s.decides for s in strata))
    along: tuple[InterquartileCurve, ...] = ()
    if interquartile and table.runs is not None:
        n, names = len(table.problems), table.algorithms
        own = None if table.design.weights == "problems" else table.relative / n
        along = interquartile_curves(table.runs, n, names, alpha, generator(rng), n_resamples, own)
    pairs = tuple(_pair(table, pair, means[i], tested, i, alpha, reachable) for i, pair in enumerate(family))
    result = Curves(
        table=table,
        scores=scores,
        area=_scores(table, table.values @ area_weights(table.t, table.spacing)),
        control=None if column is None else scores.algorithms[column],
        alpha=alpha,
        unit=used,
        n_units=n_units,
        n_resamples=n_resamples,
        rng=rng,
        over=over,
        exact=tested.exact,
        reachable=reachable,
        pairs=pairs,
        interquartile=along,
        cautions=(
            *curve_cautions(table, used, n_units, reachable, alpha, tested, pairs, strata),
            *interquartile_cautions(table, along),
        ),
    )
    decided: Curves = with_weights_decide(load("analyses:by_function")()["bo.curves"], result)
    return decided


Judged = tuple[Literal["cluster", "problem", "run"], int, Array, StepDown, list[Stratum]]
"""What is independent, how many of them, (P, T) differences, positive where the first is better, their tests, and the
units of each task."""


def _over_problems(
    table: CurveTable, scores: Scores, family: Family, unit: str | None, n_resamples: int, rng: int | None
) -> Judged:
    """Problems, or clusters of them, are the sample."""
    by_cluster = unit != "problem" and table.clusters is not None
    used: Literal["cluster", "problem"] = "cluster" if by_cluster else "problem"
    codes = codes_of(table.clusters) if by_cluster and table.clusters is not None else np.arange(len(table.problems))
    groups = int(codes.max()) + 1
    if groups < 2:
        raise ScoreError(f"has one {used} only; a test over {used}s needs two or more", parameter="table")
    if groups * len(family) * len(table.t) > MOST_NUMBERS:
        raise ScoreError(
            f"has {len(family)} pairs at {len(table.t)} budgets on {groups} {used}s, more than can be judged at once; "
            "use a coarser grid (grid=100) or a control",
            parameter="table",
        )
    differences = _differences(table, family, codes)
    strata = design_strata(table.design, codes, np.arange(len(codes)))
    return used, groups, differences.mean(axis=0), step_down(differences, generator(rng), n_resamples), strata


def _over_runs(
    table: CurveTable, scores: Scores, family: Family, unit: str | None, n_resamples: int, rng: int | None
) -> Judged:
    """The problems as given: their runs are the sample."""
    if unit is not None:
        raise ParameterError(f"is of over='problems'; over='runs' counts runs. Got {unit!r}", parameter="unit")
    n, k = table.values.shape[:2]
    if table.runs is None:
        raise ScoreError("has no runs, of which over='runs' speaks", parameter="table")
    counts = table.runs.counts(n * k).reshape(n, k)
    refuse_single_runs(scores, counts, "over='problems'", "table")
    sign = 1.0 if table.better == "higher" else -1.0
    means, tested = judged_by_runs(table.runs, table.relative, table.algorithms, family, generator(rng), n_resamples)
    turned = replace(tested, statistic=sign * tested.statistic + 0.0)
    return "run", int(counts.sum(axis=0).min()), sign * means + 0.0, turned, []


def _pair(
    table: CurveTable, pair: tuple[int, int], means: Array, tested: StepDown, i: int, alpha: float, reachable: bool
) -> CurvePair:
    a, b = (table.algorithms[j] for j in pair)
    segments = shown_segments(table.t, means, tested.adjusted[i], alpha) if reachable else ()
    return CurvePair(
        a=a,
        b=b,
        difference=means,
        statistic=tested.statistic[i],
        pvalue=tested.pvalue[i],
        adjusted=tested.adjusted[i],
        segments=segments,
        verdict=curve_sentence(a, b, segments, table.t, table.budget_name, reachable),
    )


def _differences(table: CurveTable, family: list[tuple[int, int]], codes: Codes) -> Array:
    """(G, P, T) positive where a is better, whose mean is that of the design: of problems, or sums over a cluster.

    The units are in the order of their content, so that neither sums nor drawn signs depend on the order of rows.
    """
    sign = 1.0 if table.better == "higher" else -1.0
    groups = int(codes.max()) + 1
    weights = groups / len(codes) * table.relative[:, None]
    differences = np.empty((groups, len(family), len(table.t)))
    for i, (a, b) in enumerate(family):
        x, y = table.values[:, a], table.values[:, b]
        d = sign * (x - y)
        d[np.abs(d) <= _TIED * np.maximum(np.abs(x), np.abs(y))] = 0.0
        differences[:, i] = d if (weights == 1).all() else _cluster_sums(weights * d, codes, groups)
    differences += 0.0  # no −0.0
    sizes = np.sort(np.abs(differences.reshape(groups, -1)), axis=1)  # the same for any order of algorithms
    return differences[sorted(range(groups), key=lambda g: (sizes[g].tobytes(), differences[g].tobytes()))]


def _cluster_sums(d: Array, codes: Codes, groups: int) -> Array:
    """(G, T) summed from the smallest difference on."""
    sums = np.empty((groups, d.shape[1]))
    for g in range(groups):
        part = d[codes == g]
        sums[g] = np.take_along_axis(part, np.argsort(np.abs(part), axis=0), axis=0).sum(axis=0)
    return sums


def _scores(table: CurveTable, values: Array) -> Scores:
    metric = table.metric or "score"
    return Scores.from_cells(
        values[:, :, None],
        table.algorithms,
        table.problems,
        better=table.better,
        metric=f"log10 {metric}" if table.scale == "log" else table.metric,
        clusters=table.clusters,
        tasks=table.tasks,
        weights=table.weights,
        source_sha256=table.source_sha256,
        read_as=replace(LONG, n_files=table.n_files, columns=tuple(table.columns.items())),
    )


def curves(
    table: object,
    *,
    problem: str | None = None,
    algorithm: str | None = None,
    run: str | None = None,
    budget: str | None = None,
    score: str | None = None,
    better: Better | None,
    grid: int | Sequence[float] | Array | None = None,
    rng: int | np.random.Generator | None = None,
    cluster: str | None = None,
    task: str | None = None,
    weights: Weights | None = None,
    control: str | int | None = None,
    alpha: float = 0.05,
    unit: Literal["cluster", "problem"] | None = None,
    n_resamples: int = N_RESAMPLES,
    over: Over = "problems",
    interquartile: bool = False,
    cell: Cell = "mean",
    scale: Scale | None = None,
    spacing: Spacing = "log",
    target: float | None = None,
    best_so_far: bool = True,
    format: str = "auto",
    missing: Literal["raise", "drop"] = "raise",
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> Curves:
    """From which budget to which is one algorithm better? All budgets and pairs are judged at once.

    Use it for runs recorded along the way (evaluations, epochs, seconds). For one budget fixed before: ``bo.compare``.

    Parameters
    ----------
    table : path, folder, several paths, {name: path}, data frame, list of records, dict of columns
        Logs of COCO or IOHprofiler; else rows (problem, algorithm, run, budget), in files as ``bo.read_scores`` takes
        them. Budgets may differ between runs.
    problem : str, optional
        Column of the problem; of logs also several, such as "function,dimension".
    algorithm : str, optional
        Column of the algorithm.
    run : str, optional
        Column of the run. Of several ("seed,episode") the later ones are averaged first.
    budget : str, optional
        Column of the budget; of logs also a ratio, such as "evaluations/dimension".
    score : str, optional
        Column of the score.
    cluster : str, optional
        Column of a label of the problems that share a source.
    task : str, optional
        Column of the task (suite) that a problem is one of.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally in a mean: tasks if there are several, else problems.
    better : "lower", "higher" or None
        Which direction is good; None of logs, which say it.
    grid : int or sequence, optional
        The budgets compared, or how many. Default: all recorded ones that every run has, of more than 1000 of
        them 200.
    spacing : {"log", "linear"}
        Of the budgets of the grid, and of the area.
    cell : {"mean", "median"}
        What stands for the runs of a problem at a budget.
    scale : {"linear", "log"}, optional
        Of the scores; "log": log10, of scores above 0. By default log of logs that are minimised to a target above 0.
    target : float, optional
        The score at which runs stop: whoever reached it keeps it. Of logs that are minimised, as they say or 1e-8.
    best_so_far : bool
        Whether a curve keeps the best score so far (default), or has the latest.
    control : str or int, optional
        Compare it with each other algorithm; else all pairs.
    alpha : float
        Family-wise error over all pairs and budgets; default 0.05.
    unit : {"cluster", "problem"}, optional
        What is independent; by default clusters, if there are any.
    n_resamples : int
        Choices of signs drawn, where all of them are more; over runs, draws.
    over : {"problems", "runs", "both"}
        What else could have come out: other problems (their runs in them: "both"), or other runs of these problems.
    interquartile : bool
        Over runs: also interquartile means of all runs at each budget, with bands (``.interquartile``).
    rng : int or Generator, optional
        Seed or Generator of the signs; seed 0 if absent.
    format : str
        Of logs: "auto", "coco", "ioh".
    missing : {"raise", "drop"}
        "drop": rows without a score, and problems that some algorithm lacks, are left out.
    only : list of str, optional
        These algorithms alone.
    drop : list of str, optional
        Without these algorithms or problems.

    Returns
    -------
    Curves
        ``.t``, ``.pairs`` (``.verdict``, ``.segments``, ``.adjusted`` …), ``.area``, ``.fixed_budget(b)``,
        ``.fixed_target(y)``, ``.running_time(y)``.

    Raises
    ------
    ReadingError, ScoreError, ParameterError
        Columns that are not clear; a missing score or cell; a budget twice in a run; no budget that all runs have.

    Notes
    -----
    Step-down max |t| from signs of whole curves (Westfall and Young 1993): exact if differences are symmetric.

    Examples
    --------
    >>> import bakeoff as bo
    >>> rows = [(p, a, b, s / b) for p in range(8) for a, s in (("new", 1), ("old", 2 + p)) for b in (1, 2, 4)]
    >>> found = bo.curves([dict(zip(("problem", "algorithm", "budget", "score"), r)) for r in rows], better="lower")
    >>> found.pairs[0].verdict
    'new better from budget 1 to 4'
    """
    flag("best_so_far", best_so_far)
    choice("cell", cell, ("mean", "median"))
    if scale is not None:
        choice("scale", scale, ("linear", "log"))
    choice("spacing", spacing, ("log", "linear"))
    target_score = None if target is None else number("target", target)
    if target_score is not None and not best_so_far:
        raise ParameterError("needs best_so_far=True: whoever reached the target keeps it", parameter="target")
    named = {"problem": problem, "algorithm": algorithm, "run": run, "budget": budget, "score": score}
    chosen = RunChoice(missing=missing, only=only, drop=drop)
    chosen.check()
    choice("over", over, tuple(CLAIMS))
    draw_count("n_resamples", n_resamples, math.ceil(1 / probability("alpha", alpha)))
    if over == "runs" and cell != "mean":
        raise ParameterError(f"must be 'mean' with over='runs'; got {cell!r}", parameter="cell")
    groups = {"cluster": cluster, "task": task}
    runs = read_runs(table, format, named, groups, better, target_score, best_so_far, chosen, usual_target=True)
    weights = check_weights(weights, runs.tasks, runs.clusters)
    if scale is None:
        to_target = runs.better == "lower" and (runs.target or 0.0) > 0 and are_logs(table, format)
        scale = "log" if to_target else "linear"
    judging = {"control": control, "alpha": alpha, "unit": unit, "n_resamples": n_resamples, "over": over}
    judging |= {"rng": integer_seed(rng), "interquartile": interquartile}
    result = curves_of(runs, grid, cell, scale, spacing, weights, **judging)
    others = files_not_taken(runs.n_files, runs.not_taken)
    return (
        replace(result, cautions=tuple(by_severity((others, *result.cautions))), added=(others,)) if others else result
    )


def read_runs(
    table: object,
    format: str,
    named: dict[str, str | None],
    groups: dict[str, str | None],
    better: Better | None,
    target: float | None = None,
    best_so_far: bool = True,
    chosen: RunChoice = ALL,
    usual_target: bool = False,
) -> Trajectories:
    """The runs of a table or of logs, not judged. ``named`` and ``groups``: columns by role; ``usual_target``: of logs,
    if none is."""
    if better is not None:
        choice("better", better, ("lower", "higher"))
    if are_logs(table, format):
        if role := next((role for role, column in groups.items() if column is not None), None):
            raise ParameterError("is for tables; of logs, a function is a cluster", parameter=role)
        return log_trajectories(table, format, named, better, target, best_so_far, chosen, usual_target)
    if better is None:
        raise ParameterError("must be 'lower' or 'higher': a table does not say it", parameter="better")
    return table_trajectories(table, named | groups, better, target, best_so_far, chosen)


def curves_of(
    runs: Trajectories,
    grid: int | Sequence[float] | Array | None,
    cell: Cell,
    scale: Scale,
    spacing: Spacing,
    weights: Weights | None,
    **judging: Any,
) -> Curves:
    """Summarise the runs on the grid; ``judging``: the arguments of :func:`judged_curves`."""
    t, complete = budget_grid(grid, runs, spacing)
    kept: list[Array] | None = [] if judging["over"] == "runs" else None
    values, areas = _summarised(runs, t, cell, scale, area_weights(t, spacing), kept)
    each, counts = runs.by_cell(areas, np.nan), runs.counts
    drawn = kept is None and not are_even(each)
    if drawn:
        codes = np.arange(len(counts)) if runs.clusters is None else codes_of(runs.clusters)
        among = drawn_evenly(each, runs.algorithms, codes, judging["rng"])
        values, _ = _summarised(runs, t, cell, scale, area_weights(t, spacing), None, among[~np.isnan(each)])
        counts = among.sum(axis=2)
    known = "problems algorithms clusters tasks averaged better best_so_far metric budget_name source_sha256 dropped"
    table = CurveTable(
        **{name: getattr(runs, name) for name in known.split()},
        weights=weights,
        drawn=drawn,
        t=t,
        values=values,
        whole=complete,
        cell=cell,
        scale=scale,
        spacing=spacing,
        target=None if runs.target is None else runs.sign * runs.target,
        n_runs=(int(counts.min()), int(counts.max())),
        longest=float(runs.ends.max()),
        runs=None if kept is None else RunsAlong(cells=runs.cells, scores=np.concatenate(kept), kind=runs.run_kind),
        n_files=runs.n_files if runs.columns else 0,
        columns=runs.columns,
    )
    area = scores_of_runs(runs, runs.sign * areas, None)
    refuse_by_claim(area, load("analyses:by_function")()["bo.curves"], judging["over"])
    judged = judged_curves(table, **judging)
    named = judged.scores.metric or "score"
    return replace(judged, area=scores_of_runs(runs, runs.sign * areas, f"area under {named}"), runs=runs)


def _summarised(
    runs: Trajectories,
    t: Array,
    cell: Cell,
    scale: Scale,
    weights: Array,
    kept: list[Array] | None,
    among: npt.NDArray[np.bool_] | None = None,
) -> tuple[Array, Array]:
    """(n, k, T) summaries of the runs, or of those ``among`` them, and (R,) areas, both in the user's direction (or
    logarithms).

    ``kept`` takes the runs themselves.
    """
    n, k = runs.counts.shape
    values, areas = np.empty((n * k, len(t))), np.empty(len(runs.runs))
    for first, costs in runs.run_curves(t):
        scores = runs.sign * costs + 0.0
        if not np.isfinite(scores).all():
            run = first + int(np.argmin(np.isfinite(scores).all(axis=1)))
            raise InfiniteScoreError(f"has an infinite score: {runs.described(run)}", parameter="table")
        if scale == "log":
            if not (scores > 0).all():
                run = first + int(np.argmin((scores > 0).all(axis=1)))
                raise ScoreError(
                    f"has scores of 0 or below, which have no logarithm: {runs.described(run)}. Say at which score "
                    "runs stop (target=1e-8), which is the best that counts, or use scale='linear'",
                    parameter="table",
                )
            scores = np.log10(scores)
        if kept is not None:
            kept.append(scores)
        areas[first : first + len(scores)] = scores @ weights
        cells = runs.cells[first : first + len(scores)]
        if among is not None:
            chosen = among[first : first + len(scores)]
            scores, cells = scores[chosen], cells[chosen]
        starts = np.flatnonzero(np.diff(cells, prepend=-1))
        if cell == "mean":
            lengths = np.diff(np.append(starts, len(cells)))
            values[cells[starts]] = np.add.reduceat(scores, starts, axis=0) / lengths[:, None]
        else:
            for part, index in zip(np.split(scores, starts[1:]), cells[starts].tolist(), strict=True):
                values[index] = np.median(part, axis=0)
    return values.reshape(n, k, len(t)), areas
