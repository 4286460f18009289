"""Stores of runs in place of a table of scores, recognised by suffix."""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.cautions import caution_of
from bakeoff.errors import ParameterError, ReadingError, ScoreError

if TYPE_CHECKING:
    from bakeoff.errors import Caution
    from bakeoff.running.store.contents import Contents
    from bakeoff.scores import Scores

SUFFIXES = (".sqlite", ".sqlite3", ".db")


def is_store(file: str) -> bool:
    return os.path.splitext(file)[1].lower() in SUFFIXES and not _is_optuna(file)


def _is_optuna(file: str) -> bool:
    """Its storage has the same suffixes."""
    if not os.path.isfile(file):
        return False
    from bakeoff.adapters.optuna import recognise
    from bakeoff.adapters.source_file import SourceFile

    try:
        return recognise(SourceFile(file))
    except ReadingError:
        return False


def store_scores(file: str, better: str | None, reading: Mapping[str, Any]) -> Scores:
    """The scores of a store's finished problems; the store holds their direction and layout."""
    choosing = {name: reading.get(name) for name in ("only", "drop")}
    if columns := [name for name in reading if name not in (*choosing, "cell", "metric")]:
        names = ", ".join(f"--{name}" for name in columns)
        raise ParameterError(f"{names}: a store of runs has no columns to choose; leave it out")
    from bakeoff.running.store.contents import read_store
    from bakeoff.running.store.scores import scores_of

    stored = read_store(Path(file))
    scores = scores_of(stored)
    if better is not None and better != scores.better:
        raise ParameterError(
            f"--better {better} contradicts the experiment in {file!r}, where {scores.better} is better; leave it out"
        )
    if any(choosing.values()):
        from bakeoff.reading.selection import chosen

        rows, columns_left = chosen(scores.algorithms, scores.problems, **choosing)
        scores = scores.select(columns_left, rows)
    for k, message in stored.without_success.items():
        if (name := stored.algorithms[k]) in scores.algorithms:
            raise ScoreError(f"{message}. There is no verdict on it: leave it out with --drop {shlex.quote(name)}")
    if reading.get("metric") is not None:
        scores = _named(scores, reading["metric"], file, stored)
    return scores if reading.get("cell") is None else scores.summarised(reading["cell"])


def _named(scores: Scores, metric: str, file: str, stored: Contents) -> Scores:
    """The scores called so, unless the runs have a number of this name that is not the score."""
    import json

    from bakeoff.scores import with_metric

    for row in stored.rows:
        first, *others = json.loads(row.metrics or "{}") or [metric]
        if metric != first and metric in others:
            exported = f"bakeoff export {shlex.quote(file)} -o runs.csv"
            raise ParameterError(
                f"--metric: the runs in {file!r} were scored by {first!r}, and {metric!r} is another of their "
                f"numbers; leave it out, or compare the column of this name in the output of {exported}"
            )
    return with_metric(scores, metric)


def with_store_cautions(file: str, result: Any) -> Any:
    """A result on a store's scores, with cautions on early stopping and unfinished experiments."""
    return with_source_cautions(result, store_cautions(file)) if is_store(file) else result


def with_source_cautions(result: Any, added: tuple[Caution, ...]) -> Any:
    """A result with cautions on what its table of scores does not say."""
    from bakeoff.errors import by_severity

    return dataclasses.replace(result, cautions=tuple(by_severity((*added, *result.cautions))), added=added)


def store_cautions(file: str) -> tuple[Caution, ...]:
    """What the table of a store's scores does not say: that its experiment stopped early, or is unfinished."""
    from bakeoff.errors import counted
    from bakeoff.running.store.contents import read_store

    stored = read_store(Path(file))
    cautions = []
    if stored.stopped_at is not None:
        cautions.append(caution_of("stopped-early", "store", stopped_at=stored.stopped_at, n_planned=stored.n_planned))
    if stored.unfinished:
        cautions.append(
            caution_of(
                "unfinished-experiment", problems=counted(len(stored.unfinished), "problem"), n_planned=stored.n_planned
            )
        )
    return tuple(cautions)
