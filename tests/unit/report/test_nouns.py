"""Algorithms and problems by other names: in sentences, not in names, code or citations."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.cli import main
from bakeoff.errors import ParameterError
from bakeoff.report.appearance import Appearance
from bakeoff.report.formats import FORMATS, Report
from bakeoff.report.kinds import kind_of
from bakeoff.report.nouns import parsed, renamed

WORDS = {"algorithms": "methods", "problems": "data sets"}
NAMED = bo.Scores(np.arange(36.0).reshape(12, 3) ** 1.1, ["an algorithm of ours", "problems", "svm"], better="lower")


def said(result: bo.Comparison, format: str, **words: str) -> str:
    return FORMATS[format](Report(kind_of(result), result, None, Appearance(nouns=words)))


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


def test_it_is_asked_for_on_the_command_line(tmp_path: object) -> None:
    table = "p,a,b\n" + "".join(f"{i},{i / 7:.3f},{i / 6 + 1:.3f}\n" for i in range(12))
    asked = ["compare", "-", "--better", "lower"]
    done = CliRunner().invoke(main, [*asked, "--call", "algorithms=methods,problems=data sets"], input=table)
    assert "12 data sets (rows, from “p”) × 2 methods (columns)." in done.stdout
    for wrong, why in (("algorithm=methods", "did you mean 'algorithms'"), ("problems=data", "end in s")):
        refused = CliRunner().invoke(main, [*asked, "--call", wrong], input=table)
        assert refused.exit_code == 2
        assert "--call" in refused.stderr
        assert why in refused.stderr


def test_the_words_are_read() -> None:
    assert parsed("problems=data sets") == {"problems": "data sets"}
    for wrong in ("", "x=ys", "problems", "problems=1s"):
        with pytest.raises(ParameterError):
            parsed(wrong)
