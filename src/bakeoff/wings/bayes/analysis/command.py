"""``bakeoff bayes``: a table of scores in, probabilities out."""

import gc
from typing import Any

import click

from bakeoff.checks import choice
from bakeoff.cli.analyses import parameters, show_analysis
from bakeoff.cli.options import BETTER, FILE, Command, read_table, require_better, show, table_options, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

METHODS = ("overview", "plackett-luce")


@click.command(name="bayes", cls=Command)
@FILE
@BETTER
@click.option(
    "--method",
    metavar="NAME",
    help="overview (default): who is better than whom, without a model. plackett-luce: who comes first on the next "
    "problem, who is strongest, by a model of whole rankings.",
)
@parameters("bayes")
@click.option("--a", metavar="NAME", help="With --b: compare these two and drop all others from the table.")
@click.option("--b", metavar="NAME", help="See --a.")
@table_options
@click.pass_context
def command(
    ctx: click.Context, /, file: str, better: str | None, as_json: bool, reports: tuple[str, ...], **options: Any
) -> None:
    """How probable is it that one algorithm is better, and who is best?

    FILE is a table of scores: wide (problem names, then a column per algorithm) or long (columns problem, algorithm,
    score, perhaps run). A store of runs (.sqlite) needs no --better. "-" reads standard input.

    \b
    bakeoff bayes results.csv --better lower
    bakeoff bayes results.csv --better higher --rope 0.01 --report report.html
    bakeoff bayes results.csv --better lower --method plackett-luce
    """
    require_better(file, better, ctx)
    method = choice("method", options.pop("method") or METHODS[0], METHODS)
    if method == "plackett-luce":
        import bakeoff as bo

        _refuse_options_of_the_overview(options)
        show_analysis(bo.bayes.plackett_luce, ctx, file, better, as_json, reports, options)
        return
    targets = find_targets(reports, file, parts=True)
    show(_overview(file, better, options), ctx, as_json, targets)


def _refuse_options_of_the_overview(options: dict[str, Any]) -> None:
    """--only chooses algorithms; the others have no meaning here."""
    for name in ("control", "a", "b", "rope", "prior"):
        if options.pop(name, None) is not None:
            why = "--only NAME compares some algorithms alone" if name in ("control", "a", "b") else "leave it out"
            raise ParameterError(f"--{name} belongs to --method overview; with plackett-luce {why}")


def _overview(file: str, better: str | None, options: dict[str, Any]) -> Any:
    """Read the scores, select --a and --b if given, and compute the overview."""
    import bakeoff as bo

    arguments = without_unset(options)
    two = [arguments.pop(name) for name in ("a", "b") if name in arguments]
    if len(two) == 1:
        raise ParameterError("--a and --b name the two algorithms to compare: give both")
    if two and two[0] == two[1]:
        raise ParameterError(f"--a and --b must name two different algorithms; both are {two[0]!r}")
    if two and "control" in arguments:
        raise ParameterError(
            "--control shows pairs of the whole table, --a and --b compare one pair alone; give one of them"
        )
    _, overview = bo.read_scores, bo.bayes.overview  # loads everything that is needed
    gc.freeze()
    gc.enable()
    scores = read_table(file, better, arguments)
    if two:
        for name, parameter in zip(two, ("a", "b"), strict=True):
            scores.index(name, parameter)  # names the option of an unknown name
        scores = scores.select(algorithms=two)
    return overview(scores, **arguments, progress=counter("parts computed", patience=0.0))
