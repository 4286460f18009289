"""Tables, battles, curves and cautions of a report that are broken in one place: refused by that place."""

import copy
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ReportError
from bakeoff.report.reading_back import rebuilt_scores
from bakeoff.report.repeated import added_cautions
from bakeoff.wings.boards.ratings.reporting import rebuilt_battles
from bakeoff.wings.boards.tradeoff.reporting import rebuilt_tables
from bakeoff.wings.curves.curves.rebuilding import rebuilt_curves

Place = tuple[str | int, ...]


def scores() -> dict[str, Any]:
    """With everything that a table can have."""
    runs = np.random.default_rng(0).normal(size=(4, 2, 2)).round(2)
    table = bo.Scores(
        runs,
        ["a", "b"],
        list("pqrs"),
        better="lower",
        clusters=list("xxyz"),
        run_ids=[[["1", "2"]] * 2] * 4,
        run_kind="seed",
        metric="loss",
    )
    content = json.loads(json.dumps(bo.compare(table).to_dict()["scores"]))
    del content["values"], content["sha256"]  # which follow from the runs
    return dict(content | {"dropped": ["t"], "filled": [["p", "a"]], "left_out": [["u", 3]], "numbered": False})


def curves() -> dict[str, Any]:
    rows = [
        {"problem": f"p{i}", "algorithm": a, "budget": b, "score": 5.0 + i + (a == "B") + 1 / b}
        for i in range(6)
        for a in "AB"
        for b in (1, 2, 4)
    ]
    return dict(json.loads(json.dumps(bo.curves(rows, better="lower", n_resamples=99, rng=1).to_dict())))


def battles() -> dict[str, Any]:
    rows = ["x,y,model_a,u1", "x,y,model_b,u1", "y,z,model_a,u2", "x,z,tie,u2", "z,x,model_a,u3", "y,x,model_b,u3"]
    read = bo.read_battles(io.StringIO("\n".join(["model_a,model_b,winner,user", *rows])), cluster="user")
    return dict(json.loads(json.dumps(bo.ratings(read, n_resamples=100).to_dict())))


def cautions() -> dict[str, Any]:
    return {"added_cautions": [{"code": "x", "object": "z", "text": "y", "reference": "", "severity": "note"}]}


def single() -> dict[str, Any]:
    """Of one score a cell."""
    table = bo.Scores(np.random.default_rng(1).normal(size=(4, 2)), better="lower")
    content = json.loads(json.dumps(bo.compare(table).to_dict()["scores"]))
    del content["sha256"]
    return dict(content | {"hosts": ["x", "y"]})


WHOLE: dict[str, tuple[Callable[[], dict[str, Any]], Callable[[Any], Any]]] = {
    "scores": (lambda: {"scores": scores()}, lambda content: rebuilt_scores(content["scores"])),
    "tables": (lambda: {"tables": {"loss": single()}}, rebuilt_tables),
    "battles": (battles, rebuilt_battles),
    "curves": (curves, rebuilt_curves),
    "added_cautions": (cautions, added_cautions),
}


TEXTS = {"run_ids", "battles"}  # names in them are made texts, which then differ from what is verified


def places(value: object, above: Place) -> Iterator[Place]:
    """Of a value and of what is in it: the first two entries of lists stand for all."""
    yield above
    entries = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, entry in entries:
        yield from places(entry, (*above, key))


def other_kinds(value: object) -> list[object]:
    if value is None:
        return [True]
    if isinstance(value, bool):
        return ["x", 3, ["x"]]
    if isinstance(value, (int, float)):
        return ["x", [1], {"x": 1}, True]
    if isinstance(value, str):
        return [3, ["x"], {"x": 1}]
    return ["x", 3, {"x": 1}] if isinstance(value, list) else ["x", 3, ["x"]]


def at(content: Any, place: Place) -> Any:
    for key in place:
        content = content[key]
    return content


@pytest.mark.parametrize("part", WHOLE)
def test_what_is_of_another_kind_is_refused_by_its_place(part: str) -> None:
    make, rebuilt = WHOLE[part]
    whole = make()
    rebuilt(copy.deepcopy(whole))
    accepted = []
    for place in places(whole[part], (part,)):
        for other in other_kinds(at(whole, place)):
            content = copy.deepcopy(whole)
            at(content, place[:-1])[place[-1]] = other
            try:
                rebuilt(content)
                accepted.append((place, other))
            except ReportError as error:
                shown = place if part in ("scores", "curves", "battles") else place[:1]
                named = str(error).startswith(".".join(map(str, shown[:2])))
                assert named or part == "tables", (place, other)
    assert [place for place, _ in accepted if not (TEXTS & set(place) and isinstance(place[-1], int))] == []


def test_numbers_come_back_as_they_were() -> None:
    content = single()
    content["values"] = [[1, -2], [0.5, "inf"], [-3, 2**53], ["-inf", 0]]
    expected = [[1.0, -2.0], [0.5, np.inf], [-3.0, 2.0**53], [-np.inf, 0.0]]
    assert rebuilt_scores(content).values.tolist() == expected
    content["values"][0][0] = 2**53 + 1
    with pytest.raises(ReportError, match="must be a number"):
        rebuilt_scores(content)


def test_names_of_runs_come_back_as_they_were() -> None:
    table = scores()
    assert rebuilt_scores(table).run_ids[2, 1].tolist() == ["1", "2"]
    table["run_ids"] = [[["x", "y"], ["y", "x"]]] * 4
    assert rebuilt_scores(table).run_ids[3].tolist() == [["x", "y"], ["y", "x"]]
