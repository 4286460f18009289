"""Plans of questions and answers: Miller (2024), arXiv 2411.00640; numbers computed apart from this package."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.plan._question_variance import variance_factor

DATA = Path(__file__).parent / "data" / "formats"
READING = {"problem": "question", "algorithm": "model"}


@pytest.fixture(scope="module")
def answers() -> bo.Scores:
    return bo.read_scores(DATA / "eval_ref_60q_15c_3m_4k.csv", "higher", cluster="passage", **READING)


@pytest.mark.parametrize(
    ("given", "n", "unrounded"),
    [
        ({"omega2": 1 / 9}, 969, 968.997),
        ({"omega2": 1 / 9, "sigma2": 1 / 6}, 3876, 3875.99),
        ({"omega2": 1 / 9, "sigma2": 1 / 6, "answers": 10}, 1260, 1259.70),
        ({"omega2": 1 / 9, "sigma2": (1 / 6, 1 / 12), "answers": (2, 1)}, 2423, 2422.49),
    ],
)
def test_millers_numbers(given: dict[str, float], n: int, unrounded: float) -> None:
    found = bo.plan.questions(0.03, **given)  # type: ignore[arg-type]
    assert (found.n, round(found.n_unrounded or 0, 2)) == (n, round(unrounded, 2))
    assert found.power == pytest.approx(0.8, abs=2e-3)
    assert found.power >= 0.8
    assert bo.plan.questions(n=n, **given).difference <= 0.03  # type: ignore[arg-type]
    assert bo.plan.questions(n=n - 1, **given).difference > 0.03  # type: ignore[arg-type]
    assert bo.plan.questions(0.03, n=n, **given).power == found.power  # type: ignore[arg-type]


def test_not_worse_is_one_sided() -> None:
    found = bo.plan.questions(margin=0.02, omega2=0.2)
    assert found.n == 3092
    assert found.n_unrounded == pytest.approx((stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) ** 2 * 0.2 / 0.02**2)
    assert bo.plan.questions(0.01, omega2=0.2, margin=0.02).n < found.n < bo.plan.questions(-0.01, 0.2, margin=0.02).n
    assert "as good as the other to be not worse by 0.02" in found.promise
    assert found.by_answers == ()


@pytest.mark.parametrize(
    ("pair", "omega2", "several"),
    [
        ("AB", 0.15047081, {1: 3735, 4: 1918, 16: 1464, None: 1313}),
        ("AC", 0.15537900, {1: 3742, 4: 1952, 16: 1505, None: 1356}),
        ("BC", 0.11765537, {1: 3679, 4: 1690, 16: 1192, None: 1027}),
    ],
)
def test_a_pilot(answers: bo.Scores, pair: str, omega2: float, several: dict[int | None, int]) -> None:
    found = bo.plan.question_variance(answers, *pair)
    assert found.omega2 == pytest.approx(omega2, abs=5e-9)
    within = {"A": 0.12361111111111111, "B": 0.15416666666666667, "C": 0.15}
    assert found.sigma2 == pytest.approx([within[name] for name in pair], rel=1e-12)
    plan = bo.plan.questions(0.03, omega2=found.omega2, sigma2=found.sigma2)
    assert {row.answers: row.n for row in plan.by_answers if row.answers in several} == several
    swapped = bo.plan.question_variance(answers, *reversed(pair))
    assert (swapped.omega2, swapped.difference) == (pytest.approx(found.omega2), -found.difference)


def test_a_negative_variance_is_shown_as_it_is_and_planned_as_0() -> None:
    table = bo.read_scores(DATA / "eval_ref_neg_omega_60q.csv", "higher", **READING)
    a, b = table.algorithms[:2]
    found = bo.plan.question_variance(table, a, b)
    assert found.omega2 < 0
    assert [caution.name for caution in found.cautions] == ["negative-variance (pilot-questions)"]
    plan = bo.plan.questions(0.05, found)
    assert plan.omega2 == 0
    assert [row.answers for row in plan.by_answers] == [1, 2, 4, 8, 16]  # without end nothing would vary


@pytest.mark.slow
def test_clusters_are_the_design_effect_with_t_of_clusters() -> None:
    """Slow twin: SciPy's noncentral t at every number of clusters."""
    found = bo.plan.questions(0.1, 0.2, 0.15, 2, cluster_size=5, icc=0.2)
    variance = (0.2 + 0.15) * (1 + 4 * 0.2) / 5

    def power(groups: int) -> float:
        shift, critical = 0.1 * math.sqrt(groups / variance), stats.t.ppf(0.975, groups - 1)
        return float(stats.nct.sf(critical, groups - 1, shift) + stats.nct.cdf(-critical, groups - 1, shift))

    groups = next(g for g in range(2, 1000) if power(g) >= 0.8)
    assert (found.n_clusters, found.n, found.method) == (groups, 5 * groups, "t")
    assert found.power == pytest.approx(power(groups), abs=1e-9)
    back = bo.plan.questions(n=found.n, omega2=0.2, sigma2=0.15, answers=2, cluster_size=5, icc=0.2)
    assert back.difference == pytest.approx(0.1, rel=0.01)
    assert back.difference <= 0.1
    # what a cluster shares does not depend on the number of answers
    shared = 0.2 * (0.2 + 0.15)
    one = bo.plan.questions(0.1, 0.2, 0.15, 1, cluster_size=5, icc=shared / (0.2 + 0.3))
    assert next(row.n for row in found.by_answers if row.answers == 1) == one.n


