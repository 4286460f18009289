"""The confidence sequence of a median against its definition, evaluated value by value."""

from __future__ import annotations

import itertools
import math

import mpmath
import numpy as np
import pytest

from bakeoff.wings.guard.timing.confidence_sequence import ConfidenceSequence, fewest_rounds, least_count, log_e
from bakeoff.wings.run.racing.pair_evidence import log_e_sign


def test_evidence_is_that_of_the_sign_process() -> None:
    for wins, losses in [(0, 0), (8, 0), (3, 5), (40, 12)]:
        exact = mpmath.mpf(2) ** (wins + losses) * mpmath.beta(1 + wins, 1 + losses)
        assert math.exp(log_e(wins, losses)) == pytest.approx(float(exact), rel=1e-12)
    differences = np.array([1.0, -2.0, 0.0, 3.0, 4.0])
    assert log_e_sign(differences)[-1] == pytest.approx(log_e(3, 1), rel=1e-12)


def test_eight_rounds_are_the_least_that_decide_at_five_percent() -> None:
    """2⁸/9 = 28.4 >= 20, and 2⁷/8 = 16."""
    assert fewest_rounds(math.log(20)) == 8
    assert fewest_rounds(math.log(3 * 20)) == 10


@pytest.mark.parametrize("threshold", [20.0, 60.0])
def test_the_least_count_by_trying_each(threshold: float) -> None:
    for n in range(1, 120):
        tried = next(j for j in range(n + 1) if log_e(n - j, j) < math.log(threshold))
        assert least_count(n, math.log(threshold)) == tried


def slow_interval(values: list[float], log_threshold: float) -> tuple[float, float]:
    """All θ, between neighbouring values and at them, at which no prefix has reached the threshold."""
    cuts = sorted(set(values))
    middles = [(x + y) / 2 for x, y in itertools.pairwise(cuts)]
    kept = []
    for theta in [cuts[0] - 1, *middles, cuts[-1] + 1]:
        worst = max(
            log_e(sum(v > theta for v in values[:n]), sum(v < theta for v in values[:n]))
            for n in range(1, len(values) + 1)
        )
        if worst < log_threshold:
            kept.append(theta)
    if not kept:
        return math.nan, math.nan
    low = max((c for c in cuts if c < kept[0]), default=-math.inf)
    return low, min((c for c in cuts if c > kept[-1]), default=math.inf)


@pytest.mark.parametrize("seed", range(25))
def test_the_interval_is_where_no_round_has_rejected(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = (rng.normal(size=30) + 0.03 * seed).tolist()
    found = ConfidenceSequence(math.log(20))
    for value in values:
        found.add(value)
    low, high = slow_interval(values, math.log(20))
    if math.isnan(low):
        assert found.empty
    else:
        assert (found.low, found.high) == (low, high)
    assert found.median == pytest.approx(float(np.median(values)))
    assert found.log_evidence == pytest.approx(float(log_e_sign(np.array(values)).max()))
    assert bool(found.sides) == (found.log_evidence >= math.log(20))


def test_a_ratio_that_turns_round_is_no_verdict() -> None:
    found = ConfidenceSequence(math.log(20))
    for value in [1.0 + 0.01 * i for i in range(10)] + [-1.0 - 0.01 * i for i in range(40)]:
        found.add(value)
    assert found.empty
    assert found.sides == {1, -1}
    assert found.direction == 0


def test_known_is_a_width() -> None:
    found = ConfidenceSequence(math.log(20))
    for i in range(12):
        found.add(0.001 * (i % 5))
    assert found.known(0.01)
    assert not found.known(0.001)
