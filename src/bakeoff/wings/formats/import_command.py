"""``bakeoff import``: what other programs wrote as one long table."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.options import Command, ListingOption
from bakeoff.cli.sources import LABEL
from bakeoff.errors import ParameterError, counted, listing, plain

if TYPE_CHECKING:
    from bakeoff.wings.formats.measurements import Measurements


def _output() -> str:
    from bakeoff.wings.formats import FORMATS

    known = "; ".join(f"{name}: {form.title}" for name, form in FORMATS.items())
    return f"The table, a .csv; - prints it. FORMAT is auto (recognised), or one of: {known}."


@click.command(name="import", cls=Command)
@click.argument("format", metavar="FORMAT|auto")
@click.argument("files", nargs=-1, metavar="FILE...")
@LABEL
@click.option("--metric", metavar="NAME", help="Metric to take, if the files have several.")
@click.option("--problem", metavar="COLUMN", help="Column, key or parameter with the problem of a score.")
@click.option("--algorithm", metavar="COLUMN", help="The same for the algorithm.")
@click.option("--run", metavar="COLUMN", help="The same for the run.")
@click.option("--cluster", metavar="COLUMN", help="The same for the cluster of the problem.")
@click.option("--better", metavar="lower|higher", help="Which scores are good, if the files do not say.")
@click.option("-o", "--output", required=True, metavar="PATH", cls=ListingOption, describe=_output)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    format: str,
    files: tuple[str, ...],
    label: dict[str, str] | None,
    better: Any,
    output: str,
    **chosen: str | None,
) -> None:
    """Read what other programs wrote, and write one table: problem, algorithm, run, score, status, and what they are.

    FILE... are files or folders of one format, such as hyperfine's JSON or what go test -bench prints. A file without
    the names of algorithms is of one build or model, named by --label NAME=FILE. Runs that failed are in the table
    without a score. Every command that reads scores takes the same files as they are.

    \b
    bakeoff import auto --label old=old.json --label new=new.json -o long.csv
    bakeoff import go --label old=old.txt --label new=new.txt --metric B/op -o long.csv
    bakeoff compare long.csv
    """
    from bakeoff.checks import did_you_mean
    from bakeoff.files import csv_line, write_bytes
    from bakeoff.wings.formats import FORMATS
    from bakeoff.wings.formats._read_results import refuse_duplicates
    from bakeoff.wings.formats.measurement import Choices
    from bakeoff.wings.formats.measurements import read_measurements

    if format != "auto" and format not in FORMATS:
        hint = did_you_mean(format, FORMATS)
        if Path(format).exists():
            hint = f"; to recognise it: bakeoff import auto {shlex.quote(format)} -o {shlex.quote(output)}"
        rule = f"is the first argument: auto, or a format that bakeoff import -h lists; got {format!r}{hint}"
        raise ParameterError(rule, parameter="FORMAT")
    if not files and not label:
        raise click.UsageError("name the files, or --label NAME=FILE", ctx)
    if output != "-" and Path(output).suffix.lower() != ".csv":
        raise ParameterError(f"must end in .csv; got {output!r}", parameter="output")
    if any(Path(name).exists() and Path(output).exists() and Path(name).samefile(output) for name in files):
        raise ParameterError(f"{output!r} is one of the files that are read", parameter="output")
    rows = read_measurements(list(files) or None, format, label, Choices(**chosen, better=better))
    refuse_duplicates(rows)
    direction = rows.direction(better) if better is not None or rows.directions else None
    text = "".join(csv_line(cells) for cells in _lines(rows, direction))
    if output == "-":
        click.echo(text, nl=False)
    else:
        write_bytes(Path(output), text.encode())
        click.echo(plain(_summary_text(rows, output, direction)))


def _lines(rows: "Measurements", better: str | None) -> Iterator[list[object]]:
    """The header, and a line per measurement; problems of which versions differ are not among them."""
    origin = ("tool", "version", "machine", "commit", "host")
    about = {name: [getattr(rows.made_with(name), part) for part in origin] for name in rows.algorithms.codes}
    there = {"task": rows.task_of, "cluster": rows.clusters, "version": rows.versions}
    extra = [name for name, known in there.items() if known]
    columns = ["problem", "algorithm", "run", "score", "status", *extra, "metric", "unit", "better", "run_kind"]
    yield [*columns, "tool", "tool_version", "machine", "commit", "host"]
    for row in rows.rows():
        if row.problem in rows.differing:
            continue
        scored = row.status == "ok" and row.score == row.score
        cluster = row.problem if row.cluster is None else row.cluster
        known = {"task": row.task, "cluster": cluster, "version": row.version}
        yield [
            *(row.problem, row.algorithm, row.run),
            *(row.score if scored else None, row.status if scored or row.status != "ok" else "missing"),
            *(known[name] for name in extra),
            *(row.metric, row.unit or "", better or "", row.run_kind or ""),
            *about[row.algorithm],
        ]


def _summary_text(rows: "Measurements", output: str, direction: str | None) -> str:
    from bakeoff.wings.formats.result_files import first_command

    failed = sum(map(bool, rows.status))
    parts = [
        f"{counted(len(rows), 'score')} of {counted(len(rows.problems.codes) - len(rows.differing), 'problem')} and "
        f"{counted(len(rows.algorithms.codes), 'algorithm')} written to {output}"
    ]
    if failed:
        parts.append(f"{counted(failed, 'run')} failed and {'has' if failed == 1 else 'have'} no score")
    if rows.differing:
        parts.append(f"left out because versions differ: {listing(rows.differing)}")
    if rows.left_out:
        parts.append("left out, without this metric: " + listing(f"{task} ({n})" for task, n in rows.left_out.items()))
    better = "" if direction else " --better lower|higher"
    weighted = rows.weighted_as(rows.algorithms.codes)
    weights = f" --weights {weighted[1]} (as {weighted[0]} has it)" if "problems" in weighted[1:] else ""
    parts.append(f"next: {shlex.join(['bakeoff', *first_command(rows, output)])}{better}{weights}")
    return "; ".join(parts)
