"""The page of a report in a browser: how long a click holds it up."""

from __future__ import annotations

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import bakeoff as bo
from benchmarks.model import Benchmark, Case, at_most

if TYPE_CHECKING:
    from playwright.sync_api import Page

ALGORITHMS, PROBLEMS = 20, 200
BLOCKED = 0.05  # seconds: what the observer of browsers calls a long task
CLICKS = {
    "check": "button(0).click()",
    "open what-if": "button(1).click()",
    "what-if, another level": "change('input[type=number]', 0.01)",
    "what-if, sign test": "change('select', 'sign')",
    "what-if, mean ranks": "change('select', 'mean-ranks')",
    "what-if, Holm": "change('select', 'holm', 1)",
    "what-if, without a problem": "panel().querySelectorAll('details')[0].querySelector('input').click()",
    "what-if, without an algorithm": "panel().querySelectorAll('details')[1].querySelector('input').click()",
    "what-if, a problem pointed at": "point(7)",
    "what-if, back to the report": "panel().querySelector('.strip button').click()",
    "sort a column": "document.querySelector('table.pairs .sort').click()",
}
_PROGRAM = """
window.tasks = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
window.button = (i) => document.querySelectorAll(".explore-panel > p > button")[i];
window.panel = () => document.querySelector("section.explore");
window.change = (selector, value, i = 0) => {
  const box = panel().querySelectorAll(selector)[i];
  box.value = value;
  box.dispatchEvent(new Event("change"));
};
window.point = (i) => {
  window.pointed = true;
  panel().querySelectorAll("details label")[i].dispatchEvent(new Event("mouseenter"));
};
window.busy = () => {
  window.pointed &&= !panel().querySelector("[role=status]").textContent;
  return Boolean(window.pointed || document.querySelector(".busy"));
};
"""


@cache
def _longest(ties: bool) -> dict[str, float] | None:
    """Of each click, the longest task until the page has finished with it, in seconds; 0 where none is called long."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        return None
    from playwright.sync_api import sync_playwright

    rng = np.random.default_rng(5)
    values = rng.normal(size=(PROBLEMS, ALGORITHMS)) + 0.3 * rng.normal(size=ALGORITHMS)
    scores = bo.Scores(np.round(values, 1 if ties else 12), [f"a{i}" for i in range(ALGORITHMS)], better="lower")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        bo.compare(scores).save(path)
        chromium = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        try:
            page = chromium.new_page()
            page.set_default_timeout(600_000)
            page.goto(path.as_uri())
            page.evaluate(_PROGRAM)
            page.wait_for_timeout(1000)  # the page is laid out
            if _of_click(page, "for (const end = performance.now() + 80; performance.now() < end; );") < BLOCKED:
                raise RuntimeError("this browser does not report long tasks")
            return {name: _of_click(page, action) for name, action in CLICKS.items()}
        finally:
            chromium.close()


def _of_click(page: Page, action: str) -> float:
    page.evaluate("tasks.length = 0")
    page.evaluate(f"setTimeout(() => {{ {action} }})")
    page.wait_for_timeout(400)  # what is pointed at is computed after a while
    while page.evaluate("busy()"):  # asked from outside: the page's policy allows no text to be run
        page.wait_for_timeout(100)
    page.wait_for_timeout(200)
    return float(page.evaluate("Math.max(0, ...tasks)")) / 1000


def _case(name: str, ties: bool) -> Case:
    def measure() -> float | None:
        longest = _longest(ties)
        return None if longest is None else longest[name]

    return Case(
        name=f"{name}{', with ties' if ties else ''}",
        measure=measure,
        goals=(at_most(BLOCKED),),
        needs="playwright",
        short=name == "check" and not ties,
        why="on a busy machine the observer counts the time that other processes had",
    )


BENCHMARK = Benchmark(
    name="report-page",
    item=26,
    title="A click on a report",
    about=f"The HTML report of `bakeoff compare` on {PROBLEMS} problems × {ALGORITHMS} algorithms (190 pairs) in "
    "Chromium. A figure is the longest task that the browser's observer of long tasks sees between a click and the "
    "answer. It does not see tasks below 50 ms; these are 0 here.",
    cases=tuple(_case(name, ties) for ties in (False, True) for name in CLICKS),
)
