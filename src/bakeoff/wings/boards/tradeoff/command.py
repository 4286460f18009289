"""``bakeoff tradeoff``: several metrics, each with its margin."""

from __future__ import annotations

import csv
import io
import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import OUTPUT, READING, TABLE, TRUTH, Command, add_options, number_or_text, show, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import Source
from bakeoff.errors import BakeoffError, ParameterError, ReadingError
from bakeoff.inputs import PLAIN, is_store, may_hold_direction, of_tables, scores_from

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bakeoff.scores import Scores

_FORM = 'NAME:lower|higher:margin=M, M in score units or as "5%"'


class _Metric:
    """``accuracy:higher:margin=0.01``; a name may have colons. Of predictions the metric says the direction."""

    def __init__(self, text: str, of_predictions: bool = False) -> None:
        if of_predictions:
            name, _, margin = text.rpartition(":margin=")
            if not name:
                raise ParameterError(
                    f"--metric must be NAME:margin=M with --truth, such as auc:margin=0.01; got {text!r}"
                )
            self.name, self.better, self.margin = name, "", number_or_text(margin)
            return
        parts = text.split(":")
        at = next((j for j, part in enumerate(parts) if j and part in ("lower", "higher")), 0)
        name, words = ":".join(parts[:at]), parts[at + 1 :]
        margins = [word.removeprefix("margin=") for word in words if word.startswith("margin=")]
        others = [word for word in words if not word.startswith("margin=") and word != "log"]
        if not name or len(margins) > 1 or others:
            raise ParameterError(f"--metric must be {_FORM}; got {text!r}")
        if not margins:
            rule = f"--metric {name} has no margin: the smallest difference that matters, fixed before the scores were"
            raise ParameterError(f"{rule} seen. Say {name}:{parts[at]}:margin=M")
        self.name, self.better, self.margin = name, parts[at], number_or_text(margins[0])
        if "log" in words and isinstance(self.margin, float):
            raise ParameterError(f"--metric {name}: logarithms need a margin as a percentage, such as margin=5%")


