"""docs/how-to/check.md: its first example is what the program prints, for files that this test writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from bakeoff.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "check.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the pages are in the repository only")


def processes(folder: Path) -> None:
    """Ten pairs of hyperfine --runs 1: a host that wanders, processes that differ by 1 %, one command 12 % slower."""
    rng = np.random.default_rng(12)
    for i in range(1, 11):
        host = float(np.exp(rng.normal(0, 0.05)))
        for side in ("base", "new"):
            results = [
                {
                    "command": name,
                    "times": [seconds * host * float(np.exp(rng.normal(0, 0.01))) * (1.12 if slower else 1.0)],
                    "exit_codes": [0],
                }
                for name, seconds in (("sort", 0.2), ("parse", 0.5), ("render", 0.3))
                for slower in [name == "parse" and side == "new"]
            ]
            path = folder / side / f"{i}.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps({"results": results}))


def test_the_first_example_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    processes(tmp_path)
    page = PAGE.read_text(encoding="utf-8")
    (command,) = re.findall(r"^```console\n\$ bakeoff (.*)\n```$", page, re.MULTILINE)
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    done = CliRunner().invoke(main, command.split())
    assert done.exit_code == 1
    assert done.stdout.startswith(shown), done.stdout
    found = json.loads(CliRunner().invoke(main, [*command.split(), "--json"]).stdout)
    (row,) = [row for row in found["rows"] if row["verdict"] == "regressed"]
    low, high = (100 * end for end in row["interval"])
    assert (
        f"takes {100 * row['effect']:.0f} % longer than before (99 % bounds {low:.1f} % and {high:.1f} %, ten"
        in " ".join(page.split())
    )
    assert [row["verdict"] for row in found["rows"]].count("ok") == 2
