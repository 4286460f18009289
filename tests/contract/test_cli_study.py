"""``bakeoff study``: a table in Markdown or JSON, the same for equal seeds, and what it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.cli import main

RACE = ("race", "--candidates", "4", "--rounds", "10", "--repetitions", "8")
ERRORS = ("race-errors", "--candidates", "3", "--problems", "40", "--repetitions", "20")


def study(*words: str) -> Result:
    return CliRunner().invoke(main, ["study", *words])


def test_the_choices_of_races_are_a_row_for_each_method(tmp_path: Path) -> None:
    target = tmp_path / "study.md"
    shown = study(*RACE, "--method", "e-sign,irace", "--option", "gate=false", "--report", str(target))
    assert shown.exit_code == 0, shown.stderr
    assert all(len(line) <= 80 for line in shown.stdout.split("\nWritten: ")[0].splitlines())
    rows = [line for line in target.read_text().splitlines() if line.startswith("| ") and "---" not in line]
    assert [row.split(" | ")[0] for row in rows] == ["| method", "| e-sign", "| irace (gate = False)"]
    assert len({row.count("|") for row in rows}) == 1
    kept = bo.study.race("e-sign", 4, rounds=10, repetitions=8)
    assert f"{kept.iterations:.2f} ± {kept.iterations_error:.2f} | {kept.mae:.2f} ± {kept.mae_error:.2f}" in rows[1]
    said = " ".join(shown.stdout.split())
    for words in (f"{kept.iterations:.2f} ± {kept.iterations_error:.2f}", f"{kept.mae:.2f} ± {kept.mae_error:.2f}"):
        assert words in said
    assert "8 races a row, seed 0" in said
    assert "irace: This rule repeats its test at every look" in said


def test_the_errors_of_races_come_with_an_interval() -> None:
    shown = study(*ERRORS, "--method", "e-sign", "--method", "f-race-sign")
    assert shown.exit_code == 0, shown.stderr
    # R 4.2.2: binom.test(0, 20)$conf.int is 0.0000000 0.1684335
    assert re.search(r"^e-sign +0\.0 % \(0\.0 to 16\.8\)", shown.stdout, flags=re.M)
    assert "3 candidates, all equal" in shown.stdout
    some = study(*ERRORS, "--best", "2", "--chance", "0.7")
    said = " ".join(some.stdout.split())
    assert "2 equal and best of 3 candidates, each beating the other 1 with probability 0.7" in said


def test_json_has_the_fields_of_the_results() -> None:
    for words, name in ((RACE, "race"), (ERRORS, "race-errors")):
        content = json.loads(study(*words, "--json", "--seed", "3", "--option", "strict=true").stdout)
        assert content["schema"] == f"bakeoff.study.{name}/1"
        assert content["seed"] == 3
        (one,) = content["studies"]
        assert one["method"] == "e-sign"
        assert one["options"] == {"strict": True}
        assert content["versions"] == {"bakeoff": bo.__version__}


@pytest.mark.slow
def test_a_seed_settles_everything() -> None:
    first = study(*ERRORS, "--method", "bayes", "--seed", "5").stdout
    assert study(*ERRORS, "--method", "bayes", "--seed", "5").stdout == first
    assert study(*RACE, "--seed", "5").stdout != study(*RACE, "--seed", "6").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("race", "--method", "irase"), "did you mean 'irace'"),
        (("race", "--method", "e-dominance"), "--method must be one of"),
        (("race", "--candidates", "1"), "--candidates must be a whole number"),
        (("race", "--repetitions", "1"), "--repetitions must be a whole number between 2"),
        (("race", "--method", "sequential-halving"), "--budget B is needed"),
        (("race", "--budget", "100"), "--budget is for sequential-halving"),
        (("race", "--option", "strickt=true"), "did you mean 'strict'"),
        (("race", "--option", "strict"), "--option must be NAME=VALUE"),
        (("race", "--option", "strict=no"), "strict must be True or False"),
        (("race-errors", "--method", "bayes", "--option", "rng=3"), "say --seed S"),
        (("race-errors", "--chance", "0.4"), "--chance must be at least 0.5"),
        (("race-errors", "--noise", "t3"), "--noise must be one of"),
        (("race-errors", "--best", "11"), "--best must be a whole number"),
    ],
)
def test_mistakes_are_one_line_in_the_words_of_the_command(words: tuple[str, ...], said: str) -> None:
    shown = study(*words)
    assert shown.exit_code == 2
    assert shown.stdout == ""
    assert said in shown.stderr
    assert shown.stderr.count("\n") == 1


def test_a_poor_encoding_gets_a_spelt_page() -> None:
    shown = CliRunner(charset="ascii").invoke(main, ["study", *RACE])
    assert shown.exit_code == 0
    assert " +- " in shown.stdout
    assert "?" not in shown.stdout


# --- power ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def accuracies(tmp_path: Path) -> Path:
    path = tmp_path / "accuracy.csv"
    bo.datasets.load("garcia_2010").to_frame().to_csv(path, index=False)
    return path


PAIR = ("--better", "higher", "--a", "PDFC", "--b", "NNEP", "--draws", "40")


def test_power_on_a_page(accuracies: Path) -> None:
    shown = study("power", str(accuracies), *PAIR, "--test", "wilcoxon,sign", "--test", "holm", "--bias", "0,20")
    assert shown.exit_code == 0, shown.stderr
    assert all(len(line) <= 80 for line in shown.stdout.splitlines())
    found = bo.study.power(
        bo.datasets.load("garcia_2010"), "PDFC", "NNEP", ["wilcoxon", "sign", "holm"], bias=(0, 20), draws=40
    )
    row = next(line for line in shown.stdout.splitlines() if line.startswith("Wilcoxon"))
    assert row.split()[-2:] == [str(found.row("wilcoxon", k).rejections) for k in (0, 20)]
    assert "Problems are drawn knowing the result" in " ".join(shown.stdout.split())


@pytest.mark.slow
def test_power_in_every_format(accuracies: Path, tmp_path: Path) -> None:
    for options, schema in (((), "power"), (("--shift", "0,1", "--null", "all"), "known-truth")):
        targets = [tmp_path / f"{schema}.{suffix}" for suffix in ("html", "md", "tex", "json", "csv", "xlsx", "svg")]
        words = [x for target in targets for x in ("--report", str(target))]
        done = study("power", str(accuracies), *PAIR, "--test", "t,friedman,li,compare", *options, *words)
        assert done.exit_code == 0, done.stderr
        html, md, tex, content, csv = (target.read_text(encoding="utf-8") for target in targets[:5])
        assert html.count("<svg") >= 3
        assert "Bouckaert" in md or schema == "known-truth"
        assert r"\begin{tabular" in tex
        found = json.loads(content)
        assert found["schema"] == f"bakeoff.study.{schema}/1"
        assert found["rows"][0]["rejections_se"] >= 0
        assert csv.splitlines()[0].startswith("test,k,draws,rejections," if schema == "power" else "test,shift,errors,")
        assert len(csv.splitlines()) == 1 + 4 * (5 if schema == "power" else 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--bias", "0;5"), "--bias must be numbers with commas"),
        (("--scale", "1,5"), "--scale must be sd or a number"),
        (("--null", "all"), "--null needs --shift"),
        (("--shift", "0,1", "--bias", "3"), "--bias has no meaning with --shift"),
        (("--shift", "1"), "--shift must have 0 among them"),
        (("--size", "25"), "--size must be a whole number between 2 and 24"),
        (("--test", "wilcoxn"), "--test must be one of"),
        (("--b", "PDFC"), "must be two different algorithms"),
    ],
)
def test_what_power_refuses(accuracies: Path, words: tuple[str, ...], said: str) -> None:
    shown = study("power", str(accuracies), *PAIR, *words)
    assert shown.exit_code != 0
    assert said in shown.stderr


def test_power_needs_a_pair_a_direction_and_a_unit(accuracies: Path, tmp_path: Path) -> None:
    assert "--b NAME is required" in study("power", str(accuracies), "--better", "higher", "--a", "PDFC").stderr
    assert "--better is required" in study("power", str(accuracies), "--a", "PDFC", "--b", "NNEP").stderr
    path = tmp_path / "errors.csv"
    bo.datasets.load("derrac_cec2005").to_frame().to_csv(path, index=False)
    words = ("power", str(path), "--better", "lower", "--a", "SaDE", "--b", "PSO", "--draws", "5")
    assert "--scale is needed" in study(*words).stderr
    assert study(*words, "--scale", "sd", "--test", "sign").exit_code == 0
