"""What ``bakeoff curves`` makes of its options."""

from typing import Any

import click

from bakeoff.cli.call import Call, Reply
from bakeoff.cli.sources import require_better
from bakeoff.errors import ParameterError


def call_curves(call: Call) -> Reply:
    """Read the curves and judge them, with a line at a budget or to a target below."""
    import bakeoff as bo

    arguments, files = call.arguments, call.source.files
    require_better(call.source, call.better, call.ctx)
    latest, budget, target = (arguments.pop(name, None) for name in ("latest", "fixed_budget", "fixed_target"))
    labels = arguments.pop("label", None)
    if labels and files:
        raise click.UsageError("give files, or --label NAME=FILE, not both", call.ctx)
    source: Any = labels or (files[0] if len(files) == 1 else list(files))
    result = bo.curves(source, better=call.better, best_so_far=not latest, **arguments)  # type: ignore[arg-type]
    return Reply(result=result, last="\n".join(line for line in (_at(result, budget), _to(result, target)) if line))


def _at(result: Any, budget: float | None) -> str:
    if budget is None:
        return ""
    from bakeoff.wings.curves.curves.reporting import budget_line

    try:
        return budget_line(result, budget)
    except ParameterError as error:
        raise ParameterError(f"--at {error.rule}") from None


def _to(result: Any, target: float | None) -> str:
    if target is None:
        return ""
    from bakeoff.wings.curves.curves.reporting import target_line

    return target_line(result, target)
