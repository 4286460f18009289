"""Numbers of evaluations computed by others: statsmodels 0.14, the definitions by hand, and textbook intervals.

The two files are reference tables made for this: 60 questions of 15 passages, three models, four answers each (columns
question, passage, model, run, score), and 60 questions whose ω² is negative. The numbers were computed independently
with NumPy (means over answers first), and agree with statsmodels' OLS on a constant, cov_type="cluster".
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from scipy.special import betaincinv

import bakeoff as bo
from bakeoff.paired.shares import tango, wilson
from bakeoff.wings.boards.evaluate.statistics import least_detectable
from document_tables import table_in

DATA = Path(__file__).parent / "data" / "formats"
EXACT = 1e-9


def table(name: str, cluster: bool = True) -> bo.Scores:
    columns = {"problem": "question", "algorithm": "model", "run": "run", "score": "score"}
    return bo.read_scores(DATA / name, "higher", cluster="passage" if cluster else None, **columns)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def clustered() -> bo.Evaluation:
    return bo.evaluate(table("eval_ref_60q_15c_3m_4k.csv"))


@pytest.fixture(scope="module")
def plain() -> bo.Evaluation:
    return bo.evaluate(table("eval_ref_60q_15c_3m_4k.csv"), unit="problem")


def test_means_and_their_errors(clustered: bo.Evaluation, plain: bo.Evaluation) -> None:
    assert [e.mean for e in clustered.estimates] == pytest.approx([0.6125, 0.5625, 0.55], rel=EXACT)
    questions = [0.04951209690684686, 0.04702483116144822, 0.04783446031074604]
    assert [e.standard_error for e in plain.estimates] == pytest.approx(questions, rel=EXACT)
    clusters = [0.051103885790193516, 0.06068801952845153, 0.05393724307448602]
    assert [e.standard_error for e in clustered.estimates] == pytest.approx(clusters, rel=EXACT)
    uncorrected = [0.04937104414532875, 0.058630196997792865, 0.0521083273362116]  # without G/(G − 1)
    assert [se * (14 / 15) ** 0.5 for se in clusters] == pytest.approx(uncorrected, rel=1e-12)
    assert [e.sigma2_within for e in clustered.estimates] == pytest.approx([0.12361111, 0.15416667, 0.15], abs=5e-9)
    between = [0.11618408662900187, 0.09413841807909604, 0.09978813559322033]
    assert [e.variance_between for e in clustered.estimates] == pytest.approx(between, rel=EXACT)
    assert {(e.n, e.n_clusters, e.df) for e in clustered.estimates} == {(60, 15, 14.0)}
    assert {(e.n, e.n_clusters, e.df) for e in plain.estimates} == {(60, 60, 59.0)}


def test_paired_differences(clustered: bo.Evaluation, plain: bo.Evaluation) -> None:
    assert [(p.a, p.b) for p in clustered.pairs] == [("A", "B"), ("A", "C"), ("B", "C")]
    assert [p.difference for p in clustered.pairs] == pytest.approx([0.05, 0.0625, 0.0125], rel=EXACT)
    errors = [0.06054134320683788, 0.06107123977522984, 0.0568179892138492]
    assert [p.standard_error for p in plain.pairs] == pytest.approx(errors, rel=EXACT)
    # 2·P(T₅₉ ≥ d/SE) by mpmath; the reference table prints .41219824, .31030993 for the first two
    pvalues = [0.41219829043994, 0.310299030274591, 0.826630019162243]
    assert [p.pvalue for p in plain.pairs] == pytest.approx(pvalues, rel=EXACT)
    assert [p.unpaired_error for p in plain.pairs] == pytest.approx(
        [0.06828456989595603, 0.06884463, 0.06707809], abs=5e-9
    )
    errors = [0.06770032003863301, 0.05656328103906952, 0.03351882910785973]
    assert [p.standard_error for p in clustered.pairs] == pytest.approx(errors, rel=EXACT)
    assert [p.pvalue for p in clustered.pairs] == pytest.approx([0.47238143, 0.28780665, 0.71478997], abs=5e-9)
    intervals = [(-0.0952027, 0.1952027), (-0.0588162, 0.1838162), (-0.0593907, 0.0843907)]
    assert [p.interval for p in clustered.pairs] == [pytest.approx(ends, abs=5e-8) for ends in intervals]
    assert [p.omega2 for p in clustered.pairs] == pytest.approx([0.15047081, 0.15537900, 0.11765537], abs=5e-9)


def rows(name: str) -> dict[tuple[str, str], list[float]]:
    found: dict[tuple[str, str], list[float]] = {}
    with (DATA / name).open() as opened:
        for row in csv.DictReader(opened):
            found.setdefault((row["question"], row["model"]), []).append(float(row["score"]))
    return found


@pytest.mark.parametrize("name", ["eval_ref_60q_15c_3m_4k.csv", "eval_ref_neg_omega_60q.csv"])
def test_correlation_and_variances_by_hand(name: str) -> None:
    cells, found = rows(name), bo.evaluate(table(name))
    questions = sorted({question for question, _ in cells})
    means = {m: np.array([np.mean(cells[q, m]) for q in questions]) for m in found.scores.algorithms}
    within = {m: np.mean([np.var(cells[q, m], ddof=1) for q in questions]) for m in means}
    for pair in found.pairs:
        d = means[pair.a] - means[pair.b]
        wanted = np.var(d, ddof=1) - within[pair.a] / 4 - within[pair.b] / 4
        assert pair.omega2 == pytest.approx(wanted, rel=EXACT, abs=1e-12)
        assert pair.correlation == pytest.approx(np.corrcoef(means[pair.a], means[pair.b])[0, 1], rel=EXACT)
        assert (pair.wins, pair.losses) == (np.sum(d > 0), np.sum(d < 0))


def test_a_negative_variance_is_kept_and_shown_as_zero() -> None:
    found = bo.evaluate(table("eval_ref_neg_omega_60q.csv"))
    below = [p for p in found.pairs if p.omega2 is not None and p.omega2 < 0]
    assert below
    assert "negative-variance" in {c.code for c in found.cautions}
    from bakeoff import report

    shown = table_in(report.document(found), "pairs")
    assert shown is not None
    column = [c.key for c in shown.columns].index("omega2")
    assert not any("−" in row.cells[column] for row in shown.rows)


def test_mcnemar_of_one_answer() -> None:
    """Run 0: A–B 12/12 p 1, A–C 16/10 .32693958, B–C 18/12 .36159461 (statsmodels' mcnemar, exact)."""
    whole = table("eval_ref_60q_15c_3m_4k.csv", cluster=False)
    assert whole.runs is not None
    found = bo.evaluate(bo.Scores(whole.runs[:, :, 0], whole.algorithms, whole.problems, better="higher"))
    assert [(p.wins, p.losses) for p in found.pairs] == [(12, 12), (16, 10), (18, 12)]
    assert [p.pvalue for p in found.pairs] == pytest.approx([1.0, 0.32693958, 0.36159461], abs=5e-9)
    assert {p.test for p in found.pairs} == {"mcnemar"}
    assert {p.method for p in found.pairs} == {"tango"}
    assert {e.method for e in found.estimates} == {"wilson"}
    t = [p.statistic for p in found.pairs]
    assert t[1] == pytest.approx(bo.paired_t(found.scores, "A", "C").statistic, rel=EXACT)
    assert found.pairs[1].t_pvalue == pytest.approx(bo.paired_t(found.scores, "A", "C").pvalue, rel=EXACT)


@pytest.mark.few(1)
@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.needs("statsmodels")
@pytest.mark.slow
def test_clustered_t_is_that_of_statsmodels(seed: int, better: str) -> None:
    """OLS on a constant with cov_type="cluster", use_t: clusters of one size, and the repository's own cluster_t."""
    import statsmodels.api as statsmodels

    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(10), 5)
    values = rng.normal(size=(50, 3)) + rng.normal(size=(10, 3))[codes]
    found = bo.evaluate(bo.Scores(values, better=better, clusters=codes.tolist()))
    for pair in found.pairs:
        a, b = (found.scores.index(name) for name in (pair.a, pair.b))
        d = (values[:, a] - values[:, b]) * (1 if better == "higher" else -1)
        fit = statsmodels.OLS(d, np.ones(50)).fit(cov_type="cluster", cov_kwds={"groups": codes}, use_t=True)
        assert pair.difference == pytest.approx(fit.params[0], rel=EXACT)
        assert pair.standard_error == pytest.approx(fit.bse[0], rel=EXACT)
        assert pair.pvalue == pytest.approx(fit.pvalues[0], rel=EXACT)
        assert pair.interval == pytest.approx(tuple(fit.conf_int()[0]), rel=EXACT)
        assert pair.pvalue == pytest.approx(bo.cluster_t(found.scores, a, b).pvalue, rel=EXACT)


