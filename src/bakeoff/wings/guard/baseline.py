"""``bakeoff baseline``: the small file with the baselines of ``bakeoff check``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from bakeoff.cli.options import BETTER, Command
from bakeoff.errors import ParameterError, counted, plain

STORE = "bakeoff-baseline.json"
_STORE = click.option("--store", metavar="PATH", default=STORE, show_default=True, help="File with the baselines.")


@click.group(name="baseline")
def command() -> None:
    """Keep the baselines of bakeoff check: the previous commit, and a pinned release.

    A gate against the previous commit lets any number of small steps pass. The pinned baseline stays where it
    is, so their sum does not. Check a store with bakeoff check bakeoff-baseline.json NEW.
    """


@command.command(name="update", cls=Command)
@click.argument("files", nargs=-1, required=True)
@_STORE
@click.option("--note", metavar="TEXT", default="", help="Where it comes from: a commit, a release.")
@BETTER
@click.option("--label", metavar="NAME", help="Algorithm to take, if the files hold several.")
@click.option("--format", metavar="NAME", default="auto", help="Format of the files. Default: detected.")
@click.option("--metric", metavar="NAME", help="Metric to take, if there are several; in a CSV file, the score column.")
def _update(files: tuple[str, ...], store: str, note: str, metric: str | None, **how: Any) -> None:
    """FILES become the previous baseline; in a new store the pinned one, too."""
    from bakeoff.wings.guard.check.statistics import baseline_store
    from bakeoff.wings.guard.check.statistics.result_files import of_paths
    from bakeoff.wings.guard.check.statistics.run_set import Reading

    if any(Path(file).resolve() == Path(store).resolve() for file in files):
        raise ParameterError(f": {store!r} is one of the files", parameter="store")
    reading = Reading("files", choices={"metric": metric}, **how)
    baseline_store.update_baseline(store, of_paths(list(files), reading), note)
    _print(store)


@command.command(name="pin", cls=Command)
@_STORE
@click.option("--note", metavar="TEXT", help="Where it comes from: a release.")
def _pin(store: str, note: str | None) -> None:
    """The previous baseline becomes the pinned one."""
    from bakeoff.wings.guard.check.statistics import baseline_store

    baseline_store.pin_baseline(store, note)
    _print(store)


@command.command(name="show", cls=Command)
@_STORE
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
def _show(store: str, as_json: bool) -> None:
    """List the baselines in the store."""
    from bakeoff.wings.guard.check.statistics import baseline_store

    if as_json:
        known = baseline_store.stored_baselines(store)
        content: dict[str, Any] = {
            name: {"note": note, "problems": len(kept.series), "runs": _runs(kept), "facts": dict(kept.facts)}
            for name, (kept, note) in known.items()
        }
        click.echo(json.dumps({"schema": "bakeoff.baseline.show/1", **content}, indent=1))
        return
    _print(store)


def _runs(kept: Any) -> list[int]:
    counts = [len(series.values) for series in kept.series.values()]
    return [min(counts, default=0), max(counts, default=0)]


def _print(store: str) -> None:
    from bakeoff.wings.guard.check.statistics import baseline_store

    for name, (kept, note) in baseline_store.stored_baselines(store).items():
        low, high = _runs(kept)
        runs = str(low) if low == high else f"{low} to {high}"
        about = f" ({plain(note)})" if note else ""
        facts = ", ".join(f"{what} {plain(value)}" for what, value in kept.facts.items())
        line = f"{name}{about}: {counted(len(kept.series), 'problem')}, {runs} independent runs each"
        click.echo(f"{line}; {facts}" if facts else line)
