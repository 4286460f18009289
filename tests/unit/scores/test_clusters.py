"""Scores.clusters: read, checked, kept; and the arithmetic of clusters."""

import io
import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, ReadingError, ScoreError
from bakeoff.scores.clusters import (
    cluster_codes,
    cluster_means,
    cluster_names,
    cluster_sizes,
    cluster_sums,
    codes_of,
    design_effect,
    effective_number,
    intraclass_correlation,
)

WIDE = "problem,family,A,B\nF1_d10,F1,1,2\nF1_d30,F1,2,4\nF2_d10,F2,3,1\n"
LONG = (
    "problem,cluster,algorithm,run,score\n"
    "x,1,A,1,2\nx,1,A,2,3\nx,1,B,1,3\ny,1,A,1,3\ny,1,B,1,3\nz,2,A,1,4\nz,2,B,1,3\n"
)  # fmt: skip


def test_clusters_are_labels_kept_as_text() -> None:
    scores = bo.Scores(np.eye(3), better="lower", clusters=[7, 7.0, "b"])
    assert scores.clusters == ("7", "7", "b")
    assert bo.Scores(np.eye(3), better="lower").clusters is None
    assert repr(scores) == "Scores(3 problems in 2 clusters × 3 algorithms, better='lower')"
    assert cluster_names(scores) == ("7", "b")
    assert cluster_codes(scores).tolist() == [0, 0, 1]


def test_select_and_summaries_keep_clusters() -> None:
    scores = bo.Scores(np.arange(18.0).reshape(3, 3, 2), better="lower", clusters=["u", "v", "u"])
    assert scores.select(problems=[2, 1]).clusters == ("u", "v")
    assert scores.select(algorithms=[2, 0]).clusters == scores.clusters
    assert scores.summarised("median").clusters == scores.clusters
    assert list(scores.to_frame()["cluster"]) == ["u", "v", "u"]
    with pytest.raises(ScoreError, match="an algorithm is called 'cluster'"):
        bo.Scores(np.eye(2), ["cluster", "b"], better="lower", clusters=["u", "v"]).to_frame()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["a", "b"], "clusters: 2 labels for 3 problems"),
        (["a", None, math.nan], "there is none for 'P2', 'P3'"),
        (["a", " ", "b"], "there is none for 'P2'"),
        ("abc", "must be a label per problem; got the single string 'abc'"),
    ],
)
def test_labels_that_are_refused(given: object, said: str) -> None:
    with pytest.raises(BakeoffError, match=said) as caught:
        bo.Scores(np.eye(3), better="lower", clusters=given)  # type: ignore[arg-type]
    assert caught.value.parameter == "clusters"


def test_a_column_of_a_wide_table() -> None:
    scores = bo.read_scores(io.StringIO(WIDE), "lower", cluster="family")
    assert scores.clusters == ("F1", "F1", "F2")
    assert scores.algorithms == ("A", "B")
    usual = bo.read_scores(io.StringIO(WIDE.replace("family", "Cluster")), "lower")
    assert usual.clusters == scores.clusters
    assert usual.algorithms == scores.algorithms
    first = bo.read_scores(io.StringIO("family,problem,A,B\nF1,a,1,2\nF2,b,2,3\n"), "lower", cluster="family")
    assert first.clusters == ("F1", "F2")
    assert first.problems == ("a", "b")
    numbered = bo.read_scores(io.StringIO("family,id,A,B\nF1,1,1,2\nF2,2,2,3\n"), "lower", cluster="family")
    assert (numbered.problems, numbered.algorithms, numbered.clusters) == (("1", "2"), ("A", "B"), ("F1", "F2"))
    bare = bo.read_scores(io.StringIO("family,A,B\nF1,1,2\nF2,2,3\n"), "lower", cluster="family")
    assert (bare.problems, bare.algorithms, bare.clusters) == (("P1", "P2"), ("A", "B"), ("F1", "F2"))


def test_a_column_cluster_may_be_an_algorithm_or_left_out() -> None:
    text = "problem,cluster,A,B\nx,1,2,3\ny,1,3,4\n"
    kept = bo.read_scores(io.StringIO(text), "lower", keep=["cluster"])
    assert kept.algorithms == ("cluster", "A", "B")
    assert kept.clusters is None
    left_out = bo.read_scores(io.StringIO(text), "lower", drop=["cluster"])
    assert left_out.algorithms == ("A", "B")
    assert left_out.clusters is None


