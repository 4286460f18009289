"""The pairs as .csv and .xlsx: the numbers of the result, and names that stay names."""

import csv

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.reporting.data import pair_columns

NAMES = ["=1+1", "-x, y", "@cmd\x07"]


@pytest.fixture
def result():
    table = np.arange(24.0).reshape(8, 3) ** 0.5 + np.random.default_rng(0).random((8, 3))
    return bo.compare(bo.Scores(table, algorithms=NAMES, better="lower"), posthoc="all")


def test_csv_holds_the_pairs_and_no_formula(result, tmp_path):
    result.save(tmp_path / "pairs.csv")
    with (tmp_path / "pairs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["a"] for row in rows] == ["'=1+1", "'=1+1", "'-x, y"]
    assert [float(row["adjusted_holm"]) for row in rows] == [p.adjusted["holm"] for p in result.pairs]
    assert list(rows[0]) == list(pair_columns(result))


def test_csv_leaves_out_what_could_not_be_computed(tmp_path):
    table = [[np.inf, np.inf], [1.0, 2.0], [2.0, 3.0], [4.0, 5.0], [1.0, 3.0], [2.0, 4.0], [1.0, 2.0]]
    bo.compare(bo.Scores(table, better="lower")).save(tmp_path / "pairs.csv")
    with (tmp_path / "pairs.csv").open(encoding="utf-8", newline="") as file:
        row = next(csv.DictReader(file))
    assert row["effect"] == ""
    assert row["verdict"] == "a better"


def test_xlsx_holds_text_as_text(result, tmp_path):
    import openpyxl

    result.save(tmp_path / "pairs.xlsx")
    book = openpyxl.load_workbook(tmp_path / "pairs.xlsx")
    assert book.sheetnames == ["pairs", "ranking", "scores", "ranks", "cautions"]
    first = book["pairs"]["A2"]
    assert (first.value, first.data_type) == ("=1+1", "s")
    assert book["pairs"].max_row == 1 + len(result.pairs)
    assert book["cautions"].max_row == 1 + len(result.cautions)
