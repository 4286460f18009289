"""The files of ``--report``: where they go, and which part of the result they hold."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bakeoff.errors import MissingPackageError, ParameterError

if TYPE_CHECKING:
    from bakeoff.reportable import Reportable

PARTS = {"scores": "the table of scores", "scores-ranks": "the table of scores with ranks"}
WHOLE = "report"


class ReportFile(NamedTuple):
    """``part`` is one of ``PARTS``, or empty: what the suffix says."""

    path: Path
    part: str = ""


def find_targets(paths: tuple[str, ...], *inputs: str | Path, parts: bool = False) -> list[ReportFile]:
    """Where reports go, checked before the work is done; never over an input.

    ``parts``: a file named after a part, or ``PART:FILE``, holds this part.
    """
    from bakeoff.report import check_path

    targets = []
    for path in dict.fromkeys(paths):
        part, name = _part_of(path) if parts else ("", path)
        try:
            targets.append(ReportFile(check_path(name), part))
        except MissingPackageError as error:
            raise MissingPackageError(f"--report {name}: {error}. Nothing was computed, no file was written") from None
        if part and targets[-1].path.suffix.lower() in _pictures():
            raise ParameterError(f"--report {path!r}: there is no picture of {PARTS[part]}; write .tex, .html or .xlsx")
        for source in (each for source_group in inputs for each in getattr(source_group, "paths", (source_group,))):
            if _same_file(targets[-1].path, Path(source)):
                raise ParameterError(f"--report {name!r} is {str(source)!r} itself, which it would overwrite")
    return targets


def _part_of(text: str) -> tuple[str, str]:
    """The part and the path: of ``scores:table1.tex``, of ``scores.tex``, of ``report:scores.tex``."""
    part, colon, path = text.partition(":")
    if colon and path and part in (*PARTS, WHOLE):
        return ("" if part == WHOLE else part), path
    target = Path(text)
    return (target.stem if target.stem in PARTS and target.suffix.lower() not in _pictures() else ""), text


def _pictures() -> list[str]:
    from bakeoff.report.formats import PICTURES

    return [f".{name}" for name in PICTURES]


def _same_file(target: Path, source: Path) -> bool:
    """Also where one of them does not exist yet."""
    if target.exists() and source.exists():
        return os.path.samefile(target, source)
    return os.path.realpath(target) == os.path.realpath(source)  # resolve() fails on a loop of links


def part_of(result: Any, part: str) -> Reportable:
    """What a file of this part holds."""
    if not part:
        whole: Reportable = result
        return whole
    from bakeoff.analyses.compare.statistics import score_table

    control = getattr(result, "control", None)
    return score_table(result.scores, control=control, ranks=part == "scores-ranks")


def written_line(target: ReportFile) -> str:
    """A line for the terminal."""
    return f"Written: {target.path}" + (f" ({PARTS[target.part]})" if target.part else "")
