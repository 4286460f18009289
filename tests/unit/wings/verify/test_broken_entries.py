"""Entries that a report cannot have, refused by their place."""

import copy
import functools
import json
import re
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ReportError
from bakeoff.wings.verify import parsing


@functools.cache
def reports() -> dict[str, str]:
    seconds = np.random.default_rng(1).lognormal(0, 0.05, size=(1, 2, 20))
    timing = bo.time_ratios(bo.Scores(seconds, ["old", "new"], better="lower"))
    rows = [
        {"problem": f"p{i}", "algorithm": a, "budget": b, "score": 5.0 + i + (a == "B") + 1 / b}
        for i in range(6)
        for a in "AB"
        for b in (1, 2, 4)
    ]
    curves = bo.curves(rows, better="lower", n_resamples=99, rng=1)
    table = bo.Scores(np.random.default_rng(1).normal([0.0, 1.0], size=(6, 2)), better="lower")
    sensitivity = bo.sensitivity(table, n_resamples=9)
    found = {"time": timing.to_dict(), "curves": curves.to_dict(), "sensitivity": sensitivity.to_dict()}
    return {kind: json.dumps(content) for kind, content in found.items()}


def report(kind: str) -> Any:
    return json.loads(reports()[kind])


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("order", ["old"], "request.order must be an object"),
        ("order", {"all": "old"}, "request.order.all must be a list of names"),
        ("order", {"all": ["old", 1]}, "request.order.all must be a list of names"),
        ("about", None, "request.about must be an object"),
        ("about", {"shell": ["sh"]}, "request.about.shell must be a string"),
    ],
)
def test_how_a_timing_was_made(name: str, value: object, said: str) -> None:
    content = report("time")
    content["request"][name] = value
    with pytest.raises(ReportError, match=said):
        bo.verify(content)


@pytest.mark.parametrize("budgets", [[], [1.0, 1.0, 4.0], [1.0, 4.0, 2.0]])
def test_budgets_of_curves_increase(budgets: list[float]) -> None:
    content = report("curves")
    content["curves"]["t"] = budgets
    with pytest.raises(ReportError, match=r"curves\.t must be increasing budgets"):
        bo.verify(content)


@pytest.mark.parametrize(
    ("request_of", "rule"),
    [
        (None, r"request must be an object"),
        ([], r"request must be an object"),
        ({"n_resamples": 9, "more": 1}, "there is no argument 'more'; there are .*n_resamples, rng"),
    ],
)
def test_a_sensitivity_gives_its_request(request_of: object, rule: str) -> None:
    content = report("sensitivity")
    content["request"] = request_of
    with pytest.raises(ReportError, match=rule):
        bo.verify(content)


def test_the_order_of_a_timing_may_be_unknown() -> None:
    content = report("time")
    content["request"]["order"] = None
    content["request"]["about"] = {"shell": "sh"}
    bo.verify(content)


@pytest.mark.parametrize("spacing", ["log", "linear"])
def test_a_budget_of_nothing_has_no_logarithm(spacing: str) -> None:
    content = copy.deepcopy(report("curves"))
    content["curves"]["spacing"] = spacing
    content["curves"]["t"][0] = 0.0
    if spacing == "linear":
        bo.verify(content)
    else:
        with pytest.raises(ReportError, match="budgets above 0"):
            bo.verify(content)


@pytest.mark.parametrize("names", [["x"], ["x", "y", "z"]])
def test_names_of_runs_fit_the_runs(names: list[str]) -> None:
    runs = [[[1.0, 2.0], [2.0, 3.5]], [[2.0, 2.5], [1.5, 1.0]], [[4.0, 4.0], [5.0, 6.0]]]
    content = bo.compare(bo.Scores(runs, better="lower", run_ids=[[["x", "y"]] * 2] * 3)).to_dict()
    content["scores"]["run_ids"] = names
    with pytest.raises(ReportError, match=r"scores\.run_ids: run_ids must have the shape of the scores"):
        bo.verify(content)


