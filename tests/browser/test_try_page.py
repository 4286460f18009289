"""try.html from a file, offline: it says what ``bakeoff compare`` says of a table, or gives the command."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.browsing import CHROMIUM, chromium
from browser.report_pages import Seen
from browser.try_tables import DATASETS, PAGE, answered, as_text, random_json, shipped, wrong_seeds, wrong_tables
from waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; CI installs it"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Seen]:
    seen = Seen(browser, PAGE, offline=True)
    yield seen
    assert seen.clean(), (seen.complaints, seen.violations())
    seen.close()


def test_the_page_agrees_with_the_program_or_gives_the_command(page: Seen) -> None:
    assert wrong_tables(page.page) == {}


def test_random_tables_agree(page: Seen) -> None:
    wrong, answers = wrong_seeds(page.page, range(40))
    assert wrong == {}
    assert answers > 25


def test_random_tables_in_json_agree(page: Seen) -> None:
    wrong, answers = wrong_seeds(page.page, range(60), random_json)
    assert wrong == {}
    assert answers > 25


@pytest.mark.exhaustive
def test_hundreds_of_random_tables_in_json_agree(page: Seen) -> None:
    wrong, answers = wrong_seeds(page.page, range(1000, 2600), random_json)
    assert wrong == {}
    assert answers > 700


@pytest.mark.exhaustive
def test_hundreds_of_random_tables_agree(page: Seen) -> None:
    wrong, answers = wrong_seeds(page.page, range(1000, 1600))
    assert wrong == {}
    assert answers > 400


def test_names_stay_text_and_nothing_is_asked_of_a_network(browser: Browser) -> None:
    seen = Seen(browser, PAGE)
    asked: list[str] = []
    seen.page.on("request", lambda request: asked.append(request.url))
    text = as_text(["kNN", "NNEP", "CART"], ["<b>p1</b>", "p2", "p3"], [["1", "2", "3"]] * 3)
    assert "may be no problem" in str(answered(seen.page, text, "lower", "<img src=x onerror=window.evil=1>.csv"))
    assert seen.page.locator("#found img, #found b, #answer img").count() == 0
    assert isinstance(answered(seen.page, shipped()[0][0].read_text(encoding="utf-8"), "higher"), dict)
    assert seen.clean(), (seen.complaints, seen.violations())
    assert asked == []
    seen.close()


def test_the_likely_direction_comes_first_and_is_asked_for(page: Seen) -> None:
    text = DATASETS.joinpath("garcia_2010.csv").read_text(encoding="utf-8")
    for name, first in (
        ("test_accuracy.csv", "Higher is better"),
        ("runtime.csv", "Lower is better"),
        ("a.csv", "Lower is better"),
    ):
        page.page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": text.encode()})
        wait_until(lambda name=name: page.page.locator("#found h2").inner_text() == name)
        assert page.page.locator("fieldset button").first.inner_text() == first
        assert ("likely" in page.page.locator("fieldset").inner_text()) == (name != "a.csv")
        assert page.page.locator("#answer").inner_text() == ""


def test_what_is_pasted_in_json_is_read_as_json(page: Seen) -> None:
    page.page.locator("#paste").fill('[{"problem": "p1", "A": 1.5, "B": 2}, {"problem": "p2", "A": 1.25, "B": 3.5}]')
    page.page.get_by_role("button", name="Read the table").click()
    wait_until(lambda: page.page.locator("#found h2").inner_text() == "scores.json")
    assert "2 problems (rows, from “problem”) × 2 algorithms (columns)." in page.page.locator("#found").inner_text()
    assert "Read as JSON." in page.page.locator("#found").inner_text()


def test_it_works_by_keyboard_and_on_a_phone(browser: Browser) -> None:
    seen = Seen(browser, PAGE, viewport={"width": 360, "height": 740})
    keyboard = seen.page.keyboard
    for _ in range(4):  # the file, the box, the button that reads it, that of the example
        keyboard.press("Tab")
    keyboard.press("Enter")
    wait_until(lambda: seen.page.locator("fieldset").count() == 1)
    assert seen.page.evaluate("document.activeElement.tagName") == "H2"
    keyboard.press("Tab")
    keyboard.press("Enter")
    wait_until(lambda: seen.page.locator(".verdict").count() == 1)
    assert seen.page.evaluate("document.activeElement.className") == "verdict"
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.page.get_by_role("button", name="Try “what if”").press("Enter")
    wait_until(lambda: seen.page.locator(".explore .then").inner_text())
    assert "bakeoff compare scores.csv --better lower" in seen.page.locator(".explore .command").input_value()
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert seen.clean(), (seen.complaints, seen.violations())
    seen.close()
