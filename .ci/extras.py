"""Does what each extra is for answer, in an environment with the wheel and its extras alone? Run by .ci/run."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import urllib.request
from importlib.metadata import distribution
from pathlib import Path

import bakeoff as bo

PROGRAM = [str(Path(sys.executable).with_name("bakeoff"))]
ROOT, PLACE = Path(__file__).parents[1], Path(bo.__file__).parent


def bakeoff(*words: str) -> str:
    return subprocess.run([*PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def steady(problem: float, rng: object) -> float:
    return problem + float(rng.normal())  # type: ignore[attr-defined]


def fast(folder: Path) -> None:
    """Compiled twins: nine algorithms by Bergmann and Hommel's procedure."""
    from bakeoff.ranks import rank_compiled

    assert type(rank_compiled).__name__ == "module"


def excel(folder: Path) -> None:
    """A workbook is written and read."""
    scores = bo.datasets.load("demsar_2006")
    bo.score_table(scores).save(folder / "scores.xlsx")
    assert (folder / "scores.xlsx").read_bytes()[:2] == b"PK"
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["problem", *scores.algorithms])
    for name, row in zip(scores.problems, scores.values.tolist(), strict=True):
        book.active.append([name, *row])
    book.save(folder / "table.xlsx")
    assert (bo.read_scores(folder / "table.xlsx", better="higher").values == scores.values).all()


def inspect(folder: Path) -> None:
    """A log that Inspect compressed by Zstandard is read."""
    (log,) = (ROOT / "tests" / "oracles" / "data" / "formats" / "inspect").glob("*.eval")
    assert bo.read_results({"a": log, "b": log}).algorithms == ("a", "b")


def cluster(folder: Path) -> None:
    """Runs on a cluster of this machine are those of one process."""
    experiment = bo.Experiment({"a": steady, "b": steady}, {"p": 1.0, "q": 2.0}, better="lower", seed=1)
    alone = bo.run(experiment, executor="serial")
    assert bo.run(experiment, executor="dask", workers=1).digest == alone.digest


def web(folder: Path) -> None:
    """The local page answers."""
    assert "Usage: bakeoff serve" in bakeoff("serve", "--help")
    command = [*PROGRAM, "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[-1]
            visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            with visitor.open(address, timeout=30) as page:
                assert b"<html" in page.read()
        finally:
            server.terminate()


def whole(folder: Path) -> None:
    """The program, its data, schemas and manual."""
    table = str(PLACE / "datasets" / "demsar_2006.csv")
    assert "C4.5" in bakeoff("compare", table, "--better", "higher", "--report", str(folder / "r.html"))
    assert json.loads(bakeoff("schema", "compare"))["title"]
    files = {file.name for file in distribution("bakeoff").files or ()}
    assert {"bakeoff.1", "bakeoff-compare.1", "py.typed"} <= files


if __name__ == "__main__":
    assert "site-packages" in str(PLACE), f"bakeoff is imported from {PLACE}, not from the wheel"
    for check in (whole, fast, excel, inspect, cluster, web):
        with tempfile.TemporaryDirectory() as name:
            check(Path(name))
        sys.stdout.write(f"{check.__name__}: ok\n")
