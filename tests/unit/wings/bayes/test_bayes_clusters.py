"""Scores in clusters: clusters are the independent draws of every Bayesian procedure, or it refuses them."""

import json
from functools import partial

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError

NAMES = ["a", "b", "c", "d"]


def costs(n: int = 12, seed: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, 4)).round(2) + np.array([0.0, 0.5, 0.6, 1.2])


def copied(times: int) -> tuple[bo.Scores, bo.Scores]:
    """Problems; and every problem several times, the copies in one cluster."""
    x = costs()
    labels = np.repeat([f"c{i}" for i in range(len(x))], times)
    return bo.Scores(x, NAMES, better="lower"), bo.Scores(
        np.repeat(x, times, 0), NAMES, better="lower", clusters=labels
    )


@pytest.mark.slow
def test_copies_of_a_problem_in_one_cluster_are_one_problem() -> None:
    once, often = copied(4)
    for rope in (0.0, 0.3):
        one, other = (bo.bayes.sign_test(s, "a", "b", rope=rope) for s in (once, often))
        assert other.p_better == pytest.approx(one.p_better, abs=1e-12 if rope == 0 else 0.005)
        assert other.interval == pytest.approx(one.interval, abs=1e-9)
        assert other.interval_decided == pytest.approx(one.interval_decided, abs=1e-9)
        assert other.n_clusters == 12
        assert other.n_problems == 48
    one, other = (bo.bayes.friedman(s) for s in (once, often))
    assert other.statistic == pytest.approx(one.statistic, rel=1e-12)
    assert (other.probability, other.verdict) == (pytest.approx(one.probability, abs=1e-12), one.verdict)
    bounds = [bo.bayes.friedman(s, prior="ignorance").probability_bounds for s in (once, often)]
    assert bounds[1] == pytest.approx(bounds[0], abs=1e-9)
    for prior in ("flat", "exchangeable", "ignorance"):
        first, second = (bo.bayes.compare(s, prior=prior) for s in (once, often))
        assert [(s.better, s.worse, s.accepted) for s in second.statements] == [
            (s.better, s.worse, s.accepted) for s in first.statements
        ]
        assert [s.probability for s in second.statements] == pytest.approx([s.probability for s in first.statements])
    first, second = (bo.bayes.rank_probabilities(s) for s in (once, often))
    assert second.p_best == pytest.approx(first.p_best, abs=0.02)
    assert second.mean_ranks == pytest.approx(first.mean_ranks, abs=1e-12)
    assert second.standard_deviations == pytest.approx(first.standard_deviations, abs=1e-12)
    shares = [bo.bayes.signed_rank(s, "a", "b").mean_shares for s in (once, often)]
    assert shares[1] == pytest.approx(shares[0], abs=1e-12)


@pytest.mark.slow
def test_clusters_of_one_problem_change_nothing() -> None:
    x = costs()
    alone = bo.Scores(x, NAMES, better="lower", clusters=[f"c{i}" for i in range(len(x))])
    one, other = bo.bayes.overview(bo.Scores(x, NAMES, better="lower")), bo.bayes.overview(alone)
    assert other.joint.statements == one.joint.statements
    assert other.ranks.p_best.tolist() == one.ranks.p_best.tolist()
    assert other.pairs[0].signed_rank.p_better == one.pairs[0].signed_rank.p_better


@pytest.mark.slow
def test_neither_rows_nor_labels_nor_names_change_an_answer() -> None:
    rng = np.random.default_rng(7)
    codes = rng.integers(0, 6, 25)
    x = costs(25)
    at = rng.permutation(25)
    one = bo.Scores(x, NAMES, better="lower", clusters=codes)
    other = bo.Scores(x[at], NAMES, better="lower", clusters=[f"z{9 - code}" for code in codes[at]])
    assert bo.bayes.rank_probabilities(one).p_best.tolist() == bo.bayes.rank_probabilities(other).p_best.tolist()
    assert bo.bayes.compare(one).statements == bo.bayes.compare(other).statements
    assert bo.bayes.signed_rank(one, 0, 1).p_better == bo.bayes.signed_rank(other, 0, 1).p_better
    turned = bo.bayes.signed_rank(one, 1, 0)
    assert bo.bayes.signed_rank(one, 0, 1).p_better == turned.p_worse


