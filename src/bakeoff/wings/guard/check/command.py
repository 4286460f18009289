"""``bakeoff check``: the gate of a build."""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.folding import FoldedOption, beside_protocol
from bakeoff.cli.options import BETTER, OUTPUT, Command, add_options, number_or_text, show, without_unset
from bakeoff.cli.report_files import ReportFile, find_targets
from bakeoff.cli.terminal import answer, note
from bakeoff.errors import BakeoffError, ParameterError, ReadingError, plain
from bakeoff.files import write_bytes

if TYPE_CHECKING:
    from bakeoff.wings.guard.check.statistics import Check

CODES = {"ok": 0, "regressed": 1, "inconclusive": 3}
INTERNAL = 70
REFUSED = "bakeoff.check-refused/1"
"""Schema of the JSON where nothing could be compared."""
STDOUT = "-"


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
MEASURING = add_options(
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


@click.command(name="check", cls=Command)
@click.argument("baseline", required=False)
@click.argument("new", required=False)
@RUN
@parameters("check")
@click.option(
    "--margins",
    metavar="FILE",
    help="Problems with their own margin: TOML ([margins], [accept]) or CSV (problem, margin).",
)
@click.option(
    "--accept",
    metavar="NAME=DAY",
    multiple=True,
    help="A known regression that may pass until a given day: 'sort=2026-12-31 being rewritten'. Repeatable.",
)
@click.option(
    "--inconclusive",
    type=click.Choice(["fail", "pass"]),
    default="fail",
    help="Exit code when there is no verdict: fail (3, the default) or pass (0).",
)
@click.option("--add", metavar="FILE", multiple=True, help="More runs of NEW, pooled with it. Repeatable.")
@click.option(
    "--add-baseline", metavar="FILE", multiple=True, help="More runs of BASELINE, alternating with --add. Repeatable."
)
@BETTER
@click.option(
    "--allow-different", metavar="FACT", multiple=True, help="Allow tool, machine or benchmarks to differ. Repeatable."
)
@click.option(
    "--label", metavar="NAME", multiple=True, help="Algorithm to take from the files; twice for BASELINE and NEW."
)
@click.option("--format", metavar="NAME", help="Format of the files. Default: detected.")
@click.option(
    "--metric",
    metavar="NAME",
    multiple=True,
    help="Metric to take, if there are several; in a CSV file, the score column. With --run: time (default), user, "
    "memory, or NAME=PATTERN in the output; repeatable.",
)
@click.option(
    "--truth",
    metavar="COLUMN",
    help="BASELINE and NEW are predictions of this column for the same items: judge them by --metric (auc, accuracy).",
)
@click.option("--problem", metavar="COLUMN", help="Column or parameter of the problem's name.")
@click.option("--algorithm", metavar="COLUMN", help="Column or parameter of the algorithm's name.")
@click.option("--run-column", "run", metavar="COLUMN", help="Column of the run, or several: seed,episode.")
@click.option("--cluster", metavar="COLUMN", help="Column that groups problems from one source.")
@click.option("--task", metavar="COLUMN", help="Column of the task that a problem is a question of.")
@click.option("--weights", metavar="NAME", help="What counts equally in the mean: tasks, problems or clusters.")
@click.option(
    "--serial", is_flag=True, default=None, help="Problems are one series in time (days): judge their mean as such."
)
@MEASURING
@click.option(
    "--markdown", is_flag=False, flag_value=STDOUT, metavar="[PATH]", help="Write a Markdown summary for a build page."
)
@click.option("--junit", is_flag=False, flag_value=STDOUT, metavar="[PATH]", help="Write JUnit XML for a build server.")
@add_options(*OUTPUT)
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Is NEW worse than BASELINE by more than a margin? Exit code: 0 ok, 1 regressed, 2 not comparable, 3 inconclusive.

    BASELINE and NEW are result files (hyperfine, pytest-benchmark, Google Benchmark, Go, JMH, lm-eval, Inspect ...),
    folders with a file per process, or a CSV file (problem, run, score; needs --better). Files of one name in two
    folders are pairs of processes that ran in turn. BASELINE may be a store (bakeoff baseline). With one file that
    holds both, leave NEW out and give --label twice. With --run, or a TOML file of benchmarks, both sides are measured
    in turn, in random order, until the margin is decided.

    \b
    bakeoff check --run './old data' './new data' --margin 5%
    bakeoff check base/ new/ --margin 5%
    bakeoff check bakeoff-baseline.json new.json --margin 5% --junit check.xml
    bakeoff check times.json --label old --label new --margin 5%
    """
    try:
        ctx.exit(_checked(ctx, options))
    except (BakeoffError, click.ClickException, click.exceptions.Exit, click.Abort, OSError):
        raise
    except Exception as error:
        from bakeoff.cli._main import internal_error

        ctx.exit(internal_error(error, INTERNAL))


def _checked(ctx: click.Context, options: dict[str, Any]) -> int:
    """The exit code."""
    options["accept"] = _accepted(options["accept"])
    baseline, new, label, paired = (options.pop(name) for name in ("baseline", "new", "label", "paired"))
    what = _benchmarks(baseline, options.pop("runs"), options["names"])
    as_json, reports, inconclusive = (options.pop(name) for name in ("as_json", "reports", "inconclusive"))
    if options["margin"] is None:
        raise click.UsageError(
            "--margin is required: the largest worsening that may pass, fixed beforehand, such as --margin 5%", ctx
        )
    margin_text = options["margin"]
    options["margin"] = number_or_text(margin_text)
    if what and (new is not None or label or options["truth"]):
        raise click.UsageError("files, labels and --truth do not go with commands to run", ctx)
    if not what:
        _of_files(options, baseline, new, label, ctx)
    if len(label) > 2:
        raise ParameterError("must be given once or twice", parameter="label")
    inputs = [*([baseline] if baseline else []), *([new] if new else []), *options["add"], *options["add_baseline"]]
    inputs += [options[name] for name in ("margins", "file") if options.get(name)]
    targets = find_targets(reports, *inputs)
    outputs = {name: options.pop(name) for name in ("markdown", "junit") if options[name] is not None}
    for name, path in outputs.items():
        _check_output(name, path, inputs, as_json)
    set_options = without_unset(options)
    arguments = {name: value for name, value in set_options.items() if value is not False and value != {}}
    arguments |= {} if paired is None else {"paired": paired}
    interrupted = False
    try:
        if what:
            result = _check_of_runs(what, arguments)
        else:
            import bakeoff as bo

            chosen = label[0] if len(label) == 1 else label or None
            result = bo.check(baseline, baseline if new is None else new, label=chosen, **arguments)
    except KeyboardInterrupt as stopped:
        if not hasattr(stopped, "check"):
            raise
        result, interrupted = stopped.check, True
    except BakeoffError as error:
        _write_refusal(error, targets, outputs, as_json)
        raise
    result = cast("Check", beside_protocol(result, ctx))
    from bakeoff.wings.guard.check.reporting import junit as as_junit, summary

    texts = {"markdown": lambda: summary(result), "junit": lambda: as_junit(result, inconclusive == "fail")}
    if STDOUT in outputs.values():
        for target in targets:
            result.save(target.path)
    if not _put(outputs, texts):
        lines = [_next_step(options, margin_text)] if what and result.decision == "inconclusive" else []
        lines += [f"Written: {path}" for path in outputs.values()]
        show(result, ctx, as_json, targets, "\n".join(lines))
    if interrupted:
        note("bakeoff: interrupted; the verdict comes from the finished pairs")
        return 130
    code = CODES[result.decision]
    return 0 if code == 3 and inconclusive == "pass" else code


def _of_files(
    options: dict[str, Any], baseline: str | None, new: str | None, label: tuple[str, ...], ctx: click.Context
) -> None:
    """Refuse what belongs to commands, and what is missing."""
    _refuse_stray(options)
    if len(options["metric"]) > 1:
        rule = "--metric must be given once where files are compared: a check of files has one metric"
        raise ParameterError(rule)
    options["metric"] = options["metric"][0] if options["metric"] else None
    if baseline is None:
        raise click.UsageError("BASELINE is missing: files to compare, or --run 'BASE' 'NEW'", ctx)
    if new is None and len(label) != 2:
        raise click.UsageError("NEW is missing; with one file that holds both, give --label twice", ctx)


def _write_refusal(error: BakeoffError, targets: list[ReportFile], outputs: Mapping[str, str], as_json: bool) -> None:
    """What a build page and a script find where nothing could be compared: why, in each format for machines."""
    from bakeoff.cli._main import message_of
    from bakeoff.wings.guard.check.reporting import junit_of_refusal, summary_of_refusal

    reason = message_of(error)
    content = {"schema": REFUSED, "verdict": f"NOT COMPARABLE: {reason}", "decision": "not comparable"}
    json_text = json.dumps(content, indent=1)
    if as_json:
        answer(json_text)
    for target in targets:
        if target.path.suffix == ".json":
            write_bytes(target.path, json_text.encode(), "report")
    _put(outputs, {"markdown": lambda: summary_of_refusal(reason), "junit": lambda: junit_of_refusal(reason)})


def _put(outputs: Mapping[str, str], texts: Mapping[str, Callable[[], str]]) -> bool:
    """Print these summaries, or write them into their files; whether one was printed."""
    printed = "".join(texts[name]() for name, path in outputs.items() if path == STDOUT)
    for name, path in outputs.items():
        if path != STDOUT:
            write_bytes(Path(path), texts[name]().encode("utf-8", "replace"), name)
    if printed:
        answer(printed, nl=False)
    return bool(printed)


def _check_output(name: str, path: str, inputs: list[str], as_json: bool) -> None:
    """Where a summary goes, checked before the work is done."""
    if path == STDOUT and as_json:
        raise ParameterError(f"--{name} and --json both print; give --{name} a file")
    if path != STDOUT and any(Path(path).resolve() == Path(source).resolve() for source in inputs):
        raise ParameterError(f"--{name} {path!r} is an input, which it would overwrite")
    if path != STDOUT and not Path(path).parent.is_dir():
        raise ParameterError(f"--{name} {path!r}: the folder {str(Path(path).parent)!r} does not exist")


# --- with --run: the commands to measure, and a file of benchmarks


def _benchmarks(baseline: str | None, runs: tuple[tuple[str, str], ...], names: tuple[str, ...]) -> dict[str, Any]:
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


def _check_of_runs(what: dict[str, Any], options: dict[str, Any]) -> Check:
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


def _next_step(options: Mapping[str, Any], margin: str) -> str:
    """Where there is no verdict: how many pairs would give one, from those that were measured."""
    words = ["bakeoff", "plan", "check", str(options["file"] or "pairs.jsonl"), "--margin", margin]
    if options.get("alpha") is not None:
        words += ["--alpha", f"{options['alpha']:g}"]
    if options["file"]:
        return f"Next: {shlex.join(words)}"
    return f"Next: add --store pairs.jsonl to this command, and then {shlex.join(words)}"


def _refuse_stray(options: dict[str, Any]) -> None:
    """Options of commands where files are compared."""
    for key in _OWN:
        if (value := options.pop(key)) is not None and value is not False and value != ():
            name = {"names": "name", "file": "store"}.get(key, key)
            raise ParameterError(f"--{name} needs --run 'BASE' 'NEW', or a TOML file of benchmarks")


def _accepted(texts: tuple[str, ...]) -> dict[str, str]:
    """``sort=2026-12-31 being rewritten``, by name."""
    dates = {}
    for text in texts:
        name, equals, until = text.rpartition("=") if text.count("=") == 1 else text.partition("=")
        if not equals or not name or name in dates:
            rule = "must be NAME=2026-12-31, perhaps with a reason behind it, once for each name"
            raise ParameterError(f"--accept {rule}; got {text!r}")
        dates[name] = until
    return dates
