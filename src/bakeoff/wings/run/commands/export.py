"""``bakeoff export``: a store's runs as a table."""

import gc
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.errors import ParameterError, counted, plain


@click.command(name="export", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.option("-o", "--output", required=True, metavar="PATH", help="File to write: .csv or .parquet.")
@click.option("--attempts", is_flag=True, help="Export failed attempts instead, which are not among the runs.")
def command(file: str, output: str, attempts: bool) -> None:
    """Export all runs as CSV or Parquet, a row each: problem, algorithm, run, score, status, seconds, seed, metrics.

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
    if attempts:
        number = export_attempts(Path(file), target)
        click.echo(plain(f"{counted(number, 'failed attempt')} written to {output}"))
        return
    number = export_runs(read_store(Path(file)), target)
    click.echo(plain(f"{counted(number, 'run')} written to {output}"))
