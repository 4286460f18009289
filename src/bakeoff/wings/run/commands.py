"""The commands beside ``run`` and ``race``: ``init``, ``status``, ``rerun``, ``export`` and ``merge``."""

from __future__ import annotations

import gc
import json
import re
import shlex
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bakeoff.cli.options import Command
from bakeoff.cli.terminal import answer, can_write
from bakeoff.errors import ParameterError, counted, listing, plain
from bakeoff.files import write_bytes

if TYPE_CHECKING:
    from bakeoff.wings.run.cell import Outcome
    from bakeoff.wings.run.store.contents import RunRow
    from bakeoff.wings.run.store.status import StoreStatus


# ``bakeoff init``: an experiment to begin with, which runs as it is.


_FILES = ("experiment.toml", "solver.py")
_RECIPES = {"campelo-2019": "campelo-2019.toml"}
"""{recipe: the experiment that is written as experiment.toml}."""


@click.command(name="init", cls=Command)
@click.argument("folder", metavar="DIR", default=".")
@click.option(
    "--recipe",
    type=click.Choice(list(_RECIPES)),
    metavar="NAME",
    help="A paper's protocol. campelo-2019: as many problems as a power needs, as many runs as a standard error needs.",
)
def init_command(folder: str, recipe: str | None) -> None:
    """Write an experiment to begin with: a commented experiment.toml and the solver whose parameters it compares.

    DIR is the folder to write to; it is created if necessary. Default: the current one. The experiment runs as it is:

    \b
    bakeoff init
    bakeoff run experiment.toml
    bakeoff compare experiment.sqlite
    bakeoff init --recipe campelo-2019
    """
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise ParameterError(f"must be a folder; {folder!r} is a file", parameter="DIR")
    there = [name for name in _FILES if (place / name).exists()]
    if there:
        raise ParameterError(
            f": {str(place / there[0])!r} already exists; name another folder, or delete it first", parameter="DIR"
        )
    place.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        source = _RECIPES[recipe] if recipe and name == _FILES[0] else name
        write_bytes(place / name, files("bakeoff.datasets").joinpath("starting", source).read_bytes())
    click.echo(f"Written: {', '.join(str(place / name) for name in _FILES)}. Next:")
    experiment = place / _FILES[0]
    click.echo(f"  bakeoff run {shlex.quote(str(experiment))}")
    click.echo(f"  bakeoff compare {shlex.quote(str(experiment.with_suffix('.sqlite')))}")


# ``bakeoff status``: how far an experiment is, what failed, and whether anything is working on it.


