"""What sources and pages cite of the five papers is there, and says what the citation is for.

`paper_citations/citations.csv` has a row for each place and the words that must stand there, with the files that cite
it. A new citation needs a row: ``python tests/repository/test_paper_citations.py`` prints those that lack one. The
words are looked up where the papers are at hand (paper_citations/texts.py says where); the numbers of sections, tables,
figures and equations are checked everywhere.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))

from repository.paper_citations import scan, texts
from repository.paper_citations.scan import Citation

ROOT = Path(__file__).parents[2]
ERRATUM = r"[BCDFGMRS]\d{1,2}"


@cache
def listed() -> dict[Citation, str]:
    """{citation: words that must stand there}."""
    with (Path(__file__).parent / "paper_citations" / "citations.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {
        Citation(name, row["paper"], row["place"]): row["words"] for row in rows for name in row["files"].split(" ")
    }


@cache
def cited() -> frozenset[Citation]:
    return frozenset(scan.citations())


def test_cited_places_exist() -> None:
    assert [citation for citation in sorted(cited()) if not texts.exists(citation.paper, citation.place)] == []


def test_every_citation_is_listed_with_its_words() -> None:
    assert sorted(cited() - listed().keys()) == [], "add rows to paper_citations/citations.csv: see this file"
    assert sorted(listed().keys() - cited()) == [], "no longer cited: remove from paper_citations/citations.csv"


@pytest.mark.skipif(texts.folder() is None, reason="the papers are not at hand")
def test_cited_places_say_so() -> None:
    wrong = [
        (*citation, words)
        for citation, words in listed().items()
        if words.lower() not in texts.text_at(citation.paper, citation.place).lower()
    ]
    assert wrong == []


@pytest.mark.skipif(texts.folder() is None, reason="the papers are not at hand")
def test_the_list_of_places_is_that_of_the_papers() -> None:
    missing = [
        (paper, kind, number)
        for paper, kinds in texts.structure().items()
        for kind, numbers in kinds.items()
        for number in numbers
        if len(texts.text_at(paper, f"{kind} {number}")) < 80
    ]
    assert missing == []


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Demšar (2006), section 3.2.2: CD", ["Demšar section 3.2.2"]),
        ("(García et al. 2010, eqs. 12–16; Derrac et al. 2011, eq. 6)",
         ["García equation 12", "García equation 16", "Derrac equation 6"]),
        ("solving (9) of Campelo & Takahashi (2019); their (15)", ["Campelo equation 9", "Campelo equation 15"]),
        ("Benavoli et al. 2015, Theorem 1 and equation 19", ["Benavoli theorem 1", "Benavoli equation 19"]),
        ("Derrac's Table A.21, and Table 4 of Derrac et al.", ["Derrac table A.21", "Derrac table 4"]),
        ("Benavoli, Corani & Mangili (2016), section 2; Conover (1999), section 5.8", []),
        ("García & Herrera (2008), section 2", []),
        ("see the table 3 lines below", []),
    ],
)  # fmt: skip
def test_citations_are_found(text: str, places: list[str]) -> None:
    assert [f"{citation.paper} {citation.place}" for citation in scan.of_text("file", text)] == places


def named_errata() -> Iterator[tuple[str, str]]:
    """(file, id) of all errata that sources and pages name."""
    for path in scan.paths():
        text = " ".join(path.read_text(encoding="utf-8").split())
        name = str(path.relative_to(ROOT))
        for group in re.findall(
            rf"[Ee]rrata(?:\.md)?[^A-Za-z0-9]{{0,40}}({ERRATUM}(?:(?:,| and| to|\s)+{ERRATUM})*)", text
        ):
            yield from ((name, erratum) for erratum in re.findall(ERRATUM, group))
        yield from ((name, erratum) for erratum in re.findall(rf"\[({ERRATUM})\]\([^)]*errata\.md", text))
        if re.match("docs/(methods|papers|trust)/", name):
            yield from ((name, erratum) for erratum in re.findall(rf"\(({ERRATUM})\)", text))


def test_every_named_erratum_has_its_heading() -> None:
    page = (ROOT / "docs" / "trust" / "errata.md").read_text(encoding="utf-8")
    headings = set(re.findall(rf"^### ({ERRATUM})\. ", page, re.MULTILINE))
    named = list(named_errata())
    assert len({erratum for _, erratum in named}) > 40
    assert sorted({(name, erratum) for name, erratum in named if erratum not in headings}) == []


if __name__ == "__main__":
    for citation in sorted(cited() - listed().keys()):
        sys.stdout.write(f"{citation.paper},{citation.place},WORDS,{citation.file}\n")
