"""axe-core finds nothing on reports of every kind, the pages of ``bakeoff serve``, and the site; light and dark."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bakeoff.wing import PACKAGE
from browser.browsing import CHROMIUM, chromium, served, tab
from every_kind import RESULTS
from npm_packages import NEEDS_NPM, unpacked

SOURCES = PACKAGE / "wings" / "page" / "script"

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
AXE = "axe-core@4.10.3"
PAGES = (  # every third one in CI: the two longest, of minutes, are not among them
    *("index", "reference/cli", "understand/cautions", "start/tutorial", "trust/racing", "methods/index"),
    *("examples/index", "questions", "search"),
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("playwright"),
    pytest.mark.skipif(CHROMIUM is None and not os.environ.get("CI"), reason="no Chromium here"),
    NEEDS_NPM,
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program, which is larger than all of this package's own JavaScript."""
    return (unpacked(AXE, tmp_path_factory.mktemp("axe")) / "axe.min.js").read_text(encoding="utf-8")


STILL = "*, ::before, ::after { transition: none !important; animation: none !important }"
SHOWN = "scheme => [undefined, scheme].includes(document.documentElement.dataset.theme)"  # the site's script sets it


def violations(page: Page, axe: str) -> list[str]:
    """Every rule in light colours; in dark ones, where nothing but colours differs, the contrast."""
    found: list[str] = []
    page.evaluate(axe)
    page.add_style_tag(content=STILL)  # a colour half-way between two schemes has no contrast
    for scheme, rules in (("light", None), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.wait_for_function(SHOWN, arg=scheme)
        options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
        for rule in page.evaluate("options => axe.run(document, options)", options)["violations"]:
            found += [f"{scheme}: {rule['id']}: {node['html'][:200]}" for node in rule["nodes"]]
    return found


def opened(browser: Browser, path: Path) -> Any:
    page = browser.new_context(bypass_csp=True).new_page()  # the test's own script, not the page's
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("kind", sorted(RESULTS))
@pytest.mark.few(5)
def test_reports(kind: str, browser: Browser, axe: str, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    RESULTS[kind]().save(path)
    page = opened(browser, path)
    assert violations(page, axe) == []
    page.context.close()


@pytest.mark.parametrize("kind", ["compare", "per-problem", "evaluate"])
def test_reports_that_are_checked_and_explored(kind: str, browser: Browser, axe: str, tmp_path: Path) -> None:
    """With what the script adds: the answer of the check, marked cells, the panel with a table of changed verdicts."""
    path = tmp_path / "report.html"
    RESULTS[kind]().save(path)
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(<td[^>]*>−?)\d(\.\d)", r"\g<1>9\2", text, count=1), encoding="utf-8")
    page = opened(browser, path)
    page.get_by_role("button", name="Check these numbers").click()
    page.locator(".explore-panel ul").wait_for()
    assert page.locator("td.differs").count() == 1
    for button in page.get_by_role("button", name="what if").all():
        button.click()
        page.get_by_label("alpha").fill("0.9")
        page.get_by_label("alpha").press("Enter")
        assert page.locator("section.explore tbody th[scope=row]").first.inner_text()
        for summary in page.locator("section.explore summary").all():
            summary.click()
    assert violations(page, axe) == []
    page.context.close()


def test_the_checker(browser: Browser, axe: str, tmp_path: Path) -> None:
    page = opened(browser, SOURCES / "checker.html")
    assert violations(page, axe) == []
    RESULTS["compare"]().save(tmp_path / "report.json")
    page.set_input_files("#file", tmp_path / "report.json")
    page.locator("#found h2").wait_for()
    assert violations(page, axe) == []
    page.context.close()


def test_the_page_without_an_installation(browser: Browser, axe: str) -> None:
    page = opened(browser, SOURCES / "try.html")
    assert violations(page, axe) == []
    page.get_by_role("button", name="Take an example").click()
    page.get_by_role("button", name="Higher is better").click()
    page.locator(".verdict").wait_for()
    page.get_by_role("button", name="Try “what if”").click()
    page.locator(".explore .then").wait_for()
    assert violations(page, axe) == []
    page.locator("#paste").fill("model,accuracy\nA,1\n")
    page.get_by_role("button", name="Read the table").click()
    page.locator("#found .left").wait_for()
    assert violations(page, axe) == []
    page.context.close()


def test_the_local_page(browser: Browser, axe: str, tmp_path: Path) -> None:
    x = np.random.default_rng(0).normal([0.0, 0.2, 0.4, 1.5], size=(25, 4))
    rows = [",".join([f"p{i}", *(f"{value:.4f}" for value in row)]) for i, row in enumerate(x)]
    (tmp_path / "scores.csv").write_text("\n".join(["problem,Ours,SVM,kNN,LR", *rows]))
    with served(cwd=tmp_path) as server, tab(browser, server.address, bypass_csp=True) as seen:
        page = seen.page
        assert violations(page, axe) == []
        with page.expect_navigation():
            page.set_input_files("#file", str(tmp_path / "scores.csv"))
        assert violations(page, axe) == []
        page.get_by_role("button", name=re.compile("Higher is better")).click()
        page.wait_for_selector("#shell")
        links = page.eval_on_selector_all(".tabs a", "all => all.map(one => one.href)")
        assert len(links) > 5
        page.locator("#more summary").click()
        assert violations(page, axe) == []
        for address in links[::6]:
            page.goto(address)
            page.wait_for_load_state("networkidle")
            assert violations(page, axe) == [], address


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.few(4)
def test_the_site(name: str, browser: Browser, axe: str) -> None:
    path = ROOT / "build" / "site" / f"{name}.html"
    if not path.exists() and not os.environ.get("CI"):
        pytest.skip("the site is not built: make site")
    page = opened(browser, path)
    assert violations(page, axe) == []
    page.context.close()
