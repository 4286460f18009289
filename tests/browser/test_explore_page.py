"""The page of a report at work in a real browser: it checks itself, explores, and runs nothing else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.wing import PACKAGE
from browser.browsing import CHROMIUM, chromium
from browser.report_pages import HOSTILE, Seen, hostile_reports
from waiting import wait_until

SOURCES = PACKAGE / "wings" / "page" / "script"

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; CI installs it"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def saved(path: Path, control: str | None = None) -> Path:
    bo.compare(bo.datasets.load("derrac_cec2005"), control=control).save(path)
    return path


def test_a_changed_cell_is_marked_in_place(browser: Browser, tmp_path: Path) -> None:
    path = saved(tmp_path / "report.html")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(">0.0323<", ">0.0223<", 1).replace("(2 of 8)", "(3 of 8)", 1), encoding="utf-8")
    seen = Seen(browser, path)
    said = seen.check()
    assert "2 differ:" in said
    assert "the verdict at the head of the page" in said
    assert re.search(r"0\.0223\s+recomputed: 0\.0323", seen.page.locator("td.differs").inner_text())


@pytest.mark.parametrize("command", ["compare", "evaluate"])
def test_a_page_in_other_words_agrees_with_itself(browser: Browser, tmp_path: Path, command: str) -> None:
    """Nouns of the table's heads change sentences and titles, not what they say."""
    scores = bo.datasets.load("derrac_cec2005")
    table, page = tmp_path / "scores.csv", tmp_path / "report.html"
    lines = [
        ["dataset", "classifier", "error"],
        *(
            [problem, algorithm, repr(x)]
            for problem, row in zip(scores.problems, scores.values.tolist(), strict=True)
            for algorithm, x in zip(scores.algorithms, row, strict=True)
        ),
    ]
    table.write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")
    asked = [command, str(table), "--better", "lower", "--alpha", "0.001", "--report", str(page)]
    assert CliRunner().invoke(main, asked).exit_code == 0
    seen = Seen(browser, page)
    assert "9 classifiers on 25 datasets" in seen.page.title()
    assert "all agree" in seen.check()
    assert bo.verify(page).ok


