"""Clusters of which none leads the other way are unanimous: a verdict must survive one more."""

import numpy as np
import pytest

import bakeoff as bo


def scores(differences: list[float], labels: list[str]) -> bo.Scores:
    d = np.array(differences)
    return bo.Scores(np.c_[d, 0 * d], ["a", "b"], better="higher", clusters=labels)


def nearly_even() -> bo.Scores:
    """20 clusters of 2 problems: 19 at one win and one loss, the last with a win and a tie."""
    return scores([1.0, -1.0] * 19 + [1.0, 0.0], [f"c{i // 2}" for i in range(40)])


def two() -> bo.Scores:
    return scores([1.0, 2.0, -0.5] * 2, list("aaabbb"))


def codes(found: object) -> list[str]:
    return [c.code for c in found.cautions]  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("strength", [0.0, 1.0, 20.0])
@pytest.mark.parametrize(("table", "lowest"), [(nearly_even, 1 / 3), (two, 7 / 16)])
def test_pairs(table: object, lowest: float, strength: float) -> None:
    """P(w/2 > w₀) = 1/3; P((w₁ + w₂)/3 > w₀) = 1 − (3/4)² = 7/16."""
    s = table()  # type: ignore[operator]
    signs = bo.bayes.sign_test(s, 0, 1, strength)
    assert (signs.p_better, signs.verdict, codes(signs)) == (1.0, "indeterminate", ["certainty"])
    assert signs.certain_bounds is not None
    assert signs.certain_bounds[0] == pytest.approx((lowest, 1.0), abs=1e-9)
    turned = bo.bayes.sign_test(s, 1, 0, strength)
    assert (turned.p_worse, turned.verdict) == (1.0, "indeterminate")
    ranks = bo.bayes.signed_rank(s, 0, 1, strength)
    assert (ranks.verdict, codes(ranks)) == ("indeterminate", ["certainty"])
    assert bo.bayes.signed_rank(s, 1, 0, strength).verdict == "indeterminate"


@pytest.mark.parametrize("prior", ["flat", "exchangeable", "ignorance"])
@pytest.mark.parametrize("table", [nearly_even, two])
def test_statements(table: object, prior: str) -> None:
    found = bo.bayes.compare(table(), prior=prior)  # type: ignore[arg-type,operator]
    assert (found.n_accepted, found.statements[0].verdict) == (0, "indeterminate")
    assert codes(found) == ([] if prior == "ignorance" else ["certainty"])
    assert all("cluster" in c.text for c in found.cautions)
    if prior == "exchangeable":
        assert 0.5 <= found.statements[0].probability <= 0.75


def test_an_interval_under_ignorance_reaches_from_a_prior_against_to_one_in_favour() -> None:
    equal, any_prior = (bo.bayes.sign_test(two(), 0, 1, prior=prior).interval for prior in ("equal", "ignorance"))
    assert any_prior[0] < equal[0] < equal[1] < any_prior[1]


def test_walsh_shares_of_a_cluster() -> None:
    """Of the 9 sums of 1, 2, −.5 eight are above 0: the bounds are those of leads 7/9, 1 − (1/(1 + 7/9))² = 175/256."""
    found = bo.bayes.signed_rank(two(), 0, 1)
    assert found.certain_bounds is not None
    assert found.certain_bounds[0] == pytest.approx((175 / 256, 1.0), abs=1e-9)


def test_clusters_that_lead_either_way_need_no_bounds_within_a_rope() -> None:
    labels = [f"c{i // 2}" for i in range(12)]
    apart = bo.bayes.sign_test(scores([1.0] * 6 + [-1.0] * 6, labels), 0, 1, rope=0.1)
    assert (apart.certain_bounds, apart.verdict, codes(apart)) == (None, "undecided", [])
    equal = bo.bayes.sign_test(scores([0.0] * 12, labels), 0, 1, rope=0.1)
    assert equal.certain_bounds is not None
    assert codes(equal) == ["certainty"]


def test_the_page_gives_bounds_and_no_certainty() -> None:
    text = " ".join(str(bo.bayes.overview(nearly_even(), n_draws=1000)).split())
    assert "between 0.333 and 1" in text
    assert "with probability 1." not in text
    assert "None of the 20 clusters leads the other way" in text
    assert "problems that separate the algorithms agree" not in text


@pytest.mark.slow
def test_two_clusters_that_nearly_agree_are_no_more_than_two() -> None:
    """Leads 1 and −.04: P = 1/1.04 = .96, from two clusters."""
    s = scores([1.0] * 50 + [1.0] * 24 + [-1.0] * 26, ["x"] * 50 + ["y"] * 50)
    for found in (bo.bayes.sign_test(s, 0, 1), bo.bayes.signed_rank(s, 0, 1), bo.bayes.compare(s).statements[0]):
        assert found.verdict == "indeterminate"
    assert bo.bayes.sign_test(s, 0, 1).p_better == pytest.approx(1 / 1.04)
    assert bo.bayes.sign_test(s, 0, 1, 20.0).verdict == "indeterminate"  # ties, however many, take no side
    assert codes(bo.bayes.sign_test(s, 0, 1)) == codes(bo.bayes.compare(s)) == ["certainty"]
    assert codes(bo.bayes.signed_rank(s, 0, 1)) == ["certainty"]


@pytest.mark.slow
def test_with_a_region_of_equivalence() -> None:
    """Most problems of each of 3 clusters tie: equivalent for certain, and from 3 clusters; of 12, a verdict."""
    for n, verdict in ((3, "indeterminate"), (12, "equivalent")):
        s = scores([0.1, -0.1, 0.1, 0.1, -0.1, 9.0] * n, [f"c{i // 6}" for i in range(6 * n)])
        found = bo.bayes.sign_test(s, 0, 1, rope=0.5)
        assert (found.verdict, codes(found)) == (verdict, ["certainty"])
    s = scores([9.0, 9.0, -9.0] * 3, [f"c{i // 3}" for i in range(9)])
    assert bo.bayes.sign_test(s, 0, 1, 0.0, 0.5).verdict == "indeterminate"  # no prior in the rope either


def test_many_clusters_that_lead_the_same_way_have_their_verdict() -> None:
    s = scores([1.0, 2.0, 3.0, -0.5] * 12, [f"c{i // 4}" for i in range(48)])
    assert bo.bayes.sign_test(s, 0, 1).verdict == "a better"  # 1 − (2/3)¹² = .992
    assert bo.bayes.signed_rank(s, 0, 1).verdict == "a better"
    assert bo.bayes.compare(s).statements[0].accepted


def test_copies_of_problems_in_clusters_are_the_problems() -> None:
    """Also 3 : 1 by signed ranks: the verdict is that of four problems."""
    x = np.array([4.0, 3.0, 2.0, -0.1])
    alone = bo.Scores(np.c_[x, 0 * x], ["a", "b"], better="higher")
    copies = scores(np.repeat(x, 3).tolist(), np.repeat(list("wxyz"), 3).tolist())
    for procedure in (bo.bayes.sign_test, bo.bayes.signed_rank):
        assert procedure(copies, 0, 1).verdict == procedure(alone, 0, 1).verdict
