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


# ``bakeoff init``: an experiment to begin with, which runs as it is; the workflow of a gate.


_FILES = ("experiment.toml", "solver.py")
_RECIPES = {"campelo-2019": "campelo-2019.toml"}
"""{recipe: the experiment that is written as experiment.toml}."""
_GATES = {"github": ".github/workflows/bakeoff-check.yml", "gitlab": ".gitlab/bakeoff-check.yml"}
"""{forge: the file of its gate}; the text is starting/check-FORGE.yml of the datasets."""
_TO_EDIT = {
    "BUILD": "the command that builds one commit",
    "COMMAND": "the command that runs the benchmark once",
    "BAKEOFF": "git+ and the address of bakeoff's repository, @ and a commit",
}
"""Settings of a gate that no default fits: a job fails while one of them begins with EDIT."""


@click.command(name="init", cls=Command)
@click.argument("words", metavar="[check] [DIR]", nargs=-1)
@click.option(
    "--recipe",
    type=click.Choice(list(_RECIPES)),
    metavar="NAME",
    help="A paper's protocol. campelo-2019: as many problems as a power needs, as many runs as a standard error needs.",
)
@click.option("--github", is_flag=True, help="init check: the gate as a workflow of GitHub Actions.")
@click.option("--gitlab", is_flag=True, help="init check: the gate as a job of GitLab CI.")
@click.option("--build", metavar="COMMAND", help="init check: builds one commit, in a checkout of it.")
@click.option("--command", metavar="COMMAND", help="init check: runs the benchmark once, in a built checkout.")
@click.option("--force", is_flag=True, help="init check: overwrite the file that is there.")
def init_command(
    words: tuple[str, ...], recipe: str | None, github: bool, gitlab: bool, force: bool, **gate: str
) -> None:
    """Write an experiment to begin with, or with the word check a gate for pull requests.

    DIR is the folder to write to; it is created if necessary. Default: the current one.

    The experiment is a commented experiment.toml and the solver whose parameters it compares. It runs as it is:

    \b
    bakeoff init
    bakeoff run experiment.toml
    bakeoff compare experiment.sqlite
    bakeoff init --recipe campelo-2019

    The gate is a workflow that builds the base and the new commit, measures both in turn with bakeoff check, and
    comments on the pull request. Its lines to edit begin with EDIT; the job fails until they are edited:

    \b
    bakeoff init check --github --build 'make' --command './app bench'
    bakeoff init check --gitlab
    """
    forges = [name for name, chosen in (("github", github), ("gitlab", gitlab)) if chosen]
    is_gate = words[:1] == ("check",)
    folders = words[1:] if is_gate else words
    if len(folders) > 1:
        raise ParameterError(
            f"must be one folder, not {len(folders)}: {listing(map(repr, folders), 3)}", parameter="DIR"
        )
    place = Path(*folders)
    if place.exists() and not place.is_dir():
        raise ParameterError(f"must be a folder; {folders[0]!r} is a file", parameter="DIR")
    if is_gate:
        if len(forges) != 1 or recipe:
            raise ParameterError(
                "check writes a gate and needs one of --github and --gitlab, and no --recipe; a folder named check is "
                "./check"
            )
        _write_gate(place, forges[0], force, gate)
        return
    if forges or any(gate.values()):
        raise ParameterError("--github, --gitlab, --build and --command belong to a gate: bakeoff init check --github")
    if force:
        raise ParameterError("--force belongs to bakeoff init check; say another folder, or delete its files first")
    _write_experiment(place, recipe)


def _write_experiment(place: Path, recipe: str | None) -> None:
    there = [name for name in _FILES if (place / name).exists()]
    if there:
        raise ParameterError(
            f": {str(place / there[0])!r} already exists; name another folder, or delete it first", parameter="DIR"
        )
    place.mkdir(parents=True, exist_ok=True)
    for name in _FILES:
        source = _RECIPES[recipe] if recipe and name == _FILES[0] else name
        write_bytes(place / name, _starting(source))
    click.echo(f"Written: {', '.join(str(place / name) for name in _FILES)}. Next:")
    experiment = place / _FILES[0]
    click.echo(f"  bakeoff run {shlex.quote(str(experiment))}")
    click.echo(f"  bakeoff compare {shlex.quote(str(experiment.with_suffix('.sqlite')))}")


def _write_gate(place: Path, forge: str, force: bool, gate: dict[str, str]) -> None:
    target = place / _GATES[forge]
    if target.exists() and not force:
        raise ParameterError(f": {str(target)!r} already exists; --force overwrites it", parameter="DIR")
    text = _starting(f"check-{forge}.yml").decode()
    left = []
    for name, what in _TO_EDIT.items():
        value = gate.get(name.lower())
        if not value:
            left.append(name)
        # what JSON quotes, YAML reads
        text = text.replace(f"@{name}@", json.dumps(value or f"EDIT: {what}"))
    target.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(target, text.encode())
    click.echo(f"Written: {target}. Next:")
    click.echo(f"  edit the {'line' if len(left) == 1 else 'lines'} {', '.join(left)}")
    if forge == "gitlab":
        click.echo(f"  include it in .gitlab-ci.yml: include: [{{local: {_GATES[forge]}}}]")
    click.echo("  commit it; the gate answers to the next request")


def _starting(name: str) -> bytes:
    return files("bakeoff.datasets").joinpath("starting", name).read_bytes()


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
