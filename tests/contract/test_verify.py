"""A report is recomputed from its own scores: what agrees, what is found, what is refused."""

from __future__ import annotations

import copy
import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import bakeoff as bo
from bakeoff.analyses import by_schema
from bakeoff.cli import main
from bakeoff.errors import ReportError, WrongTypeError
from bakeoff.places import load
from bakeoff.report import render, repeated

INF = float("inf")
RNG = np.random.default_rng(5)
TABLE = bo.Scores(RNG.normal(size=(9, 3)) + np.array([0.0, 0.4, 2.0]), ["new", "old, bad", 'my "way"'], better="lower")
RUNS = bo.Scores(RNG.normal(size=(6, 3, 2)) + np.array([[0.0], [0.4], [2.0]]), ["new", "old", "=cmd"], better="higher")
BINARY = bo.Scores((RNG.random((40, 3)) < [0.4, 0.5, 0.9]).astype(float), better="higher")
FAILED = bo.Scores([[1.0, INF, 3.0], [0.5, INF, INF], [1.5, 2.0, 3.0], [0.1, 0.2, 0.4]] * 2, better="lower")
LAST = np.where(np.arange(8) < 3, np.nan, 1.0 / 3.0)[:, None, None] + np.zeros((8, 3, 1))  # three problems have 2 runs
UNEVEN = bo.Scores.from_cells(
    np.dstack([RNG.normal(size=(8, 3, 2)), LAST]),
    ["x", "y", "z"],
    [f"p{i}" for i in range(8)],
    better="lower",
    dropped=["gone"],
    filled=[("p1", "x")],
)
COMPARISONS = {
    "all pairs": (TABLE, {}),
    "a control": (TABLE, {"control": "new"}),
    "every correction": (TABLE, {"posthoc": "all", "alpha": 0.1}),
    "two corrections": (TABLE, {"posthoc": ["holm", "bonferroni"], "pairwise": "t"}),
    "an alias": (TABLE, {"posthoc": ["nemenyi-range"]}),
    "a recipe": (TABLE, {"recipe": "demsar-2006"}),
    "ranks": (TABLE, {"pairwise": "mean-ranks", "standard_error": "papers"}),
    "anova": (TABLE, {"omnibus": "anova", "posthoc": "tukey"}),
    "runs": (RUNS, {"effect": "a12", "intervals": "single"}),
    "unequal runs": (UNEVEN, {}),
    "a sampled law": (bo.Scores(RNG.normal(size=(40, 8)), better="lower"), {"rng": 7}),
    "a generator": (bo.Scores(RNG.normal(size=(40, 8)), better="lower"), {"rng": np.random.default_rng(8)}),
    "right or wrong": (BINARY, {}),
    "failed runs": (FAILED, {}),
    "logarithms": (bo.datasets.load("derrac_cec2005").select(problems=range(6, 25)), {"transform": "log"}),
}
OVERVIEWS = {
    "all pairs": (TABLE, {"n_draws": 2000}),
    "a control and a rope": (RUNS, {"control": "new", "rope": 0.1, "rng": 3, "n_draws": 2000}),
    "another prior": (TABLE, {"prior": "exchangeable", "prior_strength": 0.5, "gamma": 0.1, "n_draws": 2000}),
    "ignorance": (TABLE, {"prior": "ignorance", "n_draws": 2000}),
}


def bakeoff(*args: str, stdin: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, args, input=stdin)


def written(result: Any) -> dict[str, Any]:
    """As another program reads it: no NaN, no infinity."""

    def refuse(word: str) -> float:
        raise AssertionError(word)

    found: dict[str, Any] = json.loads(render(result, "json"), parse_constant=refuse)
    return found


# --- what agrees ------------------------------------------------------------------------------------------------


@pytest.mark.few(2)
@pytest.mark.parametrize("name", COMPARISONS)
def test_a_comparison_is_recomputed_from_its_json_to_the_last_digit(name: str) -> None:
    scores, options = COMPARISONS[name]
    content = written(bo.compare(scores, **options))
    found = bo.verify(content)
    assert found.ok, str(found)
    assert found.tolerance == 0.0
    assert found.checked > 100
    assert found.notes == ()
    assert "to the last digit" in found.verdict
    assert bo.verify(content, scores).ok


