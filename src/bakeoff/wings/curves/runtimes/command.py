"""``bakeoff runtimes``: times of which some were stopped at a cap."""

import gc
from typing import TYPE_CHECKING, Any

import click

from bakeoff.cautions import caution_of
from bakeoff.cli.analyses import parameters
from bakeoff.cli.options import FILE, Command, number_or_text, read_table, show, table_options, without_unset
from bakeoff.cli.report_files import find_targets
from bakeoff.cli.sources import TARGET, evaluations_to, keep_failed_runs, of_tables
from bakeoff.cli.stores import is_store, with_source_cautions, with_store_cautions
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.reading.table import matching

if TYPE_CHECKING:
    from bakeoff.errors import Caution
    from bakeoff.scores import Scores

_OF_CAPS = ("layout", "problem", "algorithm", "run", "status", "ok", "decimal", "sheet", "only", "no_header")


@click.command(name="runtimes", cls=Command)
@FILE
@parameters("runtimes")
@TARGET
@table_options
@click.pass_context
def command(ctx: click.Context, /, file: str, as_json: bool, reports: tuple[str, ...], **options: Any) -> None:
    """Which algorithm is faster where some runs were stopped, and does what a timeout counts decide?

    FILE has the time of each algorithm on each problem. It is a long table (columns problem, algorithm, score, perhaps
    run, cluster and status), a wide one, or what another program wrote. Less is better. A run whose status is not ok
    has no time; it counts as unsolved. "-" reads standard input.

    \b
    bakeoff runtimes times.csv --cap 5000 --ties 5%
    bakeoff runtimes runs.csv --score seconds --status status --cap 5000 --cluster family --report report.html
    """
    targets = find_targets(reports, file)
    import bakeoff as bo

    arguments = without_unset(options)
    if not is_store(file):
        keep_failed_runs(arguments)
    _, runtimes = bo.read_scores, bo.runtimes  # loads everything that is needed
    gc.freeze()
    gc.enable()
    if "ties" in arguments:
        arguments["ties"] = number_or_text(arguments["ties"])
    cap = arguments.pop("cap", None)
    reading = {name: arguments[name] for name in _OF_CAPS if name in arguments}
    labels = arguments.get("label")
    if cap is not None and matching([cap], "score"):
        arguments["drop"] = [*arguments.get("drop", ()), cap]  # a limit is no score
    arguments |= evaluations_to(arguments.pop("target", None), file, arguments)
    scores = read_table(file, "lower", arguments)
    different = None
    if cap is not None:
        arguments["cap"], different = _caps(file, labels, cap, scores, reading)
    result = runtimes(scores, **arguments)
    result = with_source_cautions(result, (different,)) if different else with_store_cautions(file, result)
    show(result, ctx, as_json, targets)


def _caps(
    file: str, labels: "dict[str, str] | None", cap: str, scores: "Scores", reading: dict[str, Any]
) -> "tuple[float | dict[str, float], Caution | None]":
    """A number, or by problem from the column of this name: of several limits the smallest, at which times are cut."""
    try:
        return float(cap), None
    except ValueError:
        pass
    if file == "-":
        raise ParameterError(
            f"must be a number if the table comes from standard input, which is read once; got {cap!r}. Save the "
            "table to a file",
            parameter="cap",
        )
    import bakeoff as bo

    status = reading.pop("status", "status" if scores.status is not None else None)
    reading["drop"] = [] if status is None else [status]  # a limit is no result of the run
    reading["keep"] = [*scores.problems, *scores.algorithms]  # the limit of a problem is no summary of the others
    try:
        limits = bo.read_scores(of_tables(file, labels), "lower", score=cap, missing="keep", **reading)
    except ReadingError as error:
        if f"no column {cap!r}" not in str(error):
            raise
        rest = str(error).split("; ", 1)[-1]
        raise ParameterError(f"must be a number, or a column; no column {cap!r}: {rest}", parameter="cap") from None
    runs = limits.values[:, :, None] if limits.runs is None else limits.runs
    least = {
        name: min((x for x in cells.ravel().tolist() if x == x), default=None)
        for name, cells in zip(limits.problems, runs, strict=True)
    }
    caps = {name: x for name in scores.problems if (x := least.get(name)) is not None}
    return caps, _different_caps(scores, limits, caps)


def _different_caps(scores: "Scores", own: "Scores", caps: dict[str, float]) -> "Caution | None":
    """Of runs that were solved within their own limit, and count as timeouts at the smallest of their problem."""
    import numpy as np

    from bakeoff.errors import counted, listing

    times, limits = (s.values[:, :, None] if s.runs is None else s.runs for s in (scores, own))
    most = np.where(np.isnan(limits), -np.inf, limits).max(axis=2)
    cut = np.zeros(scores.n_algorithms, dtype=int)
    for i, problem in enumerate(scores.problems):
        for j, name in enumerate(scores.algorithms):
            if problem in caps and problem in own.problems and name in own.algorithms:
                limit = most[own.problems.index(problem), own.algorithms.index(name)]
                solved = times[i, j] < limit if scores.status is None else times[i, j] <= limit
                late = times[i, j] >= caps[problem] if scores.status is None else times[i, j] > caps[problem]
                cut[j] += int((solved & late & np.isfinite(times[i, j])).sum())
    if not cut.any():
        return None
    names = listing(
        f"{counted(n, 'run')} of {name}" for name, n in zip(scores.algorithms, cut.tolist(), strict=True) if n
    )
    return caution_of("unequal", "caps", names=names)
