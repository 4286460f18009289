"""Is the replicability reported the rate at which second experiments give the same verdict?

Effects d = 0, .2, .5, .8 in equal shares, n = 6 to 30 normal differences, one pair at level .05.
"""

import numpy as np
import pytest

from bakeoff.analyses.sensitivity.statistics.replicability import SecondExperiments, _tested, same_verdict

pytestmark = pytest.mark.slow

SIZES, EFFECTS = (6, 8, 10, 12, 15, 20, 25, 30), (0.0, 0.2, 0.5, 0.8)


def decisions(test: str, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    p, side = _tested(test, x)
    return p, side, np.where(p <= 0.05, side, 0).astype(int)


@pytest.mark.few(1)
@pytest.mark.parametrize("test", ["wilcoxon", "sign", "t", "mean-ranks"])
def test_the_mean_reported_is_the_rate_of_second_experiments(test: str) -> None:
    rng = np.random.default_rng(23)
    own = "sign" if test == "mean-ranks" else test  # the normal law, for a test that it is near to
    totals, each_size = np.zeros((2, 3)), 100 if test == "t" else 300
    for n in SIZES:
        for d in EFFECTS:
            drawn = SecondExperiments.draw(test, n, 200, rng)
            p, side, first = decisions(own, rng.normal(size=(each_size, n)) + d)
            _, _, second = decisions(own, rng.normal(size=(each_size, n)) + d)
            known: dict[tuple[float, float], float] = {}
            for each in zip(p.tolist(), side.tolist(), first.tolist(), strict=True):
                if each[:2] not in known:
                    known[each[:2]] = same_verdict(drawn, own, n, float(np.log(each[0])), each[1], 0.05, each[2])
            told = np.array([known[each] for each in zip(p.tolist(), side.tolist(), strict=True)])
            for declared in (0, 1):
                which = np.abs(first) == declared
                totals[declared] += which.sum(), told[which].sum(), (first == second)[which].sum()
    reported, rate = totals[:, 1] / totals[:, 0], totals[:, 2] / totals[:, 0]
    limit = 0.1 if test == "mean-ranks" else 0.05
    assert np.all(np.abs(reported - rate) < limit), (reported, rate)
