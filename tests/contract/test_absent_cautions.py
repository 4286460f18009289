"""No caution without a reason: ordinary results of every kind, with exactly the cautions that they have.

That each caution is there when it must be is tested by its demonstration (``test_demos.py``) and where it arises.
"""

from __future__ import annotations

from typing import Any

import pytest

import bakeoff as bo
from analysis_examples import Ordinary, joined
from bakeoff.cautions import explanations
from ordinary_tables import close, runs, table

PROCEDURES = {
    "friedman": Ordinary(lambda: bo.friedman(table(40, 6), method="chi2"), lacks="chi2-rough limit-law sampled"),
    "iman_davenport": Ordinary(lambda: bo.iman_davenport(table()), lacks="perfect-agreement ties-uncorrected"),
    "skillings_mack": Ordinary(lambda: bo.skillings_mack(table()), lacks="problems-without-pairs missing-scores"),
    "anova": Ordinary(lambda: bo.anova(table()), lacks="no-error-variance"),
    "tukey": Ordinary(lambda: bo.tukey(table()), lacks="no-error"),
    "multiple_sign_test": Ordinary(lambda: bo.multiple_sign_test(table(), control="A1"), lacks="ties"),
    "wilcoxon": Ordinary(
        lambda: bo.wilcoxon(table(), 0, 1), lacks="few-differences normal-approximation zero-variance"
    ),
    "sign_test": Ordinary(lambda: bo.sign_test(table(), 0, 1), lacks="few-differences"),
    "paired_t": Ordinary(lambda: bo.paired_t(table(), 0, 1), lacks="zero-variance"),
    "hodges_lehmann": Ordinary(lambda: bo.hodges_lehmann(table(), 0, 1), lacks="interval-below-level"),
    "median_difference": Ordinary(lambda: bo.median_difference(table(), 0, 1), lacks="interval-below-level"),
    "equivalence": Ordinary(
        lambda: bo.equivalence(close(), "A", "B", 0.5), lacks="interval-below-level margin-out-of-reach zero-variance"
    ),
    "equivalence, by t": Ordinary(
        lambda: bo.equivalence(close(), "A", "B", 0.5, test="t"), lacks="margin-out-of-reach zero-variance"
    ),
    "bayes.compare": Ordinary(
        lambda: bo.bayes.compare(table(40, 3, 1.0), prior="exchangeable", n_draws=2000),
        lacks="always-tied certain-from-few cycle joint-undecided",
    ),
    "bayes.sign_test": Ordinary(lambda: bo.bayes.sign_test(table(40), 0, 1), lacks="all-ties mostly-ties unanimous"),
    "bayes.signed_rank": Ordinary(lambda: bo.bayes.signed_rank(table(40), 0, 1), lacks="all-ties more-draws unanimous"),
    "bayes.friedman": Ordinary(
        lambda: bo.bayes.friedman(table(40), rng=1),
        lacks="excluded-with-certainty monte-carlo prior-outweighs-data prior-rankings-searched reduced-rank",
    ),
    "bayes.friedman, exact region": Ordinary(
        lambda: bo.bayes.friedman(table(40), region="exact", rng=1), lacks="region-narrow monte-carlo"
    ),
    "bayes.kruskal_wallis": Ordinary(
        lambda: bo.bayes.kruskal_wallis(runs(1, 3, 12), region="ellipsoid", rng=1), lacks="few-runs reduced-rank"
    ),
    "bayes.hierarchical": Ordinary(
        lambda: bo.bayes.hierarchical(runs(6, 2, 4), 0, 1, correlation=0.1, rng=1, n_draws=1000),
        lacks="no-differences not-converged",
    ),
    "bayes.correlated_t": Ordinary(
        lambda: bo.bayes.correlated_t(runs(1, 2, 10), 0, 1, correlation=0.1), lacks="rows-as-resamples zero-variance"
    ),
    "bayes.plackett_luce": Ordinary(
        lambda: bo.bayes.plackett_luce(table(40), rng=1, n_draws=2000),
        lacks="first-places-misfit not-connected one-sided no-order unknown-order not-converged",
    ),
    "bayes.rank_probabilities": Ordinary(
        lambda: bo.bayes.rank_probabilities(table(40), n_draws=2000), lacks="same-ranks more-draws"
    ),
}
CASES: dict[str, Ordinary] = joined("ordinary") | PROCEDURES


def codes(found: Any) -> list[str]:
    """As the report has them, where there is one."""
    if isinstance(found, dict):
        return [caution["code"] for caution in found["cautions"]]
    if isinstance(found, list):
        return [caution.code for caution in found]
    if hasattr(found, "to_dict") and "cautions" in (content := found.to_dict()):
        return [caution["code"] for caution in content["cautions"]]
    return [caution.code for caution in found.cautions]


@pytest.mark.few(4, 34)
@pytest.mark.parametrize("name", CASES)
def test_an_ordinary_result_has_no_other_cautions(name: str) -> None:
    case = CASES[name]
    assert sorted(codes(case.made())) == sorted(case.has.split())
    assert not set(case.has.split()) & set(case.lacks.split())


@pytest.mark.slow
def test_every_caution_is_absent_somewhere() -> None:
    """A new code needs a case here: an ordinary result of a kind that can have it, and has it not."""
    assert {code for case in CASES.values() for code in case.lacks.split()} == set(explanations())
