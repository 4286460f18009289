"""The Plackett–Luce model place by place, against its blocks: value, gradient, curvature, first places."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.mcmc import plackett_luce_model as model, rankings as reading
from bakeoff.wings.bayes.mcmc.plackett_luce_model import PlackettLuce, first_places
from bakeoff.wings.bayes.mcmc.plackett_luce_sampler import pair_probabilities
from bakeoff.wings.bayes.mcmc.rankings import first_places_seen, rankings_of, wins

NAMES = [f"a{i}" for i in range(6)]


def table(seed: int, ties: bool, holes: bool) -> bo.Scores:
    rng = np.random.default_rng(seed)
    values = rng.permuted(np.tile(np.arange(6.0), (23, 1)), axis=1)
    if ties:
        values = np.floor(values / rng.choice([1, 2, 3], size=(23, 1)))
    if holes:
        values[rng.random(values.shape) < 0.2] = np.nan
    return bo.Scores(np.vstack([values, values[:5]]), NAMES, better="lower", missing="keep")


def slow(scores: bo.Scores, theta: np.ndarray, s: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Single places only: of tied sets, how often their members were ahead."""
    rate = np.exp(theta)
    share = rate / rate.sum()
    value = s * float(np.log(share).sum()) - theta.sum() ** 2 / 12
    gradient = s - 6 * s * share - theta.sum() / 6
    curvature = 6 * s * (np.diag(share) - np.outer(share, share)) + 1 / 6
    for row in scores.values:
        there = [i for i in range(6) if row[i] == row[i]]
        for i in there:
            behind = [j for j in there if row[j] > row[i]]
            if not behind or len(there) < 2:
                continue
            value += theta[i]
            gradient[i] += 1
            if sum(row[j] == row[i] for j in there) > 1:
                continue
            left = np.isin(np.arange(6), [i, *behind])
            p = np.where(left, rate, 0) / rate[left].sum()
            value -= np.log(rate[left].sum())
            gradient -= p
            curvature += np.diag(p) - np.outer(p, p)
    return value, gradient, curvature


@pytest.mark.few(4)
@pytest.mark.parametrize("block", [7, 40, 1 << 11])
@pytest.mark.parametrize(("ties", "holes"), [(False, False), (True, False), (False, True), (True, True)])
def test_value_gradient_and_curvature(ties: bool, holes: bool, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "BLOCK", block)
    scores = table(1, ties, holes)
    x = np.random.default_rng(2).normal(size=(4, 6))
    found = PlackettLuce(rankings=rankings_of(scores), strength=0.7)
    values, gradients = found.value_and_gradient(x)
    assert np.allclose(found.gradient(x), gradients, rtol=1e-12)
    for theta, value, gradient in zip(x, values, gradients, strict=True):
        wanted = slow(scores, theta, 0.7)
        assert value == pytest.approx(wanted[0], rel=1e-12)
        assert np.allclose(gradient, wanted[1], rtol=1e-10, atol=1e-10)
        assert np.allclose(found.curvature(theta), wanted[2], rtol=1e-10, atol=1e-10)


def test_latent_exposure_of_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each tied member is exposed for its own time, those behind until the last of the set; others not at all."""
    scores = bo.Scores([[1, 1, 2, 3, 4, 5], [9, 1, 2, 2, 2, 3], [1, 2, 3, 4, 4, 4]], NAMES, better="lower")
    times = np.array([[0.5, 0.3], [0.2, 0.9], [0.0, 0.1]])[:, :, None]
    monkeypatch.setattr(model, "_times", lambda *given: (times, np.ones((2, 1))))
    found = PlackettLuce(rankings=rankings_of(scores), strength=1.0)
    found.draw_times(np.random.default_rng(0), np.zeros((1, 6)))
    assert found.exposure is not None
    assert found.exposure[:, 0] == pytest.approx([0.5 + 0.9, 0.2, 0.5 + 0.3, 0.5 + 0.9, 0.5 + 0.1, 0.5 + 0.9])


@pytest.mark.parametrize("holes", [False, True])
def test_first_places_and_wins(holes: bool) -> None:
    scores = table(3, True, holes)
    rankings = rankings_of(scores)
    rows = [[(value, i) for i, value in enumerate(row) if value == value] for row in scores.values.tolist()]
    rows = [row for row in rows if len(row) > 1]
    seen, won = np.zeros(6), np.zeros((6, 6))
    for row in rows:
        best = [i for value, i in row if value == min(row)[0]]
        seen[best] += 1 / len(best) / len(rows)
        for value, i in row:
            for other, j in row:
                won[i, j] += value < other
    assert first_places_seen(rankings) == pytest.approx(seen)
    assert (wins(rankings) == won).all()
    assert rankings.n == len(rows)
    x = np.random.default_rng(4).normal(size=(5, 6)) / 3
    drawn, expected, again = first_places(PlackettLuce(rankings=rankings, strength=1.0), np.random.default_rng(5), x)
    said = [row for row in rows if len({value for value, _ in row}) > 1]
    assert drawn.sum(axis=0) == pytest.approx(np.full(5, len(said)))
    assert again.sum(axis=0) == pytest.approx(np.full(5, len(said)))
    rate = np.exp(x)
    wanted = sum(np.where(np.isin(np.arange(6), [i for _, i in row]), rate, 0) /
                 rate[:, [i for _, i in row]].sum(axis=1, keepdims=True) for row in said)  # fmt: skip
    assert np.allclose(expected.T, wanted)


def test_pairs_of_draws() -> None:
    theta = np.random.default_rng(6).normal(size=(3, 50, 4))
    stronger, ahead, _ = pair_probabilities(theta)
    rate = np.exp(theta.reshape(-1, 4))
    assert ahead[0, 1] == pytest.approx((rate[:, 0] / (rate[:, 0] + rate[:, 1])).mean())
    assert stronger[2, 3] == pytest.approx(((rate[:, 2] > rate[:, 3]).sum() + 0.5) / 151)


def test_tied_sets_have_the_sizes_of_those_counted() -> None:
    level = np.sort(np.random.default_rng(7).integers(0, 9, size=(30, 8)), axis=0)
    start = np.vstack([np.ones((1, 8), dtype=bool), level[1:] != level[:-1]])
    assert (reading._sizes(start) == (level[:, None] == level[None, :]).sum(axis=0)).all()
