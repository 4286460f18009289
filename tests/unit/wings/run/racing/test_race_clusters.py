"""Races over problems in clusters: a whole cluster is one problem, its evidence the share won less that lost."""

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ScoreError

RULES = ("e-sign", "e-choose")


def table(seed: int = 0, groups: int = 30, size: int = 4, k: int = 5, step: float = 0.5) -> bo.Scores:
    rng = np.random.default_rng(seed)
    x = np.repeat(rng.normal(size=(groups, k)), size, 0) + rng.normal(size=(groups * size, k)) + step * np.arange(k)
    at = rng.permutation(len(x))
    names = [f"t{i // size:02d}_f{i % size}" for i in range(len(x))]
    labels = [name[:3] for name in names]
    return bo.Scores(x[at], problems=[names[i] for i in at], better="lower", clusters=[labels[i] for i in at])


def copies(scores: bo.Scores, times: int) -> bo.Scores:
    n = scores.n_problems
    names = [f"{name}_{t}" for name in scores.problems for t in range(times)]
    return bo.Scores(
        np.repeat(scores.values, times, 0), problems=names, better="lower", clusters=np.repeat(np.arange(n), times)
    )


@pytest.mark.parametrize("method", RULES)
def test_copies_of_a_problem_in_one_cluster_are_one_problem(method: str) -> None:
    once = bo.Scores(table(1).values[:40], better="lower")
    one, other = (bo.race.replay(s, method, order="given") for s in (once, copies(once, 3)))
    assert other.survivors == one.survivors
    assert other.n_clusters == one.n_problems
    assert [(e.algorithm, e.by) for e in other.eliminated] == [(e.algorithm, e.by) for e in one.eliminated]
    assert [e.n_problems for e in other.eliminated] == [3 * e.n_problems for e in one.eliminated]
    for mine, its in zip(other.paths, one.paths, strict=True):
        assert mine.evidence == pytest.approx(its.evidence, rel=1e-9)
    assert (other.evaluations, other.full_evaluations) == (3 * one.evaluations, 3 * one.full_evaluations)


@pytest.mark.parametrize("method", RULES)
def test_clusters_of_one_problem_change_nothing(method: str) -> None:
    scores = bo.Scores(table(2).values, better="lower")
    alone = bo.Scores(scores.values, better="lower", clusters=np.arange(scores.n_problems))
    one, other = (bo.race.replay(s, method) for s in (scores, alone))
    assert other.to_dict() | {"scores": None} == one.to_dict() | {"scores": None}
    assert other.n_clusters is None


def test_evidence_by_hand() -> None:
    """Two candidates; b loses 2 of 3 problems of the first cluster, wins half of the second: d = 1/3, 0."""
    x = [[1, 2], [1, 2], [2, 1], [1, 2], [2, 1]]
    result = bo.race.replay(
        bo.Scores(x, ["a", "b"], better="lower", clusters=["g", "g", "g", "h", "h"]), order="given", block=1
    )
    assert result.n_clusters == 2
    assert result.n_problems == 5
    grid = [0.9]  # two clusters: the grid has a single step
    against = math.prod(1 + grid[0] * d for d in (1 / 3, 0.0))
    # half on the pair, half on the leader's account, which is idle in the first block
    assert result.paths[1].evidence[-1] == pytest.approx(0.5 * against + 0.5, rel=1e-12)


def test_whole_clusters_in_random_order_whatever_the_order_of_rows() -> None:
    scores = table(3)
    result = bo.race.replay(scores)
    drawn = [name[:3] for name in result.problems]
    assert [*dict.fromkeys(drawn)] == [drawn[i] for i in range(0, len(drawn), 4)]  # one cluster after the other
    assert drawn[:20:4] != sorted(drawn[:20:4])
    at = np.random.default_rng(1).permutation(scores.n_problems).tolist()
    other = bo.race.replay(scores.select(problems=at))
    assert other.problems == result.problems
    assert other.to_dict()["eliminated"] == result.to_dict()["eliminated"]
    given = bo.race.replay(scores, order="given")
    assert [*dict.fromkeys(name[:3] for name in given.problems)] == [
        *dict.fromkeys(name[:3] for name in scores.problems[: len(scores.problems)])
    ][: given.n_clusters]


def test_blocks_budgets_and_late_candidates_count_clusters() -> None:
    scores = table(4)
    result = bo.race.replay(scores, block=2, budget=100)
    assert result.n_clusters == 4
    assert result.evaluations == 80
    assert result.stopped == "budget"
    assert result.n_available_clusters == 30
    late = bo.race.replay(table(4, step=0.0), late={"A5": 3}, block=2)
    assert "after 3 clusters" in "".join(c.text for c in late.cautions if c.code == "late-candidates")
    (path,) = [p for p in late.paths if p.algorithm == "A5"]
    assert path.n_problems[0] > 12
    few = bo.race.replay(table(4, groups=3))
    assert "With 3 clusters" in "".join(c.text for c in few.cautions if c.code == "out-of-reach")


def test_guarantees_say_clusters_and_other_rules_race_on_their_means() -> None:
    scores = table(5)
    for method in RULES:
        assert "the clusters are independent draws" in bo.race.replay(scores, method).guarantee
        assert "without clusters" in bo.race.replay(bo.Scores(scores.values, better="lower"), method).guarantee
    means = bo.Scores(
        [scores.values[[c == g for c in scores.clusters]].mean(axis=0) for g in sorted(set(scores.clusters))],
        problems=sorted(set(scores.clusters)),
        better="lower",
    )
    for method in ("f-race-sign", "bayes"):
        result = bo.race.replay(scores, method)
        assert "averaged (race-clusters)" in {c.name for c in result.cautions}
        assert result.survivors == bo.race.replay(means, method).survivors


def test_several_metrics_share_clusters() -> None:
    scores = table(6)
    assert bo.race.replay({"one": scores, "two": scores}).n_clusters is not None
    with pytest.raises(ScoreError, match="same clusters"):
        bo.race.replay({"one": scores, "two": bo.Scores(scores.values, problems=scores.problems, better="lower")})


def test_intervals_of_survivors_count_clusters() -> None:
    once = bo.Scores(table(7, step=0.1).values[:20], better="lower")
    one, other = (bo.race.replay(s, order="given") for s in (once, copies(once, 5)))
    for mine, its in zip(other.standings, one.standings, strict=True):
        assert mine.wins == 5 * its.wins
        assert mine.mean_rank == pytest.approx(its.mean_rank)
        assert (mine.p_low, mine.p_high) == pytest.approx((its.p_low, its.p_high)) if its.p_low else True


def test_clusters_that_were_not_named_are_reported() -> None:
    """35 tasks of 10 folds without clusters, as such files have them."""
    rng = np.random.default_rng(3)
    x = np.repeat(rng.normal(size=(35, 4)), 10, 0) + rng.normal(size=(350, 4))
    names = [f"task{i // 10}_fold{i % 10}" for i in range(350)]
    (caution,) = [
        c for c in bo.race.replay(bo.Scores(x, problems=names, better="lower")).cautions if c.code == "dependence"
    ]
    assert caution.text.endswith("the race's guarantee does not hold for them.")
    named = bo.Scores(x, problems=names, better="lower", clusters=[name.split("_")[0] for name in names])
    assert "dependence" not in {c.code for c in bo.race.replay(named).cautions}
