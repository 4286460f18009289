"""Forged reports dropped into checker.html: with ``bakeoff verify`` it finds every page that contradicts itself."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import bakeoff as bo
import forged_pages
from bakeoff.errors import ReportError
from bakeoff.wing import PACKAGE
from browser.browsing import CHROMIUM, chromium
from browser.report_pages import HOSTILE, MAKERS, Seen, hostile_reports
from waiting import wait_until

SOURCES = PACKAGE / "wings" / "page" / "script"

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; CI installs it"),
]

RECOMPUTED = ("compare", "compare with a control", "evaluate")
FOUND = re.compile(r"\bdiffers?:|can be checked here|cannot be recomputed|trust nothing")
DROP = """([name, text]) => {
  const files = new DataTransfer();
  files.items.add(new File([text], name));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


def dropped(checker: Seen, name: str, text: str) -> str:
    """What checker.html says of a file that is dropped on it; each has a name of its own."""
    checker.page.evaluate(DROP, [name, text])
    answer = checker.page.locator("#found")
    wait_until(lambda: name in answer.inner_text() and "Recomputing" not in answer.inner_text())
    return str(answer.inner_text())


def is_verified(page: Path, table: Path | None = None) -> bool:
    try:
        return bo.verify(page, table).ok
    except ReportError:
        return False


def finders(browser: Browser, numbers: range, folder: Path) -> tuple[list[str], Counter[tuple[str, str]]]:
    """The forgeries that nobody finds, and by the kind of report who finds the others."""
    names = list(forged_pages.CALLS)
    originals = {name: forged_pages.original(name, folder) for name in names}
    checker = Seen(browser, SOURCES / "checker.html")
    missed, found_by = [], Counter[tuple[str, str]]()
    for number in numbers:
        name = names[number % len(names)]
        text, table = originals[name]
        made = forged_pages.forged(text, name, folder, random.Random(f"{number} {name}"))
        page = folder / f"forged-{number}.html"
        page.write_text(made.page, encoding="utf-8")
        by_checker = FOUND.search(dropped(checker, page.name, made.page)) is not None
        by_page = not is_verified(page)
        if (made.contradicts and not (by_checker or by_page)) or is_verified(page, table):
            missed.append(f"{number} {name}: {made.what}")
        if made.what.startswith("embedded score") and name in RECOMPUTED and not by_checker:
            missed.append(f"{number} {name}: {made.what}, by checker.html")
        who = {(True, True): "both", (True, False): "checker.html", (False, True): "verify", (False, False): "table"}
        found_by[name if name in RECOMPUTED else "other kinds", who[by_checker, by_page]] += 1
        page.unlink()
    assert checker.clean(), checker.complaints
    checker.close()
    return missed, found_by


def test_forged_pages_are_found(browser: Browser, tmp_path: Path) -> None:
    missed, found_by = finders(browser, range(30), tmp_path)
    assert missed == []
    assert all(any(found_by[name, by] for by in ("both", "table")) for name in RECOMPUTED), found_by


@pytest.mark.exhaustive
def test_five_hundred_forged_pages_are_found(browser: Browser, tmp_path: Path) -> None:
    missed, found_by = finders(browser, range(500), tmp_path)
    print(sorted(found_by.items()))
    assert missed == []
    assert found_by.total() == 500


def disagreeing(browser: Browser, kind: str, seeds: range) -> list[str]:
    """What checker.html says of the JSON of these tables, but where all agrees."""
    checker = Seen(browser, SOURCES / "checker.html")
    answers = {seed: dropped(checker, f"{seed}.json", json.dumps(MAKERS[kind](seed).to_dict())) for seed in seeds}
    assert checker.clean(), checker.complaints
    checker.close()
    return [f"{seed}: {answer[:400]}" for seed, answer in answers.items() if "all agree" not in answer]


@pytest.mark.parametrize("kind", MAKERS)
def test_random_tables_agree(browser: Browser, kind: str) -> None:
    assert disagreeing(browser, kind, range(5000, 5015)) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize(("kind", "last"), [("compare", 7000), ("per-problem", 5300), ("evaluate", 5300)])
def test_two_thousand_random_tables_agree(browser: Browser, kind: str, last: int) -> None:
    assert disagreeing(browser, kind, range(5000, last)) == []


def test_originals_agree_and_other_kinds_are_not_passed_over(browser: Browser, tmp_path: Path) -> None:
    checker = Seen(browser, SOURCES / "checker.html")
    for name in forged_pages.CALLS:
        text, _ = forged_pages.original(name, tmp_path)
        answer = dropped(checker, f"{name}.html", text)
        assert FOUND.search(answer) is None, answer
        assert ("all agree" in answer) == (name in RECOMPUTED)
        assert "Not checked here: " in answer
        assert "runs the script of this version of bakeoff, and no other" in answer


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["compare", "per-problem", "evaluate", "protocol"])
def test_a_report_with_hostile_names_stays_text(browser: Browser, tmp_path: Path, kind: str) -> None:
    checker = Seen(browser, SOURCES / "checker.html")
    page = tmp_path / "report.html"
    hostile_reports()[kind]().save(page)
    text = page.read_text(encoding="utf-8")
    evil = "<img src=x onerror=window.evil=1>.html"
    assert "all agree" in dropped(checker, evil, text)
    forged = (
        text.replace('"mean":', '"mean":1', 1)
        .replace('"wins":', '"wins":1')
        .replace('"verdict":"', '"verdict":"<b>', 1)
    )
    answer = dropped(checker, f"2{evil}", forged)
    assert "differ" in answer
    assert HOSTILE[1] in answer
    assert checker.clean(), (checker.complaints, checker.violations())
    assert checker.page.locator("#found img, #found b, #found script").count() == 0


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", '{"schema": "bakeoff.compare/1"}', "<p>no report</p>", "\0\x01"])
@pytest.mark.few(3)
def test_what_is_no_report_is_said_to_be_none(browser: Browser, text: str) -> None:
    checker = Seen(browser, SOURCES / "checker.html")
    answer = dropped(checker, "nothing.html", text)
    assert "is no report that can be checked here" in answer or "Not checked here: this kind of report" in answer
    assert checker.clean(), checker.complaints
    checker.close()
