"""A file or folder of everything that is read, for :mod:`mutated_files` to change."""

from __future__ import annotations

import contextlib
import json
import tarfile
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import bakeoff as bo
from bakeoff.protocols import read_protocol
from bakeoff.wings.guard.check.statistics.baseline_store import update_baseline
from bakeoff.wings.guard.check.statistics.result_files import Reading, of_paths
from contract.test_tests_of_one_process import WRITERS as ONE_PROCESS

SAMPLES = Path(__file__).parents[1] / "oracles" / "data" / "formats"

TABLES = {
    "wide.csv": "problem,new,old\n" + "".join(f"p{i},{i / 7},{i + 1}\n" for i in range(30)),
    "wide.tsv": "problem\tnew\told\n" + "".join(f'"p {i}"\t{i}e-3\t{i + 1}\n' for i in range(30)),
    "semicolon.csv": "\ufeffproblem;new;old\n" + "".join(f"p{i};{i},5;{i + 1},25\n" for i in range(30)),
    "long.csv": "problem,algorithm,run,score,status\n"
    + "".join(f"p{i},{a},{r},{i + r / 3},ok\n" for i in range(9) for a in "ab" for r in range(2)),
    "curve.csv": "problem,algorithm,budget,score\n"
    + "".join(f"p{i},{a},{b},{i + 1 / b}\n" for i in range(9) for a in "ab" for b in (1, 2, 4)),
    "records.json": json.dumps([{"problem": f"p{i}", "new": i / 7, "old": i + 1.5} for i in range(20)]),
    "columns.json": json.dumps({"problem": [*"abcdef"], "new": [1, 2, 3, 4, 5, 6.5], "old": [2, None, 4, 5, 6, 7]}),
    "lines.jsonl": "".join(json.dumps({"problem": f"p{i}", "new": i / 7, "old": i}) + "\n" for i in range(20)),
}
BATTLES = {
    "battles.csv": "a,b,winner\n" + "x,y,x\ny,z,tie\nx,z,z\n" * 6,
    "battles.json": json.dumps([{"model_a": "x", "model_b": "y", "winner": w} for w in ("model_a", "tie", "model_b")]),
}
EXPERIMENT = """better = "lower"
seed = 1
runs = 2
retries = 1
[algorithms]
a = { command = "solve {instance} --seed {seed}", environment = { X = "1" } }
b = { command = ["other", "{problem}"], timeout = 3.5 }
[problems.values]
p1 = 1.5
p2 = 2
"""

PROTOCOL = """command = "compare"
question = "Which?"
better = "lower"
algorithms = ["new", "old"]
problems = "any"
alpha = 0.05
"""


def _pyperf() -> str:
    runs = [{"warmups": [[1, 0.3]], "values": [0.1 + i / 1000, 0.1]} for i in range(6)]
    benchmarks = [{"metadata": {"name": name}, "runs": runs} for name in ("nbody", "json_dumps")]
    about = {"cpu_model_name": "A", "cpu_count": 4, "hostname": "h", "perf_version": "2.6", "unit": "second"}
    return json.dumps({"version": "1.0", "metadata": about, "benchmarks": benchmarks})


def _js_framework() -> str:
    values = ([30.0, 31.0], {"script": [1.0], "total": [30.0]}, {"total": {"mean": 3, "values": [3.0, 3.5]}})
    about = [("vanilla", "01_run1k"), ("other", "01_run1k"), ("vanilla", "02_replace")]
    return json.dumps(
        [{"framework": f, "benchmark": b, "type": "cpu", "values": v} for (f, b), v in zip(about, values, strict=True)]
    )


def _benchexec() -> str:
    columns = ["status", "category", "cputime (s)", "memory (MB)", "host"]
    lines = [["tool", "", *["CPA 1.0"] * 5, *["ESBMC 2.0"] * 5], ["run set", "", *["reach"] * 10]]
    lines += [["sv-benchmarks/c/", "property", *columns * 2]]
    for task in ("a.yml", "b.yml"):
        ends = [["true", "correct", "1.5", "100", "h"], ["TIMEOUT (true)", "error", "900", "100", "h"]]
        lines.append([task, "unreach", *ends[0], *ends[1]])
    return "".join("\t".join(line) + "\n" for line in lines)


def _go_json() -> str:
    text = "goos: linux\ncpu: X\npkg: p/a\nBenchmarkSort/n=64-2 \t 2000\t 522.2 ns/op\nok\n"
    events = [{"Action": "output", "Package": "p/a", "Output": f"{line}\n"} for line in text.splitlines()]
    return "".join(json.dumps(event, separators=(",", ":")) + "\n" for event in events)


def _trec_eval() -> str:
    lines = [f"{name}\t{query}\t0.{query}\n" for query in range(301, 305) for name in ("map", "P_10")]
    return "".join([*lines, "runid                 \tall\tSTANDARD\n", "map                   \tall\t0.3\n"])


