"""``bakeoff race``: find the best of many candidates early, by running them or over a finished table."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.analyses import options
from bakeoff.cli.options import READING, Command, read_table, require_better, show, table_options, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import is_store
from bakeoff.errors import ParameterError
from bakeoff.wings.run.command_options import (
    RACING,
    begin_anew,
    chosen_executor,
    interrupted,
    method_options,
    running_options,
    stored_in,
    told_while_waiting,
)
from bakeoff.wings.run.race.parameters import BETTER, OF_RULES, ORDER, REPLAY

if TYPE_CHECKING:
    from bakeoff.wings.run.racing.results import RaceResult

_RUNNING = ("store", "workers", "executor", "accept_changed", "fresh", "stop_within", "address")
_REPLAYING = ("better", "order", *READING)


@click.command(name="race", cls=Command)
@click.argument("file", metavar="EXPERIMENT.toml|SCORES")
@options(*OF_RULES)
@running_options("EXPERIMENT.race.sqlite", "The race")
@options(REPLAY, BETTER, ORDER)
@table_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    settings: tuple[str, ...],
    replay: bool,
    as_json: bool,
    reports: tuple[str, ...],
    **given_options: Any,
) -> None:
    """Which of many candidates is best? Run them block by block; eliminate those shown to be worse.

    EXPERIMENT.toml is as for `bakeoff run`; its algorithms are the candidates. Every finished run is stored at once;
    the same command resumes after any stop and makes the same decisions. Any other file is a finished table of
    scores, as for `bakeoff compare`, on which the race is replayed: what would it have decided and saved? The store
    of a race (EXPERIMENT.race.sqlite) is shown as it is.

    \b
    bakeoff race experiment.toml --workers 4 --report race.html
    bakeoff race scores.csv --better lower
    """
    chosen_options = without_unset(given_options)
    place: Path | None = None
    if Path(file).suffix.lower() == ".toml" and not replay:
        place = Path(chosen_options.pop("store", Path(file).with_suffix(".race.sqlite")))
    targets = find_targets(reports, file, *([place] if place else []))
    how: dict[str, Any] = {name: chosen_options.pop(name) for name in RACING if name in chosen_options}
    how |= method_options(settings, how.get("method", "e-sign"))
    if place is not None:
        _refuse(chosen_options, _REPLAYING, "the experiment file sets this; leave it out")
        result = _run(ctx, file, place, how, chosen_options)
    elif is_store(file) and _holds_race(file):
        stray = [*(f"--{name}" for name in (*how, *chosen_options)), *(["--replay"] if replay else [])]
        if stray:
            raise ParameterError(f"{stray[0]}: {file!r} holds a race, which is shown unchanged; leave it out")
        result = _stored(file)
    else:
        _refuse(chosen_options, _RUNNING, "the file is a finished table, so nothing is run; leave it out")
        require_better(file, chosen_options.get("better"), ctx)
        result = _replay(file, how, chosen_options)
    last = "" if place is None else f"Stored in {stored_in(place)}; the same command shows it again, or resumes it."
    show(result, ctx, as_json, targets, last)


def _run(ctx: click.Context, file: str, place: Path, how: dict[str, Any], options: dict[str, Any]) -> RaceResult:
    """Make the missing runs."""
    gc.freeze()
    gc.enable()
    import bakeoff as bo
    from bakeoff.cli.terminal import live_table
    from bakeoff.wings.run.race.live_table import race_progress_table

    experiment = bo.Experiment.from_toml(file)
    if options.get("fresh"):
        begin_anew(place)
    how.setdefault("alpha", experiment.question.alpha)
    executor, workers = chosen_executor(experiment, options.get("executor"), options.get("workers"))
    more: dict[str, Any] = {
        name: options[name] for name in ("address", "accept_changed", "stop_within") if name in options
    }
    more |= told_while_waiting(executor)
    try:
        with live_table(race_progress_table) as listener:
            return bo.race(
                experiment, **how, store=place, executor=executor, workers=workers, progress=listener, **more
            )
    except KeyboardInterrupt:
        interrupted(ctx, place)


def _replay(file: str, how: dict[str, Any], options: dict[str, Any]) -> RaceResult:
    import bakeoff as bo

    gc.freeze()
    gc.enable()
    better, order = options.pop("better", None), _order(options.pop("order", None))
    return bo.race.replay(read_table(file, better, options), order=order, **how)


def _holds_race(file: str) -> bool:
    from bakeoff.wings.run.design.race_settings import is_race
    from bakeoff.wings.run.store.contents import read_store

    return is_race(read_store(Path(file)).spec)


def _stored(file: str) -> RaceResult:
    from bakeoff.wings.run._race import stored_race

    return stored_race(Path(file))


def _order(text: str | None) -> str | int | None:
    if text is None or text == "given":
        return text
    if not text.isascii() or not text.isdigit():
        raise ParameterError(f"--order must be 'given' or a seed (a whole number); got {text!r}")
    return int(text)


def _refuse(options: dict[str, Any], names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in options:
            raise ParameterError(f"--{name.replace('_', '-')}: {why}")
