"""``bo.evaluate`` ends with a plan: what its questions detect, and how many half of it takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo

N = 240


def graded(**design: Any) -> bo.Scores:
    rng = np.random.default_rng(5)
    spread = np.where(np.arange(N) < 200, 0.3, 0.6)[:, None]
    return bo.Scores(rng.normal(size=(N, 1)) + spread * rng.normal(size=(N, 2)), ["A", "B"], better="higher", **design)


def binary(**design: Any) -> bo.Scores:
    rng = np.random.default_rng(6)
    right = rng.random((N, 2)) < rng.beta(2, 1, (N, 1))
    return bo.Scores(right.astype(float), ["A", "B"], better="higher", **design)


TASKS = ["large"] * 200 + ["small"] * 40
DESIGNS: dict[str, dict[str, Any]] = {
    "one task": {},
    "tasks": {"tasks": TASKS},
    "pooled": {"tasks": TASKS, "weights": "problems"},
}


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("make", [graded, binary])
def test_it_is_the_plan_of_a_pilot(make: Any, design: dict[str, Any]) -> None:
    scores = make(**design)
    found = bo.evaluate(scores, n_resamples=199)
    pilot = bo.plan.question_variance(scores, "A", "B")
    method = "mcnemar" if make is binary and not design else "t"
    now = bo.plan.questions(omega2=pilot, n=N, method=method)
    assert found.detectable == pytest.approx(now.difference, rel=1e-6)
    assert found.n_for_half == pytest.approx(bo.plan.questions(now.difference / 2, pilot, method=method).n, abs=1)


def test_clusters_keep_their_sizes_and_so_their_price() -> None:
    """Four times the clusters detect half; a plan that forgets clusters would take fewer questions."""
    clusters = [f"c{i // 6}" for i in range(N)]
    shared = np.repeat(np.random.default_rng(1).normal(size=(N // 6, 2)), 6, axis=0)
    values = graded().values + 0.3 * shared
    plain, clustered = (bo.Scores(values, better="higher", clusters=c) for c in (None, clusters))
    found = bo.evaluate(clustered, n_resamples=199)
    assert found.detectable is not None
    assert found.n_for_half is not None
    assert 3.7 * N < found.n_for_half < 4 * N  # more clusters have more degrees of freedom
    four = [np.tile(values - values.mean(axis=0), (4, 1)), [f"c{i // 6}" for i in range(4 * N)]]
    more = bo.evaluate(bo.Scores(four[0], better="higher", clusters=four[1]), n_resamples=199)
    assert more.detectable == pytest.approx(found.detectable / 2, rel=0.03)
    forgotten = bo.plan.questions(found.detectable / 2, bo.plan.question_variance(plain, 0, 1), method="t").n
    assert found.n_for_half > 1.3 * forgotten


def test_new_tasks_are_counted_in_tasks() -> None:
    scores = graded(tasks=[f"t{i % 24}" for i in range(N)])
    found = bo.evaluate(scores, tasks="new", n_resamples=199)
    assert found.n_for_half is not None
    assert 24 < found.n_for_half < 4 * 24
    assert f"takes {found.n_for_half} tasks." in " ".join(str(found).split())


def test_the_sentence_says_both_or_why_not() -> None:
    words = " ".join(str(bo.evaluate(binary(), n_resamples=199)).split())
    assert "240 questions detect a difference of" in words
    assert "with power 0.8;" in words
    assert "This is the power of McNemar's exact test" in words
    same = bo.Scores([[1.0, 0.5]] * 40, better="higher")
    found = bo.evaluate(same, n_resamples=199)
    assert (found.detectable, found.n_for_half) == (None, None)
    assert "What more questions would detect is unknown: the differences do not vary." in " ".join(str(found).split())


def test_several_models_are_planned_at_the_level_of_the_correction() -> None:
    rng = np.random.default_rng(2)
    scores = bo.Scores(rng.normal(size=(N, 4)), better="higher")
    found = bo.evaluate(scores, correction="bonferroni")
    worst = max(found.pairs, key=lambda pair: pair.detectable or 0.0)
    plan = bo.plan.questions(
        worst.detectable / 2,  # type: ignore[operator]
        bo.plan.question_variance(scores, worst.a, worst.b),
        alpha=0.05 / 6,
        method="t",
    )
    assert found.n_for_half == pytest.approx(plan.n, abs=1)
