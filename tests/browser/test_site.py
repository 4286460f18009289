"""The documentation site: built without a warning, its links lead somewhere, it loads nothing from elsewhere, and its
search finds each caution, procedure and command first."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
import pytest

from bakeoff.adjusting.methods import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.cli import main
from bakeoff.cli.commands.docs import LEAST, hits_on
from bakeoff.cli.searching import Index
from bakeoff.effects import EFFECTS
from bakeoff.omnibus import OMNIBUS
from bakeoff.paired import OF_ONE_PAIR, PAIRED
from bakeoff.posthoc import PAIRWISE, POSTHOC

ROOT = Path(__file__).parents[2]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FAMILIES = (OMNIBUS, PAIRED, PAIRWISE, OF_ONE_PAIR, POSTHOC, CONTROL_METHODS, PAIRWISE_METHODS, EFFECTS)
PROCEDURES = sorted({name for family in FAMILIES for name in family})
COMMANDS = main.list_commands(click.Context(main))
WORDS = ("compare", "holm", "bo.compare")
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "object": "data"}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("sphinx_gallery", "playwright"),
    pytest.mark.skipif(not (ROOT / "docs" / "conf.py").exists(), reason="the pages are in the repository only"),
]


def newest(*folders: str) -> float:
    built = {"examples", "python", "__pycache__"}  # folders that building writes
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*") if not built & set(path.parts)]
    return max(path.stat().st_mtime for path in files)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one of `make site`, if it is of today's pages; else built for this."""
    there = ROOT / "build" / "site"
    words = there / "_static" / "words.js"
    if words.is_file() and words.stat().st_mtime > newest("docs"):
        return there
    folder = tmp_path_factory.mktemp("site")
    options = ("-q", "-b", "html", "-W", "--keep-going", "-n", "-d", str(folder / "doctrees"))
    command = [sys.executable, "-m", "sphinx", *options, str(ROOT / "docs"), str(folder / "site")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "site"


class Page(HTMLParser):
    """What a page defines, links to and loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if tag in LOADED and LOADED[tag] in given and given.get("rel") not in ("canonical", "index", "next", "prev"):
            self.loads.append(given[LOADED[tag]])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path.resolve(): Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_link_leads_somewhere(pages: dict[Path, Page]) -> None:
    lost = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            address, _, anchor = unquote(link).partition("#")
            target = (path.parent / address.partition("?")[0]).resolve() if address else path
            if not target.is_file() or (anchor and target in pages and anchor not in pages[target].ids):
                lost.append((path.name, link))
    assert lost == []
    assert len(pages) > 150


def test_nothing_is_loaded_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loads = {(path.name, load) for path, page in pages.items() for load in page.loads}
    assert [one for one in loads if re.match(r"(https?:)?//", one[1])] == []
    for path in [*site.rglob("*.css"), *pages]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@import\s+(url\()?[\"']?(https?:)?//|url\(\s*[\"']?(https?:)?//", text), path.name


def expected() -> list[tuple[str, str, str]]:
    """(what is typed, page, anchor)."""
    text = (ROOT / "docs" / "understand" / "cautions.md").read_text(encoding="utf-8")
    codes = re.findall(r"^### `([a-z0-9-]+)`$", text, re.MULTILINE)
    assert len(codes) > 100
    found = [(code, "understand/cautions", f"#{code}") for code in codes]
    found += [(command, "reference/cli", f"#bakeoff-{command}") for command in COMMANDS]
    heads = {path: path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "methods").glob("*.md")}
    for name in PROCEDURES:
        record = re.compile(rf"^records: \[(?:.*, )?\w+/{re.escape(name)}[,\]]", re.MULTILINE)
        (page,) = [path.stem for path, head in heads.items() if record.search(head) and "race-" not in path.stem]
        found.append((name, f"methods/{page}", ""))
    return found


SEARCH = """words => words.map(word =>
  Search._performSearch(...Search._parseQuery(word)).slice(-4).reverse().map(found => [found[0], found[2]]))"""


def test_a_search_finds_each_caution_procedure_and_command_first(site: Path) -> None:
    """In the page itself, opened from the disk. Words with hyphens are the trap: a search divides them."""
    if BROWSER is None:
        pytest.skip("no Chromium here; CI installs it")
    import playwright.sync_api as sync

    wanted = expected()
    asked: list[str] = []
    with sync.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        window = browser.new_page(viewport={"width": 390, "height": 800})
        window.on("request", lambda request: asked.append(request.url))
        window.goto(f"{(site / 'search.html').as_uri()}?q=interval-below-level")
        window.wait_for_selector("#search-results li a")
        first = window.locator("#search-results li a").first.get_attribute("href") or ""
        results: list[list[list[str]]] = window.evaluate(SEARCH, [word for word, _, _ in wanted])
        wide = {}
        for name in (
            "index",
            "guides/compare",
            "methods/holm",
            "understand/cautions",
            "reference/cli",
            "start/tutorial",
        ):
            window.goto((site / f"{name}.html").as_uri())
            wide[name] = window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        browser.close()
    assert "understand/cautions.html" in first
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert {name: by for name, by in wide.items() if by > 1} == {}, "wider than a phone"
    missed = [
        (word, page, found)
        for (word, page, anchor), found in zip(wanted, results, strict=True)
        if [page, anchor] not in found[:3]
    ]
    assert missed == []


def test_code_fits_its_column_at_1200_pixels(site: Path) -> None:
    """A hundred pages had to be scrolled sideways for a command."""
    if BROWSER is None:
        pytest.skip("no Chromium here; CI installs it")
    import playwright.sync_api as sync

    wide = "[...document.querySelectorAll('div.highlight pre')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
    with sync.sync_playwright() as driver:
        page = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"]).new_page(
            viewport={"width": 1200, "height": 900}
        )
        for path in sorted(path for folder in ("start", "guides", "how-to") for path in (site / folder).glob("*.html"))[
            ::3
        ]:
            page.goto(path.as_uri())
            assert page.evaluate(wide) == 0, path.name
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path.name


def test_words_lead_to_pages(site: Path, pages: dict[Path, Page]) -> None:
    """What ``bakeoff docs`` looks up."""
    index = Index.read(site / "_static" / "words.js")
    found = {word: [index.sections[hit.section][2] for hit in hits_on(index, word)] for word in WORDS}
    assert found["compare"][0] == "guides/compare.html"
    assert found["holm"][0] == "methods/holm.html"
    assert found["bo.compare"][0] == "reference/python/bakeoff.compare.html#bakeoff.compare"
    for _, _, place in index.sections:
        name, _, anchor = place.partition("#")
        assert not anchor or anchor in pages[(site / name).resolve()].ids, place


def wanted() -> dict[str, set[str]]:
    """Words of the papers and of every day, and the pages that a reader wants."""
    path = ROOT / "tests" / "contract" / "search_words.toml"
    groups = tomllib.loads(path.read_text(encoding="utf-8")).values()
    return {word: {*pages.split()} for group in groups for word, pages in group.items()}


def test_a_search_finds_what_the_readers_of_the_papers_type(site: Path) -> None:
    """In the page itself, as far down as three."""
    if BROWSER is None:
        pytest.skip("no Chromium here; CI installs it")
    import playwright.sync_api as sync

    every = wanted()
    typed = {word: every[word] for word in list(every)[::5]}  # all of them: tests/contract/test_search.py
    with sync.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        window = browser.new_page()
        window.goto(f"{(site / 'search.html').as_uri()}?q=multiple%20sign")
        window.wait_for_selector("#search-results li a")
        first = window.locator("#search-results li a").first.get_attribute("href") or ""
        results: list[list[list[str]]] = window.evaluate(SEARCH, list(typed))
        browser.close()
    assert first == "methods/multiple-sign.html"
    first_three = {word: [page for page, _ in found[:3]] for word, found in zip(typed, results, strict=True)}
    assert [word for word, pages in typed.items() if not pages & {*first_three[word]}] == []
    index = Index.read(site / "_static" / "words.js")
    for word, pages in first_three.items():
        hits = index.found(word)[:3]
        ours = [hit.page for hit in hits if hit.score > LEAST * hits[0].score]
        assert pages[: len(ours)] == ours, word


def test_the_size_is_reasonable(site: Path) -> None:
    sizes: dict[str, Any] = {str(path): path.stat().st_size for path in site.rglob("*") if path.is_file()}
    assert sum(sizes.values()) < 25e6
    assert not [path for path in sizes if path.endswith((".map", ".zip", ".ipynb", ".pickle"))]
