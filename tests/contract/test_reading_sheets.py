"""Workbooks with several sheets, and with decimal commas in text (U-A38)."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ReadingError, UnknownNameError

ACC = [["problem", "new", "old"], *([f"p{i}", 0.5 + i / 100, 0.4 + i % 3 / 100] for i in range(8))]
TIME = [["problem", "new", "old"], *([f"p{i}", 5 + i, 4 + i % 3] for i in range(8))]
NOTES = [["note"], ["made by hand"], ["see acc"]]


def test_a_part_that_is_read_as_a_whole_must_be_small(path: Path) -> None:
    """A workbook of 92 kB whose styles unpack to 60 MB took minutes and gigabytes."""
    save(path, acc=ACC)
    bomb = path.with_name("bomb.xlsx")
    with zipfile.ZipFile(path) as good, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as bad:
        for name in good.namelist():
            content = good.read(name)
            bad.writestr(name, content.replace(b"</cellXfs>", b"<xf/>" * 2_000_000 + b"</cellXfs>"))
    with pytest.raises(
        ReadingError, match=r"a part of it has 9 MiB unpacked, and at most 8 are read; save the sheet as"
    ):
        bo.read_scores(bomb, "higher")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scores.xlsx"


def save(path: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_the_first_sheet_is_read_where_no_other_has_scores(path: Path) -> None:
    assert bo.read_scores(save(path, acc=ACC, README=NOTES, empty=[]), "higher").values[1, 0] == 0.51


def test_the_first_without_scores_is_refused_with_what_works(path: Path) -> None:
    """It said "no column of scores; the columns are note"."""
    save(path, README=NOTES, acc=ACC)
    with pytest.raises(ReadingError) as error:
        bo.read_scores(path, "higher")
    assert str(error.value) == (
        f"{path} has 2 sheets (README, acc), and the first has no scores. Choose one: sheet='acc'"
    )
    assert bo.read_scores(path, "higher", sheet="acc").values[1, 0] == 0.51


def test_several_with_scores_must_be_told_apart(path: Path) -> None:
    save(path, acc=ACC, time=TIME, README=NOTES)
    with pytest.raises(ReadingError, match=r"3 sheets \(acc, time, README\), and 2 of them hold numbers.*sheet='acc'$"):
        bo.read_scores(path, "higher")
    assert bo.read_scores(path, "lower", sheet="time").values[1, 0] == 6


def test_a_hidden_sheet_is_no_choice_unless_named(path: Path) -> None:
    save(path, acc=ACC, time=TIME)
    book = openpyxl.load_workbook(path)
    book["time"].sheet_state = "hidden"
    book.save(path)
    assert bo.read_scores(path, "higher").values[1, 0] == 0.51
    assert bo.read_scores(path, "lower", sheet="time").values[1, 0] == 6


def test_a_name_that_is_not_there(path: Path) -> None:
    save(path, README=NOTES, acc=ACC)
    with pytest.raises(
        UnknownNameError, match=r"^sheet: .* has no sheet 'ac'; did you mean 'acc'\?; there are README, acc"
    ):
        bo.read_scores(path, "higher", sheet="ac")


@pytest.mark.parametrize("source", ["scores.csv", "scores.json", {"problem": ["p"], "a": [1], "b": [2]}])
def test_only_workbooks_have_sheets(tmp_path: Path, source: Any) -> None:
    (tmp_path / "scores.csv").write_text("problem,a,b\np,1,2\n")
    (tmp_path / "scores.json").write_text('{"problem": ["p"], "a": [1], "b": [2]}')
    given = tmp_path / source if isinstance(source, str) else source
    with pytest.raises(ParameterError, match=r"^sheet is for \.xlsx workbooks"):
        bo.read_scores(given, "lower", sheet="acc")


def test_the_command_line_names_the_command_that_works(path: Path) -> None:
    save(path, README=NOTES, acc=ACC)
    refused = CliRunner().invoke(main, ["compare", str(path), "--better", "higher"])
    assert refused.exit_code == 2
    assert refused.stderr.rstrip().endswith("Choose one: --sheet acc")
    assert CliRunner().invoke(main, ["compare", str(path), "--better", "higher", "--read", "sheet=acc"]).exit_code == 0


def test_text_with_decimal_commas(path: Path) -> None:
    """Excel keeps what it took for text: numbers of another country."""
    rows = [[row[0], *(str(x).replace(".", ",") for x in row[1:])] for row in ACC[1:]]
    save(path, acc=[ACC[0], *rows])
    with pytest.raises(
        ReadingError, match=r"'0,5' is not a number; the decimal sign is a point, 1.5; or pass decimal=','"
    ):
        bo.read_scores(path, "higher", decimal=".")
    for options in ({}, {"decimal": ","}):
        assert bo.read_scores(path, "higher", **options).values.tolist() == [row[1:] for row in ACC[1:]]


def test_a_title_above_the_table(path: Path) -> None:
    save(path, acc=[["Table 3: accuracies"], [], *ACC])
    assert bo.read_scores(path, "higher").values == pytest.approx(np.array([row[1:] for row in ACC[1:]]))


def test_a_sheet_without_a_header(path: Path) -> None:
    save(path, acc=ACC[1:])
    scores = bo.read_scores(path, "higher", no_header=True)
    assert scores.values == pytest.approx(np.array([row[1:] for row in ACC[1:]]))
    assert scores.problems[0] == ACC[1][0]


def test_numbers_are_numbers_and_points_in_text_are_refused(path: Path) -> None:
    save(path, acc=[["problem", "a", "b"], ["1,5", 0.5, "0,25"], ["p2", 1, 2]])
    scores = bo.read_scores(path, "lower", decimal=",")
    assert (scores.values.tolist(), scores.problems) == ([[0.5, 0.25], [1, 2]], ("1,5", "p2"))
    save(path, acc=[["problem", "a", "b"], ["p1", 0.5, "1.234"]])
    with pytest.raises(ReadingError, match=r"row 2, column 3: '1\.234' has a point, but decimal=',' says"):
        bo.read_scores(path, "lower", decimal=",")
