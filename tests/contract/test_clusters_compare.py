"""compare() with clusters: what is tested, counted and said."""

import io
import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import bakeoff as bo
from bakeoff import report
from bakeoff.cli._main import main
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.ranks.cautions import between_stems, far_enough, looks_clustered, stems_of

SIZES = (4, 1, 3, 5, 2, 4, 3, 4, 2, 3)
CODES = np.repeat(np.arange(len(SIZES)), SIZES)
NAMES = [f"task{g}_fold{j}" for g, m in enumerate(SIZES) for j in range(m)]


def table(seed: int = 1, k: int = 4, effect: float = 1.0) -> bo.Scores:
    rng = np.random.default_rng(seed)
    values = effect * rng.normal(size=(len(SIZES), k))[CODES] + rng.normal(size=(len(CODES), k)) + 0.7 * np.arange(k)
    order = rng.permutation(len(CODES))
    names, clusters = [NAMES[i] for i in order], [f"task{CODES[i]}" for i in order]
    return bo.Scores(values[order].round(3), None, names, better="lower", clusters=clusters)


def averaged(scores: bo.Scores, values: Any) -> Any:
    """Row by row, in order of first appearance."""
    assert scores.clusters is not None
    clusters = np.array(scores.clusters)
    return np.array([values[clusters == label].mean(axis=0) for label in dict.fromkeys(scores.clusters)])


@pytest.mark.few(3)
@pytest.mark.parametrize("pairwise", ["wilcoxon", "sign", "t", "aligned", "quade"])
@pytest.mark.parametrize("control", [None, "A2"])
def test_a_comparison_of_clusters_is_one_of_their_means(pairwise: str, control: str | None) -> None:
    """The slow twin: average by hand, then compare the short table."""
    scores = table()
    short = bo.Scores(averaged(scores, scores.values), scores.algorithms, better="lower")
    for omnibus in ("aligned", "quade", "anova"):
        found = bo.compare(scores, control, omnibus, pairwise)
        wanted = bo.compare(short, control, omnibus, pairwise)
        assert found.unit == "cluster"
        assert found.n_rows == len(SIZES)
        assert found.omnibus.pvalue == pytest.approx(wanted.omnibus.pvalue, rel=1e-9)
        np.testing.assert_allclose(found.means, wanted.means, rtol=1e-12)
        assert found.detectable == wanted.detectable
        assert found.groups == wanted.groups
        for mine, other in zip(found.pairs, wanted.pairs, strict=True):
            assert (mine.wins, mine.ties, mine.losses, mine.verdict) == (
                other.wins, other.ties, other.losses, other.verdict,
            )  # fmt: skip
            assert mine.pvalue == pytest.approx(other.pvalue, rel=1e-9)
            assert mine.adjusted == pytest.approx(other.adjusted, rel=1e-9)
            assert mine.effect is not None and other.effect is not None  # noqa: PT018
            assert mine.effect.estimate == pytest.approx(other.effect.estimate, rel=1e-9)
            assert mine.interval is not None and other.interval is not None  # noqa: PT018
            assert mine.interval.low == pytest.approx(other.interval.low, rel=1e-9)


def test_tests_on_ranks_rank_the_mean_ranks_of_clusters_again() -> None:
    scores = table(2)
    ranks = np.apply_along_axis(stats.rankdata, 1, scores.values)
    again = averaged(scores, ranks)
    found = bo.compare(scores, omnibus="friedman", pairwise="mean-ranks")
    np.testing.assert_allclose(found.mean_ranks, np.apply_along_axis(stats.rankdata, 1, again).mean(axis=0))
    assert found.omnibus.statistic == pytest.approx(stats.friedmanchisquare(*again.T).statistic, rel=1e-9)
    short = bo.Scores(again, scores.algorithms, better="lower")
    wanted = bo.compare(short, omnibus="friedman", pairwise="mean-ranks")
    assert [p.adjusted for p in found.pairs] == [p.adjusted for p in wanted.pairs]
    assert found.kendall_w == wanted.kendall_w


