"""Cautions for a reader of a profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, Severity, counted, listing
from bakeoff.means.cautions import unequal_clusters
from bakeoff.ranks.cautions import OF_PROFILES, dependent_runs, input_cautions, unequal_runs
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_codes, cluster_sizes
from bakeoff.scores.runs import failures
from bakeoff.wings.curves.profile.statistics.data_profiles import are_targets
from bakeoff.wings.curves.profile.statistics.distances import Cell, Form, Over, ProfileRows
from bakeoff.wings.curves.profile.statistics.results import OrderFlip

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
    uneven = unequal_runs(scores, OF_PROFILES) if of_cells else None
    shared = dependent_runs(scores.run_kind, "runs") if over == "runs" else []
    return (*input_cautions(scores), *([uneven] if uneven else []), *shared, *own)


def _of_bands(sizes: Codes, effective: float) -> tuple[str, Severity]:
    """How often bands hold the curve then: docs/guides/profile.md; tests/calibration/rows/bands.py."""
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
