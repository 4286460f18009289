"""Catch2, Locust and k6 write what one process or test measured: a file is a run, and several in a folder are runs."""

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

HEADER = "Type,Name,Request Count,Failure Count,Median Response Time,Average Response Time,Requests/s,Failures/s,95%\n"
K6 = "http_req_duration"


def locust(slower: float, failures: int = 0) -> str:
    """As Locust 2 writes it with ``--csv``; two rows have one name."""
    rows = [("GET", "/", 100), ("POST", "/", 200), ("GET", "/in", 300)]
    lines = [
        f"{kind},{name},1000,{failures if ms == 200 else 0},{ms},{ms * slower},50.5,0,{3 * ms}\n"
        for kind, name, ms in rows
    ]
    return HEADER + "".join(lines) + f",Aggregated,3000,{failures},7,7,150,0,7\n"


def k6(slower: float, deep: bool = False) -> str:
    """As ``--summary-export`` writes it; ``handleSummary`` has the values deeper and says what they contain."""
    metrics = {
        K6: {"avg": 99.0 * slower},  # of failed requests, too
        f"{K6}{{expected_response:true}}": {"avg": 16.0 * slower},
        "http_reqs": {"count": 660, "rate": 55 / slower},
        "iteration_duration": {"avg": 1000.0},
        "basket": {"avg": 3.5},
        "vus": {"value": 5, "min": 3},
    }
    times = (K6, "iteration", "basket")
    about = {name: {"contains": "time" if name.startswith(times) else "default"} for name in metrics}
    nested = {name: {"values": values, **about[name]} for name, values in metrics.items()}
    return json.dumps({"metrics": nested if deep else metrics})


def catch2(slower: float) -> str:
    """As the XML reporter of Catch2 3.5 writes it."""
    results = "".join(
        f'<BenchmarkResults name="{name}" samples="100"><!-- All values in nano seconds -->'
        f'<mean value="{ns * slower:.6g}" lowerBound="1" upperBound="2" ci="0.95"/></BenchmarkResults>'
        for name, ns in (("fib 20", 2e4), ("fib 25", 3e5))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<Catch2TestRun name="b" catch2-version="3.5.2">\n'
        f'<TestCase name="Fib"><Section name="small">{results}</Section></TestCase></Catch2TestRun>'
    )


WRITERS = {"locust.csv": locust, "k6.json": k6, "catch2.xml": catch2}
FIRST = {"locust.csv": ("GET /", 0.1), "k6.json": (K6, 0.016), "catch2.xml": ("Fib/small/fib 20", 2e-5)}


def bakeoff(*args: object) -> str:
    done = CliRunner().invoke(main, [str(arg) for arg in args])
    return done.stdout or " ".join(done.stderr.split())


@pytest.mark.parametrize("name", WRITERS)
def test_one_test_a_side_is_no_evidence_and_several_are(name: str, tmp_path: Path) -> None:
    for side, slower in (("old", (1.0, 1.03, 1.01, 1.04, 1.02, 1.05)), ("new", (1.5, 1.51, 1.55, 1.5, 1.52, 1.54))):
        (tmp_path / side).mkdir()
        for k, factor in enumerate(slower):
            (tmp_path / side / f"{k}-{name}").write_text(WRITERS[name](factor))
    one = [tmp_path / side / f"0-{name}" for side in ("old", "new")]
    assert "Cannot tell: one process per side." in bakeoff(
        "compare", *(f"--label={p.parent.name}={p}" for p in one), "--better=lower"
    )
    scores = bo.read_results({"old": str(one[0]), "new": str(one[1])})
    problem, seconds = FIRST[name]
    assert (scores.problems[0], scores.values[0, 0]) == (problem, pytest.approx(seconds))
    assert (scores.unit, scores.better, scores.run_kind) == ("s", "lower", "iteration")
    assert scores.values[:, 1] == pytest.approx(1.5 * scores.values[:, 0])
    assert bakeoff("check", tmp_path / "old", tmp_path / "new", "--margin", "5%").startswith("REGRESSED")
    assert "in 6 versions" in bakeoff("history", tmp_path / "old")


def test_times_of_locust_with_failures_are_no_times(tmp_path: Path) -> None:
    """An error answers quickly. The mean of all requests is taken where its column is named."""
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        path.write_text(locust(1.0, failures=30 if path.stem == "a" else 0))
    refusal = bakeoff("compare", *paths)
    assert "problem 'POST /', algorithm 'a' (30 of 1000 requests failed)" in refusal
    kept = json.loads(bakeoff("compare", *paths, "--missing", "drop", "--json"))["scores"]
    assert kept["problems"] == ["GET /", "GET /in"]
    named = json.loads(bakeoff("compare", *paths, "--metric", "Average Response Time", "--json"))["scores"]
    assert [row[0] for row in named["values"]] == pytest.approx([0.1, 0.2, 0.3])
    rate = read_measurements(paths[0], choices=Choices(metric="Requests/s"))
    assert (list(rate.score), rate.direction(None), rate.unit) == ([50.5] * 3, "higher", None)


