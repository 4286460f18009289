"""Algorithms and problems by other names: in sentences, not in names, code or citations."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.cli import main
from bakeoff.report.formats import FORMATS, Report
from bakeoff.report.kinds import kind_of
from bakeoff.report.nouns import KNOWN, nouns_of_table, renamed

WORDS = {"algorithms": "methods", "problems": "data sets"}
NAMED = bo.Scores(np.arange(36.0).reshape(12, 3) ** 1.1, ["an algorithm of ours", "problems", "svm"], better="lower")


def said(result: bo.Comparison, format: str, **words: str) -> str:
    return FORMATS[format](Report(replace(kind_of(result), nouns=words), result, None))


def _both(result: bo.Comparison, format: str) -> tuple[str, str]:
    return said(result, format), said(result, format, **WORDS)


@pytest.mark.parametrize("format", ["txt", "md", "html"])
def test_a_report_speaks_of_methods_and_data_sets(format: str) -> None:
    result = bo.compare(bo.datasets.load("demsar_2006"))
    usual, called = (re.sub(r"<(svg|script).*?</\1>", "", page, flags=re.S) for page in _both(result, format))
    assert "4 algorithms" in usual
    assert "4 methods" in called
    assert "14 data sets" in called
    assert "4 algorithms" not in called
    assert "14 problems" not in called


def test_names_and_titles_of_papers_stay() -> None:
    called = said(bo.compare(NAMED), "md", **WORDS)
    assert "an algorithm of ours" in called
    assert "| problems |" in called
    assert "a method of ours" not in called
    papers = said(bo.compare(bo.datasets.load("derrac_cec2005"), "SaDE", recipe="derrac-2011"), "md", **WORDS)
    assert "evolutionary and swarm intelligence algorithms" in papers.replace("\n", " ")  # Derrac et al. (2011)


def test_the_article_follows() -> None:
    document = report.document(bo.compare(NAMED))
    changed = renamed(
        document.__class__(
            title="An algorithm on a problem; per-problem, --unit problem", verdict="", basis="", sections=()
        ),
        {"algorithms": "methods", "problems": "instances"},
    )
    assert changed.title == "A method on an instance; per-problem, --unit problem"


def test_an_evaluation_is_of_models_and_questions() -> None:
    values = (np.arange(120).reshape(40, 3) % 7 < [[3, 4, 5]]).astype(float)
    page = str(bo.evaluate(bo.Scores(values, better="higher")))
    assert "40 questions (rows) × 3 models (columns)" in page
    assert "algorithm" not in page
    assert "problem" not in page.split("Notes")[0]


DATASETS = "dataset,classifier,accuracy\n" + "".join(
    f"d{i},c{j},{0.5 + 0.03 * j + (i * (j + 2)) % 7 / 100}\n" for i in range(12) for j in range(3)
)


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("dataset,classifier", {"problems": "datasets", "algorithms": "classifiers"}),
        ("Data_Set,Model", {"problems": "data sets", "algorithms": "models"}),
        ("instance,solvers", {"problems": "instances", "algorithms": "solvers"}),
        ("problem,algorithm", {}),
        ("function,framework", {}),  # nouns for much else, too
    ],
)
def test_a_table_that_names_its_columns_by_a_known_noun_is_called_so(
    head: str, words: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(DATASETS.replace("dataset,classifier", head))
    names = dict(zip(("problem", "algorithm"), head.split(","), strict=True))
    result = bo.compare(bo.read_scores(path, better="higher", **names))
    assert nouns_of_table(result) == words
    page = str(result)
    assert f"12 {words.get('problems', 'problems')} " in page
    assert f"3 {words.get('algorithms', 'algorithms')} " in page


@pytest.mark.parametrize("command", ["compare", "evaluate", "leaderboard", "bayes"])
def test_every_command_speaks_the_words_of_the_table(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(DATASETS)
    printed = CliRunner().invoke(main, [command, "t.csv", "--better", "higher"]).output
    assert "12 datasets" in printed
    output = re.sub(r"\([\w-]+\): ", ": ", printed)  # the objects of cautions stay, as explain knows them
    assert not re.search(r"\b(problems|questions|models|algorithms)\b", output)


def test_the_script_of_a_page_knows_the_same_nouns() -> None:
    script = (files("bakeoff.wings.page") / "script" / "page" / "examine.js").read_text(encoding="utf-8")
    for noun, words in re.findall(r'(algorithm|problem): "(.*)"', script):
        assert {word for word in KNOWN[f"{noun}s"] if not re.fullmatch(words, word)} == set()


def test_a_page_in_the_words_of_its_table_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(DATASETS)
    bo.compare(bo.read_scores(path, better="higher")).save(tmp_path / "r.html")
    assert "12 datasets" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert bo.verify(tmp_path / "r.html").ok
