"""``bakeoff try``: the page is there, is one file without a network, and opens, or is copied."""

from __future__ import annotations

import hashlib
import re
import webbrowser
from base64 import b64encode
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.wing import PACKAGE

PAGE = PACKAGE / "wings" / "page" / "script" / "try.html"


def test_the_page_is_copied(tmp_path: Path) -> None:
    copy = tmp_path / "page.html"
    done = CliRunner().invoke(main, ["try", "--write", str(copy)])
    assert (done.exit_code, done.output) == (0, f"Written: {copy}\n")
    assert copy.read_bytes() == PAGE.read_bytes()


def test_a_copy_that_no_browser_opens_is_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["try", "--write", str(tmp_path / "page.txt")])
    assert done.exit_code
    assert "--write must end in .html" in done.output


@pytest.mark.parametrize("there", [True, False])
def test_the_page_opens_or_its_address_is_said(monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    opened: list[str] = []

    def browser(address: str) -> bool:
        opened.append(address)
        return there

    monkeypatch.setattr(webbrowser, "open", browser)
    done = CliRunner().invoke(main, ["try"])
    assert opened == [PAGE.as_uri()]
    assert PAGE.as_uri() in done.output
    assert ("No browser was found" in done.output) != there


def test_its_policy_lets_its_own_script_run_and_nothing_else() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(page.encode()) <= 150_000
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    data, script = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert policy == f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert data.startswith('{"reading":')
    assert not re.search(r"""(?:src|href)=|url\(|@import|\bfetch\b|XMLHttpRequest|WebSocket|innerHTML|\beval\(""", page)
