"""Do the bands of profiles cover whole curves as often as they say, and does the swap test keep its level?"""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means.cautions import unequal_clusters
from bakeoff.profiles.bands import half_widths

pytestmark = pytest.mark.slow

TABLES = 400


def truth(draw: object, k: int) -> np.ndarray:  # type: ignore[type-arg]
    """(k, 400): shares at the grid over very many problems."""
    many = np.sort(draw(200_000), axis=0)  # type: ignore[operator]
    return np.stack([np.searchsorted(many[:, j], GRID, side="right") for j in range(k)]) / 200_000


GRID = np.concatenate([[1.0], np.geomspace(1.001, 1e4, 399)])


def ratios(values: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    return np.asarray(values / values.min(axis=1, keepdims=True))


@pytest.mark.parametrize("n", [8, 25, 60])
@pytest.mark.parametrize("ties", [False, True])
def test_bands_cover_the_whole_curve(n: int, ties: bool) -> None:
    rng = np.random.default_rng(n)

    def draw(size: int) -> np.ndarray:  # type: ignore[type-arg]
        hard = rng.lognormal(size=(size, 1))
        values = hard * rng.lognormal(size=(size, 4)) * [1.0, 1.2, 2.0, 8.0]
        return ratios(np.ceil(values) if ties else values)

    wanted = truth(draw, 4)
    codes, covered = np.arange(n), 0
    for _ in range(TABLES):
        found = draw(n)
        width = half_widths(found, codes, 0.95, 199, rng)
        shares = np.stack([np.searchsorted(np.sort(found[:, j]), GRID, side="right") for j in range(4)]) / n
        covered += (np.abs(shares - wanted).max(axis=1) <= width + 1e-9).sum()
    share = covered / (4 * TABLES)
    error = np.sqrt(0.95 * 0.05 / TABLES)  # the four of one table depend on each other
    assert share >= 0.95 - 4 * error
    assert share <= 0.995


UNEQUAL = [[100] + [2] * 14, [1] * 60 + [50] * 2, [1] * 60 + [30] * 3, [max(1, 100 // i) for i in range(1, 21)]]


@pytest.mark.parametrize(
    "sizes",
    [
        (4,) * 10,
        (2, 2, 2, 4, 4, 4, 6, 6, 10, 10),
        *(pytest.param(tuple(sizes), marks=pytest.mark.exhaustive) for sizes in UNEQUAL),
    ],
)
@pytest.mark.parametrize("alike", [0.0, 0.8, 1.0])
def test_bands_over_clusters(sizes: tuple[int, ...], alike: float) -> None:
    """``alike``: how much of the variance the problems of a cluster share."""
    rng = np.random.default_rng(len(sizes) + int(10 * alike))

    def draw(clusters: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        shared = rng.normal(size=(int(clusters.max()) + 1, 3))[clusters]
        own = rng.normal(size=(len(clusters), 3))
        return ratios(np.exp(np.sqrt(alike) * shared + np.sqrt(1 - alike) * own) * [1.0, 1.5, 3.0])

    wanted = truth(lambda size: draw(np.arange(size)), 3)
    codes, covered = np.repeat(np.arange(len(sizes)), sizes), 0
    for _ in range(TABLES):
        found = draw(codes)
        width = half_widths(found, codes, 0.95, 199, rng)
        shares = np.stack([np.searchsorted(np.sort(found[:, j]), GRID, side="right") for j in range(3)]) / len(codes)
        covered += (np.abs(shares - wanted).max(axis=1) <= width + 1e-9).sum()
    share = covered / (3 * TABLES)
    assert share >= 0.95 - 4 * np.sqrt(0.95 * 0.05 / TABLES)


@pytest.mark.parametrize("clustered", [False, True])
def test_the_swap_test_keeps_its_level(clustered: bool) -> None:
    rng = np.random.default_rng(3)
    codes = np.repeat(np.arange(9), 2) if clustered else np.arange(18)
    rejected = 0
    for _ in range(TABLES):
        lead = rng.normal(size=(9, 2))[codes] if clustered else 0.0
        values = np.exp(rng.normal(size=(18, 1)) + lead + rng.normal(size=(18, 2)))
        found = bo.profile(bo.Scores(values, better="lower", clusters=codes.tolist()), n_resamples=299)
        assert found.swap is not None
        rejected += found.swap.pvalue <= 0.05
    assert rejected / TABLES <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / TABLES)


@pytest.mark.parametrize(("families", "printed"), [(8, 0.86), (12, 0.92), (20, 0.98)])
def test_bands_over_families_of_very_unequal_size(families: int, printed: float) -> None:
    """One family in six has 30 problems and the reversed order: what the guide prints, and the caution."""
    rng = np.random.default_rng(families)

    def draw(sizes: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
        parts = []
        for size in sizes.tolist():
            noise = np.sqrt(0.5) * rng.normal(size=(1, 3)) + np.sqrt(0.5) * rng.normal(size=(size, 3))
            parts.append(np.exp(noise) * ([1.0, 2.0, 4.0] if size == 1 else [4.0, 2.0, 1.0]))
        return ratios(np.concatenate(parts))

    many = np.sort(draw(np.where(np.arange(24_000) % 6, 1, 30)), axis=0)
    wanted = np.stack([np.searchsorted(many[:, j], GRID, side="right") for j in range(3)]) / len(many)
    covered = uneven = cautioned = 0
    for _ in range(TABLES):
        sizes = np.where(rng.random(families) < 1 / 6, 30, 1)
        found, codes = draw(sizes), np.repeat(np.arange(families), sizes)
        width = half_widths(found, codes, 0.95, 199, rng)
        shares = np.stack([np.searchsorted(np.sort(found[:, j]), GRID, side="right") for j in range(3)]) / len(codes)
        covered += (np.abs(shares - wanted).max(axis=1) <= width + 1e-9).sum()
        uneven += len(set(sizes.tolist())) > 1
        cautioned += bool(unequal_clusters([sizes]))
    assert covered / (3 * TABLES) == pytest.approx(printed, abs=0.05)
    assert cautioned == uneven
