"""The five pages that follow the papers: every numbered table and figure is there, every command runs and agrees.

The items are in docs/generate/papers/*.toml; docs/generate/papers.py runs them, compares, and writes docs/papers.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from repository.paper_citations import texts

ROOT = Path(__file__).parents[2]
GENERATE = ROOT / "docs" / "generate"
PAPERS = {
    "Demšar": "demsar-2006",
    "García": "garcia-2010",
    "Derrac": "derrac-2011",
    "Benavoli": "benavoli-2015",
    "Campelo": "campelo-2019",
}
KINDS = ("table", "figure", "example", "algorithm", "theorem")
NUMBER = r"(?:A\.)?\d+(?:\.\d+)*"
MANY = rf"({NUMBER}(?:(?:, | and | to ){NUMBER})*)"

pytestmark = pytest.mark.skipif(not GENERATE.exists(), reason="the pages are in the repository only")


def paper(name: str) -> dict[str, Any]:
    return tomllib.loads((GENERATE / "papers" / f"{name}.toml").read_text(encoding="utf-8"))


def items(name: str) -> list[dict[str, Any]]:
    return [item for section in paper(name)["section"] for item in section.get("item", ())]


def places(text: str) -> Iterator[str]:
    """``Tables 7 to 9, Example 4``: four places. Numbers of nothing are sections, those in parentheses equations."""
    for kind in KINDS:
        for found in re.findall(rf"\b{kind}s? {MANY}", text, re.IGNORECASE):
            yield from (f"{kind} {number}" for number in spread(found))
    rest = re.sub(rf"\b(?:{'|'.join(KINDS)})s? {MANY}", "", text, flags=re.IGNORECASE)
    equations = " ".join(re.findall(r"\((\d+)\)", rest))
    yield from (f"equation {number}" for number in equations.split())
    yield from (f"section {number}" for number in re.findall(rf"(?<![\w(.]){NUMBER}(?![\w)])", rest))


def spread(numbers: str) -> list[str]:
    if " to " in numbers:
        first, last = (int(number) for number in re.findall(r"\d+", numbers))
        return [str(number) for number in range(first, last + 1)]
    return re.findall(NUMBER, numbers)


def test_places_are_read() -> None:
    assert [*places("Tables 7 to 9, Example 4")] == ["table 7", "table 8", "table 9", "example 4"]
    assert [*places("4.1.2, (15) to (17)")] == ["equation 15", "equation 17", "section 4.1.2"]
    assert [*places("Figure 1(a)"), *places("Table A.21")] == ["figure 1", "table A.21"]


@pytest.mark.parametrize("author", PAPERS)
def test_every_numbered_table_and_figure_is_on_its_page(author: str) -> None:
    shown = {place for item in items(PAPERS[author]) for place in places(item["place"])}
    there = {f"{kind} {number}" for kind in KINDS for number in texts.structure()[author].get(kind, ())}
    assert there - shown == set()


@pytest.mark.parametrize("author", PAPERS)
def test_every_place_of_a_page_is_in_the_paper(author: str) -> None:
    page = paper(PAPERS[author])
    said = [section["title"] for section in page["section"]] + [advice["place"] for advice in page["advice"]]
    named = {place for text in [*said, *(item["place"] for item in items(PAPERS[author]))] for place in places(text)}
    assert len(named) > 15
    assert [place for place in sorted(named) if not texts.exists(author, place)] == []


@pytest.mark.parametrize("name", PAPERS.values())
def test_every_item_has_a_command_or_the_sentence_why_not(name: str) -> None:
    assert [item["place"] for item in items(name) if not {"code", "command", "why"} & item.keys()] == []
    assert [advice["says"] for advice in paper(name)["advice"] if not advice["here"] or not advice["why"]] == []


@pytest.fixture
def generator(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(sys, "path", [str(GENERATE), *sys.path])
    spec = importlib.util.spec_from_file_location("papers_generator", GENERATE / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_every_command_runs_and_gives_what_the_paper_prints(generator: Any) -> None:
    assert [path.name for path, text in generator.files().items() if path.read_text(encoding="utf-8") != text] == []


def test_a_number_that_does_not_agree_stops_the_generator(generator: Any) -> None:
    item = {"printed": "1.17; 2*", "errata": ["M4"]}
    generator.compare("a paper, Table 1", item, [1.168, 3])
    for values in ([1.164, 3], [1.168, 2], [1.168]):  # wrong, a misprint that is none, one too few
        with pytest.raises(AssertionError, match="a paper, Table 1"):
            generator.compare("a paper, Table 1", item, values)
    with pytest.raises(AssertionError, match="no erratum is named"):
        generator.compare("a paper, Table 1", {"printed": "2*"}, [3])


def test_words_that_a_command_does_not_print_stop_the_generator(generator: Any) -> None:
    item = {"command": "bakeoff datasets", "shows": ["derrac_cec2005"]}
    assert "It prints `derrac_cec2005`." in generator.ran("a paper, Table 1", item)
    with pytest.raises(AssertionError, match="'derrac_1905' is not in what"):
        generator.ran("a paper, Table 1", item | {"shows": ["derrac_1905"]})
