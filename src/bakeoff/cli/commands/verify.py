"""``bakeoff verify``: reproduce every decision of a store from its runs."""

import gc
import json
from pathlib import Path

import click

from bakeoff.cli.options import Command
from bakeoff.errors import StoreError, counted, listing, plain


@click.command(name="verify", cls=Command)
@click.argument("file", metavar="RUNS.sqlite")
@click.option(
    "--experiment",
    metavar="EXPERIMENT.toml",
    help="Also compare code and problems with those of the first start. Needed for a user-defined statistic.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def command(file: str, experiment: str | None, as_json: bool) -> None:
    """Do the stored runs reproduce every decision in the store?

    Every decision (which runs next, when to stop, which estimate) is recomputed from the runs alone, and the runs of
    finished problems are compared with their checksums. The last line is a checksum of all runs: equal for equal
    results, with any executor and number of workers.
    """
    gc.enable()
    import bakeoff as bo
    from bakeoff.running.verification.verify import verify_store

    given = None if experiment is None else bo.Experiment.from_toml(experiment)
    found = verify_store(Path(file), given)
    if as_json:
        fields = ("n_problems", "n_finished", "n_runs", "n_decisions", "n_conflicts", "digest", "findings")
        content = {name: getattr(found, name) for name in fields}
        click.echo(json.dumps({"schema": "bakeoff.verify/1", "ok": found.ok, **content}, indent=1))
    if not found.ok:
        raise StoreError(f"{file!r} is inconsistent: {listing(found.findings, 3)}")
    if as_json:
        return
    click.echo(
        f"{plain(file)}: {counted(found.n_runs, 'run')} and {counted(found.n_decisions, 'decision')} on "
        f"{counted(found.n_problems, 'problem')}, {found.n_finished} of them finished. OK: every decision reproduced."
    )
    if found.n_conflicts:
        click.echo(f"{counted(found.n_conflicts, 'run')} gave another score when repeated; the first score counts.")
    click.echo(f"sha256 {found.digest}")
