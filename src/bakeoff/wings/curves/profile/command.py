"""``bakeoff profile``: performance and data profiles with bands."""

import gc
from typing import TYPE_CHECKING, Any, cast

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import (
    BETTER,
    FILE,
    READING,
    Command,
    read_table,
    require_better,
    show,
    table_options,
    without_unset,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import TARGET, evaluations_to, keep_failed_runs, typed
from bakeoff.cli.stores import is_store, with_store_cautions

if TYPE_CHECKING:
    from bakeoff.scores import Better


@click.command(name="profile", cls=Command)
@FILE
@BETTER
@parameters("profile")
@click.option(
    "--budget",
    metavar="COLUMN",
    help="With --kind data: the budget column, with a row per record of a run. Without it, scores are budgets.",
)
@TARGET
@click.option(
    "--tolerance",
    type=float,
    metavar="T",
    help="With --kind data: the target is 1 - T of the way to the best. Default: 0.001.",
)
@click.option(
    "--targets",
    metavar="Y,...",
    help="With --kind data: the share of these targets that runs reach (an ECDF). coco: 51 from 100 to 1e-8.",
)
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """On which share of the problems is each algorithm how near to the best, and how sure is that?

    FILE has the score of each algorithm on each problem: a time, an error, a number of evaluations. Runs that a column
    --status calls failed are infinitely far from the best. Of logs of COCO or IOHprofiler (folders) the score is the
    number of evaluations to --target. For --kind data it may be such folders, or runs along a budget (--budget). "-"
    reads standard input.

    \b
    bakeoff profile times.csv --better lower --status status
    bakeoff profile errors.csv --better lower --report profile.pdf
    bakeoff profile errors.csv --better lower --kind difference --only ours --only CMA-ES
    bakeoff profile runs.csv --better lower --kind data --budget evaluations --tolerance 0.01
    bakeoff profile exdata/ --kind data --targets coco --report ecdf.pdf
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    arguments = without_unset(options)
    target = arguments.pop("target", None)
    if _are_runs(file, arguments):
        if target is not None:
            raise click.UsageError(f"--kind data has its own targets: pass --targets {target:g}, or --tolerance T", ctx)
        if (targets_text := arguments.pop("targets", None)) is not None:
            arguments["targets"] = _targets(targets_text)
        result = bo.profile(_runs(file, better, arguments), **arguments)
        show(result, ctx, as_json, targets)
        return
    for name in ("tolerance", "targets"):
        if name in arguments:
            raise click.UsageError(
                f"--{name} is for runs along a budget: pass --kind data, and for a table name the column with --budget",
                ctx,
            )
    if metric := evaluations_to(target, file, arguments):
        arguments |= metric
        better = "lower"
    chosen = {name: arguments.pop(name) for name in ("cell",) if name in arguments}  # failed runs count in it
    if not is_store(file):
        keep_failed_runs(arguments)  # a score missing without a reason is refused
    _, profile = bo.read_scores, bo.profile  # loads everything that is needed
    gc.freeze()
    gc.enable()
    result = profile(read_table(file, better, arguments), **arguments, **chosen)
    show(with_store_cautions(file, result), ctx, as_json, targets)


def _targets(text: str) -> list[float]:
    """Numbers between commas, or those of COCO."""
    from bakeoff.wings.curves.profile.statistics.data_profiles import COCO

    if text.strip().lower() == "coco":
        return list(COCO)
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.UsageError(
            f"--targets must be coco, or numbers between commas such as 10,1,0.1; got {text!r}"
        ) from None


def _are_runs(file: str, arguments: dict[str, Any]) -> bool:
    """Runs along a budget: its column is named, or the files are logs of whole runs."""
    if arguments.get("kind") != "data":
        if "budget" in arguments:
            raise click.UsageError("--budget is for --kind data: budgets at which targets were reached")
        return False
    if "budget" in arguments:
        return True
    from bakeoff.wings.curves.curves.statistics import are_logs

    paths = getattr(file, "paths", (file,))
    return all(are_logs(path, "auto") for path in paths)


def _runs(file: str, better: str | None, arguments: dict[str, Any]) -> Any:
    """Takes the options of reading out of ``arguments``."""
    from bakeoff.wings.curves.curves.statistics import read_runs

    named = {role: arguments.pop(role, None) for role in ("problem", "algorithm", "run", "budget", "score")}
    form, cluster = arguments.pop("format", "auto"), arguments.pop("cluster", None)
    labels = arguments.pop("label", None)
    other = [name for name in arguments if name in READING]
    if other:
        raise click.UsageError(f"{typed(other[0])} is for tables of scores, not for runs along a budget")
    files = getattr(file, "files", (file,))
    if labels and files:
        raise click.UsageError("give files, or --label NAME=FILE, not both")
    source: Any = labels or (files[0] if len(files) == 1 else list(files))
    return read_runs(source, form, named, cluster, cast("Better | None", better))
