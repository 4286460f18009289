"""The scores that a command reads: a table, a store of runs, or files of another program."""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from bakeoff.checks import did_you_mean
from bakeoff.cli.folding import reading_option
from bakeoff.inputs import every_path, foreign, is_store
from bakeoff.shipped import shipped
from bakeoff.wing import provided

if TYPE_CHECKING:
    from bakeoff.errors import Caution


def store_cautions(file: str) -> tuple[Caution, ...]:
    """What the table of a store's scores does not say: that its experiment stopped early, or is unfinished."""
    cautions: tuple[Caution, ...] = provided("stores").cautions_on(file)
    return cautions


def with_store_cautions(file: str, result: Any) -> Any:
    """A result on a store's scores, with cautions on early stopping and unfinished experiments."""
    return with_source_cautions(result, store_cautions(file)) if is_store(file) else result


def with_source_cautions(result: Any, added: tuple[Caution, ...]) -> Any:
    """A result with cautions on what its table of scores does not say."""
    from bakeoff.errors import by_severity

    return dataclasses.replace(result, cautions=tuple(by_severity((*added, *result.cautions))), added=added)


class Source(str):
    """What FILE... and --label name: the first path, for whoever needs one, and all of them."""

    files: tuple[str, ...]
    labels: Mapping[str, str]

    @property
    def paths(self) -> tuple[str, ...]:
        """Whose files no report may overwrite."""
        return (*self.files, *self.labels.values())

    @classmethod
    def of(cls, files: Sequence[str], labels: Mapping[str, str] | None) -> Source:
        source = cls([*files, *(labels or {}).values()][0])
        source.files, source.labels = tuple(files), labels or {}
        return source


def _files(ctx: click.Context, parameter: click.Parameter, paths: tuple[str, ...]) -> str | None:
    """Several are one table in parts, or what another program wrote."""
    labels = ctx.params.get("label")
    if not paths and not labels:
        if parameter.name == "scores":
            return None
        raise click.MissingParameter(ctx=ctx, param=parameter)
    if strange := [name for name in paths[1:] if not os.path.exists(name) and not shipped(name)]:
        raise click.UsageError(f"Got unexpected extra argument{'s' * (len(strange) > 1)} ({' '.join(strange)})", ctx)
    return Source.of(paths, labels)


def any_files(ctx: click.Context, parameter: click.Parameter, paths: tuple[str, ...]) -> Source:
    """Files, which the analysis reads by itself."""
    labels = ctx.params.get("label")
    if not paths and not labels:
        raise click.MissingParameter(ctx=ctx, param=parameter)
    return Source.of(paths, labels if isinstance(labels, dict) else None)


