"""try.html and the pages of reports in Firefox, from the disk, offline: what they say in Chromium, and in Python."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser.firefox import FIREFOX, Firefox, firefox
from browser.report_pages import hostile_reports
from browser.try_tables import PAGE, random_json, wrong_seeds, wrong_tables
from waiting import wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(FIREFOX is None, reason="no Firefox here; CI installs it where Debian has one"),
]

TAB, ENTER = "\ue004", "\ue007"
EXPLORED = ("compare", "control", "protocol")
OVERFLOW = "document.documentElement.scrollWidth - window.innerWidth"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with firefox(tmp_path_factory.mktemp("firefox") / "profile") as one:
        yield one


@pytest.fixture(autouse=True)
def _nothing_is_complained_of(browser: Firefox) -> Iterator[None]:
    browser.complaints()
    yield
    assert browser.complaints() == []
    assert browser.evaluate("window.evil ?? null") is None


def said(browser: Firefox, place: str) -> str:
    """The text of an element, once there is one."""
    script = f"document.querySelector({place!r})?.innerText ?? ''"
    wait_until(lambda: browser.evaluate(script) and "Recomputing" not in browser.evaluate(script))
    return str(browser.evaluate(script))


def test_the_page_agrees_with_the_program_or_gives_the_command(browser: Firefox) -> None:
    browser.goto(PAGE.as_uri())
    assert wrong_tables(browser) == {}


def test_random_tables_agree(browser: Firefox) -> None:
    browser.goto(PAGE.as_uri())
    wrong, answers = wrong_seeds(browser, range(20))
    assert wrong == {}
    assert answers > 12
    wrong, answers = wrong_seeds(browser, range(2600, 2620), random_json)
    assert wrong == {}
    assert answers > 5


@pytest.mark.exhaustive
def test_hundreds_of_random_tables_agree(browser: Firefox) -> None:
    browser.goto(PAGE.as_uri())
    wrong, answers = wrong_seeds(browser, range(1000, 1300))
    assert wrong == {}
    assert answers > 200


def test_it_works_by_keyboard_and_on_a_phone(browser: Firefox) -> None:
    browser.goto(PAGE.as_uri())
    browser.narrow(360)
    browser.press(TAB, TAB, TAB, TAB, ENTER)  # the file, the box, the button that reads it, that of the example
    assert said(browser, "#found h2") == "scores.csv"
    browser.press(TAB, ENTER)
    assert "better than" in said(browser, ".verdict")
    assert browser.evaluate("document.activeElement.className") == "verdict"
    assert browser.evaluate(OVERFLOW) <= 0
    browser.evaluate("document.querySelector('.explore-panel button').focus()")
    browser.press(ENTER)
    assert said(browser, ".explore .then")
    assert "bakeoff compare scores.csv --better lower" in browser.evaluate(
        "document.querySelector('.explore .command').value"
    )
    assert browser.evaluate(OVERFLOW) <= 0
    browser.shot("firefox-try-360")
    browser.narrow(1200)
    browser.shot("firefox-try-1200")


def test_reports_check_themselves_and_explore_by_keyboard(browser: Firefox, tmp_path: Path) -> None:
    for kind, report in hostile_reports().items():
        path = tmp_path / f"{kind}.html"
        report().save(path)
        browser.goto(path.as_uri())
        browser.evaluate("document.querySelector('.explore-panel button').focus()")
        browser.press(ENTER)
        assert "all agree" in said(browser, ".explore-panel [role=status]"), kind
        browser.shot(f"firefox-{kind}")
        if kind in EXPLORED:
            browser.press(TAB, ENTER)
            assert said(browser, ".explore .then"), kind
            assert "--alpha" in browser.evaluate("document.querySelector('.explore .command').value")
