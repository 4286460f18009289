"""Results at the prompt and in a notebook: one line, a page, a piece of HTML."""

from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.analyses import by_kind
from bakeoff.gate import Check
from bakeoff.report import render
from bakeoff.reportable import Reportable

EVIL = ["<script>alert(1)</script>", "b & c", "\x1b[31mred", "$x_1$"]


def results(folder: Path) -> dict[str, Reportable]:
    scores = bo.datasets.load("demsar_2006")
    experiment = bo.Experiment(
        algorithms={"a": lambda problem, rng: problem, "b": lambda problem, rng: problem + rng.random()},
        problems={f"p{i}": float(i) for i in range(6)},
        better="lower",
        runs=1,
        seed=1,
    )
    return {
        "comparison": bo.compare(scores),
        "scores": bo.score_table(scores),
        "per-problem": bo.per_problem(bo.Scores([[[1, 2, 3, 4], [6, 7, 8, 9]]] * 3, better="lower")),
        "check": bo.check({"P1": [1.0, 1.1, 1.2]}, {"P1": [1.5, 1.6, 1.8]}, "5%", better="lower"),
        "history": bo.change_points(bo.Scores([[*range(8)]], better="lower")),
        "timing": bo.time_ratios(bo.Scores([[[1.0 + 0.01 * i for i in range(9)], [1.5] * 9]], better="lower")),
        "iqm": bo.interquartile_mean(scores),
        "ratings": bo.ratings(scores, resamples=100),
        "evaluation": bo.evaluate(scores),
        "profile": bo.profile(scores),
        "runtimes": bo.runtimes(bo.Scores(1 - scores.values, scores.algorithms, better="lower"), 0.3, resamples=100),
        "leaderboard": bo.leaderboard(scores),
        "tradeoff": bo.tradeoff({"x": scores, "y": scores}, {"x": 0.1, "y": 0.1}, n_draws=100),
        "curves": bo.curves(
            [
                {"problem": f"p{i}", "algorithm": a, "budget": b, "score": i % 3 + (a == "B") + 1 / b}
                for i in range(8)
                for a in "AB"
                for b in (1, 2, 4)
            ],
            better="lower",
        ),
        "sensitivity": bo.sensitivity(scores, resamples=20),
        "bayes": bo.bayes.overview(scores),
        "plackett-luce": bo.bayes.plackett_luce(scores, n_draws=400),
        "plan": bo.plan.curve(n=20),
        "race": bo.race.replay(scores),
        "power": bo.study.power(scores, 0, 1, ["sign", "holm"], draws=9),
        "known-truth": bo.study.known_truth(scores, 0, 1, ["sign", "holm"], draws=9),
        "experiment": bo.run(experiment, folder / "runs.sqlite"),
    }


@pytest.mark.slow
def test_every_result_has_a_line_a_page_and_a_fragment(tmp_path: Path) -> None:
    found = results(tmp_path)
    assert set(by_kind()) - set(found) == {"run", "study", "examined", "ranked"}, "these are the command line's"
    for kind, result in found.items():
        assert result.kind == kind
        assert repr(result).startswith(f"<{type(result).__name__}: ")
        assert "\n" not in repr(result)
        assert len(repr(result)) < 140
        assert str(result) + "\n" == render(result, "txt")
        said = result.sentence if isinstance(result, Check) else result.verdict  # check's verdict is one word
        assert str(result).split("\n")[0] in said
        html = result._repr_html_()
        assert html.lstrip().startswith('<div class="bakeoff">')
        assert html.rstrip().endswith("</div>")
        assert ("<svg" in html) == (kind != "scores")
        assert "<script" not in html
        assert "<html" not in html


@pytest.mark.slow
@pytest.mark.parametrize("call", [bo.compare, bo.bayes.overview])
def test_names_are_text(call: Any) -> None:
    values = [[1.0 + i + 3 * j * (i % 3) for j in range(4)] for i in range(12)]
    result = call(bo.Scores(values, algorithms=EVIL, better="lower"))
    assert "<script" not in result._repr_html_()
    assert "b &amp; c" in result._repr_html_()
    assert "\x1b" not in repr(result) + str(result) + result._repr_html_()


def test_the_style_stays_inside_the_fragment() -> None:
    html = bo.compare(bo.datasets.load("demsar_2006"))._repr_html_()
    rules = html.split("<style>")[1].split("</style>")[0].strip().splitlines()
    assert all(rule.startswith(".bakeoff ") for rule in rules)
