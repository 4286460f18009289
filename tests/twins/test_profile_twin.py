"""Profiles against the definitions, problem by problem."""

from __future__ import annotations

import itertools
import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff.effects.curve_bands import dkw
from bakeoff.scores.clusters import codes_of, effective_number
from bakeoff.wings.curves.profile.statistics.curves import half_widths

Table = npt.NDArray[np.float64]


def slow_ratios(values: Table, better: str) -> list[list[float]]:
    found = []
    for row in values.tolist():
        alive = [x for x in row if math.isfinite(x)]
        best = (min if better == "lower" else max)(alive) if alive else math.nan
        cells = []
        for x in row:
            if not math.isfinite(x):
                cells.append(math.inf)
            elif x == best:
                cells.append(1.0)
            elif better == "lower":
                cells.append(x / best if best > 0 else math.inf)
            else:
                cells.append(best / x if x > 0 else math.inf)
        found.append(cells)
    return found


def slow_share(distances: Table, tau: float) -> list[float]:
    return [sum(x <= tau for x in column) / len(column) for column in distances.T.tolist()]


def slow_flips(values: Table, better: str) -> set[tuple[int, int, int]]:
    k = values.shape[1]
    whole = np.array(slow_ratios(values, better))
    found = set()
    for third in range(k):
        rest = [j for j in range(k) if j != third]
        left = np.array(slow_ratios(values[:, rest], better))
        taus = {x for x in (*whole.ravel().tolist(), *left.ravel().tolist()) if math.isfinite(x)}
        for tau in taus:
            with_, without = slow_share(whole[:, rest], tau), slow_share(left, tau)
            for i, j in itertools.combinations(range(k - 1), 2):
                if (with_[i] - with_[j]) * (without[i] - without[j]) < 0:
                    found.add((rest[i], rest[j], third))
    return found


@pytest.mark.slow
@given(
    n=st.integers(1, 7), k=st.integers(2, 5), better=st.sampled_from(["lower", "higher"]), seed=st.integers(0, 10**6)
)
@settings(max_examples=60, deadline=None)
def test_ratios_shares_and_flips(n: int, k: int, better: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 6, (n, k)).astype(float)
    values[rng.random((n, k)) < 0.15] = np.inf if better == "lower" else -np.inf
    found = bo.profile(bo.Scores(values, better=better), n_resamples=20)  # type: ignore[arg-type]
    slow = np.array(slow_ratios(values, better))
    assert np.allclose(found.distances, slow, rtol=1e-14)
    for i, tau in enumerate(found.tau.tolist()):
        assert found.share[:, i].tolist() == slow_share(found.distances, tau) == found.at(tau).tolist()
    names = {name: j for j, name in enumerate(found.scores.algorithms)}
    assert {(names[f.a], names[f.b], names[f.without]) for f in found.flips} == slow_flips(values, better)
    for f in found.flips:
        assert (f.share_a - f.share_b) * (f.share_a_without - f.share_b_without) < 0


@pytest.mark.parametrize("labels", [list("abcdefghijkl"), list("aaaabbcdddee")])
def test_bands(labels: list[str]) -> None:
    """Every resample as a table of its own."""
    rng = np.random.default_rng(3)
    distances = rng.integers(1, 5, (12, 3)).astype(float)
    distances[0, 0] = np.inf
    codes = codes_of(labels)
    fast = half_widths(distances, None, codes, 0.8, 400, np.random.default_rng(4))
    groups, drawn = int(codes.max()) + 1, np.random.default_rng(4)
    sups = []
    for counts in drawn.multinomial(groups, np.full(groups, 1 / groups), 400).tolist():
        rows = [i for g, count in enumerate(counts) for i in np.flatnonzero(codes == g).tolist() * count]
        gaps = [np.abs(np.array(slow_share(distances[rows], tau)) - slow_share(distances, tau)) for tau in (1, 2, 3, 4)]
        sups.append(np.max(gaps, axis=0))
    quantile = np.sort(np.array(sups), axis=0)[math.ceil(0.8 * 401) - 1]
    floor = dkw(12**2 / sum(labels.count(c) ** 2 for c in set(labels)), 0.8)
    assert effective_number(codes, 1.0) == pytest.approx(12**2 / sum(labels.count(c) ** 2 for c in set(labels)))
    assert fast == pytest.approx(np.maximum(quantile, floor))


def test_a_sample_of_exchanges_is_near_all_of_them() -> None:
    rng = np.random.default_rng(11)
    scores = bo.Scores(rng.lognormal(size=(12, 2)) * [1, 1.6], better="lower")
    exact = bo.profile(scores).swap
    sampled = bo.profile(scores, n_resamples=2000).swap
    assert exact is not None
    assert sampled is not None
    assert exact.exact
    assert not sampled.exact
    assert sampled.pvalue == pytest.approx(exact.pvalue, abs=5 * math.sqrt(exact.pvalue / 2000))
