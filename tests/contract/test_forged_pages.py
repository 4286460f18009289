"""2000 random changes of HTML reports: found without another table where the page contradicts itself, with it always.

None is called OK unless its bytes, up to line ends, are those that are written of its numbers.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
import every_kind
import forged_pages
import forging
from bakeoff.cli import main
from bakeoff.errors import ReportError
from bakeoff.report.methods import computed_by, versions_here
from bakeoff.wings.boards.ratings._read_battles import Battles
from bakeoff.wings.curves.curves.statistics import CurveTable
from bakeoff.wings.verify import origin
from bakeoff.wings.verify.values import _Settling

NAMES = list(forged_pages.CALLS)
BLOCKS, IN_A_BLOCK = 20, 100


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
        page.write_bytes(made.page.encode())
        alone = is_found(page, None)
        found_by["the page alone" if alone else "the table"] += 1
        if (made.contradicts and not alone) or not (alone or is_found(page, table)):
            not_found.append(f"{number} {name}: {made.what}")
    return not_found, found_by


def test_thirty_changes(tmp_path: Path) -> None:
    not_found, found_by = missed(range(30), tmp_path)
    assert not_found == []
    assert found_by["the page alone"] > found_by["the table"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("block", range(BLOCKS))
def test_further_changes(block: int, tmp_path: Path) -> None:
    not_found, found_by = missed(range(30 + block * IN_A_BLOCK, 30 + (block + 1) * IN_A_BLOCK), tmp_path)
    assert not_found == []
    assert found_by["the page alone"] > 4 * found_by["the table"] > 0


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


@pytest.mark.parametrize("name", ["experiment", "run", "race", "plan", "study-power", "study-known-truth", "scores"])
@pytest.mark.few(3, 4)
def test_a_page_that_is_not_computed_again_is_refused_as_its_json_is(name: str, tmp_path: Path) -> None:
    for suffix in ("html", "json"):
        page = tmp_path / f"report.{suffix}"
        every_kind.RESULTS[name]().save(page)
        with pytest.raises(ReportError, match=r"not computed again|verify its store"):
            bo.verify(page)
        assert CliRunner().invoke(main, ["verify", str(page)]).exit_code == 2


def test_line_ends_of_windows_are_those_of_the_page_and_nothing_else_is(tmp_path: Path) -> None:
    text, table = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    page.write_bytes(text.replace("\n", "\r\n").encode())
    assert bo.verify(page, table).ok
    for there, instead in (
        ('<meta charset="utf-8">', "<meta charset='utf-8'>"),
        ("</tr>\n", "</tr>\n\n"),
        (">C4.5<", ">C4&#46;5<"),
        ("<!DOCTYPE html>", "\ufeff<!DOCTYPE html>"),
        ("<h1>", "<H1>"),
        ("\n", "\r"),
    ):
        assert there in text
        page.write_bytes(text.replace(there, instead, 1).encode())
        assert not bo.verify(page, table).ok, instead


# --- what a browser reads otherwise -----------------------------------------------------------------------------

LENIENT = [
    ('http-equiv="Content-Security-Policy"', 'http-equiv="Content-Security-Policy&#1;"'),
    ("<meta http-equiv", "<meta\u00a0http-equiv"),
    ("</title>", "</title\u00a0>"),
    ("</style>", "</style\u00a0>"),
    (' x="', ' x="&#1;'),
    (' x1="', ' x1="&#1;'),
    (' class="', ' class="&#1;'),
    ("<section id", "<section\u00a0id"),
    ("<td", "<td\u00a0"),
    ("<h1", "<h1\u00a0"),
    ("<details", "<details\u00a0"),
    ('id="bakeoff-data"', 'id="bakeoff-data&#1;"'),
    ("}</script>", "}</script\u00a0>"),
    ("<td>0.", "<td>0.&#1;"),
]


@pytest.mark.few(4)
@pytest.mark.parametrize(("there", "instead"), LENIENT, ids=lambda text: ascii(text))
def test_no_other_reading_of_markup_is_accepted(there: str, instead: str, tmp_path: Path) -> None:
    """A second reader of HTML, more lenient than browsers, took these for the same page."""
    text, table = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    assert there in text
    page.write_text(text.replace(there, instead, 1), encoding="utf-8")
    assert is_found(page, None)
    assert is_found(page, table)


@pytest.mark.parametrize("name", ["compare", "bayes", "leaderboard", "evaluate"])
def test_json_is_no_page(name: str, tmp_path: Path) -> None:
    """A browser showed the heading in its command, and ran the script; verify read its JSON and agreed."""
    text, table = forged_pages.original(name, tmp_path)
    content = json.loads(forged_pages.DATA.search(text)[2])  # type: ignore[index]
    del content["command"]
    markup = "<html><h1>Old is better than each of the 2 other algorithms.</h1><script>1</script><!--"
    for suffix in ("html", "htm", "xhtml", "svg", "txt", "json"):
        page = tmp_path / f"r2.{suffix}"
        page.write_text(json.dumps({"command": markup, **content}), encoding="utf-8")
        found = CliRunner().invoke(main, ["verify", str(page), str(table)])
        assert (found.exit_code, found.stdout) == (2, "")
        page.write_text(json.dumps(content), encoding="utf-8")
        assert CliRunner().invoke(main, ["verify", str(page), str(table)]).exit_code == (0 if suffix == "json" else 2)
        page.write_text(text, encoding="utf-8")
        assert CliRunner().invoke(main, ["verify", str(page)]).exit_code == (0 if suffix in ("html", "htm") else 2)


def test_names_with_markup_are_escaped_in_json(tmp_path: Path) -> None:
    scores = bo.datasets.load("demsar_2006")
    odd = bo.Scores(scores.values, ["a<b", "</script>", "<!--", "d"], better="higher")
    for suffix in ("json", "html"):
        bo.compare(odd).save(tmp_path / f"r.{suffix}")
        assert bo.verify(tmp_path / f"r.{suffix}", odd).ok
    assert "<" not in (tmp_path / "r.json").read_text(encoding="utf-8")


# --- other versions of NumPy and SciPy --------------------------------------------------------------------------


class Nearly(dict[float, float]):
    """Numbers with many digits, which arithmetic left, a little larger or smaller; others as they are."""

    def get(self, number: float, default: Any = None) -> float:
        if len(repr(number)) < 14 or not math.isfinite(number):
            return number
        return number * (1 + random.Random(repr(number)).uniform(-1e-11, 1e-11))


SOURCES = (bo.Scores, Battles, CurveTable)
OTHER = {"numpy": "1.26.9", "scipy": "1.10.1"}


def of_other_versions(result: Any, folder: Path, suffix: str) -> Path:
    """As other versions of NumPy and SciPy might have written it."""
    settling = _Settling({}, bo.Scores)
    settling.changed, settling.kept = Nearly(), SOURCES
    path = folder / f"other.{suffix}"
    with computed_by({**versions_here(), **OTHER}):
        settling.settled(result).save(path)
    return path


@pytest.mark.few(6)
@pytest.mark.parametrize("name", [*forging.KINDS, *forging.MORE])
def test_an_honest_page_of_other_versions_is_ok_in_its_words(name: str, tmp_path: Path) -> None:
    result = (forging.MORE.get(name) or every_kind.RESULTS[name])()
    page = of_other_versions(result, tmp_path, "html")
    found = bo.verify(page)
    assert found.ok, str(found)
    assert found.tolerance == 1e-9
    assert found.verdict.removeprefix(f"{page}: ").startswith("NOT to the last digit: OK: ")
    assert bo.verify(of_other_versions(result, tmp_path, "json")).ok
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    assert bo.verify(page).ok


@pytest.mark.parametrize(
    ("pattern", "instead"),
    [
        (r"α = 0\.05", "α = 0.06"),
        (r"<td>(\d\.\d{2})\d</td>", r"<td>\g<1>7</td>"),
        (r"(\[−0\.\d+),", r"\g<1>1,"),
        (r"<td>0\.77</td>", "<td>0.78</td>"),
        (r' x="(\d+)\.(\d)', r' x="\1.9\2'),
        (r"%2C0\.\d|,0\.\d", ",0.0"),
        (r'"alpha":0\.05', '"alpha":0.05000000001'),
        (r'("values":\[\[0\.\d+)', r"\g<1>0000000001"),
    ],
)
def test_no_version_changes_levels_scores_or_figures(pattern: str, instead: str, tmp_path: Path) -> None:
    """Another version in its JSON let every number of a page be off by one in its last digit."""
    result = bo.compare(bo.datasets.load("demsar_2006"))
    page = of_other_versions(result, tmp_path, "html")
    text = page.read_text(encoding="utf-8")
    changed = re.sub(pattern, instead, text, count=1)
    assert changed != text
    page.write_text(changed, encoding="utf-8")
    assert is_found(page, None)


@pytest.mark.parametrize(
    "version", ["1.17.1x", "", "1.17.1, reviewed", "one", "1.17.1\n", "１.17.1", "1", "1." + "9" * 40]
)
@pytest.mark.parametrize("name", ["scipy", "numpy", "python"])
def test_a_version_is_one(name: str, version: str) -> None:
    content = json.loads(forging.report("compare"))
    content["versions"][name] = version
    with pytest.raises(ReportError, match=rf"versions\.{name} must be a version"):
        bo.verify(content)


def test_another_python_changes_no_digit(tmp_path: Path) -> None:
    with computed_by({**versions_here(), "python": "3.99.1"}):
        bo.compare(bo.datasets.load("demsar_2006")).save(tmp_path / "r.html")
    found = bo.verify(tmp_path / "r.html")
    assert (found.ok, found.tolerance) == (True, 0.0)


@pytest.mark.parametrize("version", ["1.17.1", "2.0.0rc1", "1.26.4.post1", "2.3.0.dev0", "1.26.4+mkl", "3.14.0a2+"])
def test_versions_before_releases_are_versions(version: str) -> None:
    content = json.loads(forging.report("compare"))
    content["versions"]["scipy"] = version
    assert bo.verify(content).ok


# --- what its writer chose --------------------------------------------------------------------------------------


def compared(folder: Path, *options: str) -> Path:
    _, table = forged_pages.original("compare", folder)
    call = ["compare", str(table), "--better", "higher", "--report", str(folder / "r.html"), *options]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 0, done.output
    return folder / "r.html"


def test_title_and_look_are_noted_and_the_headline_of_the_page_is_shown(tmp_path: Path) -> None:
    look = tmp_path / "look.toml"
    look.write_text('highlight = "C4.5"\ncaption = false\n')
    page = compared(tmp_path, "--title", "Reviewed", "--look", str(look), "--look=width-mm=90", "--alpha=1e-6")
    look.unlink()  # the printed command says what the file said
    found = bo.verify(page)
    assert found.ok, str(found)
    assert found.page in str(found)
    assert [note for note in found.notes if "chosen by who wrote it" in note] == [
        "The title of the page was chosen by who wrote it.",
        "The look of the page was chosen by who wrote it: highlight=C4.5, width-mm=90, caption=no.",
    ]


@pytest.mark.parametrize("command", forged_pages.COMMANDS_OF_OTHERS)
def test_a_command_of_others_is_not_the_one_that_was_asked(command: str, tmp_path: Path) -> None:
    """The page printed whatever stood in its JSON, beside a verdict that was verified."""
    text, table = forged_pages.original("compare", tmp_path)
    content = json.loads(forged_pages.DATA.search(text)[2])  # type: ignore[index]
    assert bo.verify(content, table).ok
    found = bo.verify({**content, "command": command}, table)
    assert found.differences[0].where.startswith("command")


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("options", "unchecked"),
    [
        ((), ""),
        (("--posthoc", "holm,hochberg", "--posthoc", "finner", "--control", "C4.5"), ""),
        (("--posthoc", "all", "--seed", "3", "--look", "width-mm=90", "--look", "caption=no"), ""),
        (("--drop", "C4.5"), "Not checked, in the command: --drop."),
    ],
)
def test_the_command_of_an_honest_page_agrees(options: tuple[str, ...], unchecked: str, tmp_path: Path) -> None:
    found = bo.verify(compared(tmp_path, *options))
    assert found.ok, str(found)
    assert [note for note in found.notes if "command" in note] == [unchecked] * bool(unchecked)


def test_a_page_without_its_numbers_is_refused(tmp_path: Path) -> None:
    text, _ = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    page.write_text(forged_pages.DATA.sub("", text), encoding="utf-8")
    with pytest.raises(ReportError, match=r"without its numbers. Verify the JSON"):
        bo.verify(page)
    page.write_text(forged_pages.DATA.sub(lambda found: found[0] * 2, text), encoding="utf-8")
    assert not bo.verify(page).ok


def test_a_page_of_another_version_is_computed_but_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(origin, "RELEASED", (forging.EARLIER,))
    text, table = forged_pages.original("compare", tmp_path)
    page = tmp_path / "report.html"
    text = text.replace('"bakeoff":"', f'"bakeoff":"{forging.EARLIER}","was":"', 1)
    text = re.sub(r'"was":"[^"]*",', "", text).replace("Diagram", "Drawing")
    page.write_text(text, encoding="utf-8")
    for accepted in (False, True):  # which accepts JSON: a page is what its bytes are
        found = bo.verify(page, table, other_version=accepted)
        assert (found.ok, found.differences) == (False, ())
        assert "page was not compared" in found.verdict
    content = json.loads(forged_pages.DATA.search(text)[2])  # type: ignore[index]
    assert bo.verify(content, table, other_version=True).ok
