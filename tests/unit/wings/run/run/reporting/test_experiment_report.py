"""The report of an experiment: what it says is what the result holds, in every format."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import WrongTypeError
from bakeoff.figures import diagram, to_svg
from bakeoff.figures.geometry.primitives import Mark, Polygon, Stroke, Text
from bakeoff.report import document, render
from bakeoff.report.document import Table
from bakeoff.wings.run.run.figure import MeansPlot, QuantilePlot
from bakeoff.wings.run.run.reporting.sentences import basis
from document_tables import table_in
from pages import without_script
from unit.report.latex_cases import PREAMBLES, can_compile, compiled


def member(j: int) -> Any:
    def solve(problem: Any, rng: np.random.Generator) -> float:
        return float(problem[j] + 0.1 * rng.normal())

    return solve


def made(k: int = 2, n: int = 12, gap: float = 1.0, **changes: Any) -> Any:
    rng = np.random.default_rng(8)
    problems = {f"p<{i}>": rng.normal(10, 1, k) + gap * np.arange(k) for i in range(n)}
    given: dict[str, Any] = {"better": "lower", "seed": 1, "runs": 2, **changes}
    return bo.run(bo.Experiment({f"alg & {j}": member(j) for j in range(k)}, problems, **given))


KINDS: dict[str, dict[str, Any]] = {
    "t": {},
    "none shown": {"gap": -0.9},
    "wilcoxon": {"test": "wilcoxon", "alternative": "greater"},
    "sign": {"test": "sign"},
    "percent": {"differences": "percent"},
    "four": {"k": 4},
    "four signs": {"k": 4, "test": "sign", "control": "alg & 2"},
    "adaptive": {"runs": None, "repetitions": {"se": 0.05, "n0": 3, "nmax": 12}},
    "group": {"sequential": "group", "n": 30, "gap": 2.0},
    "anytime": {"sequential": "anytime", "n": 30, "gap": 2.0},
    "one problem": {"n": 1},
    "cannot": {"differences": "percent", "gap": -30.0, "control": "alg & 1"},
    "single runs": {"runs": 1},
    "many problems": {"n": 80},
}


@pytest.mark.few(1, 5)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.slow
def test_every_kind_of_result_has_a_report_in_every_format(kind: str, tmp_path: Path) -> None:
    result = made(**KINDS[kind])
    for suffix in ("html", "md", "tex", "json", "txt"):
        result.save(tmp_path / f"r.{suffix}")
        written = without_script((tmp_path / f"r.{suffix}").read_text(encoding="utf-8"))
        assert not re.search(r"\bnan\b", written, flags=re.I)
    result.save(tmp_path / "r.csv")
    if kind != "cannot":
        result.save(tmp_path / "r.svg")
    content = json.loads((tmp_path / "r.json").read_text())
    assert content["schema"] == "bakeoff.experiment/1"
    assert content["pairs"][0]["pvalue"] == result.analysis.pair.pvalue
    assert content["question"]["test"] == result.analysis.question.test
    page = without_script((tmp_path / "r.html").read_text())
    assert "p<0>" not in page
    assert "alg & 0" not in page


def rows_of(result: Any, key: str) -> list[tuple[str, ...]]:
    table = table_in(document(result), key)
    assert isinstance(table, Table)
    return [row.cells for row in table.rows]


@pytest.mark.slow
def test_the_verdict_the_table_and_the_result_agree() -> None:
    result = made(n=30)
    pair = result.analysis.pair
    report = document(result)
    assert report.verdict.startswith(f"alg & 0 is better than alg & 1, by {pair.effect.estimate:.4g} on average")
    assert "chosen before the first run" in report.basis
    (row,) = rows_of(result, "pairs")
    assert row[:3] == ("alg & 0", "alg & 1", "a better")
    assert row[4] == f"{pair.effect.estimate:.4g}"
    problems = rows_of(result, "problems")
    assert len(problems) == 30
    assert all(cells[1] == "2 + 2" and cells[-1] == "fixed" for cells in problems)


def test_no_difference_is_said_with_what_could_have_been_found() -> None:
    report = document(made(gap=-0.9))
    assert report.verdict == "No difference was shown between alg & 0 and alg & 1."
    section = report.section("power")
    assert section is not None
    assert "smaller ones may exist" in str(section.blocks[0])
    cautions = report.section("cautions")
    assert cautions is not None
    assert "A difference that is not shown may still exist" in str(cautions.blocks)


@pytest.mark.slow
def test_several_pairs_and_looks() -> None:
    result = made(k=4, n=30, gap=1.5, sequential="group")
    assert "pairs: alg & 0 beats" in document(result).verdict
    looks = rows_of(result, "looks")
    assert [cells[1] for cells in looks] == [str(x.n) for x in result.analysis.looks]
    assert "do not" in str(table_in(document(result), "pairs").note)  # type: ignore[union-attr]
    assert document(made()).section("looks") is None


@pytest.mark.parametrize("kind", ["t", "group", "anytime"])
def test_the_line_below_the_verdict_counts_problems_and_runs(kind: str) -> None:
    result = made(**KINDS[kind])
    looks = result.analysis.looks
    assert result.analysis.stopped_early == (kind != "t")
    problems = f"stopped after {looks[-1].n} of 30 problems" if looks else "12 problems"
    assert f"; {problems}, {result.n_runs} runs; p " in basis(result)


@pytest.mark.slow
def test_checks_are_shown_for_means_and_not_for_signs() -> None:
    section = document(made(n=20)).section("checks")
    assert section is not None
    text = str(section.blocks)
    assert "chosen before the first run; nothing here changes it" in text
    assert "Shapiro–Wilk W = " in text
    assert document(made(test="sign")).section("checks") is None


def test_the_command_line_is_in_the_provenance() -> None:
    text = render(made(), "md", "bakeoff run x.toml")
    assert "bakeoff run x.toml" in text


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["four", "anytime", "wilcoxon", "t", "many problems"])
def test_latex_compiles(kind: str, tmp_path: Path) -> None:
    if not can_compile():
        pytest.skip("no pdflatex with lmodern, booktabs and tikz here")
    made(**(KINDS[kind] | ({"alternative": "greater"} if kind == "t" else {}))).save(tmp_path / "report.tex")
    assert compiled(tmp_path, PREAMBLES["article"], ["report"])[1] == []


# --- figures ----------------------------------------------------------------------------------------------------


def test_the_forest_is_drawn_from_the_estimates() -> None:
    result = made(n=12)
    drawing = diagram(result)
    marks = [i for i in drawing.items if isinstance(i, Mark) and i.role == "estimate"]
    lines = [i for i in drawing.items if isinstance(i, Stroke) and i.role == "interval"]
    assert len(marks) == len(lines) == 12
    ordered = sorted(result.estimates, key=lambda e: e.difference)
    assert [m.about[0] for m in marks] == [e.problem for e in ordered]
    (zero,) = (i for i in drawing.items if isinstance(i, Stroke) and i.role == "no difference")
    assert all((m.x > zero.x1) == (e.difference > 0) for m, e in zip(marks, ordered, strict=True))
    scale = (marks[-1].x - marks[0].x) / (ordered[-1].difference - ordered[0].difference)
    for line, e in zip(lines, ordered, strict=True):
        assert line.x2 - line.x1 == pytest.approx(2 * 1.96 * e.standard_error * scale, rel=1e-9)
    (diamond,) = (i for i in drawing.items if isinstance(i, Polygon) and i.role == "overall")
    effect = result.analysis.pair.effect
    assert diamond.points[2][0] - diamond.points[0][0] == pytest.approx((effect.high - effect.low) * scale, rel=1e-9)
    for text in (i for i in drawing.items if isinstance(i, Text)):
        left, _, right, _ = text.box
        assert left >= 0
        assert right <= drawing.width + 0.5


@pytest.mark.slow
def test_many_problems_have_no_names_and_shares_turn_around_one_half() -> None:
    many = diagram(made(n=80))
    assert not [i for i in many.items if isinstance(i, Text) and i.role == "name" and i.text != "mean difference"]
    assert many.height < 500
    shares = diagram(made(k=3, test="sign"))
    assert "above 0.5" in shares.description


def test_quantiles_and_means() -> None:
    x = np.sort(np.random.default_rng(0).normal(size=30))
    from bakeoff.wings.run.analysis.results import normality_checks

    found = normality_checks(x)
    qq = diagram(QuantilePlot(normal_quantiles=found.normal_quantiles, ordered=x, caption="c"))  # type: ignore[arg-type]
    marks = [i for i in qq.items if isinstance(i, Mark)]
    assert len(marks) == 30
    assert all(a.x < b.x and a.y >= b.y for a, b in itertools.pairwise(marks))
    means = diagram(MeansPlot(means=found.bootstrap_means, caption="c", unit="u"))  # type: ignore[arg-type]
    assert "<svg" in to_svg(means)
    for equal in (np.zeros(5), np.full(5, 3.0)):
        diagram(QuantilePlot(normal_quantiles=found.normal_quantiles[:5], ordered=equal, caption="c"))  # type: ignore[arg-type]
        diagram(MeansPlot(means=equal, caption="c", unit="u"))  # type: ignore[arg-type]


def test_nothing_else_is_taken() -> None:
    with pytest.raises(WrongTypeError, match=r"bo\.run"):
        document(3)  # type: ignore[arg-type]
