"""What stands for the runs of a cell, and runs that are missing."""

import io

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError
from bakeoff.report import render

INF = float("inf")
ROWS = [("p", "A", [1, 2, INF]), ("p", "B", [4, 4.5, 7]), ("q", "A", [3, 1, 2]), ("q", "B", [INF, INF, 5])]
TEXT = "problem,algorithm,run,score\n" + "".join(
    f"{p},{a},{r},{x}\n" for p, a, xs in ROWS for r, x in enumerate(xs, start=1)
)


@pytest.mark.parametrize(
    ("cell", "better", "expected", "direction"),
    [
        ("mean", "lower", [[INF, 15.5 / 3], [2, INF]], "lower"),
        ("median", "lower", [[2, 4.5], [2, INF]], "lower"),
        ("best", "lower", [[1, 4], [1, 5]], "lower"),
        ("best", "higher", [[INF, 7], [3, INF]], "higher"),
        ("success", "lower", [[2 / 3, 1], [1, 1 / 3]], "higher"),
    ],
)
def test_what_stands_for_the_runs(cell: str, better: str, expected: list[list[float]], direction: str) -> None:
    scores = bo.read_scores(io.StringIO(TEXT), better, cell=cell)  # type: ignore[arg-type]
    assert scores.values.tolist() == pytest.approx(np.array(expected))
    assert scores.better == direction
    again = bo.read_scores(io.StringIO(TEXT), better).summarised(cell)  # type: ignore[arg-type]
    assert again.values.tolist() == scores.values.tolist()


def test_one_failed_run_of_thirty_does_not_decide() -> None:
    """One bad run made the cell's mean infinite, and its effect could not be computed."""
    rng = np.random.default_rng(0)
    runs = rng.normal(size=(20, 2, 30)) + np.array([0.0, 1.0])[:, None]
    runs[3, 0, 7] = runs[11, 0, 2] = INF
    result = bo.compare(bo.Scores(runs, algorithms=["A", "B"], better="lower").summarised("median"))
    assert result.pairs[0].verdict == "a better"
    assert 0.5 < result.pairs[0].effect.estimate < 1.5


def test_runs_that_are_there() -> None:
    holes = TEXT.replace("p,A,3,inf", "p,A,3,NA").replace("q,B,1,inf", "q,B,1,")
    with pytest.raises(MissingScoreError, match=r"available \(takes other runs\)"):
        bo.read_scores(io.StringIO(holes), "lower")
    scores = bo.read_scores(io.StringIO(holes), "lower", missing="available")
    assert scores.n_runs.tolist() == [[2, 3], [3, 2]]
    assert scores.values[0].tolist() == [1.5, 15.5 / 3]
    assert scores.runs[1, 1, :2].tolist() == [INF, 5]
    none = TEXT.replace("p,A,1,1\np,A,2,2\np,A,3,inf\n", "")
    with pytest.raises(MissingScoreError, match="at least one run in every cell; there is none for problem 'p'"):
        bo.read_scores(io.StringIO(none), "lower", missing="available")


def test_unknown_summaries_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"cell must be one of"):
        bo.read_scores(io.StringIO(TEXT), "lower", cell="worst")  # type: ignore[arg-type]


def uneven(counts: list[list[int]], seed: int = 0) -> bo.Scores:
    """(n, 2) numbers of runs, of one lognormal law."""
    rng = np.random.default_rng(seed)
    rows = [
        f"P{i},{name},{r},{rng.lognormal(0, 1.5):.6f}"
        for i, row in enumerate(counts)
        for name, m in zip("AB", row, strict=True)
        for r in range(m)
    ]
    return bo.read_scores(io.StringIO("problem,algorithm,run,score\n" + "\n".join(rows)), "lower")


def test_the_best_of_more_runs_is_refused() -> None:
    """Best of 20 against best of 5: of equal algorithms the first was better in 92 % of tables."""
    with pytest.raises(ParameterError, match=r"cell must not be 'best' where .*'A' has 200, 'B' 50"):
        uneven([[20, 5]] * 10).summarised("best")


@pytest.mark.parametrize("better", ["lower", "higher"])
def test_where_a_run_is_missing_the_best_is_that_of_as_many(better: str) -> None:
    """The mean over all choices of two of three runs; the other problem has two each."""
    text = (
        "problem,algorithm,run,score\nP,A,1,5\nP,A,2,1\nP,A,3,2\nP,B,1,4\nP,B,2,3\nQ,A,1,1\nQ,A,2,2\nQ,B,1,6\nQ,B,2,5\n"
    )
    found = bo.read_scores(io.StringIO(text), better, cell="best").values  # type: ignore[arg-type]
    wanted = [[(1 + 1 + 2) / 3, 3], [1, 5]] if better == "lower" else [[(5 + 5 + 2) / 3, 4], [2, 6]]
    assert found == pytest.approx(np.array(wanted))


@pytest.mark.parametrize(
    ("counts", "warned"),
    [([[20, 3]] * 8, True), ([[3, 3]] * 8, False), ([[3, 3]] * 7 + [[3, 2]], False), ([[4, 3], [3, 4]] * 4, False)],
)
def test_systematically_unequal_numbers_of_runs_are_cautioned(counts: list[list[int]], warned: bool) -> None:
    """Means of 3 and of 20 skewed runs of one distribution (n = 20 to 60, lognormal, σ = 1 to 1.5), rejected at 5 %:
    Wilcoxon .10 to .23, signs .14 to .31, mean ranks .14 to .37, profiles .12 to .42, trade-offs in percent .18 to .66;
    means .07, of which nothing is said."""
    scores = uneven(counts)
    asked = (
        bo.compare(scores),
        bo.per_problem(scores),
        bo.leaderboard(scores, by="mean-rank", n_resamples=99),
        bo.tradeoff({"x": scores, "y": scores}, {"x": "5%", "y": 0.1}),
    )
    for found in asked:
        assert ("unequal (runs)" in {caution.name for caution in found.cautions}) is warned
    silent = (
        bo.evaluate(scores, n_resamples=99),
        bo.leaderboard(scores, n_resamples=99),
        bo.tradeoff({"x": scores, "y": scores}, {"x": 0.1, "y": 0.1}),
    )
    for found in silent:
        assert "unequal (runs)" not in {caution.name for caution in found.cautions}


def test_a_profile_of_the_best_of_more_runs_is_refused() -> None:
    """The swap test of two equal algorithms rejected in 98 to 100 % of tables, best of 20 against best of 3."""
    with pytest.raises(ParameterError, match=r"cell must not be 'best' where .*'A' has 200, 'B' 50"):
        bo.profile(uneven([[20, 5]] * 10), cell="best")
    assert bo.profile(uneven([[3, 3]] * 9 + [[3, 2]]), cell="best", n_resamples=99).cell == "best"


def test_the_paragraph_of_per_problem_states_its_null() -> None:
    for paired, null in ((False, "they have one distribution, not only one median"), (True, "symmetric about 0")):
        said = " ".join(render(bo.per_problem(uneven([[5, 5]] * 4), paired=paired), "md").split())
        assert "the null hypothesis about the runs of both is that " in said
        assert null in said
