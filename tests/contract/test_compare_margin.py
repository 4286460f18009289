"""compare(margin=): verdicts, Holm over the pairs, what the report says in every format, and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses.compare.statistics.margins.claims import adjusted_one_sided
from bakeoff.analyses.compare.statistics.margins.one_sided import OneSided
from bakeoff.cli import main
from bakeoff.errors import InfiniteScoreError, ParameterError

A = (0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.71, 0.95, 0.83, 0.77)
B = (0.80, 0.75, 0.91, 0.67, 0.86, 0.80, 0.71, 0.94, 0.84, 0.75)
TWO = bo.Scores(np.column_stack([A, B]), ["a", "b"], better="higher")
rng = np.random.default_rng(1)
LEVEL, SHIFT = rng.uniform(0.6, 0.9, (30, 1)), np.array([0, 0.001, 0.004, 0.012, 0.03])
FIVE = bo.Scores(np.round(LEVEL + rng.normal(0, 0.01, (30, 5)) + SHIFT, 3), list("ABCDE"), better="higher")


def test_of_two_algorithms_it_is_equivalence() -> None:
    for test in ("wilcoxon", "t"):
        pair = bo.compare(TWO, margin=0.02, pairwise=test).pair("a", "b")
        alone = bo.equivalence(TWO, "a", "b", 0.02, test)  # type: ignore[arg-type]
        assert (pair.p_equal, pair.p_a_not_worse, pair.p_b_not_worse) == (
            alone.pvalue,
            alone.p_a_not_worse,
            alone.p_b_not_worse,
        )
        assert pair.adjusted_equal == pair.p_equal
        assert pair.verdict == "practically equal"
    near = bo.compare(TWO, margin=0.01).pairs[0]
    assert (near.p_equal, near.verdict, near.turned.verdict) == (0.0546875, "a not worse", "b not worse")
    assert (near.turned.p_b_not_worse, near.turned.p_equal) == (near.p_a_not_worse, near.p_equal)
    assert bo.compare(TWO).pairs[0].p_equal is None


def test_equal_is_holm_over_the_pairs() -> None:
    result = bo.compare(FIVE, margin=0.01)
    holm = bo.adjust([pair.p_equal for pair in result.pairs], "holm")
    assert [pair.adjusted_equal for pair in result.pairs] == pytest.approx(holm, rel=1e-12)
    shown = {f"{p.a}{p.b}": p.verdict for p in result.pairs}
    assert [pair for pair, verdict in shown.items() if verdict == "practically equal"] == ["AB", "AC", "BC"]
    assert shown["BD"] == "b not worse"
    assert result.pair("D", "B").verdict == "a not worse"
    plain = bo.compare(FIVE)
    assert [p.adjusted for p in plain.pairs] == [p.adjusted for p in result.pairs]  # the other family stays as it is
    assert result.groups == plain.groups


ps = st.floats(0, 1)


@pytest.mark.slow
@given(st.lists(st.tuples(ps, ps), min_size=1, max_size=6))
@settings(max_examples=50, deadline=None)
def test_step_down_with_one_true_hypothesis_a_pair(raw: list[tuple[float, float]]) -> None:
    """The slow twin is the closed test: over all sets of hypotheses with at most one of each pair, Bonferroni."""
    tests = [OneSided(a=a, b=b, log_a=0, log_b=0) for a, b in raw]
    found = np.array(adjusted_one_sided(tests)).T
    assert found.max(axis=1).tolist() == pytest.approx(bo.adjust([max(p) for p in raw], "holm"), rel=1e-12)
    for i, pair in enumerate(raw):
        for side, p in enumerate(pair):
            # the largest set with this hypothesis whose members are all at least p: one of each other pair, if one is
            closed = 0.0
            others = sorted(max(other) for j, other in enumerate(raw) if j != i)
            for size in range(len(others) + 1):
                closed = max(closed, (size + 1) * min([p, *others[len(others) - size :]]))
            assert found[i, side] >= min(1.0, closed) * (1 - 1e-12)


def test_a_difference_smaller_than_the_margin() -> None:
    steady = bo.Scores(
        LEVEL + np.array([[0.0, 0.002]]) + rng.normal(0, 0.0005, (30, 2)), ["old", "new"], better="higher"
    )
    result = bo.compare(steady, margin=0.01)
    assert result.pairs[0].verdict == "b better"  # for scripts; the report says both
    assert "by less than the margin" in " ".join(report.render(result, "txt").split())
    assert "The typical difference (Hodges–Lehmann) is smaller than the margin of 0.01" in result.verdict
    many = bo.compare(FIVE, margin=0.5)
    assert "6 differences that are shown are smaller than that." in many.verdict


def test_where_all_pairs_differ_nothing_is_said_of_the_others() -> None:
    """It said "no pair is shown to be equal, or one of it not worse" beside p-values of .0002 for being equal."""
    near = np.linspace(0.001, 0.002, 12)
    values = np.column_stack([np.zeros(12), near, near + np.linspace(0.0005, 0.0009, 12)])
    scores = bo.Scores(values, ["a", "b", "c"], better="lower")
    for options, pairs in (({}, 3), ({"control": "a"}, 2), ({"control": "c"}, 2)):
        said = bo.compare(scores, margin=0.1, **options).verdict
        assert said.endswith(
            f" All {pairs} typical differences (Hodges–Lehmann) are shown to be smaller than the margin of 0.1."
        )
    assert bo.compare(scores, margin=0.0017).verdict.endswith(
        " 1 of the 3 typical differences (Hodges–Lehmann) is shown to be smaller than the margin of 0.0017."
    )
    assert bo.compare(scores, margin=0.0001).verdict.endswith(
        " No typical difference (Hodges–Lehmann) is shown to be smaller than the margin of 0.0001."
    )


def test_claims_are_counted_among_the_pairs_not_shown_to_differ() -> None:
    turns = np.tile([1.0, -1.0], 6) * np.linspace(1, 2, 12)
    values = np.column_stack([np.zeros(12), turns, np.full(12, 40.0), np.full(12, 40.0) + turns])
    scores = bo.Scores(values, list("abcd"), better="lower")
    none = bo.compare(scores, margin=0.01).verdict
    assert (
        "mean difference of 0.01, none of the 2 pairs not shown to differ is shown to be equal, or one of it not"
        in none
    )
    assert "mean difference of 5, 2 of the 2 pairs not shown to differ are practically equal (a – b, c – d)." in (
        bo.compare(scores, margin=5).verdict
    )
    three = scores.select(algorithms=["a", "b", "c"])
    assert "mean difference of 0.01, the one pair not shown to differ is not shown to be equal, or one of it not" in (
        bo.compare(three, margin=0.01).verdict
    )
    assert "mean difference of 5, the one pair not shown to differ is practically equal (a – b)." in (
        bo.compare(three, margin=5).verdict
    )
    assert "a is not shown to be equal to any algorithm from which it is not shown to differ, or not worse." in (
        bo.compare(three, control="a", margin=0.01).verdict
    )


@pytest.mark.slow
def test_every_format_says_it(tmp_path: Path) -> None:
    result = bo.compare(FIVE, margin=0.01)
    assert (
        "typical difference (Hodges–Lehmann) of 0.01, 3 of the 4 pairs not shown to differ are practically equal "
        "(A – B, A – C, B – C) and in 1 more one is not worse."
    ) in result.verdict
    for kind in ("html", "md", "tex", "txt"):
        text = " ".join(report.render(result, kind).split())
        assert "practically equal" in text
        assert "against a margin of 0.01" in text
    for kind in ("html", "md", "tex"):
        text = " ".join(report.render(result, kind).split())
        assert "This second family has a family-wise error rate of" in text
        assert "symmetric about their median" in text
        assert "Schuirmann" in text
        assert "Lakens" in text
    found = json.loads(report.render(result, "json"))
    assert found["margin"] == {"value": 0.01, "scale": "difference", "given": "0.01", "tests": ["wilcoxon"]}
    assert found["pairs"][0]["p_equal"] == result.pairs[0].p_equal
    assert {"schuirmann1987", "lakens2017"} <= set(found["references"])
    assert "margin" not in bo.compare(FIVE).to_dict()
    assert bo.verify(result).ok
    assert result.to_frame()["p_a_not_worse"].tolist() == [p.p_a_not_worse for p in result.pairs]
    result.save(tmp_path / "diagram.svg")


def test_no_difference_shown_is_not_equal() -> None:
    said = "“No difference shown” does not mean “equal”"
    assert said in report.render(bo.compare(FIVE), "txt").replace("\n", " ")
    assert said not in report.render(bo.compare(FIVE, margin=0.01), "txt").replace("\n", " ")
    wide = bo.Scores([[i, i + 10.0] for i in range(8)], better="lower")
    assert said not in report.render(bo.compare(wide), "txt").replace("\n", " ")  # the difference is shown


def test_with_a_control() -> None:
    result = bo.compare(FIVE, control="A", margin=0.01)
    assert [pair.verdict for pair in result.pairs][:2] == ["practically equal"] * 2
    assert "A is practically equal to B and C (2 of 4)" in result.verdict
    assert "practically equal" in str(result)


def test_percent_and_few_problems() -> None:
    ratio = bo.compare(FIVE, margin="3%")
    assert (ratio.margin.relative, ratio.margin.value) == (True, math.log1p(0.03))  # type: ignore[union-attr]
    assert "Up to a typical difference (Hodges–Lehmann) of 3 %" in ratio.verdict
    assert bo.verify(ratio).ok
    assert ratio.pairs[0].p_equal == bo.equivalence(FIVE, "A", "B", "3%").pvalue
    logs = bo.compare(FIVE, margin="3%", transform="log")
    assert [p.p_equal for p in logs.pairs] == [p.p_equal for p in ratio.pairs]
    few = bo.compare(FIVE.select(problems=range(7)), margin=0.01)
    assert "out-of-reach (margin)" in [c.name for c in few.cautions]  # 10/2⁷ > 0.05
    five = bo.compare(TWO.select(problems=range(5)), margin=0.1).pairs[0]
    assert five.verdict == "practically equal"  # 2⁻⁵; a difference could not have been shown, 2·2⁻⁵
    assert five.adjusted_equal == 2.0**-5


def test_the_median_is_not_the_mean() -> None:
    """Small differences to either side on 27 of 30 problems, and a large one on three: equal by signed ranks."""
    x, place = np.full(30, 1.0), np.arange(30)
    y = np.where(place < 3, 2.0, 1.0 + 0.002 * (-1.0) ** place)
    result = bo.compare(bo.Scores(np.column_stack([x, y]), ["x", "y"], better="lower"), margin=0.01)
    assert result.pairs[0].verdict == "practically equal"
    assert "margin-of-the-median" in [c.code for c in result.cautions]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pairwise": "mean-ranks"}, "margin needs differences of scores, which .* does not measure"),
        ({"pairwise": "aligned"}, "margin needs differences"),
        ({"pairwise": "quade"}, "margin needs differences"),
        ({"pairwise": "sign"}, "margin needs differences"),
        ({"posthoc": "nemenyi"}, "margin needs differences"),
        ({"recipe": "demsar-2006"}, "margin has no place in recipe='demsar-2006'"),
        ({"transform": "log"}, 'margin must be a percentage with transform=.log.: "1%" for a ratio; or 0.01 in score'),
        ({"effect": "percent"}, 'margin must be a percentage with effect=.percent.: "1%" for a ratio; or 0.01 in'),
        ({"margin": "ten"}, "margin must be a number above 0 in score units, or a percentage"),
        ({"margin": -1}, "margin must be a number above 0"),
    ],
)
def test_no_margin_for_ranks(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said) as error:
        bo.compare(FIVE, **{"margin": 0.01, **options})
    assert error.value.parameter == "margin"


def test_scores_that_have_no_margin() -> None:
    infinite = bo.Scores([[1.0, 2.0, math.inf], [3.0, 1.0, 1.0], [0.5, 1.0, 1.0]], better="lower")
    with pytest.raises(InfiniteScoreError, match="A3"):
        bo.compare(infinite, margin=0.1)
    solved = bo.Scores([[1, 0], [0, 1], [1, 1], [0, 0], [1, 1], [1, 1]], better="higher")
    with pytest.raises(ParameterError, match=r"smaller than the distance of the two values .* 0 and 1"):
        bo.compare(solved, margin=5)
    with pytest.raises(ParameterError, match="alpha must be a finite number above 0 and below"):
        bo.compare(FIVE, margin=0.1, alpha=0.5)


def test_command_line(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("problem,a,b\n" + "".join(f"p{i},{x},{y}\n" for i, (x, y) in enumerate(zip(A, B, strict=True))))
    run = CliRunner().invoke
    found = run(main, ["compare", str(path), "--better", "higher", "--margin", "0.02"])
    assert found.exit_code == 0
    assert (
        "They are practically equal: a typical difference (Hodges–Lehmann) of 0.02 or more is excluded (p = 0.00391)."
        in " ".join(found.output.split())
    )
    percent = run(
        main, ["compare", str(path), "--better", "higher", "--margin", "5%", "--only", "a", "--only", "b", "--json"]
    )
    assert json.loads(percent.output)["margin"]["scale"] == "log-ratio"
    ranks = run(main, ["compare", str(path), "--better", "higher", "--margin", "0.02", "--pairwise", "mean-ranks"])
    assert ranks.exit_code == 2
    assert "--margin needs differences of scores" in ranks.output
    assert (
        "--margin must be a number above 0"
        in run(main, ["compare", str(path), "--better", "higher", "--margin", "x"]).output
    )


def with_holes(values: np.ndarray, holes: list[tuple[int, int]], **options: Any) -> bo.Comparison:
    values = values.copy()
    for cell in holes:
        values[cell] = math.nan
    return bo.compare(bo.Scores(values, better="higher", missing="keep"), **options)


CLAIMS = ("p_a_not_worse", "p_b_not_worse", "p_equal")
HOLES = [(1, 0), (4, 1), (6, 1), (6, 2)]


def tables_of_margins() -> Iterator[tuple[np.ndarray, float, str]]:
    rng = np.random.default_rng(7)
    for i in range(12):
        base = rng.normal(size=(18, 1))
        yield base + 0.3 * rng.normal(size=(18, 3)), 0.5, "wilcoxon"
        yield np.round(base + 0.3 * rng.normal(size=(18, 3)), 1 + i % 2), 0.5, "wilcoxon"
        yield (rng.random((60, 3)) < 0.9).astype(float), 0.3, "share"


def test_with_holes_each_pair_meets_the_margin_on_the_problems_that_both_have() -> None:
    for values, margin, _ in tables_of_margins():
        found = with_holes(values, HOLES, margin=margin)
        for pair, columns in zip(found.pairs, ([0, 1], [0, 2], [1, 2]), strict=True):
            rows = [i for i in range(len(values)) if not any((i, j) in HOLES for j in columns)]
            two = bo.compare(bo.Scores(values[np.ix_(rows, columns)], better="higher"), margin=margin).pairs[0]
            assert [getattr(pair, name) for name in CLAIMS] == [getattr(two, name) for name in CLAIMS]
        assert found.margin is not None
        assert "margin" in found.to_dict()


def test_bounds_hold_a_claim_for_whatever_the_missing_scores_are() -> None:
    """No completion has a larger p, and the worst one comes close: of shares to the bound itself."""
    rng = np.random.default_rng(8)
    for values, margin, test in tables_of_margins():
        found = with_holes(values, HOLES, margin=margin, missing="bounds")
        assert found.margin is not None
        for place, (worse, better) in enumerate([(0, 1), (0, 2), (1, 2)]):
            bound = found.pairs[place].p_a_not_worse or 0.0
            worst = 0.0
            for draw in range(8):
                filled = values.copy()
                for i, j in HOLES:
                    far = {worse: 0.0, better: 1.0}.get(j, 0.5) if draw == 0 else rng.random()
                    filled[i, j] = round(far) if test == "share" else 1e3 * (far - 0.5) + i
                p = bo.compare(bo.Scores(filled, better="higher"), margin=margin).pairs[place].p_a_not_worse or 0.0
                worst = p if draw == 0 else worst
                assert bound >= p - 1e-12
            if found.margin.tests == (test,):
                assert bound == pytest.approx(worst) if test == "share" else bound <= 3.0 * worst


def test_with_bounds_a_mean_of_any_numbers_shows_nothing() -> None:
    """More than a fifth of the problems tie, so that the claim would be about the mean."""
    values = np.round(np.random.default_rng(2).normal(scale=0.1, size=(40, 2)), 1) + np.arange(40)[:, None]
    assert with_holes(values, [(3, 0)], margin=5.0).pairs[0].verdict == "practically equal"
    bounded = with_holes(values, [(3, 0)], margin=5.0, missing="bounds")
    assert (bounded.pairs[0].p_equal, bounded.pairs[0].verdict) == (1.0, "no difference shown")


def test_pairs_without_a_common_problem_show_nothing() -> None:
    values = np.random.default_rng(3).normal(scale=0.1, size=(30, 3))
    holes = [(i, i % 2) for i in range(30)]
    for missing in (None, "bounds"):
        found = with_holes(values, holes, margin=1.0, missing=missing)
        assert [getattr(found.pairs[0], name) for name in CLAIMS] == [1.0, 1.0, 1.0]


@pytest.mark.slow
def test_sensitivity_examines_the_differences() -> None:
    plain, against = (
        bo.sensitivity(bo.compare(FIVE, **options), n_resamples=20, rng=1) for options in ({}, {"margin": 0.01})
    )
    assert [pair.verdict for pair in plain.pairs] == [pair.verdict for pair in against.pairs]
    assert [pair.analyses for pair in plain.pairs] == [pair.analyses for pair in against.pairs]
    assert plain.verdict == against.verdict
