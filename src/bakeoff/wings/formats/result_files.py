"""Questions of a command about files: did another program write them, and which scores are in them?

The extension point ``formats`` of the core (``inputs``).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats import FORMATS as FORMATS

if TYPE_CHECKING:
    from bakeoff.scores import Better, CellSummary, Scores
    from bakeoff.wings.formats.measurement import Format
    from bakeoff.wings.formats.measurements import Measurements
    from bakeoff.wings.formats.source_file import SourceFile

_CHOSEN = ("metric", "problem", "algorithm", "run", "cluster")
OF_RESULTS = (*_CHOSEN, "missing", "only", "drop", "cell")
"""The options of reading that files of other programs have."""
_EVALUATIONS, _SOLVERS = ("lm-eval", "inspect", "helm", "mteb"), ("aslib", "benchexec")
_FIRST = dict.fromkeys(_EVALUATIONS, "evaluate") | dict.fromkeys(_SOLVERS, "runtimes")
"""The command of a format, if it is not compare."""
_BUILDS = ("pyperf", "criterion", "asv", "bakeoff-time")


def recognised_name(file: str) -> str | None:
    """The name of the format of one file, by its signature."""
    from bakeoff.wings.formats.formats import recognised
    from bakeoff.wings.formats.source_file import SourceFile

    form = recognised(SourceFile(file))
    return None if form is None else form.name


def hold_tables(files: Sequence[str], labels: Mapping[str, str] | None, suffixes: tuple[str, ...]) -> bool:
    """Is none of the files of another program, and one a table by its suffix? Then they are parts of one table."""
    from bakeoff.wings.formats.formats import recognised
    from bakeoff.wings.formats.sources import source_files

    sources = source_files([name for name in files if name != "-"] or None, labels)
    return not any(map(recognised, sources)) and any(
        each.path.lower().removesuffix(".gz").endswith(suffixes) for each in sources
    )


def format_of(file: str) -> Format:
    """The format of what another program wrote, a file or a folder of files."""
    from bakeoff.wings.formats.formats import format_of_files
    from bakeoff.wings.formats.sources import source_files

    return format_of_files(source_files([file], None))[0]


def logs_of_runs(files: Sequence[str], labels: Mapping[str, str] | None, format: str | None) -> list[SourceFile]:
    """The logs, if these are of whole runs (COCO, IOHprofiler); else nothing."""
    from bakeoff.wings.formats.formats import format_of_files
    from bakeoff.wings.formats.sources import source_files

    of, own = format_of_files(source_files(list(files) or None, labels), format or "auto")
    return own if of.curves is not None else []


def are_maximised(logs: Sequence[SourceFile]) -> bool:
    """Does a log of whole runs say that its function is maximised?"""
    return any(re.search(r'"maximization"\s*:\s*true', each.text_head) for each in logs)


def scores_in(
    files: Sequence[str], file: str, better: str | None, choices: Mapping[str, Any], reading: Mapping[str, Any]
) -> Scores:
    """The scores of what another program wrote; ``choices``: its format, and the labels of files."""
    from bakeoff.cli.sources import typed
    from bakeoff.wings.formats._read_results import results_scores
    from bakeoff.wings.formats.measurement import Choices

    if of_tables := [name for name in reading if name not in OF_RESULTS]:
        names = ", ".join(map(typed, of_tables))
        raise ParameterError(f"{names}: {file!r} is another program's file, not a table; leave it out")
    read = results_scores(
        list(files) or None,
        choices.get("format") or "auto",
        cast("Better | None", better),
        label=choices.get("label"),
        choices=Choices(**{name: reading.get(name) for name in _CHOSEN}, better=cast(Any, better)),
        **{name: reading[name] for name in ("missing", "only", "drop") if name in reading},
    )
    return read if reading.get("cell") is None else read.summarised(cast("CellSummary", reading["cell"]))


def is_own_storage(file: str) -> bool:
    """Is it Optuna's? Its storage has the suffix of a store of runs."""
    from bakeoff.wings.formats.optuna import recognise
    from bakeoff.wings.formats.source_file import SourceFile

    try:
        return os.path.isfile(file) and recognise(SourceFile(file))
    except ReadingError:
        return False


_ANSWERS = {
    "curves": "from which budget to which is one better?",
    "evaluate": "which model answers more questions right?",
    "runtimes": "which solver is faster, timeouts included?",
    "compare": "which is better?",
    "check": "is a new build worse?",
}
"""What a command says of another program's files."""


def first_command(rows: Measurements, file: str) -> tuple[str, ...]:
    """What to type for measurements of this kind."""
    if rows.run_kind == "answer":
        return "evaluate", file
    names = rows.algorithms.names
    if rows.unit == "s" and rows.run_kind in ("process", "iteration") and len(names) == 2:
        return "check", file, "--label", names[0], "--label", names[1], "--margin", "5%"
    return "runtimes" if rows.unit == "s" else "compare", file


def what_to_type(file: str) -> tuple[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Name another program's file, and the commands to type, each with what it answers."""
    from bakeoff.wings.formats.formats import ONE_FILE
    from bakeoff.wings.formats.measurements import read_measurements

    form = format_of(file)
    title = form.title if form.title.startswith("a ") else f"results of {form.title}"
    if form.name == "imported":
        first = first_command(read_measurements(file), file)
    else:
        first = ("curves" if form.curves is not None else _FIRST.get(form.name, "compare"), file)
    typed = [first, ("compare", file)] if first[0] != "compare" else [first]
    if form.name in (*ONE_FILE, *_BUILDS):
        typed.append(("check", file, "NEW", "--margin", "5%"))
    return title, tuple((words, _ANSWERS[words[0]]) for words in typed)
