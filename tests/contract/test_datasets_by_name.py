"""The tables that come with bakeoff are named like files: on the command line, and in Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError

NAME = "derrac_cec2005"


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def done(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize("command", ["compare", "bayes", "leaderboard", "iqm", "profile", "ratings", "evaluate"])
def test_a_name_is_read_as_its_file_would_be(command: str, empty_folder: Path) -> None:
    done("datasets", "--write", NAME)
    of_file = json.loads(done(command, f"{NAME}.csv", "--better", "lower", "--json"))
    of_name = json.loads(done(command, NAME, "--better", "lower", "--json"))
    assert of_name["verdict"] == of_file["verdict"]
    assert of_name["input_sha256"] == of_file["input_sha256"]
    assert of_name["scores"] == of_file["scores"] | {"source": "derrac_cec2005: Derrac et al., 2011, Table 1"}


@pytest.mark.parametrize("suffix", [".md", ".html", ".tex"])
def test_the_report_names_the_source(suffix: str, empty_folder: Path) -> None:
    done("compare", NAME, "--better", "lower", "--report", f"report{suffix}")
    text = (empty_folder / f"report{suffix}").read_text(encoding="utf-8").replace("\\", "")
    assert "Derrac et al., 2011, Table 1" in text


def test_its_direction_is_known_and_the_other_refused() -> None:
    assert done("compare", "garcia_2010") == done("compare", "garcia_2010", "--better", "higher")
    said = done("compare", "garcia_2010", "--better", "lower", code=2)
    assert "--better must be 'higher' for garcia_2010, whose scores are accuracies; got 'lower'" in said
    assert "bakeoff compare garcia_2010 --better higher" in done("garcia_2010")


def test_a_file_of_that_name_wins(empty_folder: Path) -> None:
    (empty_folder / NAME).write_text("problem,A,B\nx,1,2\ny,3,4\n")
    assert "2 problems" in done("compare", NAME, "--better", "higher")
    assert bo.read_scores(NAME, "higher").algorithms == ("A", "B")


@pytest.mark.parametrize("name", ["derrac_cec2050", "derrac-cec2005", "derrac_cec2005.csv", "Derrac_CEC2005"])
@pytest.mark.parametrize("more", [[], ["--better", "lower"]])
def test_a_misspelt_name_is_answered(name: str, more: list[str]) -> None:
    assert "there is no such file" in (said := done("compare", name, *more, code=2))
    assert "did you mean 'derrac_cec2005'?" in said


def test_in_python() -> None:
    assert bo.compare("garcia_2010").verdict == bo.compare(bo.datasets.load("garcia_2010")).verdict
    assert bo.wilcoxon(NAME, "PSO", "CHC", better="lower").pvalue > 0
    with pytest.raises(ParameterError, match="must be 'lower'"):
        bo.friedman(NAME, better="higher")


def test_a_report_verifies_against_the_name_and_a_copy() -> None:
    done("datasets", "--write", "demsar_2006")
    done("compare", "demsar_2006", "--report", "by-name.json")
    done("compare", "demsar_2006.csv", "--better", "higher", "--report", "of-copy.json")
    for report in ("by-name.json", "of-copy.json"):
        for table in ("demsar_2006", "demsar_2006.csv"):
            assert "agree to the last digit" in done("verify", report, table)


def test_the_list_has_source_size_and_direction() -> None:
    listed = done("datasets")
    for name in bo.datasets.names():
        scores = bo.datasets.load(name)
        assert f"{name}  {scores.n_problems} problems × {scores.n_algorithms} algorithms" in listed
        assert f"{scores.better} is better" in done("datasets", name)
        assert " ".join(done("datasets", name).split()).endswith(bo.datasets.source(name))


def test_a_copy_is_not_written_over_a_file() -> None:
    assert done("datasets", "--write", NAME) == "wrote derrac_cec2005.csv (--better lower)\n"
    assert bo.read_scores(f"{NAME}.csv", "lower").values.tolist() == bo.datasets.load(NAME).values.tolist()
    assert "delete it" in done("datasets", "--write", NAME, code=2)
    assert "did you mean 'garcia_2010'" in done("datasets", "--write", "garcia_2011", code=2)