@pytest.mark.parametrize("seed", range(3))
def test_unequal_clusters_are_those_of_cluster_t(seed: int) -> None:
    """Two columns; one cluster of four times its even share in the second seed, so that flips decide."""
    rng = np.random.default_rng(seed)
    codes = np.r_[np.repeat(np.arange(9), rng.integers(3, 7, size=9)), [9] * (50 if seed == 1 else 5)]
    values = rng.normal(size=(len(codes), 2)) + rng.normal(size=(10, 2))[codes] + [0.7, 0]
    scores = bo.Scores(values, better="higher", clusters=codes.tolist())
    (pair,), alone = bo.evaluate(scores).pairs, bo.cluster_t(scores, 0, 1)
    ours = (pair.difference, pair.standard_error, pair.df)
    assert ours == pytest.approx((alone.estimate, alone.standard_error, alone.df), rel=EXACT)
    if seed != 1:
        assert pair.pvalue == pytest.approx(alone.pvalue, rel=EXACT)
        assert pair.interval == pytest.approx(alone.interval, rel=EXACT)
    else:
        assert pair.pvalue >= pair.t_pvalue
        assert pair.interval[0] <= 0 or pair.pvalue <= 0.05


def test_wilson_is_that_of_newcombe() -> None:
    """Newcombe (1998), Statistics in Medicine 17, 857–872, Table I, method 3: 81/263, 15/148, 0/20, 1/29."""
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, n), ends in printed.items():
        assert wilson(successes, n, 1.959963984540054) == pytest.approx(ends, abs=5.1e-5)
        other_way = wilson(n - successes, n, 1.959963984540054)
        assert other_way == pytest.approx((1 - ends[1], 1 - ends[0]), abs=5.1e-5)