@pytest.mark.slow
def test_a_clustered_pilot_says_its_own_correlation(answers: bo.Scores) -> None:
    found = bo.plan.question_variance(answers, "B", "C")
    assert found.icc is not None
    assert found.icc < 0  # kept: the standard error of these clusters is smaller than that of questions
    plan = bo.plan.questions(0.05, found, answers=4)
    assert (plan.icc, plan.cluster_size, plan.design_effect) == (0.0, 4.0, 1.0)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"omega2": 1.0}, "difference is missing"),
        ({"difference": 0.0, "omega2": 1.0}, "must not be 0"),
        ({"difference": 0.1}, "omega2 must be positive"),
        ({"difference": -0.03, "omega2": 1.0, "margin": 0.02}, "must lie above −0.02"),
        ({"difference": 0.1, "omega2": 1.0, "answers": 0}, "answers must be a whole number between 1"),
        ({"difference": 0.1, "omega2": 1.0, "sigma2": (1, 2, 3)}, "sigma2 must be one number or a pair"),
        ({"difference": 0.1, "omega2": 1.0, "icc": 0.1}, "cluster_size is missing"),
        ({"difference": 1e-9, "omega2": 1.0}, "no number of questions would be enough"),
    ],
)
def test_what_cannot_be_planned(given: dict[str, float], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        bo.plan.questions(**given)  # type: ignore[arg-type]


def test_few_questions_need_the_t_test() -> None:
    found = bo.plan.questions(0.3, 1 / 9)
    assert [caution.code for caution in found.cautions] == ["rough"]
    assert bo.plan.questions(0.3, 1 / 9, method="t").n == 12
    assert "a t-test needs 12" in found.cautions[0].text


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    file = str(DATA / "eval_ref_60q_15c_3m_4k.csv")
    words = ["plan", "--questions", "--delta", "0.03", "--pilot", file, "--better", "higher", "--answers", "4"]
    words += ["--problem", "question", "--algorithm", "model", "--cluster", "passage"]
    reports = [tmp_path / f"plan.{suffix}" for suffix in ("json", "md", "html", "txt", "csv")]
    done = CliRunner().invoke(main, words + [x for report in reports for x in ("--report", str(report))])
    assert done.exit_code == 0, done.stderr
    printed = " ".join(done.stdout.split())
    assert printed.startswith("2396 questions in 599 clusters detect a difference of 0.03: two-sided, alpha 0.05,")
    assert "Planned for A and B" in printed
    content = json.loads(reports[0].read_text())
    assert content["questions"]["n"] == 2396
    assert content["question_variance"]["pairs"][0]["omega2"] == pytest.approx(0.15047081, abs=1e-8)
    for words, says in (
        (["--questions", "--n", "9"], "needs --pilot FILE; without one"),
        (["--between", "1", "--n", "9"], "--between needs --questions"),
        (["--questions", "--between", "1", "--effect", "1"], "--effect does not go with --questions"),
        (["--questions", "--between", "1", "--answers", "1.5", "--n", "9"], "--answers must be a whole number"),
    ):
        refused = CliRunner().invoke(main, ["plan", *words])
        assert refused.exit_code == 2
        assert says in refused.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("k", "size", "difference", "shared"), [(1, 1, 0.08, 0.0), (4, 5, 0.06, 0.15)])
