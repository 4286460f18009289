"""Problems that all agree give probability 1, and a verdict only if it survives one more problem against them."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.wings.bayes.analysis.reporting import sentences
from bakeoff.wings.bayes.analysis.reporting.readings import readings


def agreeing(n: int, k: int = 2) -> bo.Scores:
    return bo.Scores(np.arange(k) + np.arange(n)[:, None] * 0.37 * np.arange(1, k + 1), better="lower")


@pytest.mark.parametrize(("n", "verdict"), [(1, "indeterminate"), (4, "indeterminate"), (5, "a better")])
def test_a_pair(n: int, verdict: str) -> None:
    """Of 4 the lowest probability over priors of one problem is 1 − ½⁴ = .9375; of 5 it is .96875."""
    for found in (bo.bayes.sign_test(agreeing(n), 0, 1), bo.bayes.signed_rank(agreeing(n), 0, 1)):
        assert (found.p_better, found.verdict) == (1.0, verdict)
    assert bo.bayes.sign_test(agreeing(n), 0, 1, prior="ignorance").verdict == verdict
    for strength in (0.0, 50.0):
        assert bo.bayes.sign_test(agreeing(n), 0, 1, strength).verdict == verdict
    within = bo.Scores([[0.1 * i, 0.1 * i + 0.01 * (i + 1)] for i in range(n)], better="lower")
    equivalent = bo.bayes.sign_test(within, 0, 1, rope=0.5)
    assert (equivalent.p_equivalent, equivalent.verdict) == (1.0, verdict.replace("a better", "equivalent"))


@pytest.mark.parametrize("n", [1, 4, 5])
def test_several(n: int) -> None:
    found = bo.bayes.compare(agreeing(n, 3), prior="flat")
    assert {s.verdict for s in found.statements} == {"accepted" if n == 5 else "indeterminate"}
    assert found.n_accepted == (3 if n == 5 else 0)
    assert [s.probability for s in found.statements] == [1.0] * 3


def test_a_statement_from_few_problems_does_not_stop_the_others() -> None:
    """A and B tie on all problems but one; both beat C on most."""
    rng = np.random.default_rng(0)
    values = np.column_stack([np.zeros(30), np.zeros(30), np.where(np.arange(30) < 3, -1.0, 1 + rng.random(30))])
    values[5, 1] = 0.5
    found = bo.bayes.compare(bo.Scores(values, ["A", "B", "C"], better="lower"))
    verdicts = {(s.better, s.worse): s.verdict for s in found.statements}
    assert verdicts == {("A", "B"): "indeterminate", ("A", "C"): "accepted", ("B", "C"): "accepted"}
    assert found.n_accepted == 2
    assert found.joint == min(s.joint for s in found.statements if s.accepted)
    assert found.order == (("A", "C"), ("B", "C"))


def test_the_page_of_one_problem_has_no_verdict() -> None:
    """It was "a is better than b with probability 1" and "expected to be 0 above the best one's"."""
    for k in (2, 3):
        o = bo.bayes.overview(agreeing(1, k), n_draws=200)
        said = " ".join([sentences.verdict(o), *(text for _, text in readings(o))])
        assert "depends on the prior" in said
        assert "with probability 1" not in said
        assert "0.999" not in said.split("all equal")[0] or k == 3
        assert " 0 above" not in said
        assert "is better than b " not in said.split(":")[0]
        assert o.joint.n_accepted == 0


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("n", [1, 3, 5, 40])
def test_no_page_says_with_probability_1(n: int, k: int) -> None:
    o = bo.bayes.overview(agreeing(n, k), n_draws=200, rope=0.0)
    text = " ".join(report.render(o, "md").split())
    assert "with probability 1." not in text
    assert "with probability 1," not in text
    assert "expected to lie 0 " not in text
    if n == 5 and k == 2:
        assert (
            sentences.verdict(o)
            == "A1 is better than A2 with a probability of at least 0.968, whatever a prior of one problem says."
        )
    if n == 5 and k == 3:
        assert "the 3 statements accepted hold together with probability 0.969" in sentences.verdict(o)  # 1 − ½⁵
        flat = bo.bayes.overview(agreeing(n, k), n_draws=200, prior="flat")
        assert "the 3 statements accepted are contradicted by no problem" in sentences.verdict(flat)
