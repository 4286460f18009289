"""The hook of ``bakeoff runtimes``."""

from typing import TYPE_CHECKING, Any

from bakeoff.cautions import caution_of
from bakeoff.cli.call import Call
from bakeoff.cli.options import number_or_text
from bakeoff.cli.sources import evaluations_to, keep_failed_runs, with_source_cautions
from bakeoff.errors import ParameterError, ReadingError
from bakeoff.inputs import is_store, of_tables
from bakeoff.reading.table import matching

if TYPE_CHECKING:
    from bakeoff.errors import Caution
    from bakeoff.scores import Scores

_OF_CAPS = ("layout", "problem", "algorithm", "run", "status", "ok", "decimal", "sheet", "only", "no_header")


def call_runtimes(call: Call) -> Any:
    """Read the times, and the caps if a column holds them."""
    import bakeoff as bo

    file, arguments = call.source, call.arguments
    if not is_store(file):
        keep_failed_runs(arguments)
    if "ties" in arguments:
        arguments["ties"] = number_or_text(arguments["ties"])
    cap = arguments.pop("cap", None)
    reading = {name: arguments[name] for name in _OF_CAPS if name in arguments}
    labels = arguments.get("label")
    if cap is not None and matching([cap], "score"):
        arguments["drop"] = [*arguments.get("drop", ()), cap]  # a limit is no score
    arguments |= evaluations_to(arguments.pop("target", None), file, arguments)
    call.better = "lower"
    scores = call.scores()
    different = None
    if cap is not None:
        arguments["cap"], different = _caps(file, labels, cap, scores, reading)
    if different:
        return with_source_cautions(bo.runtimes(scores, **arguments), (different,))
    return call.result(scores)


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
    """Name runs that were solved within their own limit, and count as timeouts at the smallest of their problem."""
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