def test_logarithms_and_superiority_are_averaged_over_problems() -> None:
    scores = table(3)
    positive = bo.Scores(
        np.exp(scores.values), scores.algorithms, scores.problems, better="lower", clusters=scores.clusters
    )
    logs, ratios = bo.compare(scores), bo.compare(positive, transform="log")
    percent = bo.compare(positive, effect="log-ratio")
    for plain, log, ratio in zip(logs.pairs, ratios.pairs, percent.pairs, strict=True):
        assert log.pvalue == pytest.approx(plain.pvalue, rel=1e-9)
        assert plain.effect is not None and log.effect is not None and ratio.effect is not None  # noqa: PT018
        assert log.effect.estimate == pytest.approx(plain.effect.estimate, rel=1e-9)
        assert ratio.effect.estimate == pytest.approx(plain.effect.estimate, rel=1e-9)
    superior = bo.compare(scores, effect="a12").pair("A1", "A2").effect
    won = (scores.values[:, 0] < scores.values[:, 1]) + 0.5 * (scores.values[:, 0] == scores.values[:, 1])
    assert superior is not None
    assert superior.estimate == pytest.approx(averaged(scores, won).mean(), rel=1e-12)


@pytest.mark.slow
def test_one_problem_a_cluster_changes_nothing() -> None:
    alone = bo.datasets.load("derrac_cec2005")
    each = bo.Scores(alone.values, alone.algorithms, alone.problems, better="lower", clusters=range(25))
    for pairwise in ("wilcoxon", "mean-ranks", "t"):
        found, wanted = bo.compare(each, pairwise=pairwise), bo.compare(alone, pairwise=pairwise)
        assert [p.adjusted for p in found.pairs] == [p.adjusted for p in wanted.pairs]
        assert found.omnibus.pvalue == wanted.omnibus.pvalue
        assert (found.mean_ranks == wanted.mean_ranks).all()


def test_every_problem_for_itself_if_asked_for() -> None:
    scores = table()
    found = bo.compare(scores, unit="problem")
    plain = bo.compare(bo.Scores(scores.values, scores.algorithms, scores.problems, better="lower"))
    assert [p.pvalue for p in found.pairs] == [p.pvalue for p in plain.pairs]
    assert "dependence" in [caution.code for caution in found.cautions]
    assert "dependence" not in [caution.code for caution in bo.compare(scores).cautions]
    assert found.to_dict()["unit"] == "problem"
    assert plain.unit == "problem"
    assert bo.verify(found.to_dict()).ok


def test_the_report_says_what_was_counted() -> None:
    found = bo.compare(table())
    content = found.to_dict()
    assert (content["unit"], content["n_clusters"], content["n_problems"]) == ("cluster", 10, 31)
    assert bo.verify(content).ok
    for name in ("md", "html", "tex", "txt"):
        assert "31 problems in 10 clusters" in report.render(found, name).replace("\n", " ")
    said = " ".join(report.render(found, "md").split())
    assert "the means over the problems of each of the 10 clusters. Clusters therefore count equally" in said
    assert "exchangeable on each cluster" in said
    assert "10 clusters detect normal differences of" in said
    choice = next(choice for choice in found.choices if choice.parameter == "unit")
    assert choice.value == "cluster"
    assert "clusters count equally" in choice.reason


def test_mean_and_median_scores_count_clusters_equally() -> None:
    found = bo.compare(table())
    note = "Mean and median score: of the means of clusters, which count equally."
    assert note in report.render(found, "md")
    of = np.array(found.scores.clusters)
    each = np.array([found.scores.values[of == name].mean(axis=0) for name in dict.fromkeys(of.tolist())])
    assert found.means == pytest.approx(each.mean(axis=0), rel=1e-12)
    assert note not in report.render(bo.compare(table(), unit="problem"), "md")


def test_few_clusters_cannot_tell() -> None:
    """Five clusters: the smallest p is 2^(1 − 5) = .0625, however many problems they have."""
    rng = np.random.default_rng(4)
    values = rng.normal(size=(100, 2)) + np.array([0.0, 9.0])
    found = bo.compare(bo.Scores(values, better="lower", clusters=np.repeat(np.arange(5), 20)))
    assert found.pairs[0].verdict == "cannot tell"
    assert found.pairs[0].pvalue == 0.0625
    caution = next(c for c in found.cautions if c.code == "out-of-reach")
    assert caution.text.startswith("With 5 clusters the smallest p-value")
    with pytest.raises(ScoreError, match="has one cluster only, 'x'"):
        bo.compare(bo.Scores(values, better="lower", clusters=["x"] * 100))


