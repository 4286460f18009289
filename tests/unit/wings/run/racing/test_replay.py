"""Races over finished tables: what the result says, what is refused, and what must not change it."""

from __future__ import annotations

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, InfiniteScoreError, ParameterError, TooLargeError
from bakeoff.wings.run.racing._replay import replay
from bakeoff.wings.run.racing.pair_evidence import horizon_grid
from bakeoff.wings.run.racing.record import RaceRecord
from bakeoff.wings.run.racing.results import RaceResult
from bakeoff.wings.run.racing.rules import RULES
from bakeoff.wings.run.racing.rules.rule import make_rule, options_of

ANYTIME = ("e-sign", "e-choose")


def table(q: int = 8, n: int = 120, gap: float = 0.4, seed: int = 0, better: str = "lower") -> bo.Scores:
    rng = np.random.default_rng(seed)
    costs = np.round(rng.normal(np.arange(q) * gap, 1.0, (n, q)), 1)
    return bo.Scores(costs if better == "lower" else -costs, better=better)  # type: ignore[arg-type]


def decisions(result: RaceResult) -> tuple[Any, ...]:
    return result.survivors, result.eliminated, result.evaluations, result.problems


@pytest.mark.parametrize("method", RULES)
def test_a_result_adds_up(method: str) -> None:
    s = table()
    r = replay(s, method)
    assert sorted([*r.survivors, *(x.algorithm for x in r.eliminated)]) == sorted(s.algorithms)
    assert r.best == r.survivors[0] == r.standings[0].algorithm
    assert [x.algorithm for x in r.standings] == list(r.survivors)
    assert [x.mean_rank for x in r.standings] == sorted(x.mean_rank for x in r.standings)
    assert r.full_evaluations == 8 * 120
    ran = {path.algorithm: int(path.n_problems[-1]) for path in r.paths}
    assert r.evaluations == sum(ran.values()) == r.cost
    assert r.saved == pytest.approx(1 - r.evaluations / 960)
    assert len(r.problems) == len(set(r.problems)) == r.n_problems <= r.n_available == 120
    for x in r.eliminated:
        assert ran[x.algorithm] == x.n_problems
        assert x.by is None or x.by in s.algorithms
        assert math.isfinite(x.evidence)
        if x.reason == "worse" and r.threshold is not None:
            assert x.evidence >= r.threshold
    assert all(ran[name] == r.n_problems for name in r.survivors)
    assert r.anytime == (method in ANYTIME)
    assert str(r)
    json.dumps(r.to_dict(), allow_nan=False)
    assert len(r.to_frame()) == 8
    with pytest.raises(ValueError, match="read-only"):
        r.paths[0].evidence[0] = 1.0


def test_rules_without_a_promise_say_so_and_say_how_much() -> None:
    for method in RULES:
        r = replay(table(), method)
        if method in ANYTIME:
            assert "at most 0.05" in r.guarantee
            assert not any(c.code == "error-under-peeking" for c in r.cautions)
        else:
            assert r.guarantee.startswith("none")
            (caution,) = [c for c in r.cautions if c.code == "error-under-peeking"]
            assert "%" in caution.text


@pytest.mark.few(4)
@pytest.mark.parametrize("method", RULES)
def test_direction_and_monotone_scores_do_not_matter(method: str) -> None:
    low, high = replay(table(), method), replay(table(better="higher"), method)
    assert decisions(low) == decisions(high)
    if method in (*ANYTIME, "f-race-sign", "f-race-mean-ranks"):
        s = table()
        bent = bo.Scores(np.exp(s.values), s.algorithms, s.problems, better="lower")
        assert decisions(replay(bent, method)) == decisions(low)


@pytest.mark.few(2)
@pytest.mark.parametrize("method", RULES)
def test_the_order_of_rows_does_not_matter_unless_it_is_asked_for(method: str) -> None:
    s = table()
    shuffled = s.select(problems=np.random.default_rng(1).permutation(120).tolist())
    assert decisions(replay(s, method)) == decisions(replay(shuffled, method))
    first = replay(shuffled, "e-sign", order="given")
    assert first.problems == shuffled.problems[: first.n_problems]
    one, two = replay(s, method, order=7), replay(s, method, order=7)
    assert decisions(one) == decisions(two)
    assert one.problems != replay(s, method, order=8).problems
    assert one.order == "drawn at random with seed 7"


