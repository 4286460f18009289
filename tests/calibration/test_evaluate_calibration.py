"""What bo.evaluate promises: the size of the clustered t, simultaneous coverage of intervals and ranks."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.paired.score_intervals import wilson

Floats = npt.NDArray[np.float64]
SHIFTS = np.array([0.0, 0.0, 0.0, 0.6, 1.5])  # a partial null: three models are equal


@pytest.mark.exhaustive
@pytest.mark.parametrize(("groups", "size"), [(5, 20), (10, 10), (20, 10)])
def test_size_of_the_clustered_t(groups: int, size: int) -> None:
    """Intraclass correlation 0.3: every model is compared with a constant one, so that all pairs are independent."""
    rng = np.random.default_rng(groups)
    rejected, tables, models, alpha = 0, 20, 500, 0.05
    codes = np.repeat(np.arange(groups), size)
    for _ in range(tables):
        shared = np.sqrt(0.3) * rng.normal(size=(groups, models))
        values = shared[codes] + np.sqrt(0.7) * rng.normal(size=(len(codes), models))
        scores = bo.Scores(np.column_stack([np.zeros(len(codes)), values]), better="higher", clusters=codes.tolist())
        found = bo.evaluate(scores, control=0, correction="holm", n_resamples=20)
        rejected += sum(pair.pvalue <= alpha for pair in found.pairs)
    n = tables * models
    error = np.sqrt(alpha * (1 - alpha) / n)
    assert abs(rejected / n - alpha) <= 4 * error, f"{rejected / n:.4f} of {n}, not {alpha} ± {4 * error:.4f}"


def normal(rng: np.random.Generator, codes: npt.NDArray[np.int64]) -> Floats:
    return np.asarray(rng.normal(size=(len(codes), 5)) + 0.7 * rng.normal(size=(codes.max() + 1, 5))[codes])


def heavy(rng: np.random.Generator, codes: npt.NDArray[np.int64]) -> Floats:
    return np.asarray(rng.standard_t(3, (len(codes), 5)) + 0.7 * rng.standard_t(3, (codes.max() + 1, 5))[codes])


def unequal_variances(rng: np.random.Generator, codes: npt.NDArray[np.int64]) -> Floats:
    return normal(rng, codes) * np.array([0.2, 1.0, 3.0, 1.0, 1.0])


def skewed(rng: np.random.Generator, codes: npt.NDArray[np.int64]) -> Floats:
    return np.asarray(rng.exponential(size=(len(codes), 5)) ** 2 - 2)


def equal_clusters(rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.repeat(np.arange(20), 3)


def problems_alone(rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.arange(40)


def unequal_clusters(rng: np.random.Generator) -> npt.NDArray[np.int64]:
    return np.asarray(np.unique(rng.integers(0, 25, size=90), return_inverse=True)[1])


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("errors", [normal, heavy, unequal_variances, skewed])
@pytest.mark.parametrize("clusters", [equal_clusters, problems_alone, unequal_clusters])
def test_intervals_of_differences_and_ranks_cover_simultaneously(
    errors: Callable[[np.random.Generator, npt.NDArray[np.int64]], Floats],
    clusters: Callable[[np.random.Generator], npt.NDArray[np.int64]],
) -> None:
    rng = np.random.default_rng(17)
    tables, missed, wrong, outside, level = 300, 0, 0, 0, 0.05
    for table in range(tables):
        codes = clusters(rng)
        values = errors(rng, codes) + SHIFTS
        labels = None if clusters is problems_alone else codes.tolist()
        found = bo.evaluate(bo.Scores(values, better="higher", clusters=labels), rng=table, n_resamples=799)
        place = {name: j for j, name in enumerate(found.scores.algorithms)}
        truth = [SHIFTS[place[p.a]] - SHIFTS[place[p.b]] for p in found.pairs]
        pairs = list(zip(found.pairs, truth, strict=True))
        missed += any(p.simultaneous is None or not p.simultaneous[0] <= d <= p.simultaneous[1] for p, d in pairs)
        wrong += any((p.verdict == "a better" and d <= 0) or (p.verdict == "b better" and d >= 0) for p, d in pairs)
        for name, (low, high) in found.rank_intervals.items():
            mean = SHIFTS[place[name]]
            if low > 1 + np.sum(mean < SHIFTS) or high < 5 - np.sum(mean > SHIFTS):
                outside += 1
                break
    most = level + 4 * np.sqrt(level * (1 - level) / tables)
    assert missed / tables <= most, f"intervals: {missed / tables:.3f} > {most:.3f}"
    assert wrong / tables <= most, f"claims: {wrong / tables:.3f} > {most:.3f}"
    assert outside / tables <= most, f"ranks: {outside / tables:.3f} > {most:.3f}"


@pytest.mark.slow
def test_right_and_wrong_answers_cover_simultaneously() -> None:
    rng = np.random.default_rng(3)
    tables, missed, level = 400, 0, 0.05
    difficulty = stats.norm.ppf((np.arange(2000) + 0.5) / 2000) * 1.5
    ability = np.array([0.0, 0.0, 0.5, 1.5])
    truth = np.array([np.mean(stats.norm.cdf(a - difficulty)) for a in ability])
    for table in range(tables):
        asked = rng.choice(difficulty, size=60)
        right = rng.normal(size=(60, 4)) + ability > asked[:, None]
        found = bo.evaluate(bo.Scores(right.astype(float), better="higher"), rng=table, n_resamples=799)
        for pair in found.pairs:
            a, b = (int(name[1:]) - 1 for name in (pair.a, pair.b))
            assert pair.simultaneous is not None
            if not pair.simultaneous[0] <= truth[a] - truth[b] <= pair.simultaneous[1]:
                missed += 1
                break
    most = level + 4 * np.sqrt(level * (1 - level) / tables)
    assert missed / tables <= most, f"{missed / tables:.3f} > {most:.3f}"


@pytest.mark.parametrize(("n", "wald", "score"), [(10, 0.650, 0.930), (30, 0.809, 0.974), (100, 0.932, 0.936)])
def test_the_coverage_of_docs_evaluate(n: int, wald: float, score: float) -> None:
    """Exact, at a share of 0.9: the probability of the outcomes whose interval holds it."""
    share, z = 0.9, 1.959963984540054
    outcomes = np.arange(n + 1)
    weights = stats.binom.pmf(outcomes, n, share)
    reach = z * np.sqrt(outcomes / n * (1 - outcomes / n) / n)
    assert weights[np.abs(outcomes / n - share) <= reach].sum() == pytest.approx(wald, abs=6e-4)
    held = [low <= share <= high for low, high in (wilson(x, n, z) for x in outcomes.tolist())]
    assert weights[held].sum() == pytest.approx(score, abs=6e-4)
