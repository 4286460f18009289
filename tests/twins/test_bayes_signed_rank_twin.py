"""The signed-rank shares beside all pairs: the same weights, whole numbers for the scores, O(n²) loops."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.paired.differences import paired_differences
from bakeoff.wings.bayes.dirichlet import walsh_averages, weights
from bakeoff.wings.bayes.dirichlet.walsh_averages import WalshPosteriorInput, mean_shares, sample_shares, walsh_input

pytestmark = pytest.mark.slow

SFC = np.random.SFC64


def random_case(rng: np.random.Generator) -> tuple[bo.Scores, list[int], int, int, float]:
    """Scores in tenths or thousandths with many ties, their differences as whole numbers in order of the names,

    a rope that is often hit exactly (or 0) in the same unit, the unit, and the prior strength.
    """
    n, digits = int(rng.integers(1, 14)), int(rng.choice([1, 10, 1000]))
    spread = int(rng.choice([1, 3, 10, 1000]))
    a, b = rng.integers(-spread, spread + 1, size=(2, n)).tolist()
    names = [f"p{i}" for i in rng.permutation(n)]
    better = str(rng.choice(["lower", "higher"]))
    scores = bo.Scores([[x / digits, y / digits] for x, y in zip(a, b, strict=True)], problems=names, better=better)
    d = sorted((x - y) * (1 if better == "higher" else -1) for x, y in zip(a, b, strict=True))
    rope = int(rng.choice([0, 1, 2, spread]))
    if d < sorted(-x for x in d):  # weights are dealt out in the order in which the larger end comes last
        d = d[::-1]
    return scores, d, rope, digits, float(rng.choice([0.0, 0.5, 1.0, 4.0]))


def question_of(scores: bo.Scores, rope: float, strength: float) -> WalshPosteriorInput:
    return walsh_input(paired_differences(scores, 0, 1, ""), strength, rope)


def twin_pairs(d: list[int], rope: int, strength: float) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The ordered pairs whose average is above the rope, and below it; the prior is one more difference, 0."""
    z = [*d, 0] if strength > 0 else d
    pairs = list(itertools.product(range(len(z)), repeat=2))
    return [(i, j) for i, j in pairs if z[i] + z[j] > 2 * rope], [(i, j) for i, j in pairs if z[i] + z[j] < -2 * rope]


def twin_weights(seed: int, n: int, size: int, strength: float) -> np.ndarray:
    stream = np.random.Generator(SFC(seed))
    weights = stream.standard_exponential((n, size))
    return np.vstack([weights, stream.standard_gamma(strength, size)]) if strength > 0 else weights


@pytest.mark.parametrize("size", [3, 200])  # side by side in a loop, or by cumulative sums
def test_shares_by_all_pairs(size: int) -> None:
    rng = np.random.default_rng(size)
    for seed in range(150):
        scores, d, rope, digits, s = random_case(rng)
        question = question_of(scores, rope / digits, s)
        above, below = twin_pairs(d, rope, s)
        w = twin_weights(seed, len(d), size, s)
        better = sum((w[i] * w[j] for i, j in above), np.zeros(size))
        worse = sum((w[i] * w[j] for i, j in below), np.zeros(size))
        got = walsh_averages._chunk(question, np.random.Generator(SFC(seed)), size, walsh_averages._Room())
        scale = w.sum(axis=0) ** 2
        np.testing.assert_allclose(got[0] / scale, better / scale, rtol=0, atol=1e-14)
        np.testing.assert_allclose(got[1] / scale, worse / scale, rtol=0, atol=1e-14)
        np.testing.assert_allclose(got[2], scale, rtol=1e-14)
        assert (not got[0].any()) == (not above)
        assert (not got[1].any()) == (not below)


@pytest.mark.parametrize(
    ("values", "rope"),
    [((0, 1), 0.0), ((0, 1, 2), 0.0), ((0, 1, 2), 1.5), ((0, 3, 4), 1.0), ((0, 1), 2.0)],  # the last: all within
)
@pytest.mark.parametrize("strength", [0.0, 1.0])
def test_alike_differences_are_one_atom_with_their_common_weight(
    values: tuple[int, ...], rope: float, strength: float
) -> None:
    """Given the weights, the shares are the same number; sums of exponentials are gamma variables."""
    rng = np.random.default_rng(len(values))
    scores = bo.Scores(rng.choice(values, size=(600, 2)).astype(float), better="higher")
    question = question_of(scores, rope, strength)
    few, counts = question.atoms, question.counts
    assert few is not None
    assert counts is not None
    assert counts.sum() == 600
    assert few.n == len(counts) <= len(values) ** 2
    w = twin_weights(5, 600, 300, strength)
    differences = paired_differences(scores, 0, 1, "")
    content = np.column_stack([differences.values, differences.scales])[walsh_averages._by_content(differences)]
    different, first, of = np.unique(content, axis=0, return_index=True, return_inverse=True)
    sums = np.zeros((len(different), 300))
    np.add.at(sums, of.reshape(-1), w[:600])
    sums = sums[np.argsort(first)]
    sums = np.vstack([sums, w[600:]])
    for full, reduced in ((question.above, few.above), (question.below, few.below)):
        shares = []
        for side, drawn in ((full, w), (reduced, sums)):
            squares = np.zeros((len(drawn) + 1, 300))
            walsh_averages._fill_squares(side.order, drawn, squares)
            shares.append(walsh_averages._beyond(side, squares))
        np.testing.assert_allclose(shares[1], shares[0], rtol=1e-12, atol=1e-9)


