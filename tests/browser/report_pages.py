"""Pages of reports in a browser, from the disk, and what they complain of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import bakeoff as bo
import explore_reports
from bakeoff.protocols import Protocol, check_against_protocol
from waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = (
    "</script><script>window.evil=1</script>",
    "<img src=x onerror=window.evil=1>",
    "]]>\u2028",
    "=1+1|*`",
    "'\"&",
)
MAKERS: dict[str, Callable[..., Any]] = {
    "compare": explore_reports.comparison,
    "per-problem": explore_reports.runs_report,
    "evaluate": explore_reports.means_report,
}
"""Reports on random tables, by the kind of report."""
LONG_TASKS = """window.long = [];
new PerformanceObserver((list) => long.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
document.addEventListener("securitypolicyviolation", (event) => long.push("violated: " + event.violatedDirective));"""


class Seen:
    """A page from the disk, and what it complained of."""

    def __init__(self, browser: Browser, path: Path, fragment: str = "", **screen: Any) -> None:
        self.page: Page = browser.new_context(**screen).new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.add_init_script(LONG_TASKS)
        self.page.goto(path.as_uri() + fragment)

    def check(self) -> str:
        self.page.get_by_role("button", name="Check these numbers").click()
        return self.said(".explore-panel [role=status]")

    def said(self, place: str) -> str:
        status = self.page.locator(place).first
        wait_until(lambda: status.inner_text() and "Recomputing" not in status.inner_text())
        return str(status.inner_text())

    def clean(self) -> bool:
        """Did no other script run, and was the policy kept?"""
        return self.complaints == [] and self.page.evaluate("window.evil") is None and not self.violations()

    def violations(self) -> list[str]:
        return [str(one) for one in self.page.evaluate("long") if isinstance(one, str)]

    def close(self) -> None:
        self.page.context.close()


def hostile_reports() -> dict[str, Callable[[], Any]]:
    """Reports of each kind that is recomputed, in which every name is one of those; and one held to a protocol."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=(12, 5, 4)) + np.arange(5)[:, None]
    problems = [f"{i}{HOSTILE[i % 5]}" for i in range(12)]
    scores = bo.Scores(values.mean(axis=2), HOSTILE, problems=problems, better="lower")
    clusters = [HOSTILE[i // 3] for i in range(12)]
    plan = {"command": "compare", "better": "lower", "alpha": 0.01, "algorithms": list(HOSTILE[:4]), "problems": "any"}
    plan |= {"question": HOSTILE[0], "stop": HOSTILE[1]}
    return {
        "compare": lambda: bo.compare(scores),
        "control": lambda: bo.compare(scores, control=HOSTILE[1]),
        "per-problem": lambda: bo.per_problem(bo.Scores(values, HOSTILE, problems=problems, better="lower")),
        "evaluate": lambda: bo.evaluate(
            bo.Scores(scores.values, HOSTILE, problems=problems, better="lower", clusters=clusters), correction="holm"
        ),
        "protocol": lambda: check_against_protocol(bo.compare(scores), Protocol.of(plan), HOSTILE[1]),
    }
