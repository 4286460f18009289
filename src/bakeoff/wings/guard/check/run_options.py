"""``bakeoff check --run 'BASE' 'NEW'``: the options of measuring both sides, and a file of benchmarks."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bakeoff.cli.folding import FoldedOption
from bakeoff.cli.options import add_options
from bakeoff.errors import ParameterError, ReadingError, plain

if TYPE_CHECKING:
    from bakeoff.wings.guard.check.statistics import Check

F = TypeVar("F", bound=Callable[..., Any])


def _detail(*declarations: str, **attributes: Any) -> Callable[[F], F]:
    return click.option(*declarations, cls=FoldedOption, heading="Details", **attributes)


def _commands(_: click.Context, __: click.Parameter, runs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    if any(word.startswith("--") for pair in runs for word in pair):
        raise ParameterError(_RULE)
    return runs


_RULE = "--run takes two commands, and no files beside them; a column of runs is --run-column"
RUN = click.option(
    "--run",
    "runs",
    callback=_commands,
    nargs=2,
    metavar="'BASE' 'NEW'",
    multiple=True,
    help="Run these two commands in turn until it is decided; no files then. Repeatable, with --name.",
)
options = add_options(
    _detail("--name", "names", metavar="NAME", multiple=True, help="Of the benchmarks of --run. Repeatable."),
    _detail("--rounds", type=int, metavar="N", help="At most so many pairs of a benchmark. Default: 100."),
    _detail("--seconds", type=float, metavar="S", help="At most so long in this call; a pair is always finished."),
    _detail("--store", "file", metavar="FILE.jsonl", help="Keep each pair; the same command goes on from there."),
    _detail("--fresh", is_flag=True, help="Empty --store first."),
    _detail("--warmup", type=int, metavar="N", help="Runs of each command before the first pair, not counted."),
    _detail("--prepare", metavar="COMMAND", help="Run it before each run; it does not count."),
    _detail("--shell", is_flag=True, help="Have /bin/sh run the commands."),
    _detail("--timeout", type=float, metavar="S", help="Kill a run after so long; it has failed then."),
    _detail("--cores", metavar="LIST", help="CPUs to run on, such as 2 or 2-3 or 0,2."),
    _detail("--seed", type=int, metavar="N", help="Of the orders. Default: 0."),
)
_OWN = ("names", "rounds", "seconds", "file", "fresh", "warmup", "prepare", "shell", "timeout", "cores", "seed")
_SHARED = ("margin", "alpha", "correction", "strict", "run_sd", "margins", "accept", "metric", "better")


def benchmarks(baseline: str | None, runs: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> dict[str, Any]:
    """The commands to run: of --run, or of a TOML file in the place of BASELINE; {} where files are compared."""
    if not runs:
        return _of_file(baseline) if baseline is not None and baseline.lower().endswith(".toml") else {}
    if baseline is not None:
        raise ParameterError(_RULE)
    if not names and len(runs) > 1:
        raise ParameterError(f"--name must be given for each of the {len(runs)} benchmarks")
    if names and (len(names) != len(runs) or len({*names}) < len(names)):
        raise ParameterError(f"--name must be given once, and another one, for each --run; got {', '.join(names)}")
    return {"commands": dict(zip(names or ("benchmark",), runs, strict=True))}


def _of_file(path: str) -> dict[str, Any]:
    """``[benchmarks.NAME]`` with baseline, new, and perhaps margin and accept; perhaps ``metrics`` above them."""
    try:
        content = tomllib.loads(Path(path).read_text("utf-8"))
        table = content.pop("benchmarks", None)
        metrics = content.pop("metrics", None)
        if not isinstance(table, dict) or not table or content:
            strange = f"; it has {min(content)!r}" if content else ""
            rule = f"needs tables [benchmarks.NAME] with baseline and new, and perhaps metrics above{strange}"
            raise ValueError(rule)
        for name, each in table.items():
            keys = {"baseline", "new", "margin", "accept"}
            if not isinstance(each, dict) or not {"baseline", "new"} <= set(each) <= keys:
                raise ValueError(f"[benchmarks.{plain(name)}] needs baseline and new, and may have margin and accept")
    except OSError as error:
        raise ReadingError(f"cannot read {path!r}: {error.strerror or error}") from None
    except ValueError as error:
        raise ReadingError(f"{path!r}: {error}") from None
    options: dict[str, Any] = {"commands": {name: (each["baseline"], each["new"]) for name, each in table.items()}}
    options["margins"] = {name: each["margin"] for name, each in table.items() if "margin" in each}
    options["accept"] = {name: str(each["accept"]) for name, each in table.items() if "accept" in each}
    return options if metrics is None else {**options, "metrics": metrics}


def check_of_runs(what: dict[str, Any], options: dict[str, Any]) -> Check:
    """The check of commands, with a line about it on a terminal while it runs."""
    import bakeoff as bo
    from bakeoff.cli.terminal import live_table
    from bakeoff.wings.guard.time.options import core_numbers
    from bakeoff.wings.guard.time_table import gate_table

    if stray := sorted(set(options) - {*_OWN, *_SHARED}):
        raise ParameterError(f"--{stray[0].replace('_', '-')} is of files, and does not go with commands")
    options.pop("names", None)
    if "cores" in options:
        options["cores"] = core_numbers(options["cores"])
    if "metric" in options:
        options["metrics"] = options.pop("metric")
    file_margins, file_accept = what.pop("margins", {}), what.pop("accept", {})
    if file_margins:
        if "margins" in options:
            raise ParameterError("--margins is a second place of margins; the file of benchmarks has some")
        options["margins"] = file_margins
    if file_accept or "accept" in options:
        options["accept"] = {**file_accept, **options.get("accept", {})}
    with live_table(gate_table) as listener:
        return bo.check_commands(**{**what, **options}, progress=listener)


def next_step(options: Mapping[str, Any], margin: str) -> str:
    """Where there is no verdict: how many pairs would give one, from those that were measured."""
    words = ["bakeoff", "plan", "check", str(options["file"] or "pairs.jsonl"), "--margin", margin]
    if options.get("alpha") is not None:
        words += ["--alpha", f"{options['alpha']:g}"]
    if options["file"]:
        return f"Next: {shlex.join(words)}"
    return f"Next: add --store pairs.jsonl to this command, and then {shlex.join(words)}"


def refuse_stray(options: dict[str, Any]) -> None:
    """Options of commands where files are compared."""
    for key in _OWN:
        if (value := options.pop(key)) is not None and value is not False and value != ():
            name = {"names": "name", "file": "store"}.get(key, key)
            raise ParameterError(f"--{name} needs --run 'BASE' 'NEW', or a TOML file of benchmarks")


def accepted(texts: tuple[str, ...]) -> dict[str, str]:
    """``sort=2026-12-31 being rewritten``, by name."""
    dates = {}
    for text in texts:
        name, equals, until = text.rpartition("=") if text.count("=") == 1 else text.partition("=")
        if not equals or not name or name in dates:
            rule = "must be NAME=2026-12-31, perhaps with a reason behind it, once for each name"
            raise ParameterError(f"--accept {rule}; got {text!r}")
        dates[name] = until
    return dates