RESULTS = {
    "pyperf.json": _pyperf,
    "js.json": _js_framework,
    "benchexec.csv": _benchexec,
    "go.json": _go_json,
    "trec.eval": _trec_eval,
    **{name: partial(written, 1.0) for name, written in ONE_PROCESS.items()},
}
"""Formats of which there is no sample that their program wrote."""
ASLIB = {
    "description.txt": "scenario_id: x\nperformance_measures:\n- runtime\nmaximize:\n- false\n",
    "algorithm_runs.arff": "@RELATION ALGORITHM_RUNS\n\n@ATTRIBUTE instance_id STRING\n@ATTRIBUTE repetition NUMERIC\n"
    "@ATTRIBUTE algorithm STRING\n@ATTRIBUTE runtime NUMERIC\n@ATTRIBUTE runstatus {ok, timeout, memout}\n\n@DATA\n"
    "'a, 1.cnf',1,lingeling,12.5,ok\n'a, 1.cnf',1,kissat,5000,timeout\n"
    "b.cnf,1,lingeling,?,memout\nb.cnf,1,kissat,3,ok\n",
}


def sources(folder: Path) -> list[tuple[str, Path, Path]]:
    """Kind, what is read (a file or a folder), and the file of it that is changed."""
    found = []
    for top in sorted(SAMPLES.iterdir()):
        files = sorted(path for path in (top.rglob("*") if top.is_dir() else [top]) if path.is_file())
        logs = top.name in ("coco", "ioh")
        found += [("logs" if logs else "results", top if top.is_dir() else path, path) for path in files]
    folder.mkdir(parents=True, exist_ok=True)
    for kind, texts in (("table", TABLES), ("battles", BATTLES), ("experiment", {"e.toml": EXPERIMENT})):
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
            found.append((kind, folder / name, folder / name))
    report = folder / "report.json"
    bo.compare(bo.read_scores(folder / "wide.csv", "lower")).save(report)
    found.append(("report", report, report))
    found += [*_made_results(folder), *_many_tables(folder), *_protocols(folder), *_optional_tables(folder)]
    baselines = folder / "baselines.json"
    update_baseline(baselines, of_paths([str(SAMPLES / "hyperfine.json")], Reading("new")))
    return [*found, ("baselines", baselines, baselines)]


def _made_results(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    for name, made in RESULTS.items():
        (folder / name).write_text(made(), encoding="utf-8")
        yield "results", folder / name, folder / name
    scenario = folder / "aslib"
    scenario.mkdir()
    for name, text in ASLIB.items():
        (scenario / name).write_text(text, encoding="utf-8")
        yield "results", scenario, scenario / name


def _many_tables(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """A folder of tables of one algorithm each, and archives of it."""
    several = folder / "several"
    several.mkdir()
    for at, name in enumerate(("new.csv", "old.csv", "older.csv")):
        (several / name).write_text("problem,score\n" + "".join(f"p{i},{i / (7 + at)}\n" for i in range(20)))
        yield "tables", several, several / name
    files = sorted(several.iterdir())
    with zipfile.ZipFile(folder / "t.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for path in files:
            packed.write(path, path.name)
    yield "tables", folder / "t.zip", folder / "t.zip"
    for how in ("", "gz", "bz2", "xz"):
        archive = folder / f"t.tar{how and '.'}{how}"
        with tarfile.open(archive, f"w:{how}") as tar:  # type: ignore[call-overload]
            for path in files:
                tar.add(path, path.name)
        yield "tables", archive, archive


def _protocols(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """One to be sealed, a sealed one, and a page with the protocol of what it says."""
    planned, sealed, page = folder / "protocol.toml", folder / "protocol.json", folder / "report.html"
    planned.write_text(PROTOCOL, encoding="utf-8")
    found = read_protocol(planned, sealed=False)
    sealed.write_text(found.sealed(), encoding="utf-8")
    bo.compare(bo.read_scores(folder / "wide.csv", "lower")).save(page)
    yield from (("plan", planned, planned), ("protocol", sealed, sealed), ("report", page, page))


def _optional_tables(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """Workbooks and Parquet, where the packages are there that write them."""
    with contextlib.suppress(ImportError):
        import openpyxl

        book = openpyxl.Workbook()
        for row in (["problem", "new", "old"], *([f"p{i}", i / 7, i + 1] for i in range(20))):
            book.active.append(row)
        book.save(folder / "book.xlsx")
        yield "table", folder / "book.xlsx", folder / "book.xlsx"
    with contextlib.suppress(ImportError):
        import pyarrow
        from pyarrow import parquet

        columns = {"problem": [f"p{i}" for i in range(20)], "new": [i / 7 for i in range(20)], "old": [1.5] * 20}
        parquet.write_table(pyarrow.table(columns), folder / "t.parquet")
        yield "table", folder / "t.parquet", folder / "t.parquet"
