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
