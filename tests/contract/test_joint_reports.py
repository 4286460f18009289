"""``bakeoff report``: several results in one report, each computed again from its JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff._version import __version__
from bakeoff.analyses import by_schema
from bakeoff.cli import main
from bakeoff.protocols import Protocol, check_against_protocol
from every_kind import RESULTS

TABLE = bo.datasets.load("derrac_cec2005")
FILES = ("compare.json", "my sensitivity.json", "evaluate.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a comparison, its sensitivity, and an evaluation."""
    folder = tmp_path_factory.mktemp("results")
    results = (
        bo.compare(TABLE, control="SaDE"),
        bo.sensitivity(TABLE, control="SaDE", n_resamples=20),
        bo.evaluate(TABLE, n_resamples=199),
    )
    for name, result in zip(FILES, results, strict=True):
        result.save(folder / name)
    return folder


@pytest.fixture
def here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder


def cli(*words: str) -> Any:
    return CliRunner().invoke(main, ["report", *words])


def written(*words: str, output: str) -> str:
    done = cli(*words, "-o", output)
    assert done.exit_code == 0, done.output
    return Path(output).read_text(encoding="utf-8")


def changed(name: str, **values: Any) -> str:
    """A copy of a report in which these keys say something else."""
    content = json.loads(Path(FILES[0]).read_text(encoding="utf-8")) | values
    Path(name).write_text(json.dumps(content), encoding="utf-8")
    return name


def headline(name: str) -> str:
    return str(json.loads(Path(name).read_text(encoding="utf-8"))["verdict"])


def ids_of(page: str) -> list[str]:
    return re.findall(r'\bid="([^"]*)"', page)


@pytest.mark.usefixtures("here")
def test_a_line_says_what_was_read_and_computed_again() -> None:
    done = cli(*FILES, "-o", "all.md")
    assert done.exit_code == 0, done.output
    assert done.output == (
        "Read and computed again: compare.json (compare), my sensitivity.json (sensitivity) and evaluate.json "
        "(evaluate). Written: all.md\n"
    )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("suffix", ["html", "md", "tex", "txt"])
def test_each_format_has_a_part_for_each_result(suffix: str) -> None:
    text = written(*FILES, output=f"all.{suffix}")
    assert "3 results: 9 algorithms on 25 problems" in text
    places = [text.index(f"Result {i} of 3") for i in (1, 2, 3)]
    assert places == sorted(places)
    for name in FILES:
        assert name in text
        assert headline(name)[:30] in text
    assert text.count("Read this before quoting") >= 2  # each result keeps its own cautions


@pytest.mark.usefixtures("here")
def test_references_and_versions_stand_once() -> None:
    text = written(*FILES, output="all.md")
    assert text.count("## References") == text.count("## Provenance") == text.count("**versions**") == 1
    assert text.count("**input SHA-256**") == 1  # all three are about one table
    assert "**command**: bakeoff report compare.json 'my sensitivity.json' evaluate.json -o all.md" in text.replace(
        "\\", ""
    )
    for name in FILES:
        for key in json.loads(Path(name).read_text(encoding="utf-8"))["references"]:
            assert text.count(f"{{{key},\n") == 1, key


@pytest.mark.usefixtures("here")
def test_what_is_of_one_result_names_it() -> None:
    bo.compare(bo.datasets.load("demsar_2006")).save("other.json")
    text = written("compare.json", "other.json", output="two.md")
    assert text.startswith("# 2 results\n")
    assert re.findall(r"\*\*input SHA-256(.*?)\*\*", text) == [", result 1", ", result 2"]


@pytest.mark.usefixtures("here")
def test_ids_of_a_page_differ_and_its_links_lead_somewhere() -> None:
    changed("again.json")  # the same drawings once more
    page = written(*FILES, "again.json", output="all.html")
    ids = ids_of(page)
    assert [name for name, n in Counter(ids).items() if n > 1] == []
    named = re.findall(r'(?:href="#|aria-labelledby="|aria-describedby=")([^"]*)"', page)
    assert len(named) >= 4 + 2 * page.count("<svg")
    assert set(named) <= set(ids)
    assert {f"r{i}" for i in range(1, 5)} <= set(ids)
    assert "<script" not in page
    assert "This page has no script" in page


@pytest.mark.slow
def test_every_kind_has_its_place_in_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kinds = [record.kind for record in by_schema().values()]
    for kind in kinds:
        RESULTS[kind]().save(f"{kind}.json")
    files = [f"{kind}.json" for kind in kinds]
    page = written(*files, output="all.html")
    assert [name for name, n in Counter(ids_of(page)).items() if n > 1] == []
    assert page.count("<article") == len(kinds)
    labels = re.findall(r"\\label\{(.*?)\}", written(*files, output="all.tex"))
    assert len(set(labels)) == len(labels) > 0
    for suffix in ("md", "txt"):
        assert written(*files, output=f"all.{suffix}").count(f" of {len(kinds)} – ") == len(kinds)


@pytest.mark.usefixtures("here")
def test_a_title_replaces_the_usual_one_and_means_nothing_to_a_page() -> None:
    page = written(*FILES, "--title", "<b>Solvers</b>", output="titled.html")
    assert "<h1>&lt;b&gt;Solvers&lt;/b&gt;</h1>" in page