def _labels(ctx: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> dict[str, str] | None:
    labels: dict[str, str] = {}
    for text in texts:
        name, sign, path = text.partition("=")
        if not sign or not name or not path:
            if os.path.exists(text):
                text = f"new={text}"
            example = f"--label {shlex.quote(text)}" if "=" in text and not text.startswith("=") else "--label new=FILE"
            raise click.UsageError(f"--label must be NAME=FILE: {example}", ctx)
        if name in labels:
            raise click.UsageError(f"--label names {name!r} twice; give each file a name of its own", ctx)
        labels[name] = path
    return labels or None


FILE = click.argument("file", nargs=-1, callback=_files, metavar="FILE...")
SCORES = click.argument("scores", nargs=-1, callback=_files, metavar="[SCORES]...")


def format_option(text: str) -> Any:
    return reading_option("--format", metavar="NAME", is_eager=True, help=text)


FORMAT = format_option("Format of another program's file (bakeoff import --help). Default: recognised.")
LABEL = reading_option(
    "--label",
    metavar="NAME=FILE",
    multiple=True,
    is_eager=True,
    callback=_labels,
    help="A file or folder that another program wrote, and its algorithm (build, model). Repeatable.",
)

OF_FOLDS = ("repeat", "test_fraction")
READ_KEYS = {name: name for name in ("layout", "rows", "decimal", "sheet", "cell", "ok", *OF_FOLDS)}
READ_KEYS |= {"header": "no_header"}
"""The library's parameter for each key."""


def by_key(words: Sequence[str], own: Container[str]) -> Iterator[str]:
    """``--layout long`` as ``--read layout=long``, but for options that the command has itself."""
    waiting = iter(words)
    for word in waiting:
        name, sign, value = word.partition("=")
        parameter = name.removeprefix("--").replace("-", "_")
        if word == "--":
            yield from (word, *waiting)
        elif name in own or not name.startswith("--") or parameter not in READ_KEYS.values():
            yield word
        elif parameter == "no_header":
            yield from ("--read", "header=no")
        else:
            yield from ("--read", f"{parameter}={value if sign else next(waiting, '')}")


def typed(parameter: str) -> str:
    """The option of a parameter of reading, as it is typed."""
    return f"--{parameter.replace('_', '-')}"


def _keep_read(ctx: click.Context, _: click.Parameter, words: tuple[str, ...]) -> None:
    """What the keys say, as if each were an option of its own."""
    for word in words:
        key, sign, value = word.partition("=")
        if key not in READ_KEYS:
            near = did_you_mean(key, READ_KEYS) or "."
            raise click.UsageError(f"--read has no key {key!r}{near} The keys are {', '.join(READ_KEYS)}", ctx)
        if not sign or not value:
            example = "no" if key == "header" else "VALUE"
            raise click.UsageError(f"--read must be KEY=VALUE: --read {key}={example}", ctx)
        if key == "test_fraction":
            ctx.params[key] = _number(value, ctx)
        elif key == "ok":
            ctx.params["ok"] = (*ctx.params.get("ok", ()), value)
        elif key != "header":
            ctx.params[key] = value
        elif value in ("yes", "no"):
            ctx.params["no_header"] = True if value == "no" else None
        else:
            raise click.UsageError(f"--read header must be yes or no; got {value!r}", ctx)


def _number(text: str, ctx: click.Context) -> float:
    try:
        return float(text)
    except ValueError:
        raise click.UsageError(f"--test-fraction must be a number; got {text!r}", ctx) from None


READ = reading_option(
    "--read",
    metavar="KEY=VALUE",
    multiple=True,
    expose_value=False,
    callback=_keep_read,
    help="How a table is written, if that is not recognised. layout=wide: a column per algorithm; long: a row per "
    "score. rows=problems or algorithms: of a wide table (default: by the first column's name: model, solver are "
    "algorithms; else problems). header=no: a matrix of scores, perhaps after names. decimal=. or decimal=, is the "
    "sign in text. sheet=NAME: of an .xlsx workbook that has several with scores. cell=median, best or success: what "
    "stands for the runs of a cell (default: mean). ok=WORD: a status that means ok, as solved and sat do. With "
    "--folds, repeat=COLUMN: of the repeat of a cross-validation; test_fraction=F: the share of the data in each test "
    "set (default: 1/k of k folds). Repeatable; --layout, --rows, --no-header, --decimal, --sheet, --cell, --ok, "
    "--repeat and --test-fraction are the same.",
)

TARGET = click.option(
    "--target",
    type=float,
    metavar="Y",
    help="Logs of COCO or IOHprofiler: time is the evaluations to this score. Default: 1e-8.",
)


def keep_failed_runs(arguments: dict[str, Any]) -> None:
    """For commands in which failed runs are results: only problems that some algorithm was not run on are dropped."""
    policy = arguments.get("missing", "keep")
    arguments["missing"] = "drop-unrun" if policy == "drop" else policy


def evaluations_to(target: float | None, file: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The metric of logs of whole runs, whose errors are no times: the evaluations to the target."""
    logs = logs_of_runs(file, options)
    if not logs or options.get("metric"):
        if target is not None:
            raise click.UsageError("--target is for logs of COCO and IOHprofiler, and without --metric")
        return {}
    if target is None and provided("formats").are_maximised(logs):
        raise click.UsageError("--target is needed: these functions are maximised. Give the score to reach, --target Y")
    return {"metric": f"evals to {1e-8 if target is None else target:g}"}


def logs_of_runs(file: str, options: Mapping[str, Any]) -> Sequence[Any]:
    """The logs, if these are of whole runs (COCO, IOHprofiler); else nothing."""
    if not foreign(file, options):
        return ()
    logs: Sequence[Any] = provided("formats").logs_of_runs(
        every_path(file), options.get("label"), options.get("format")
    )
    return logs