@pytest.mark.parametrize("kind", hostile_reports())
@pytest.mark.few(2)
def test_hostile_names_stay_text(browser: Browser, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "report.html"
    hostile_reports()[kind]().save(path)
    for fragment in ("", "#whatif=1&alpha=<img src=x onerror=window.evil=1>&test=</script>&problems=0.99999.-1"):
        seen = Seen(browser, path, fragment)
        assert "all agree" in seen.check()
        for button in seen.page.get_by_role("button", name="what if").all():
            if not fragment:
                button.click()
            panel = seen.page.locator("section.explore")
            for summary in panel.locator("summary").all():
                summary.click()
            panel.locator("input[type=checkbox]:enabled").last.click()
            panel.locator("input[type=checkbox]").first.hover()
            assert HOSTILE[1] in panel.inner_text()
        seen.page.evaluate("document.querySelectorAll('th button.sort').forEach((button) => button.click())")
        assert seen.page.locator("main img, main b:has(script)").count() == 0
        assert seen.clean(), (seen.complaints, seen.violations())
        seen.close()


def test_what_if_says_what_python_says(browser: Browser, tmp_path: Path) -> None:
    scores = bo.datasets.load("derrac_cec2005")
    seen = Seen(
        browser, saved(tmp_path / "report.html"), "#whatif=1&alpha=0.1&test=sign&posthoc=holm&problems=0.3&algorithms=2"
    )
    rows = [i for i in range(scores.n_problems) if i not in (0, 3)]
    columns = [j for j in range(scores.n_algorithms) if j != 2]
    names, problems = (
        [of[i] for i in places] for of, places in ((scores.algorithms, columns), (scores.problems, rows))
    )
    part = bo.Scores(scores.values[np.ix_(rows, columns)], names, problems=problems, better="lower")
    there = bo.compare(part, alpha=0.1, pairwise="sign", posthoc="holm").verdict
    then = seen.page.locator(".then")
    wait_until(lambda: then.inner_text() == there)
    panel = seen.page.locator("section.explore")
    assert "Exploratory: chosen after the scores were seen" in panel.inner_text()
    command = panel.locator(".command").input_value()
    assert command.endswith("--alpha 0.1 --pairwise sign --posthoc holm --drop F1 --drop F4 --drop CHC")
    panel.get_by_role("button", name="Back to the report").press("Enter")
    printed = json.loads(seen.page.locator("#bakeoff-data").text_content() or "")["verdict"]
    wait_until(lambda: then.inner_text() == printed)
    assert "whatif" not in seen.page.evaluate("location.hash")
    assert seen.clean(), seen.complaints


def test_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    seen = Seen(browser, saved(tmp_path / "report.html", control="SaDE"), viewport={"width": 1300, "height": 900})
    keys = seen.page.keyboard
    keys.press("Tab")
    keys.press("Enter")
    assert "all agree" in seen.said(".explore-panel [role=status]")
    keys.press("Tab")
    keys.press("Enter")
    for _ in range(2):  # alpha, then the test
        keys.press("Tab")
    keys.press("ArrowDown")
    # `page.url` is a copy that only changes while another call is under way: the page itself must be asked.
    wait_until(lambda: "test=t" in seen.page.evaluate("location.hash"))
    head = seen.page.locator("table.ranking th button").nth(1)
    head.press("Enter")
    names = seen.page.locator("table.ranking tbody th").all_inner_texts()
    assert names == sorted(names, key=str.lower)
    assert seen.page.locator("table.ranking th[aria-sort=ascending]").count() == 1


def test_a_phone_and_paper(browser: Browser, tmp_path: Path) -> None:
    path = saved(tmp_path / "report.html")
    seen = Seen(browser, path, "#whatif=1", viewport={"width": 390, "height": 844}, color_scheme="dark")
    seen.check()
    assert seen.page.evaluate("document.documentElement.scrollWidth") <= 390
    seen.page.emulate_media(media="print")
    assert not seen.page.locator(".explore-panel").is_visible()
    assert not seen.page.locator(".copy").first.is_visible()


def test_the_checker_reads_reports_and_json_and_runs_neither(browser: Browser, tmp_path: Path) -> None:
    seen = Seen(browser, SOURCES / "checker.html")
    path = saved(tmp_path / "report.html")
    evil = path.with_name("evil.html")
    evil.write_text(path.read_text(encoding="utf-8").replace("</main>", "<script>window.evil=1</script></main>"))
    data = saved(tmp_path / "report.json")

    def shown(end: str) -> bool:
        return end in seen.page.locator("#found").inner_text()

    for file, end in ((path, "and no other."), (evil, "trust nothing"), (data, "runs no script")):
        seen.page.set_input_files("#file", file)
        wait_until(partial(shown, end))
        assert "all agree" in seen.page.locator("#found").inner_text()
    assert seen.clean(), seen.complaints


def test_a_frame_without_address_or_clipboard(browser: Browser, tmp_path: Path) -> None:
    """As a notebook would show it."""
    text = saved(tmp_path / "report.html").read_text(encoding="utf-8")
    outer = tmp_path / "outer.html"
    outer.write_text("<iframe sandbox='allow-scripts' width='900' height='700'></iframe>", encoding="utf-8")
    seen = Seen(browser, outer)
    seen.page.evaluate("text => document.querySelector('iframe').srcdoc = text", text)
    frame = seen.page.frame_locator("iframe")
    frame.get_by_role("button", name="what if").click()
    frame.locator("select").first.select_option("sign")
    frame.get_by_role("button", name="Copy the command").click()
    wait_until(lambda: frame.locator("section.explore textarea").count() == 1)
    assert "--pairwise sign" in frame.locator("section.explore textarea").input_value()


@pytest.mark.parametrize("names", [("a", "b", "c", "d", "e"), HOSTILE])
def test_the_panel_works_in_a_frame_of_a_notebook(browser: Browser, tmp_path: Path, names: tuple[str, ...]) -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(14, len(names))) + np.arange(len(names))
    shown = bo.compare(bo.Scores(values, list(names), better="lower")).explore()
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><meta charset='utf-8'><h1>A notebook</h1>{shown._repr_html_()}", encoding="utf-8")
    seen = Seen(browser, path)
    frame = seen.page.frame_locator("iframe")
    frame.get_by_role("button", name="Check these numbers").click()
    status = frame.locator(".explore-panel [role=status]").first
    wait_until(lambda: "agree" in status.inner_text())
    frame.get_by_role("button", name="what if").click()
    frame.locator("select").first.select_option("sign")
    wait_until(lambda: frame.locator(".then").inner_text() != "")
    assert seen.complaints == []
    assert seen.page.evaluate("window.evil") is None
    assert seen.page.frames[1].evaluate("window.evil") is None
    assert seen.page.frames[1].evaluate("window.origin") == "null"  # neither the notebook nor its storage is reached
