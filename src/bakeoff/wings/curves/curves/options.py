"""The hook of ``bakeoff curves``."""

from collections.abc import Sequence
from typing import Any

import click

from bakeoff.cli.call import Call, Reply
from bakeoff.cli.options import require_better
from bakeoff.errors import ParameterError


def call_curves(call: Call) -> Reply:
    """Read the curves and judge them, with a line at a budget or to a target below."""
    import bakeoff as bo
    from bakeoff.wings.curves.curves.reporting import budget_line, target_line

    arguments, files = call.arguments, call.source.files
    require_better(call.source, call.better, call.ctx)
    latest, budget, target = (arguments.pop(name, None) for name in ("latest", "fixed_budget", "fixed_target"))
    result = bo.curves(source_of(files, arguments), better=call.better, best_so_far=not latest, **arguments)  # type: ignore[arg-type]
    lines = []
    if budget is not None:
        try:
            lines.append(budget_line(result, budget))
        except ParameterError as error:
            raise ParameterError(f"--at {error.rule}") from None
    if target is not None:
        lines.append(target_line(result, target))
    return Reply(result=result, last="\n".join(lines))


def source_of(files: Sequence[str], arguments: dict[str, Any]) -> Any:
    """A file, several, or those of ``--label`` by name, which leaves the arguments."""
    labels = arguments.pop("label", None)
    if labels and files:
        raise click.UsageError("give files, or --label NAME=FILE, not both")
    return labels or (files[0] if len(files) == 1 else list(files))
