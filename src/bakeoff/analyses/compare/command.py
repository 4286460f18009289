"""``bakeoff compare``: a table of scores in, a verdict out."""

import gc
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import (
    BETTER,
    DETAILS,
    FILE,
    Command,
    number_or_text,
    read_table,
    require_better,
    show,
    table_options,
    without_unset,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import with_store_cautions
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics import Comparison
    from bakeoff.analyses.sensitivity.statistics import ExaminedComparison
    from bakeoff.wings.boards.leaderboard.statistics import RankedComparison


@click.command(name="compare", cls=Command)
@FILE
@BETTER
@parameters("compare")
@click.option("--sensitivity", is_flag=True, help="Also: what would change each verdict.")
@click.option("--leaderboard", is_flag=True, help="Also: possible ranks, who may be best (mean ranks).")
@DETAILS
@table_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    better: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    sensitivity: bool,
    leaderboard: bool,
    **options: Any,
) -> None:
    """Which algorithms differ, which is better, and how sure are we?

    FILE is a table of scores: wide (problem names, then a column per algorithm) or long (columns problem, algorithm,
    score, perhaps run). A store of runs (.sqlite) needs no --better. "-" reads standard input.

    \b
    bakeoff compare results.csv --better lower
    bakeoff compare results.csv --better higher --control ours --report report.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file, parts=True)
    result = compared(file, better, options)
    if sensitivity and leaderboard:
        raise ParameterError("--sensitivity and --leaderboard: ask for one of them")
    ctx.meta["bakeoff.details"] = ctx.meta.get("bakeoff.details") or sensitivity or leaderboard  # asked for: shown
    if leaderboard:
        show(_ranked(result, options), ctx, as_json, targets)
    else:
        show(_examined(result, options["rng"]) if sensitivity else result, ctx, as_json, targets)


def _ranked(comparison: "Comparison", options: dict[str, Any]) -> "RankedComparison":
    """With a leaderboard of mean ranks, which suit scores of any size as the tests of a comparison do."""
    import bakeoff as bo
    from bakeoff.wings.boards.leaderboard.statistics import RankedComparison

    if comparison.scores.holes.any():
        raise ParameterError(
            "--leaderboard ranks complete problems: pass --missing drop or worst, or leave --leaderboard out"
        )
    board = bo.leaderboard(comparison.scores, comparison.alpha, options["rng"], by="mean-rank", unit=options["unit"])
    return RankedComparison(comparison=comparison, leaderboard=board)


def _examined(comparison: "Comparison", seed: int | None) -> "ExaminedComparison":
    """With what would change its verdicts."""
    import bakeoff as bo
    from bakeoff.analyses.sensitivity.statistics import ExaminedComparison

    examined = bo.sensitivity(comparison, rng=seed, progress=counter("tables examined"))
    return ExaminedComparison(comparison=comparison, sensitivity=examined)


def compared(file: str, better: str | None, options: dict[str, Any]) -> "Comparison":
    """Read and compare."""
    import bakeoff as bo

    arguments = without_unset(options)
    if posthoc := [name.strip() for names in arguments.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        arguments["posthoc"] = _corrections(posthoc)
    if "margin" in arguments:
        arguments["margin"] = number_or_text(arguments["margin"])
    _, compare = bo.read_scores, bo.compare  # loads everything that is needed
    gc.freeze()
    gc.enable()
    if bounds := arguments.get("missing") == "bounds":
        arguments["missing"] = "keep"  # of reading; the bounds are over what these cells may be
    scores = read_table(file, better, arguments)
    if arguments.get("unit") == "cluster" and scores.clusters is None:
        raise ParameterError("--unit cluster: this table has no clusters; name their column with --cluster COLUMN")
    comparison = compare(scores, **arguments, missing="bounds" if bounds else None, progress=counter("pairs tested"))
    result: Comparison = with_store_cautions(file, comparison)
    return result


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all computes every correction: give either 'all' or names")
    return "all"