@pytest.mark.parametrize(("key", "value"), [("longest", None), ("target", "5")])
def test_only_the_target_of_curves_may_be_absent(key: str, value: object) -> None:
    content = report("curves")
    content["curves"][key] = value
    with pytest.raises(ReportError, match=rf"curves\.{key} must be a number"):
        bo.verify(content)


@pytest.mark.parametrize("value", ["9", [9]])
def test_the_arguments_of_a_sensitivity_are_numbers(value: object) -> None:
    content = report("sensitivity")
    content["request"] = {"n_resamples": value}
    with pytest.raises(ReportError, match=r"request\.n_resamples must be a number"):
        bo.verify(content)


@pytest.mark.parametrize("tables", [[], {}, None, "tables"])
def test_a_report_of_several_metrics_has_tables(tables: object) -> None:
    loss, seconds = (bo.Scores(np.random.default_rng(i).random((8, 2)), better="lower") for i in range(2))
    content = bo.tradeoff({"loss": loss, "seconds": seconds}, {"loss": 0.1, "seconds": 0.1}, n_draws=100).to_dict()
    content["tables"] = tables
    with pytest.raises(ReportError, match="tables must be an object of tables by their metrics"):
        bo.verify(content)


def test_what_is_larger_than_any_report_is_not_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MOST_BYTES", 1 << 20)
    with pytest.raises(ReportError, match="x has more than 1 MiB; no report is as large"):
        parsing.parsed_report(b" " * (1 << 20) + b"{}", "x")
    assert parsing.parsed_report(b" " * ((1 << 20) - 2) + b"{}", "x") == {}


@pytest.mark.parametrize("key", ["a", "ä ö", "(x)"])
def test_a_key_that_occurs_twice_is_named_with_its_line(key: str) -> None:
    text = f'{{"b": 1,\n"{key}": 1,\n"c": 2,\n"{key}": 3}}'
    with pytest.raises(ReportError, match=re.escape(f"x, line 2: the key {key!r} occurs twice in one object")):
        parsing.parsed_report(text.encode(), "x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"a": 1,\n"b": NaN}', "x, line 2: NaN is no number in JSON"),
        ('{"a": 1,\n\n"b": 1e999}', "x, line 3: 1e999 is beyond the largest floating-point number"),
        ('{"b": ' + "1" * 5001 + "}", "x, line 1: a whole number of 5001 digits"),
    ],
)
def test_numbers_that_are_none_in_json_are_named_with_their_line(text: str, said: str) -> None:
    with pytest.raises(ReportError) as error:
        parsing.parsed_report(text.encode(), "x")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("value", "called"),
    [
        ({"a": 1, "b": 2}, "an object of 2"),
        ([1, 2, 3], "a list of 3"),
        ("x" * 60, repr("x" * 60)),
        ("x" * 61, repr("x" * 57) + "…"),
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (1.5, "1.5"),
    ],
)
def test_what_a_value_of_json_is_called(value: object, called: str) -> None:
    assert parsing.kind_of_json(value) == called


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": 1,\n"b": "\xff"}', "x, line 2: not UTF-8 (byte 0xFF)"),
        (b'{"a": 1,\n"b" 2}', "x, line 2, column 5: not JSON: Expecting ':' delimiter"),
        (b"[1, 2]", "x holds no report: an object is expected, not a list of 2"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "x: nested too deeply for a report"),
    ],
)
def test_what_is_no_json_of_a_report(content: bytes, said: str) -> None:
    with pytest.raises(ReportError) as error:
        parsing.parsed_report(content, "x")
    assert str(error.value) == said


@pytest.mark.parametrize("name", ["interquartile-mean", "timing", "plackett-luce", "study.power", "study.known-truth"])
def test_an_earlier_name_of_a_schema_is_refused_with_what_to_do(name: str) -> None:
    with pytest.raises(ReportError, match=r"earlier version wrote.* compute the report again, or verify it with"):
        bo.verify({"schema": f"bakeoff.{name}/1"})