@pytest.mark.parametrize(
    ("wins", "losses", "n"), [(12, 2, 50), (0, 0, 10), (5, 0, 30), (0, 7, 7), (53, 16, 161), (1, 1, 3)]
)
def test_tango_is_the_score_test_inverted(wins: int, losses: int, n: int) -> None:
    """The share of losses is the maximum of the likelihood on a grid; the interval ends where |score| is z."""
    z = 1.96

    def score(delta: float) -> float:
        q = np.linspace(max(0.0, -delta), (1 - delta) / 2, 200_001)  # P(loss); P(win) = q + δ
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = [(wins, q + delta), (losses, q), (n - wins - losses, 1 - 2 * q - delta)]
            log_likelihood = sum(np.where(count > 0, count * np.log(np.maximum(p, 0)), 0.0) for count, p in parts)
        best = q[int(np.argmax(log_likelihood))]
        variance = n * (2 * best + delta * (1 - delta))
        over = wins - losses - n * delta
        return float(over / np.sqrt(variance)) if variance > 1e-9 else float(np.sign(over) * np.inf if over else 0.0)

    low, high = tango(wins, losses, n, z)
    assert -1 <= low <= (wins - losses) / n <= high <= 1
    if low > -1 + 1e-9:
        assert score(low + 1e-4) < z + 2e-2
        assert score(low) == pytest.approx(z, abs=5e-3)
    if high < 1 - 1e-9:
        assert score(high) == pytest.approx(-z, abs=5e-3)


def test_detectable_is_that_of_the_plan() -> None:
    """One pair: the effect that bo.plan.detectable gives for n problems, times the standard deviation."""
    values = np.random.default_rng(1).normal(size=(40, 2))
    pair = bo.evaluate(bo.Scores(values, better="higher")).pairs[0]
    assert pair.detectable == pytest.approx(bo.plan.detectable(40, 0.8) * pair.standard_error * 40**0.5, rel=1e-7)