def test_a_certainty_survives_one_cluster_against_it_or_is_indeterminate() -> None:
    few = bo.Scores([[0, 1]] * 12, better="lower", clusters=["x"] * 4 + ["y"] * 4 + ["z"] * 4)
    assert bo.bayes.sign_test(few, 0, 1).verdict == "indeterminate"
    assert bo.bayes.signed_rank(few, 0, 1).verdict == "indeterminate"
    assert bo.bayes.compare(few).statements[0].verdict == "indeterminate"
    assert "0.875" in str(bo.bayes.overview(few))  # 1 − 2⁻³, not 1 − 2⁻¹²
    assert bo.bayes.sign_test(bo.Scores([[0, 1]] * 12, better="lower"), 0, 1).verdict == "a better"


def test_what_takes_no_clusters_says_so() -> None:
    x = np.random.default_rng(1).normal(size=(6, 2, 4))
    with pytest.raises(ScoreError, match="3 clusters of 6 problems"):
        bo.bayes.hierarchical(bo.Scores(x, better="lower", clusters=[0, 0, 1, 1, 2, 2]), 0, 1, folds=4)
    with pytest.raises(ParameterError, match="2 clusters"):
        bo.bayes.correlated_t(bo.Scores(x[:, :, 0], better="lower", clusters=[0, 0, 0, 1, 1, 1]), 0, 1, folds=6)
    single = bo.Scores(x[:, :, 0], better="lower", clusters=["only"] * 6)
    assert bo.bayes.correlated_t(single, 0, 1, folds=6).n_runs == 6
    for procedure in (bo.bayes.compare, bo.bayes.rank_probabilities, bo.bayes.friedman, bo.bayes.repeated_runs):
        with pytest.raises(ScoreError, match="one cluster, 'only'"):
            procedure(single)
    for procedure in (bo.bayes.sign_test, bo.bayes.signed_rank):
        with pytest.raises(ScoreError, match="one cluster, 'only'"):
            procedure(single, 0, 1)


@pytest.mark.slow
def test_report_and_methods_say_the_unit() -> None:
    found = bo.bayes.overview(copied(3)[1], prior="flat")
    text = str(found)
    assert "36 problems in 12 clusters, each cluster one draw" in " ".join(text.split())
    assert "as strong as 1 cluster" in " ".join(text.split())
    plain = found.to_dict()
    assert plain["n_clusters"] == 12
    assert plain["n_problems"] == 36
    json.dumps(plain, allow_nan=False)


@pytest.mark.slow
def test_condorcet_and_borda_disagree_and_majorities_in_a_circle() -> None:
    """C beats every other on 14 of 20 problems, B has the best mean rank."""
    rows = [[1, 2, 3, 4, 5]] * 14 + [[5, 1, 2, 3, 4]] * 6
    scores = bo.Scores(rows * 3, ["C", "B", "x", "y", "z"], better="lower")
    calls = (
        partial(bo.bayes.compare, prior="flat"),
        bo.bayes.rank_probabilities,
        partial(bo.bayes.overview, prior="flat"),
    )
    for found in (call(scores) for call in calls):
        (conflict,) = [c for c in found.cautions if c.code == "mean-rank-conflict"]
        assert conflict.text.startswith("'B' has the best mean rank")
        assert "to 'C' (2.21)" in conflict.text
    circle = bo.Scores([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 60, ["A", "B", "C"], better="lower")
    for found in (call(circle) for call in calls):
        assert [c.code for c in found.cautions].count("cycle") == 1
    plain = bo.datasets.load("derrac_cec2005")
    assert not {"cycle", "mean-rank-conflict"} & {c.code for c in bo.bayes.overview(plain).cautions}
