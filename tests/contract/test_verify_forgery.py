"""No report with a reversed headline, a missing key or a foreign one passes, whatever version it names."""

from __future__ import annotations

import copy
import functools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff import __version__
from bakeoff.analyses import by_schema
from bakeoff.cli import main
from bakeoff.errors import ParameterError, ReportError
from bakeoff.report import repeated, to_dict
from bakeoff.wings.verify import origin
from bakeoff.wings.verify.values import Walk
from every_kind import RESULTS

EARLIER = "0.1.9"
VERIFIED = [record.kind for record in by_schema().values()]
VERSIONS: dict[str, Callable[[dict[str, Any]], object]] = {
    "own": lambda content: None,
    "other": lambda content: content["versions"].update(bakeoff=EARLIER),
    "none": lambda content: content.pop("versions"),
}


@functools.cache
def report(kind: str) -> str:
    return json.dumps(to_dict(RESULTS[kind]()))


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same table and arguments are computed once, and another version was released."""
    kept: dict[str, Any] = {}
    compute = repeated.repeated

    def once(content: dict[str, Any], schema: str, source: Any, costly: bool) -> Any:
        inputs = ("request", "scores", "tables", "curves", "battles")
        key = json.dumps([schema, content.get("added_cautions", []), *(content.get(name, "none") for name in inputs)])
        if key not in kept:
            kept[key] = compute(content, schema, source, costly)
        return kept[key]

    monkeypatch.setattr(repeated, "repeated", once)
    monkeypatch.setattr(origin, "RELEASED", (EARLIER,))


def passes(content: dict[str, Any], **options: Any) -> bool:
    try:
        return bo.verify(content, **options).ok
    except ReportError:
        return False


def forged(content: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """One change each, by name."""
    headline = "sentence" if "sentence" in content else "verdict"
    for key in dict.fromkeys(("verdict", headline)):
        yield f"another {key}", content | {key: "It is the other way round."}
    for key in content:
        yield f"without {key}", {name: value for name, value in content.items() if name != key}
    yield "a foreign key", content | {"approved": True}


@pytest.mark.few(1, 6)
@pytest.mark.parametrize("kind", VERIFIED)
@pytest.mark.slow
def test_no_reversed_shortened_or_longer_report_passes(kind: str, remembered: None) -> None:
    passed = []
    for version, rewrite in VERSIONS.items():
        for change, content in forged(json.loads(report(kind))):
            content["versions"] = dict(content["versions"]) if "versions" in content else {}
            rewrite(content)
            if passes(content) or passes(content, other_version=True):
                passed.append((version, change))
    assert passed == []
    assert passes(json.loads(report(kind)))


@pytest.mark.slow
def test_every_kind_that_holds_its_request_is_forged_here() -> None:
    assert {json.loads(report(kind))["schema"] for kind in VERIFIED} == set(by_schema())


# --- the version ------------------------------------------------------------------------------------------------


def named(version: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(report("compare"))
    content["versions"]["bakeoff"] = version
    return content


def test_another_version_is_not_agreement_unless_it_is_accepted(remembered: None) -> None:
    content = named(EARLIER)
    content["choices"][0]["reason"] = "in other words"
    found = bo.verify(content)
    assert found.differences == ()
    assert not found.ok
    assert f"NOT CHECKED in full, as bakeoff {EARLIER} wrote it" in found.verdict
    assert any("choices[0].reason" in note for note in found.notes)
    accepted = bo.verify(content, other_version=True)
    assert accepted.ok
    assert "NOT CHECKED" not in accepted.verdict


@pytest.mark.parametrize("place", ["verdict", "pairs[0].verdict", "pairs[0].pvalue", "cautions[0].code"])
def test_decisions_numbers_and_codes_of_another_version_are_compared(place: str, remembered: None) -> None:
    content = named(EARLIER)
    part: Any = content
    *path, last = place.replace("[0]", ".0").split(".")
    for key in path:
        part = part[int(key) if key == "0" else key]
    part[last] = 0.5 if last == "pvalue" else "none of them"
    found = bo.verify(content, other_version=True)
    assert [difference.where for difference in found.differences] == [place]


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ("0.0.9", "0.0.9 as its writer, which was never released"),
        ("0.1.0", "never released"),
        ("", "never released"),
        (f"{__version__}+mine", "never released"),
        ("99.0.0", f"newer than this one ({__version__})"),
        ("0.10.0", "newer than this one"),
        ("0." + "9" * 60, f"bakeoff 0.{'9' * 38} as its writer"),
    ],
)
def test_an_unknown_or_newer_version_is_refused(version: str, words: str) -> None:
    for options in ({}, {"other_version": True}):
        with pytest.raises(ReportError) as caught:
            bo.verify(named(version), **options)
        assert words in str(caught.value)


@pytest.mark.parametrize("versions", [None, {}, [], {"bakeoff": __version__}, "0.2.0"])
def test_versions_are_an_object_of_all_four(versions: object) -> None:
    with pytest.raises(
        ReportError, match="'versions' must be an object of the versions of bakeoff, python, numpy, scipy; "
    ):
        bo.verify(json.loads(report("compare")) | {"versions": versions})


def test_whole_numbers_are_compared_exactly() -> None:
    content = named(__version__)
    content["versions"]["scipy"] = "0.1"
    content["n_problems"] = 2 * 10**9
    walk = Walk(1e-9, False)
    walk.compare(2 * 10**9, 2 * 10**9 + 1)
    assert len(walk.differences) == 1
    assert [d.where for d in bo.verify(content).differences] == ["n_problems"]


# --- the direction ----------------------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["compare", "history", "curves"])
def test_the_direction_is_said_and_may_be_asked_for(kind: str) -> None:
    content = json.loads(report(kind))
    said, other = ("lower", "higher") if content["better"] == "lower" else ("higher", "lower")
    assert f"read as: {said} scores are better." in bo.verify(content).verdict
    assert bo.verify(content, better=said).ok  # type: ignore[arg-type]
    (difference,) = bo.verify(content, better=other).differences  # type: ignore[arg-type]
    assert (difference.said, difference.found, difference.source) == (said, other, "asked for")


def test_each_metric_has_its_direction() -> None:
    content = json.loads(report("tradeoff"))
    assert "read as: lower error is better, lower seconds is better." in bo.verify(content).verdict
    assert [d.where for d in bo.verify(content, better="higher").differences] == [
        "tables['error'].better",
        "tables['seconds'].better",
    ]


def test_battles_have_no_direction() -> None:
    content = to_dict(bo.ratings(bo.read_battles([{"a": "x", "b": "y", "winner": w} for w in "xxy" * 9])))
    assert "read as" not in bo.verify(content).verdict
    with pytest.raises(ParameterError, match="better is for scores"):
        bo.verify(content, better="lower")


def test_both_headlines_are_shown_where_they_differ() -> None:
    content = json.loads(report("compare"))
    assert "Headline in the report" not in str(bo.verify(content))
    content["verdict"] = "C4.5 is the best of all."
    lines = str(bo.verify(content)).splitlines()
    assert "Headline in the report: C4.5 is the best of all." in lines
    assert lines[-1].startswith("Headline, computed again: C4.5+m+cf has the best mean rank")


# --- the command ------------------------------------------------------------------------------------------------


def verify(folder: Path, content: dict[str, Any], *options: str) -> Result:
    path = folder / "r.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return CliRunner().invoke(main, ["verify", str(path), *options])


def test_exit_codes_of_versions_and_directions(tmp_path: Path, remembered: None) -> None:
    assert verify(tmp_path, named("0.0.9")).exit_code == 2
    other = verify(tmp_path, named(EARLIER))
    assert other.exit_code == 1
    assert "--other-version" in other.stdout.splitlines()[0]
    assert verify(tmp_path, named(EARLIER), "--other-version").exit_code == 0
    assert verify(tmp_path, named(__version__), "--better", "higher").exit_code == 0
    assert verify(tmp_path, named(__version__), "--better", "lower").exit_code == 1
    assert verify(tmp_path, copy.deepcopy(named(__version__)), "--better", "more").exit_code == 2


def test_costs_read_as_rewards_are_told(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("p,Old,New\n" + "".join(f"p{i},{i + 0.5},{i}\n" for i in range(9)))
    path = tmp_path / "r.json"
    CliRunner().invoke(main, ["compare", str(table), "--better", "higher", "--report", str(path)])
    found = CliRunner().invoke(main, ["verify", str(path), str(table)])
    assert "read as: higher scores are better." in found.stdout.splitlines()[0]
    assert CliRunner().invoke(main, ["verify", str(path), str(table), "--better", "lower"]).exit_code == 1