@click.command(name="tradeoff", cls=Command)
@click.argument("files", metavar="FILE...", nargs=-1)
@click.option(
    "--metric",
    "metrics",
    metavar="SPEC",
    multiple=True,
    required=True,
    help=f"{_FORM}, which compares logarithms. With --truth: NAME:margin=M (auc, brier). Twice or more.",
)
@parameters("tradeoff")
@add_options(*TABLE, TRUTH, *OUTPUT)
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
    with their names and the column score. It may also be another program's results with several metrics (lm-eval,
    MLflow,
    Go benchmarks), or one table per metric, as NAME=FILE. Every metric needs its direction and the smallest difference
    that matters; there is no safe default.

    \b
    bakeoff tradeoff runs.csv --metric accuracy:higher:margin=0.01 --metric seconds:lower:margin=5%
    bakeoff tradeoff accuracy=a.csv seconds=s.csv --metric accuracy:higher:margin=1% --metric seconds:lower:margin=5%
    bakeoff tradeoff predictions.csv --truth y_true --metric auc:margin=0.01 --metric brier:margin=0.005
    """
    truth = options.get("truth")
    chosen = [_Metric(text, truth is not None) for text in metrics]
    names = [metric.name for metric in chosen]
    if len(set(names)) != len(names):
        raise ParameterError("--metric: each name must occur once")
    if len(names) < 2:
        rule = f"--metric must be given twice or more; got only {names[0]!r}. For one metric and a margin: "
        raise ParameterError(f"{rule}bakeoff compare --margin")
    arguments = without_unset(options)
    labels: Mapping[str, str] | None = arguments.get("label")
    if not files and not labels:
        raise click.UsageError("Missing argument 'FILE...'.", ctx)
    own = {} if labels else _of_each(files, names)
    shared = None if own else Source.of(files, labels)
    targets = find_targets(reports, *(own.values() if shared is None else (shared,)))
    import bakeoff as bo

    reading = {name: arguments.pop(name) for name in READING if name in arguments}
    if truth is not None:
        tables = {m.name: _judged(m.name, own.get(m.name, shared), reading) for m in chosen}
    elif shared is None:
        tables = {m.name: scores_from(own[m.name], m.better, reading | {"metric": m.name}) for m in chosen}
    else:
        read = _Shared(shared, reading, names, ctx)
        tables = {m.name: read.scores(m.name, m.better) for m in chosen}
    result = bo.tradeoff(tables, {metric.name: metric.margin for metric in chosen}, **arguments)
    show(result, ctx, as_json, targets)


def _judged(name: str, file: Any, reading: dict[str, Any]) -> Scores:
    """Predictions, judged by one metric."""
    try:
        return scores_from(file, None, reading | {"metric": name})
    except ParameterError as error:
        if error.parameter != "metric":
            raise
        raise ParameterError(f"--metric {name}: {error.rule}") from None


def _of_each(files: tuple[str, ...], names: list[str]) -> dict[str, str]:
    """The file of each metric; none if all metrics are in the same files."""
    parts = [text.partition("=") for text in files]
    if not any(equals and name in names for name, equals, _ in parts):
        if len(files) > 1 and all(equals for _, equals, _ in parts):
            name = parts[0][0]
            rule = f"NAME of NAME=FILE must be one of the metrics; got {files[0]!r}{did_you_mean(name, names)}"
            raise ParameterError(rule)
        return {}
    by_name: dict[str, str] = {}
    for text, (name, equals, path) in zip(files, parts, strict=True):
        if not equals or name not in names or name in by_name:
            hint = did_you_mean(name, names) if equals else ""
            rule = "with several files each must be NAME=FILE, with NAME one of the metrics and each once"
            raise ParameterError(f"{rule}; got {text!r}{hint}")
        by_name[name] = Source.of([path], None)
    lacking = [name for name in names if name not in by_name]
    if lacking:
        raise ParameterError(f"there is no file for the metric {lacking[0]!r}; say {lacking[0]}=FILE")
    return by_name


class _Shared:
    """Files that hold all metrics: in columns, in rows that say of which they are, or as another program wrote them."""

    def __init__(self, source: Source, reading: dict[str, Any], names: list[str], ctx: click.Context) -> None:
        if "score" in reading:
            raise ParameterError("--score: the column of each metric is the one of its name; leave it out")
        if is_store(source):
            export = f"bakeoff export {shlex.quote(source)} -o runs.csv"
            raise ParameterError(f"{str(source)!r} is a store of runs, with one score; {export} writes all metrics")
        self.source, self.reading, self.names = source, reading, names
        self.content = sys.stdin.buffer.read() if source == "-" else None
        self.foreign = source != "-" and may_hold_direction(source, ctx.params)
        self.in_rows = self._are_in_rows()

    def scores(self, name: str, better: str) -> Scores:
        """The table of one metric."""
        try:
            return self._read(name, better)
        except BakeoffError as error:
            if error.parameter == "score":
                rule = f"{error.rule} (a table per metric is given as {name}=FILE)"
            elif error.parameter in ("metric", "better"):
                rule = error.rule.removesuffix("; leave it out")
            elif len(self.source.files) > 1:
                raise ReadingError(f"{error}. A table of scores for each metric is given as {name}=FILE") from None
            else:
                raise
            raise ParameterError(f"--metric {name}: {rule.removeprefix(': ')}") from None

    def _read(self, name: str, better: str) -> Scores:
        if self.foreign:
            return scores_from(self.source, better, {"format": "auto"} | self.reading | {"metric": name})
        import bakeoff as bo

        source: Any = of_tables(self.source, self.source.labels) if self.content is None else io.BytesIO(self.content)
        column: dict[str, Any] = {} if self.in_rows else {"score": name}
        plain = {key: value for key, value in self.reading.items() if key not in ("format", "label")}
        scores: Scores = bo.read_scores(source, better, metric=name, **column, **plain)
        if scores.metric != name:
            raise ParameterError(
                f"must be {scores.metric}, the only metric of {str(self.source)!r}", parameter="metric"
            )
        return scores

    def _are_in_rows(self) -> bool:
        """Does a text have a column "metric" that says of which a row is? What cannot be read is left to its reader."""
        head = b""
        if self.content is not None:
            head = self.content.split(b"\n", 1)[0]
        elif not self.foreign and self.source.paths == (self.source,) and self.source.lower().endswith(PLAIN[:3]):
            with suppress(OSError), open(self.source, "rb") as file:
                head = file.readline()
        text = head.decode("utf-8-sig", "replace").strip()
        columns = next(csv.reader([text], delimiter=max(",;\t", key=text.count)), [])
        return "metric" in columns and not set(self.names) <= set(columns)
