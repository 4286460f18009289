"""What new users of version 0.1.0 stumbled over: items of the review, part U, without a test elsewhere."""

from __future__ import annotations

import inspect
import io
import re
import xml.etree.ElementTree as ET
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

import bakeoff as bo
from bakeoff.analyses.compare.statistics.results import Pair
from bakeoff.cli import main
from bakeoff.words import tiers

ROOT = Path(__file__).parents[2]
DEMSAR = bo.datasets.load("demsar_2006")


def answers(n: int = 800) -> bo.Scores:
    """Right or wrong answers of three models to the same questions, with accuracies near .75, .74 and .60."""
    rng = np.random.default_rng(1)
    hard = rng.uniform(size=n)
    right = [0.6 * hard + 0.4 * rng.uniform(size=n) < level for level in (0.68, 0.67, 0.57)]
    return bo.Scores(np.column_stack(right).astype(float), ["gpt-x", "claude-y", "mistral-z"], better="higher")


@pytest.mark.slow
def test_right_and_wrong_answers_are_compared_with_the_power_of_mcnemar() -> None:
    """U-A2: the default, not corrected for ties, had p = 3e-4 where McNemar's test had 7e-8. U-A11: and a caution."""
    scores = answers()
    result = bo.compare(scores)
    pair = result.pair("gpt-x", "mistral-z")
    assert pair.pvalue == pytest.approx(bo.mcnemar(scores, "gpt-x", "mistral-z").pvalue, rel=1e-9)
    ranks = bo.compare(scores, pairwise="mean-ranks").pair("gpt-x", "mistral-z")  # U-B2: "corrected for ties"
    papers = bo.compare(scores, pairwise="mean-ranks", standard_error="papers").pair("gpt-x", "mistral-z")
    assert ranks.pvalue < 1e-3 * papers.pvalue
    assert "pool-dependent" not in {caution.code for caution in result.cautions}


def test_nemenyi_is_the_test_with_the_critical_difference() -> None:
    """U-A12: it was m·p, without a CD; "bonferroni" of all pairs was refused. U-B5: and cited Nemenyi (1963)."""
    result = bo.compare(DEMSAR, posthoc="nemenyi")
    k, n = 4, 14
    assert result.critical_difference == pytest.approx(
        stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n)), rel=1e-6
    )
    for pair in result.pairs:
        q = abs(pair.statistic) * np.sqrt(2)
        assert pair.adjusted["nemenyi"] == pytest.approx(stats.studentized_range.sf(q, k, np.inf), rel=1e-6)
    plain = bo.compare(DEMSAR, posthoc="bonferroni")
    assert all(p.adjusted["bonferroni"] == min(1.0, 6 * p.pvalue) for p in plain.pairs)
    assert "nemenyi1963" not in plain.to_dict()["references"]


@pytest.mark.parametrize("role", ["problem", "algorithm", "score", "run"])
def test_the_words_of_docs_names_are_recognised(role: str) -> None:
    """U-A17: only dataset, instance, method, classifier, model, value, repetition, seed were. U-A16: question."""
    usual = {"problem": "problem", "algorithm": "algorithm", "score": "score", "run": "run"}
    for word in (word for line in tiers(role) for word in line):
        heads = list((usual | {role: word.title()}).values())
        rows = [[f"p{i}", name, x + i, run] for i in range(2) for name, x in (("A", 1), ("B", 2)) for run in (1, 2)]
        found = bo.read_scores([dict(zip(heads, row, strict=True)) for row in rows], better="lower")
        assert (found.algorithms, found.n_problems, found.n_runs.tolist()) == (("A", "B"), 2, [[2, 2], [2, 2]]), word


def test_a_table_of_questions_and_passages_is_read() -> None:
    """U-A16: "no columns algorithm and score", where both were there."""
    rows = [f"q{i},p{i // 2},{model},1,{int((i + j) % 3 > 0)}" for i in range(6) for j, model in enumerate("xy")]
    text = "question,passage,model,run,score\n" + "\n".join(rows) + "\n"
    found = bo.read_scores(io.StringIO(text), better="higher")
    assert (found.algorithms, found.n_problems) == (("x", "y"), 6)


