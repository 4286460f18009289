"""What a path names: a table, a store of runs, or files of another program; and the scores in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from bakeoff.errors import BakeoffError, ParameterError
from bakeoff.shipped import shipped
from bakeoff.wing import provided
from bakeoff.words import named_direction

if TYPE_CHECKING:
    from bakeoff.scores import Scores

SUFFIXES = (".sqlite", ".sqlite3", ".db")
"""The suffixes of stores of runs, which the wing *run* reads."""


def is_store(file: str) -> bool:
    """Is it a store of runs? The storage of another program may have the same suffix."""
    if os.path.splitext(file)[1].lower() not in SUFFIXES or provided("stores") is None:
        return False
    formats = provided("formats")
    return formats is None or not formats.is_own_storage(file)


PLAIN = (".csv", ".tsv", ".txt", ".parquet", ".xlsx")
"""Suffixes of tables: looked at as another program's file only if it is not one."""
TABLES = (*PLAIN, ".jsonl", ".ndjson", ".json")
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")


def may_hold_direction(file: str, options: Mapping[str, Any]) -> bool:
    """Is it a store of runs, a table that comes with bakeoff, or what another program wrote?"""
    return is_store(file) or shipped(file) is not None or foreign(file, options) or _recognised(file) is not None


def foreign(file: str, options: Mapping[str, Any]) -> bool:
    """Is it what another program wrote? A plain table is not looked into."""
    if options.get("format"):
        return True
    if _are_several(file, options):
        return not _are_tables(file, options)
    suffix = os.path.splitext(file.lower().removesuffix(".gz"))[1]
    return file != "-" and (suffix not in PLAIN or _imported(file)) and _recognised(file) is not None


def _are_several(file: str, options: Mapping[str, Any]) -> bool:
    """Is more than one file named: by labels, by paths, or by a folder or an archive?"""
    several = bool(options.get("label")) or len(getattr(file, "files", ())) > 1
    return several or os.path.isdir(file) or file.lower().endswith(ARCHIVES)


def _are_tables(file: str, options: Mapping[str, Any]) -> bool:
    """Is none of them of another program? Then they are parts of one table."""
    labels = options.get("label") or getattr(file, "labels", None)
    formats = provided("formats")
    return formats is None or formats.hold_tables(every_path(file), labels, TABLES)


def every_path(file: str) -> tuple[str, ...]:
    """All that FILE... names."""
    return getattr(file, "files", (file,))


def of_tables(file: str, labels: Mapping[str, str] | None) -> Any:
    """The one table, or all of its parts, as ``read_scores`` takes them."""
    files = every_path(file)
    if labels:
        return {os.path.splitext(os.path.basename(name))[0]: name for name in files} | dict(labels)
    return list(files) if len(files) > 1 else file


def _imported(file: str) -> bool:
    """Is it a table of ``bakeoff import``, whose columns say what the runs are? Its header is looked at."""
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as text:
        return b",run_kind," in text.readline(4096)


def _recognised(file: str) -> str | None:
    """The name of the format, by its signature."""
    formats = provided("formats") if os.path.isfile(file) else None
    name: str | None = None if formats is None else formats.recognised_name(file)
    return name


def format_of(file: str) -> Any:
    """The format of what another program wrote, a file or a folder of files; None for a table."""
    if not foreign(file, {}) and _recognised(file) is None:
        return None
    return provided("formats").format_of(file)


def scores_from(file: str, better: str | None, reading: dict[str, Any]) -> Scores:
    """The scores; ``reading``: options by the library's names."""
    from bakeoff.reading import read_scores

    of_results = {name: reading.pop(name, None) for name in ("format", "label")}
    if "truth" in reading:
        return scores_of_predictions(of_tables(file, of_results["label"]), better, reading)
    if foreign(file, of_results):
        return _results(file, better, of_results, reading)
    if is_store(file):
        design, reading = _apart(reading)
        scores: Scores = provided("stores").scores_in(file, better, reading)  # of the finished problems
        return _designed(scores, design)
    if better is None and (table := shipped(file)) is not None:
        better = table.better
    if better is None:  # its format says it, as it was recognised
        return _results(file, better, of_results, reading)
    try:
        source = of_tables(file, of_results["label"])
        return read_scores(source, cast(Any, better), **reading)
    except BakeoffError:
        if (
            isinstance(source, str)
            and file != "-"
            and _recognised(file) is not None
            and set(reading) <= {*provided("formats").OF_RESULTS, *OF_DESIGN}
        ):
            return _results(file, better, of_results, reading)
        raise


OF_PREDICTIONS = frozenset(
    (
        *("truth", "metric", "problem", "algorithm", "score", "cluster", "task", "weights", "missing"),
        *("only", "drop", "keep", "decimal", "sheet", "serial"),
    )
)
"""The options of reading that a table of predictions has."""


def scores_of_predictions(source: Any, better: str | None, reading: Mapping[str, Any]) -> Scores:
    """The scores of a table of predictions."""
    from bakeoff.predictions import read_predictions

    if strange := sorted(set(reading) - OF_PREDICTIONS):
        rule = f"does not go with a table of predictions (truth={reading['truth']!r}); leave it out"
        raise ParameterError(rule, parameter=strange[0])
    of_items = {"metric": None} | {name: value for name, value in reading.items() if name != "serial"}
    scores = read_predictions(source, **of_items, better=cast(Any, better))
    return scores.with_design(serial=True) if reading.get("serial") else scores


def _results(file: str, better: str | None, choices: Mapping[str, Any], reading: Mapping[str, Any]) -> Scores:
    formats = provided("formats")
    if formats is None:
        raise ParameterError("--format: this installation reads tables only, as it lacks the wing formats")
    design, reading = _apart(reading)
    scores: Scores = formats.scores_in(every_path(file), file, better, choices, reading)
    return _designed(scores, design)


OF_DESIGN = ("weights", "folds", "repeat", "test_fraction", "serial")
"""Options of reading that say what is known of scores that no table holds."""


def _apart(reading: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of the design, and the others."""
    design = {name: reading[name] for name in OF_DESIGN if reading.get(name) is not None}
    return design, {name: value for name, value in reading.items() if name not in OF_DESIGN}


def _designed(scores: Scores, design: Mapping[str, Any]) -> Scores:
    """The scores with what was said of their design; their runs are folds if that is said."""
    known = {name: value for name, value in design.items() if name in ("weights", "serial")}
    if len(design) > len(known):
        if "test_fraction" not in design:
            rule = "is needed where a program or a store holds the folds: 0.1 of ten-fold cross-validation"
            raise ParameterError(rule, parameter="test_fraction")
        known["folds"] = design["test_fraction"]
    return scores.with_design(**known) if known else scores


MOST_READ = 4_000_000
"""Bytes of a table that is read only to say what its scores are called."""


def likely_direction(source: Any, reading: Mapping[str, Any]) -> tuple[str, str]:
    """The direction that the name of a table's scores says, and the sentence that says why; "" if it says none."""
    from bakeoff.reading import read_scores

    reading = {**reading, "missing": "keep"}
    try:
        if not isinstance(source, str):
            metric = read_scores(source, "higher", **reading).metric
        elif source == "-" or sum(map(os.path.getsize, every_path(source))) > MOST_READ:
            return "", ""
        else:
            metric = scores_from(source, "higher", reading).metric
    except (BakeoffError, OSError, TypeError):  # what is wrong is said when the direction is known
        return "", ""
    direction = named_direction(metric) or ""
    return direction, f"{direction} is better, likely: the scores are called {metric}" if direction else ""
