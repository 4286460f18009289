"""The bootstrap-t of penalised means by its definition (Hall 1988), and the means that it resamples."""

import math

import numpy as np
import pytest
from scipy import stats

from bakeoff.wings.curves.runtimes.statistics.resampling import resampled_means, studentised_half_widths


@pytest.mark.parametrize("alpha", [0.05, 0.1])
def test_half_widths_and_means_of_resamples_by_their_definition(alpha: float) -> None:
    rng = np.random.default_rng(3)
    x, n, draws = rng.exponential(size=15), 15, 199
    weights = rng.multinomial(n, np.full(n, 1 / n), size=draws).astype(float)
    drawn = [np.repeat(x, w.astype(int)) for w in weights]
    assert resampled_means(x[:, None], np.arange(n), weights)[:, 0] == pytest.approx([d.mean() for d in drawn])
    t = sorted(abs(d.mean() - x.mean()) / (d.std(ddof=1) / math.sqrt(n)) for d in drawn)
    critical = max(t[math.ceil((1 - alpha) * (draws + 1)) - 1], stats.t.isf(alpha / 2, n - 1))
    found = studentised_half_widths(x[:, None], np.arange(n), weights, alpha)
    assert found == pytest.approx([critical * x.std(ddof=1) / math.sqrt(n)])
    assert critical > stats.t.isf(alpha / 2, n - 1)  # it is the resamples that decide


@pytest.mark.parametrize(("labels", "known"), [([0, 0, 0, 1, 1, 1], False), ([0] * 6, False), (range(6), True)])
def test_too_few_clusters_bound_no_mean(labels: list[int], known: bool) -> None:
    values, codes = np.random.default_rng(4).exponential(size=(6, 3)), np.array(labels)
    weights = np.random.default_rng(5).multinomial(codes.max() + 1, np.full(codes.max() + 1, 1 / (codes.max() + 1)), 99)
    found = studentised_half_widths(values, codes, weights.astype(float), 0.05)
    assert np.isfinite(found).tolist() == [known] * 3
