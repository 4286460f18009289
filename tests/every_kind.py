"""A small result of every kind that can be reported, by kind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import bakeoff as bo
from bakeoff.analyses.leaderboard.statistics import RankedComparison
from bakeoff.analyses.run.telling.run_page import RunPage
from bakeoff.analyses.sensitivity.statistics import ExaminedComparison
from bakeoff.analyses.study.telling.document import Studies
from bakeoff.reportable import Reportable


def noisy(problem: float, rng: object) -> float:
    return problem + float(rng.normal())  # type: ignore[attr-defined]


def ran() -> bo.RunResult:
    problems = {f"p{i}": float(i) for i in range(6)}
    return bo.run(bo.Experiment({"new": noisy, "old": noisy}, problems, better="lower", seed=1, runs=2))


def examined() -> ExaminedComparison:
    compared = bo.compare(bo.datasets.load("demsar_2006"))
    return ExaminedComparison(comparison=compared, sensitivity=bo.sensitivity(compared, resamples=20))


RESULTS: dict[str, Callable[[], Reportable]] = {
    "comparison": lambda: bo.compare(bo.datasets.load("demsar_2006")),
    "bayes": lambda: bo.bayes.overview(bo.datasets.load("demsar_2006"), n_draws=200),
    "plackett-luce": lambda: bo.bayes.plackett_luce(bo.datasets.load("demsar_2006"), n_draws=200),
    "scores": lambda: bo.score_table(bo.datasets.load("demsar_2006"), ranks=True),
    "per-problem": lambda: bo.per_problem(bo.Scores([[[1, 2, 3, 4], [6, 7, 8, 9]]] * 3, better="lower")),
    "check": lambda: bo.check(
        {"P1": [1.0, 1.1, 1.2, 1.05, 1.15, 1.08]}, {"P1": [1.5, 1.6, 1.8, 1.55, 1.7, 1.62]}, "5%", better="lower"
    ),
    "history": lambda: bo.change_points(
        bo.Scores([[10, 11, 9, 10.5, 14, 15, 13, 16]], list("abcdefgh"), better="lower"), min_segment=2
    ),
    "timing": lambda: bo.time_ratios(
        bo.Scores([[[1.0 + 0.01 * i for i in range(9)], [1.5] * 9]], ["new", "old"], better="lower")
    ),
    "iqm": lambda: bo.interquartile_mean(bo.datasets.load("demsar_2006"), interval="percentile", resamples=100),
    "ratings": lambda: bo.ratings(bo.datasets.load("demsar_2006"), resamples=100),
    "evaluation": lambda: bo.evaluate(bo.datasets.load("demsar_2006")),
    "profile": lambda: bo.profile(bo.datasets.load("derrac_cec2005")),
    "runtimes": lambda: bo.runtimes(bo.Scores([[1, 2], [9, 4], [3, 9], [2, 5]], better="lower"), 9, resamples=100),
    "leaderboard": lambda: bo.leaderboard(bo.datasets.load("demsar_2006")),
    "ranked": lambda: RankedComparison(
        comparison=bo.compare(bo.datasets.load("demsar_2006")),
        leaderboard=bo.leaderboard(bo.datasets.load("demsar_2006"), by="mean-rank"),
    ),
    "tradeoff": lambda: bo.tradeoff(
        {
            "error": bo.Scores([[1, 2], [2, 2.5], [3, 3.4]], better="lower"),
            "seconds": bo.Scores([[1, 2], [2, 3], [3, 4]], better="lower"),
        },
        {"error": 0.5, "seconds": "5%"},
        n_draws=100,
    ),
    "curves": lambda: bo.curves(
        [
            {"problem": f"p{i}", "algorithm": a, "budget": b, "score": i % 3 + (a == "B") + 1 / b}
            for i in range(8)
            for a in "AB"
            for b in (1, 2, 4)
        ],
        better="lower",
    ),
    "sensitivity": lambda: bo.sensitivity(bo.datasets.load("demsar_2006"), resamples=20),
    "examined": examined,
    "experiment": ran,
    "run": lambda: RunPage(ran(), Path("store.sqlite")),
    "race": lambda: bo.race.replay(bo.datasets.load("derrac_cec2005")),
    "plan": lambda: bo.plan.curve(20, values=[0.5, 1.0]),
    "power": lambda: bo.study.power(bo.datasets.load("demsar_2006"), 0, 1, ["sign", "holm"], draws=9),
    "known-truth": lambda: bo.study.known_truth(bo.datasets.load("demsar_2006"), 0, 1, ["sign", "holm"], draws=9),
    "study": lambda: Studies("race", [({}, bo.study.race("e-sign", 3, rounds=4, repetitions=3))]),
}

DECISIONS: dict[str, str | None] = {
    "comparison": "difference",
    "bayes": "difference",
    "plackett-luce": None,
    "scores": None,
    "per-problem": "cannot tell",
    "check": "regressed",
    "history": "difference",
    "timing": "difference",
    "iqm": "none",
    "ratings": "none",
    "evaluation": "none",
    "profile": None,
    "runtimes": "cannot tell",
    "leaderboard": "none",
    "ranked": "difference",
    "tradeoff": "none",
    "curves": "difference",
    "sensitivity": "difference",
    "examined": "difference",
    "experiment": "none",
    "run": "none",
    "race": "difference",
    "plan": None,
    "power": None,
    "known-truth": None,
    "study": None,
}
"""The word for scripts of each of these results."""

ON_THE_PAGE = {
    "compare": "better=lower",
    "compare?": "better=lower&control=B&posthoc=holm&posthoc=hochberg&margin=5%25&effect=a12&alpha=0.1&drop=p3",
    "sensitivity": "better=higher&control=A&pairwise=sign",
    "bayes": "better=lower&rope=0.5",
    "leaderboard": "better=higher&by=mean-rank",
    "per-problem": "better=lower&control=B&correction=fdr-bh",
    "profile": "better=lower&kind=difference",
    "evaluate": "better=lower&cluster=family",
    "iqm": "better=lower&control=C&over=runs&goal=2",
    "ratings": "better=lower&reference=B&ties=half",
    "tradeoff": "metric_1=score&better_1=lower&margin_1=0.5&metric_2=seconds&better_2=lower&margin_2=5%25",
    "curves": "better=lower&control=A&best_so_far=1&spacing=linear&cell=median",
    "history": "better=lower&min_segment=2&scale=difference",
    "runtimes": "cap=9&control=C",
    "plan": "effect=0.7&n_algorithms=3&comparisons=control&alpha=0.01",
}
"""What is chosen in each tab of the local page, as its address says it."""
