"""The page of a terminal that fits a screen."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import numerals, report
from bakeoff.cautions import explanations, title_of
from bakeoff.cli import main
from bakeoff.report.formats.glance import LINES
from bakeoff.report.formats.narrow_pages import short_names


def table(seed: int, step: float, names: list[str] | None = None) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(rng.normal(size=(25, 9)) + step * np.arange(9), names, better="lower")


@pytest.mark.parametrize("control", [None, "A3"])
@pytest.mark.parametrize("step", [0.0, 0.1, 0.3, 1.0, 3.0])
def test_nine_algorithms_on_25_problems_fit_a_screen(step: float, control: str | None) -> None:
    """However many pairs differ: those that have no room are counted."""
    result = bo.compare(table(1, step), control=control)
    page = str(result)
    lines = page.splitlines()
    assert len(lines) <= LINES == 36
    assert max(map(numerals.width, lines)) <= 80
    shown = len(re.findall(r"^A\d .* \d+ / \d+ / \d+$", page, re.MULTILINE))
    cut = re.search(r"… and (\d+) more", page)
    rest = re.search(r"^(\d+) (?:other )?pairs? (?:is|are) not shown to differ", page, re.MULTILINE)
    assert shown + int(cut[1] if cut else 0) + int(rest[1] if rest else 0) == len(result.pairs)


def test_the_command_prints_it_and_the_rest_with_details() -> None:
    path = bo.datasets.__path__[0] + "/derrac_cec2005.csv"
    asked = ["compare", path, "--better", "lower"]
    brief, whole = (CliRunner().invoke(main, [*asked, *more]).stdout for more in ((), ("--details",)))
    assert len(brief.splitlines()) <= LINES
    assert len(whole.splitlines()) > 50
    assert "25 problems detect normal differences of 0.93 standard deviations 80 % of the" in brief
    assert "33 other pairs are not shown to differ." in brief
    assert "scales-differ (problems): Do problems with large numbers dominate?" in brief
    assert "bakeoff explain CODE" in brief
    assert "More: --details" in brief
    assert "Iman–Davenport" in whole
    assert "Test of all 9: F = 5.3351, p = 4.65×10⁻⁶." in brief


def test_titles_are_those_of_explain() -> None:
    for code, entry in explanations().items():
        assert title_of(code) == entry.question
    assert title_of("no-such-caution") == ""


def test_signs_say_what_is_not_shown_and_what_is_equal() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=(30, 1)) + np.column_stack([np.zeros(30), rng.normal(0, 1e-4, 30), rng.normal(0, 2, 30)])
    page = report.render(bo.compare(bo.Scores(values, ["a", "b", "c"], better="lower"), margin=0.1), "txt")
    assert "·: no difference shown." in page
    assert "≈: practically equal." in page
    rows = page.split("Pairs")[1].split("\n\n")[0]
    assert rows.count(" ≈ ") == 1
    assert rows.count(" · ") == 2


def test_numbers_of_a_column_are_of_one_style() -> None:
    assert numerals.pvalue_column([0.00427, 0.0041, 1.0], 0.05) == ["0.0043", "0.0041", "1.0000"]
    assert numerals.pvalue_column([0.0, 0.2], 0.05) == ["<0.001", "0.200"]
    rng = np.random.default_rng(0)
    for _ in range(300):
        values = list(10 ** rng.uniform(-9, 9) * 10 ** rng.uniform(-3, 3, 6) * rng.choice([-1, 1], 6))
        texts = numerals.aligned(values)
        powers = {"×" in text for text in texts}
        decimals = {len(text.partition("×")[0].partition(".")[2]) for text in texts}
        assert (len(powers), len(decimals)) == (1, 1), texts
        for value, text in zip(values, texts, strict=True):
            assert numerals.as_number(text) == pytest.approx(value, rel=0.006)
    for _ in range(300):
        values = list(10 ** rng.uniform(-8, 0, 5))
        for p, text in zip(values, numerals.pvalue_column(values, 0.05), strict=True):
            if text[0] not in "<>":
                assert (float(text) <= 0.05) == (p <= 0.05)
                assert float(text) > 0


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (["short", "names"], []),
        (["org/model-of-some-length-7b", "org/model-of-some-length-70b"], ["7b", "70b"]),
        (["alpha/a-long-long-name", "beta/a-long-long-name"], ["alpha", "beta"]),
        (["one name of many letters", "another with as many"], ["[1]", "[2]"]),
    ],
)
def test_long_names_lose_what_they_share_or_are_numbered(names: list[str], short: list[str]) -> None:
    assert list(short_names(names, 12).values()) == short


def test_no_two_names_are_alike_after_shortening() -> None:
    rng = np.random.default_rng(5)
    pieces = ["a", "b-", "/", "x.", "long", " ", "_", "é"]
    for _ in range(500):
        names = list({"".join(rng.choice(pieces, rng.integers(1, 9))) for _ in range(4)})
        found = short_names(names, 3)
        assert len(set(found.values())) == len(found)
        assert all(found.values())


def test_a_pair_of_long_names_takes_one_line() -> None:
    names = [f"organisation/model-number-{i}-with-a-long-name" for i in range(4)]
    values = (np.arange(400).reshape(100, 4) % 7 < [[2, 3, 4, 5]]).astype(float)
    page = str(bo.evaluate(bo.Scores(values, names, better="higher")))
    table = page.split("Paired differences")[1]
    assert len(re.findall(r"^\d – \d ", table, re.MULTILINE)) == 6
    assert names[0] in page


@pytest.mark.slow
def test_signs_stand_in_every_column_of_words_and_a_constant_one_is_said_in_words() -> None:
    """runtimes had "none shown" 24 times; ratings and iqm a dash, which also stood for "cannot tell"."""
    rng = np.random.default_rng(1)
    scores = bo.Scores(np.exp(rng.normal(size=(30, 3, 2))), ["a", "b", "c"], better="lower")
    times = report.render(bo.runtimes(scores, cap=100), "txt")
    assert "·: no difference shown." in times
    assert "none shown in every row" in times
    assert "none shown  none" not in times
    for result in (bo.ratings(scores), bo.interquartile_mean(scores)):
        assert all(pair.verdict == "no difference shown" for pair in result.pairs)
        assert "·: no difference shown." in report.render(result, "txt")


def test_rows_that_are_left_out_are_counted() -> None:
    """Of 66 pairs a terminal showed 40, and said nothing."""
    rng = np.random.default_rng(2)
    result = bo.interquartile_mean(bo.Scores(rng.normal(size=(12, 12, 3)), better="lower"))
    assert "26 more pairs are in JSON and CSV." in report.render(result, "txt")


def test_the_point_of_a_number_does_not_end_a_name() -> None:
    """They were 1 and 2, like places."""
    names = [f"resnet50-lr0.{i}-cosine" for i in (1, 2)]
    assert list(short_names(names, 10).values()) == ["lr0.1", "lr0.2"]


def test_small_errors_stand_in_few_tables_and_names_are_as_they_are() -> None:
    rng = np.random.default_rng(3)
    names = [f"Opt{i}" for i in range(6)]
    errors = np.exp(rng.normal(size=(5, 6, 9)) - 15)
    table = bo.Scores(errors, names, better="lower", metric="best_error")
    page = report.render(bo.per_problem(table, control="Opt0"), "txt")
    assert page.count("best_error: mean ± standard deviation") == 2
    assert re.search(r"\d\.\d\de-0\d ± \d\.\de-0\d [≈+−]", page)
