"""``bakeoff rerun``: make one kept run again, and compare."""

import gc
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.cli.terminal import answer
from bakeoff.errors import ParameterError, plain


@click.command(name="rerun", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.argument("problem", metavar="PROBLEM")
@click.argument("algorithm", metavar="ALGORITHM")
@click.argument("run", metavar="RUN", type=int)
@click.option(
    "--experiment", metavar="EXPERIMENT.toml", help="The experiment of these runs. Default: the file beside the store."
)
@click.pass_context
def command(ctx: click.Context, file: str, problem: str, algorithm: str, run: int, experiment: str | None) -> None:
    """Make one run again: does it give the stored score?

    RUN is 1, 2, … as in the table of `bakeoff export`. For a program, the command is shown with its seed, to be tried
    by hand. The store does not change. Exit code 1: the run gave another score, or ended otherwise.

    \b
    bakeoff rerun experiment.sqlite sphere new 3
    """
    gc.freeze()
    gc.enable()
    import bakeoff as bo
    from bakeoff.wings.run.verification.rerun import rerun

    place = Path(file)
    toml = Path(experiment) if experiment is not None else _beside(place)
    result = rerun(place, bo.Experiment.from_toml(toml), problem, algorithm, run)
    if result.command:
        answer(plain(f"command: {result.command}"))
    outcome, kept = result.outcome, result.kept
    stored = "no run" if kept is None else _said(kept.status, kept.value, kept.error, kept.seconds)
    answer(plain(f"stored:  {stored}"))
    answer(plain(f"now:     {_said(outcome.status, outcome.value, outcome.error, outcome.seconds)}"))
    for what in result.changed:
        answer(plain(f"changed since the first start: {what}"))
    if kept is None:
        answer("There is nothing to compare with: no result of this run is kept.")
        return
    answer("OK: the same." if result.same else "Not the same.")
    if not result.same:
        ctx.exit(1)


def _said(status: str, value: float | None, error: str, seconds: float) -> str:
    what = repr(value) if value is not None else f"{status}: {error}"
    return f"{what} ({seconds:.3g} s)"


def _beside(store: Path) -> Path:
    """EXPERIMENT.toml of EXPERIMENT.sqlite, EXPERIMENT.race.sqlite and EXPERIMENT-1.sqlite."""
    stem = store.stem.removesuffix(".race")
    for name in (stem, stem.rpartition("-")[0].removesuffix(".race")):
        toml = store.with_name(f"{name}.toml")
        if name and toml.is_file():
            return toml
    raise ParameterError(
        f"which experiment made {str(store)!r}? There is no {f'{stem}.toml'!r} beside it; name it: "
        "--experiment EXPERIMENT.toml"
    )
