"""Options that ``bakeoff run`` and ``bakeoff race`` share: where runs happen, and how to resume."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.terminal import note
from bakeoff.errors import ParameterError, plain

if TYPE_CHECKING:
    from bakeoff.wings.run.design.experiment import Experiment


def begin_anew(store: Path) -> None:
    """Keep the store that is there under another name, and say so."""
    from bakeoff.wings.run.store.lease import set_aside

    aside = set_aside(store)
    if aside is not None:
        note(plain(f"bakeoff: the runs of {store} are kept in {aside}"))


def chosen_executor(experiment: Experiment, executor: str | None, workers: int | None) -> tuple[str, int | None]:
    """Choose where runs happen, and how many at a time: if not said, one at a time in a worker process.

    One worker gives the same result to the last bit as several; this process would not where an algorithm depends on
    the order of a set of strings.
    """
    from bakeoff.processes.command_line import CommandLine

    if executor is not None:
        return executor, workers
    if not hasattr(os, "fork"):
        return "serial", workers
    programs = all(isinstance(algorithm, CommandLine) for algorithm in experiment.algorithms)
    return "command" if programs else "processes", workers or 1


def told_while_waiting(executor: str) -> dict[str, Any]:
    """The option of an executor that may have to wait for workers."""
    return {"waiting": lambda text: note(f"bakeoff: {text}")} if executor == "dask" else {}


def stored_in(store: Path) -> str:
    """Say where the runs are: the store, and the file beside it if another program prevents its removal."""
    from bakeoff.wings.run.store.status import wal_of

    wal = wal_of(store)
    return str(store) if wal is None else f"{store} and {wal} (another program has it open: a copy needs both files)"


def interrupted(ctx: click.Context, store: Path) -> NoReturn:
    """Say what is stored and how to resume; exit with 130."""
    command = ctx.obj.get("command") if isinstance(ctx.obj, dict) else None
    resume = f"To resume: {command}" if command else "The same command resumes."
    note(f"bakeoff: stopped; finished runs are stored in {plain(stored_in(store))}. {resume}")
    ctx.exit(130)


# --- options of a racing method: --option NAME=VALUE ---

RACING = ("method", "alpha", "budget", "block", "tolerance")  # have options of their own


def method_options(texts: Sequence[str], method: str) -> dict[str, Any]:
    """``strict=true``: values in TOML; anything that is not TOML is text."""
    if not texts:
        return {}
    import tomllib

    from bakeoff.wings.run.racing.rules.rule import options_of

    known = [name for name in options_of(method) if name not in RACING]
    own: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier() or "\n" in value:
            raise ParameterError(f"--option must be NAME=VALUE, for example strict=true; got {text!r}")
        if name not in known:
            has = f"has the options {', '.join(known)}" if known else "has no options"
            raise ParameterError(f"--option {name}: method {method!r} {has}{did_you_mean(name, known)}")
        try:
            own[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            own[name] = value
    return own
