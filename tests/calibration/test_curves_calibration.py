"""What bo.curves promises: the family-wise error over the whole curve, under a full and a partial null."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import bakeoff as bo
from bakeoff.anytime.step_down import step_down

ALPHA, BUDGETS = 0.05, 25


def curves_of_noise(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> NDArray[np.float64]:
    """Random walks: neighbouring budgets are strongly correlated."""
    steps = rng.standard_t(2, (*shape, BUDGETS)) if kind == "heavy" else rng.normal(size=(*shape, BUDGETS))
    walks: NDArray[np.float64] = np.cumsum(steps, axis=-1)
    return walks


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "heavy"])
@pytest.mark.parametrize("units", [8, 25])
def test_size_over_the_whole_curve(kind: str, units: int) -> None:
    """One pair without a difference: the test is exact, so its size is alpha (less what is discrete)."""
    rng = np.random.default_rng([units, len(kind)])
    tables, rejected, resamples = 2000, 0, 399
    for _ in range(tables):
        found = step_down(curves_of_noise(rng, (units, 1), kind), rng, resamples)
        rejected += bool((found.adjusted <= ALPHA).any())
    size = 2.0 ** (units - 1)
    level = np.floor(ALPHA * size) / size if size <= resamples + 1 else ALPHA
    error = np.sqrt(level * (1 - level) / tables)
    assert abs(rejected / tables - level) <= 4 * error, f"{rejected / tables:.4f}, not {level:.4f} ± {4 * error:.4f}"


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "heavy"])
def test_error_under_a_partial_null(kind: str) -> None:
    """Three algorithms: two are equal, the third differs from half of the budgets on."""
    rng = np.random.default_rng(17)
    tables, wrong, found_some = 2000, 0, 0
    for _ in range(tables):
        scores = curves_of_noise(rng, (15, 3), kind)
        scores[:, 2, BUDGETS // 2 :] += 12.0
        pairs = np.stack([scores[:, a] - scores[:, b] for a, b in ((0, 1), (0, 2), (1, 2))], axis=1)
        adjusted = step_down(pairs, rng, 399).adjusted
        null = np.concatenate([adjusted[0], *adjusted[1:, : BUDGETS // 2]])
        wrong += bool((null <= ALPHA).any())
        found_some += bool((adjusted[1:, BUDGETS // 2 :] <= ALPHA).any())
    assert wrong / tables <= ALPHA + 4 * np.sqrt(ALPHA * (1 - ALPHA) / tables), f"{wrong / tables:.4f}"
    assert found_some > tables / 4


@pytest.mark.slow
def test_tests_budget_by_budget_do_not_keep_it() -> None:
    """The reason for all of this: how often raw p-values find something somewhere on curves without a difference."""
    rng = np.random.default_rng(5)
    raw = sum(
        bool((step_down(curves_of_noise(rng, (15, 1), "normal"), rng, 399).pvalue <= ALPHA).any()) for _ in range(600)
    )
    assert raw / 600 > 0.15


def runs_of(scores: NDArray[np.float64], clusters: int | None) -> dict[str, object]:
    """A long table of (problems, algorithms, runs, budgets)."""
    p, a, r, b = (index.ravel() for index in np.indices(scores.shape))
    table: dict[str, object] = {"problem": p, "algorithm": a, "run": r, "budget": b + 1, "score": scores.ravel()}
    return table if clusters is None else table | {"cluster": p * clusters // len(scores)}


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["normal", "heavy", "tied", "clusters", "skewed problems"])
def test_error_of_curves_as_users_call_it(kind: str) -> None:
    """Of three algorithms the third is better from the seventh budget on."""
    rng = np.random.default_rng([29, len(kind)])
    tables, wrong = 500, 0
    groups = 10 if kind == "clusters" else None
    for _ in range(tables):
        walks = np.cumsum(rng.standard_t(2, (20, 3, 2, 12)) if kind == "heavy" else rng.normal(size=(20, 3, 2, 12)), -1)
        if groups is not None:  # what the two problems of a cluster share
            walks += 3 * np.repeat(np.cumsum(rng.normal(size=(groups, 3, 1, 12)), -1), 20 // groups, axis=0)
        if kind == "skewed problems":
            walks *= rng.lognormal(sigma=1.5, size=(20, 1, 1, 1))
        walks[:, 2, :, 6:] -= 4.0
        scores = np.round(walks) if kind == "tied" else walks
        found = bo.curves(
            runs_of(scores, groups), better="lower", best_so_far=False, n_resamples=299, rng=int(rng.integers(1 << 30))
        )
        for pair in found.pairs:
            null = pair.adjusted if "2" not in (pair.a, pair.b) else pair.adjusted[:6]
            if (null <= ALPHA).any():
                wrong += 1
                break
    assert wrong / tables <= ALPHA + 4 * np.sqrt(ALPHA * (1 - ALPHA) / tables), f"{wrong / tables:.4f}"


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(("problems", "groups", "spread"), [(25, None, 0.5), (60, None, 1.5), (30, 10, 0.5)])
def test_intervals_of_the_running_time_cover(problems: int, groups: int | None, spread: float) -> None:
    """Exponential times with rates that differ between problems (clusters), stopped at 100: E(spent) / P(reached)."""
    rng, cap, tables, covered = np.random.default_rng([problems, groups or 0]), 100.0, 300, 0
    rates = 30 * np.exp(spread * np.random.default_rng(0).standard_normal(1_000_000))
    reach = 1 - np.exp(-cap / rates)
    truth = float((rates * reach).mean() / reach.mean())
    p, a, r, _step = (index.ravel() for index in np.indices((problems, 2, 5, 3)))
    cluster = p * (groups or problems) // problems
    for seed in range(tables):
        rate = 30 * np.exp(spread * rng.standard_normal(groups or problems))
        times = rng.exponential(rate[np.arange(problems) * len(rate) // problems][:, None, None], (problems, 2, 5))
        hit = np.minimum(times, cap)[..., None]
        budget = np.concatenate([np.full(hit.shape, 1e-9), hit, np.full(hit.shape, cap + 1e-9)], axis=-1)
        score = np.concatenate([np.ones(hit.shape), times[..., None] >= cap, times[..., None] >= cap], axis=-1)
        table = {"problem": p, "algorithm": a, "run": r, "budget": budget.ravel(), "score": score.ravel()}
        if groups is not None:
            table["cluster"] = cluster
        found = bo.curves(table, better="lower", grid=[1.0, cap], n_resamples=20)
        low, high = found.running_time(0.5, n_resamples=999, rng=seed).interval[0]
        covered += bool(low <= truth <= high)
    error = np.sqrt(0.95 * 0.05 / tables)
    assert abs(covered / tables - 0.95) <= 4 * error, f"{covered / tables:.4f}"


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("sizes", [[100] + [2] * 14, [1] * 60 + [50] * 2, [1] * 60 + [30] * 3])
@pytest.mark.parametrize("alike", [1.0, 0.2])
def test_intervals_of_the_running_time_over_unequal_clusters(alike: float, sizes: list[int]) -> None:
    """Lognormal times, ``alike`` of whose variance problems of a cluster share; with G for 1/Σw² 6 to 11 % missed."""
    rng, cap, tables, missed = np.random.default_rng(len(sizes)), 150.0, 100, 0
    codes = np.repeat(np.arange(len(sizes)), sizes)

    def drawn(codes: NDArray[np.int64], k: int) -> NDArray[np.float64]:
        shared = rng.normal(size=(int(codes.max()) + 1, k))[codes]
        return np.exp(4 + 0.7 * (np.sqrt(alike) * shared + np.sqrt(1 - alike) * rng.normal(size=shared.shape)))

    many = drawn(np.arange(1_000_000), 1)
    truth = np.minimum(many, cap).mean() / (many <= cap).mean()
    p, a, _step = (index.ravel() for index in np.indices((len(codes), 2, 3)))
    for _ in range(tables):
        times = drawn(codes, 2)[:, :, None]
        budget = np.concatenate(
            [np.full(times.shape, 1e-9), np.minimum(times, cap), np.full(times.shape, cap + 1e-9)], 2
        )
        score = np.concatenate([np.ones(times.shape), times >= cap, times >= cap], axis=2)
        table = {"problem": p, "algorithm": a, "budget": budget.ravel(), "score": score.ravel(), "cluster": codes[p]}
        found = bo.curves(table, better="lower", grid=[1.0, cap], n_resamples=20).running_time(0.5, n_resamples=499)
        missed += int(((found.interval[:, 0] > truth) | (found.interval[:, 1] < truth)).sum())
    assert missed / (2 * tables) <= ALPHA + 4 * np.sqrt(ALPHA * (1 - ALPHA) / (2 * tables)), (
        f"{missed / 2 / tables:.3f}"
    )