@pytest.mark.parametrize("name", OVERVIEWS)
def test_a_bayesian_report_too(name: str) -> None:
    scores, options = OVERVIEWS[name]
    found = bo.verify(written(bo.bayes.overview(scores, **options)), scores)
    assert found.ok, str(found)
    assert found.kind == "bayes"


def test_the_request_is_the_call() -> None:
    scores, options = COMPARISONS["two corrections"]
    content = written(bo.compare(scores, **options))
    again = bo.compare(scores, **content["request"])
    assert written(again) == content
    assert written(bo.bayes.overview(TABLE, rng=np.random.default_rng(1)))["request"]["rng"] > 1000


def test_the_json_holds_every_score_and_name() -> None:
    table = written(bo.compare(TABLE))["scores"]
    assert table["problems"] == list(TABLE.problems)
    assert table["algorithms"] == ["new", "old, bad", 'my "way"']
    assert table["values"] == TABLE.values.tolist()
    assert table["runs"] is None
    several = written(bo.compare(UNEVEN))["scores"]
    assert [[len(cell) for cell in row] for row in several["runs"]] == UNEVEN.n_runs.tolist()
    assert several["values"] == UNEVEN.values.tolist()
    assert (several["dropped"], several["filled"]) == (["gone"], [["p1", "x"]])


def test_infinite_scores_are_written_as_words() -> None:
    assert written(bo.compare(FAILED))["scores"]["values"][1] == [0.5, "inf", "inf"]
    turned = bo.Scores(-FAILED.values, better="higher")
    assert written(bo.compare(turned))["scores"]["values"][0][1] == "-inf"
    assert bo.verify(bo.compare(turned)).ok


def test_names_that_no_terminal_should_see_survive_the_file(tmp_path: Path) -> None:
    odd = bo.Scores(TABLE.values, ["a\uffffb", "\u202eright to left", "c\x1b[2J\n"], better="lower")
    bo.compare(odd).save(tmp_path / "r.json")
    assert bo.verify(tmp_path / "r.json", odd).ok


def test_results_files_and_dictionaries_are_taken(tmp_path: Path) -> None:
    result = bo.compare(TABLE, control="new")
    result.save(tmp_path / "r.json")
    assert bo.verify(result).checked == bo.verify(tmp_path / "r.json").checked == bo.verify(result.to_dict()).checked
    with pytest.raises(WrongTypeError, match="result must be the path of a report"):
        bo.verify(3)


# --- what is found ----------------------------------------------------------------------------------------------

EXEMPT = {"command", "versions"}  # nothing can recompute them


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every leaf, empty lists and objects among them."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = False
    for key, item in inner:
        if not path and key in EXEMPT:
            continue
        found = True
        yield from places(item, (*path, key))
    if not found:
        yield path


def changed(value: Any) -> Any:
    """The smallest change of a leaf."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, float):
        return float(np.nextafter(value, INF))
    if isinstance(value, str):
        return value + "x"
    return {"more": 1} if isinstance(value, dict) else [1] if isinstance(value, list) else 0.5


def at(content: Any, path: tuple[Any, ...]) -> Any:
    return functools.reduce(lambda value, key: value[key], path, content)


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same table and arguments are computed once: most changes leave them alone."""
    kept: dict[str, Any] = {}
    procedures = {record.computes for record in by_schema().values()}

    def once(procedure: Any) -> Any:
        def call(scores: bo.Scores, **options: Any) -> Any:
            key = repr((procedure.__module__, sorted(options.items()), scores.source_sha256, scores.values.tobytes()))
            key += repr((scores.algorithms, scores.problems, scores.dropped, scores.filled, scores.better, scores.runs))
            if key not in kept:
                kept[key] = procedure(scores, **options)
            return kept[key]

        return call

    monkeypatch.setattr(repeated, "load", lambda place: once(load(place)) if place in procedures else load(place))


def is_found(content: dict[str, Any]) -> bool:
    try:
        return not bo.verify(content).ok
    except ReportError:
        return True


