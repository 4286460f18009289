"""The lowest versions that pyproject.toml declares, as pins for pip; ``--installed``: are these the installed ones?"""

import re
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

FRAMES = ("pandas", "polars", "pyarrow", "openpyxl")
"""What tables come in: of the extras ``web``, ``test`` and ``ci``."""


def pins() -> dict[str, str]:
    """Package -> lowest version: the dependencies, and the packages whose tables are read."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    tested = [each for name in ("web", "test", "ci") for each in extras[name] if each.startswith(FRAMES)]
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+)", each) for each in (*project["dependencies"], *tested)]
    return {match[1]: match[2] for match in found if match is not None}


def _short(version: str) -> str:
    """1.26.0 is 1.26."""
    return re.sub(r"(\.0)+$", "", version)


if __name__ == "__main__":
    if "--installed" in sys.argv:
        other = {name: version(name) for name, lowest in pins().items() if _short(version(name)) != _short(lowest)}
        sys.exit(f"not the lowest versions: {other}" if other else 0)
    print("\n".join(f"{name}=={lowest}" for name, lowest in pins().items()))
