"""Answers about a store of runs: its scores, cautions on it, and whether its decisions can be repeated.

The extension point ``stores`` of the core (``cli/stores``).
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.cautions import caution_of
from bakeoff.errors import ParameterError, ScoreError

if TYPE_CHECKING:
    from bakeoff.errors import Caution
    from bakeoff.scores import Scores
    from bakeoff.wings.run.store.contents import Contents
    from bakeoff.wings.run.verification import Verification


def scores_in(file: str, better: str | None, reading: Mapping[str, Any]) -> Scores:
    """The scores of a store's finished problems; the store holds their direction and layout."""
    choosing = {name: reading.get(name) for name in ("only", "drop")}
    if columns := [name for name in reading if name not in (*choosing, "cell", "metric")]:
        names = ", ".join(f"--{name}" for name in columns)
        raise ParameterError(f"{names}: a store of runs has no columns to choose; leave it out")
    from bakeoff.wings.run.store.contents import read_store, scores_of

    stored = read_store(Path(file))
    table = scores_of(stored)
    if better is not None and better != table.better:
        raise ParameterError(
            f"--better {better} contradicts the experiment in {file!r}, where {table.better} is better; leave it out"
        )
    if any(choosing.values()):
        from bakeoff.reading.selection import chosen

        rows, columns_left = chosen(table.algorithms, table.problems, **choosing)
        table = table.select(columns_left, rows)
    for k, message in stored.without_success.items():
        if (name := stored.algorithms[k]) in table.algorithms:
            raise ScoreError(f"{message}. There is no verdict on it: leave it out with --drop {shlex.quote(name)}")
    if reading.get("metric") is not None:
        table = _named(table, reading["metric"], file, stored)
    return table if reading.get("cell") is None else table.summarised(reading["cell"])


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


def cautions_on(file: str) -> tuple[Caution, ...]:
    """Cautions that the table of a store's scores lacks: its experiment stopped early, or is unfinished."""
    from bakeoff.errors import counted
    from bakeoff.wings.run.store.contents import read_store

    stored = read_store(Path(file))
    notes = []
    if stored.stopped_at is not None:
        notes.append(caution_of("stopped-early", "store", stopped_at=stored.stopped_at, n_planned=stored.n_planned))
    if stored.unfinished:
        notes.append(
            caution_of(
                "unfinished-experiment", problems=counted(len(stored.unfinished), "problem"), n_planned=stored.n_planned
            )
        )
    return tuple(notes)


def all_scores(file: str) -> Scores:
    """The scores of every algorithm and finished problem."""
    from bakeoff.wings.run.store.contents import read_store, scores_of

    return scores_of(read_store(Path(file)))


def verified(file: str, experiment: str | None) -> Verification:
    """Every decision of the store repeated from its runs."""
    from bakeoff.wings.run.design.experiment import Experiment
    from bakeoff.wings.run.verification import verify_store

    return verify_store(Path(file), None if experiment is None else Experiment.from_toml(experiment))
