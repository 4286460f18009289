"""``bakeoff compare``: a table of scores in, a verdict out."""

import gc
from typing import Any

import click

from bakeoff.cli.options import (
    BETTER,
    FILE,
    Command,
    ListingOption,
    add_options,
    given,
    listed,
    number_or_text,
    read_table,
    require_better,
    show,
    table_options,
)
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.stores import with_store_cautions
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError


def _omnibus() -> str:
    from bakeoff.omnibus import OMNIBUS

    return f"Test of any difference at all: {listed(OMNIBUS)}."


def _pairwise() -> str:
    from bakeoff.posthoc import PAIRWISE

    names = sorted(PAIRWISE, key=lambda name: name != "wilcoxon")
    return (
        f"Test of each pair, before correction: {listed(names)}; nemenyi implies mean-ranks, tukey and dunnett t. "
        "Tests on ranks keep the family-wise error only if all algorithms are alike."
    )


def _standard_error() -> str:
    from bakeoff.posthoc.pairs import STANDARD_ERRORS

    return f"Of tests on ranks: {listed(STANDARD_ERRORS)}, as printed (for nemenyi the default)."


def _posthoc() -> str:
    from bakeoff.comparison.catalogue import corrections
    from bakeoff.comparison.corrections import DEFAULT_OF_PAIRS, DEFAULT_WITH_CONTROL
    from bakeoff.posthoc import POSTHOC

    def of_family(control: bool, default: str) -> str:
        after = {name: test.omnibus for name, test in POSTHOC.items()}
        names = [f"{c.name} (after {after[c.name]})" if after.get(c.name) else c.name for c in corrections(control)]
        return listed(sorted(names, key=lambda name: name != default))

    return (
        "Correction, repeatable or comma-separated; the first decides. 'all' computes every one of the family. "
        f"With a control: {of_family(True, DEFAULT_WITH_CONTROL)}. All pairs: {of_family(False, DEFAULT_OF_PAIRS)}."
    )


def recipes() -> str:
    from bakeoff.comparison.recipes import RECIPES

    return f"A paper's protocol: {', '.join(RECIPES)}."


analysis_options = add_options(
    click.option("--control", metavar="NAME", help="Compare every algorithm with this one. Default: all pairs."),
    click.option("--omnibus", metavar="NAME", cls=ListingOption, describe=_omnibus),
    click.option("--pairwise", metavar="NAME", cls=ListingOption, describe=_pairwise),
    click.option("--posthoc", metavar="NAME", multiple=True, cls=ListingOption, describe=_posthoc),
    click.option("--standard-error", metavar="NAME", cls=ListingOption, describe=_standard_error),
    click.option("--transform", metavar="NAME", help="log: differences of logarithms, where problems differ in scale."),
    click.option(
        "--unit",
        metavar="NAME",
        help="cluster (default where the problems have clusters: their means are tested) or problem (each by itself).",
    ),
)
"""What decides the verdicts, for ``bakeoff sensitivity`` as well."""


@click.command(name="compare", cls=Command)
@FILE
@BETTER
@analysis_options
@click.option(
    "--seed", "rng", type=int, metavar="N", help="Sample the law of the omnibus test, where its exact one takes long."
)
@click.option("--effect", metavar="NAME", help="difference (default), percent, log-ratio or a12: scale of the effects.")
@click.option("--intervals", metavar="NAME", help="simultaneous (default): all cover at once; single: each by itself.")
@click.option(
    "--margin",
    metavar="M",
    help='Smallest difference that matters, in score units or as "5%": which pairs are equal, or one not worse?',
)
@click.option("--recipe", metavar="NAME", cls=ListingOption, describe=recipes)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Family-wise level.")
@click.option("--sensitivity", is_flag=True, help="Also: what would change each verdict, as bakeoff sensitivity says.")
@click.option(
    "--leaderboard",
    is_flag=True,
    help="Also: who may be best, possible ranks, as bakeoff leaderboard says (mean ranks).",
)
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

    FILE is a table of scores, wide (problem names, then a column per algorithm) or long (columns problem, algorithm,
    score and optionally run); or a store of runs (.sqlite), which needs no --better. "-" reads standard input.

    \b
    bakeoff compare results.csv --better lower
    bakeoff compare results.csv --better higher --control ours --report report.html
    """
    require_better(file, better, ctx)
    targets = find_targets(reports, file, parts=True)
    found = compared(file, better, options)
    if sensitivity and leaderboard:
        raise ParameterError("--sensitivity and --leaderboard: ask for one of them")
    if leaderboard:
        found = _ranked(found, options)
    show(_examined(found, options["rng"]) if sensitivity else found, ctx, as_json, targets)


def _ranked(found: Any, options: dict[str, Any]) -> Any:
    """With a leaderboard of mean ranks, which suit scores of any size as the tests of a comparison do."""
    import bakeoff as bo
    from bakeoff.leaderboards import RankedComparison

    if found.scores.holes.any():
        raise ParameterError("--leaderboard ranks complete problems: say --missing drop or worst, or leave it out")
    board = bo.leaderboard(found.scores, options["alpha"], options["rng"], by="mean-rank", unit=options["unit"])
    return RankedComparison(comparison=found, leaderboard=board)


def _examined(found: Any, seed: int | None) -> Any:
    """With what would change its verdicts."""
    import bakeoff as bo
    from bakeoff.robustness import ExaminedComparison

    examined = bo.sensitivity(found, rng=seed, progress=counter("tables examined"))
    return ExaminedComparison(comparison=found, sensitivity=examined)


def compared(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """Read and compare."""
    import bakeoff as bo

    wanted = given(options)
    if posthoc := [name.strip() for names in wanted.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        wanted["posthoc"] = _corrections(posthoc)
    if "margin" in wanted:
        wanted["margin"] = number_or_text(wanted["margin"])
    _, compare = bo.read_scores, bo.compare  # loads everything that is needed
    gc.freeze()
    gc.enable()
    if bounds := wanted.get("missing") == "bounds":
        wanted["missing"] = "keep"  # of reading; the bounds are over what these cells may be
    scores = read_table(file, better, wanted)
    if wanted.get("unit") == "cluster" and scores.clusters is None:
        raise ParameterError("--unit cluster: this table has no clusters; name their column with --cluster COLUMN")
    found = compare(scores, **wanted, missing="bounds" if bounds else None, progress=counter("pairs tested"))
    return with_store_cautions(file, found)


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all computes every correction: give either 'all' or names")
    return "all"