def test_of_one_file_the_usual_report_is_written(here: Path) -> None:
    (here / "t.csv").write_text("p,a,b\n" + "".join(f"{i},{i + 1},{i + 2}\n" for i in range(8)), encoding="utf-8")
    usual = ["compare", "t.csv", "--better", "lower", "--report", "t.json", "--report", "t.html"]
    assert CliRunner().invoke(main, usual).exit_code == 0
    assert written("t.json", output="one.html") == Path("t.html").read_text(encoding="utf-8")
    assert bo.verify("one.html").ok


@pytest.mark.usefixtures("here")
def test_a_result_stays_beside_its_protocol() -> None:
    plan = Protocol.of(
        {
            "command": "compare",
            "better": "lower",
            "control": "SaDE",
            "algorithms": list(TABLE.algorithms),
            "problems": "any",
            "alpha": 0.01,
        }
    )
    check_against_protocol(bo.compare(TABLE, control="SaDE"), plan, "the level was a slip").save("planned.json")
    text = written("planned.json", "evaluate.json", output="planned.md")
    assert "Departures from the protocol" in text
    assert "the level was a slip" in text


# --- what is refused ---------------------------------------------------------------------------------------------


def refusal(*words: str) -> str:
    before = sorted(Path().iterdir())
    done = cli(*words)
    assert done.exit_code == 2
    assert sorted(Path().iterdir()) == before, "nothing is written"
    return str(done.output)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["all.json", "all.pdf", "all.csv", "all"])
def test_another_suffix_is_refused_with_those_that_work(name: str) -> None:
    assert f"-o must end in .html, .md, .tex or .txt; got '{name}'" in refusal(*FILES, "-o", name)


@pytest.mark.usefixtures("here")
def test_a_number_that_the_scores_do_not_give_is_refused() -> None:
    pairs = json.loads(Path(FILES[0]).read_text(encoding="utf-8"))["pairs"]
    pairs[0]["pvalue"] /= 10
    forged = changed("forged one.json", pairs=pairs)
    said = refusal(forged, FILES[1], "-o", "x.html")
    assert "forged one.json is not what its scores give: 'pairs' differs" in said
    assert "bakeoff verify 'forged one.json'" in said


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"verdict": "SaDE is best."}, "'verdict' differs"),
        ({"decision": "none"}, "'decision' differs"),
        ({"approved": True}, "'approved' differs"),
        ({"scores": {}}, "scores.problems must be a list of names"),
        ({"request": {"control": "nobody"}}, "request: control"),
        ({"request": {"n_runs": 3}}, "there is no argument 'n_runs'"),
        ({"schema": "compare"}, "is no report of bakeoff: its key 'schema' must be"),
        ({"schema": "bakeoff.plan/1"}, "is a bakeoff.plan/1 report, which is not computed again; reports of"),
        ({"schema": "bakeoff.study-power/1"}, "studies are not computed again: repeat the study"),
        ({"schema": "bakeoff.run/1"}, "verify its store: bakeoff verify RUNS.sqlite"),
        ({"versions": None}, "was written by an unknown version of bakeoff, and this"),
        ({"versions": {"bakeoff": "0.1.9"}}, f"was written by bakeoff 0.1.9, and this is {__version__}"),
    ],
)
def test_other_reports_are_refused_with_a_reason(values: dict[str, Any], rule: str) -> None:
    said = refusal(changed("changed.json", **values), FILES[1], "-o", "x.html")
    assert "changed.json" in said
    assert rule in said


@pytest.mark.usefixtures("here")
def test_numbers_of_another_numpy_may_differ_and_decisions_may_not() -> None:
    content = json.loads(Path(FILES[0]).read_text(encoding="utf-8"))
    versions = content["versions"] | {"numpy": "2.0.0"}
    omnibus = content["omnibus"] | {"pvalue": content["omnibus"]["pvalue"] * (1 + 1e-12)}
    assert "2.0.0" not in written(changed("n.json", versions=versions, omnibus=omnibus), FILES[1], output="n.md")
    assert "'decision' differs" in refusal(changed("m.json", versions=versions, decision="none"), "-o", "x.md")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("text", ["", "[1]", "{", '{"schema"', "<!doctype html>", "p,a,b\n1,2,3\n", "[" * 100_000])
def test_a_file_that_is_no_report_is_refused(text: str) -> None:
    Path("some.json").write_text(text, encoding="utf-8")
    assert "some.json is no report in JSON, as --report FILE.json" in refusal("some.json", FILES[0], "-o", "x.html")


@pytest.mark.usefixtures("here")
def test_files_and_places_that_cannot_be() -> None:
    assert "'none.json' cannot be read" in refusal("none.json", "-o", "x.html")
    assert "'./compare.json' is a report to read, and it is named twice" in refusal(
        "compare.json", "./compare.json", "-o", "x.html"
    )
    assert "the folder 'nowhere' does not exist" in refusal(*FILES, "-o", "nowhere/x.html")
    assert "REPORT.json" in refusal("-o", "x.html")
    Path("named.txt").write_bytes(Path(FILES[0]).read_bytes())
    assert "is a report to read, and -o names it" in refusal("named.txt", "-o", "named.txt")


@pytest.mark.usefixtures("here")
def test_very_many_draws_are_not_repeated() -> None:
    content = json.loads(Path(FILES[2]).read_text(encoding="utf-8"))
    content["request"]["n_resamples"] = 1_000_001
    Path("costly.json").write_text(json.dumps(content), encoding="utf-8")
    assert "Run the analysis itself" in refusal("costly.json", "-o", "x.html")