@pytest.mark.slow
def test_decisions_rest_on_what_was_seen_only() -> None:
    """Scores on later problems change no earlier decision; only how many problems there are is known in advance."""
    s = table(n=200)
    later = np.concatenate([s.values[:60], -s.values[60:]])
    other = bo.Scores(later, s.algorithms, s.problems, better=s.better)
    for method in RULES:
        one, two = replay(s, method, order="given"), replay(other, method, order="given")
        for x, y in ((one, two), (two, one)):
            early = tuple(gone for gone in x.eliminated if gone.n_problems <= 60)
            assert early == y.eliminated[: len(early)]
            assert one.eliminated
            if method not in ANYTIME:  # their bets are tuned to the number of problems
                part = replay(s.select(problems=range(60)), method, order="given")
                assert part.eliminated == tuple(x for x in one.eliminated if x.n_problems <= 60)


def test_a_budget_is_kept() -> None:
    s = table()
    for budget in (40, 100, 123, 400):
        r = replay(s, budget=budget, block=5)
        assert r.cost <= budget
        if r.stopped == "budget":
            assert r.cost + 5 * len(r.survivors) > budget
    with pytest.raises(ParameterError, match="first block"):
        replay(s, budget=39)
    assert replay(s, budget=1e9).budget == 1e9


def test_problems_of_unequal_cost_are_accounted_for_and_decide_nothing() -> None:
    s = table()
    prices = {name: 1.0 + (i % 3) for i, name in enumerate(s.problems)}
    plain, priced = replay(s), replay(s, problem_costs=prices)
    assert decisions(plain) == decisions(priced)
    assert priced.full_cost == 8 * sum(prices.values())
    alive, cost = 8, 0.0
    for start in range(0, priced.n_problems, 5):
        cost += sum(prices[p] for p in priced.problems[start : start + 5]) * alive
        alive = 8 - sum(x.n_problems <= start + 5 for x in priced.eliminated)
    assert priced.cost == pytest.approx(cost)
    for bad in ({"nobody": 1.0}, {"P1": 0.0}, {"P1": math.nan}, {"P1": "x"}, [1.0]):
        with pytest.raises(BakeoffError, match="problem_costs"):
            replay(s, problem_costs=bad)  # type: ignore[arg-type]


def test_failed_runs_lose_and_tie_with_each_other() -> None:
    values = np.random.default_rng(0).normal(size=(60, 3))
    values[:, 2] = np.inf
    s = bo.Scores(values, ["x", "y", "broken"], better="lower")
    for method in ("e-sign", "f-race-sign", "f-race-mean-ranks"):
        r = replay(s, method)
        assert "broken" in [x.algorithm for x in r.eliminated]
        assert r.n_failed > 0
    with pytest.raises(InfiniteScoreError, match="broken"):
        replay(s, "bayes")
    assert "broken" in [x.algorithm for x in replay(s, "bayes", indistinguishable=None).eliminated]
    hopeless = bo.Scores(np.full((40, 3), np.inf), better="lower")
    assert len(replay(hopeless).survivors) == 3


def test_equal_candidates_stay() -> None:
    s = bo.Scores(np.tile(np.arange(60.0)[:, None], (1, 4)), better="lower")
    for method in RULES:
        if method != "bayes":
            r = replay(s, method)
            assert len(r.survivors) == 4
            assert r.n_ties == 6 * 60
    r = replay(s, "bayes")  # the paper's rule calls them indistinguishable
    assert {x.reason for x in r.equivalents} == {"equivalent"}
    assert len(r.survivors) == 1


def test_means_over_runs_tie_on_decimals() -> None:
    """0.1 + 0.2 and 0.3 + 0: the same mean, though not in binary."""
    runs = np.array([[[0.1, 0.2], [0.3, 0.0]]] * 40)
    for method in ("e-sign", "f-race-sign"):
        r = replay(bo.Scores(runs, better="lower"), method)
        assert r.n_ties == r.n_problems == 40
        assert len(r.survivors) == 2


def test_strict_protects_every_tied_best() -> None:
    s = table(q=5, gap=1.0)
    loose, strict = replay(s, block=1), replay(s, block=1, strict=True)
    assert strict.threshold == 5 * loose.threshold  # type: ignore[operator]
    assert strict.evaluations > loose.evaluations
    assert "any of the best candidates" in strict.guarantee


