"""What ``bakeoff compare`` makes of its options."""

from typing import TYPE_CHECKING, Any

from bakeoff.cli.call import Call
from bakeoff.cli.options import number_or_text
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics import Comparison
    from bakeoff.analyses.sensitivity.statistics import ExaminedComparison
    from bakeoff.wings.boards.leaderboard.statistics import RankedComparison


def answered(call: Call) -> Any:
    """Compare, perhaps with what would change the verdicts or with possible ranks."""
    sensitivity, leaderboard = call.arguments.pop("sensitivity"), call.arguments.pop("leaderboard")
    seed, unit = call.arguments.get("rng"), call.arguments.get("unit")
    comparison = compared(call)
    if sensitivity and leaderboard:
        raise ParameterError("--sensitivity and --leaderboard: ask for one of them")
    meta = call.ctx.meta
    meta["bakeoff.details"] = meta.get("bakeoff.details") or sensitivity or leaderboard  # asked for: shown
    if leaderboard:
        return _ranked(comparison, {"rng": seed, "unit": unit})
    return _examined(comparison, seed) if sensitivity else comparison


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


def compared(call: Call) -> "Comparison":
    """Read and compare."""
    import bakeoff as bo

    arguments = call.arguments
    if posthoc := [name.strip() for names in arguments.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        arguments["posthoc"] = _corrections(posthoc)
    if "margin" in arguments:
        arguments["margin"] = number_or_text(arguments["margin"])
    if bounds := arguments.get("missing") == "bounds":
        arguments["missing"] = "keep"  # of reading; the bounds are over what these cells may be
    scores = call.scores()
    if arguments.get("unit") == "cluster" and scores.clusters is None:
        raise ParameterError("--unit cluster: this table has no clusters; name their column with --cluster COLUMN")
    comparison: Comparison = call.result(
        scores, bo.compare, missing="bounds" if bounds else None, progress=counter("pairs tested")
    )
    return comparison


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all computes every correction: give either 'all' or names")
    return "all"
