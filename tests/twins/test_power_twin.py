"""Many tables at once beside the public functions on one table at a time: ranks and counts to the bit, t and analysis
of variance to 1e-12, other p-values to 1e-10."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.many_tables.table_batch import TableBatch
from bakeoff.wings.study.many_tables.two_algorithms import POSTERIOR_DRAWS, decision_of

ALPHA = 0.05
One = Callable[[bo.Scores, int, int], tuple[float, bool, list[float] | None]]


def by_pvalue(function: Callable[[bo.Scores, int, int], float]) -> One:
    def one(s: bo.Scores, a: int, b: int) -> tuple[float, bool, None]:
        p = function(s, a, b)
        return p, p <= ALPHA, None

    return one


def by_compare(control: bool, posthoc: str | None, pairwise: str | None) -> One:
    def one(s: bo.Scores, a: int, b: int) -> tuple[float, bool, list[float]]:
        found = bo.compare(s, control=a if control else None, posthoc=posthoc, pairwise=pairwise, alpha=ALPHA)
        pair = next(p for p in found.pairs if {p.a, p.b} == {s.algorithms[a], s.algorithms[b]})
        p = pair.adjusted[found.primary]
        return p, pair.verdict in ("a better", "b better"), [q.adjusted[found.primary] for q in found.pairs]

    return one


def tukey(s: bo.Scores, a: int, b: int) -> tuple[float, bool, list[float]]:
    p = bo.tukey(s).pvalue
    return float(p[a, b]), bool(p[a, b] <= ALPHA), p[np.triu_indices(len(p), 1)].tolist()


def posterior(function: Callable[..., bo.bayes.SignPosterior | bo.bayes.SignedRankPosterior], **options: int) -> One:
    def one(s: bo.Scores, a: int, b: int) -> tuple[float, bool, None]:
        return *decision_of(function(s, a, b, gamma=ALPHA / 2, **options)), None

    return one


@cache
def with_control(s: bo.Scores, a: int) -> bo.Comparison:
    return bo.compare(s, control=a, posthoc=list(ON_RANKS.values()), pairwise="mean-ranks", alpha=ALPHA)


def on_ranks(method: str) -> One:
    def one(s: bo.Scores, a: int, b: int) -> tuple[float, bool, list[float]]:
        pairs = with_control(s, a).pairs
        p = next(pair.adjusted[method] for pair in pairs if pair.b == s.algorithms[b])
        return p, p <= ALPHA, [pair.adjusted[method] for pair in pairs]

    return one


ON_RANKS = {
    "bonferroni-dunn": "bonferroni",
    **{name: name for name in ("holm", "holland", "hochberg", "rom", "hommel", "finner", "li")},
}
SLOW: dict[str, One] = {
    "t": by_pvalue(lambda s, a, b: bo.paired_t(s, a, b).pvalue),
    "t-relative": by_pvalue(lambda s, a, b: bo.paired_t(s, a, b, relative=True).pvalue),
    "wilcoxon": by_pvalue(lambda s, a, b: bo.wilcoxon(s, a, b).pvalue),
    "sign": by_pvalue(lambda s, a, b: bo.sign_test(s, a, b).pvalue),
    "bayes-sign": posterior(bo.bayes.sign_test),
    "bayes-signed-rank": posterior(bo.bayes.signed_rank, n_draws=POSTERIOR_DRAWS),
    "anova": by_pvalue(lambda s, a, b: bo.anova(s).pvalue),
    "friedman": by_pvalue(lambda s, a, b: bo.friedman(s).pvalue),
    "iman-davenport": by_pvalue(lambda s, a, b: bo.iman_davenport(s).pvalue),
    "aligned": by_pvalue(lambda s, a, b: bo.aligned_friedman(s).pvalue),
    "quade": by_pvalue(lambda s, a, b: bo.quade(s).pvalue),
    "tukey": tukey,
    "nemenyi": by_compare(False, "nemenyi", None),
    "shaffer": by_compare(False, "shaffer", "mean-ranks"),
    "bergmann-hommel": by_compare(False, "bergmann-hommel", "mean-ranks"),
    **{name: on_ranks(method) for name, method in ON_RANKS.items()},
    "aligned-holm": by_compare(True, "holm", "aligned"),
    "quade-holm": by_compare(True, "holm", "quade"),
    "compare": by_compare(False, None, None),
    "compare-control": by_compare(True, None, None),
}
EXACT = {"wilcoxon", "sign", "bayes-sign", "compare", "compare-control"}
CLOSE = {"t": 1e-12, "t-relative": 1e-12, "anova": 1e-12}
# tails of single numbers are our own, those of many SciPy's
CLOSE |= dict.fromkeys(("friedman", "aligned", "quade"), 1e-12)


def tables(kind: str, rng: np.random.Generator) -> list[bo.Scores]:
    """Of one shape: continuous, with ties, of many magnitudes, degenerate, with runs."""
    t, n, k = 6, 9, 5
    if kind == "continuous":
        values = rng.normal(size=(t, n, k)) + rng.normal(size=(t, 1, k))
    elif kind == "ties":
        values = rng.integers(0, 5, size=(t, n, k)) / 10 + 0.1 * np.arange(k)
    elif kind == "magnitudes":
        values = rng.lognormal(size=(t, n, k)) * 10.0 ** rng.integers(-8, 6, size=(t, n, 1))
        values[rng.random((t, n)) < 0.2] = 1.0
    elif kind == "degenerate":
        values = np.tile(rng.normal(size=(t, n, 1)), (1, 1, k))
        values[: t // 3] += np.arange(k) * 0.1
        values[t // 3 : 2 * t // 3, 0, 0] += 1.0
    else:
        values = rng.integers(0, 4, size=(t, n, k, 3)) / 10 + 0.1
    better = "higher" if kind in ("ties", "runs") else "lower"
    return [bo.Scores(table, better=better) for table in values]


def test_every_procedure_has_a_slow_twin() -> None:
    assert list(SLOW) == list(TESTS)


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["continuous", "ties", "magnitudes", "degenerate", "runs"])
def test_many_tables_are_as_one_at_a_time(kind: str) -> None:
    found = tables(kind, np.random.default_rng(7))
    costs, scales = np.array([s.costs for s in found]), np.array([s.scales for s in found])
    batch = TableBatch(costs, scales, found[0].runs is not None, (1, 3), ALPHA)
    for i, s in enumerate(found):
        assert np.array_equal(batch.ranks[i], 2 * bo.rank(s))
        assert np.array_equal(batch.aligned_ranks[i], 2 * bo.rank_aligned(s))
        assert np.array_equal(batch.ranks_by("quade")[0][i], 4 * bo.rank_weighted(s))
    for name, one in SLOW.items():
        outcome = TESTS[name].function(batch)
        checked = [3] if name == "tukey" else list(range(len(found)))  # its intervals take the public function long
        slow = [one(found[i], 1, 3) for i in checked]
        pvalues = np.array([p for p, _, _ in slow])
        where = f"{kind}, {name}"
        if name in EXACT:
            assert np.array_equal(outcome.pvalue, pvalues), where
        elif name == "bayes-signed-rank" and kind == "runs":
            # differences tied within rounding have another order than their ranks, and so other draws of the same law
            assert np.abs(outcome.pvalue - pvalues).max() < 5 * np.sqrt(1 / POSTERIOR_DRAWS)
            continue
        else:
            relative = CLOSE.get(name, 1e-10)
            np.testing.assert_allclose(outcome.pvalue[checked], pvalues, rtol=relative, atol=1e-300, err_msg=where)
        assert outcome.rejected[checked].tolist() == [rejected for _, rejected, _ in slow], where
        families = [family for _, _, family in slow if family is not None]
        if families:
            assert outcome.family is not None
            np.testing.assert_allclose(
                outcome.family.T[checked], np.array(families), rtol=1e-10, atol=1e-300, err_msg=where
            )


@pytest.mark.slow
def test_a_study_is_its_draws_one_at_a_time() -> None:
    """The whole of bo.study.power beside a loop: the same problems, the public functions, counts and means."""
    from bakeoff.randomness import generator, streams
    from bakeoff.wings.study.table_study import drawn_problems, log_weights

    s = bo.datasets.load("garcia_2010")
    names = ["t", "wilcoxon", "friedman", "holm", "compare"]
    found = bo.study.power(s, "PDFC", "NNEP", names, size=8, bias=(0, 10), draws=12, rng=3)
    d = s.values[:, 0] - s.values[:, 1]
    for k, stream in zip((0.0, 10.0), streams(generator(3)), strict=False):
        drawn = [s.select(problems=row) for row in drawn_problems(log_weights(d, k), 8, 12, stream).tolist()]
        for name in names:
            slow = [SLOW[name](table, 0, 1) for table in drawn]
            row = found.row(name, k)
            assert row.rejections == sum(rejected for _, rejected, _ in slow)
            assert row.mean_p == pytest.approx(np.mean([p for p, _, _ in slow]), rel=1e-12)
            if row.mean_p_all is not None:
                assert row.mean_p_all == pytest.approx(np.mean([family for _, _, family in slow]), rel=1e-12)