@click.command(name="status", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def status_command(file: str, as_json: bool) -> None:
    """How far is an experiment, which runs failed, and is anything working on it?

    Only reads the store: it can be called while the experiment runs. EXPERIMENT.toml stands for the store beside it.

    \b
    bakeoff status experiment.sqlite
    """
    gc.freeze()
    gc.enable()
    from bakeoff.wings.run.run.reporting.progress import status_lines
    from bakeoff.wings.run.store.status import read_status

    path = Path(file)
    status = read_status(path.with_suffix(".sqlite") if path.suffix == ".toml" else path)
    if as_json:
        click.echo(json.dumps(_content(status), indent=1, allow_nan=False))
        return
    text = "\n".join(map(plain, status_lines(status)))
    if not can_write(text):
        from bakeoff.report.formats.terminal import to_ascii

        text = to_ascii(text)
    click.echo(text)


def _content(status: StoreStatus) -> dict[str, object]:
    from bakeoff.report.data import plain_data
    from bakeoff.report.reporting import values_of
    from bakeoff.wings.run.run.reporting.progress import next_command
    from bakeoff.wings.run.store.lease import Coordinator

    return {
        "schema": "bakeoff.status/1",
        "store": str(status.store),
        **values_of(status, ("state", "race", "n_problems", "n_finished", "n_runs", "n_runs_planned")),
        "n_failed": sum(a.n_failed for a in status.algorithms),
        "n_attempts": sum(a.n_attempts for a in status.algorithms),
        "n_conflicts": status.n_conflicts,
        "part": None if status.part is None else {"number": status.part.number, "of": status.part.of},
        "algorithms": plain_data(status.algorithms),
        "coordinator": plain_data(status.coordinator, {Coordinator: ("host", "pid", "command", "started", "seen")}),
        "files": [str(status.store), *([] if status.wal is None else [str(status.wal)])],
        "next": next_command(status),
    }


# ``bakeoff rerun``: make one kept run again, and compare.


@click.command(name="rerun", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.argument("problem", metavar="PROBLEM")
@click.argument("algorithm", metavar="ALGORITHM")
@click.argument("run", metavar="RUN", type=int)
@click.option(
    "--experiment", metavar="EXPERIMENT.toml", help="The experiment of these runs. Default: the file beside the store."
)
@click.pass_context
def rerun_command(
    ctx: click.Context, file: str, problem: str, algorithm: str, run: int, experiment: str | None
) -> None:
    """Make one run again: does it give the stored score?

    RUN is 1, 2, … as in the table of `bakeoff export`. For a program, the command is shown with its seed, to be tried
    by hand. The store does not change. Exit code 1: the run gave another score, or ended otherwise.

    \b
    bakeoff rerun experiment.sqlite sphere new 3
    """
    gc.freeze()
    gc.enable()
    import bakeoff as bo
    from bakeoff.wings.run import verification

    place = Path(file)
    toml = Path(experiment) if experiment is not None else _beside(place)
    result = verification.rerun(place, bo.Experiment.from_toml(toml), problem, algorithm, run)
    if result.command:
        answer(plain(f"command: {result.command}"))
    outcome, kept = result.outcome, result.kept
    answer(plain(f"stored:  {'no run' if kept is None else _outcome_text(kept)}"))
    answer(plain(f"now:     {_outcome_text(outcome)}"))
    for what in result.changed:
        answer(plain(f"changed since the first start: {what}"))
    if kept is None:
        answer("There is nothing to compare with: no result of this run is kept.")
        return
    answer("OK: the same." if result.same else "Not the same.")
    if not result.same:
        ctx.exit(1)


def _outcome_text(run: Outcome | RunRow) -> str:
    what = repr(run.value) if run.value is not None else f"{run.status}: {run.error}"
    return f"{what} ({run.seconds:.3g} s)"


def _beside(store: Path) -> Path:
    """EXPERIMENT.toml of EXPERIMENT.sqlite, EXPERIMENT.race.sqlite, EXPERIMENT-1.sqlite and of parts."""
    stem = _OF_A_PART.sub("", store.stem).removesuffix(".race")
    for name in (stem, stem.rpartition("-")[0].removesuffix(".race")):
        toml = store.with_name(f"{name}.toml")
        if name and toml.is_file():
            return toml
    raise ParameterError(
        f"which experiment made {str(store)!r}? There is no {f'{stem}.toml'!r} beside it; name it: "
        "--experiment EXPERIMENT.toml"
    )


@click.command(name="export", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.argument("what", required=False, type=click.Choice(["attempts"]), metavar="[attempts]")
@click.option("-o", "--output", required=True, metavar="PATH", help="File to write: .csv or .parquet.")
def export_command(file: str, what: str | None, output: str) -> None:
    """Export all runs as CSV or Parquet, a row each: problem, algorithm, run, score, status, seconds, seed, metrics.

    The word attempts exports failed attempts instead, which are not among the runs.

    \b
    bakeoff export experiment.sqlite -o runs.csv
    bakeoff compare runs.csv --better lower
    """
    gc.freeze()
    gc.enable()
    from bakeoff.wings.run.store.contents import read_store
    from bakeoff.wings.run.store.exporting import export_attempts, export_runs

    target = Path(output)
    if target.exists() and Path(file).exists() and target.samefile(file):
        raise ParameterError(f"--output {output!r} is the store itself, which would be overwritten")
    if what == "attempts":
        number = export_attempts(Path(file), target)
        click.echo(plain(f"{counted(number, 'failed attempt')} written to {output}"))
        return
    number = export_runs(read_store(Path(file)), target)
    click.echo(plain(f"{counted(number, 'run')} written to {output}"))


# ``bakeoff merge``: the parts of an experiment into one store.


_OF_A_PART = re.compile(r"\.part-\d+-of-\d+$")


@click.command(name="merge", cls=Command)
@click.argument("files", metavar="PART.sqlite...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="The store to write; one that is there must hold the same experiment. Default: the name of the parts without "
    "their numbers.",
)
def merge_command(files: tuple[str, ...], output: str | None) -> None:
    """Merge stores of one experiment into one: the parts that several machines have run, or copies that went on.

    A run that several of them hold is kept once. Stores of other experiments are refused. The files are only read,
    and all is written at once. Runs that are missing are made by `bakeoff run`.

    \b
    bakeoff run experiment.toml --part 1/2
    bakeoff run experiment.toml --part 2/2
    bakeoff merge experiment.part-*.sqlite
    bakeoff run experiment.toml
    """
    gc.freeze()
    gc.enable()
    import bakeoff as bo

    into = Path(output) if output is not None else _without_number(files)
    merged = bo.merge_stores(files, into)
    new = "" if merged.n_new == merged.n_runs else f", {merged.n_new} of them new"
    answer(plain(f"{counted(merged.n_stores, 'store')} merged into {into}: {counted(merged.n_runs, 'run')}{new}"))
    if merged.n_conflicts:
        answer(f"{counted(merged.n_conflicts, 'run')} gave another score a second time; the first one is kept")
    if merged.unfinished:
        names = listing(map(repr, merged.unfinished), 3)
        answer(plain(f"Unfinished: {len(merged.unfinished)} of {counted(merged.n_problems, 'problem')} ({names})"))
    toml = into.with_suffix(".toml")
    answer(plain(f"Next: bakeoff run {shlex.quote(str(toml))}" if toml.is_file() else _next(into)))


def _without_number(files: tuple[str, ...]) -> Path:
    """EXPERIMENT.sqlite of EXPERIMENT.part-03-of-40.sqlite."""
    names = {Path(file).with_name(_OF_A_PART.sub("", Path(file).stem) + Path(file).suffix) for file in files}
    if len(names) != 1 or str(next(iter(names))) in files:
        raise ParameterError("--output is required, because the names of the files are not those of parts")
    return names.pop()


def _next(store: Path) -> str:
    return f"Next: bakeoff compare {shlex.quote(str(store))}"
