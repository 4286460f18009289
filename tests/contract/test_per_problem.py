"""The table of problems as a user meets it: from a file of runs to a page, a paper and a spreadsheet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    lines = ["problem,algorithm,run,score"]
    for p in range(4):
        for j, name in enumerate(["Ours", "DE best", "A & <b>_x"]):
            lines += [f"F{p},{name},{r},{rng.normal() + 2 * j * (p % 2):.4f}" for r in range(12)]
    path = tmp_path / "runs of today.csv"
    path.write_text("\n".join(lines))
    return path


def test_the_page(runs: Path) -> None:
    page = CliRunner().invoke(main, ["per-problem", str(runs), "--better", "lower", "--control", "Ours"]).stdout
    assert page.startswith("Of 4 problems, Ours is better than DE best on 2 (worse on 0) and than A & <b>_x")
    assert "Mann–Whitney test of the runs on each problem, Holm over problems, α = 0.05 for\neach pair." in page
    assert "+/≈/−/?" in page
    row = next(line for line in page.splitlines() if line.startswith("F1"))
    assert row.count(" +") == 2
    assert row.split()[1].startswith("*")  # the best, where there is no bold


def test_every_format(runs: Path, tmp_path: Path) -> None:
    targets = [tmp_path / f"signs.{suffix}" for suffix in ("tex", "md", "html", "csv", "json", "xlsx")]
    options = [x for target in targets for x in ("--report", str(target))]
    done = CliRunner().invoke(main, ["per-problem", str(runs), "--better", "lower", *options])
    assert done.exit_code == 0, done.stderr
    tex, md, html, csv, found = (target.read_text() for target in targets[:5])
    assert r"A \& $<$b$>$\_x" in tex
    assert r"\textdegree" in tex
    assert "lualatex" not in tex
    assert "&lt;b&gt;_x" in html
    assert "<b>_x" not in html
    assert "leading (°)" in md
    assert csv.count("\n") == 1 + 3 * 4
    content = json.loads(found)
    assert content["schema"] == "bakeoff.per-problem/1"
    assert len(content["cells"]) == 12
    assert {count["a"] for count in content["counts"]} == {"Ours", "DE best"}


@pytest.mark.parametrize("options", [("--control", "Ours"), ("--paired", "--correction", "none", "--alpha", "0.1")])
def test_the_report_is_verified_from_its_scores(runs: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    """It said that such a report is not computed from a table of scores alone."""
    path = tmp_path / "signs.json"
    made = CliRunner().invoke(main, ["per-problem", str(runs), "--better", "lower", *options, "--report", str(path)])
    assert made.exit_code == 0, made.stderr
    done = CliRunner().invoke(main, ["verify", str(path), str(runs)])
    assert done.exit_code == 0, done.output
    assert "agree to the last digit" in done.stdout
    content = json.loads(path.read_text())
    content["cells"][0]["pvalue"] /= 2
    content["request"]["alpha"] = 0.2
    wrong = [difference.where for difference in bo.verify(content).differences]
    assert {"alpha", "cells[0].pvalue"} <= set(wrong)
    content["request"]["paired"] = "yes"
    with pytest.raises(bo.BakeoffError, match=r"request\.paired must be true or false"):
        bo.verify(content)


def test_two_algorithms_and_one_problem() -> None:
    runs = [[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]]
    found = bo.per_problem(bo.Scores(runs, ["new", "old"], better="lower"), control="new")
    assert found.verdict == "Of 1 problem, new is better than old on 1 (worse on 0)."
    assert repr(found) == "<PerProblem: Of 1 problem, new is better than old on 1 (worse on 0).>"


def test_names_reach_a_terminal_as_text() -> None:
    """An escape sequence in a name must not reach the terminal: the verdict is printed too."""
    runs = np.random.default_rng(5).normal(size=(3, 3, 6))
    scores = bo.Scores(runs, ["\x1b[31mred", "b\nc", "d"], better="lower")
    for control in (None, 0, 1):
        found = bo.per_problem(scores, control=control)
        for text in (found.verdict, str(found), repr(found)):
            assert "\x1b" not in text
        assert "b\nc" not in found.verdict


def test_progress_counts_pairs() -> None:
    seen: list[tuple[int, int]] = []
    runs = np.random.default_rng(5).normal(size=(2, 4, 6))
    bo.per_problem(bo.Scores(runs, better="lower"), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(i, 6) for i in range(1, 7)]


def _cells(found: bo.PerProblem) -> dict[tuple[str, str, str], tuple[str, float, float, float]]:
    """By names, both ways round."""
    opposite = {"+": "-", "-": "+", "=": "=", "?": "?"}
    known = {(c.problem, c.a, c.b): (c.verdict, c.pvalue, c.adjusted, c.a12) for c in found.cells}
    back = {(p, b, a): (opposite[v], q, adj, 1 - e) for (p, a, b), (v, q, adj, e) in known.items()}
    return known | back


@pytest.mark.few(4)
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_problems_algorithms_and_runs_does_not_matter(paired: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    runs = np.round(rng.normal(size=(5, 4, 8)) + np.arange(4)[:, None] * rng.uniform(0, 2), rng.integers(0, 3))
    names, problems = ["one", "two", "three", "four"], [f"P{i}" for i in range(5)]
    found = bo.per_problem(bo.Scores(runs, names, problems, better="higher"), paired=paired)
    rows, columns, order = rng.permutation(5), rng.permutation(4), rng.permutation(8)
    moved = bo.Scores(
        runs[rows][:, columns][:, :, order], [names[j] for j in columns], [problems[i] for i in rows], better="higher"
    )
    again = _cells(bo.per_problem(moved, paired=paired))
    for key, (verdict, pvalue, adjusted, a12) in _cells(found).items():
        assert again[key][0] == verdict
        np.testing.assert_allclose(again[key][1:], (pvalue, adjusted, a12), rtol=1e-12)
    flipped = _cells(bo.per_problem(bo.Scores(-runs, names, problems, better="lower"), paired=paired))
    assert {key: cell[:3] for key, cell in flipped.items()} == {key: cell[:3] for key, cell in _cells(found).items()}


def test_equal_infinite_runs_tie() -> None:
    runs = np.array([[[np.inf, 1, 2, 3, 4, 5], [np.inf, 11, 12, 13, 14, 15]]])
    (cell,) = bo.per_problem(bo.Scores(runs, better="lower"), paired=True).cells
    assert cell.pvalue == 2 / 2**5


def test_many_algorithms_are_summed_up() -> None:
    rng = np.random.default_rng(0)
    found = bo.per_problem(bo.Scores(rng.normal(size=(3, 30, 8)), better="lower"), control=0)
    assert found.verdict.endswith("of 87 comparisons with 29 algorithms on 3 problems.")
    assert "(continued)" in str(found)


def test_refusals_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("problem,A,B\np,1,2\nq,2,3\n")
    refused = CliRunner().invoke(main, ["per-problem", str(path), "--better", "lower"])
    assert refused.exit_code == 2
    assert "one run per cell" in refused.stderr
    assert "bo.compare" in refused.stderr or "bakeoff compare" in refused.stderr


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("paired", [False, True])
def test_a_pair_without_differences_keeps_its_level(paired: bool) -> None:
    """Any sign on 8 problems where none belongs: at most alpha, also for rounded and heavy-tailed scores."""
    rng = np.random.default_rng(17 + paired)
    tables, wrong = 600, 0
    for i in range(tables):
        noise = rng.standard_t(2, size=(8, 2, 9))
        runs = np.round(noise, 0) if i % 2 else noise
        found = bo.per_problem(bo.Scores(runs, better="lower"), paired=paired)
        wrong += found.counts[("A1", "A2")][1] + found.counts[("A1", "A2")][3] < 8
    assert wrong / tables <= 0.05 + 4 * np.sqrt(0.05 * 0.95 / tables)


def test_the_headline_names_nobody_where_no_cell_can_tell() -> None:
    """It said "zz is the best, or not shown to be worse than the best, on 7 of 7 problems", and so was aa."""
    rng = np.random.default_rng(0)
    scores = bo.Scores(rng.normal(size=(7, 2, 4)), ["zz", "aa"], better="lower")
    for control in (None, "zz"):
        found = bo.per_problem(scores, control)
        assert {cell.verdict for cell in found.cells} == {"?"}
        assert found.verdict == (
            "There is no verdict on 7 problems: with so few runs, no outcome could have shown a difference."
        )
        assert bo.verify(found.to_dict()).ok


def test_the_headline_names_all_who_lead_most_often_and_counts_what_cannot_tell() -> None:
    rng = np.random.default_rng(1)
    runs = rng.normal(size=(5, 4, 12)) + np.array([0.0, 0.0, 9.0, 9.0])[None, :, None]
    scores = bo.Scores(runs, list("dcba"), better="lower")
    said = "is the best, or not shown to be worse than the best, on 5 of 5 problems."
    assert bo.per_problem(scores).verdict == f"Each of d and c {said}"
    assert bo.per_problem(scores.select(algorithms=["c", "d"])).verdict == f"Each of the 2 algorithms {said}"
    assert bo.per_problem(scores.select(algorithms=["c", "b"])).verdict == f"c {said}"
    many = bo.Scores(
        np.concatenate([np.tile(np.arange(9.0), (2, 6, 1)), np.full((2, 1, 9), 50.0)], axis=1), better="lower"
    )
    assert bo.per_problem(many).verdict.startswith("Each of 6 of the 7 algorithms is the best, or")
    short = runs.copy()
    short[0, :, 3:] = np.nan  # 3 runs: the least p is 2/20
    cells = [
        {"problem": str(i), "algorithm": "dcba"[j], "run": r, "score": short[i, j, r]}
        for i, j, r in np.argwhere(~np.isnan(short)).tolist()
    ]
    import pandas as pd

    few = bo.read_scores(pd.DataFrame(cells), better="lower")
    assert bo.per_problem(few, correction="none").verdict.endswith(" 6 of 30 cells cannot tell: too few runs.")
    assert bo.per_problem(few, "d", correction="none").verdict.endswith(" 3 of 15 cells cannot tell: too few runs.")