def test_draws_of_atoms_have_the_distribution_of_draws_of_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    scores = bo.Scores((rng.random((900, 3)) < [0.5, 0.52, 0.55]).astype(float), better="higher")
    few = bo.bayes.signed_rank(scores, 0, 1), bo.bayes.rank_probabilities(scores)
    monkeypatch.setattr(weights, "MANY_PROBLEMS", 10**9)
    all_of_them = bo.bayes.signed_rank(scores, 0, 1), bo.bayes.rank_probabilities(scores)
    for one, other in zip(few, all_of_them, strict=True):
        assert not np.array_equal(draws_of(one), draws_of(other))
    (a, b), (first, second) = (few[0], all_of_them[0]), (few[1], all_of_them[1])
    assert a.mean_shares == b.mean_shares
    assert a.p_better == pytest.approx(b.p_better, abs=4 * np.hypot(a.standard_error, b.standard_error))
    for moment in (1, 2, 3):
        x, y = (each.draws[:, 0] ** moment for each in (a, b))
        assert x.mean() == pytest.approx(y.mean(), abs=4 * np.hypot(x.std(), y.std()) / np.sqrt(len(x)))
    assert first.p_rank == pytest.approx(second.p_rank, abs=4 * np.sqrt(2 * 0.25 / 50_000))
    assert first.quantiles == pytest.approx(second.quantiles, abs=0.003)


def draws_of(result: object) -> np.ndarray:
    return np.asarray(getattr(result, "draws", getattr(result, "p_rank", None)))


@pytest.mark.parametrize("rows", [255, 256])
def test_tables_with_few_problems_or_many_differences_keep_their_draws(rows: int) -> None:
    rng = np.random.default_rng(4)
    continuous = bo.Scores(rng.normal(size=(rows, 2)), better="higher")
    assert question_of(continuous, 0.0, 1.0).counts is None
    binary = bo.Scores(rng.integers(0, 2, size=(rows, 2)).astype(float), better="higher")
    assert (question_of(binary, 0.0, 1.0).counts is None) == (rows < 256)


def test_exchanged_algorithms_have_mirrored_draws() -> None:
    rng = np.random.default_rng(5)
    scores = bo.Scores((rng.random((700, 2)) < [0.5, 0.55]).astype(float), better="higher")
    one, other = bo.bayes.signed_rank(scores, 0, 1), bo.bayes.signed_rank(scores, 1, 0)
    assert np.array_equal(one.draws, other.draws[:, ::-1])
    shuffled = bo.Scores(scores.values[rng.permutation(700)], better="higher")
    assert np.array_equal(one.draws, bo.bayes.signed_rank(shuffled, 0, 1).draws)


def test_means_by_all_pairs() -> None:
    """E[w_i w_j] = α_i (α_j + [i = j])/(A(A + 1))."""
    rng = np.random.default_rng(9)
    for _ in range(300):
        scores, d, rope, digits, s = random_case(rng)
        alpha = [1.0] * len(d) + ([s] if s > 0 else [])
        total = sum(alpha)
        twin = [
            sum(alpha[i] * (alpha[j] + (i == j)) for i, j in pairs) / (total * (total + 1))
            for pairs in twin_pairs(d, rope, s)
        ]
        found = mean_shares(question_of(scores, rope / digits, s))
        assert (found[0], found[2]) == pytest.approx(tuple(twin), rel=1e-13, abs=1e-15)
        assert sum(found) == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("rope", [0, 2])
def test_probabilities_count_the_draws(rope: int) -> None:
    """Each draw belongs to its largest share; without a rope, to the larger of better and worse."""
    rng = np.random.default_rng(10)
    for _ in range(40):
        n = int(rng.integers(2, 20))
        d = rng.integers(-5, 6, n)
        result = bo.bayes.signed_rank(
            bo.Scores(np.column_stack([d, 0 * d]), better="higher"), 0, 1, rope=rope, n_draws=400, rng=int(n)
        )
        counted = [0.0, 0.0, 0.0]
        for better, equivalent, worse in result.draws.tolist():
            if rope:
                counted[max(range(3), key=[better, equivalent, worse].__getitem__)] += 1 / 400
            else:
                counted[0] += (0.5 + 0.5 * (better > worse) - 0.5 * (worse > better)) / 400
                counted[2] += (0.5 + 0.5 * (worse > better) - 0.5 * (better > worse)) / 400
        if result.method != "exact":  # one more draw, divided evenly among the outcomes that are possible
            possible = [bool((d > rope).any()), rope > 0, bool((d < -rope).any())]
            counted = [p * (400 * c + 1 / sum(possible)) / 401 for c, p in zip(counted, possible, strict=True)]
        assert (result.p_better, result.p_equivalent, result.p_worse) == pytest.approx(counted, abs=1e-12)


def test_threads_and_kept_draws_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = bo.Scores(np.random.default_rng(11).normal(size=(900, 2)), better="lower")
    question = question_of(scores, 0.1, 1.0)
    first, halves = sample_shares(question, 2000, np.random.default_rng(5), threads=1)
    for threads in (2, 5):
        again, same = sample_shares(question, 2000, np.random.default_rng(5), threads=threads)
        assert (again == first).all()
        assert same == halves
    monkeypatch.setattr(walsh_averages, "MOST_KEPT", 700)
    kept, same = sample_shares(question, 2000, np.random.default_rng(5))
    assert (kept == first[:700]).all()
    assert same == halves