SMALL = TABLE.select(problems=range(7))
REPORTS = {
    "compare": lambda: bo.compare(SMALL, control="new", posthoc=["holm", "hochberg"]),
    "all pairs": lambda: bo.compare(RUNS.select(problems=range(3)), pairwise="mean-ranks"),
    "sampled": lambda: bo.compare(bo.Scores(RNG.normal(size=(12, 9)), better="lower"), rng=2, posthoc="bonferroni"),
    "infinite": lambda: bo.compare(FAILED),
    "bayes": lambda: bo.bayes.overview(SMALL, n_draws=200, rope=0.1),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.exhaustive if n == "sampled" else ()) for n in REPORTS]
)
def test_every_single_change_is_found(name: str, remembered: None) -> None:
    """Each leaf of the report changed in its last digit or letter, one after another."""
    content = written(REPORTS[name]())
    assert bo.verify(content).ok
    unseen = []
    paths = list(places(content))
    assert len(paths) > 150
    for path in paths:
        kept = at(content, path)
        at(content, path[:-1])[path[-1]] = changed(kept)
        if not is_found(content):
            unseen.append(path)
        at(content, path[:-1])[path[-1]] = kept
    assert unseen == []


@pytest.mark.slow
def test_every_removed_key_and_entry_is_found(remembered: None) -> None:
    content = written(REPORTS["compare"]())
    paths = {path[:end] for path in places(content) for end in range(1, len(path) + 1)}
    unseen = []
    for path in sorted(paths, key=repr):
        tampered = copy.deepcopy(content)
        del at(tampered, path[:-1])[path[-1]]
        if not is_found(tampered):
            unseen.append(path)
    assert unseen == []


def test_a_caution_removed_or_added_is_named() -> None:
    content = written(bo.compare(SMALL, pairwise="mean-ranks"))
    gone = content["cautions"].pop()
    (difference,) = bo.verify(content).differences
    assert difference.where == "cautions"
    assert gone["code"] in difference.said
    content["cautions"] += [gone, {"code": "all-is-well", "text": "Trust me.", "reference": ""}]
    assert "all-is-well" in str(bo.verify(content))


def test_a_changed_score_is_told_by_the_checksum() -> None:
    content = written(bo.compare(SMALL))
    content["scores"]["values"][3][1] = float(np.nextafter(content["scores"]["values"][3][1], INF))
    found = bo.verify(content)
    assert "scores.sha256" in [d.where for d in found.differences]
    assert any("checksum" in note for note in found.notes)


def test_numbers_of_other_versions_may_differ_in_the_ninth_digit() -> None:
    content = written(bo.compare(SMALL))
    content["versions"]["scipy"] = "0.1"
    content["pairs"][0]["pvalue"] *= 1 + 1e-10
    found = bo.verify(content)
    assert found.ok
    assert found.tolerance == 1e-9
    assert "scipy 0.1, here" in found.notes[0]
    content["pairs"][0]["pvalue"] *= 1 + 1e-8
    assert not bo.verify(content).ok


# --- against the table ------------------------------------------------------------------------------------------


def test_the_scores_given_may_come_in_any_order() -> None:
    content = written(bo.compare(UNEVEN))
    turned = UNEVEN.select(algorithms=["z", "x", "y"], problems=reversed(UNEVEN.problems))
    shuffled = bo.Scores.from_cells(
        np.asarray(turned.runs)[:, :, [1, 0, 2]],
        turned.algorithms,
        turned.problems,
        better="lower",
        dropped=["gone"],
        filled=[("p1", "x")],
    )
    found = bo.verify(content, shuffled)
    assert found.ok, str(found)
    assert any("are the same, but" in note for note in found.notes)


@pytest.mark.parametrize(
    ("given", "where", "found"),
    [
        (lambda v: bo.Scores(v + np.eye(9, 3) * 1e-12, TABLE.algorithms, better="lower"), "problem 'P1'", "1e-12"),
        (lambda v: bo.Scores(v, TABLE.algorithms, better="higher"), "better", "higher"),
        (lambda v: bo.Scores(v[:8], TABLE.algorithms, better="lower"), "problem 'P9'", "missing"),
        (lambda v: bo.Scores(v, ["new", "old", "other"], better="lower"), "algorithm 'old, bad'", "missing"),
        (lambda v: bo.Scores(np.dstack([v, v]), TABLE.algorithms, better="lower"), "most runs of a cell", "2"),
    ],
)
def test_another_table_is_named_by_the_first_cell(given: Any, where: str, found: str) -> None:
    result = bo.verify(written(bo.compare(TABLE)), given(TABLE.values))
    assert not result.ok
    first = result.differences[0]
    assert where in first.where
    assert found in first.found or found == "1e-12"
    assert "in the scores given" in str(first)


