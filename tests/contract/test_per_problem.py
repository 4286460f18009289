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
    assert "+ / ≈ / − / ?" in page
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


def test_two_algorithms_and_one_problem() -> None:
    runs = [[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]]
    found = bo.per_problem(bo.Scores(runs, ["new", "old"], better="lower"), control="new")
    assert found.verdict == "Of 1 problem, new is better than old on 1 (worse on 0)."
    assert repr(found) == "<PerProblem: Of 1 problem, new is better than old on 1 (worse on 0).>"


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
