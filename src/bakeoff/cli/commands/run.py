"""``bakeoff run``: an experiment's runs, made or gone on with."""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path
from typing import Any

import click

from bakeoff.errors import ParameterError, counted, plain


@click.command(name="run")
@click.argument("file", metavar="EXPERIMENT.toml")
@click.option("--store", metavar="PATH", help="Where runs are kept. Default: EXPERIMENT.sqlite beside the file.")
@click.option("--workers", type=int, metavar="N", help="Runs at a time. The result does not depend on it.")
@click.option(
    "--executor",
    metavar="NAME",
    help="Where runs happen: serial, processes, command, dask. Default: serial, or what --workers and limits need.",
)
@click.option("--address", metavar="ADDRESS", help="Of a dask scheduler, with --executor dask.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else.")
@click.option(
    "--report",
    "reports",
    metavar="PATH",
    multiple=True,
    help="Write a report (.html .md .tex .json), the differences as a figure (.svg .png .pdf), or as a table (.csv "
    ".xlsx). Repeatable.",
)
@click.pass_context
def command(
    ctx: click.Context,
    file: str,
    store: str | None,
    workers: int | None,
    executor: str | None,
    address: str | None,
    as_json: bool,
    reports: tuple[str, ...],
) -> None:
    """Make the runs of an experiment, or go on where it was stopped.

    EXPERIMENT.toml says which algorithms (commands, or Python functions) run on which problems and how often. Every
    run is kept at once. Ctrl-C stops when the runs under way have ended, twice stops at once; the same command goes
    on, with as many workers as you like.

    \b
    bakeoff run experiment.toml --workers 4
    bakeoff compare experiment.sqlite --report report.html
    """
    gc.enable()
    import bakeoff as bo
    from bakeoff.cli.live_table import live_table
    from bakeoff.report import check_path

    targets = [check_path(path) for path in dict.fromkeys(reports)]
    experiment = bo.Experiment.from_toml(file)
    place = Path(store) if store is not None else Path(file).with_suffix(".sqlite")
    for target in targets:
        if target.resolve() in (place.resolve(), Path(file).resolve()):
            raise ParameterError(f"--report {str(target)!r} would overwrite the experiment or its runs; name another")
    name = executor or chosen_executor(experiment, workers)
    options: dict[str, Any] = {} if address is None else {"address": address}
    try:
        with live_table(experiment) as listener:
            result = bo.run(experiment, place, name, workers, listener, **options)
    except KeyboardInterrupt:
        click.echo(f"bakeoff: stopped; the runs that ended are kept in {plain(str(place))}. {again(ctx)}", err=True)
        ctx.exit(130)
    for target in targets:
        from bakeoff import report

        report.save(result, target, ctx.obj["command"] if isinstance(ctx.obj, dict) else None)
    if as_json:
        click.echo(json.dumps(summary(result, place), ensure_ascii=True, indent=1, allow_nan=False))
        return
    lines = [*text_lines(result), "", f"Kept in {place}; next: bakeoff compare {place}"]
    lines += [f"Written: {target}" for target in targets]
    click.echo(_writable("\n".join(plain(line) for line in lines)))


def chosen_executor(experiment: Any, workers: int | None) -> str:
    """Serial unless several workers are wanted, or limits that only another process can keep."""
    from bakeoff.running.commands.command_line import CommandLine
    from bakeoff.running.executors import EXECUTORS

    foreign = [isinstance(thing, CommandLine) for thing in experiment.algorithms]
    limited = (experiment.timeout is not None or experiment.memory is not None) and not all(foreign)
    if workers in (None, 1) and not limited:
        return "serial"
    return "command" if all(foreign) and "command" in EXECUTORS else "processes"


def again(ctx: click.Context) -> str:
    asked = ctx.obj.get("command") if isinstance(ctx.obj, dict) else None
    return f"To go on: {asked}" if asked else "The same command goes on."


def summary(result: Any, place: Path) -> dict[str, Any]:
    """For scripts: never NaN or infinity."""
    from bakeoff._version import __version__
    from bakeoff.report.experiment.data import to_dict

    asked = to_dict(result)
    return {
        "schema": "bakeoff.run/1",
        "store": str(place),
        "better": result.scores.better,
        "algorithms": list(result.algorithms),
        "n_problems": result.n_problems,
        "n_runs": result.n_runs,
        "n_failed": result.n_failed,
        "n_retried": result.n_retried,
        "reasons": dict(result.reasons),
        "differences": result.differences,
        "statistic": result.statistic,
        "method": result.method,
        "allocation": result.allocation,
        "digest": result.digest,
        **{key: asked[key] for key in ("verdict", "question", "pairs", "looks", "stopped_early", "n_beyond", "power")},
        "estimates": [
            {
                "problem": e.problem,
                "n_runs": list(e.n_runs),
                "reason": e.reason,
                "pairs": [
                    {"a": p.a, "b": p.b, "difference": p.difference, "standard_error": p.standard_error}
                    for p in e.pairs
                ],
            }
            for e in result.estimates
        ],
        "cautions": asked["cautions"],
        "versions": {"bakeoff": __version__, **{k: v for k, v in result.contents.versions.items() if k != "bakeoff"}},
    }


MOST_PROBLEMS = 60


def text_lines(result: Any) -> list[str]:
    """The result for a terminal: what was run, why it stopped, what is known of each problem."""
    from bakeoff.running.schedulers import REASONS

    k, n = len(result.algorithms), result.n_problems
    lines = [f"{counted(k, 'algorithm')}, {counted(n, 'problem')}, {counted(result.n_runs, 'run')}"]
    lines += [f"  {count:>4}  {REASONS[reason]}" for reason, count in result.reasons.items()]
    lines += ["", *_estimate_lines(result), "", *_answer_lines(result)]
    for caution in (*result.analysis.cautions, *result.cautions):
        lines += ["", f"Caution: {caution.text}"]
    return lines


def _answer_lines(result: Any) -> list[str]:
    """Last, where a reader looks first."""
    from bakeoff.report.experiment import sentences

    return [sentences.verdict(result), sentences.basis(result), *(text for _, text in sentences.power(result)[:1])]


def _estimate_lines(result: Any) -> list[str]:
    shown = result.estimates[:MOST_PROBLEMS]
    pair, single = result.estimates[0].pairs[0], len(result.estimates[0].pairs) == 1
    percent = result.differences == "percent"
    head = ["problem", "runs", *(["difference"] if single else []), "standard error", "stopped by"]
    rows = [
        [
            e.problem,
            "+".join(map(str, e.n_runs)),
            *([_number(e.difference, percent)] if single else []),
            _number(e.standard_error, percent),
            e.reason,
        ]
        for e in shown
    ]
    widths = [max(len(plain(row[i])) for row in [head, *rows]) for i in range(len(head))]
    lines = [f"Difference: positive where {pair.a} is better than {pair.b}."] if single else []
    lines += [
        "  ".join(_aligned(cell, w, i) for i, (cell, w) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in [head, *rows]
    ]
    if len(result.estimates) > len(shown):
        lines.append(f"… and {len(result.estimates) - len(shown)} more problems (--json has all)")
    return lines


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column == 0 else cell.rjust(width)


def _number(value: float | None, percent: bool) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.2f} %" if percent else f"{value:.4g}"


def _writable(text: str) -> str:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        from bakeoff.report.formats.terminal import to_ascii

        return to_ascii(text)
    return text
