"""The command line of the benchmarks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from bakeoff.checks import did_you_mean
from benchmarks.cases import BENCHMARKS
from benchmarks.earlier_run import earlier_run
from benchmarks.machine import machine, machine_line
from benchmarks.model import Benchmark, Figure
from benchmarks.page import COMMAND, as_data, line, page
from benchmarks.timing import BUDGET, measured

SHORT_BUDGET = 0.5


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--peers", is_flag=True, help="Also time what a user would run instead; those not installed are listed.")
@click.option("--short", is_flag=True, help="Only the cheap figures with few samples, to check that all run.")
@click.option("--json", "json_file", metavar="FILE", help="Write the figures as JSON ('-': standard output).")
@click.option(
    "--write", "page_file", metavar="FILE", help="Write the page docs/trust/performance.md; needs a full run."
)
@click.option(
    "--keep", "earlier", metavar="FILE", help="With NAMEs: the other figures from this JSON of an earlier run."
)
def main(
    names: tuple[str, ...], peers: bool, short: bool, json_file: str | None, page_file: str | None, earlier: str | None
) -> None:
    """Measure the promised figures: all, or those of the benchmarks named.

    Exit code 1 if a figure could not be computed. A missed target is reported and is no error.
    """
    chosen = _chosen(names)
    if page_file and (short or not peers or bool(names) != bool(earlier)):
        raise click.UsageError(f"--write is for the whole page: {COMMAND}, or NAMEs with --keep")
    found = machine()
    results = _earlier(earlier, found)
    talk = json_file != "-"
    if talk:
        click.echo(machine_line(found))
    for benchmark in chosen:
        if talk:
            click.echo(f"{benchmark.name}")
        results[benchmark.name] = []
        for figure in figures(benchmark, peers, short):
            results[benchmark.name].append(figure)
            if talk:
                click.echo(line(figure))
    results = {name: results[name] for name in BENCHMARKS if name in results}
    if json_file:
        text = json.dumps(as_data(results, found), ensure_ascii=False, indent=1) + "\n"
        _write(json_file, text)
    if page_file:
        _write(page_file, page(results, found))
    if any(figure.broken for found_here in results.values() for figure in found_here):
        sys.exit(1)


def _earlier(file: str | None, found: dict[str, str]) -> dict[str, list[Figure]]:
    try:
        return earlier_run(file, found) if file else {}
    except (OSError, ValueError, KeyError) as error:
        raise click.UsageError(f"--keep: {error}") from None


def figures(benchmark: Benchmark, peers: bool, short: bool) -> Iterator[Figure]:
    """The figures of one benchmark, as they are measured."""
    for case in benchmark.cases:
        if case.short or not short:
            yield measured(case, peers, SHORT_BUDGET if short else BUDGET)


def _chosen(names: tuple[str, ...]) -> list[Benchmark]:
    for name in names:
        if name not in BENCHMARKS:
            hint = did_you_mean(name, BENCHMARKS)
            raise click.UsageError(f"there is no benchmark {name!r}{hint}; there are {', '.join(BENCHMARKS)}")
    return [benchmark for name, benchmark in BENCHMARKS.items() if name in names or not names]


def _write(file: str, text: str) -> None:
    if file == "-":
        click.echo(text, nl=False)
    else:
        Path(file).write_text(text, encoding="utf-8")