def test_a_summary_of_k6(tmp_path: Path) -> None:
    """Both forms are one; parts by a tag stand for their whole, and a part of answered requests for all."""
    for name, deep in (("flat.json", False), ("deep.json", True)):
        (tmp_path / name).write_text(k6(1.0, deep))
    flat, deep = (read_measurements(tmp_path / name) for name in ("flat.json", "deep.json"))
    assert list(flat.score) == list(deep.score) == [0.016]
    rate = read_measurements(tmp_path / "deep.json", choices=Choices(metric="http_reqs"))
    assert (list(rate.score), rate.direction(None)) == ([55.0], "higher")
    own = read_measurements(tmp_path / "deep.json", choices=Choices(metric="basket"))
    assert (list(own.score), own.unit, own.direction(None)) == ([0.0035], "s", "lower")
    own = read_measurements(tmp_path / "flat.json", choices=Choices(metric="basket"))
    assert (list(own.score), own.unit) == ([3.5], None)  # which it does not say
    with pytest.raises(BakeoffError, match="better"):
        own.direction(None)
    tagged = json.loads(k6(1.0))
    tagged["metrics"] |= {f"{K6}{{name:/{page}}}": {"avg": ms} for page, ms in (("a", 10), ("b", 20))}
    (tmp_path / "tagged.json").write_text(json.dumps(tagged))
    parts = read_measurements(tmp_path / "tagged.json")
    assert (parts.problems.names, list(parts.score)) == (["name:/a", "name:/b"], [0.01, 0.02])


def test_samples_of_k6_are_iterations_of_one_test(tmp_path: Path) -> None:
    rows = [(K6, 4.0, "true"), ("vus", 1.0, ""), (K6, 6.0, "true"), (K6, 0.5, "false")]
    (tmp_path / "s.csv").write_text(
        "metric_name,timestamp,metric_value,expected_response,method,name\n"
        + "".join(f"{name},1,{value},{good},GET,/a\n" for name, value, good in rows)
    )
    (tmp_path / "s.json").write_text(
        f'{{"type":"Metric","data":{{}},"metric":"{K6}"}}\n'
        + "".join(
            f'{{"type":"Point","metric":"{name}","data":{{"value":{value},'
            f'"tags":{{"expected_response":"{good}","method":"GET","name":"/a"}}}}}}\n'
            for name, value, good in rows
        )
    )
    for name in ("s.csv", "s.json"):
        found = read_measurements(tmp_path / name)
        assert (found.problems.names, found.runs.names, found.run_kind) == (["GET /a"], ["0", "1", "2"], "iteration")
        assert list(found.score)[:2] == [0.004, 0.006]
        assert (math.isnan(found.score[2]), found.statuses.names) == (True, ["ok", "failed"])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.json", '{"version":1,"metadata":{"catch2-version":"3.5"},"test-run":{}}', "--reporter xml"),
        ("a.xml", "<Catch2TestRun><TestCase name='t'/></Catch2TestRun>", "has no benchmarks"),
        ("a.xml", "<Catch2TestRun><TestCase name='t'>", "not XML as Catch2 writes it"),
        ("a.xml", catch2(1.0).replace('value="20000"', 'value="fast"'), "not XML as Catch2 writes it"),
        ("a.csv", locust(1.0).replace("100.0", "quick"), "/, Average Response Time"),
        ("a.json", k6(1.0).replace("16.0", '"quick"'), "must be a number"),
        ("a.json", '{"type":"Metric"}\n{"type":"Point","metric":"vus"}', "line 2: no sample of k6"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ReadingError, match=words):
        read_measurements(tmp_path / name)


def test_a_benchmark_of_catch2_that_threw_has_failed(tmp_path: Path) -> None:
    text = catch2(1.0).replace('<mean value="20000" lowerBound="1" upperBound="2" ci="0.95"/>', '<failed message="x"/>')
    (tmp_path / "a.xml").write_text(text)
    found = read_measurements(tmp_path / "a.xml")
    assert (math.isnan(found.score[0]), found.score[1]) == (True, 3e-4)
    assert found.statuses.names == ["ok", "failed"]