@pytest.mark.slow
def test_equivalence_is_off_unless_asked_for_and_says_what_it_costs() -> None:
    rng = np.random.default_rng(0)
    s = bo.Scores(rng.normal(size=(3000, 2)), better="lower")
    assert replay(s, block=100).equivalents == ()
    r = replay(s, equivalence=0.05, block=25)
    (left,) = r.equivalents
    assert left.reason == "equivalent"
    assert left.by == r.best
    assert left.evidence >= 1 / 0.05
    assert r.discoveries == ()
    assert any("1047" in c.text for c in r.cautions)
    assert "equivalent" in r.guarantee
    points = {p.algorithm: p for p in r.paths}[left.algorithm].evidence
    assert points[-1] < 20


def test_the_list_of_the_worse_with_a_bounded_share_of_bests() -> None:
    s = table(q=10, gap=1.0, n=100)
    r = replay(s)
    assert r.discoveries is not None
    worse = {x.algorithm for x in r.eliminated}
    assert set(r.discoveries) <= worse
    last = np.array([p.evidence[-1] for p in r.paths])
    k = len(r.discoveries)
    assert k
    assert sorted(last)[-k] >= 10 / (0.05 * k)
    assert replay(s, "f-race-sign").discoveries is None


def test_latecomers_begin_with_a_clean_book() -> None:
    rng = np.random.default_rng(4)
    rule = make_rule("e-sign", 3)
    record = RaceRecord(rule, ["a", "b", "c"])
    strength = {"a": 0.5, "b": 0.6, "c": 2.0, "late": 0.0}
    at = 0

    def step(record: RaceRecord = record, strength: dict[str, float] = strength) -> None:
        nonlocal at
        names = [f"p{at + i}" for i in range(5)]
        at += 5
        record.observe(names, rng.normal([strength[a] for a in record.alive], 0.5, (5, len(record.alive))))

    for _ in range(4):
        step()
    assert "c" not in record.alive
    record.admit(["late"])
    assert rule.evidence[-1] == pytest.approx(1.0)
    while len(record.alive) > 1 and at < 400:
        step()
    r = record.result(stopped="one left", available=record.problems, block=5, order="as given")
    assert r.survivors == ("late",)
    assert r.discoveries is None
    assert {p.algorithm: p for p in r.paths}["late"].n_problems[0] == 25
    with pytest.raises(ParameterError, match="once"):
        record.admit(["a"])
    for options in ({"strict": True}, {"equivalence": 0.05}):
        with pytest.raises(ParameterError, match="at the start"):
            make_rule("e-sign", 3, **options).admit()
    with pytest.raises(ParameterError, match="takes no candidates"):
        make_rule("f-race-sign", 3).admit()


def test_several_metrics_keep_who_is_dominated_by_nobody() -> None:
    rng = np.random.default_rng(0)
    error = np.array([0.0, 1.0, 2.0, 2.5])
    seconds = np.array([2.0, 1.0, 0.0, 2.5])  # the last one is worse than all in both
    names = ["exact", "middle", "fast", "bad"]
    metrics = {
        "error": bo.Scores(rng.normal(error, 0.7, (200, 4)), names, better="lower"),
        "speed": bo.Scores(-rng.normal(seconds, 0.7, (200, 4)), names, better="higher"),
    }
    r = replay(metrics)
    assert r.method == "e-dominance"
    assert set(r.survivors) == {"exact", "middle", "fast"}
    (left,) = r.eliminated
    assert (left.algorithm, left.reason) == ("bad", "worse")
    assert "non-dominated" in r.guarantee
    turned = {k: s.select(algorithms=names[::-1]) if k == "speed" else s for k, s in metrics.items()}
    assert decisions(replay(turned)) == decisions(r)
    with pytest.raises(BakeoffError, match="several metrics"):
        replay(metrics, "f-race-sign")
    with pytest.raises(BakeoffError, match="same algorithms"):
        replay({"a": metrics["error"], "b": table()})
    with pytest.raises(BakeoffError, match="empty"):
        replay({})


