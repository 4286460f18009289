"""Commands that give the scores in one file to one function of the library."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.options import given, read_table, require_better, show
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.stores import with_store_cautions

if TYPE_CHECKING:
    from bakeoff.reportable import Reportable


def show_analysis(
    analyse: Callable[..., Reportable],
    ctx: click.Context,
    file: str,
    better: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    options: dict[str, Any],
    **more: Any,
) -> None:
    """Print what ``analyse`` says of the scores in ``file``, and write the reports; ``more`` are further arguments."""
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    import bakeoff as bo

    _ = bo.read_scores  # with ``analyse`` everything that is needed is loaded
    gc.freeze()
    gc.enable()
    wanted = given(options)
    scores = read_table(file, better, wanted)
    show(with_store_cautions(file, analyse(scores, **wanted, **more)), ctx, as_json, targets)
