"""The hook of ``bakeoff profile``."""

from typing import TYPE_CHECKING, Any, cast

import click

from bakeoff.cli.call import Call
from bakeoff.cli.options import READING
from bakeoff.cli.sources import evaluations_to, keep_failed_runs, typed
from bakeoff.inputs import is_store

if TYPE_CHECKING:
    from bakeoff.scores import Better


def call_profile(call: Call) -> Any:
    """Profile a table, or runs along a budget."""
    import bakeoff as bo

    file, arguments = call.source, call.arguments
    target = arguments.pop("target", None)
    if _are_runs(file, arguments):
        if target is not None:
            raise click.UsageError(
                f"--kind data has its own targets: pass --targets {target:g}, or --tolerance T", call.ctx
            )
        if (targets_text := arguments.pop("targets", None)) is not None:
            arguments["targets"] = _targets(targets_text)
        return bo.profile(_runs(file, call.better, arguments), **arguments)
    for name in ("tolerance", "targets"):
        if name in arguments:
            raise click.UsageError(
                f"--{name} is for runs along a budget: pass --kind data, and for a table name the column with --budget",
                call.ctx,
            )
    if metric := evaluations_to(target, file, arguments):
        arguments |= metric
        call.better = "lower"
    chosen = {name: arguments.pop(name) for name in ("cell",) if name in arguments}  # failed runs count in it
    if not is_store(file):
        keep_failed_runs(arguments)  # a score missing without a reason is refused
    return call.result(**chosen)


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
    from bakeoff.wings.curves.curves.options import source_of
    from bakeoff.wings.curves.curves.statistics import read_runs

    named = {role: arguments.pop(role, None) for role in ("problem", "algorithm", "run", "budget", "score")}
    form, groups = arguments.pop("format", "auto"), {"cluster": arguments.pop("cluster", None)}
    source = source_of(getattr(file, "files", (file,)), arguments)
    other = [name for name in arguments if name in READING]
    if other:
        raise click.UsageError(f"{typed(other[0])} is for tables of scores, not for runs along a budget")
    return read_runs(source, form, named, groups, cast("Better | None", better))
