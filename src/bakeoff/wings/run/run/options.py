"""Options of ``bakeoff run`` and ``bakeoff race``: where runs happen, how to resume, and the answer of ``run``."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from bakeoff.checks import did_you_mean
from bakeoff.cli.call import Call, Reply
from bakeoff.cli.terminal import answer, live_table, note
from bakeoff.errors import BakeoffError, ParameterError, plain
from bakeoff.wings.run.run.live_table import progress_table

if TYPE_CHECKING:
    from bakeoff.wings.run.design.experiment import Experiment

R = TypeVar("R")


def call_run(call: Call) -> Reply:
    """Run the experiment, or what is left of it."""
    import bakeoff as bo
    from bakeoff.wings.run.run.reporting.document import RunPage

    place = call.store
    assert place is not None
    experiment = bo.Experiment.from_toml(call.source)
    if "part" in call.arguments:
        _run_part(call, experiment)
    kept = None if call.arguments.get("fresh") else _kept_runs(place)
    result = make_missing_runs(call, experiment, place, bo.run)
    nothing = "Nothing was left to run. " if kept == len(result.contents.rows) else ""
    text = f"{nothing}Stored in {stored_in(place)}.\n"
    text += f"Also: bakeoff compare {shlex.quote(str(place))}"
    return Reply(result=result, last=text, page=RunPage(result, place))


def _run_part(call: Call, experiment: Experiment) -> NoReturn:
    """Make the runs of a part. It has no result, which is that of all parts; the command ends here."""
    import bakeoff as bo
    from bakeoff.wings.run.design.parts import ExperimentPart
    from bakeoff.wings.run.run.reporting.progress import store_lines

    for option, name in (("--json", "as_json"), ("--report", "reports")):
        if call.ctx.params.get(name):
            raise ParameterError(f"{option} needs the result of all parts; merge them first (bakeoff merge)")
    part = ExperimentPart.from_text(call.arguments["part"])
    whole = Path(call.source)
    place = Path(call.arguments.get("store", whole.with_name(f"{whole.stem}{part.suffix}.sqlite")))
    status = make_missing_runs(call, experiment, place, bo.run_part, part=call.arguments["part"])
    answer(plain(store_lines(status)[0]))
    stem = shlex.quote(str(whole.with_suffix("")))
    every = "STORE…" if "store" in call.arguments else f"{stem}.part-*-of-{part.of}.sqlite"
    answer(plain(f"When all parts are finished: bakeoff merge {every}"))
    call.ctx.exit(0)


def _kept_runs(place: Path) -> int | None:
    """Count the runs that the store holds; None without a store that can be read, of which bo.run says why."""
    from bakeoff.wings.run.store.contents import read_store

    try:
        return len(read_store(place).rows) if place.exists() else None
    except BakeoffError:
        return None


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


def stored_in(store: Path) -> str:
    """Say where the runs are: the store, and the file beside it if another program prevents its removal."""
    from bakeoff.wings.run.store.status import wal_of

    wal = wal_of(store)
    return str(store) if wal is None else f"{store} and {wal} (another program has it open: a copy needs both files)"


def make_missing_runs(call: Call, experiment: Experiment, place: Path, runner: Callable[..., R], **how: Any) -> R:
    """Make the missing runs with the options of the command, under a live table; Ctrl-C ends the command with 130."""
    options = call.arguments
    if options.get("fresh"):
        begin_anew(place)
    executor, workers = chosen_executor(experiment, options.get("executor"), options.get("workers"))
    how |= {name: options[name] for name in ("address", "stop_within", "accept_changed") if name in options}
    if executor == "dask":  # it may have to wait for workers
        how["waiting"] = lambda text: note(f"bakeoff: {text}")
    try:
        with live_table(partial(progress_table, experiment)) as listener:
            return runner(experiment, store=place, executor=executor, workers=workers, progress=listener, **how)
    except KeyboardInterrupt:
        command = call.ctx.obj.get("command") if isinstance(call.ctx.obj, dict) else None
        resume = f"To resume: {command}" if command else "The same command resumes."
        note(f"bakeoff: stopped; finished runs are stored in {plain(stored_in(place))}. {resume}")
        call.ctx.exit(130)


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