def test_one_metric_is_the_accounts_of_e_sign() -> None:
    """With one metric E_i is the mean over all opponents, frozen where e-sign divides anew: at first the same."""
    s = table(q=2, n=30)
    one = replay({"score": s}, block=1, order="given")
    wins = [int(np.sign(row[1] - row[0])) for row in s.values]
    e = [
        np.mean([np.prod([1 + step * x for x in wins[:n]]) for step in (0.03, 0.06, 0.12, 0.24, 0.48, 0.9)])
        for n in range(1, one.n_problems + 1)
    ]
    assert one.paths[1].evidence == pytest.approx(e, rel=1e-10)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        ({"method": "e-sing"}, "did you mean 'e-sign'"),
        ({"method": "e-dominance"}, "method"),
        ({"alpha": 0}, "alpha"),
        ({"alpha": 1.0}, "alpha"),
        ({"block": 0}, "block"),
        ({"block": 2.5}, "block"),
        ({"budget": -1}, "budget"),
        ({"budget": math.inf}, "budget"),
        ({"budget": "all"}, "budget"),
        ({"order": "random"}, "order"),
        ({"order": -1}, "order must"),
        ({"stricd": True}, "did you mean 'strict'"),
        ({"equivalence": 0.0}, "equivalence"),
        ({"equivalence": 0.05, "margin": 0.5}, "margin"),
        ({"method": "bayes", "gate": "maybe"}, "gate"),
        ({"method": "bayes", "prior_strength": 0}, "prior_strength"),
        ({"method": "bayes", "n_draws": 3}, "n_draws"),
        ({"method": "bayes", "indistinguishable": 1.0}, "indistinguishable"),
    ],
)
def test_mistakes_are_named(call: dict[str, Any], match: str) -> None:
    with pytest.raises(BakeoffError, match=match):
        replay(table(n=10), **call)


def test_no_scores_is_no_race() -> None:
    with pytest.raises(BakeoffError):
        replay(np.zeros((3, 3)))  # type: ignore[arg-type]
    assert set(options_of("e-sign")) == {"strict", "equivalence", "margin", "grid"}


@pytest.mark.slow
def test_a_race_that_could_not_have_removed_anybody_says_so() -> None:
    """One loses every problem: six of six are the fewest."""
    for n in range(1, 30):
        s = bo.Scores([[1.0, 2.0]] * n, better="lower")
        for block in (1, 5):
            r = replay(s, block=block)
            assert ("out-of-reach" in [c.code for c in r.cautions]) == (len(r.survivors) == 2)
            if block == 1:
                assert len(r.survivors) == (2 if n < 6 else 1)


@pytest.mark.slow
def test_the_bets_are_tuned_to_the_number_of_problems() -> None:
    for n in (25, 200, 1500):
        grid = horizon_grid(n)
        assert grid[0] == pytest.approx(2 / math.sqrt(n), rel=0.006)
        assert grid[-1] == 0.9
        ratios = [b / a for a, b in itertools.pairwise(grid)]
        assert max(ratios) / min(ratios) < 1.03
        s = table(q=4, gap=0.3, n=n)
        for method in ANYTIME:
            found, rule = replay(s, method, order="given"), make_rule(method, 4, grid=grid)
            for start in range(0, n, 5):
                if len(rule.alive) > 1 and rule.next_size(5):
                    rule.observe(s.values[start : start + 5][:, rule.alive])
            assert [e.evidence for e in found.eliminated] == [e.evidence for e in rule.eliminations]
    with pytest.raises(ParameterError, match="grid follows from the number of problems"):
        replay(table(), grid=(0.5,))
    with pytest.raises(ParameterError, match="between 0 and 1"):
        make_rule("e-sign", 2, grid=(0.5, 1.0))


@pytest.mark.parametrize("method", RULES)
def test_the_smallest_tables(method: str) -> None:
    r = replay(bo.Scores([[1.0, 2.0]], better="lower"), method)
    assert r.survivors == ("A1", "A2")
    assert r.stopped == "no problems left"


def test_too_many_candidates_are_refused_by_name() -> None:
    with pytest.raises(TooLargeError, match="at most 3000 candidates"):
        make_rule("e-sign", 3001)


@pytest.mark.slow
def test_huge_and_tiny_scores() -> None:
    rng = np.random.default_rng(0)
    largest = bo.Scores(np.where(rng.random((40, 2)) < 0.5, 1.7e308, 1.6e308), better="lower")
    for method in RULES:
        assert replay(largest, method).n_problems > 0
    for scale in (1e-300, 1e300):
        s = bo.Scores(rng.normal(np.arange(3), 0.5, (60, 3)) * scale, better="lower")
        for method in RULES:
            assert replay(s, method).best == "A1"


@pytest.mark.parametrize("method", ["e-sign", "e-choose"])
def test_who_leaves_names_whom_it_lost_against(method: str) -> None:
    costs = np.random.default_rng(0).normal([0.0, 0.0, -3.0], size=(80, 3))
    result = replay(bo.Scores(costs, list("ABC"), better="lower"), method)
    assert result.survivors == ("C",)
    assert {one.by for one in result.eliminated} == {"C"}
