"""The studentized range at thousands of points: interpolation gives what the integral gives, at any k."""

import numpy as np
import pytest

from bakeoff.nulls import chi_average, studentized_range


@pytest.mark.few(2)
@pytest.mark.parametrize("k", [2, 3, 9, 60, 1000])
def test_interpolation_equals_the_integral(k, monkeypatch):
    rng = np.random.default_rng(k)
    q = np.concatenate([rng.random(1500) * 9, rng.random(500) * 51])
    monkeypatch.setattr(chi_average, "WORTH", 0.0)
    many = studentized_range.log_sf(q, k)
    monkeypatch.setattr(chi_average, "WORTH", np.inf)
    one_by_one = studentized_range.log_sf(q, k)
    assert one_by_one.min() < -600
    np.testing.assert_allclose(np.expm1(many - one_by_one), 0.0, atol=1e-12)


def test_the_order_of_the_points_does_not_matter():
    rng = np.random.default_rng(0)
    q = rng.random(5000) * 20
    order = rng.permutation(len(q))
    np.testing.assert_array_equal(studentized_range.sf(q, 7)[order], studentized_range.sf(q[order], 7))
