"""``bakeoff race``: find the best of many candidates early, by runs that it makes or over a finished table."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.options import (
    READING,
    as_options,
    find_targets,
    given,
    read_table,
    require_better,
    show,
    table_options,
)
from bakeoff.cli.stores import is_store
from bakeoff.errors import BakeoffError, ParameterError, plain

_RACING = ("method", "alpha", "budget", "block")
_RUNNING = ("store", "workers", "executor", "address")
_REPLAYING = ("better", "order", *READING)


@click.command(name="race")
@click.argument("file", metavar="EXPERIMENT.toml|SCORES")
@click.option(
    "--method",
    metavar="NAME",
    help="e-sign (default) and e-rank remove a best one with probability at most alpha, however often one looks; "
    "sequential-halving spends --budget and claims nothing; f-race-sign, f-race-mean-ranks, irace, wilcoxon, bayes.",
)
@click.option("--alpha", type=float, metavar="A", help="The error allowed. Default: the experiment's alpha, 0.05.")
@click.option("--budget", type=float, metavar="B", help="At most so many evaluations (a candidate on a problem).")
@click.option("--block", type=int, metavar="N", help="Problems between two decisions. Default: 5.")
@click.option(
    "--option",
    "settings",
    metavar="NAME=VALUE",
    multiple=True,
    help="Of the method, for example strict=true or equivalence=0.05. Repeatable.",
)
@click.option("--store", metavar="PATH", help="Where runs are kept. Default: EXPERIMENT.race.sqlite beside the file.")
@click.option("--workers", type=int, metavar="N", help="Runs at a time. The race does not depend on it.")
@click.option(
    "--executor",
    metavar="NAME",
    help="Where runs happen: serial, processes, command, dask. Default: serial, or what --workers and limits need.",
)
@click.option("--address", metavar="ADDRESS", help="Of a dask scheduler, with --executor dask.")
@click.option("--replay", is_flag=True, help="FILE is a finished table (assumed of all but .toml): nothing is run.")
@click.option("--better", metavar="lower|higher", help="Of a table: which scores are good. Required there.")
@click.option("--order", metavar="given|SEED", help="Of a table: as the rows are, or drawn. Default: drawn, seed 0.")
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
    **options: Any,
) -> None:
    """Which of many candidates is best? Run them block by block, and drop those shown to be worse.

    EXPERIMENT.toml is what `bakeoff run` takes: its algorithms are the candidates. Every run is kept at once; the same
    command goes on after any stop and makes the same decisions. Any other file is a finished table of scores, as
    for `bakeoff compare`, and is raced over to see what a race would have decided and saved. A race's own store
    (EXPERIMENT.race.sqlite) is shown as far as it is.

    \b
    bakeoff race experiment.toml --workers 4 --report race.html
    bakeoff race scores.csv --better lower
    """
    targets = find_targets(reports, file)
    asked = given(options)
    place: Path | None = None
    try:
        how: dict[str, Any] = {name: asked.pop(name) for name in _RACING if name in asked}
        how |= method_settings(settings, how.get("method", "e-sign"))
        if Path(file).suffix.lower() == ".toml" and not replay:
            _refuse(asked, _REPLAYING, "the file is an experiment, which says that itself; leave it out")
            place = Path(asked.pop("store", Path(file).with_suffix(".race.sqlite")))
            result = _run(ctx, file, place, how, asked, targets)
        elif is_store(file) and _holds_race(file):
            given_here = [*(f"--{name}" for name in (*how, *asked)), *(["--replay"] if replay else [])]
            if given_here:
                raise ParameterError(f"{given_here[0]}: {file!r} holds a race, which is shown as it is; leave it out")
            result = _kept(file)
        else:
            _refuse(asked, _RUNNING, "the file is a finished table, of which nothing is run; leave it out")
            require_better(file, asked.get("better"), ctx)
            result = _replay(file, how, asked)
    except BakeoffError as error:
        raise click.ClickException(as_options(str(error), ctx.command)) from error
    show(result, ctx, as_json, targets)
    if place is not None and not as_json:
        click.echo(f"\nKept in {plain(str(place))}; the same command shows it again, and goes on if it was stopped.")


def _run(
    ctx: click.Context, file: str, place: Path, how: dict[str, Any], asked: dict[str, Any], targets: list[Path]
) -> Any:
    """Make the runs that are missing."""
    gc.enable()
    import bakeoff as bo
    from bakeoff.cli.commands.run import again, chosen_executor
    from bakeoff.cli.live_table import live_table
    from bakeoff.cli.race_live import race_drawing

    experiment = bo.Experiment.from_toml(file)
    how.setdefault("alpha", experiment.question.alpha)
    for target in targets:
        if target.resolve() in (place.resolve(), Path(file).resolve()):
            raise ParameterError(f"--report {str(target)!r} would overwrite the experiment or its runs; name another")
    workers = asked.get("workers")
    executor = asked.get("executor") or chosen_executor(experiment, workers)
    address = {"address": asked["address"]} if "address" in asked else {}
    try:
        with live_table(experiment, race_drawing) as listener:
            return bo.race(
                experiment, **how, store=place, executor=executor, workers=workers, progress=listener, **address
            )
    except KeyboardInterrupt:
        click.echo(f"bakeoff: stopped; the runs that ended are kept in {plain(str(place))}. {again(ctx)}", err=True)
        ctx.exit(130)


def _replay(file: str, how: dict[str, Any], asked: dict[str, Any]) -> Any:
    import bakeoff as bo

    gc.enable()
    better, order = asked.pop("better", None), _order(asked.pop("order", None))
    return bo.race.replay(read_table(file, better, asked), order=order, **how)


def _holds_race(file: str) -> bool:
    from bakeoff.running.design.race_settings import is_race
    from bakeoff.running.store.contents import read_store

    return is_race(read_store(Path(file)).spec)


def _kept(file: str) -> Any:
    from bakeoff.running._race import stored_race

    return stored_race(Path(file))


def _order(text: str | None) -> str | int | None:
    if text is None or text == "given":
        return text
    if not text.isascii() or not text.isdigit():
        raise ParameterError(f"--order must be 'given' or a seed (a whole number); got {text!r}")
    return int(text)


def method_settings(texts: tuple[str, ...], method: str) -> dict[str, Any]:
    """``strict=true``: values as TOML has them; other words are texts."""
    if not texts:
        return {}
    import tomllib

    from bakeoff.racing.rules import options_of

    known = [name for name in options_of(method) if name not in _RACING]

    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier() or "\n" in value:
            raise ParameterError(f"--option must be NAME=VALUE, for example strict=true; got {text!r}")
        if name not in known:
            has = f"has {', '.join(known)}" if known else "has none"
            raise ParameterError(f"--option {name}: the method {method!r} {has}{did_you_mean(name, known)}")
        try:
            found[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[name] = value
    return found


def _refuse(asked: dict[str, Any], names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in asked:
            raise ParameterError(f"--{name}: {why}")
