"""Write what the README shows: badges, the terminal's page of a shipped table, and autorank's answers to three tables.

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
import tomllib
import warnings
from pathlib import Path
from typing import Any

import page_command
import pandas
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.figures.geometry.metrics import text_width

ROOT = Path(__file__).resolve().parents[2]
README, DATASETS = ROOT / "README.md", ROOT / "src" / "bakeoff" / "datasets"
BADGES = ROOT / "docs" / "figures"
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


def facts() -> dict[str, str]:
    """What the badges say, from the files that decide it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pythons = re.findall(r"Python :: (3\.\d+)", " ".join(project["classifiers"]))
    return {"version": bo.__version__, "Python": f"{pythons[0]}–{pythons[-1]}", "license": project["license"]}


def badge(term: str, value: str, height: float = 20.0) -> str:
    """A small picture of a term and its value, which needs no other server."""
    left, right = (text_width(text, 11.0) + 12.0 for text in (term, value))
    width = left + right
    texts = [(left / 2, term), (left + right / 2, value)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.1f}" height="{height:g}" role="img" '
        f'aria-label="{term}: {value}"><title>{term}: {value}</title>'
        f'<rect width="{left:.1f}" height="{height:g}" fill="#444"/>'
        f'<rect x="{left:.1f}" width="{right:.1f}" height="{height:g}" fill="#0b5394"/>'
        '<g fill="#fff" font-family="Helvetica, Arial, sans-serif" font-size="11" text-anchor="middle">'
        + "".join(f'<text x="{x:.1f}" y="14">{text}</text>' for x, text in texts)
        + "</g></svg>\n"
    )


def files() -> dict[Path, str]:
    badges = {term: BADGES / f"badge-{term.lower()}.svg" for term in facts()}
    pictures = {badges[term]: badge(term, value) for term, value in facts().items()}
    links = " ".join(f"![{term}]({path.relative_to(ROOT)})" for term, path in badges.items())
    return pictures | {README: page_command.filled(README, parts() | {"badges": f"\n{links}\n"})}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/readme.py", files))
