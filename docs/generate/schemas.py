"""Write a JSON Schema for each kind of result from the result types, and the page about them.

A schema is in the folder ``schemas`` of the core, or of the wing that has the analysis.

python docs/generate/schemas.py           writes the files
python docs/generate/schemas.py --check   exits 1 if they are not current
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import page_command
import schema_experiment
import schema_kinds

from bakeoff.analyses import by_schema, folders
from bakeoff.cli.commands.lookup import schemas

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "bakeoff"
PAGE = ROOT / "docs" / "reference" / "schemas.md"


def file_name(schema: str) -> str:
    """``bakeoff.study-power/1``: study-power.json."""
    return schema.removeprefix("bakeoff.").removesuffix("/1") + ".json"


def place_of(name: str) -> Path:
    """Where the file is; that of a new analysis is in its wing."""
    stem = Path(name).stem
    if stem in schemas():
        return schemas()[stem]
    record = by_schema().get(f"bakeoff.{stem}/1")
    folder = next((folder for folder, records in folders().items() if record in records), "")
    parts = folder.split(".")[:2]
    return PACKAGE.joinpath(*(parts if parts[:1] == ["wings"] else []), "schemas", name)


def documents() -> dict[str, dict[str, Any]]:
    """By file name."""
    found = {file_name(report.name): report.document() for report in schema_kinds.ALL}
    silent = {name for report in schema_kinds.ALL for name in report.walker.undescribed}
    assert not silent, f"no description: {', '.join(sorted(silent))}"
    return found | {f"{schema_experiment.STEM}.json": schema_experiment.document()}


def table(known: dict[str, dict[str, Any]]) -> str:
    """A row per schema, for the page."""
    rows = []
    for name, document in sorted(known.items()):
        writer = document["$comment"].partition(". Generated")[0].removeprefix("Written by ")
        if name == f"{schema_experiment.STEM}.json":
            writer = "you, for `bakeoff run` and `bakeoff race`"
        link = (Path("../..") / place_of(name).relative_to(ROOT)).as_posix()
        rows.append([f"[`{Path(name).stem}`]({link})", document["title"], writer])
    return page_command.table(["KIND", "what it is", "written by"], rows, None)


def files() -> dict[Path, str]:
    known = documents()
    written = {
        place_of(name): json.dumps(document, ensure_ascii=False, indent=1) + "\n" for name, document in known.items()
    }
    return written | {PAGE: page_command.filled(PAGE, {"kinds": table(known)})}


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/schemas.py", files))
