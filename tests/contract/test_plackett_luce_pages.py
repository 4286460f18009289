"""``bakeoff bayes --method plackett-luce``, its reports, its diagram, and their verification."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.figures.geometry.primitives import Mark, Stroke, Text

CEC = str(Path(bo.__file__).parent / "datasets" / "derrac_cec2005.csv")
ASKED = (CEC, "--better", "lower", "--method", "plackett-luce", "--draws", "400")


def bayes(*args: str) -> Result:
    return CliRunner().invoke(main, ["bayes", *args])


@pytest.mark.slow
def test_the_page_has_both_probabilities_and_the_check() -> None:
    result = bayes(*ASKED)
    assert result.exit_code == 0, result.stderr
    said = " ".join(result.stdout.split())
    assert said.startswith("DE-Exp is the strongest with probability 0.")
    assert "and first on the next problem with probability 0.2" in said
    assert "P(first) 95 % interval P(strongest)" in said
    assert "IPOP-CMA-ES was first with a share of 0.32, but P(first) is 0.07" in said
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


@pytest.mark.slow
def test_json_is_that_of_the_library_and_verifies(tmp_path: Path) -> None:
    content = json.loads(bayes(*ASKED, "--json").stdout)
    assert content.pop("command").startswith("bakeoff bayes ")
    found = bo.bayes.plackett_luce(bo.read_scores(CEC, "lower"), n_draws=400)
    assert content == found.to_dict()
    assert content["schema"] == "bakeoff.bayes-plackett-luce/1"
    assert [row["algorithm"] for row in content["strengths"]] == list(found.algorithms)
    assert len(content["pairs"]) == 36
    assert bo.verify(found).ok
    content["strengths"][0]["p_best"] += 0.001
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content))
    assert not bo.verify(path).ok


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--rope", "0.1"), "--rope belongs to --method overview; with plackett-luce leave it out"),
        (("--control", "PSO"), "--control belongs to --method overview; with plackett-luce --only NAME compares"),
        (("--prior", "flat"), "--prior belongs to --method overview"),
        (("--prior-strength", "0"), "--prior-strength must be"),
    ],
)
def test_what_does_not_belong_to_it(more: tuple[str, str], said: str) -> None:
    result = bayes(*ASKED, *more)
    assert result.exit_code != 0
    assert result.stdout == ""
    assert said in result.stderr


def test_an_unknown_method() -> None:
    result = bayes(CEC, "--better", "lower", "--method", "placket-luce")
    assert result.exit_code != 0
    assert "did you mean --method plackett-luce?" in result.stderr


@pytest.mark.slow
def test_some_algorithms_alone_and_missing_scores(tmp_path: Path) -> None:
    found = json.loads(bayes(*ASKED, "--only", "PSO", "--only", "CHC", "--json").stdout)
    assert found["n_algorithms"] == 2
    path = tmp_path / "holes.csv"
    path.write_text("problem,a,b,c\n" + "".join(f"p{i},{i},,{i + 1 if i % 2 else 0}\n" for i in range(5)) + "q,1,2,3\n")
    content = json.loads(
        bayes(str(path), "--better", "lower", "--method", "plackett-luce", "--missing", "keep", "--json").stdout
    )
    assert content["n_partial"] == 5


@pytest.mark.slow
def test_the_diagram_shows_what_the_result_says() -> None:
    found = bo.bayes.plackett_luce(bo.datasets.load("derrac_cec2005"), n_draws=400)
    for width in (80, 160):
        drawing = bo.diagram(found, width_mm=width)
        marks = {(i.role, *i.about): i.x for i in drawing.items if isinstance(i, Mark)}
        lines = {i.about[0]: (i.x1, i.x2) for i in drawing.items if isinstance(i, Stroke) and i.role == "interval"}
        for i, name in enumerate(found.algorithms):
            low, high = lines[name]
            assert low < marks["estimate", name] < high
            seen, p = found.first_places[i], found.p_first[i]
            assert (marks["seen", name] > marks["estimate", name]) == (seen > p)
        names = [i.text for i in drawing.items if isinstance(i, Text) and i.role == "name"]
        assert names[0] == "DE-Exp"
        assert len(names) == 9
