"""Write docs/atlas.md: published tables of results, judged again.

python docs/generate/atlas.py                writes the page from docs/atlas.json
python docs/generate/atlas.py --check        exits 1 if it is not current
python docs/generate/atlas.py --tables DIR   judges the tables in DIR anew; they are not in the repository
"""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
import sys
import tarfile
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import atlas_page
import page_command
from atlas_tables import TABLES, TIREX_WINS, TOP_GROUP, Table
from click.testing import CliRunner

from bakeoff.cli import main
from bakeoff.errors import caution_name

ROOT = Path(__file__).resolve().parents[2]
PAGE, STORED = ROOT / "docs" / "atlas.md", ROOT / "docs" / "atlas.json"
NEIGHBOURS = 5
"""Of the first five by mean rank, each beside the next: whoever plans compares with such."""

Answer = dict[str, Any]


def answer(command: str, table: Table, folder: Path, *more: str) -> Answer:
    """What the command line answers, which is what the page prints."""
    arguments = [command, str(folder / table.file), *table.options, *more, "--json"]
    done = CliRunner().invoke(main, arguments)
    if done.exit_code:
        sys.exit(f"bakeoff {' '.join(arguments)}: {done.stderr}")
    found: Answer = json.loads(done.stdout)
    return found


def judged(found: Answer) -> Answer:
    """First place, who is not shown to differ from it, and what the report warns of."""
    ranks = found["mean_ranks"]
    first = min(ranks, key=ranks.__getitem__)
    own = [pair for pair in found["pairs"] if first in (pair["a"], pair["b"])]
    level = {a for pair in own for a in (pair["a"], pair["b"]) if not pair["verdict"].endswith("better")} - {first}
    return {
        "first": first,
        "mean_rank": round(ranks[first], 3),
        "level": sorted(level, key=lambda name: (ranks[name], name)),
        "pairs": len(found["pairs"]),
        "shown": sum(pair["verdict"].endswith("better") for pair in found["pairs"]),
        "reachable": all(pair["verdict"] != "cannot tell" for pair in found["pairs"]),
        "cautions": [
            caution_name(caution["code"], caution["object"])
            for caution in found["cautions"]
            if caution["severity"] != "note"
        ],
    }


def solid(found: Answer) -> Answer | None:
    """Of the differences shown: how many survive other analyses, each problem left out, and a second experiment."""
    shown = [pair for pair in found["pairs"] if pair["verdict"].endswith("better")]
    if not shown:
        return None
    again = [pair["replicability"]["estimate"] for pair in shown]
    return {
        "shown": len(shown),
        "under_all": sum(set(pair["analyses"].values()) == {pair["verdict"]} for pair in shown),
        "analyses": len(found["analyses"]),
        "without_any": sum(not pair["flips_without"] for pair in shown),
        "again": [round(min(again), 2), round(max(again), 2)],
    }


def cells(found: Answer) -> list[list[float]]:
    """Means of the runs of each cell, a row per problem."""
    scores = found["scores"]
    if "values" in scores:
        rows: list[list[float]] = scores["values"]
        return rows
    return [[statistics.fmean(x for x in runs if x is not None) for runs in row] for row in scores["runs"]]


def deviations(found: Answer, table: Table) -> list[float]:
    """Standard deviation over problems of the difference of each of the first five to the next."""
    ranks, names = found["mean_ranks"], found["scores"]["algorithms"]
    order = [names.index(name) for name in sorted(names, key=ranks.__getitem__)[:NEIGHBOURS]]
    rows = [
        [math.log(row[j]) if table.log else row[j] * table.scale for j in order]
        for row in cells(found)
        if not table.log or min(row[j] for j in order) > 0
    ]
    return [statistics.stdev(row[j] - row[j + 1] for row in rows) for j in range(len(order) - 1)]


def measured(table: Table, folder: Path) -> Answer:
    plain = answer("compare", table, folder)
    more = () if table.cluster is None else ("--cluster", table.cluster)
    entry: Answer = {
        "problems": plain["n_problems"],
        "algorithms": plain["n_algorithms"],
        "better": plain["better"],
        "plain": judged(plain),
    }
    if table.cluster is not None:
        clustered = answer("compare", table, folder, *more)
        entry["clusters"] = len(set(clustered["scores"]["clusters"]))
        entry["clustered"] = judged(clustered)
    enough = entry["algorithms"] <= 25 and entry.get("clustered", entry["plain"])["shown"]
    entry["solid"] = solid(answer("sensitivity", table, folder, *more)) if enough else None
    if table.kind:
        entry["deviations"] = [float(f"{x:.3g}") for x in deviations(plain, table)]
    return entry


def tirex_wins(folder: Path) -> dict[str, float]:
    """Shares of tasks that TiRex wins, from the files of fev-bench by the rules of its leaderboard."""
    error: dict[str, dict[str, float]] = defaultdict(dict)
    seen: dict[str, set[str]] = defaultdict(set)
    with tarfile.open(folder / TABLES["fev"].file) as archive:
        for member in archive:
            if member.name.endswith(".csv") and (file := archive.extractfile(member)) is not None:
                for row in csv.DictReader(io.TextIOWrapper(file, encoding="utf-8")):
                    if row["test_error"]:
                        error[row["model_name"]][row["task_name"]] = float(row["test_error"])
                    if row["trained_on_this_dataset"] == "True":
                        seen[row["model_name"]].add(row["task_name"])
    tasks = sorted(error["Seasonal Naive"])

    def of(model: str) -> list[float]:
        usual = error["Seasonal Naive"] | error[model]
        return [error["Chronos-Bolt"][task] if task in seen[model] else usual[task] for task in tasks]

    ours = of("TiRex")
    found = {}
    for other in TIREX_WINS:
        wins = [(x < y) + (x == y) / 2 for x, y in zip(ours, of(other), strict=True)]
        found[other] = round(sum(wins) / len(wins), 6)
    return found


def measure(folder: Path) -> None:
    entries = {}
    for name, table in TABLES.items():
        entries[name] = measured(table, folder)
        sys.stderr.write(f"{name}\n")
    top = entries["bakeoff"]["plain"]
    means = answer("compare", replace(TABLES["amlb"], options=("--metric", "result", "--missing", "drop")), folder)
    stored = {
        "tables": entries,
        "tirex": tirex_wins(folder),
        "amlb": {"problems": means["n_problems"], "ranks": {n: round(r, 3) for n, r in means["mean_ranks"].items()}},
        "top_group_agrees": {top["first"], *top["level"]} == TOP_GROUP,
    }
    STORED.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def files() -> dict[Path, str]:
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return {PAGE: page_command.filled(PAGE, atlas_page.parts(stored))}


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] == ["--tables"] and len(given) == 2 and Path(given[1]).is_dir():
        measure(Path(given[1]))
        given = []
    if given not in ([], ["--check"]):
        sys.stderr.write("usage: python docs/generate/atlas.py [--check | --tables DIR]\n")
        sys.exit(2)
    sys.exit(page_command.run(given, "docs/generate/atlas.py", files))