def test_a_long_table() -> None:
    scores = bo.read_scores(io.StringIO(LONG), "lower")
    assert scores.clusters == ("1", "1", "2")
    assert scores.n_runs.tolist() == [[2, 1], [1, 1], [1, 1]]
    named = bo.read_scores(io.StringIO(LONG.replace("cluster", "source")), "lower", cluster="source")
    assert named.clusters == scores.clusters
    assert bo.read_scores(io.StringIO(LONG), "lower", drop=["y", "cluster"]).clusters is None
    assert bo.read_scores(io.StringIO(LONG), "lower", drop=["x"]).clusters == ("1", "2")


def test_a_problem_in_two_clusters_is_refused() -> None:
    text = LONG.replace("x,1,B", "x,3,B")
    with pytest.raises(ReadingError, match=r"line 4.*problem 'x' is in cluster '3' here and in cluster '1' above"):
        bo.read_scores(io.StringIO(text), "lower")
    assert bo.read_scores(io.StringIO(text), "lower", drop=["cluster"]).clusters is None
    with pytest.raises(ReadingError, match="the cluster's name is empty"):
        bo.read_scores(io.StringIO(LONG.replace("y,1,A", "y,,A")), "lower")


def test_missing_scores_leave_the_clusters_of_the_others() -> None:
    text = "problem,cluster,A,B\nx,1,2,3\ny,1,,4\nz,2,3,4\n"
    assert bo.read_scores(io.StringIO(text), "lower", missing="drop").clusters == ("1", "2")
    assert bo.read_scores(io.StringIO(text), "lower", missing="keep").clusters == ("1", "1", "2")


def test_json_and_csv_carry_clusters(tmp_path: Path) -> None:
    from bakeoff.analyses.compare.reporting.scores.table import scores_csv

    scores = bo.read_scores(io.StringIO(LONG), "lower")
    assert bo.read_scores(io.StringIO(scores_csv(scores)), "lower").clusters == scores.clusters
    assert bo.read_scores(io.StringIO(scores_csv(scores.summarised("median"))), "lower").clusters == scores.clusters
    report = bo.compare(scores).to_dict()
    assert report["scores"]["clusters"] == ["1", "1", "2"]
    assert bo.verify(report, scores).ok
    assert "clusters" not in bo.compare(bo.Scores(np.eye(3), better="lower")).to_dict()["scores"]
    other = bo.Scores(
        scores.runs if scores.runs is not None else scores.values,
        scores.algorithms,
        scores.problems,
        better="lower",
        clusters=["1", "2", "2"],
        run_ids=scores.run_ids,
        missing="keep",
    )
    assert [d.where for d in bo.verify(report, other).differences] == ["cluster of problem 'y'"]
    changed = json.loads(json.dumps(report))
    changed["scores"]["clusters"][1] = "2"
    assert "scores.sha256" in [d.where for d in bo.verify(changed).differences]


def test_the_order_of_rows_does_not_change_sums() -> None:
    rng = np.random.default_rng(5)
    for _ in range(50):
        values, codes = rng.normal(size=(20, 2)) * 10.0 ** rng.integers(-8, 8, (20, 2)), rng.integers(0, 4, 20)
        codes = codes_of(map(str, codes))
        order = rng.permutation(20)
        sums, other = cluster_sums(values, codes), cluster_sums(values[order], codes[order])
        assert (sums == other).all()
        exact = [sum((Fraction(x) for x in values[codes == g, 1].tolist()), Fraction(0)) for g in range(len(sums))]
        assert sums[:, 1].tolist() == [float(x) for x in exact]
        sizes = cluster_sizes(codes)
        np.testing.assert_allclose(cluster_means(values, codes), sums / sizes[:, None], rtol=1e-15)


def test_intraclass_correlation_of_equal_clusters() -> None:
    """Shrout and Fleiss (1979), Table 2: six targets, four judges; ICC(1,1) = 0.17 (their Table 4)."""
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    values, codes = np.array(ratings, dtype=float).ravel(), np.repeat(np.arange(6), 4)
    assert intraclass_correlation(values, codes) == pytest.approx(0.17, abs=0.005)
    assert math.isnan(intraclass_correlation(values, np.arange(24)))
    assert math.isnan(intraclass_correlation(np.ones(24), codes))


def test_effective_number_of_problems() -> None:
    equal, unequal = np.repeat(np.arange(5), 4), np.repeat([0, 1], [1, 9])
    assert design_effect(equal, 0.2) == pytest.approx(1 + 3 * 0.2)
    assert effective_number(equal, 1.0) == pytest.approx(5)
    mean, cv2 = 5.0, 16 / 25  # sizes 1 and 9
    assert design_effect(unequal, 0.3) == pytest.approx(1 + (mean * (1 + cv2) - 1) * 0.3)
