"""Tables of BenchExec's table-generator: three lines above the rows say tool, run set and column."""

import csv
import math
import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bakeoff.errors import ReadingError
from bakeoff.reading.number_parsing import NotANumber, parsed_number
from bakeoff.scores import Better
from bakeoff.scores.runs import status_word
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, part_name, status_of
from bakeoff.wings.formats.source_file import SourceFile, written_as

SOLVED = re.compile(r"(true|false|done)\b", re.IGNORECASE)


class _Columns(NamedTuple):
    """Columns of one tool on one run set: name -> place."""

    algorithm: str
    at: dict[str, int]


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the task, with what else names it; algorithm: the tool, with the run set where a tool has several.

    A run is solved where its category is correct, or, without categories, where the status is true, false or done.
    """
    for file in files:
        with file.text() as text:
            lines = csv.reader(text, delimiter="\t")
            head = [next(lines, []) for _ in range(3)]
            names, groups = _groups(file, *head)
            origin = Origin(file.path, "BenchExec")
            for number, row in enumerate(lines, 4):
                if not any(row):
                    continue
                if len(row) != len(head[2]):
                    raise ReadingError(f"{file.path}, line {number}: {len(row)} fields for {len(head[2])} columns")
                problem = part_name(*(text.strip() for text in row[:names]))
                for group in groups:
                    ended = _ended(group, row)
                    for metric, place in group.at.items():
                        if metric in ("status", "category"):
                            continue
                        score = _number(file, number, metric, row[place])
                        score, status = (score, status_of(score)) if ended == "ok" else (math.nan, ended)
                        better: Better | None = "lower" if re.search("time|memory|energy", metric) else None
                        unit = "s" if "time" in metric else None
                        of_run = partial(Measurement, unit=unit, status=status, origin=origin)
                        yield of_run(problem, group.algorithm, score, metric, better)


def _groups(
    file: SourceFile, tools: Sequence[str], sets: Sequence[str], columns: Sequence[str]
) -> tuple[int, list[_Columns]]:
    """Count the columns that name the task, and list what follows them for each tool and run set."""
    if not len(tools) == len(sets) == len(columns):
        raise ReadingError(f"{file.path}: the three lines of its head must have the same number of columns")
    first = next((j for j in range(1, len(tools)) if tools[j].strip()), len(tools))
    groups: list[tuple[str, str, dict[str, int]]] = []
    for j in range(first, len(columns)):
        tool, run_set = tools[j].strip(), sets[j].strip()
        name = re.sub(r"\s*\((s|MB|B|J)\)$", "", columns[j].strip())
        if not groups or groups[-1][:2] != (tool, run_set) or name in groups[-1][2]:
            groups.append((tool, run_set, {}))
        groups[-1][2][name] = j
    several = len({tool for tool, _, _ in groups}) < len(groups)
    return first, [_Columns(f"{tool} {run_set}" if several else tool, at) for tool, run_set, at in groups]


def _ended(group: _Columns, row: Sequence[str]) -> str:
    status = row[group.at["status"]].strip() if "status" in group.at else ""
    if "category" in group.at:
        category = row[group.at["category"]].strip().lower()
        if category == "wrong":
            return f"wrong: {status}" if status else "wrong"
        return "ok" if category == "correct" else _failure(status)
    return "ok" if SOLVED.match(status) else _failure(status)


def _failure(status: str) -> str:
    """TIMEOUT (true): what was found after the limit does not count."""
    word = status_word(re.sub(r"\s*\(.*\)$", "", status))
    return word if word not in ("", "ok") else "unsolved"


def _number(file: SourceFile, number: int, metric: str, text: str) -> float:
    try:
        return parsed_number(re.sub(r"\s*[a-zA-Z]+$", "", text.strip()) if re.match(r"[\d.]", text.strip()) else text)
    except NotANumber as error:
        if metric.endswith("time"):
            raise ReadingError(f"{file.path}, line {number}, {metric}: {error}") from None
        return math.nan  # a column of text, such as the host


recognise = written_as(r"tool\t[^\n]*\nrun ?set\t")
FORMAT = Format("benchexec", "BenchExec", recognise, read, default_metric="cputime", takes=())
