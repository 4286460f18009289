"""A kind of result, and a format, are registered in one place; everything else walks over it."""

from __future__ import annotations

import inspect
import json
import operator
import re
from collections.abc import Callable, Container
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff import report
from bakeoff.analyses import by_kind, by_schema
from bakeoff.analyses.plan.reporting.answers import Answers, how_many
from bakeoff.cli import main
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures.dispatch import drawn_kinds
from bakeoff.places import load
from bakeoff.report.data import all_but, plain_data
from bakeoff.report.document import Document, Table
from bakeoff.report.formats import FORMATS, TABLES, Report
from bakeoff.report.kinds import describing
from bakeoff.reportable import Reportable
from document_tables import table_in
from every_kind import RESULTS
from schema_checks import broken_and_valid, faults


@pytest.mark.few(1, 8)
@pytest.mark.parametrize("kind", by_kind())
@pytest.mark.slow
def test_every_kind_is_rendered_in_every_format(kind: str, tmp_path: Path) -> None:
    result = RESULTS[kind]()
    assert result.kind == kind
    document = report.document(result, "bakeoff x")
    sections = [section.key for section in document.sections]
    assert len(set(sections)) == len(sections)
    assert document.on_screen
    assert set(document.on_screen) <= {*sections, "steps", "cautions", "eliminated"}
    for name in FORMATS:
        report.save(result, tmp_path / f"r.{name}")
        assert (tmp_path / f"r.{name}").stat().st_size > 100
    for name in TABLES:
        report.save(result, tmp_path / f"r.{name}")
        assert (tmp_path / f"r.{name}").stat().st_size > 10
    for name in ("html", "md", "tex", "txt"):
        assert document.verdict.split()[0] in report.render(result, name)
    content = json.loads(report.render(result, "json"))
    assert content == report.to_dict(result)
    assert content["schema"].startswith("bakeoff.")
    assert faults(content) == [], "as its JSON Schema says"
    assert broken_and_valid(content) == []
    assert len(report.pairs_frame(result)) >= 1


def test_a_format_is_registered_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def shout(what: Report) -> str:
        return what.document.verdict.upper()

    result = bo.compare(bo.datasets.load("demsar_2006"))
    path = tmp_path / "r.toy"
    with pytest.raises(ParameterError, match=r"must end in \.html"):
        result.save(path)
    monkeypatch.setitem(FORMATS, "toy", shout)
    expected = report.document(result).verdict.upper()
    assert report.render(result, "toy") == expected
    result.save(path)
    assert path.read_text(encoding="utf-8") == expected
    assert report.check_path(path) == path
    for words in (["compare"], ["bayes"], ["race"], ["study", "power"]):
        assert ".toy" in CliRunner().invoke(main, [*words, "--help"]).stdout
    table = tmp_path / "t.csv"
    table.write_text("problem,a,b\n" + "".join(f"p{i},{i},{i + 1}\n" for i in range(9)))
    asked = ["compare", str(table), "--better", "lower", "--report", str(tmp_path / "c.toy")]
    assert CliRunner().invoke(main, asked).exit_code == 0
    assert (tmp_path / "c.toy").read_text(encoding="utf-8").startswith("A IS BETTER THAN B")


def test_a_table_is_registered_in_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def columns(what: Report, path: Path) -> None:
        path.write_text(" ".join(what.sheets.main))

    monkeypatch.setitem(TABLES, "cols", columns)
    bo.compare(bo.datasets.load("demsar_2006")).save(tmp_path / "r.cols")
    assert (tmp_path / "r.cols").read_text().startswith("a b statistic pvalue")


def test_what_has_no_report_is_refused() -> None:
    for thing in (3, "x", bo.datasets.load("demsar_2006")):
        with pytest.raises(WrongTypeError, match="there is no report of"):
            report.document(thing)  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_plan_is_one_document(tmp_path: Path) -> None:
    answers = Answers((how_many(0.5, 0.8, {"n_algorithms": 4}),))
    document: Document = report.document(answers)
    assert document.verdict.startswith("52 problems: 4 algorithms")
    table = table_in(document, "power")
    assert isinstance(table, Table)
    assert [row.cells[:2] for row in table.rows][2] == ("52", "0.801")
    for name, start in (("p.tex", "% needs"), ("p.svg", "<svg"), ("p.html", "<!DOCTYPE")):
        answers.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert r"\begin{tikzpicture}" in report.render(answers, "tex")
    with pytest.raises(ParameterError, match="no power curve"):
        Answers((how_many([0.0, 0.0, 0.5], 0.8, {"test": "friedman"}),)).save(tmp_path / "p.pdf")


def test_the_walk_to_plain_values() -> None:
    plan = bo.plan.instances(0.5)
    assert plain_data(plan, {bo.plan.InstancePlan: ("n", "levels")}) == {"n": 34, "levels": [0.05]}
    assert plain_data({"a": (plan.levels, [1.5])}) == {"a": [[0.05], [1.5]]}
    assert list(plain_data(plan)) == list(all_but(bo.plan.InstancePlan))
    names = all_but(bo.plan.InstancePlan)
    assert all_but(bo.plan.InstancePlan, "n", "power") == tuple(name for name in names if name not in ("n", "power"))
    assert {"n", "power", "alpha"} <= set(names)


def test_what_a_record_names_is_there() -> None:
    for record in by_kind().values():
        assert callable(describing(record).document)
        if record.function:
            assert callable(operator.attrgetter(record.function.removeprefix("bo."))(bo))
        rebuilding = [record.source[1]] if record.source else []
        checks = [parameter.checked_by for parameter in record.parameters if parameter.checked_by]
        places = [record.computes, record.diagrams, record.pictured, *rebuilding, *checks]
        assert all(callable(load(place)) for place in [*places, *record.drawn_by, *record.drawn_by.values()] if place)


def test_parameters_are_those_of_the_signature() -> None:
    for record in by_schema().values():
        signature = inspect.signature(load(record.computes)).parameters
        expected = {name: given.default for name, given in signature.items()}
        for parameter in record.parameters:
            default = expected[parameter.name]
            given = None if default is inspect.Parameter.empty else default
            assert parameter.default == given, f"{record.kind}: {parameter.name}"


def test_refusals_name_every_function_that_would_do() -> None:
    refusals: dict[Callable[[Any], object], Container[str]] = {
        report.document: set(by_kind()),
        bo.diagram: drawn_kinds(),
        bo.verify: {record.kind for record in by_schema().values()},
    }
    for function, kinds in refusals.items():
        with pytest.raises(WrongTypeError) as error:
            function(3)
        named = set(re.findall(r"bo\.[a-z_.]*[a-z]", str(error.value)))
        assert {record.function for kind, record in by_kind().items() if kind in kinds and record.function} <= named


def test_what_is_drawn_is_reportable() -> None:
    """So ``mypy --strict`` lets ``bo.diagram`` take it: ``tests/typed/diagrams.py`` has some, and parts."""
    for kind in drawn_kinds():
        assert any(issubclass(load(place), Reportable) for place in by_kind()[kind].drawn_by), kind