def test_a_report_without_scores_is_refused() -> None:
    content = written(bo.compare(TABLE))
    del content["scores"]
    for given in (None, TABLE):
        with pytest.raises(ReportError, match=r"holds no scores"):
            bo.verify(content, given)


# --- hostile files ----------------------------------------------------------------------------------------------

GOOD = json.dumps(written(bo.compare(SMALL)))
CLAIMS = {
    "nothing": ("", "line 1, column 1: not JSON"),
    "a list": ("[1, 2]", "an object is expected, not a list of 2"),
    "no report": ("{}", "its key 'schema' must be"),
    "odd schema": ('{"schema": ["bakeoff.compare/1"]}', "it is a list of 1"),
    "a race": ('{"schema": "bakeoff.race/1"}', "verify its store: bakeoff verify RUNS.sqlite"),
    "half of it": (GOOD[: len(GOOD) // 2], "not JSON"),
    "a key twice": (GOOD.replace('"alpha"', '"better": "lower", "alpha"', 1), "the key 'better' occurs twice"),
    "NaN": (re.sub(r'("alpha": )[\d.]+', r"\1NaN", GOOD, count=1), "line 1: NaN is no number in JSON"),
    "Infinity": (re.sub(r'("alpha": )[\d.]+', r"\1-Infinity", GOOD, count=1), "-Infinity is no number in JSON"),
    "beyond floats": (re.sub(r'("alpha": )[\d.]+', r"\g<1>1e999", GOOD, count=1), "1e999 is beyond the largest"),
    "other digits": (
        re.sub(r'("alpha": )0.05', r"\g<1>0.0499999999999999999", GOOD, count=1),
        "0.0499999999999999999 is not how a report writes 0.05",
    ),
    "markup": (GOOD.replace('"P1"', '"P<1"', 1), "line 1: '<', which a report writes as"),
    "many digits": (
        re.sub(r'("alpha": )[\d.]+', r"\g<1>" + "9" * 5000, GOOD, count=1),
        "a whole number of 5000 digits",
    ),
    "deep": ('{"schema": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_no_report_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    text, words = CLAIMS[name]
    path = tmp_path / "r.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ReportError) as caught:
        bo.verify(path)
    assert words in str(caught.value)
    result = bakeoff("verify", str(path))
    assert result.exit_code == 2
    assert result.stdout == ""
    assert re.fullmatch(r"bakeoff: [^\n]+\n", result.stderr)
    assert words in result.stderr


@pytest.mark.parametrize("digits", ["5e-2", "0.050", "5.0E-2"])
def test_the_same_number_in_other_digits_is_the_same(digits: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(re.sub(r'("alpha": )0.05', rf"\g<1>{digits}", GOOD), encoding="utf-8")
    assert bo.verify(path).ok


@pytest.mark.parametrize("content", [b"\xff\xfe{\x00}\x00", b'{"schema": "\xe9"}', b"{\x00"])
def test_bytes_that_are_no_text_are_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "r.json").write_bytes(content)
    with pytest.raises(ReportError, match=r"r\.json, line 1"):
        bo.verify(tmp_path / "r.json")


def set_at(*path: Any, value: Any) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(GOOD)
    at(content, path[:-1])[path[-1]] = value
    return content


ADDED = {"code": "x", "object": "", "text": "", "reference": "", "severity": "note"}
WRONG: list[tuple[tuple[Any, ...], Any, str]] = [
    (("scores",), 3, "scores must be an object; it is 3"),
    (("scores", "problems"), "abc", "scores.problems must be a list of names"),
    (("scores", "problems", 2), 5, "scores.problems[2] must be a string; it is 5"),
    (("scores", "problems", 2), "P1", "unique"),
    (("scores", "algorithms"), [], "scores.values[0] must be a list of 0"),
    (("scores", "values"), None, "scores.values must be a list of 7; it is null"),
    (("scores", "values", 3), [1.0], "scores.values[3] must be a list of 3; it is a list of 1"),
    (("scores", "values", 3, 2), "nan", "scores.values[3][2] must be a number"),
    (("scores", "values", 3, 2), True, "scores.values[3][2] must be a number"),
    (("scores", "values", 3, 2), 10**30, "scores.values[3][2] must be a number"),
    (("scores", "values", 3, 2), [[]], "scores.values[3][2] must be a number"),
    (("scores", "runs"), 5, "scores.runs must be a list of 7"),
    (("scores", "runs"), [[[]] * 3] * 7, "scores.runs[0][0] must be a list of at least one run"),
    (("scores", "runs"), [[["inf", "-inf"]] * 3] * 7, "undefined"),
    (("scores", "better"), "more", 'scores.better must be "lower" or "higher"'),
    (("scores", "filled"), [["P1"]], "scores.filled[0] must be a problem and an algorithm"),
    (("scores", "file_sha256"), 7, "scores.file_sha256 must be a string or null"),
    (("scores", "rows"), "both", "scores.rows must be one of"),
    (("scores", "numbered"), 1, "scores.numbered must be true or false"),
    (("scores", "weights"), "rows", "scores.weights must be one of tasks, problems, clusters"),
    (("scores", "spreads"), -1, "scores.spreads must be a number of cells"),
    (("scores", "spreads"), True, "scores.spreads must be a number of cells"),
    (("scores", "left_out"), [["arc", 1], ["arc"]], "scores.left_out[1] must be a task and a count"),
    (("scores", "left_out"), [["arc", "1"]], "scores.left_out[0] must be a task and a count"),
    (("scores", "left_out"), [[1, 1]], "scores.left_out[0] must be a task and a count"),
    (("scores", "n_files"), -1, "scores.n_files must be a number of files"),
    (("scores", "n_files"), 1.0, "scores.n_files must be a number of files"),
    (("scores", "columns"), ["a"], "scores.columns must be an object of names of columns"),
    (("scores", "columns"), {"problem": 1}, "scores.columns must be an object of names of columns"),
    (("scores", "source"), 5, "scores.source must be a string"),
    (("request",), [], "request must be an object"),
    (("request", "colour"), 1, "there is no argument 'colour'"),
    (("request", "control"), 0, "request.control must be a string or null"),
    (("request", "control"), "nobody", "no algorithm is called 'nobody'"),
    (("request", "alpha"), [0.05], "request.alpha must be"),
    (("request", "alpha"), 7, "alpha must be a number strictly between 0 and 1"),
    (("request", "omnibus"), 5, "request.omnibus must be a string or null"),
    (("request", "posthoc"), [["holm"]], "request.posthoc[0] must be a string"),
    (("request", "posthoc"), 4, "posthoc must be"),
    (("request", "recipe"), 4, "recipe must be"),
    (("request", "transform"), 4, "transform must be"),
    (("request", "pairwise"), 4.5, "pairwise must be"),
    (("request", "standard_error"), 4.5, "standard_error must be"),
    (("request", "rng"), -1, "rng must be"),
    (("added_cautions",), {}, "added_cautions must be a list"),
    (("added_cautions",), [{"code": 1}], "added_cautions[0] must be an object"),
    (("added_cautions",), [{**ADDED, "code": 1}], "added_cautions[0].code must be a string"),
    (("added_cautions",), [{**ADDED, "severity": "mild"}], "added_cautions[0].severity must be one of"),
]


@pytest.mark.parametrize(("path", "value", "words"), WRONG, ids=lambda x: str(x)[:30])
def test_wrong_entries_are_refused_by_name(path: tuple[Any, ...], value: Any, words: str) -> None:
    with pytest.raises(ReportError) as caught:
        bo.verify(set_at(*path, value=value))
    assert words in str(caught.value)


def test_sizes_that_are_only_claimed_are_differences_and_cost_nothing() -> None:
    assert [d.where for d in bo.verify(set_at("n_problems", value=10**9)).differences] == ["n_problems"]
    huge = json.loads(GOOD)
    huge["scores"]["runs"] = [[[1.0]] * 3 for _ in range(7)]
    huge["scores"]["runs"][0] = [[1.0] * 2, [1.0], [1.0]]
    huge["pairs"] = [{}] * 100_000
    assert "pairs" in [d.where for d in bo.verify(huge).differences]


@pytest.mark.few(11)
@pytest.mark.parametrize("value", [None, True, 3, -1.5, "x", [], {}, [[]], {"a": 1}])
@pytest.mark.parametrize("key", ["verdict", "pairs", "cautions", "omnibus", "choices", "ranking", "means"])
def test_other_keys_of_any_type_are_differences(key: str, value: Any) -> None:
    found = bo.verify(set_at(key, value=value))
    assert found.ok == (value == json.loads(GOOD)[key])
    json.dumps(found.to_dict(), allow_nan=False)


# --- the command ------------------------------------------------------------------------------------------------

CSV = "problem,new,old\n" + "".join(f"p{i},{i / 7:.3f},{i / 6 + 1:.3f}\n" for i in range(12))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "scores.csv").write_text(CSV)
    monkeypatch.chdir(tmp_path)
    assert bakeoff("compare", "scores.csv", "--better", "lower", "--report", "r.json").exit_code == 0
    return tmp_path


def test_exit_codes_say_agreed_different_unreadable(folder: Path) -> None:
    agreed = bakeoff("verify", "r.json", "scores.csv")
    assert agreed.exit_code == 0, agreed.stderr
    assert "r.json, whose scores are those of scores.csv: OK: all" in agreed.stdout
    (folder / "scores.csv").write_text(CSV.replace("1.333", "1.334"))
    other = bakeoff("verify", "r.json", "scores.csv")
    assert other.exit_code == 1
    assert other.stderr == ""
    assert "problem 'p2', algorithm 'old': 1.333 in the report, 1.334 in the scores given" in other.stdout
    assert bakeoff("verify", "r.json").exit_code == 0
    (folder / "r.json").write_text((folder / "r.json").read_text().replace("a better", "b better"))
    tampered = bakeoff("verify", "r.json")
    assert tampered.exit_code == 1
    assert "pairs[0].verdict: 'b better' in the report, 'a better' recomputed" in tampered.stdout
    assert bakeoff("verify", "r.json", "nowhere.csv").exit_code == 2


def test_json_of_the_verification(folder: Path) -> None:
    report = bakeoff("compare", "scores.csv", "--better", "lower", "--json").stdout
    found = json.loads(bakeoff("verify", "-", "--json", stdin=report).stdout)
    assert (found["schema"], found["ok"], found["differences"]) == ("bakeoff.verify-report/1", True, [])
    tampered = bakeoff("verify", "-", "--json", stdin=report.replace('"wins": 12', '"wins": 11'))
    assert tampered.exit_code == 1
    (difference,) = json.loads(tampered.stdout)["differences"]
    assert difference == {"where": "pairs[0].wins", "said": "11", "found": "12"}


def test_the_table_is_read_with_the_options_of_compare(folder: Path) -> None:
    long = "".join(f"p{i};new;{i / 7:.3f}\np{i};old;{i / 6 + 1:.3f}\n" for i in range(12))
    (folder / "long.csv").write_text("what;who;result\n" + long.replace(".", ","))
    options = ("--problem", "what", "--algorithm", "who", "--score", "result", "--read", "decimal=,")
    found = bakeoff("verify", "r.json", "long.csv", *options)
    assert found.exit_code == 0, found.output
    assert "The scores given are the same, but from another file" in found.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("verify", "r.json", "--only", "new"), "--only says how SCORES are read: name the table after the report"),
        (("verify", "r.json", "--experiment", "e.toml"), "--experiment is for a store of runs"),
        (("verify", "scores.csv"), "bakeoff verify result.json results.csv"),
        (("verify", "none.sqlite", "scores.csv"), "a store of runs has its own scores: leave it out"),
        (("verify", "none.json"), "cannot be read: No such file"),
        (("verify",), "Missing argument"),
    ],
)
def test_refusals_of_the_command(folder: Path, arguments: tuple[str, ...], words: str) -> None:
    found = bakeoff(*arguments)
    assert found.exit_code == 2
    assert re.fullmatch(r"bakeoff: [^\n]+\n", found.stderr)
    assert words in found.stderr


