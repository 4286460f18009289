"""profile(): on which share of the problems is each algorithm how near to the best?

Pairs whose order at some τ reverses when a third algorithm leaves the table (Gould and Scott 2016) are *flips*.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import FEWER_RESAMPLES, choice, draw_count, positive, probability
from bakeoff.dataclass import dataclass, replace
from bakeoff.effects.curve_bands import half_widths_over_runs
from bakeoff.errors import Caution, ParameterError, Severity, WrongTypeError, counted, listing
from bakeoff.means.cautions import unequal_clusters
from bakeoff.means.run_means import CLAIMS
from bakeoff.randomness import generator, integer_seed
from bakeoff.ranks.cautions import dependent_runs, input_cautions
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores
from bakeoff.scores.cells import read_only
from bakeoff.scores.clusters import Codes, cluster_codes, cluster_sizes, refuse_one_cluster
from bakeoff.scores.design import Estimand
from bakeoff.scores.runs import failures
from bakeoff.takes_table import takes_table
from bakeoff.wings.curves.even_runs import drawn_runs_caution
from bakeoff.wings.curves.profile.statistics.curves import (
    EVEN,
    NEAREST,
    Cell,
    Form,
    Over,
    ProfileRows,
    SwapTest,
    direction_of,
    half_widths,
    just_above,
    profile_rows,
    run_costs,
    run_swap_test,
    shares_within,
    steps_of,
    swap_test,
)
from bakeoff.wings.curves.profile.statistics.data_profiles import are_targets, budgets_to_target, budgets_to_targets
from bakeoff.wings.curves.shares import of_shares
from bakeoff.wings.curves.trajectories import Trajectories


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderFlip:
    """Two algorithms whose order at ``tau`` is another one in the table without a third."""

    a: str
    b: str
    without: str  # the third algorithm
    tau: float  # distance to the best, as ratio or difference
    share_a: float  # problems that a solves within tau, as a share
    share_b: float  # problems that b solves within tau, as a share
    share_a_without: float  # the same of a without the third algorithm
    share_b_without: float  # the same of b without the third algorithm


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class Profile(Reportable):
    """The result of :func:`bakeoff.profile`.

    Attributes
    ----------
    tau, share : ndarray (T,), (k, T)
        Where some curve may rise, and the share of problems within it, by algorithm in column order; of scores that
        are better when higher, τ falls.
    lower, upper : ndarray (k, T)
        Simultaneous in τ, of one algorithm at a time: ``share`` ± ``half_widths``, cut at 0 and 1.
    distances : ndarray (n, k)
        Ratio to the best, difference from it, budget, or score (its negative where higher is better); infinite where a
        run failed. With ``over`` "runs" or "both" of each run, (n · most runs, k), NaN where there are fewer.
    shares : ndarray or None
        Of each such run in the curve of its algorithm; None if rows count equally.
    flips : tuple of OrderFlip
        The clearest first. None for budgets and scores, which do not change when an algorithm leaves the table.
    swap : SwapTest or None
        Of two algorithms; ``swap_test(a, b)`` of any two among more.
    """

    kind: ClassVar[str] = "profile"

    scores: Scores
    form: Form
    cell: Cell  # what stands for the runs of a cell
    over: Over  # what else could have come out
    band: float  # simultaneous confidence of the bands
    n_resamples: int
    rng: int | None
    n_clusters: int
    tau: Array
    share: Array
    lower: Array
    upper: Array
    half_widths: Array
    distances: Array
    shares: Array | None
    flips: tuple[OrderFlip, ...]
    swap: SwapTest | None
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        named = {name: getattr(self, name) for name in ("band", "cell", "over", "n_resamples", "rng")}
        return {"kind": self.form, **named}

    @property
    def counted(self) -> str:
        """The word for what a share counts."""
        return "targets" if are_targets(self.scores) else "problems" if self.shares is None else "runs"

    @property
    def rows_read(self) -> str | None:
        """The word for the rows, if they are not problems of a table that was read."""
        if not are_targets(self.scores):
            return None
        clusters = counted(self.n_clusters, "cluster")
        return f"{counted(self.scores.n_problems, 'target')} of all runs in {clusters} of problems"

    def axis_of(self, metric: str | None) -> str:
        """The meaning of τ, of scores that are called so."""
        what = metric or "score"
        if self.form == "score":
            return what
        if self.form == "data":
            return metric or "budget"
        if self.form == "difference":
            return f"difference from the best {what}"
        return f"best {what} / {what}" if self.scores.better == "higher" else f"{what} / best {what}"

    @property
    def relation(self) -> str:
        """The words for those that count at τ."""
        return "that reach τ" if self.form == "score" else "within τ"

    @property
    def order(self) -> tuple[int, ...]:
        """Columns by their shares at the first τ (of budgets the last, of scores the middle one), then the next; equal
        curves in column order."""
        first = self.share.shape[1] // 2 if self.form == "score" else 0
        steps = (-np.roll(self.share[:, :: -1 if self.form == "data" else 1], -first, axis=1)).tolist()
        return tuple(sorted(range(len(steps)), key=lambda j: steps[j]))

    @property
    def solved(self) -> Array:
        """(k,) the share of problems within any τ at all: without a failed run."""
        within = np.isfinite(self.distances)
        return np.asarray(within.mean(axis=0) if self.shares is None else (within * self.shares).sum(axis=0).round(14))

    def at(self, tau: npt.ArrayLike) -> Array:
        """(k,) the share of problems within this τ, by algorithm; (k, m) of m of them. It may be infinite."""
        places = direction_of(self.scores, self.form) * np.asarray(tau, dtype=np.float64)
        if places.ndim > 1 or np.isnan(places).any():
            raise ParameterError(f"must be a number or a list of numbers; got {tau!r}", parameter="tau")
        if places.ndim == 0 and places == np.inf:
            return self.solved
        finite = np.isfinite(places)
        reached = np.where(finite, just_above(np.where(finite, places, 0.0)), places)
        table = np.where(np.isfinite(self.distances), self.distances, np.nan)  # sorted to the end: within no τ
        shares = shares_within(table, np.atleast_1d(reached), self.shares)
        shares = np.where(np.isposinf(np.atleast_1d(places)), self.solved[:, None], shares)
        return shares if places.ndim else shares[:, 0]

    def swap_test(self, a: str | int, b: str | int) -> SwapTest:
        """Compare two algorithms among these: the best of each problem stays that of the whole table.

        Whole problems (clusters) change owner, or runs within each problem.
        """
        pair, scores, rng = list(self.scores.pair(a, b)), self.scores, generator(self.rng)
        of_two, shares = self.distances[:, pair], None if self.shares is None else self.shares[:, pair]
        problems = np.repeat(np.arange(scores.n_problems), len(of_two) // scores.n_problems)
        if self.over == "runs":
            assert shares is not None
            result = run_swap_test(of_two, shares, problems, self.n_resamples, rng)
        else:
            result = swap_test(of_two, shares, cluster_codes(scores)[problems], self.n_resamples, rng)
        return result if result.tau is None else replace(result, tau=direction_of(scores, self.form) * result.tau)


_ENOUGH = {"mean": "one failed run", "median": "half of them failed", "best": "all of them failed"}


def profile_cautions(
    rows: ProfileRows, cell: Cell, over: Over, distances: Array, flips: Sequence[OrderFlip]
) -> tuple[Caution, ...]:
    """Caution of zeros, failed runs, and orders that depend on a third algorithm."""
    scores, of_cells = rows.scores, rows.shares is None
    costs = rows.costs[:, :, 0] if of_cells else rows.costs
    own = (*_flips(scores, flips), *_zeros(scores, rows.form, rows.costs, distances), *_failures(scores, cell, costs))
    if scores.clusters is not None:
        own += (*unequal_clusters([cluster_sizes(cluster_codes(scores))], consequence=_of_bands),)
    shared = dependent_runs(scores.run_kind, "runs") if over == "runs" else []
    return (*input_cautions(scores), *drawn_runs_caution(rows.drawn, "Curves are of"), *shared, *own)


def _of_bands(sizes: Codes, effective: float) -> tuple[str, Severity]:
    """Say that bands are too narrow. How often they hold: docs/guides/profile.md, tests/calibration/rows/bands.py."""
    return ": bands of clusters drawn again are too narrow. Split the large clusters, or get more.", "warning"


def _flips(scores: Scores, flips: Sequence[OrderFlip]) -> list[Caution]:
    if not flips:
        return []
    k, first, pairs = scores.n_algorithms, flips[0], len({(flip.a, flip.b) for flip in flips})
    sides = [(first.share_a, first.share_a_without, first.a), (first.share_b, first.share_b_without, first.b)]
    low, high = sides if first.share_a < first.share_b else sides[::-1]
    numbers: dict[str, Any] = {"pairs": pairs, "which": "has" if pairs == 1 else "have", "k": k, "tau": first.tau}
    for name, (share, without, algorithm) in (("low", low), ("high", high)):
        numbers |= {name: algorithm, f"share_{name}": share, f"{name}_without": without}
    all_pairs = counted(k * (k - 1) // 2, "pair")
    return [caution_of("pool-dependent", "profiles", all_pairs=all_pairs, without=first.without, **numbers)]


def _zeros(scores: Scores, form: Form, costs: Array, distances: Array) -> list[Caution]:
    if form != "ratio":
        return []
    zero = np.nanmin(costs, axis=(1, 2)) == 0
    rows = np.flatnonzero(zero & (distances.reshape(len(costs), -1) > 1).any(axis=1))
    if not len(rows) or scores.better == "higher":
        return []
    names = listing(scores.problems[i] for i in rows.tolist())
    return [caution_of("best-is-zero", problems=counted(len(rows), "problem"), names=names)]


def _failures(scores: Scores, cell: Cell, costs: Array) -> list[Caution]:
    failed = np.isposinf(costs)
    words = ", ".join(f"{count} {word}" for word, count in failures(scores.status).most_common())
    if not words and not failed.any():
        return []
    why = f" (runs: {words})" if words else " (infinite scores)"
    count = int(failed.sum())
    what = counted(count, "cell" if costs.ndim == 2 else "run")
    text = f"{what}{why} {'counts' if count == 1 else 'count'} as within no τ"
    if costs.ndim == 3:
        return [caution_of("counted-as-worst", "ratios", text=text)]
    if scores.runs is not None or (scores.status is not None and scores.status.ndim == 3):
        text += f": the {cell} of its runs is infinite with {_ENOUGH[cell]}"
    nobody = int(failed.all(axis=1).sum())
    if nobody:
        if are_targets(scores):
            return [
                caution_of(
                    "counted-as-worst", "ratios", text=f"{text}. No algorithm reached {counted(nobody, 'target')}"
                )
            ]
        text += f". On {counted(nobody, 'problem')} every algorithm failed; it counts in all shares"
    return [caution_of("counted-as-worst", "ratios", text=text)]


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
    table = profile_rows(scores, form, cast(Cell, choice("cell", cell, CELLS)), over, seed)
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
    result = Profile(
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
        swap=None,
        cautions=(*added, *profile_cautions(table, cell, over, distances, flips)),
        added=added,
    )
    return replace(result, swap=result.swap_test(0, 1)) if scores.n_algorithms == 2 else result


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


def profile_estimand(result: Profile) -> Estimand:
    """The shares that the curves show."""
    if result.rows_read is not None:
        return Estimand(weights="targets", what="share of targets reached", over=result.rows_read)
    counts = (~np.isnan(run_costs(result.scores))).sum(axis=2)
    return of_shares(result.scores, f"share of {result.counted} {result.relation}", counts, result.over)
