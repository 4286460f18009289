"""The first minute with ``bakeoff serve`` in a real Chromium, and what may go wrong in it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from browser.browsing import CHROMIUM, SHOTS, Served, Tab, chromium, served, tab
from waiting import wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("playwright"),
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here; CI installs it"),
]

HOSTILE = '"><script>window.evil=1</script><img src=x onerror="window.evil=1">'


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(cwd=tmp_path_factory.mktemp("served")) as found:
        yield found


def table(path: Path, seed: int = 1, n: int = 12, names: tuple[str, ...] = ("Ours", "SVM", "k-NN", "LR")) -> Path:
    rng = np.random.default_rng(seed)
    rows = [["data set", *names]]
    for i in range(n):
        scores = 0.7 + 0.03 * rng.normal(size=len(names)) - 0.05 * np.arange(len(names))
        rows.append([f"set {i}", *(f"{score:.4f}" for score in scores)])
    path.write_text("\n".join(",".join(f'"{c}"' if '"' not in c else c for c in row) for row in rows) + "\n")
    return path


def verdict(seen: Tab) -> str:
    return str(seen.page.locator("h1").first.inner_text())


def choose_file(seen: Tab, path: Path) -> None:
    with seen.page.expect_navigation():
        seen.page.set_input_files("#file", str(path))


def open_table(seen: Tab, path: Path, better: str = "Higher") -> None:
    choose_file(seen, path)
    seen.page.get_by_role("button", name=re.compile(f"{better} is better")).click()
    seen.page.wait_for_selector("#shell")


def settled(seen: Tab) -> None:
    seen.page.wait_for_function("() => document.querySelectorAll('.htmx-request, .htmx-swapping').length === 0")
    seen.page.wait_for_function("() => document.querySelectorAll('[hx-trigger=load] .waiting').length === 0")


def change(seen: Tab, selector: str, value: str) -> None:
    """Choose in a list, and wait for the part of the page that answers."""
    with seen.page.expect_response(lambda answer: "/compare?" in answer.url or "/compare" in answer.url):
        seen.page.select_option(selector, value)
    seen.page.wait_for_function("() => document.querySelectorAll('.htmx-request, .htmx-swapping').length === 0")


def test_the_first_minute(browser: Browser, server: Served, tmp_path: Path) -> None:
    """It opens on an example with its verdict; a table, its direction, a choice, a copy, a saved report, and back."""
    with tab(browser, server.address, permissions=["clipboard-read", "clipboard-write"], accept_downloads=True) as seen:
        page = seen.page
        assert "token" not in page.url, "the token must not stay in the address"
        assert "SaDE" in page.inner_text("main")
        assert "better than" in verdict(seen)
        assert page.locator("section.cautions").count() == 1
        seen.shot("1-first")
        path = table(tmp_path / "results.csv")
        choose_file(seen, path)
        assert verdict(seen) == "12 problems × 4 algorithms. Which direction is good?"
        assert page.locator("main button").count() == 2
        seen.shot("2-question")
        page.get_by_role("button", name=re.compile("Higher is better")).click()
        page.wait_for_selector("#shell")
        assert "Ours is better than" in verdict(seen)
        assert page.locator("main svg:visible").count() >= 1
        assert page.locator("main table:visible").count() >= 2
        shell = page.inner_text("#shell").strip()
        assert shell == "bakeoff compare results.csv --better higher"
        before, plain_verdict = page.url, verdict(seen)
        page.evaluate("window.sameDocument = true")
        change(seen, "#choice-control", "SVM")
        page.wait_for_function("() => location.search.includes('control=SVM')")
        assert page.evaluate("window.sameDocument") is True, "the whole page was loaded again"
        assert "(the control)" in verdict(seen)
        page.locator("[data-copy=shell]").click()
        page.wait_for_function("() => document.querySelector('[data-copy=shell]').textContent === 'Copied'")
        copied = page.evaluate("navigator.clipboard.readText()")
        assert copied == "bakeoff compare results.csv --better higher --control SVM"
        with page.expect_download() as saving:
            page.get_by_role("link", name="html", exact=True).click()
        mine = Path(saving.value.path()).read_bytes()
        done = subprocess.run(
            [sys.executable, "-m", "bakeoff", *copied.split()[1:], "--report", saving.value.suggested_filename],
            cwd=tmp_path,
            check=True,
            capture_output=True,
        )
        assert done.returncode == 0
        assert mine == (tmp_path / saving.value.suggested_filename).read_bytes()
        page.go_back()
        page.wait_for_function("() => !location.search.includes('control=')")
        page.wait_for_function("() => document.querySelector('h1').textContent.includes('Ours')")
        assert page.evaluate("location.href") == before
        assert verdict(seen) == plain_verdict
        assert page.locator("#choice-control").input_value() == ""
        settled(seen)
        seen.shot("3-verdict")


def test_every_size_and_shade(browser: Browser, server: Served, tmp_path: Path) -> None:
    path = table(tmp_path / "names.csv", names=("A rather long name of a configuration (lr=0.01)", "SVM", "k-NN", "LR"))
    with tab(browser, server.address) as seen:
        open_table(seen, path)
        settled(seen)
        for width in (1280, 768, 390):
            seen.page.set_viewport_size({"width": width, "height": 900})
            seen.shot(f"4-{width}")
            assert seen.width() <= width
        light = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        seen.page.emulate_media(color_scheme="dark")
        seen.shot("5-dark-390")
        seen.page.set_viewport_size({"width": 1280, "height": 900})
        seen.shot("5-dark")
        assert light != seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert faint(seen) == []
        seen.page.emulate_media(color_scheme="light", media="print")
        assert seen.page.locator(".panel").first.is_hidden()
        assert seen.page.locator("#upload").is_hidden()
        assert seen.page.locator("h1").first.is_visible()
        seen.shot("6-print")
        if SHOTS:
            seen.page.pdf(path=Path(SHOTS) / "6-print.pdf")
        seen.page.emulate_media(color_scheme="light", media="screen")
        assert faint(seen) == []
        assert unlabelled(seen) == []


def faint(seen: Tab) -> list[str]:
    """Texts whose contrast with their ground is below 4.5 to 1 (large ones: 3 to 1)."""
    found: list[str] = seen.page.evaluate(
        """() => {
          const parts = c => (c.match(/[\\d.]+/g) || []).map(Number);
          const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
          const rgb = c => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1);
            return [...canvas.getImageData(0, 0, 1, 1).data]; };
          const light = c => { const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92
            : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
          const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
            if (c[3] > 200) return c; }
            return rgb(matchMedia('(prefers-color-scheme: dark)').matches ? '#000' : '#fff'); };
          const bad = [];
          for (const e of document.querySelectorAll('body *')) {
            if (e.disabled || !e.checkVisibility() || e.closest('svg, .unseen, .skip, .dropping')) continue;
            if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) continue;
            const style = getComputedStyle(e), a = light(rgb(style.color)), b = light(ground(e));
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            const large = parseFloat(style.fontSize) >= 24;
            if (ratio < (large ? 3 : 4.5)) bad.push(e.textContent.trim().slice(0, 30) + ' ' + ratio.toFixed(2));
          }
          return bad;
        }"""
    )
    return found


def unlabelled(seen: Tab) -> list[str]:
    """Controls without a name, repeated identifiers, more than one main, headings that skip a level."""
    found: list[str] = seen.page.evaluate(
        """() => {
          const bad = [];
          for (const e of document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a[href]')) {
            const label = e.labels && e.labels.length ? e.labels[0].textContent : '';
            if (!(label + (e.getAttribute('aria-label') || '') + (e.title || '') + e.textContent).trim())
              bad.push('no name: ' + e.outerHTML.slice(0, 60));
          }
          const all = [...document.querySelectorAll('[id]')].map(e => e.id);
          const ids = all.filter((id, i) => all.indexOf(id) !== i);
          if (ids.length) bad.push('twice: ' + [...new Set(ids)].join(' '));
          if (document.querySelectorAll('main').length !== 1) bad.push('one main');
          if (document.querySelectorAll('h1').length !== 1) bad.push('one h1');
          if (!document.documentElement.lang || !document.title.trim()) bad.push('language and title');
          for (const e of document.querySelectorAll('figure svg, .drawing svg'))
            if (!e.getAttribute('aria-label') && !e.querySelector('title') && !e.getAttribute('aria-labelledby'))
              bad.push('a picture without words');
          return bad;
        }"""
    )
    return found


def test_by_keyboard_alone(browser: Browser, server: Served, tmp_path: Path) -> None:
    """Skip link, direction, a choice, all with Tab, Enter and arrows; focus is seen and is not lost by an answer."""
    with tab(browser, server.address) as seen:
        page = seen.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("location.hash") == "#main"
        choose_file(seen, table(tmp_path / "keys.csv"))
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.value") == "higher":
                break
        outline = "s => getComputedStyle(document.activeElement)[s]"
        assert page.evaluate(outline, "outlineStyle") != "none"
        with page.expect_navigation():
            page.keyboard.press("Enter")
        page.focus("#choice-control")
        with page.expect_response(lambda answer: "control=" in answer.url):
            page.keyboard.press("ArrowDown")
        # The answer has come, but the page may not show it yet; the list had the focus before as well.
        page.wait_for_function("() => document.querySelector('h1').textContent.includes('(the control)')")
        page.wait_for_function("() => location.search.includes('control=')")
        assert page.evaluate("document.activeElement.id") == "choice-control"


def test_without_javascript(browser: Browser, server: Served, tmp_path: Path) -> None:
    with tab(browser, server.address, java_script_enabled=False) as seen:
        page = seen.page
        assert "better than" in verdict(seen)
        page.set_input_files("#file", str(table(tmp_path / "plain.csv")))
        page.click("#upload button")
        page.get_by_role("button", name=re.compile("Higher is better")).click()
        page.select_option("#choice-control", "LR")
        page.get_by_role("button", name="Apply").click()
        assert "control=LR" in page.url
        assert "(the control)" in verdict(seen)
        assert page.locator("[data-copy]:visible").count() == 0, "a button that does nothing"
        seen.shot("7-no-script")


def test_bad_files_are_explained_with_a_way_on(browser: Browser, server: Served, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("problem,A,B\np1,1,2\np2,x,3\n")
    (tmp_path / "noise.csv").write_bytes(np.random.default_rng(2).bytes(3000))
    (tmp_path / "empty.csv").write_text("")
    with tab(browser, server.address) as seen:
        for name, said in (("bad.csv", "'x' is not a number"), ("noise.csv", ""), ("empty.csv", "empty")):
            choose_file(seen, tmp_path / name)
            assert said in seen.page.inner_text("main"), name
            assert "internal error" not in seen.page.inner_text("main").lower()
            assert seen.page.locator(".refusal").count() == 1
            assert seen.page.locator("#file").count() == 1
        seen.shot("8-bad-file")


def test_hostile_names_are_text(browser: Browser, server: Served, tmp_path: Path) -> None:
    """In algorithms, problems, file name and address: nothing runs, and the policy has nothing to report."""
    names = ("Ours", HOSTILE.replace('"', "'"), "=HYPERLINK(1)", "</title><script>window.evil=1</script>")
    path = table(tmp_path / "<img src=x onerror=evil=1>.csv", names=names)
    path.write_text(path.read_text().replace("set 3", "<svg onload=evil=1>"))
    with tab(browser, server.address) as seen:
        open_table(seen, path)
        settled(seen)
        assert "<script>window.evil=1</script>" in seen.page.inner_text("main")
        seen.page.goto(seen.page.url + "&control=%22%3E%3Cscript%3Ewindow.evil%3D1%3C/script%3E")
        settled(seen)
        assert seen.page.evaluate("window.evil") is None
        assert seen.page.locator("main script, img[onerror]").count() == 0


def test_two_users_at_once(browser: Browser, server: Served, tmp_path: Path) -> None:
    """Each sees their own table, also where both files have one name."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with tab(browser, server.address) as first, tab(browser, server.address) as second:
        choose_file(first, table(tmp_path / "one" / "t.csv", names=("A1", "A2", "A3")))
        choose_file(second, table(tmp_path / "two" / "t.csv", names=("B1", "B2", "B3")))
        for seen in (first, second):
            seen.page.get_by_role("button", name=re.compile("Higher is better")).click(no_wait_after=True)
        for seen, own, other in ((first, "A1", "B1"), (second, "B1", "A1")):
            seen.page.wait_for_selector("#shell")
            assert own in seen.page.inner_text("main")
            assert other not in seen.page.inner_text("body")


