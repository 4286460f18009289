"""Claims of reports and of the README against computations made here: what was found false or misleading."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.analyses.compare.reporting.methods import methods

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
TIED = np.random.default_rng(4).integers(0, 2, (30, 4)).astype(float)  # right or wrong: most ranks are tied


def lower(values: object) -> bo.Scores:
    return bo.Scores(values, better="lower")


def test_what_is_corrected_for_ties_is_named() -> None:
    """F-B7: "tied ranks shrink the variance of rank sums" was said of all tests, and true of the omnibus test alone.

    Now the pairs have the variance of the tied ranks too: 2/(k − 1) Σ (s_ij − mean)², by definition.
    """
    result = bo.compare(lower(TIED), pairwise="mean-ranks")
    (ties,) = [choice for choice in result.choices if choice.parameter == "ties"]
    assert ties.reason == "tied ranks shrink the variance of the omnibus statistic"
    ranks = np.array([stats.rankdata(row) for row in TIED])
    n, k = ranks.shape
    se = math.sqrt(2.0 / (k - 1) * ((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum()) / n
    means = ranks.mean(axis=0)
    for pair, (i, j) in zip(result.pairs, itertools.combinations(range(k), 2), strict=True):
        assert pair.statistic == pytest.approx((means[j] - means[i]) / se, rel=1e-12)
    assert result.omnibus.ties == "corrected"
    assert "corrected for ties" in str(methods(result))

    printed = bo.compare(lower(TIED), recipe="demsar-2006")
    (ties,) = [choice for choice in printed.choices if choice.parameter == "ties"]
    assert (ties.value, ties.reason) == ("uncorrected", "as the paper prints it")
    papers = math.sqrt(k * (k + 1) / (6.0 * n))
    for pair, (i, j) in zip(printed.pairs, itertools.combinations(range(k), 2), strict=True):
        assert pair.statistic == pytest.approx((means[j] - means[i]) / papers, rel=1e-12)
    assert "papers-formula" in [caution.code for caution in printed.cautions]


@pytest.mark.slow
def test_cannot_tell_and_the_other_claims_of_the_readme() -> None:
    """F-B9: "call 'not significant' what could not have been significant", "exactly where they can be", "a pair whose
    verdict depends on which other algorithms are in the table"; README and report did not keep any of the three.
    """
    gated = bo.compare(lower([[1, 2, 3]] * 2), control=0, recipe="demsar-2006", alpha=0.1)
    assert {pair.verdict for pair in gated.pairs} == {"cannot tell"}  # the gate's smallest p is 1/6
    for method in ("holm", "bonferroni", "shaffer", "bergmann-hommel"):
        for n in range(2, 9):  # all problems agree: the most extreme outcome that there is
            extreme = bo.compare(lower([[1.0, 2.0, 3.0]] * n), posthoc=method, pairwise="sign")
            decided = {pair.verdict for pair in extreme.pairs} - {"cannot tell"}
            reached = min(pair.adjusted[method] for pair in extreme.pairs) <= 0.05
            assert bool(decided) == reached, (method, n)
    small = bo.compare(lower([[1, 2, 3], [1, 2, 3], [1, 3, 2]]))
    as_much = [  # of the 6³ ways to rank three problems, those that agree at least as much
        sum(np.square(np.sum(ranks, axis=0) - 6.0)) >= 14.0
        for ranks in itertools.product(itertools.permutations((1, 2, 3)), repeat=3)
    ]
    assert small.omnibus.pvalue == pytest.approx(np.mean(as_much), rel=1e-12)
    for pairwise in ("mean-ranks", "aligned", "quade"):
        found = bo.compare(lower(TIED), pairwise=pairwise)
        assert "assumes-all-alike" in [caution.code for caution in found.cautions]
    text = " ".join(README.read_text(encoding="utf-8").split())
    for claim in (
        "Results are exact where feasible; approximations are labelled",
        "mean ranks, which depend on the other algorithms",
        "If no outcome could have been significant, it says [*cannot tell*](docs/understand/verdicts.md)",
    ):
        assert claim in text
    assert "computed exactly where they can be" not in text
    page = (ROOT / "docs" / "understand" / "verdicts.md").read_text(encoding="utf-8")
    assert "For a few step-up corrections it follows from a bound" in " ".join(page.split())


@pytest.mark.slow
def test_chi2_is_nearer_than_f_with_few_algorithms() -> None:
    """F-B3: the caution recommended F, which is further from the exact p for k = 3 (n >= 4) and k = 4 (n >= 3)."""

    def apart(k: int, n: int) -> tuple[float, float]:
        """Mean |ln(p/exact)| of χ² and F over all outcomes with an exact p of at most 0.1."""
        orders = np.array(list(itertools.permutations(range(1, k + 1))), dtype=float)
        law = {tuple([0.0] * k): 1}
        for _ in range(n):  # rank sums, up to the order of the algorithms
            grown: dict[tuple[float, ...], int] = {}
            for sums, count in law.items():
                for order in orders:
                    key = tuple(sorted(np.add(sums, order)))
                    grown[key] = grown.get(key, 0) + count
            law = grown
        q = {s: 12.0 / (n * k * (k + 1)) * sum((x - n * (k + 1) / 2) ** 2 for x in s) for s in law}
        values = sorted(set(np.round(list(q.values()), 9)), reverse=True)
        total, below, gaps = float(sum(law.values())), 0.0, []
        for value in values:
            mass = sum(count for s, count in law.items() if round(q[s], 9) == value)
            below += mass
            exact = below / total
            if exact > 0.1 or value >= n * (k - 1) - 1e-9:
                continue
            f = (n - 1) * value / (n * (k - 1) - value)
            p_f, p_chi2 = stats.f.sf(f, k - 1, (k - 1) * (n - 1)), stats.chi2.sf(value, k - 1)
            gaps.append((mass, abs(math.log(p_chi2 / exact)), abs(math.log(p_f / exact))))
        weight = sum(gap[0] for gap in gaps)
        return sum(g[0] * g[1] for g in gaps) / weight, sum(g[0] * g[2] for g in gaps) / weight

    for k, n in ((3, 5), (3, 8), (3, 10), (4, 3), (4, 5)):
        chi2, f = apart(k, n)
        assert chi2 < f, (k, n, chi2, f)
        (caution,) = bo.friedman(lower(np.random.default_rng(1).random((n, k)))).cautions
        assert caution.name == "rough (chi2)"
        assert "iman_davenport" not in caution.text
    chi2, f = apart(5, 4)
    assert f < chi2
    (caution,) = bo.friedman(lower(np.random.default_rng(1).random((4, 5)))).cautions
    assert "bo.iman_davenport is more accurate" in caution.text


@pytest.mark.slow
def test_contrasts_are_medians_of_differences() -> None:
    """F-B6: they were called differences of medians, which may even have the other sign."""
    rng = np.random.default_rng(2)
    other_sign = 0
    for _ in range(50):
        table = rng.lognormal(size=(9, 2))
        result = bo.compare(lower(table), control=1, recipe="derrac-2011")
        assert result.contrasts is not None
        assert abs(result.contrasts[0, 1]) == pytest.approx(abs(np.median(table[:, 1] - table[:, 0])))
        other_sign += np.sign(np.median(table[:, 1] - table[:, 0])) != np.sign(
            np.subtract(*np.median(table, axis=0)[::-1])
        )
    assert other_sign > 0
    text = str(methods(bo.compare(lower(rng.lognormal(size=(9, 3))), control=1, recipe="derrac-2011")))
    assert "ifferences of medians" not in text
    assert "medians of differences, estimated jointly over all algorithms" in text


@pytest.mark.slow
def test_joint_statements_are_not_called_free_of_correction() -> None:
    """B-B3: "this allows for how the pairs depend on each other, so nothing is left to correct"."""
    said = " ".join(str(bo.bayes.overview(bo.datasets.load("demsar_2006"), rope=0.01, prior="flat")).split())
    assert "nothing is left to correct" not in said
    assert "but not for how small true differences usually are" in said


@pytest.mark.slow
def test_prior_strength_moves_what_the_page_says_it_moves() -> None:
    """B-B4: "Probabilities of statements do not depend on it at all"; with a rope and by signed ranks they do.

    By signs: which of three Dirichlet shares is the largest (wins 7, losses 2, within the rope 1 and the prior).
    """
    gaps = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.005, -0.6, -0.8]
    scores = lower([[0.0, gap] for gap in gaps])
    rng = np.random.default_rng(5)
    page = " ".join((ROOT / "docs" / "guides" / "bayes.md").read_text(encoding="utf-8").split())
    for strength, said in ((0.0, 0.959), (1.0, 0.935), (5.0, 0.605)):
        found = bo.bayes.sign_test(scores, 0, 1, strength, 0.01).p_better
        shares = rng.dirichlet([7.0, 2.0, 1.0 + strength], 200_000)
        assert found == pytest.approx((shares[:, 0] > shares[:, 1:].max(axis=1)).mean(), abs=4e-3)
        assert round(found, 3) == said
        assert bo.bayes.sign_test(scores, 0, 1, strength).p_better == bo.bayes.sign_test(scores, 0, 1, 1.0).p_better
    for strength, said in ((0.0, 0.83), (1.0, 0.86), (5.0, 0.88), (10.0, 0.76)):
        ranked = bo.bayes.signed_rank(scores, 0, 1, strength, 0.01, n_draws=100_000)
        assert ranked.p_better == pytest.approx(said, abs=0.01)
    assert "do not depend on it at all" not in page
    for said in ("is 0.959, 0.935 and 0.605 for strengths 0, 1 and 5", "0.83, 0.86, 0.88 and 0.76 for 0, 1, 5 and 10"):
        assert said in page


def test_figures_that_the_pages_quote_are_those_that_were_measured() -> None:
    """B-B6, B-B7: "15 to 88 %" and "1.2 to 1.35 times" were of other studies than the pages they linked to."""
    racing = " ".join((ROOT / "docs" / "trust" / "racing.md").read_text(encoding="utf-8").split())
    assert "at 1.02 to 1.40 times the evaluations of e-sign" in racing
    stored = json.loads((ROOT / "docs" / "trust" / "racing.json").read_text(encoding="utf-8"))
    assert stored
    assert "88 %" not in README.read_text(encoding="utf-8")
