"""Write what the README shows: the terminal's page of a shipped table, and autorank's answers to the shipped tables.

    python docs/generate/readme.py             writes it; autorank's numbers are computed if it is installed
    python docs/generate/readme.py --check     exits 1 if the README shows anything else

Of another version of autorank than the README names, --check compares our own numbers alone.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import importlib.util
import io
import itertools
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import page_command
import pandas
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

ROOT = Path(__file__).resolve().parents[2]
README, DATASETS = ROOT / "README.md", ROOT / "src" / "bakeoff" / "datasets"
SHOWN = "demsar_2006"
TABLES = (SHOWN, "garcia_2010", "derrac_cec2005")
TESTS = {"tukeyhsd": "Tukey's HSD", "nemenyi": "Nemenyi"}


def screen() -> str:
    """What the README's first command prints."""
    command = ["compare", str((DATASETS / f"{SHOWN}.csv").relative_to(ROOT)), "--better", "higher"]
    with contextlib.chdir(ROOT):
        done = CliRunner().invoke(main, command, env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert done.exit_code == 0, done.output
    page = done.stdout.partition("\nDifference: ")[0]  # legend, power and cautions follow
    return f"```console\n$ bakeoff {' '.join(command)}\n{page}\n…\n```\n"


def version() -> str:
    """Of autorank; empty if it is not installed."""
    installed = importlib.util.find_spec("autorank") is not None
    return importlib.metadata.version("autorank") if installed else ""


def theirs(name: str) -> tuple[str, str]:
    """How many pairs autorank declares different, by which test, and its last sentence."""
    from autorank import autorank, create_report

    scores = bo.datasets.load(name)
    frame = pandas.DataFrame(scores.values, columns=list(scores.algorithms))
    order = "ascending" if scores.better == "lower" else "descending"
    said = io.StringIO()
    with warnings.catch_warnings(), contextlib.redirect_stdout(said):
        warnings.simplefilter("ignore")
        result = autorank(frame, alpha=0.05, verbose=False, order=order)
        create_report(result)
    pairs = list(itertools.combinations(result.rankdf.index, 2))
    differ = sum(_differ(result, a, b) for a, b in pairs)
    last = next(line for line in said.getvalue().splitlines() if line.startswith("Based "))
    return f"{differ} of {len(pairs)} ({TESTS[result.posthoc]})", last.split(" All other")[0]


def _differ(result: Any, a: str, b: str) -> bool:
    """As its report decides: ranks further apart than the critical distance, or intervals that do not overlap."""
    table = result.rankdf
    if result.posthoc == "nemenyi":
        return abs(float(table.meanrank[a]) - float(table.meanrank[b])) > float(result.cd)
    low, high = sorted((a, b), key=lambda name: float(table["mean"][name]))
    return float(table.ci_upper[low]) < float(table.ci_lower[high])


def ours(name: str) -> str:
    pairs = bo.compare(bo.datasets.load(name)).pairs
    return f"{sum(pair.verdict in ('a better', 'b better') for pair in pairs)} of {len(pairs)}"


def parts() -> dict[str, object]:
    """Of autorank only where this environment has the version that the README names, or is to write another one."""
    found: dict[str, object] = {"screen": screen()}
    named = re.search(r"autorank ([\d.]+): pairs that differ", README.read_text(encoding="utf-8"))
    known = version()
    if not known or (sys.argv[1:] == ["--check"] and named is not None and known != named[1]):
        return found
    answers = {name: theirs(name) for name in TABLES}
    rows = [f"| `{name}` | {answers[name][0]} | {ours(name)} |\n" for name in TABLES]
    head = f"| shipped table | autorank {known}: pairs that differ | bakeoff |\n|---|---|---|\n"
    return found | {"sentence": f"\n> {answers[SHOWN][1]}\n", "pairs": f"\n{head}{''.join(rows)}"}


def files() -> dict[Path, str]:
    return {README: page_command.filled(README, parts())}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/readme.py", files))