def test_what_does_not_fit_clusters_is_refused() -> None:
    scores = bo.Scores(np.random.default_rng(0).integers(0, 2, (12, 2)), better="higher", clusters=list("aabbccddeeff"))
    with pytest.raises(ParameterError, match="pairwise 'mcnemar' counts single right and wrong answers as independent"):
        bo.compare(scores, pairwise="mcnemar")
    assert bo.compare(scores, pairwise="mcnemar", unit="problem").pairwise == "mcnemar"
    with pytest.raises(ParameterError, match="recipe takes problems as independent"):
        bo.compare(table(), recipe="demsar-2006")
    with pytest.raises(ParameterError, match="unit must be one of 'cluster', 'problem'; got 'row'"):
        bo.compare(scores, unit="row")  # type: ignore[arg-type]


def test_on_the_command_line(tmp_path: Path) -> None:
    scores, file = table(effect=4.0), tmp_path / "folds.csv"
    frame = scores.to_frame().rename(columns={"cluster": "task"})
    frame.to_csv(file, index=False)
    run = CliRunner().invoke(main, ["compare", str(file), "--better", "lower", "--cluster", "task", "--json"])
    assert '"n_clusters": 10' in run.output
    run = CliRunner().invoke(main, ["compare", str(file), "--better", "lower", "--drop", "task", "--details"])
    assert "dependence" in run.output
    assert "--cluster COLUMN" in " ".join(run.output.split())
    run = CliRunner().invoke(main, ["compare", str(file), "--better", "lower", "--drop", "task", "--unit", "cluster"])
    assert run.exit_code == 2
    assert "this table has no clusters" in run.output


# --- the caution ------------------------------------------------------------------------------------------------


def test_stems_of_names() -> None:
    cuts = stems_of(("F1_d10", "F1_d30", "F2_d10", "F2_d30", "sphere"))
    assert [codes.tolist() for codes in cuts] == [[0, 0, 1, 1, 2]]
    assert stems_of(("P1", "P2", "P3")) == ()
    assert stems_of(("data_1", "data_2", "data_3")) == ()  # one stem tells nothing
    assert stems_of(("iris", "wine", "glass-2")) == ()
    assert stems_of((":class:`Cho2017`", ":class:`Lee2019_MI`", ":class:`Shin`")) == ()  # all begin so


def test_names_are_cut_at_every_separator() -> None:
    """T4: the last one parts hendrycksTest-high_school_biology from hendrycksTest-anatomy."""
    names = ("mmlu-high_school_biology", "mmlu-high_school_physics", "mmlu-anatomy", "arc_easy", "arc_challenge")
    assert [codes.tolist() for codes in stems_of(names)] == [[0, 0, 0, 1, 1], [0, 0, 1, 2, 3], [0, 0, 1, 2, 2]]
    assert far_enough(1) == pytest.approx(3.98, abs=0.01)
    assert far_enough(4) > far_enough(2) > far_enough(1)


