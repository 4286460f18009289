"""No caution without a reason: ordinary results of every kind, with exactly the cautions that they have.

That each caution is there when it must be is tested by its demonstration (``test_demos.py``) and where it arises.
"""

from __future__ import annotations

import json
import math
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import migrate
from bakeoff.cautions import explanations
from bakeoff.cli import main
from bakeoff.migrate.delivery import MigrationWarning


def table(n: int = 20, k: int = 3, step: float = 0.5, seed: int = 0, **names: Any) -> bo.Scores:
    """Normal scores, each algorithm worse than the one before by ``step``."""
    values = np.random.default_rng(seed).normal(size=(n, k)) + step * np.arange(k)
    return bo.Scores(values, better="lower", **names)


def runs(n: int, k: int, r: int) -> bo.Scores:
    values = np.random.default_rng(0).normal(size=(n, k, r)) + 0.5 * np.arange(k)[:, None]
    return bo.Scores(values + 2 * np.random.default_rng(1).normal(size=(n, k, 1)), better="lower")


def clustered() -> bo.Scores:
    rng = np.random.default_rng(3)
    values = np.repeat(rng.normal(size=(24, 3)), 3, 0) + rng.normal(size=(72, 3)) + np.arange(3)
    return bo.Scores(values, better="lower", clusters=[f"c{i // 3}" for i in range(72)])


def close() -> bo.Scores:
    """Three that differ by little on every problem, to either side."""
    x, *noise = np.random.default_rng(5).normal(size=(3, 30))
    return bo.Scores(np.column_stack([x, *(x + 0.1 * each for each in noise)]), list("ABC"), better="lower")


def times(n: int = 16, cap: float = math.inf) -> bo.Scores:
    values = np.random.default_rng(3).lognormal(2, 1, size=(n, 3)) * [1, 1.5, 2]
    return bo.Scores(np.minimum(values, cap), better="lower")


def gaps() -> bo.Scores:
    values = table(30, 3, 3.0).values.copy()
    values[1, 1] = math.nan
    return bo.Scores(values, better="lower", missing="keep")


def old_and_new(**options: Any) -> bo.Check:
    old, new = np.random.default_rng(1).lognormal(0, 0.02, (2, 12, 12))
    return bo.check(old, new, "5%", better="lower", paired=True, **options)


def answers() -> bo.Check:
    values = (np.random.default_rng(3).random((600, 2)) < 0.7).astype(float)
    scores = bo.Scores(values, ["a", "b"], better="higher")
    return bo.check(scores, scores, 0.1, label=("a", "b"))


def timed() -> bo.TimeRatios:
    seconds = np.random.default_rng(1).lognormal(0, 0.05, size=(1, 2, 40))
    return bo.time_ratios(bo.Scores(seconds, ["old", "new"], better="lower"))


def equal_limits() -> dict[str, Any]:
    """The report of the command line, which alone reads limits."""
    seconds = times(60, 12.0).values
    rows = [f"p{i},{'abc'[j]},{x},12" for i, row in enumerate(seconds) for j, x in enumerate(row)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "times.csv")
        file.write_text("\n".join(["problem,algorithm,seconds,limit", *rows]))
        asked = ["runtimes", str(file), "--score", "seconds", "--cap", "limit", "--json"]
        return dict(json.loads(CliRunner().invoke(main, asked).stdout))


def whole_curves() -> bo.Curves:
    level = np.random.default_rng(1).normal(size=(12, 2))
    rows = [
        {
            "problem": f"p{i}",
            "algorithm": a,
            "budget": b,
            "score": float(level[i, "AB".index(a)]) + 5 + (a == "B") + 1 / b,
        }
        for i in range(12)
        for a in "AB"
        for b in (1, 2, 4)
    ]
    return bo.curves(rows, better="lower")


def first(problem: float, rng: np.random.Generator) -> float:
    return problem + 0.1 * float(rng.normal())


def second(problem: float, rng: np.random.Generator) -> float:
    return problem + 0.5 + 0.2 * float(rng.normal())


def experiment(**options: Any) -> bo.RunResult:
    problems = {f"p{i}": 10.0 + i for i in range(20)}
    return bo.run(bo.Experiment({"first": first, "second": second}, problems, better="lower", seed=1, **options))


