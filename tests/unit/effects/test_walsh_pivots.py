"""Selection among Walsh averages ends quickly, and rows are looked at one by one for ties."""

import numpy as np
import pytest

from bakeoff.effects import walsh_averages
from bakeoff.effects._hodges_lehmann import maybe_tied
from bakeoff.effects.signed_rank_inversion import _distinct
from bakeoff.effects.walsh_averages import _list, _pivot, walsh_order_statistics


@pytest.mark.parametrize("seed", range(8))
def test_a_pivot_has_a_quarter_of_the_candidates_on_either_side(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 40
    halves = np.sort(rng.normal(5.0, 1.0, n))
    low = rng.integers(np.arange(n), n)
    high = rng.integers(low, n + 1)
    candidates, pivot = _list(halves, low, high), _pivot(halves, low, high)
    assert pivot in candidates
    assert min(np.mean(candidates <= pivot), np.mean(candidates >= pivot)) >= 0.25


@pytest.mark.parametrize("listed", [1, 50])
def test_an_order_statistic_without_listing_all(listed: int) -> None:
    d = np.random.default_rng(1).normal(size=25)
    averages = np.sort([(a + b) / 2 for i, a in enumerate(d) for b in d[i:]])
    places = [0, 1, 100, 162, 323, 324]
    assert walsh_order_statistics(d, places, listed) == pytest.approx(averages[places], rel=1e-15)


@pytest.mark.parametrize(
    ("row", "tied"),
    [
        ([3.0, -1.0, 2.0, 7.0], False),
        ([3.0, -1.0, 2.0, -3.0], True),
        ([3.0, 0.0, 2.0, 7.0], True),
        ([3.0, -1.0, np.inf, 7.0], True),
        ([3.0, -1.0, -np.inf, np.inf], True),
    ],
)
def test_rows_are_looked_at_for_ties_one_by_one(row: list[float], tied: bool) -> None:
    around = [[9.0, 4.0, 1.0, 6.0], row, [0.5, 1.5, 5.0, 2.5]]
    values = np.array(around)
    assert maybe_tied(values, np.abs(values)).tolist() == [False, tied, False]


@pytest.mark.parametrize(
    ("averages", "points", "widths", "below"),
    [
        ([1.0, 2.0, 4.0], [1.0, 2.0, 4.0], [0.0, 0.0, 0.0], [0, 1, 2, 3]),
        ([-np.inf, -np.inf, 1.0, 2.0, np.inf], [1.0, 2.0], [0.0, 0.0], [2, 3, 4]),
        ([1.0, 1.0, 2.0], [1.0, 2.0], [0.0, 0.0], [0, 2, 3]),
        ([-np.inf, np.inf], [], [], []),
    ],
)
def test_distinct_averages_and_how_many_lie_below(
    averages: list[float], points: list[float], widths: list[float], below: list[int]
) -> None:
    found = _distinct(np.array(averages), np.array([4.0]))
    assert [part.tolist() for part in found] == [points, widths, below]


@pytest.mark.parametrize(
    "kind",
    [
        "normal",
        "rounded",
        "coarse",
        "upwards",
        "cauchy",
        "zeros",
        "scales",
        "two values",
        "constant",
        "infinite",
        "huge",
    ],
)
def test_thresholds_select_what_a_full_list_has(kind: str) -> None:
    """To the bit, with ties, differences of any size, and where thresholds cannot be found."""
    rng = np.random.default_rng(len(kind))
    for n in (283, 420, 801):
        d = {
            "normal": rng.normal(size=n),
            "rounded": rng.normal(size=n).round(2),
            "coarse": rng.normal(0.3, 1, size=n).round(1),
            "upwards": np.abs(rng.normal(size=n)).round(1) * 1e6,
            "cauchy": rng.standard_cauchy(size=n) * 1e6,
            "zeros": rng.normal(size=n) * (rng.random(n) < 0.3),
            "scales": rng.normal(size=n) * 10.0 ** rng.integers(-12, 12, size=n),
            "two values": rng.integers(0, 2, size=n) * 0.1,
            "constant": np.full(n, 0.7),
            "infinite": np.where(rng.random(n) < 0.1, np.inf, rng.normal(size=n)),
            "huge": rng.normal(size=n) * 1e307,
        }[kind]
        halves = np.sort(d) / 2
        averages = np.sort((halves[:, None] + halves)[np.triu_indices(n)])
        last = len(averages) - 1
        places = [0, 1, last // 2, (last + 1) // 2, last, *rng.integers(0, last + 1, size=12).tolist()]
        assert walsh_order_statistics(d, places) == averages[places].tolist()


def test_no_more_averages_are_listed_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    lengths = []

    def listing(*given: np.ndarray) -> np.ndarray:
        lengths.append(len(found := _list(*given)))
        return found

    monkeypatch.setattr(walsh_averages, "_list", listing)
    d = np.random.default_rng(2).normal(size=60)
    d[0] = np.inf  # no thresholds
    averages = np.sort([(a + b) / 2 for i, a in enumerate(d) for b in d[i:]])
    places = [0, 300, 915, 1769, 1829]
    assert walsh_averages.walsh_order_statistics(d, places, 100) == averages[places].tolist()
    assert 0 < max(lengths) <= 100
