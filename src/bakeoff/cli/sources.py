"""The scores that a command reads: a table, a store of runs, or files that another program wrote."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

import click

from bakeoff.cli.help.folding import reading_option
from bakeoff.cli.stores import is_store, store_scores
from bakeoff.errors import BakeoffError, ParameterError

if TYPE_CHECKING:
    from bakeoff.adapters.measurement import Format
    from bakeoff.adapters.source_file import SourceFile
    from bakeoff.scores import Better, CellSummary, Scores

PLAIN = (".csv", ".tsv", ".txt", ".parquet", ".xlsx")
"""Suffixes of tables: looked at as another program's file only if it is not one."""
TABLES = (*PLAIN, ".jsonl", ".ndjson", ".json")
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
_CHOSEN = ("metric", "problem", "algorithm", "run", "cluster")
OF_RESULTS = (*_CHOSEN, "missing", "only", "drop", "cell")
WHY_BETTER = (
    "--better is required: say --better lower (errors, costs, times) or --better higher (accuracies, rewards). "
    "The table does not say, and a wrong guess would reverse the result"
)


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
    if strange := [name for name in paths[1:] if not os.path.exists(name)]:
        raise click.UsageError(f"Got unexpected extra argument{'s' * (len(strange) > 1)} ({' '.join(strange)})", ctx)
    return Source.of(paths, labels)


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

TARGET = click.option(
    "--target",
    type=float,
    metavar="Y",
    help="Logs of COCO or IOHprofiler: time is the evaluations to this score. Default: 1e-8.",
)


def require_better(file: str, better: str | None, ctx: click.Context) -> None:
    """A refusal that says why the direction is asked for; stores of runs hold it, and most files of programs do."""
    if better is None and not may_hold_direction(file, ctx.params):
        raise click.UsageError(WHY_BETTER, ctx)


def may_hold_direction(file: str, options: Mapping[str, Any]) -> bool:
    """Is it a store of runs, or what another program wrote?"""
    return is_store(file) or foreign(file, options) or _recognised(file) is not None


def foreign(file: str, options: Mapping[str, Any]) -> bool:
    """Is it what another program wrote? A plain table is not looked into."""
    if options.get("format"):
        return True
    if _are_several(file, options):
        return not _are_tables(file, options)
    suffix = os.path.splitext(file.lower().removesuffix(".gz"))[1]
    return file != "-" and (suffix not in PLAIN or _imported(file)) and _recognised(file) is not None


def _are_several(file: str, options: Mapping[str, Any]) -> bool:
    """Is more than one file named: by labels, by paths, or by a folder or an archive?"""
    several = bool(options.get("label")) or len(getattr(file, "files", ())) > 1
    return several or os.path.isdir(file) or file.lower().endswith(ARCHIVES)


def _are_tables(file: str, options: Mapping[str, Any]) -> bool:
    """Is none of them of another program? Then they are parts of one table."""
    from bakeoff.adapters.formats import recognised
    from bakeoff.adapters.sources import source_files

    labels = options.get("label") or getattr(file, "labels", None)
    of = getattr(file, "files", (file,))
    files = source_files([name for name in of if name != "-"] or None, labels)
    return not any(map(recognised, files)) and any(
        each.path.lower().removesuffix(".gz").endswith(TABLES) for each in files
    )


def of_tables(file: str, labels: Mapping[str, str] | None) -> Any:
    """The one table, or all of its parts, as ``read_scores`` takes them."""
    files = getattr(file, "files", (file,))
    if labels:
        return {os.path.splitext(os.path.basename(name))[0]: name for name in files} | dict(labels)
    return list(files) if len(files) > 1 else file


def keep_failed_runs(arguments: dict[str, Any]) -> None:
    """For commands in which failed runs are results: only problems that some algorithm was not run on are dropped."""
    policy = arguments.get("missing", "keep")
    arguments["missing"] = "drop-unrun" if policy == "drop" else policy


def evaluations_to(target: float | None, file: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The metric of logs of whole runs, whose errors are no times: the evaluations to the target."""
    logs = black_box(file, options)
    if not logs or options.get("metric"):
        if target is not None:
            raise click.UsageError("--target is for logs of COCO and IOHprofiler, and without --metric")
        return {}
    if target is None and any(re.search(r'"maximization"\s*:\s*true', each.text_head) for each in logs):
        raise click.UsageError("--target is needed: these functions are maximised. Give the score to reach, --target Y")
    return {"metric": f"evals to {1e-8 if target is None else target:g}"}


def black_box(file: str, options: Mapping[str, Any]) -> list[SourceFile]:
    """The logs, if these are of whole runs (COCO, IOHprofiler); else nothing."""
    if not foreign(file, options):
        return []
    from bakeoff.adapters.formats import format_of_files
    from bakeoff.adapters.sources import source_files

    files = source_files(list(getattr(file, "files", (file,))) or None, options.get("label"))
    of, own = format_of_files(files, options.get("format") or "auto")
    return own if of.curves is not None else []


def _imported(file: str) -> bool:
    """Is it a table of ``bakeoff import``, whose columns say what the runs are? Its header is looked at."""
    if not os.path.isfile(file):
        return False
    with open(file, "rb") as text:
        return b",run_kind," in text.readline(4096)


def _recognised(file: str) -> str | None:
    """The name of the format, by its signature."""
    if not os.path.isfile(file):
        return None
    from bakeoff.adapters.formats import recognised
    from bakeoff.adapters.source_file import SourceFile

    form = recognised(SourceFile(file))
    return None if form is None else form.name


def format_of(file: str) -> Format | None:
    """Of what another program wrote, a file or a folder of files; None for a table."""
    if not foreign(file, {}) and _recognised(file) is None:
        return None
    from bakeoff.adapters.formats import format_of_files
    from bakeoff.adapters.sources import source_files

    return format_of_files(source_files([file], None))[0]


def scores_from(file: str, better: str | None, reading: dict[str, Any]) -> Scores:
    """By the library's names of the options."""
    import bakeoff as bo

    of_results = {name: reading.pop(name, None) for name in ("format", "label")}
    if foreign(file, of_results):
        return _results(file, better, of_results, reading)
    if is_store(file):
        return store_scores(file, better, reading)
    if better is None:  # its format says it, as it was recognised
        return _results(file, better, of_results, reading)
    try:
        source = of_tables(file, of_results["label"])
        scores: Scores = bo.read_scores(source, cast(Any, better), **reading)
        return scores
    except BakeoffError:
        if (
            isinstance(source, str)
            and set(reading) <= set(OF_RESULTS)
            and file != "-"
            and _recognised(file) is not None
        ):
            return _results(file, better, of_results, reading)
        raise


def _results(file: str, better: str | None, choices: Mapping[str, Any], reading: Mapping[str, Any]) -> Scores:
    from bakeoff.adapters._read_results import results_scores
    from bakeoff.adapters.measurement import Choices

    if of_tables := [name for name in reading if name not in OF_RESULTS]:
        names = ", ".join(f"--{name}" for name in of_tables)
        raise ParameterError(f"{names}: {file!r} is another program's file, not a table; leave it out")
    files = getattr(file, "files", (file,))
    scores = results_scores(
        list(files) or None,
        choices.get("format") or "auto",
        cast("Better | None", better),
        label=choices.get("label"),
        choices=Choices(**{name: reading.get(name) for name in _CHOSEN}, better=cast(Any, better)),
        **{name: reading[name] for name in ("missing", "only", "drop") if name in reading},
    )
    return scores if reading.get("cell") is None else scores.summarised(cast("CellSummary", reading["cell"]))
