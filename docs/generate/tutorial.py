"""Write what the commands of docs/start/tutorial.md and docs/trust/solid.md print, their diagrams and the README's.

    python docs/generate/tutorial.py            writes them
    python docs/generate/tutorial.py --check    exits 1 if what the commands print, or a diagram, has changed

A block ``console`` of a page that begins with ``$ bakeoff`` is followed by what that command prints; after ``…``
the rest is left out.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

import page_command
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.figures import to_svg
from bakeoff.reportable import Reportable

ROOT = Path(__file__).resolve().parents[2]
DATASETS = ROOT / "src" / "bakeoff" / "datasets"
PAGES = {"start/tutorial.md": DATASETS / "demsar_2006.csv", "trust/solid.md": DATASETS / "derrac_cec2005.csv"}
"""Each page, and the table that is its scores.csv."""
FIGURES = ROOT / "docs" / "figures"
TABLE = PAGES["start/tutorial.md"]
BLOCK = re.compile(r"^```console\n\$ (bakeoff [^\n]*)\n(?!\$)(.*?)^```$", re.MULTILINE | re.DOTALL)
REST = "…\n"


def printed(command: str, shown: str, table: Path) -> str:
    """What a command prints, with the table as scores.csv; as much as the page has."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            Path("scores.csv").write_bytes(table.read_bytes())
            done = CliRunner().invoke(main, shlex.split(command)[1:], env={"COLUMNS": "80", "NO_COLOR": "1"})
        finally:
            os.chdir(here)
    if done.exit_code:
        raise SystemExit(f"{command}: {done.output}")
    text = re.sub(r"^Written: .*\n", "", done.stdout, flags=re.MULTILINE).rstrip("\n") + "\n"
    if not shown.endswith(REST):
        return text
    lines = text.splitlines(keepends=True)
    return "".join(lines[: max(shown.count("\n") - 1, 1)]) + REST


def page(name: str) -> str:
    return BLOCK.sub(
        lambda found: (
            f"```console\n$ {found[1]}\n{printed(found[1], found[2], PAGES[name])}```" if found[2] else found[0]
        ),
        (ROOT / "docs" / name).read_text(encoding="utf-8"),
    )


def figures() -> dict[str, str]:
    scores = bo.read_scores(TABLE, better="higher")
    results: dict[str, Reportable] = {
        "tutorial-ranks.svg": bo.compare(scores),
        "tutorial-control.svg": bo.compare(scores, control="C4.5"),
        "tutorial-critical-difference.svg": bo.compare(scores, posthoc="nemenyi"),
        "tutorial-statements.svg": bo.bayes.overview(scores, rope=0.01),
    }
    nine = bo.read_scores(PAGES["trust/solid.md"], better="lower")
    results |= {"solid-control.svg": bo.sensitivity(nine, control="SaDE"), "solid-pairs.svg": bo.sensitivity(nine)}
    return {name: enlarged(to_svg(bo.diagram(result))) for name, result in results.items()}


def enlarged(svg: str) -> str:
    """Half as large again: a diagram is made for a column of a paper, a page on a screen is wider."""
    return re.sub(
        r'(?<= )(width|height)="([\d.]+)mm"', lambda size: f'{size[1]}="{1.5 * float(size[2]):g}mm"', svg, count=2
    )


def files() -> dict[Path, str]:
    return {
        **{ROOT / "docs" / name: page(name) for name in PAGES},
        **{FIGURES / name: text for name, text in figures().items()},
    }


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/tutorial.py", files))
