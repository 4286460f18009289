"""The script in an HTML report: allowed by its hash and by nothing else, and without a way to run what it reads."""

from __future__ import annotations

import hashlib
import html
import json
import re
from base64 import b64encode
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.report import save, script as explore
from bakeoff.report.appearance import Appearance
from bakeoff.wing import PACKAGE

EVIL = ("</script><script>alert(1)</script>", "<!--<script>", "]]>\u2028\u2029", "<img src=x onerror=alert(1)>")
MOST = 40_200  # bytes of a script in a report


def written(path: Path, script: bool = True) -> str:
    rows = [[1.0, 2.0, 4.0, 3.0], [2.0, 1.0, 5.0, 3.5], [3.0, 5.0, 9.0, 1.0], [4.0, 2.5, 8.0, 2.0]]
    scores = bo.Scores(rows, EVIL, problems=[f"{name} p" for name in EVIL], better="lower")
    save(bo.compare(scores), path, command="bakeoff compare '</script>.csv'", look=Appearance(script=script))
    return path.read_text(encoding="utf-8")


def test_the_policy_allows_this_script_only(tmp_path: Path) -> None:
    page = written(tmp_path / "report.html")
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script == [explore.script_for('{"schema":"bakeoff.compare/1"').text]
    digest = b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    allowed = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"
    assert [html.unescape(one) for one in policy] == [allowed]


def test_names_do_not_end_the_data(tmp_path: Path) -> None:
    page = written(tmp_path / "report.html")
    elements = re.findall(r"<script\b[^>]*>(.*?)</script>", page, re.DOTALL)
    assert len(elements) == 2
    assert "<" not in elements[0]
    assert tuple(json.loads(elements[0])["scores"]["algorithms"]) == EVIL


def test_without_a_script_the_page_is_as_it_was(tmp_path: Path) -> None:
    page, plain = written(tmp_path / "report.html"), written(tmp_path / "plain.html", script=False)
    assert "<script" not in plain
    assert "script-src" not in plain
    page = re.sub(r"<script\b.*?</script>\n", "", page, flags=re.DOTALL).replace(explore.script_for("").style, "")
    page = re.sub(r'<meta name="checker"[^>]*>\n', "", page)  # which the script names
    assert re.sub(r"; script-src '[^']*'", "", page).split() == plain.split()


def test_large_data_are_left_out_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bakeoff.report.formats.LARGEST", 100)
    page = written(tmp_path / "report.html")
    assert "<script" not in page
    assert "too large to carry its numbers" in page


@pytest.mark.parametrize(
    "path", sorted((PACKAGE / "wings" / "page" / "script").glob("**/*.js")), ids=lambda path: path.name
)
def test_nothing_is_run_that_was_read(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    run = r"\beval\b|\bFunction\(|innerHTML|outerHTML|insertAdjacent|document\.write|\bimport\("
    assert re.findall(rf"{run}|\bfetch\(|XMLHttp|localStorage|sessionStorage", source) == []


@pytest.mark.parametrize("schema", ["bakeoff.compare/1", "bakeoff.evaluate/1"])
def test_the_script_is_small(schema: str) -> None:
    assert len(explore.script_for(f'{{"schema":"{schema}"').text.encode()) <= MOST