def test_what_is_neither_report_nor_store_is_told_which_reports_there_are(folder: Path) -> None:
    """Only JSON of compare and bayes was named, when pages and every kind were long verified."""
    said = bakeoff("verify", "scores.csv").stderr
    words = [f" {record.command}" for record in by_schema().values() if record.command]
    assert [word for word in (*words, "FILE.html", "FILE.json", "store of runs") if word not in said] == []


def test_bayes_of_two_columns(folder: Path) -> None:
    bakeoff("bayes", "scores.csv", "--better", "lower", "--a", "old", "--b", "new", "--report", "b.json")
    assert bakeoff("verify", "b.json", "scores.csv").exit_code == 0


@pytest.mark.slow
def test_cautions_about_a_store_are_checked_with_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def zero(problem: float, rng: object) -> float:
        return 0.0

    def worse(problem: float, rng: object) -> float:
        return problem

    problems = {f"p{i}": 1.0 + i / 10 for i in range(20)}
    e = bo.Experiment({"zero": zero, "worse": worse}, problems, better="lower", seed=1, sequential="group")
    bo.run(e, tmp_path / "s.sqlite")
    assert bakeoff("compare", "s.sqlite", "--report", "r.json").exit_code == 0
    alone = bakeoff("verify", "r.json")
    assert alone.exit_code == 0, alone.stdout
    assert "Not checked: cautions about the store of runs (stopped-early (store))" in alone.stdout
    beside = bakeoff("verify", "r.json", "s.sqlite")
    assert beside.exit_code == 0, beside.stdout
    assert "Not checked" not in beside.stdout
    content = json.loads((tmp_path / "r.json").read_text(encoding="utf-8"))
    del content["cautions"][0], content["added_cautions"][0]
    (tmp_path / "r.json").write_text(json.dumps(content), encoding="utf-8")
    assert bakeoff("verify", "r.json").exit_code == 0  # the table alone cannot tell
    removed = bakeoff("verify", "r.json", "s.sqlite")
    assert removed.exit_code == 1
    assert "added_cautions: a list of 0 without stopped-early" in removed.stdout
    monkeypatch.undo()
    assert "OK: every decision reproduced" in bakeoff("verify", str(tmp_path / "s.sqlite")).stdout


