"""profile(): on which share of the problems is each algorithm how near to the best?

Pairs whose order at some τ reverses when a third algorithm leaves the table (Gould and Scott 2016) are *flips*.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np

from bakeoff.checks import FEWER_RESAMPLES, choice, draw_count, positive, probability
from bakeoff.effects.curve_bands import half_widths_over_runs
from bakeoff.errors import Caution, ParameterError, WrongTypeError
from bakeoff.means.run_means import CLAIMS
from bakeoff.randomness import generator, integer_seed
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import read_only
from bakeoff.scores.clusters import cluster_codes, refuse_one_cluster
from bakeoff.takes_table import takes_table
from bakeoff.wings.curves.profile.statistics.cautions import profile_cautions
from bakeoff.wings.curves.profile.statistics.curves import EVEN, half_widths, shares_within, steps_of
from bakeoff.wings.curves.profile.statistics.data_profiles import budgets_to_target, budgets_to_targets
from bakeoff.wings.curves.profile.statistics.distances import NEAREST, Cell, Form, Over, direction_of, profile_rows
from bakeoff.wings.curves.profile.statistics.results import OrderFlip, Profile, swap
from bakeoff.wings.curves.trajectories import Trajectories

MOST = 4096  # τ looked at
_WORK = 10**9  # of pairs, thirds and τ: of more than 78 algorithms fewer τ


def order_flips(
    names: tuple[str, ...], whole: Array, weights: Array | None, without: Callable[[list[int]], Array]
) -> tuple[OrderFlip, ...]:
    """``whole`` are the (n, k) distances, ``without(columns)`` those among the columns alone; the clearest flips first.

    A pair and a third algorithm are listed once, at the τ where the smaller of the two gaps, with and without the
    third, is largest (the first such τ). Looked at are all steps of the curves, or ``MOST`` of them, evenly spread.
    """
    k, n = len(names), len(whole) if weights is None else EVEN  # shares are whole n-ths
    most = max(64, min(MOST, 2 * _WORK // k**3))
    flips: list[tuple[float, OrderFlip]] = []
    for third in range(k) if k > 2 else ():
        rest = [j for j in range(k) if j != third]
        left = without(rest)
        of_rest = None if weights is None else weights[:, rest]
        changed = (left != whole[:, rest]).any(axis=1)
        if not changed.any():
            continue
        tau = np.unique(np.concatenate([whole[:, rest], left]))
        tau = tau[np.isfinite(tau)]
        if len(tau) > most:
            tau = tau[np.linspace(0, len(tau) - 1, most).round().astype(np.int64)]
        before = np.rint(n * shares_within(whole[:, rest], tau, of_rest)).astype(np.int64)
        after = np.rint(n * shares_within(left, tau, of_rest)).astype(np.int64)
        for i in range(len(rest)):
            gap, later = before[i] - before[i + 1 :], after[i] - after[i + 1 :]
            smaller = np.where((gap < 0) == (later > 0), np.minimum(np.abs(gap), np.abs(later)), 0)
            for m in np.flatnonzero(smaller.max(axis=1, initial=0)).tolist():
                j, at = i + 1 + m, int(smaller[m].argmax())
                flip = OrderFlip(
                    a=names[rest[i]],
                    b=names[rest[j]],
                    without=names[third],
                    tau=float(tau[at]),
                    share_a=int(before[i, at]) / n,
                    share_b=int(before[j, at]) / n,
                    share_a_without=int(after[i, at]) / n,
                    share_b_without=int(after[j, at]) / n,
                )
                flips.append((int(smaller[m, at]) / n, flip))
    return tuple(flip for _, flip in sorted(flips, key=lambda each: -each[0]))


FORMS = ("ratio", "difference", "data", "score")
CELLS = ("mean", "median", "best")


@takes_table
def profile(
    scores_or_curves: Scores | Trajectories,
    kind: Form = "ratio",
    *,
    band: float = 0.95,
    rng: int | np.random.Generator | None = None,
    cell: Cell = "mean",
    over: Over = "problems",
    n_resamples: int = FEWER_RESAMPLES["profile"],
    tolerance: float = 1e-3,
    dimensions: Mapping[str, float] | None = None,
    targets: Sequence[float] | None = None,
) -> Profile:
    """On which share of the problems is each algorithm how near to the best, and how sure is that?

    Use it to see how often algorithms come near the best of these (times, errors, budgets). It is no test: with three
    or more the order of two depends on the others (``.flips``); ``bo.compare`` says who is better.

    Parameters
    ----------
    scores_or_curves : Scores or run curves
        (n_problems, n_algorithms, runs); failed runs (``status``, ``missing="keep"``) and scores that are infinitely
        bad are within no τ. Curves (budget and score of each run) for kind="data".
    kind : {"ratio", "difference", "data", "score"}
        "ratio": score / best (best / score if higher is better), for scores from 0 on; where the best is 0, 1
        for it and infinite for others. "difference": how much worse than the best. "data": budget to reach the
        target (of Scores: its values), which is (1 − tolerance) of the way from the start to the best score any
        algorithm reached. "score": the score itself, τ being a score to reach, for scores on one scale.
    band : float
        Confidence with which a band covers the whole curve of one algorithm.
    cell : {"mean", "median", "best"}
        Of the runs of a cell: the mean fails with one of them, the median with half, the best with all.
    over : {"problems", "runs", "both"}
        What could have been different. Other problems; other runs of these problems, each with its own distance from
        the best run of its problem, as in COCO; or such runs of other problems.
    rng : int or Generator, optional
        Seed or Generator of the draws; seed 0 if absent.
    n_resamples : int
        Draws of problems (clusters) or runs for the bands, and of exchanges for the swap test.
    tolerance : float
        Of curves: the target is (1 − tolerance) of the way to the best score.
    dimensions : mapping, optional
        Of curves: variables n_p of each problem; budgets are then in units of n_p + 1 (simplex gradients).
    targets : sequence of float, optional
        Of curves: scores to reach. A share is then of all (problem, run, target), as in COCO, without ``tolerance``.

    Returns
    -------
    Profile
        ``.tau``, ``.share`` (k, len(tau)), ``.lower``, ``.upper``, ``.at(tau)``, ``.flips``, ``.swap`` (of two).

    Raises
    ------
    ScoreError, MissingScoreError, InfiniteScoreError, ParameterError
        Negative scores for ratios, a cell without score or reason, one cluster; of ``over="runs"`` one run in a cell.

    Notes
    -----
    Dolan & Moré (2002); Moré & Wild (2009). Bands: ± the larger of the bootstrap quantile of sup_τ |ρ* − ρ| and
    √(ln(2/α)/2n) (Massart 1990), of clusters n²/Σm². Ties are decided on decimals. docs/guides/profile.md.

    Examples
    --------
    >>> import bakeoff as bo
    >>> found = bo.profile(bo.datasets.load("derrac_cec2005"))
    >>> [(name, float(x)) for name, x in zip(found.scores.algorithms, found.at(2))][6:]
    [('DE-Bin', 0.6), ('DE-Exp', 0.68), ('SaDE', 0.6)]
    """
    form = cast(Form, choice("kind", kind, FORMS))
    band = probability("band", band)
    size = draw_count("n_resamples", n_resamples, math.ceil(1 / (1 - band)))
    tolerance = positive("tolerance", tolerance)
    seed = integer_seed(rng)
    scores, added = _table(scores_or_curves, form, tolerance, dimensions, choice("over", over, tuple(CLAIMS)), targets)
    table = profile_rows(scores, form, cast(Cell, choice("cell", cell, CELLS)), over)
    distances, shares = table.distances(), table.shares
    tau, sign = steps_of(distances, NEAREST.get(form)), direction_of(scores, form)
    share = shares_within(np.where(np.isfinite(distances), distances, np.nan), tau, shares)
    codes = cluster_codes(scores)
    problems = np.repeat(np.arange(scores.n_problems), len(distances) // scores.n_problems)
    if over == "runs" and shares is not None:
        widths = half_widths_over_runs(distances, shares, problems, band, size, seed)
    else:
        refuse_one_cluster(scores)
        widths = half_widths(distances, shares, codes[problems], band, size, generator(seed))
    flips: tuple[OrderFlip, ...] = ()
    if form in NEAREST:
        flips = order_flips(scores.algorithms, distances, shares, table.distances)
    two = scores.n_algorithms == 2
    return Profile(
        scores=scores,
        form=form,
        cell=cell,
        over=over,
        band=band,
        n_resamples=size,
        rng=seed,
        n_clusters=int(codes.max()) + 1,
        tau=read_only(sign * tau),
        share=read_only(share),
        lower=read_only(np.maximum(share - widths[:, None], 0.0)),
        upper=read_only(np.minimum(share + widths[:, None], 1.0)),
        half_widths=read_only(widths),
        distances=read_only(distances),
        shares=None if shares is None else read_only(shares),
        flips=flips,
        swap=swap(scores, form, over, distances, shares, [0, 1], size, seed) if two else None,
        cautions=(*added, *profile_cautions(table, cell, over, distances, flips)),
        added=added,
    )


def _table(
    source: Scores | Trajectories,
    form: Form,
    tolerance: float,
    dimensions: Mapping[str, float] | None,
    over: str,
    targets: Sequence[float] | None,
) -> tuple[Scores, tuple[Caution, ...]]:
    """The scores themselves, or the budgets at which curves reached their targets."""
    if isinstance(source, Scores):
        if dimensions is not None:
            raise ParameterError("is for curves; the budgets of Scores are used as they are", parameter="dimensions")
        if targets is not None:
            raise ParameterError("is for curves of runs; Scores are budgets to a target already", parameter="targets")
        return source, ()
    if not isinstance(source, Trajectories):
        source = getattr(source, "runs", source)  # the result of bo.curves
    if not isinstance(source, Trajectories):
        raise WrongTypeError(
            f"must be a bakeoff.Scores, or for kind='data' curves of runs; got {type(source).__name__}. "
            'Wrap a table: bo.Scores(values, algorithms=[…], better="lower" or "higher")',
            parameter="scores_or_curves",
        )
    if form != "data":
        raise ParameterError(
            f"must be 'data' for curves of runs; got {form!r}. A profile of the scores at one budget takes that table",
            parameter="kind",
        )
    if targets is not None:
        if over != "problems":
            rule = f"must be 'problems' with targets: the targets of a run are reached together; got {over!r}"
            raise ParameterError(rule, parameter="over")
        return budgets_to_targets(source, targets, dimensions)
    return budgets_to_target(source, tolerance, dimensions, by_run=over != "problems")
