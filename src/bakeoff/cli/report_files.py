"""The files of ``--report``: where they go, and which part of the result they hold."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from bakeoff.errors import MissingPackageError, ParameterError

if TYPE_CHECKING:
    from bakeoff.reportable import Reportable

_PART = re.compile(r"scores(-ranks)?(-percent)?(-\d)?")  # the table of scores, how it is printed, its decimals
WHOLE = "report"


class ReportFile(NamedTuple):
    """``part`` is the table of scores, such as ``scores-percent-1``, or empty: what the suffix says."""

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
            raise ParameterError(f"--report {path!r}: there is no figure of {_words(part)}; write .tex or .html")
        for source in (each for source_group in inputs for each in getattr(source_group, "paths", (source_group,))):
            if _same_file(targets[-1].path, Path(source)):
                raise ParameterError(f"--report {name!r} is {str(source)!r} itself, which it would overwrite")
    return targets


def _part_of(text: str) -> tuple[str, str]:
    """The part and the path: of ``scores:table1.tex``, of ``scores.tex``, of ``report:scores.tex``."""
    part, colon, path = text.partition(":")
    if colon and path and (part == WHOLE or _PART.fullmatch(part)):
        return ("" if part == WHOLE else part), path
    target = Path(text)
    named = re.fullmatch(r"scores(-ranks)?(-percent(-\d)?)?", target.stem)  # scores-2.html may be a second report
    return (target.stem if named and target.suffix.lower() not in _pictures() else ""), text


def _pictures() -> list[str]:
    from bakeoff.report.formats import PICTURES

    return [f".{name}" for name in PICTURES]


def _same_file(target: Path, source: Path) -> bool:
    """Also where one of them does not exist yet."""
    if target.exists() and source.exists():
        return os.path.samefile(target, source)
    return os.path.realpath(target) == os.path.realpath(source)  # resolve() fails on a loop of links


def part_of(result: Any, part: str) -> Reportable:
    """The content of a file of this part."""
    if not part:
        whole: Reportable = result
        return whole
    from bakeoff.analyses.compare.statistics import score_table

    match = _PART.fullmatch(part)
    assert match
    ranks, percent, decimals = match.groups()
    return score_table(
        result.scores,
        control=getattr(result, "control", None),
        ranks=ranks is not None,
        percent=percent is not None,
        decimals=None if decimals is None else int(decimals[1:]),
    )


def _words(part: str) -> str:
    return f"the table of scores{' with ranks' if '-ranks' in part else ''}"


def written_line(target: ReportFile) -> str:
    """A line for the terminal."""
    return f"Written: {target.path}" + (f" ({_words(target.part)})" if target.part else "")
