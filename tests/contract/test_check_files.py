"""The gate on what real tools wrote: failures, vanished tests, directions, processes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ScoreError

SAMPLES = Path(__file__).parents[1] / "oracles" / "data" / "formats"


def changed(name: str, target: Path, change: Any) -> Path:
    """A copy of a sample with something changed in its JSON."""
    content = json.loads((SAMPLES / name).read_text())
    change(content)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(content))
    return target


def nothing(content: Any) -> None:
    pass


def test_google_benchmark_an_error_row_is_no_best_time(tmp_path: Path) -> None:
    """Its real_time is 0.0, the best score of all unless the error is read."""

    def repaired(content: Any) -> None:
        for row in content["benchmarks"]:
            if row.pop("error_occurred", None):
                row.pop("error_message", None)
                row.update(real_time=5.0, cpu_time=5.0, iterations=10)

    base = changed("google_benchmark.json", tmp_path / "base.json", repaired)
    found = bo.check(base, SAMPLES / "google_benchmark.json", "5%")
    assert found.decision == "regressed"
    (lost,) = [row for row in found.rows if row.verdict == "regressed"]
    assert lost.effect is None
    assert "failed" in lost.reason


def test_pytest_benchmark_a_test_that_fails_vanishes(tmp_path: Path) -> None:
    lacking = changed("pytest_benchmark.json", tmp_path / "new.json", lambda content: content["benchmarks"].pop())
    found = bo.check(SAMPLES / "pytest_benchmark.json", lacking, "5%")
    assert found.decision == "regressed"
    assert [row.reason for row in found.rows if row.verdict == "regressed"] == ["missing in new"]


def test_pytest_benchmark_a_file_per_process(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for side, factor in (("base", 1.0), ("new", 1.3)):
        for i in range(6):

            def scale(content: Any, factor: float = factor) -> None:
                for row in content["benchmarks"]:
                    process = factor * float(np.exp(rng.normal(0, 0.01)))
                    row["stats"]["data"] = [1e-6 * process * float(np.exp(rng.normal(0, 0.05))) for _ in range(30)]

            changed("pytest_benchmark.json", tmp_path / side / f"{i}.json", scale)
    found = bo.check(tmp_path / "base", tmp_path / "new", "5%")
    assert found.paired
    assert {row.runs for row in found.rows} == {(6, 6)}
    assert {row.verdict for row in found.rows} == {"regressed"}
    assert bo.check(tmp_path / "base", tmp_path / "base", "5%", run_sd=0.01).decision == "ok"


def test_jmh_doubled_throughput_is_improved(tmp_path: Path) -> None:
    """github-action-benchmark alarms at it and passes a halving."""

    def doubled(content: Any) -> None:
        content[0]["primaryMetric"]["rawData"] = [
            [2 * x for x in fork] for fork in content[0]["primaryMetric"]["rawData"]
        ]

    new = changed("jmh.json", tmp_path / "new.json", doubled)
    found = bo.check(SAMPLES / "jmh.json", new, "5%", metric="thrpt", run_sd=0.05)
    assert found.decision == "ok"
    assert found.rows[0].improved
    assert found.rows[0].runs == (2, 2)  # forks, not iterations
    assert bo.check(new, SAMPLES / "jmh.json", "5%", metric="thrpt", run_sd=0.05).decision == "regressed"
    assert bo.check(new, SAMPLES / "jmh.json", "5%", metric="thrpt").decision == "inconclusive"  # of two forks


@pytest.mark.parametrize("name", ["hyperfine.json", "pytest_benchmark.json", "google_benchmark.json", "go_bench.txt"])
def test_a_file_against_itself_is_never_regressed(name: str) -> None:
    found = bo.check(SAMPLES / name, SAMPLES / name, "5%")
    assert found.decision in ("ok", "inconclusive")
    assert "NaN" not in json.dumps(found.to_dict())
    assert bo.verify(found).ok


def test_lm_eval_question_by_question(tmp_path: Path) -> None:
    """Questions are a sample: one test of the mean; twelve equal answers rule out nothing."""
    found = bo.check(SAMPLES / "lm_eval", SAMPLES / "lm_eval", 0.01, metric="acc")
    assert (found.level, found.scale, found.decision) == ("suite", "difference", "inconclusive")
    assert found.rows[0].effect == 0.0
    assert found.rows[0].interval is not None
    assert found.rows[0].interval[1] > 0.2


def test_inspect_logs_of_two_models() -> None:
    """Answers of one question are averaged first; scores of 1/3 that cancel are a difference of 0."""
    folder = SAMPLES / "inspect"
    found = bo.check(folder / "mockllm_a.json", folder / "mockllm_b.json", 0.05)
    assert (found.level, found.unit, found.decision) == ("suite", "problem", "inconclusive")
    assert found.rows[0].effect == 0.0


def test_bakeoff_time_holds_both_sides(tmp_path: Path) -> None:
    """The file that docs/how-to/time.md documents; rounds are pairs, but only of one file."""
    rng = np.random.default_rng(2)
    head = {
        "schema": "bakeoff.time/1",
        "version": "0.1.0",
        "problem": "sort",
        "commands": [{"name": "old"}, {"name": "new"}],
        "machine": {"cpu": "EPYC", "cpus": 2, "system": "Linux"},
    }
    lines = [json.dumps(head)]
    for i in range(1, 13):
        host = float(np.exp(rng.normal(0, 0.5)))
        runs = [
            {
                "algorithm": name,
                "place": 1,
                "seconds": factor * host * float(np.exp(rng.normal(0, 0.01))),
                "status": "ok",
            }
            for name, factor in (("old", 1.0), ("new", 1.1))
        ]
        lines.append(json.dumps({"problem": "sort", "round": i, "runs": runs}))
    path = tmp_path / "times.jsonl"
    path.write_text("\n".join(lines) + "\n" + '{"problem": "sort", "round": 13, "ru')
    found = bo.check(path, path, "5%", label=("old", "new"))
    assert found.paired
    assert found.decision == "regressed"
    assert found.rows[0].runs == (12, 12)
    done = CliRunner().invoke(main, ["check", str(path), "--label", "old", "--label", "new", "--margin", "5%"])
    assert done.exit_code == 1
    other = Path(shutil.copy(path, tmp_path / "other.jsonl"))
    assert not bo.check(path, other, "5%", label=("old", "new")).paired
    with pytest.raises(bo.BakeoffError, match="several algorithms"):
        bo.check(path, path, "5%")


def test_a_table_of_runs(tmp_path: Path) -> None:
    rows = ["problem,run,score,status"]
    rows += [f"sort,{i},{1 + i / 1000},ok" for i in range(8)]
    (tmp_path / "base.csv").write_text("\n".join(rows))
    (tmp_path / "new.csv").write_text("\n".join([*rows[:-1], "sort,7,,timeout"]))
    same = bo.check(tmp_path / "base.csv", tmp_path / "base.csv", "5%", better="lower", run_sd=0.001)
    assert same.decision == "ok"
    found = bo.check(tmp_path / "base.csv", tmp_path / "new.csv", "5%", better="lower")
    assert found.rows[0].reason == "1 of 8 runs failed: timeout"
    with pytest.raises(bo.BakeoffError, match="better must be"):
        bo.check(tmp_path / "base.csv", tmp_path / "base.csv", "5%")


def test_a_run_that_failed_in_a_table_of_scores() -> None:
    values = [[[1.0, 1.0, 1.01], [1.0, 1.01, np.nan]]]
    status = [[["ok"] * 3, ["ok", "ok", "timeout"]]]
    scores = bo.Scores(values, ["old", "new"], better="lower", missing="keep", status=status)
    found = bo.check(scores, scores, "5%", label=("old", "new"))
    assert found.decision == "regressed"
    assert "timeout" in found.rows[0].reason


CRASHED = ["", "{}", "[]", "null", '{"results": []}', '{"error": 1}', "Segmentation fault"]


@pytest.fixture
def processes(tmp_path: Path) -> Path:
    """Two folders with a file of hyperfine for each of six processes."""
    for side in ("base", "new"):
        (tmp_path / side).mkdir()
        for run in range(6):
            result = {"command": "sort", "times": [1 + 0.001 * run**2 * (side == "new")], "exit_codes": [0]}
            (tmp_path / side / f"{run}.json").write_text(json.dumps({"results": [result]}))
    return tmp_path


@pytest.mark.parametrize("said", CRASHED)
@pytest.mark.parametrize("options", [[], ["--format", "hyperfine"]])
def test_a_crashed_run_in_a_folder_does_not_pass(processes: Path, said: str, options: list[str]) -> None:
    (processes / "new" / "3.json").write_text(said)
    call = ["check", str(processes / "base"), str(processes / "new"), "--margin", "5%", *options]
    done = CliRunner().invoke(main, call)
    assert done.exit_code == 2, done.output
    assert "3.json" in done.stderr


def test_nor_is_it_left_out_of_a_comparison(processes: Path) -> None:
    (processes / "new" / "3.txt").write_text("Segmentation fault")
    with pytest.raises(bo.BakeoffError, match=r"3\.txt: no result of hyperfine, as 12 other files are"):
        bo.read_results({"base": processes / "base", "new": processes / "new"})


def test_other_files_may_lie_in_a_folder(processes: Path) -> None:
    (processes / "new" / "README.md").write_text("measured on a quiet machine")
    assert bo.check(processes / "base", processes / "new", "5%").decision == "ok"


# --- what cannot be compared ------------------------------------------------------------------------------------


def table(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("problem,run,score\nöööö,1,2\n".encode("latin-1"), "line 2: not UTF-8: byte 0xF6 at offset 18"),
        (b"problem,run,score\nsort,1,2\x00\n", "a NUL byte"),
        ("problem;run;score\nsort;1;2,5x\n", "'2,5x' is not a number"),
        ("problem,run,score\n", "has a header but no scores below it"),
        ("problem,run,time,mem\nsort,1,2,3\n", "could all be the score column; say which: --metric mem"),
        ("problem,old,new\nsort,1,2\n", "several algorithms (old, new): say which is compared, --label old"),
        ("problem,score\nsort,1\nsort,2\n", "must occur once; repeated: problem 'sort'"),
    ],
)
def test_tables_that_cannot_be_read_are_told_as_by_compare(content: str | bytes, words: str, tmp_path: Path) -> None:
    """An internal error (Latin-1), or a column called 'problem;run;score'."""
    path = table(tmp_path / "t.csv", content)
    found = CliRunner().invoke(main, ["check", str(path), str(path), "--margin", "5%", "--better", "lower"])
    assert found.exit_code == 2
    assert words.replace(" and ", ", ") in " ".join(found.output.split()).replace(" and ", ", ")


def test_columns_of_a_table_are_builds_by_their_labels(tmp_path: Path) -> None:
    """G15: a wide table was refused without a way out."""
    path = table(tmp_path / "t.csv", "problem,old,new\n" + "".join(f"p{i},{0.8 + i / 500},0.6\n" for i in range(30)))
    found = bo.check(path, path, 0.05, better="higher", label=("old", "new"), level="suite")
    assert found.decision == "regressed"


def test_a_store_of_runs_holds_both_builds(tmp_path: Path) -> None:
    """G15: it was "not a format that is recognised"."""

    def new(problem: float, rng: np.random.Generator) -> float:
        return 1.5 * problem + 0.01 * float(rng.normal())

    def old(problem: float, rng: np.random.Generator) -> float:
        return problem + 0.01 * float(rng.normal())

    problems = {f"p{i}": 1.0 + i for i in range(3)}
    store = tmp_path / "e.sqlite"
    bo.run(bo.Experiment({"new": new, "old": old}, problems, better="lower", seed=1, runs=8), store)
    call = ["check", str(store), "--label", "old", "--label", "new", "--margin", "10%", "--json"]
    found = json.loads(CliRunner().invoke(main, call).stdout)
    assert [row["verdict"] for row in found["rows"]] == ["regressed"] * 3
    assert found["rows"][0]["effect"] == pytest.approx(0.5, abs=0.05)


def test_semicolons_tabs_and_utf_16_are_read(tmp_path: Path) -> None:
    rows = ["problem,run,score", *(f"sort,{i},{1 + i / 50}" for i in range(6))]
    plain = table(tmp_path / "a.csv", "\n".join(rows))
    for name, text in {
        "b.csv": "\n".join(rows).replace(",", ";").encode("utf-8-sig"),
        "c.tsv": "\r\n".join(rows).replace(",", "\t").encode(),
        "d.csv": "\n".join(rows).encode("utf-16"),
    }.items():
        other = table(tmp_path / name, text)
        found = bo.check(plain, other, "5%", better="lower")
        assert (found.rows[0].effect, found.rows[0].runs) == (0.0, (6, 6))


def zeros(folder: Path, factor: float = 1.0) -> tuple[Path, Path]:
    """Of a program that is faster than the clock, beside one that is not."""
    paths = []
    for name, scale in (("base.json", 1.0), ("new.json", factor)):
        quick = {"command": "true", "times": [0.0, 0.001, 0.0, 0.002, 0.001, 0.0]}
        slow = {"command": "sleep", "times": [scale * (1 + i / 200) for i in range(6)]}
        paths.append(table(folder / name, json.dumps({"results": [quick, slow]})))
    return paths[0], paths[1]


def test_a_time_of_0_keeps_no_other_from_being_judged(tmp_path: Path) -> None:
    """One zero time stopped the whole check, without the name of the benchmark."""
    found = bo.check(*zeros(tmp_path, 1.3), "5%")
    verdicts = {row.problem: (row.verdict, row.effect is None) for row in found.rows}
    assert verdicts == {"sleep": ("regressed", False), "true": ("inconclusive", True)}
    [row] = [row for row in found.rows if row.problem == "true"]
    assert row.reason.startswith("below the clock: scores of 0 (3 of 6 in baseline and 3 of 6 in new)")
    assert found.decision == "regressed"
    assert bo.check(*zeros(tmp_path), "5%").decision == "inconclusive"
    assert bo.verify(found.to_dict()).ok


def test_scores_without_a_ratio_are_named(tmp_path: Path) -> None:
    sides = {"sort": [0.0, 1.0, 2.0]}, {"sort": [1.0, 1.0, -2.0]}
    with pytest.raises(ScoreError, match=r"-2 the least \(problem 'sort', new, run 3\)"):
        bo.check(*sides, "5%", better="lower")
    with pytest.raises(ScoreError, match=r"0 the least \(problem 'true', baseline, run 1\)"):
        bo.check(*zeros(tmp_path), "5%", level="suite")


def test_what_cannot_be_compared_is_told_in_every_format_for_machines(tmp_path: Path) -> None:
    """A build page showed nothing."""
    path = table(tmp_path / "t.csv", b"\xff\xfa\n")
    names = {name: str(tmp_path / name) for name in ("a.md", "a.xml", "a.json")}
    written = ["--markdown", names["a.md"], "--junit", names["a.xml"], "--report", names["a.json"], "--json"]
    found = CliRunner().invoke(main, ["check", str(path), str(path), "--margin", "5%", "--better", "lower", *written])
    assert found.exit_code == 2
    content = json.loads((tmp_path / "a.json").read_text())
    assert content == json.loads(found.stdout)
    assert (content["decision"], content["schema"]) == ("not comparable", "bakeoff.check-refused/1")
    assert "not UTF-8" in content["verdict"]
    assert "### 🚫 NOT COMPARABLE" in (tmp_path / "a.md").read_text()
    [case] = ElementTree.parse(tmp_path / "a.xml").iter("error")
    assert case.get("type") == "not comparable"
    assert "not UTF-8" in str(case.get("message"))
    verified = CliRunner().invoke(main, ["verify", names["a.json"]])
    assert verified.exit_code == 2
    assert "which says that nothing could be compared" in " ".join(verified.output.split())


def test_a_table_of_benchmarks_and_milliseconds_is_read_by_its_names(tmp_path: Path) -> None:
    for name in ("old", "new"):
        rows = [f"{b},{r},{10 + r / 7}" for b in ("parse", "load") for r in range(10)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["benchmark,run,time_ms", *rows, ""]))
    call = ["check", str(tmp_path / "old.csv"), str(tmp_path / "new.csv"), "--margin", "5%", "--better", "lower"]
    found = CliRunner().invoke(main, call)
    assert found.exit_code == 3
    assert CliRunner().invoke(main, [*call, "--problem", "benchmark", "--metric", "time_ms"]).output == found.output
