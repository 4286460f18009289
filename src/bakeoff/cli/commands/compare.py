"""``bakeoff compare``: a table of scores in, a verdict out."""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

import click

from bakeoff.cli.options import (
    BETTER,
    FILE,
    ListingOption,
    as_options,
    find_targets,
    given,
    read_table,
    require_better,
    show,
    table_options,
)
from bakeoff.cli.stores import with_store_cautions
from bakeoff.errors import BakeoffError, ParameterError


def _omnibus() -> str:
    from bakeoff.omnibus import OMNIBUS

    return f"Does any differ? {_listed(OMNIBUS)}."


def _pairwise() -> str:
    from bakeoff.posthoc import PAIRWISE

    return f"The raw test of a pair: {', '.join(PAIRWISE)}. Default: as the omnibus ranks."


def _posthoc() -> str:
    from bakeoff.comparison.catalogue import corrections
    from bakeoff.comparison.corrections import DEFAULT_OF_PAIRS, DEFAULT_WITH_CONTROL
    from bakeoff.posthoc import POSTHOC

    def listed(control: bool, default: str) -> str:
        after = {name: test.omnibus for name, test in POSTHOC.items()}
        names = [f"{c.name} (after {after[c.name]})" if after.get(c.name) else c.name for c in corrections(control)]
        return _listed(sorted(names, key=lambda name: name != default))

    return (
        "Correction, repeatable or comma-separated; the first decides. 'all' computes every one of the family. "
        f"With a control: {listed(True, DEFAULT_WITH_CONTROL)}. All pairs: {listed(False, DEFAULT_OF_PAIRS)}."
    )


def _listed(names: Iterable[str]) -> str:
    """The default first, and marked."""
    default, *others = names
    return ", ".join([f"{default} (default)", *others])


@click.command(name="compare")
@FILE
@BETTER
@click.option("--control", metavar="NAME", help="Compare every algorithm with this one; otherwise all pairs.")
@click.option("--omnibus", metavar="NAME", cls=ListingOption, describe=_omnibus)
@click.option("--pairwise", metavar="NAME", cls=ListingOption, describe=_pairwise)
@click.option("--posthoc", metavar="NAME", multiple=True, cls=ListingOption, describe=_posthoc)
@click.option("--recipe", metavar="NAME", help="A paper's protocol: demsar-2006, garcia-2010, derrac-2011.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Family-wise level.")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """Which algorithms differ, which is better, and how sure are we?

    FILE holds the scores: wide (problem names first, then a column per algorithm) or long (columns problem,
    algorithm, score and perhaps run), or is a store of runs (.sqlite), which knows which scores are good. "-" reads
    standard input.

    \b
    bakeoff compare results.csv --better lower
    bakeoff compare results.csv --better higher --control ours --report report.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file)
    try:
        comparison = _compare(file, better, options)
    except BakeoffError as error:
        raise click.ClickException(as_options(str(error), ctx.command)) from error
    show(comparison, ctx, as_json, targets)


def _compare(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """Read and compare."""
    import bakeoff as bo
    from bakeoff.cli.counter import counter

    wanted = given(options)
    if posthoc := [name.strip() for names in wanted.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        wanted["posthoc"] = _corrections(posthoc)
    _, compare = bo.read_scores, bo.compare  # all that is needed is loaded now
    gc.enable()
    found = compare(read_table(file, better, wanted), **wanted, progress=counter("pairs tested"))
    return with_store_cautions(file, found)


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all already computes every correction; give either 'all' or names")
    return "all"