def test_the_promised_power_is_reached_with_scores_of_0_and_1(
    k: int, size: int, difference: float, shared: float
) -> None:
    """Planned from the true variances, tested by t as ``bo.cluster_t`` does."""
    rng = np.random.default_rng(5)

    def rates(groups: int) -> tuple[np.ndarray, np.ndarray]:
        level = np.clip(rng.normal(0.6, 0.25, (groups, size)), 0.02, 0.98)
        lead = difference + rng.normal(0, 0.15, level.shape) + rng.normal(0, shared, (groups, 1))
        return np.clip(level + lead / 2, 0, 1), np.clip(level - lead / 2, 0, 1)

    a, b = rates(100_000)
    true = a - b
    sigma2 = float((a * (1 - a)).mean()), float((b * (1 - b)).mean())
    clusters = {}
    if size > 1:
        between = true.mean(axis=1).var() - true.var(axis=1, ddof=1).mean() / size
        clusters = {"cluster_size": size, "icc": float(between / (true.var() + sum(sigma2) / k))}
    plan = bo.plan.questions(float(true.mean()), float(true.var()), sigma2, k, **clusters)  # type: ignore[arg-type]
    groups = plan.n // size
    found = []
    for _ in range(1000):
        a, b = rates(groups)
        d = ((rng.binomial(k, a) - rng.binomial(k, b)) / k).mean(axis=1)  # clusters have one size
        found.append(stats.ttest_1samp(d, 0).pvalue <= 0.05 and d.mean() > 0)
    assert np.mean(found) == pytest.approx(0.8, abs=4 * math.sqrt(0.16 / 1000))


@pytest.mark.parametrize("n", [2, 3, 10, 29])
def test_how_rough_a_pilot_is_once_in_twenty_times(n: int) -> None:
    """e^(2√(2/(n − 1))), said before, is exceeded in 19 % of pilots of 2 questions, 13 % of 3 and 7 % of 10."""
    df, f = n - 1, variance_factor(n - 1)
    assert stats.chi2.cdf(df / f, df) + stats.chi2.sf(df * f, df) == pytest.approx(0.05, abs=1e-9)
    answers = np.random.default_rng(0).random((n, 2, 3))
    (told,) = [
        c
        for c in bo.plan.question_variance(bo.Scores(answers, ["a", "b"], better="higher"), "a", "b").cautions
        if c.code == "too-few"
    ]
    assert {2: "factor of 254 or", 3: "factor of 19 or", 10: "factor of 2.8 or", 29: "factor of 1.7 or"}[n] in told.text


def test_nothing_is_said_of_answers_without_their_variance() -> None:
    assert bo.plan.questions(0.03, 0.2).advice.startswith("sigma2 = 0 assumes that answers to one question do not vary")


def test_one_question_has_no_t() -> None:
    promise = bo.plan.questions(5, 0.1).promise
    assert "Student's t needs two questions or more" in promise
    assert "with 1 degree of freedom" in bo.plan.questions(5, 0.1, method="t").promise


def test_the_caution_of_the_normal_law_counts_clusters_in_clusters() -> None:
    """25 questions in 3 clusters 'need 6': these are 6 clusters."""
    (told,) = bo.plan.questions(0.3, 0.1, cluster_size=10, icc=0.3, n=25, method="normal").cautions
    assert "optimistic for 3 clusters: a t-test needs 6" in told.text


def test_unequal_clusters_are_counted_as_fewer() -> None:
    equal = bo.plan.questions(0.1, 0.1, cluster_size=10, icc=0.3)
    varied = bo.plan.questions(0.1, 0.1, cluster_size=10, icc=0.3, cluster_cv=2)
    assert equal.cautions == ()
    assert (equal.n_clusters or 0) > 10
    few = bo.plan.questions(n=200, omega2=0.1, cluster_size=10, icc=0.3, cluster_cv=2)
    assert [c.code for c in few.cautions] == ["too-few"]
    assert "Plan for 50 clusters or more" in few.cautions[0].text
    assert (varied.n_clusters or 0) > (equal.n_clusters or 0)


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_scores_whose_squares_are_beyond_floating_point(unit: float) -> None:
    answers = np.random.default_rng(0).random((10, 2, 3)) * unit
    with pytest.raises(ScoreError, match="give them in another unit"):
        bo.plan.question_variance(bo.Scores(answers, ["a", "b"], better="higher"), "a", "b")
