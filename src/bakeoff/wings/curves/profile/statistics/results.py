"""The result of profile(): values only; rendering lives in the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.randomness import generator
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_codes
from bakeoff.wings.curves.profile.statistics.curves import SwapTest, just_above, run_swap_test, shares_within, swap_test
from bakeoff.wings.curves.profile.statistics.data_profiles import are_targets
from bakeoff.wings.curves.profile.statistics.distances import Cell, Form, Over, direction_of


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
        """Which of them count at τ."""
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
        """Of two algorithms among these: the best of each problem stays that of the whole table."""
        pair = list(self.scores.pair(a, b))
        return swap(self.scores, self.form, self.over, self.distances, self.shares, pair, self.n_resamples, self.rng)


def swap(
    scores: Scores,
    form: Form,
    over: Over,
    distances: Array,
    shares: Array | None,
    pair: list[int],
    n_resamples: int,
    seed: int | None,
) -> SwapTest:
    """The swap test of two columns: whole problems (clusters) change owner, or runs within each problem."""
    of_two, of_pair = distances[:, pair], None if shares is None else shares[:, pair]
    problems = np.repeat(np.arange(scores.n_problems), len(distances) // scores.n_problems)
    if over == "runs":
        assert of_pair is not None
        result = run_swap_test(of_two, of_pair, problems, n_resamples, generator(seed))
    else:
        result = swap_test(of_two, of_pair, cluster_codes(scores)[problems], n_resamples, generator(seed))
    return result if result.tau is None else replace(result, tau=direction_of(scores, form) * result.tau)
