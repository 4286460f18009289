"""Files of other communities, in the shapes that their tools write: what they mean, by every field that matters."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ReadingError
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements


def answer(*args: object) -> dict[str, Any]:
    done = CliRunner().invoke(main, [*map(str, args), "--json"])
    assert done.stdout, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def pyperf(path: Path, factor: float, processes: int = 6) -> Path:
    def runs(base: float) -> list[dict[str, Any]]:
        calibration = {"metadata": {"date": "2026-01-01"}, "warmups": [[1, 0.5]]}
        return [calibration] + [
            {"warmups": [[1, base * 3]], "values": [base * factor * (1 + 0.001 * i), base * factor]}
            for i in range(processes)
        ]

    benchmarks = [
        {"metadata": {"name": name}, "runs": runs(base)} for name, base in (("nbody", 0.1), ("json_dumps", 0.02))
    ]
    about = {"cpu_model_name": "A", "cpu_count": 4, "hostname": "h", "perf_version": "2.6", "unit": "second"}
    path.write_text(json.dumps({"version": "1.0", "metadata": about, "benchmarks": benchmarks}))
    return path


def test_pyperf_has_values_of_processes(tmp_path: Path) -> None:
    rows = read_measurements(pyperf(tmp_path / "old.json", 1.0))
    assert rows.problems.names == ["nbody", "json_dumps"]
    assert (rows.metric, rows.unit, rows.run_kind, rows.direction(None)) == ("time", "s", "iteration", "lower")
    assert rows.runs.names[:3] == ["0.0", "0.1", "1.0"]
    assert rows.score[0] == pytest.approx(0.1)
    pyperf(tmp_path / "new.json", 1.5)
    found = answer("check", tmp_path / "old.json", tmp_path / "new.json", "--margin", "5%")
    assert found["decision"] == "regressed"


DESCRIPTION = (
    "scenario_id: made-up\nperformance_measures:\n- {measure}\nmaximize:\n- {maximize}\nperformance_type:\n- x\n"
)


def aslib(folder: Path, measure: str = "runtime", maximize: str = "false") -> Path:
    folder.mkdir()
    (folder / "description.txt").write_text(DESCRIPTION.format(measure=measure, maximize=maximize))
    (folder / "feature_values.arff").write_text("@RELATION f\n@ATTRIBUTE instance_id STRING\n@DATA\nx\n")
    (folder / "algorithm_runs.arff").write_text(
        "@RELATION ALGORITHM_RUNS\n\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE repetition NUMERIC\n@ATTRIBUTE algorithm"
        f" STRING\n@ATTRIBUTE {measure} NUMERIC\n@ATTRIBUTE runstatus {{ok, timeout, memout, crash, other}}\n\n@DATA\n"
        "'a, 1.cnf',1,lingeling,12.5,ok\n'a, 1.cnf',1,kissat,5000,timeout\nb.cnf,1,lingeling,?,memout\n"
        "b.cnf,1,kissat,3,ok\n"
    )
    return folder


def test_aslib_scenarios(tmp_path: Path) -> None:
    found = bo.read_results(aslib(tmp_path / "s"), missing="keep")
    assert (found.problems, found.algorithms) == (("a, 1.cnf", "b.cnf"), ("lingeling", "kissat"))
    assert np.array_equal(found.values, [[12.5, np.nan], [np.nan, 3.0]], equal_nan=True)
    assert found.status is not None
    assert found.status.tolist() == [["ok", "timeout"], ["memout", "ok"]]
    assert (found.better, found.unit) == ("lower", "s")
    for flow in ("true", "[true]"):
        rows = read_measurements(aslib(tmp_path / flow, "quality", flow))
        assert (rows.metric, rows.direction(None), rows.unit) == ("quality", "higher", None)
    assert answer("runtimes", tmp_path / "s", "--cap", 5000)["n_problems"] == 2


def benchexec(path: Path, categories: bool = True) -> Path:
    columns = ["status", *(["category"] if categories else []), "cputime (s)", "memory (MB)", "host"]
    head = [
        ["tool", ""] + [f"{tool} 1.0" for tool in ("CPA", "ESBMC") for _ in columns],
        ["run set", ""] + ["reach"] * 2 * len(columns),
        ["sv-benchmarks/c/", "property", *columns, *columns],
    ]
    ends = {
        ("a.yml", "CPA"): ("true", "correct", "1.5"),
        ("a.yml", "ESBMC"): ("false(unreach-call)", "wrong", "0.1"),
        ("b.yml", "CPA"): ("TIMEOUT (true)", "error", "900"),
        ("b.yml", "ESBMC"): ("false(unreach-call)", "correct", "4.25"),
    }
    rows = []
    for task in ("a.yml", "b.yml"):
        row = [task, "unreach"]
        for tool in ("CPA", "ESBMC"):
            status, category, seconds = ends[task, tool]
            row += [status, *([category] if categories else []), seconds, "100", "apollon7"]
        rows.append(row)
    path.write_text("".join("\t".join(line) + "\n" for line in [*head, *rows]))
    return path


def test_benchexec_tables(tmp_path: Path) -> None:
    found = bo.read_results(benchexec(tmp_path / "t.csv"), missing="keep")
    assert (found.problems, found.algorithms) == (("a.yml/unreach", "b.yml/unreach"), ("CPA 1.0", "ESBMC 1.0"))
    assert np.array_equal(found.values, [[1.5, np.nan], [np.nan, 4.25]], equal_nan=True)
    assert found.status is not None
    assert found.status.tolist() == [["ok", "wrong: false(unreach-call)"], ["timeout", "ok"]]
    assert (found.metric, found.unit, found.better) == ("cputime", "s", "lower")
    plain = bo.read_results(benchexec(tmp_path / "u.csv", categories=False), missing="keep")
    assert plain.values[0].tolist() == [1.5, 0.1]
    assert answer("runtimes", tmp_path / "t.csv", "--cap", 900)["n_problems"] == 2


def test_benchexec_tables_that_are_not_whole(tmp_path: Path) -> None:
    text = benchexec(tmp_path / "t.csv").read_text()
    (tmp_path / "t.csv").write_text(text.replace("apollon7\n", "\n", 1).replace("\tapollon7\t", "\t", 1))
    with pytest.raises(ReadingError, match=r"t\.csv, line \d: \d+ fields for 12 columns"):
        bo.read_results(tmp_path / "t.csv")


@pytest.mark.parametrize("shape", ["list", "metrics", "statistics"])
def test_js_framework_benchmark(tmp_path: Path, shape: str) -> None:
    def values(base: float) -> Any:
        runs = [base, base + 1]
        return {
            "list": runs,
            "metrics": {"script": [1.0, 1.0], "total": runs},
            "statistics": {"total": {"mean": base, "values": runs}},
        }[shape]

    records = [
        {"framework": framework, "benchmark": benchmark, "type": "cpu", "values": values(base)}
        for benchmark, base in (("01_run1k", 30.0), ("02_replace", 20.0))
        for framework, base in (("vanilla", base), ("other", base * 2))
    ]
    (tmp_path / "results.json").write_text(json.dumps(records))
    found = bo.read_results(tmp_path / "results.json")
    assert (found.problems, found.algorithms) == (("01_run1k", "02_replace"), ("vanilla", "other"))
    assert found.values[0].tolist() == [0.0305, 0.0605]
    assert (found.metric, found.unit, found.better) == ("total", "s", "lower")
    (tmp_path / "one.json").write_text(json.dumps(records[0]))
    assert read_measurements(tmp_path / "one.json", "js-framework-benchmark").problems.names == ["01_run1k"]


BENCH = (
    "goos: linux\ncpu: X\npkg: {pkg}\nBenchmarkSort/n=64-2 \t 2000\t 522.2 ns/op\n"
    "BenchmarkSort/n=64-2 \t 2000\t 530 ns/op\nok\n"
)


def test_go_test_json_is_what_go_test_prints(tmp_path: Path) -> None:
    """Lines come in pieces, and those of packages that run side by side mixed."""
    events = []
    pieces = {pkg: BENCH.format(pkg=pkg).replace("\t", "\x00\t").split("\x00") for pkg in ("p/a", "p/b")}
    for both in zip(*pieces.values(), strict=True):
        for pkg, piece in zip(pieces, both, strict=True):
            events.append({"Time": "2026-01-01T00:00:00Z", "Action": "output", "Package": pkg, "Output": piece})
    events.insert(0, {"Time": "2026-01-01T00:00:00Z", "Action": "start", "Package": "p/a"})
    lines = "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)
    (tmp_path / "go.json").write_text(lines)
    rows = read_measurements(tmp_path / "go.json")
    assert rows.problems.names == ["p/a.BenchmarkSort/n=64", "p/b.BenchmarkSort/n=64"]
    assert list(rows.score) == pytest.approx([522.2e-9, 530e-9] * 2)
    (tmp_path / "go.json").write_text(lines + "{broken\n")
    with pytest.raises(ReadingError, match=r"line \d+: not JSON"):
        read_measurements(tmp_path / "go.json")


def asv(folder: Path, versions: int) -> Path:
    """As public histories are: medians, without samples; names in an order that is not that of time."""
    (folder / "machine").mkdir(parents=True)
    for i in range(versions):
        commit = f"{(7 * i) % 97:02x}" * 20
        level = 1.0 if i < versions // 2 else 2.0
        results = {"bench.time_sort": [[level + 0.001 * (i % 5)], [], "v1"]}
        report = {
            "commit_hash": commit,
            "env_name": "py",
            "date": 1.7e12 + 1e9 * i,
            "params": {"machine": "m", "cpu": "A", "num_cpu": "4"},
            "result_columns": ["result", "params", "version"],
            "results": results,
        }
        (folder / "machine" / f"{commit[:8]}-py.json").write_text(json.dumps(report))
    return folder


def test_asv_without_samples_has_a_history(tmp_path: Path) -> None:
    folder = asv(tmp_path / "results", 24)
    with pytest.raises(ReadingError, match=r"has no samples.*metric='median time'"):
        bo.read_results(folder)
    found = bo.read_results(folder, metric="median time")
    assert found.values[0].tolist() == sorted(found.values[0].tolist(), key=lambda x: x >= 2)  # in the order of time
    history = answer("history", folder)
    assert history["steps"][0]["place"] == 12


def test_matrices_of_runs_and_tasks_without_a_header(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path in paths:
        np.savetxt(path, rng.random((5, 4)), delimiter=",")
    done = CliRunner().invoke(main, ["compare", *map(str, paths), "--better", "higher"])
    assert "--format rliable" in done.stderr
    found = answer("compare", *paths, "--better", "higher", "--format", "rliable")
    assert (found["scores"]["algorithms"], len(found["scores"]["problems"])) == (["a", "b"], 4)


OLD = "id,task,framework,fold,result,mode,utc,info,acc,auc,logloss\n"


def test_automlbenchmark_of_2019_with_rounding_and_a_row_that_lacks_its_metric(tmp_path: Path) -> None:
    rows = ""
    for task, metric in (("bin", "auc"), ("multi", "logloss")):
        for framework, good in (("H2O", 0.9), ("TPOT", 0.7)):
            for fold in range(3):
                auc, loss = good + fold / 100, 1.5 - good + fold / 100
                result = auc if metric == "auc" else loss
                kept = "" if (task, framework, fold) == ("multi", "H2O", 1) else f"{loss:.7g}"
                rows += f"x,{task},{framework},{fold},{result * (1 + 1e-8):.9g},aws,2019,,{good},{auc},{kept}\n"
    with gzip.open(tmp_path / "r.csv.gz", "wt") as file:
        file.write(OLD + rows)
    found = bo.read_results(tmp_path / "r.csv.gz", metric="result")
    assert found.better == "higher"
    assert (found.values[:, 0] > found.values[:, 1]).all()  # H2O is better, by AUC and by log loss
    assert found.values[1, 0] < 0


@pytest.mark.parametrize(
    ("corner", "metric", "better"), [("folds:", "rmse", "lower"), ("Resamples:", "auroc", "higher")]
)
def test_resamples_and_folds(tmp_path: Path, corner: str, metric: str, better: str) -> None:
    for name in ("RandF", "FPCR"):
        (tmp_path / f"{name}_{metric}.csv").write_text(f"{corner},0,1\nA,3.4,4.6\nB,2.9,4.2\n")
    found = bo.read_results(tmp_path)
    assert (found.algorithms, found.better, found.metric) == (("FPCR", "RandF"), better, metric)
    assert read_measurements(tmp_path, choices=Choices()).run_kind == "split"


def trec_eval(path: Path, better: float, queries: range = range(301, 313)) -> Path:
    """As ``trec_eval -q`` prints it: lines of each query, then those of all."""
    lines = [f"{m}\t{q}\t{v:.4f}\n" for q in queries for m, v in (("map", 0.1 + better + q / 1e4), ("P_10", 0.3))]
    path.write_text(
        "".join(lines) + f"runid                 \tall\tSTANDARD\nmap                   \tall\t{0.1 + better:.4f}\n"
    )
    return path


def test_trec_eval_has_a_score_of_each_query(tmp_path: Path) -> None:
    files = [trec_eval(tmp_path / f"{name}.eval", gain) for name, gain in (("bm25", 0.0), ("dense", 0.2))]
    scores = answer("compare", *files, "--metric", "map")["scores"]
    assert (len(scores["problems"]), scores["algorithms"]) == (12, ["bm25", "dense"])
    rows = read_measurements(files[1], choices=Choices(metric="map"))
    assert rows.problems.names[0] == "301"  # and no "all"
    assert rows.score[0] == pytest.approx(0.3301)
    assert rows.direction(None) == "higher"


def test_trec_eval_of_all_queries_alone_is_refused(tmp_path: Path) -> None:
    path = trec_eval(tmp_path / "mean.eval", 0.0, range(0))
    with pytest.raises(ReadingError, match="trec_eval -q"):
        read_measurements(path, "trec-eval")


def test_a_refusal_of_trec_eval_names_the_line(tmp_path: Path) -> None:
    path = trec_eval(tmp_path / "a.eval", 0.0)
    path.write_text(path.read_text().replace("map\t305\t", "\nmap\t305\tx"))
    with pytest.raises(ReadingError, match="line 10: "):
        read_measurements(path, "trec-eval", choices=Choices(metric="map"))
