"""Tests of the pair alone, on many tables at once."""

from functools import lru_cache

import numpy as np

import bakeoff.wings.bayes as bayes
from bakeoff.errors import ParameterError
from bakeoff.paired._sign_test import sign_tail
from bakeoff.paired.differences import doubled_signed_ranks
from bakeoff.paired.many_pairs import RowDifferences
from bakeoff.posthoc.pairs import signed_rank_rows, t_rows
from bakeoff.ranks import Ints, refuse_overflow, tie_tolerance
from bakeoff.scores import Scores
from bakeoff.wings.study.many_tables.table_batch import TableBatch, TestOutcome

POSTERIOR_DRAWS = 4000  # of the signed-rank test, in each table; the same for tables with the same signed ranks


def t_test_of_many(batch: TableBatch) -> TestOutcome:
    """Absolute differences."""
    return TestOutcome.of_pvalues(t_rows(batch.differences([(batch.a, batch.b)]))[:, 2], batch.alpha)


def relative_t_test_of_many(batch: TableBatch) -> TestOutcome:
    """Differences divided by the mean size of their two scores."""
    rows = batch.differences([(batch.a, batch.b)])
    middle = np.abs(batch.costs[:, :, batch.a] / 2 + batch.costs[:, :, batch.b] / 2)
    if ((middle <= tie_tolerance(rows.scales)) & (rows.values != 0)).any():
        raise ParameterError(
            ": the two scores of a problem cancel (a = −b), so t-relative cannot divide by their mean; leave it out",
            parameter="tests",
        )
    safe = np.where(rows.values == 0, 1.0, middle)
    with np.errstate(over="ignore"):
        values, scales = rows.values / safe, rows.scales / safe
    refuse_overflow(values, "The paired t-test")
    return TestOutcome.of_pvalues(t_rows(RowDifferences(values=values, scales=scales))[:, 2], batch.alpha)


def wilcoxon_of_many(batch: TableBatch) -> TestOutcome:
    return TestOutcome.of_pvalues(signed_rank_rows(batch.pair_sums, batch.known)[:, 2], batch.alpha)


def sign_test_of_many(batch: TableBatch) -> TestOutcome:
    """Ties split."""
    counts, which = _distinct_counts(batch)
    pvalues = [_sign_pvalue(wins, losses, batch.n - wins - losses) for wins, losses in counts]
    return TestOutcome.of_pvalues(np.array(pvalues)[which], batch.alpha)


def _sign_pvalue(wins: int, losses: int, ties: int) -> float:
    halves = ties // 2
    return 1.0 if wins == losses == 0 else sign_tail(wins + halves, wins + losses + 2 * halves, "two-sided")[0]


def _distinct_counts(batch: TableBatch) -> tuple[list[tuple[int, int]], Ints]:
    """The wins and losses that occur, and which of them each table has."""
    wins, losses = batch.pair_signs
    codes, which = np.unique(wins * (batch.n + 1) + losses, return_inverse=True)
    return [divmod(int(code), batch.n + 1) for code in codes], which


def bayesian_signs(batch: TableBatch) -> TestOutcome:
    counts, which = _distinct_counts(batch)
    decisions = [_sign_decision(wins, losses, batch.n - wins - losses, batch.alpha) for wins, losses in counts]
    return _decisions([decisions[i] for i in which.tolist()])


@lru_cache(maxsize=1 << 14)
def _sign_decision(wins: int, losses: int, ties: int, alpha: float) -> tuple[float, bool]:
    x = [1.0] * wins + [0.0] * (losses + ties)
    y = [0.0] * wins + [1.0] * losses + [0.0] * ties
    return decision_of(bayes.sign_test(x, y, better="higher", gamma=alpha / 2))


def bayesian_signed_ranks(batch: TableBatch) -> TestOutcome:
    """The posterior depends on the signed ranks alone, of which there are few if the problems are."""
    decisions = batch.pair_sums.rows
    rows = [tuple(np.sort(doubled_signed_ranks(decisions.row(i))).tolist()) for i in range(batch.t)]
    return _decisions([_signed_rank_decision(row, batch.alpha) for row in rows])


@lru_cache(maxsize=1 << 15)
def _signed_rank_decision(ranks: tuple[int, ...], alpha: float) -> tuple[float, bool]:
    scores = Scores(np.array([[rank, 0.0] for rank in ranks]), better="higher")
    return decision_of(bayes.signed_rank(scores, 0, 1, n_draws=POSTERIOR_DRAWS, gamma=alpha / 2))


def decision_of(posterior: "bayes.SignPosterior | bayes.SignedRankPosterior") -> tuple[float, bool]:
    """Twice the smaller probability, and whether one of the two is better with a probability above 1 − alpha/2.

    If all problems agree, that must hold for every prior of the same strength, as ``.verdict`` has it.
    """
    return 2.0 * min(posterior.p_better, posterior.p_worse), posterior.verdict in ("a better", "b better")


def _decisions(decisions: list[tuple[float, bool]]) -> TestOutcome:
    p, rejected = zip(*decisions, strict=True)
    return TestOutcome(pvalue=np.array(p), rejected=np.array(rejected, dtype=bool))
