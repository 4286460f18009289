"""The way of a table through the package: the files in which functions receive ``Scores``, as a call is made."""

from __future__ import annotations

import itertools
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from bakeoff.scores import Scores
from sources import SRC

ANALYSES = "report"  # an analysis stands below figures and above protocols, beside what writes its report


@dataclass(frozen=True, slots=True)
class Walk:
    """Files below ``src/bakeoff`` in the order in which they are entered, none twice in a row."""

    files: tuple[str, ...]

    @property
    def steps(self) -> int:
        return len(self.files) - 1

    @property
    def back_up(self) -> int:
        """Steps into a file above, by the layers of ``pyproject.toml``."""
        floors = [floor_of(file) for file in self.files]
        return sum(there > here for here, there in itertools.pairwise(floors))


def layers() -> dict[str, int]:
    """{room: its floor}, the ground is 1."""
    project = tomllib.loads((SRC.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    rows = project["tool"]["importlinter"]["contracts"][0]["layers"]
    return {room.strip(): floor for floor, row in enumerate(reversed(rows), 1) for room in row.split(":")}


FLOORS = layers()


def floor_of(file: str) -> int:
    room = file.split("/")[0].removesuffix(".py")
    return FLOORS[ANALYSES if room in ("analyses", "wings") else room]


def walk(call: Callable[[], object]) -> Walk:
    """The second of two calls, since the first also imports. Methods of ``Scores`` are not counted."""
    files: list[str] = []
    root = f"{SRC}/"

    def entered(frame: FrameType, event: str, argument: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and receives(code, frame.f_locals):
            file = code.co_filename.removeprefix(root)
            if files[-1:] != [file]:
                files.append(file)

    call()
    sys.setprofile(entered)
    try:
        call()
    finally:
        sys.setprofile(None)
    return Walk(tuple(files))


def receives(code: CodeType, values: dict[str, Any]) -> bool:
    """Is one of its arguments a table? A table itself receives none."""
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if names[:1] == ("self",) and isinstance(values.get("self"), Scores):
        return False
    return any(isinstance(values.get(name), Scores) for name in names)