def shims() -> list[Any]:
    """What functions under the names of other tools say of untied data in their own default."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        migrate.posthoc_wilcoxon(table(8, 3).values.T.tolist(), p_adjust="holm")
        migrate.compute_CD([1.5, 2.0, 2.5], 30)
    return [w.message.caution for w in caught if isinstance(w.message, MigrationWarning)]


@dataclass(frozen=True)
class Case:
    """A result, the cautions that it has, and those that such results can have and this one has not."""

    made: Callable[[], Any]
    has: str = ""
    lacks: str = ""


CASES = {
    "compare": Case(
        lambda: bo.compare(table()),
        lacks="average-of-scales different-versions dropped-problems f-rough filled-cells infinite-scores "
        "effect-against-verdict interval-below-level interval-unbounded looks-clustered many-problems missing-scores "
        "mean-of-few near-ties not-finite "
        "not-paired nothing-differs omnibus-not-rejected one-problem overflowing-differences rounding-ties "
        "runs-left-out scales-differ sign-instead sizes-left-out sizes-when-read tied-scores too-few-problems "
        "transposed uncorrected unfinished-experiment unreachable-alpha correction-beyond-limit "
        "direction-doubtful tasks-left-out runs-as-algorithms means-alone one-stem files-not-taken",
    ),
    "compare, of two": Case(
        lambda: bo.compare(table(20, 2)), lacks="interval-below-level scales-differ unreachable-alpha rounding-ties"
    ),
    "compare, of runs": Case(
        lambda: bo.compare(runs(20, 3, 4)), has="omnibus-not-rejected", lacks="not-paired too-few-runs unequal-runs"
    ),
    "compare, of clusters": Case(lambda: bo.compare(clustered()), lacks="clusters-ignored few-clusters"),
    "compare, with a margin": Case(
        lambda: bo.compare(close(), margin=0.5),
        has="omnibus-not-rejected",
        lacks="margin-of-few margin-of-the-median margin-out-of-reach",
    ),
    "compare, with a control": Case(
        lambda: bo.compare(table(20, 4), control="A1", posthoc="holm"),
        lacks="false-discovery-rate finner-weak-control li-unstable rom-printed-liberal quade-sensitive",
    ),
    "compare, by mean ranks": Case(
        lambda: bo.compare(table(30, 4, 2.0), pairwise="mean-ranks"),
        has="assumes-all-alike",
        lacks="papers-standard-error pool-dependent pool-not-checked",
    ),
    "compare, by a recipe": Case(
        lambda: bo.compare(table(30, 4, 2.0), recipe="demsar-2006"), has="assumes-all-alike", lacks="gate-closed"
    ),
    "compare, by signed ranks": Case(
        lambda: bo.compare(table(20, 4, 1.0), pairwise="wilcoxon"), lacks="assumes-all-alike pool-dependent"
    ),
    "compare, with gaps": Case(
        lambda: bo.compare(gaps(), missing="bounds"),
        has="missing-scores",
        lacks="depends-on-missing missing-gathered pairs-on-different-problems problems-without-pairs",
    ),
    "friedman": Case(lambda: bo.friedman(table(40, 6), method="chi2"), lacks="chi2-rough limit-law sampled"),
    "iman_davenport": Case(lambda: bo.iman_davenport(table()), lacks="perfect-agreement ties-uncorrected"),
    "skillings_mack": Case(lambda: bo.skillings_mack(table()), lacks="problems-without-pairs missing-scores"),
    "anova": Case(lambda: bo.anova(table()), lacks="no-error-variance"),
    "tukey": Case(lambda: bo.tukey(table()), lacks="no-error"),
    "multiple_sign_test": Case(lambda: bo.multiple_sign_test(table(), control="A1"), lacks="ties"),
    "wilcoxon": Case(lambda: bo.wilcoxon(table(), 0, 1), lacks="few-differences normal-approximation zero-variance"),
    "sign_test": Case(lambda: bo.sign_test(table(), 0, 1), lacks="few-differences"),
    "paired_t": Case(lambda: bo.paired_t(table(), 0, 1), lacks="zero-variance"),
    "hodges_lehmann": Case(lambda: bo.hodges_lehmann(table(), 0, 1), lacks="interval-below-level"),
    "median_difference": Case(lambda: bo.median_difference(table(), 0, 1), lacks="interval-below-level"),
    "equivalence": Case(
        lambda: bo.equivalence(close(), "A", "B", 0.5), lacks="interval-below-level margin-out-of-reach zero-variance"
    ),
    "equivalence, by t": Case(
        lambda: bo.equivalence(close(), "A", "B", 0.5, test="t"), lacks="margin-out-of-reach zero-variance"
    ),
    "per_problem": Case(lambda: bo.per_problem(runs(3, 2, 10)), lacks="too-few-runs uncorrected"),
    "evaluate": Case(lambda: bo.evaluate(table(40)), lacks="cannot-tell constant-scores few-units groups-left-out"),
    "evaluate, of clusters": Case(lambda: bo.evaluate(clustered()), lacks="few-clusters unequal-clusters"),
    "evaluate, of runs": Case(
        lambda: bo.evaluate(runs(30, 3, 4)), lacks="dependent-runs negative-variance these-seeds"
    ),
    "leaderboard": Case(
        lambda: bo.leaderboard(table(40)), lacks="few-problems-rule winner-skewed winner-tied few-units"
    ),
    "iqm": Case(lambda: bo.interquartile_mean(runs(12, 3, 8), resamples=100), lacks="middle-constant these-seeds"),
    "ratings": Case(
        lambda: bo.ratings(table(40, 4), resamples=100),
        lacks="battles-independent clusters-alike lack-of-fit resamples-left-out separated",
    ),
    "profile": Case(
        lambda: bo.profile(bo.Scores(np.exp(table(40, 2, 1.5).values), better="lower"), n_resamples=99),
        lacks="best-is-zero failed-is-infinite order-flips targets-of-these",
    ),
    "runtimes, all solved": Case(
        lambda: bo.runtimes(times(40), resamples=100),
        lacks="cannot-tell cut-at-cap few-units looks-capped no-cap not-timeouts solved-nothing unequal-clusters",
    ),
    "runtimes, some stopped": Case(
        lambda: bo.runtimes(times(60, 12.0), 12.0, k=10, resamples=100),
        lacks="clusters-disagree cut-at-cap different-caps few-timeouts looks-capped no-cap not-timeouts "
        "penalty-decides solved-nothing",
    ),
    "runtimes, a column of equal limits": Case(equal_limits, lacks="different-caps"),
    "curves": Case(whole_curves, lacks="budgets-differ coarse-grid not-finite scales-differ sampled"),
    "tradeoff": Case(
        lambda: bo.tradeoff({"e": table(40, 2), "s": table(40, 2, seed=9)}, {"e": 0.5, "s": 0.5}, n_draws=100),
        lacks="few-units cannot-tell",
    ),
    "sensitivity": Case(lambda: bo.sensitivity(table(), resamples=20), lacks="rounding-ties near-ties"),
    "score_table": Case(lambda: bo.score_table(table(), ranks=True), lacks="average-of-scales rounding-ties"),
    "bayes": Case(
        lambda: bo.bayes.overview(table(40, 3, 1.0), rope=0.1, n_draws=2000),
        lacks="always-tied better-but-equivalent certain-from-few cycle joint-undecided more-draws pairs-left-out "
        "path-is-no-statement signed-rank-left-out unanimous",
    ),
    "bayes.compare": Case(
        lambda: bo.bayes.compare(table(40, 3, 1.0), prior="exchangeable", n_draws=2000),
        lacks="always-tied certain-from-few cycle joint-undecided",
    ),
    "bayes.sign_test": Case(lambda: bo.bayes.sign_test(table(40), 0, 1), lacks="all-ties mostly-ties unanimous"),
    "bayes.signed_rank": Case(lambda: bo.bayes.signed_rank(table(40), 0, 1), lacks="all-ties more-draws unanimous"),
    "bayes.friedman": Case(
        lambda: bo.bayes.friedman(table(40), rng=1),
        lacks="excluded-with-certainty monte-carlo prior-outweighs-data prior-rankings-searched reduced-rank",
    ),
    "bayes.friedman, exact region": Case(
        lambda: bo.bayes.friedman(table(40), region="exact", rng=1), lacks="region-narrow monte-carlo"
    ),
    "bayes.kruskal_wallis": Case(
        lambda: bo.bayes.kruskal_wallis(runs(1, 3, 12), region="ellipsoid", rng=1), lacks="few-runs reduced-rank"
    ),
    "bayes.hierarchical": Case(
        lambda: bo.bayes.hierarchical(runs(6, 2, 4), 0, 1, correlation=0.1, rng=1, n_draws=1000),
        lacks="no-differences not-converged",
    ),
    "bayes.correlated_t": Case(
        lambda: bo.bayes.correlated_t(runs(1, 2, 10), 0, 1, correlation=0.1), lacks="rows-as-resamples zero-variance"
    ),
    "bayes.bradley_terry": Case(
        lambda: bo.bayes.bradley_terry(bo.bayes.WinTable([[0, 5, 4], [3, 0, 3], [2, 2, 0]])),
        lacks="dependent-games not-connected one-sided",
    ),
    "bayes.plackett_luce": Case(
        lambda: bo.bayes.plackett_luce(table(40), rng=1, n_draws=2000),
        lacks="first-places-misfit no-order unknown-order not-converged",
    ),
    "bayes.rank_probabilities": Case(
        lambda: bo.bayes.rank_probabilities(table(40), n_draws=2000), lacks="same-ranks more-draws"
    ),
    "check, of pairs": Case(
        old_and_new,
        lacks="baseline-failed centred common-shift drift equal-runs few-processes given-spread iterations-collapsed "
        "margin-zero missing-allowed not-alike not-interleaved one-process one-side-first runs-added unpaired-runs",
    ),
    "check, with a spread": Case(
        lambda: old_and_new(run_sd=0.03), has="given-spread", lacks="spread-too-small few-processes"
    ),
    "check, of answers": Case(answers, lacks="few-changed not-interleaved one-process few-processes common-shift"),
    "time_ratios": Case(
        timed, lacks="failed-rounds order-effect outlying-rounds ratio-drifts shell-time short-times too-few-rounds"
    ),
    "change_points": Case(
        lambda: bo.change_points(
            bo.Scores(np.random.default_rng(1).normal(10, 1, size=(1, 40)), better="lower"), n_resamples=199, rng=1
        ),
        lacks="autocorrelated-history short-history spread-changed",
    ),
    "race": Case(
        lambda: bo.race.replay(table(200, 3, 2.0)),
        lacks="certain-at-once cluster-means equivalence-is-dear error-under-peeking given-order indistinguishable "
        "late-candidates mean-rank-conflict not-decided dominance-is-conservative",
    ),
    "race, with a budget": Case(
        lambda: bo.race.replay(table(12, 4, 2.0), "sequential-halving", budget=24), lacks="budget-not-spent"
    ),
    "plan": Case(
        lambda: bo.plan.curve(20, values=[0.5, 1.0]),
        lacks="average-power few-problems omnibus-only relative-efficiency symmetric-differences win-probability",
    ),
    "plan.repetitions": Case(
        lambda: bo.plan.repetitions(runs(12, 2, 30), 0.5),
        lacks="no-variation paper-standard-error reference-near-zero skewed-runs small-pilot few-problems "
        "no-variance-between-questions",
    ),
    "power": Case(
        lambda: bo.study.power(table(60, 2), 0, 1, ["sign"], draws=9, scale="sd"),
        lacks="out-of-reach overlapping-draws procedures-left-out",
    ),
    "experiment": Case(
        lambda: experiment(runs=4),
        lacks="budget-stops changed-code changed-problem failed-runs low-power network-file-system no-difference "
        "no-estimate no-test not-reproducible open-cluster set-order single-runs skewed-differences stopped-early "
        "tested-on-clusters weak-reference",
    ),
    "migrate": Case(
        shims,
        lacks="peer-shared-zeros peer-decimal-ties peer-degrees-of-freedom peer-drawing peer-ignores-pairing "
        "peer-ignores-ties "
        "peer-median-interval peer-misprint peer-normal-approximation peer-one-sided peer-pretest peer-quantile "
        "peer-standard-error peer-worst-first",
    ),
}


def codes(found: Any) -> list[str]:
    """As the report has them, where there is one."""
    if isinstance(found, dict):
        return [caution["code"] for caution in found["cautions"]]
    if isinstance(found, list):
        return [caution.code for caution in found]
    if hasattr(found, "to_dict") and "cautions" in (content := found.to_dict()):
        return [caution["code"] for caution in content["cautions"]]
    return [caution.code for caution in found.cautions]


@pytest.mark.few(4, 34)
@pytest.mark.parametrize("name", CASES)
def test_an_ordinary_result_has_no_other_cautions(name: str) -> None:
    case = CASES[name]
    assert sorted(codes(case.made())) == sorted(case.has.split())
    assert not set(case.has.split()) & set(case.lacks.split())


@pytest.mark.slow
def test_every_caution_is_absent_somewhere() -> None:
    """A new code needs a case here: an ordinary result of a kind that can have it, and has it not."""
    assert {code for case in CASES.values() for code in case.lacks.split()} == set(explanations())
