"""Results at the prompt and in a notebook: one line, a page, a piece of HTML."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.analyses import by_kind
from bakeoff.errors import ParameterError
from bakeoff.report import render
from bakeoff.wings.guard.check.statistics import Check
from every_kind import RESULTS

EVIL = ["<script>alert(1)</script>", "b & c", "\x1b[31mred", "$x_1$"]


@pytest.mark.slow
def test_every_result_has_a_line_a_page_and_a_fragment() -> None:
    assert set(by_kind()) == set(RESULTS)
    for kind in set(RESULTS) - {"run"}:  # that is the command line's
        result = RESULTS[kind]()
        assert result.kind == kind
        assert repr(result).startswith(f"<{type(result).__name__}: ")
        assert "\n" not in repr(result)
        assert len(repr(result)) < 140
        assert str(result).split("\n")[0] == render(result, "txt").split("\n")[0]  # a screen, or the whole
        said = result.sentence if isinstance(result, Check) else result.verdict  # check's verdict is one word
        assert said.split(". ")[0].rstrip(".") in " ".join(str(result).split())
        html = result._repr_html_()
        assert html.lstrip().startswith('<div class="bakeoff">')
        assert html.rstrip().endswith("</div>")
        assert ("<svg" in html) == (kind not in ("scores", "bayes-folds"))
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
    assert all(
        rule.startswith((".bakeoff ", ".bakeoff.bakeoff ", ".bakeoff:is(")) for rule in rules
    )  # twice: above Jupyter's own


def test_bold_is_what_differs() -> None:
    """p = 0.760 was as bold as 8.2e-7 (N7)."""
    html = bo.compare(bo.datasets.load("demsar_2006"))._repr_html_()
    assert ".bakeoff tr.strong td.key, .bakeoff td.best { font-weight: bold; }" in html
    assert not re.search(r"(^|,) *\.bakeoff td\.key", html, re.MULTILINE)
    assert ".bakeoff.bakeoff tbody th { text-align: left; }" in html


def test_a_report_to_explore_is_the_page_in_a_frame_of_its_own(tmp_path: Path) -> None:
    values = [[1.0 + i + 3 * j * (i % 3) for j in range(4)] for i in range(12)]
    result = bo.compare(bo.Scores(values, algorithms=[*EVIL[:3], "'\"></iframe>"], better="lower"))
    shown = result.explore(height=300)
    frame = shown._repr_html_()
    assert frame.count("<") == 2  # of the frame alone: what is in it is text
    assert 'sandbox="allow-scripts"' in frame
    assert "height: 300px" in frame
    inner = unescape(re.search(r'srcdoc="([^"]*)"', frame)[1])  # type: ignore[index]
    assert inner == shown.page == render(result, "html")
    shown.save(tmp_path / "r.html")
    assert bo.verify(tmp_path / "r.html").ok
    assert "save" in repr(shown)
    with pytest.raises(ParameterError, match="height"):
        result.explore(height=1)