def test_where_one_cluster_rules_its_sign_may_be_flipped_as_well() -> None:
    """The p-value of a pair is the larger of those of t and of all 2⁹ flips of whole clusters."""
    rng, sizes = np.random.default_rng(3), [40, *[2] * 9]
    d = np.repeat(rng.normal(size=10), sizes) + 0.01 * rng.normal(size=58)
    clusters = np.repeat([f"c{i}" for i in range(10)], sizes).tolist()
    (pair,) = bo.evaluate(bo.Scores(np.column_stack([d, 0 * d]), better="higher", clusters=clusters)).pairs
    signs = np.array([[1 if i >> j & 1 else -1 for j in range(10)] for i in range(1024)])
    sums = np.array([d[np.array(clusters) == f"c{i}"].sum() for i in range(10)])
    flipped = np.abs(signs @ sums) >= abs(sums.sum()) * (1 - 1e-12)
    assert pair.pvalue == pytest.approx(flipped.mean())
    assert pair.pvalue > pair.t_pvalue


def test_the_least_difference_of_a_level_that_is_a_power_of_two() -> None:
    """Six questions that one model alone answers have p = 2·2⁻⁶ = 2⁻⁵."""
    assert least_detectable(100, 2**-5) == pytest.approx(float(betaincinv(6, 95, 0.8)), rel=1e-12)
    assert least_detectable(5, 2**-5) is None


def macro(values: npt.NDArray[np.float64], suites: list[str]) -> tuple[float, float]:
    parts = [values[np.array(suites) == name] for name in dict.fromkeys(suites)]
    error = sum(part.var(ddof=1) / len(part) for part in parts) ** 0.5 / len(parts)
    return float(np.mean([part.mean() for part in parts])), float(error)


@pytest.mark.slow
def test_the_error_of_a_macro_average() -> None:
    """Suites of 100 and 5000: not the pooled error that lm-eval's group.py prints."""
    rng = np.random.default_rng(5)
    values = np.concatenate([rng.normal(size=(100, 2)) * 0.5, rng.normal(size=(5000, 2)) * 0.15])
    suites = ["hard"] * 100 + ["easy"] * 5000
    found = bo.evaluate(bo.Scores(values, ["A", "B"], better="higher"), suites=suites)
    for j, estimate in enumerate(found.estimates):
        assert (estimate.mean, estimate.standard_error) == pytest.approx(macro(values[:, j], suites), rel=EXACT)
    sizes = {"hard": (0, 100), "easy": (100, 5000)}
    for suite in found.suite_means:
        start, n = sizes[suite.suite]
        assert suite.standard_errors == pytest.approx(values[start : start + n].std(axis=0, ddof=1) / n**0.5, rel=EXACT)
    pair = found.pairs[0]
    mean, error = macro(values[:, 0] - values[:, 1], suites)
    assert (pair.difference, pair.standard_error) == pytest.approx((mean, error), rel=EXACT)
    parts = [
        (values[:100, 0] - values[:100, 1]).var(ddof=1) / 100,
        (values[100:, 0] - values[100:, 1]).var(ddof=1) / 5000,
    ]
    assert pair.df == pytest.approx(sum(parts) ** 2 / (parts[0] ** 2 / 99 + parts[1] ** 2 / 4999), rel=EXACT)


def test_new_tasks_are_a_t_test_of_the_suites_means() -> None:
    rng = np.random.default_rng(6)
    values, suites = rng.normal(size=(60, 2)), np.repeat(list("abcdefghijkl"), 5).tolist()
    found = bo.evaluate(bo.Scores(values, ["A", "B"], better="higher"), suites=suites, tasks="new")
    means = values.reshape(12, 5, 2).mean(axis=1)
    wanted = bo.paired_t(bo.Scores(means, better="higher"), 0, 1)
    pair = found.pairs[0]
    assert (pair.statistic, pair.df, pair.pvalue) == pytest.approx((wanted.statistic, 11, wanted.pvalue), rel=EXACT)