def test_ten_megabytes(browser: Browser, server: Served, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = ["problem," + ",".join(f"algorithm {j}" for j in range(10))]
    cells = rng.normal(size=(55_000, 10)).round(15)
    rows += [f"problem number {i}," + ",".join(map(repr, row)) for i, row in enumerate(cells.tolist())]
    path = tmp_path / "large.csv"
    path.write_text("\n".join(rows) + "\n")
    assert path.stat().st_size > 10_000_000
    with tab(browser, server.address) as seen:
        choose_file(seen, path)
        assert verdict(seen).replace(",", "") == "55000 problems × 10 algorithms. Which direction is good?"


EXPERIMENT = """
import os, sys, time
import bakeoff as bo

def solver(shift):
    calls = []
    def run(problem, rng):
        while not os.path.exists(f"go {len(calls) // 4}"):
            time.sleep(0.02)
        calls.append(problem)
        if shift and len(calls) == 1:
            raise ArithmeticError("<b>diverged</b>")
        return problem + shift
    return run

algorithms = {"<i>good</i>": solver(0.0), "poor": solver(1.0)}
problems = {f"p{i}": float(i) for i in range(12)}
bo.run(bo.Experiment(algorithms, problems, better="lower", seed=1, runs=1, on_failure=99.0), store="runs.sqlite")
"""


def test_the_tab_of_the_page_is_in_sight_on_a_phone(browser: Browser, server: Served, tmp_path: Path) -> None:
    with tab(browser, server.address, viewport={"width": 390, "height": 800}) as seen:
        open_table(seen, table(tmp_path / "t.csv"))
        seen.page.goto(seen.page.url.replace("/compare", "/ratings"))
        place = seen.page.locator(".tabs [aria-current]").bounding_box()
        assert place is not None
        assert place["x"] >= 0
        assert place["x"] + place["width"] <= 390


def test_a_table_of_curves_leads_to_its_only_analysis(browser: Browser, server: Served, tmp_path: Path) -> None:
    rows = [f"p{i},{a},{b},{i + 9 / b + j}" for i in range(8) for j, a in enumerate("AB") for b in (1, 2, 4)]
    (tmp_path / "c.csv").write_text("\n".join(["problem,algorithm,budget,score", *rows]))
    with tab(browser, server.address) as seen:
        open_table(seen, tmp_path / "c.csv", "Lower")
        assert verdict(seen) == "A better from budget 1 to 4."
        texts = seen.page.locator(".tabs a").all_inner_texts()
        assert texts == ["From which budget on?\nCurves", "How many problems?\nPlan"]


def test_a_running_experiment_advances_on_the_page(browser: Browser, tmp_path: Path) -> None:
    """Its runs are let go one third at a time; at the end stands the verdict on its results."""
    (tmp_path / "experiment.py").write_text(EXPERIMENT)
    with subprocess.Popen([sys.executable, "experiment.py"], cwd=tmp_path) as running:
        try:
            wait_until((tmp_path / "runs.sqlite").is_file)
            with served("runs.sqlite", cwd=tmp_path) as server, tab(browser, server.address) as seen:
                page = seen.page
                assert page.url.endswith("/live")
                says = "text => document.querySelector('#live h1').textContent.includes(text)"
                page.wait_for_function(says, arg="0 of 12 problems · 0 of 24 runs")
                page.evaluate("window.sameDocument = true")
                (tmp_path / "go 0").touch()
                page.wait_for_function(says, arg="4 of 12 problems · 8 of 24 runs")
                assert page.locator("#live-link").is_hidden()
                assert page.locator("#live i, #live b").count() == 0
                assert "\\n" not in page.inner_text("#live"), "a list of pieces in place of a piece"
                assert "1 of 4 runs failed" in page.inner_text("#live section.errors")
                assert page.locator("section.algorithms tbody tr").first.inner_text().split()[:2] == [
                    "<i>good</i>",
                    "1.000",
                ]
                seen.shot("9-live")
                page.set_viewport_size({"width": 390, "height": 900})
                assert seen.width() <= 390
                seen.shot("9-live-390")
                assert unlabelled(seen) == []
                assert faint(seen) == []
                (tmp_path / "go 1").touch()
                page.wait_for_function(says, arg="8 of 12 problems · 16 of 24 runs")
                (tmp_path / "go 2").touch()
                page.wait_for_function(says, arg="12 of 12 problems · 24 of 24 runs")
                page.wait_for_selector("#live .results a")
                assert page.inner_text("#live-said") == "runs.sqlite: finished"
                assert page.evaluate("window.sameDocument") is True
                page.click("#live .results a")
                page.wait_for_selector("#shell")
                assert "<i>good</i> is better than poor" in verdict(seen)
                with tab(browser, server.address, java_script_enabled=False) as unscripted:
                    assert "12 of 12 problems" in verdict(unscripted)
                    assert unscripted.page.locator("#live-link a").is_visible()
        finally:
            running.kill()
