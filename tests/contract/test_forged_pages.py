"""500 random changes of HTML reports: found without another table where the page contradicts itself, with it always."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

import bakeoff as bo
import every_kind
import forged_pages
import forging
from bakeoff.errors import ReportError
from bakeoff.verification import origin

NAMES = list(forged_pages.CALLS)


def is_found(page: Path, table: Path | None) -> bool:
    try:
        return not bo.verify(page, table).ok
    except ReportError as error:
        assert len(str(error)) < 2000  # noqa: PT017
        return True


def missed(numbers: range, folder: Path) -> tuple[list[str], Counter[str]]:
    """The changes that nobody finds, and who finds the others."""
    originals = {name: forged_pages.original(name, folder) for name in NAMES}
    not_found, found_by = [], Counter[str]()
    for number in numbers:
        name = NAMES[number % len(NAMES)]
        text, table = originals[name]
        made = forged_pages.forged(text, name, folder, random.Random(f"{number} {name}"))
        page = folder / "forged.html"
        page.write_text(made.page, encoding="utf-8")
        alone = is_found(page, None)
        found_by["the page alone" if alone else "the table"] += 1
        if (made.contradicts and not alone) or not is_found(page, table):
            not_found.append(f"{number} {name}: {made.what}")
    return not_found, found_by


def test_some_changes(tmp_path: Path) -> None:
    not_found, found_by = missed(range(8), tmp_path)
    assert not_found == []
    assert found_by["the page alone"] > found_by["the table"] > 0


@pytest.mark.slow
def test_fifty_changes(tmp_path: Path) -> None:
    not_found, _ = missed(range(15, 65), tmp_path)
    assert not_found == []


@pytest.mark.exhaustive
def test_further_changes(tmp_path: Path) -> None:
    not_found, found_by = missed(range(65, 615), tmp_path)
    assert not_found == []
    assert found_by["the page alone"] > 10 * len(NAMES) > found_by["the table"] > 10


@pytest.mark.parametrize(("there", "instead"), forged_pages.ADDED)
@pytest.mark.few(5, 10)
def test_whatever_is_added_is_found(there: str, instead: str, tmp_path: Path) -> None:
    text, table = forged_pages.original("compare", tmp_path)
    page = tmp_path / "forged.html"
    assert there in text
    page.write_text(text.replace(there, instead, 1), encoding="utf-8")
    found = bo.verify(page, table)
    assert not found.ok
    assert all(difference.where.startswith("the page: ") for difference in found.differences)


@pytest.mark.few(6)
@pytest.mark.parametrize("name", [*forging.KINDS, *forging.MORE])
def test_a_page_of_every_kind_is_what_its_numbers_give(name: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    (forging.MORE.get(name) or every_kind.RESULTS[name])().save(page)
    assert bo.verify(page).differences == ()
    assert bo.verify(page).ok
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("</h1>", " Really.</h1>"), encoding="utf-8")
    assert [difference.where for difference in bo.verify(page).differences] == ["the page: header, verdict"]


@pytest.mark.parametrize("name", ["experiment", "run", "race", "plan", "power", "known-truth", "scores"])
@pytest.mark.few(3, 4)
def test_a_page_that_is_not_computed_again(name: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    every_kind.RESULTS[name]().save(page)
    found = bo.verify(page)
    assert not found.ok
    assert found.differences == ()
    assert "NOT COMPUTED" in found.verdict
    assert "Not computed: " in found.notes[0]
    text = page.read_text(encoding="utf-8")
    for there, instead in (("</h1>", " Really.</h1>"), *forged_pages.ADDED):
        if not instead.startswith("<svg>"):  # an element that reports have, with a text of which nothing is known
            page.write_text(text.replace(there, instead, 1), encoding="utf-8")
            assert bo.verify(page).differences, instead


def test_markup_that_reads_alike_is_alike(tmp_path: Path) -> None:
    text, table = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    turned = text.replace('<meta charset="utf-8">', "<META  charset='utf-8' />").replace("</tr>\n", "</tr>\n\n   ")
    page.write_bytes(turned.replace(">C4.5<", ">C4&#46;5<").replace("\n", "\r\n").encode())
    assert bo.verify(page, table).ok


def test_numbers_of_another_numpy_may_differ_in_the_last_printed_digit(tmp_path: Path) -> None:
    text, _ = forged_pages.original("compare", tmp_path)
    here = bo.compare(bo.datasets.load("demsar_2006")).to_dict()["versions"]["numpy"]
    text = text.replace(f'"numpy":"{here}"', '"numpy":"1.0.1"').replace(f"numpy {here}", "numpy 1.0.1")
    text = text.replace(f"NumPy {here}", "NumPy 1.0.1")
    page = tmp_path / "report.html"
    page.write_text(text, encoding="utf-8")
    assert bo.verify(page).ok
    cell = next(part for part in text.split("<td>") if part.startswith("0.0") and "</td>" in part).split("<")[0]
    last = str((int(cell[-1]) + 1) % 10) if cell[-1] != "9" else "8"
    page.write_text(text.replace(f"<td>{cell}<", f"<td>{cell[:-1]}{last}<"), encoding="utf-8")
    assert bo.verify(page).ok
    page.write_text(text.replace(f"<td>{cell}<", f"<td>0.9{cell[3:]}<"), encoding="utf-8")
    assert not bo.verify(page).ok
    injected = text.replace('"numpy":"1.0.1"', '"numpy":"1.0.1, reviewed"').replace(
        "numpy 1.0.1", "numpy 1.0.1, reviewed"
    )
    page.write_text(injected, encoding="utf-8")
    assert not bo.verify(page).ok


def test_a_page_without_its_numbers_is_refused(tmp_path: Path) -> None:
    text, _ = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    page.write_text(forged_pages.DATA.sub("", text), encoding="utf-8")
    with pytest.raises(ReportError, match=r"without its numbers. Verify the JSON"):
        bo.verify(page)
    page.write_text(forged_pages.DATA.sub(lambda found: found[0] * 2, text), encoding="utf-8")
    with pytest.raises(ReportError, match="2 elements"):
        bo.verify(page)


def test_a_page_of_another_version_is_computed_but_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origin, "RELEASED", (forging.EARLIER,))
    text, table = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    text = text.replace('"bakeoff":"', f'"bakeoff":"{forging.EARLIER}","was":"', 1)
    text = re.sub(r'"was":"[^"]*",', "", text).replace("Diagram", "Drawing")
    page.write_text(text, encoding="utf-8")
    found = bo.verify(page, table)
    assert (found.ok, found.differences) == (False, ())
    assert any(note.startswith("Not compared: the words, tables and script of the page") for note in found.notes)
    assert bo.verify(page, table, other_version=True).ok
    page.write_text(text.replace("</h1>", " Really.</h1>"), encoding="utf-8")
    assert not bo.verify(page, table, other_version=True).ok