def many_of_one(count: int, others: int, **options: object) -> bo.Scores:
    names = [f"mmlu-{'abcdefgh'[i % 8]}_{i}" for i in range(count)] + [f"task{i}" for i in range(others)]
    values = np.random.default_rng(3).normal(size=(len(names), 3))
    return bo.Scores(values, problems=names, better="higher", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("analyse", [bo.compare, bo.evaluate, bo.leaderboard, bo.profile])
def test_one_benchmark_with_most_of_the_problems_is_doubted_above_the_verdict(analyse: Callable[..., Any]) -> None:
    """T4: 57 of 65 tasks were MMLU, whose resemblance no test of stems showed."""
    scores = many_of_one(12, 9)
    if analyse is bo.profile:
        scores = bo.Scores(np.exp(scores.values), problems=scores.problems, better="lower")
    doubts = [c for c in analyse(scores).cautions if c.code == "one-stem"]
    assert [c.severity for c in doubts] == ["stop"]
    assert "12 of the 21 problems" in doubts[0].text


def test_half_of_them_or_a_label_is_no_doubt() -> None:
    for scores in (many_of_one(9, 9), many_of_one(4, 3), many_of_one(21, 0)):
        assert "one-stem" not in {c.code for c in bo.compare(scores).cautions}
    labelled = many_of_one(12, 9, clusters=["mmlu"] * 12 + [f"task{i}" for i in range(9)])
    assert "one-stem" not in {c.code for c in bo.compare(labelled).cautions}


def test_what_names_begin_with_may_be_the_cluster() -> None:
    """The way out that the doubt names."""
    text = "problem,A,B\nmmlu-a_b,1,2\nmmlu-c,2,3\narc_easy,1,3\nother,2,5\n"
    scores = bo.read_scores(io.StringIO(text), "lower", cluster="prefix")
    assert scores.clusters == ("mmlu", "mmlu", "arc", "other")
    named = bo.read_scores(io.StringIO("problem,prefix,A,B\nx_1,p,1,2\nx_2,q,2,3\n"), "lower", cluster="prefix")
    assert named.clusters == ("p", "q")


def test_moments_are_those_of_all_orders_of_the_rows() -> None:
    ranks = np.array([[1, 2, 3], [2, 1, 3], [3, 2, 1], [1, 3, 2], [2, 3, 1], [1, 2, 3]], dtype=float)
    codes = np.array([0, 0, 0, 1, 1, 2])
    x, sizes = ranks - ranks.mean(axis=0), np.bincount(codes)
    same = (codes[:, None] == codes[None, :]) & ~np.eye(6, dtype=bool)
    weights = same / sizes[codes][:, None]
    every = [float((weights * (x[list(order)] @ x[list(order)].T)).sum()) for order in itertools.permutations(range(6))]
    wanted = (every[0] - np.mean(every)) / np.std(every)
    assert between_stems(ranks, codes) == pytest.approx(wanted, rel=1e-9)
    assert between_stems(np.tile(ranks[0], (6, 1)), codes) == 0.0


def test_rows_that_repeat_in_blocks_are_named() -> None:
    rng = np.random.default_rng(1)
    blocks = bo.Scores(np.repeat(rng.normal(size=(10, 3)), 4, axis=0), better="lower")
    caution = looks_clustered(blocks)
    assert caution is not None
    assert "30 of 40 rows of scores equal the row above" in caution.text
    assert looks_clustered(bo.Scores(rng.integers(0, 2, (200, 2)), better="lower")) is None
    assert looks_clustered(bo.Scores(np.zeros((20, 2)), better="lower")) is None


def test_no_caution_once_clusters_are_given() -> None:
    scores = table(effect=4.0)
    assert looks_clustered(scores) is None
    plain = bo.Scores(scores.values, scores.algorithms, scores.problems, better="lower")
    caution = looks_clustered(plain)
    assert caution is not None
    assert caution.severity == "warning"
    assert "independent problems" in caution.text
    assert not math.isnan(between_stems(np.ones((4, 2)), np.array([0, 0, 1, 1])))


# --- functions of two algorithms --------------------------------------------------------------------------------


def test_functions_of_two_take_cluster_means_or_refuse() -> None:
    scores = table()
    short = bo.Scores(averaged(scores, scores.values), scores.algorithms, better="lower")
    for test in (bo.wilcoxon, bo.sign_test, bo.paired_t):
        assert test(scores, 0, 1).pvalue == pytest.approx(test(short, 0, 1).pvalue, rel=1e-9)
        assert test(scores, 0, 1).n_problems == 10
    for size in (bo.hodges_lehmann, bo.median_difference):
        assert size(scores, 0, 1).estimate == pytest.approx(size(short, 0, 1).estimate, rel=1e-9)
    with pytest.raises(ParameterError, match="scores has clusters, and a relative difference takes problems"):
        bo.paired_t(scores, 0, 1, relative=True)
    with pytest.raises(ParameterError, match="scores has clusters, and McNemar's test takes problems as independent"):
        bo.mcnemar(scores, 0, 1)
    pair = bo.compare(scores, margin=0.5, posthoc="holm").pair("A1", "A2")
    assert bo.equivalence(scores, 0, 1, 0.5).pvalue == pair.p_equal
