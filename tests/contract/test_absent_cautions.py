"""No caution without a reason: ordinary results of every kind, with exactly the cautions that they have.

That each caution is there when it must be is tested by its demonstration (``test_demos.py``) and where it arises.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

import bakeoff as bo
from analysis_examples import Ordinary, joined
from bakeoff.cautions import facts
from ordinary_tables import close, runs, table

PROCEDURES = {
    "friedman": Ordinary(lambda: bo.friedman(table(40, 6), method="chi2"), lacks="rough.chi2 rough.limit sampled"),
    "iman_davenport": Ordinary(lambda: bo.iman_davenport(table()), lacks="perfect-agreement ties.statistic"),
    "skillings_mack": Ordinary(lambda: bo.skillings_mack(table()), lacks="left-out.problems-without-pairs missing"),
    "anova": Ordinary(lambda: bo.anova(table()), lacks="no-variation"),
    "tukey": Ordinary(lambda: bo.tukey(table()), lacks="no-variation"),
    "multiple_sign_test": Ordinary(lambda: bo.multiple_sign_test(table(), control="A1"), lacks="ties"),
    "wilcoxon": Ordinary(lambda: bo.wilcoxon(table(), 0, 1), lacks="out-of-reach.differences rough no-variation"),
    "sign_test": Ordinary(lambda: bo.sign_test(table(), 0, 1), lacks="out-of-reach"),
    "paired_t": Ordinary(lambda: bo.paired_t(table(), 0, 1), lacks="no-variation"),
    "hodges_lehmann": Ordinary(lambda: bo.hodges_lehmann(table(), 0, 1), lacks="interval-below-level"),
    "median_difference": Ordinary(lambda: bo.median_difference(table(), 0, 1), lacks="interval-below-level"),
    "equivalence": Ordinary(
        lambda: bo.equivalence(close(), "A", "B", 0.5), lacks="interval-below-level out-of-reach.margin no-variation"
    ),
    "equivalence, by t": Ordinary(
        lambda: bo.equivalence(close(), "A", "B", 0.5, test="t"), lacks="out-of-reach.margin no-variation"
    ),
    "bayes.compare": Ordinary(
        lambda: bo.bayes.compare(table(40, 3, 1.0), prior="exchangeable", n_draws=2000),
        lacks="nothing-differs.statements certainty cycle sampled.statements",
    ),
    "bayes.sign_test": Ordinary(
        lambda: bo.bayes.sign_test(table(40), 0, 1), lacks="nothing-differs.pair ties.problems certainty"
    ),
    "bayes.signed_rank": Ordinary(
        lambda: bo.bayes.signed_rank(table(40), 0, 1),
        lacks="nothing-differs.pair sampled.largest-probability certainty",
    ),
    "bayes.friedman": Ordinary(
        lambda: bo.bayes.friedman(table(40), rng=1),
        lacks=("certainty.equality sampled.probability prior-outweighs-data not-checked.prior-rankings reduced-rank"),
    ),
    "bayes.friedman, exact region": Ordinary(
        lambda: bo.bayes.friedman(table(40), region="exact", rng=1), lacks="region-narrow sampled.probability"
    ),
    "bayes.kruskal_wallis": Ordinary(
        lambda: bo.bayes.kruskal_wallis(runs(1, 3, 12), region="ellipsoid", rng=1), lacks="too-few reduced-rank"
    ),
    "bayes.hierarchical": Ordinary(
        lambda: bo.bayes.hierarchical(runs(6, 2, 4), 0, 1, correlation=0.1, rng=1, n_draws=1000),
        lacks="nothing-differs.runs not-converged",
    ),
    "bayes.correlated_t": Ordinary(
        lambda: bo.bayes.correlated_t(runs(1, 2, 10), 0, 1, correlation=0.1), lacks="rows-as-resamples no-variation"
    ),
    "bayes.plackett_luce": Ordinary(
        lambda: bo.bayes.plackett_luce(table(40), rng=1, n_draws=2000),
        lacks=("lack-of-fit.first-places not-connected one-sided nothing-differs.strengths ties.orders not-converged"),
    ),
    "bayes.rank_probabilities": Ordinary(
        lambda: bo.bayes.rank_probabilities(table(40), n_draws=2000), lacks="ties.ranks sampled.largest-probability"
    ),
}
CASES: dict[str, Ordinary] = joined("ordinary") | PROCEDURES


def names(found: Any) -> list[str]:
    """As the report has them, where there is one: ``code.object``, or the code alone."""
    if isinstance(found, dict):
        cautions = found["cautions"]
    elif isinstance(found, list):
        cautions = [asdict(caution) for caution in found]
    elif hasattr(found, "to_dict") and "cautions" in (content := found.to_dict()):
        cautions = content["cautions"]
    else:
        cautions = [asdict(caution) for caution in found.cautions]
    return [f"{caution['code']}.{caution['object']}".rstrip(".") for caution in cautions]


@pytest.mark.few(4, 34)
@pytest.mark.parametrize("name", CASES)
def test_an_ordinary_result_has_no_other_cautions(name: str) -> None:
    case = CASES[name]
    assert sorted(names(case.made())) == sorted(case.has.split())
    assert not set(case.has.split()) & set(case.lacks.split())


@pytest.mark.slow
def test_every_caution_is_absent_somewhere() -> None:
    """A new code needs a case here: an ordinary result of a kind that can have it, and has it not."""
    assert {name.partition(".")[0] for case in CASES.values() for name in case.lacks.split()} == set(facts())
