"""Order statistics of Walsh averages: NumPy, the compiled twin and the full list give the same numbers."""

import numpy as np
import pytest

from bakeoff.effects import walsh_averages
from bakeoff.effects.walsh_averages import walsh_order_statistics
from compiled_twins import BOTH_WAYS, use

LAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "rounded": lambda rng, n: rng.normal(size=n).round(1),
    "few values": lambda rng, n: rng.integers(-2, 3, n) * 0.1,
    "constant": lambda rng, n: np.full(n, 0.3),
    "zeros": lambda rng, n: rng.choice([0.0, -0.0, 1e-300, -1e-300, 2.0], n),
    "skewed": lambda rng, n: rng.lognormal(sigma=8.0, size=n),
    "of every size": lambda rng, n: rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-300, 300, n),
    "one far out": lambda rng, n: np.append(rng.normal(size=n - 1), 1e300),
    "denormal": lambda rng, n: rng.integers(-50, 50, n) * 5e-324,
}


@pytest.fixture(params=BOTH_WAYS)
def how(request, monkeypatch):
    use(request.param, "bakeoff.effects.walsh_compiled", walsh_averages, monkeypatch)
    monkeypatch.setattr(walsh_averages, "SORTED", 0)
    monkeypatch.setattr(walsh_averages, "WORTH_LOADING", 0)
    return request.param


@pytest.mark.parametrize("law", LAWS)
def test_the_numbers_of_the_full_list(law, how):
    rng = np.random.default_rng(len(law))
    for n in (2, 3, 25) if how == "as Python" else (2, 3, 25, 300, 431):
        differences = LAWS[law](rng, n)
        halves = np.sort(differences) / 2
        every = np.sort((halves[:, None] + halves)[np.triu_indices(n)])
        last = len(every) - 1
        places = sorted(
            {0, last, last // 2, (last + 1) // 2, last // 40, last - last // 40, *rng.integers(0, last + 1, 3)}
        )
        assert walsh_order_statistics(differences, places) == every[places].tolist()