def test_diagram_and_table_round_alike(tmp_path: Path) -> None:
    """U-A25, U-B18: 2.92 and 4.03 in the diagram, 2.925 and 4.025 in the table."""
    ranks = np.array([[1, 2, 3]] * 27 + [[2, 1, 3]] * 13, dtype=float)  # mean ranks 1.325, 1.675, 3
    result = bo.compare(bo.Scores(ranks, ["a", "b", "c"], better="lower"))
    texts = [text for text in ET.fromstring(bo.diagram(result)._repr_svg_()).itertext() if text.strip()]
    for shown in ("1.325", "1.675"):
        assert shown in texts
        assert shown in str(result)


def test_names_are_found_and_modules_are_not_offered() -> None:
    """U-A27: ``bo.diagram`` was an AttributeError without a hint. U-A28: 42 internal modules in ``bo.bayes.<TAB>``."""
    assert callable(bo.diagram)
    with pytest.raises(AttributeError, match="did you mean 'diagram'"):
        bo.diagramm  # type: ignore[attr-defined]  # noqa: B018
    for module in (bo.bayes, bo.plan, bo.datasets, bo.study):
        offered = [name for name in dir(module) if not name.startswith("_")]
        assert offered
        assert set(offered) <= set(module.__all__)
        assert not [name for name in offered if inspect.ismodule(getattr(module, name))]


@pytest.mark.parametrize("kind", [bo.Comparison, Pair])
def test_every_field_is_documented(kind: type) -> None:
    """U-A29: "The result of compare()." and 20 bare slots."""
    text = inspect.getdoc(kind) or ""
    assert [f.name for f in fields(kind) if not re.search(rf"^[\w, ]*\b{f.name}\b", text, re.M)] == []


def test_effects_are_printed_at_80_columns_and_in_a_pipe(tmp_path: Path) -> None:
    """U-A9, U-B15: columns vanished without a word, the constant column stayed, and COLUMNS was ignored."""
    values = np.random.default_rng(0).normal(size=(40, 8), scale=0.3) + 0.6 * np.arange(8)
    lines = ["problem," + ",".join("ABCDEFGH"), *(f"p{i}," + ",".join(map(str, row)) for i, row in enumerate(values))]
    (tmp_path / "s.csv").write_text("\n".join(lines) + "\n")
    asked = ["compare", str(tmp_path / "s.csv"), "--better", "lower", "--details"]
    page = CliRunner().invoke(main, asked, env={"COLUMNS": "80"}).stdout
    table = page.split("Pairs that differ")[1].split("\n\n")[0]
    assert "[interval]" in table
    assert "verdict: first better in every row" in " ".join(table.split())
    assert "Columns left out to fit the page: rank-biserial" in " ".join(table.split())
    assert max(map(len, page.splitlines())) <= 80
    wide = CliRunner().invoke(main, asked, env={"COLUMNS": "160"}).stdout
    table = wide.split("Pairs that differ")[1].split("\n\n")[0]
    assert "rank-biserial" in table
    assert "left out" not in table


def test_numbers_of_a_page_have_true_signs(tmp_path: Path) -> None:
    """U-A39: hyphens for minus signs, and p = 4.65e-6 in the text to paste. Small: not every figure is a tab stop."""
    result = bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE")
    result.save(tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    page = re.sub(r"<(style|svg|script)\b.*?</\1>|href=\"data:[^\"]*\"", "", page, flags=re.S)
    text = re.sub(r"<[^>]*>", " ", page.split("Provenance")[0])
    assert "p = 4.65×10⁻⁶" in text
    assert not re.findall(r"\d[eE]-\d", text)
    assert not re.findall(r"(?<=[\s\[(])-\d", text)
    assert not re.search(r"<figure[^>]*tabindex", page)


OLD = (
    *("Those left", "Those that left", "Who is left", "is ever removed", "nothing is promised: by", "Draws of what"),
    *("Accepted is what has", "lies on the edge of the region that holds", "Mend it and start", "all as it should be"),
    *("all runs that were asked for", "An estimate, not a plan", "quantile of the normal law", "are dear"),
    *("would turn the result round", "Omnibus test: that all", "even differences too small to matter"),
)


@pytest.mark.slow
def test_sentences_that_readers_stumbled_over_are_gone() -> None:
    """U-F, and U-A31: "those that left" meant the survivors."""
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    found = [(page.name, old) for page in pages for old in OLD if old in " ".join(page.read_text("utf-8").split())]
    assert found == []