@pytest.mark.parametrize("suffix", ["html", "md", "tex"])
def test_a_report_that_cannot_be_verified_says_which_can(suffix: str, tmp_path: Path) -> None:
    """report.html was refused without a word on what to do."""
    table, path = tmp_path / "t.csv", tmp_path / f"r.{suffix}"
    table.write_text("p,a,b\nx,1,2\ny,2,3\nz,2,4\n")
    CliRunner().invoke(main, ["compare", str(table), "--better", "lower", "--report", str(path), "--look=script=no"])
    found = CliRunner().invoke(main, ["verify", str(path)])
    assert found.exit_code == 2
    said = " ".join(found.output.split())
    assert ("without its numbers" if suffix == "html" else "which holds too little to be recomputed") in said
    assert "--report FILE.json" in said


@pytest.mark.parametrize("suffix", ["json", "html"])
def test_curves_are_compared_with_no_file_and_that_is_said(suffix: str, tmp_path: Path) -> None:
    """The table was read as one of scores, and refused for its repeated rows."""
    rows = [f"p{p},{a},{t},{p + t * (a == 'x')}\n" for p in range(3) for a in "xy" for t in (1, 2)]
    table, report = tmp_path / "runs.csv", tmp_path / f"report.{suffix}"
    table.write_text("problem,algorithm,budget,score\n" + "".join(rows))
    bo.curves(str(table), better="higher").save(report)
    assert bo.verify(report).ok
    with pytest.raises(ReportError, match="is about curves, which it holds and is computed from"):
        bo.verify(report, str(table))
    refused = CliRunner().invoke(main, ["verify", str(report), str(table)])
    assert refused.exit_code == 2
    assert "they are compared with no file: leave the scores out" in refused.stderr


@pytest.mark.parametrize("missing", ["available", "worst", "drop", "keep"])
def test_a_table_is_read_as_the_report_has_it(missing: str, tmp_path: Path) -> None:
    """Single runs that failed were refused, as they leave no hole in the table of means."""
    rows = [
        f"p{i},{s},{r},{i + r / 8 + (s == 'b')},{'timeout' if (i, r) == (2, 1) else 'ok'}"
        for i in range(8)
        for s in "ab"
        for r in range(3)
    ]
    (tmp_path / "t.csv").write_text("\n".join(["problem,algorithm,run,score,status", *rows, ""]))
    call = ["compare", str(tmp_path / "t.csv"), "--better", "lower", "--missing", missing]
    assert CliRunner().invoke(main, [*call, "--report", str(tmp_path / "r.json")]).exit_code == 0
    done = CliRunner().invoke(main, ["verify", str(tmp_path / "r.json"), str(tmp_path / "t.csv")])
    assert (done.exit_code, ": OK: all" in done.output) == (0, True), done.output
    assert bo.verify(tmp_path / "r.json", tmp_path / "t.csv").ok
