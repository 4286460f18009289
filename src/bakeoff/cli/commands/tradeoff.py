"""``bakeoff tradeoff``: several metrics, each with its margin."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.options import Command, given, output_options, show
from bakeoff.cli.report_files import find_targets
from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from bakeoff.scores import Scores

_FORM = 'NAME:lower|higher:margin=M, M in score units or as "5%"'


class _Metric:
    """``accuracy:higher:margin=0.01``."""

    def __init__(self, text: str) -> None:
        name, _, rest = text.partition(":")
        parts = rest.split(":") if rest else []
        margins = [part.removeprefix("margin=") for part in parts if part.startswith("margin=")]
        words = [part for part in parts if not part.startswith("margin=")]
        directions = [word for word in words if word in ("lower", "higher")]
        others = [word for word in words if word not in ("lower", "higher", "log")]
        if not name or len(directions) != 1 or len(margins) > 1 or others:
            raise ParameterError(f"--metric must be {_FORM}; got {text!r}")
        if not margins:
            rule = f"--metric {name} has no margin: the smallest difference that matters, fixed before the scores were"
            raise ParameterError(f"{rule} seen. Say {name}:{directions[0]}:margin=M")
        self.name, self.better, self.margin = name, directions[0], _number(margins[0])
        if "log" in words and isinstance(self.margin, float):
            raise ParameterError(f"--metric {name}: logarithms need a margin as a percentage, such as margin=5%")


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


@click.command(name="tradeoff", cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--metric",
    "metrics",
    metavar="SPEC",
    multiple=True,
    required=True,
    help=f"{_FORM}, which compares logarithms. Twice or more.",
)
@click.option("--alpha", type=float, metavar="A", help="Error rate of each family of statements. Default: 0.05.")
@click.option("--seed", "rng", type=int, metavar="N", help="Of the draws for P(Pareto-optimal). Default: 0.")
@click.option("--draws", "n_draws", type=int, metavar="N", help="For P(Pareto-optimal). Default: 10000.")
@click.option("--unit", metavar="NAME", help="What is independent: cluster (default where there are some) or problem.")
@click.option("--problem", metavar="COLUMN", help="Column of the problem's name.")
@click.option("--algorithm", metavar="COLUMN", help="Column of the algorithm's name.")
@click.option("--run", metavar="COLUMN", help="Column of the run.")
@click.option("--cluster", metavar="COLUMN", help="Column that says which problems share a source.")
@click.option("--only", metavar="NAME", multiple=True, help="These algorithms alone. Repeatable.")
@click.option("--drop", metavar="NAME", multiple=True, help="Leave out this algorithm or problem. Repeatable.")
@output_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    as_json: bool,
    reports: tuple[str, ...],
    **options: Any,
) -> None:
    """Which algorithm is as good as another in every metric and better in one, and which has no better alternative?

    FILE is one long table, with a column for each metric (problem, algorithm, accuracy, seconds), or a column "metric"
    with their names and the column score; or a table for each metric, as NAME=FILE. Every metric needs its direction
    and the smallest difference that matters: there is no safe default.

    \b
    bakeoff tradeoff runs.csv --metric accuracy:higher:margin=0.01 --metric seconds:lower:margin=5%
    bakeoff tradeoff accuracy=a.csv seconds=s.csv --metric accuracy:higher:margin=1% --metric seconds:lower:margin=5%
    """
    wanted = [_Metric(text) for text in metrics]
    names = [metric.name for metric in wanted]
    if len(set(names)) != len(names):
        raise ParameterError("--metric: each name must occur once")
    sources = _sources(files, names)
    targets = find_targets(reports, next(iter(sources.values())))
    import bakeoff as bo

    said = given(options)
    reading: dict[str, Any] = {
        key: said.pop(key) for key in ("problem", "algorithm", "run", "cluster", "only", "drop") if key in said
    }
    tables = {metric.name: _read(sources[metric.name], metric, len(files) == 1, reading) for metric in wanted}
    found = bo.tradeoff(tables, {metric.name: metric.margin for metric in wanted}, **said)
    show(found, ctx, as_json, targets)


def _sources(files: tuple[str, ...], names: list[str]) -> dict[str, str]:
    """The file of each metric."""
    if len(files) == 1 and files[0].partition("=")[0] not in names:
        return dict.fromkeys(names, files[0])
    found = {}
    for text in files:
        name, equals, path = text.partition("=")
        if not equals or name not in names:
            hint = did_you_mean(name, names) if equals else ""
            raise ParameterError(
                f"of several files each must be NAME=FILE, NAME one of the metrics; got {text!r}{hint}"
            )
        found[name] = path
    lacking = [name for name in names if name not in found]
    if lacking:
        raise ParameterError(f"there is no file for the metric {lacking[0]!r}; say {lacking[0]}=FILE")
    return found


def _read(file: str, metric: _Metric, shared: bool, reading: dict[str, Any]) -> Scores:
    """A table of its own; or of a shared one its column, or its rows."""
    import bakeoff as bo

    if not shared:
        table: Scores = bo.read_scores(file, metric.better, metric=metric.name, **reading)  # type: ignore[arg-type]
        return table
    source: Any = file
    chosen: dict[str, Any] = {"score": metric.name}
    if file.lower().endswith((".csv", ".tsv", ".txt")):
        rows, delimiter = _rows(Path(file))
        if rows and "metric" in rows[0] and metric.name not in rows[0]:
            at = rows[0].index("metric")
            kept = [row for row in rows[1:] if len(row) > at and row[at] == metric.name]
            if not kept:
                held = sorted({row[at] for row in rows[1:] if len(row) > at})
                raise ParameterError(f"{file!r} has no metric {metric.name!r}{did_you_mean(metric.name, held)}")
            source, chosen = _written([rows[0], *kept], at, delimiter), {}
    found: Scores = bo.read_scores(source, metric.better, metric=metric.name if chosen else None, **chosen, **reading)  # type: ignore[arg-type]
    return found


def _rows(path: Path) -> tuple[list[list[str]], str]:
    """The cells of a text file; a file that cannot be read is refused later, by its reader."""
    try:
        content = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return [], ","
    head = content.split("\n", 1)[0]
    delimiter = max(",;\t", key=head.count)
    return list(csv.reader(io.StringIO(content, newline=""), delimiter=delimiter)), delimiter


def _written(rows: list[list[str]], without: int, delimiter: str) -> io.StringIO:
    """As text again, without the column of the metrics."""
    made = io.StringIO(newline="")
    writer = csv.writer(made, delimiter=delimiter, lineterminator="\n")
    writer.writerows(row[:without] + row[without + 1 :] for row in rows)
    made.seek(0)
    return made
