"""The results whose reports are recorded: one of every kind, and more where a report says more than one thing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.analyses.plan.reporting import answers
from bakeoff.analyses.plan.reporting.answers import Answers
from bakeoff.analyses.plan.reporting.pilot import runs_answer, variance_answer
from bakeoff.analyses.plan.reporting.questions import question_variance_answer, question_variances, questions_answer
from bakeoff.cautions import __file__ as demos
from bakeoff.reportable import Reportable
from every_kind import RESULTS
from ordinary_tables import noisy

FOLDER = Path(demos).with_name("files")
DEMSAR, DERRAC, GARCIA = "demsar_2006", "derrac_cec2005", "garcia_2010"
HARD = ["a|b & <c>", "=1+2_$x#", "a name that is far too long for a column of any table 算法"]


def demo(name: str, better: Any = "lower", **reading: Any) -> bo.Scores:
    """A table of the demonstrations of cautions."""
    return bo.read_scores(FOLDER / f"{name}.csv", better, **reading)


def part(name: str, rows: int, columns: int) -> bo.Scores:
    """The head of a shipped table."""
    scores = bo.datasets.load(name)
    return bo.Scores(
        scores.values[:rows, :columns],
        scores.algorithms[:columns],
        scores.problems[:rows],
        better=scores.better,
        metric=scores.metric,
    )


def made(rows: int, columns: int, step: float = 1.0, names: list[str] | None = None, **more: Any) -> bo.Scores:
    """Whole numbers below 11 and ``step`` per column: later columns are worse, and some rows tie."""
    i, j = np.indices((rows, columns))
    return bo.Scores(1 + (7 * i + 5 * j * (i % 3)) % 11 + step * j, names, **({"better": "lower"} | more))


def with_runs(rows: int = 8, columns: int = 3, runs: int = 5, **more: Any) -> bo.Scores:
    i, j, r = np.indices((rows, columns, runs))
    return bo.Scores((7 * i + 3 * r * (j + 1)) % 11 / 4 + i + 0.5 * j, **({"better": "lower"} | more))


def with_gaps() -> bo.Scores:
    values = made(10, 4).values.copy()
    values[[1, 4, 7], [0, 3, 2]] = np.nan
    return bo.Scores(values, better="lower", missing="keep")


RUNS = {f"P{i}": [i + 1 + (7 * r) % 5 / 50 for r in range(12)] for i in range(3)}
CLUSTERS = [f"c{i // 2}" for i in range(24)]


def plans() -> Iterator[tuple[str, Callable[[], Reportable]]]:
    """Every question that ``bakeoff plan`` answers."""

    def asked(*parts: Callable[[], Any]) -> Callable[[], Reportable]:
        return lambda: Answers(tuple(answer() for answer in parts))

    pilot, four = with_runs(6, 2), {"n_algorithms": 4}
    components = question_variances(demo("answers", "higher"), None)
    yield "n", asked(lambda: answers.how_many(0.5, 0.8, four))
    yield "n-of-clusters", asked(lambda: answers.how_many(0.5, 0.8, {"cluster_size": 4, "icc": 0.2, "test": "sign"}))
    yield "margin", asked(lambda: answers.how_many(None, 0.8, {"margin": 0.4}))
    yield "power-inside", asked(lambda: answers.how_probable_inside(40, None, {"margin": 0.4, "claim": "not-worse"}))
    yield "effect", asked(lambda: answers.what_is_seen(40, 0.8, {"test": "sign"}))
    yield "power", asked(lambda: answers.how_probable(20, 0.5, {}))
    yield "means", asked(lambda: answers.how_many([0.0, 0.0, 0.5], 0.8, {"test": "friedman", "n_algorithms": 3}))
    yield "alpha", asked(lambda: answers.which_level(20, 0.5, 0.9, {}))
    yield "pilot", asked(lambda: variance_answer(pilot, None, 0.4, "simple", "corrected")[0])
    yield "runs", asked(lambda: runs_answer(pilot, 0.2, {"min_runs": 2}))
    yield (
        "questions",
        asked(
            lambda: questions_answer(bo.plan.questions(difference=0.03, omega2=components[0])),
            lambda: question_variance_answer(components),
        ),
    )


MORE: dict[str, Callable[[], Reportable]] = {
    # shorter than those of the examples
    "profile/plain": lambda: bo.profile(part(DERRAC, 8, 3), n_resamples=99),
    # bo.compare
    "compare/control": lambda: bo.compare(part(DERRAC, 12, 4), control="PSO"),
    "compare/two": lambda: bo.compare(made(12, 2, step=3), effect="percent"),
    "compare/two-signs": lambda: bo.compare(demo("mostly-ties"), pairwise="sign"),
    "compare/margin": lambda: bo.compare(made(24, 3, step=0.1, metric="seconds"), margin=0.5),
    "compare/margin-control": lambda: bo.compare(made(24, 3), control=0, margin=2),
    "compare/recipe-pairs": lambda: bo.compare(part(DEMSAR, 14, 4), recipe="demsar-2006"),
    "compare/recipe-control": lambda: bo.compare(part(DERRAC, 25, 4), recipe="derrac-2011", control="PSO"),
    "compare/recipe-garcia": lambda: bo.compare(part(GARCIA, 24, 4), recipe="garcia-2010", control=0),
    "compare/every-correction": lambda: bo.compare(part(DEMSAR, 14, 4), posthoc="all", effect="log-ratio"),
    "compare/clusters": lambda: bo.compare(made(24, 3, clusters=CLUSTERS)),
    "compare/few-clusters": lambda: bo.compare(demo("few-clusters", cluster="cluster")),
    "compare/missing": lambda: bo.compare(with_gaps(), omnibus="skillings-mack"),
    "compare/bounds": lambda: bo.compare(with_gaps(), missing="bounds"),
    "compare/dropped": lambda: bo.compare(demo("missing", missing="drop")),
    "compare/names": lambda: bo.compare(made(12, 3, names=HARD), control=HARD[2]),
    "compare/runs": lambda: bo.compare(with_runs()),
    "compare/five-problems": lambda: bo.compare(demo("five-problems")),
    "compare/nothing-differs": lambda: bo.compare(demo("nothing-differs")),
    "compare/near-ties": lambda: bo.compare(demo("near-ties")),
    "compare/infinite": lambda: bo.compare(demo("infinite-scores")),
    "compare/many": lambda: bo.compare(made(16, 9)),
    "compare/quade": lambda: bo.compare(made(16, 3), omnibus="quade", alpha=0.01, intervals="single"),
    # bo.bayes
    "bayes/control": lambda: bo.bayes.overview(part(DERRAC, 12, 3), control="PSO", n_draws=100),
    "bayes/rope": lambda: bo.bayes.overview(made(16, 2), rope=1, n_draws=100),
    "bayes/clusters": lambda: bo.bayes.overview(made(24, 3, clusters=CLUSTERS), n_draws=100),
    "bayes/few": lambda: bo.bayes.overview(demo("certain-from-few"), n_draws=100),
    # of a table, run by run, and of its past
    "scores/control": lambda: bo.score_table(made(5, 3, names=HARD, metric="accuracy", better="higher"), control=0),
    "scores/runs": lambda: bo.score_table(with_runs(4, 3), ranks=True),
    "per-problem/control": lambda: bo.per_problem(with_runs(4, 3), control=0, correction="fdr-bh"),
    "per-problem/paired": lambda: bo.per_problem(with_runs(4, 2), paired=True),
    "history/nothing": lambda: bo.change_points(bo.Scores([[1, 2, 3, 2, 1, 2, 3]], list("abcdefg"), better="higher")),
    "time/control": lambda: bo.time_ratios(
        bo.Scores([[[1 + (7 * r + 3 * j) % 5 / 100 for r in range(12)] for j in range(3)]], better="lower"), control=0
    ),
    # bo.check
    "check/ok": lambda: bo.check(RUNS, RUNS, "50%", better="lower"),
    "check/inconclusive": lambda: bo.check({"P": [1.0, 1.1]}, {"P": [1.0, 1.2]}, "5%", better="lower"),
    "check/suite": lambda: bo.check(
        {f"p{i}": [(7 * i) % 11] for i in range(12)},
        {f"p{i}": [(7 * i) % 11 - 1 - i % 2] for i in range(12)},
        1,
        better="higher",
        level="suite",
        scale="difference",
    ),
    # question by question
    "evaluate/control": lambda: bo.evaluate(made(24, 3), control=0, correction="holm", n_resamples=99),
    "evaluate/clusters": lambda: bo.evaluate(made(24, 3, clusters=CLUSTERS), n_resamples=99),
    "evaluate/suites": lambda: bo.evaluate(
        made(24, 2, clusters=CLUSTERS), suites=[*"sssssssstttttttt", *"uuuuuuuu"], n_resamples=99
    ),
    "evaluate/predictions": lambda: bo.evaluate(
        bo.read_predictions(FOLDER / "nearly-perfect.csv", "y_true", "auc"), n_resamples=99
    ),
    "evaluate/cannot-tell": lambda: bo.evaluate(demo("cannot-tell", "higher"), n_resamples=99),
    "iqm/control": lambda: bo.interquartile_mean(with_runs(better="higher"), control=0),
    "iqm/runs": lambda: bo.interquartile_mean(with_runs(1, 2, 12), over="runs", goal=0.0),
    "ratings/categories": lambda: bo.ratings(bo.read_battles(FOLDER / "categories.csv", category="topic")),
    "ratings/runs": lambda: bo.ratings(with_runs(), n_resamples=100),
    "ratings/separated": lambda: bo.ratings(bo.Scores([[1, 2], [1, 2], [2, 3]], better="lower"), n_resamples=100),
    # bo.profile, runtimes, leaderboard, tradeoff, curves
    "profile/scores": lambda: bo.profile(with_runs(better="higher"), "score", over="runs", n_resamples=99),
    "profile/differences": lambda: bo.profile(made(8, 3), "difference", n_resamples=99),
    "profile/names": lambda: bo.profile(made(8, 3, names=HARD), n_resamples=99),
    "runtimes/control": lambda: bo.runtimes(made(12, 3, step=3), 12, control=0, n_resamples=100),
    "runtimes/over-runs": lambda: bo.runtimes(with_runs(better="lower"), 12, over="runs", n_resamples=100),
    "runtimes/points": lambda: bo.runtimes(demo("solved-nothing"), 10, points="ok=2,timeout=-1", n_resamples=100),
    "runtimes/nothing-solved": lambda: bo.runtimes(demo("solved-nothing"), 10, n_resamples=100),
    "leaderboard/mean-rank": lambda: bo.leaderboard(made(16, 4), by="mean-rank", n_resamples=99),
    "leaderboard/clusters": lambda: bo.leaderboard(made(24, 3, clusters=CLUSTERS), n_resamples=99),
    "tradeoff/decided": lambda: bo.tradeoff(
        {"error": made(16, 3, step=2, metric="error"), "size": made(16, 3, step=-1, metric="MB", better="lower")},
        {"error": 1, "size": 0.5},
        n_draws=100,
    ),
    "curves/over-runs": lambda: bo.curves(
        [
            {"problem": f"p{i}", "algorithm": a, "run": r, "budget": b, "score": i % 3 + 9 * (a == "B") + r * b % 3}
            for i in range(4)
            for a in "AB"
            for r in range(5)
            for b in (1, 2, 4)
        ],
        better="lower",
        best_so_far=False,
        over="runs",
        interquartile=True,
        n_resamples=199,
    ),
    "curves/control": lambda: bo.curves(
        [
            {"problem": f"p{i}", "algorithm": a, "budget": b, "score": 5 * i % 4 + "new".find(a) / 2 - b / 4}
            for i in range(8)
            for a in "new"
            for b in (1, 2, 4)
        ],
        better="higher",
        control="n",
        n_resamples=99,
    ),
    "sensitivity/control": lambda: bo.sensitivity(part(DERRAC, 10, 3), control="PSO", n_resamples=20),
    "sensitivity/clusters": lambda: bo.sensitivity(made(24, 3, clusters=CLUSTERS), n_resamples=20),
    # experiments and races
    "experiment/one-run": lambda: bo.run(
        bo.Experiment({"new": noisy, "old": noisy}, {f"p{i}": i for i in range(6)}, better="lower", seed=2)
    ),
    "experiment/log-ratio": lambda: bo.run(
        bo.Experiment(
            {"new": noisy, "old": noisy, "third": noisy},
            {f"p{i}": 9.0 + i for i in range(6)},
            better="lower",
            seed=2,
            runs=2,
            differences="log-ratio",
            null_value=1.5,
        )
    ),
    "race/stopped": lambda: bo.race.replay(part(DERRAC, 25, 4), "e-sign", budget=40),
    "race/names": lambda: bo.race.replay(made(30, 4, step=3, names=[*HARD, "D"])),
    # simulations
    "study-power/clusters": lambda: bo.study.power(
        made(24, 3, clusters=CLUSTERS), 0, 1, ["wilcoxon", "holm"], size=5, bias=(0, 5), scale="sd", draws=9
    ),
    **{f"plan/{name}": make for name, make in plans()},
}
"""``kind/what it shows``"""

CASES: dict[str, Callable[[], Reportable]] = {f"{kind}/plain": make for kind, make in RESULTS.items()} | MORE
