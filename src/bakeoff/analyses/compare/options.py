"""The arguments that ``bakeoff compare`` makes of its options."""

from typing import TYPE_CHECKING

from bakeoff.cli.call import Call
from bakeoff.cli.options import number_or_text
from bakeoff.cli.terminal import counter
from bakeoff.errors import ParameterError

MISSING = ("bounds", "common")

if TYPE_CHECKING:
    from bakeoff.analyses.compare.statistics import Comparison


def compared(call: Call) -> "Comparison":
    """Read and compare."""
    import bakeoff as bo

    arguments = call.arguments
    if posthoc := [name.strip() for names in arguments.pop("posthoc", ()) for name in names.split(",") if name.strip()]:
        arguments["posthoc"] = _corrections(posthoc)
    if also := [name.strip() for names in arguments.pop("also", ()) for name in names.split(",") if name.strip()]:
        arguments["also"] = also
    if "margin" in arguments:
        arguments["margin"] = number_or_text(arguments["margin"])
    missing = arguments.get("missing")
    if missing in MISSING:
        arguments["missing"] = "keep"  # of reading; these say what such cells may be
    scores = call.scores()
    if arguments.get("unit") == "cluster" and scores.clusters is None:
        raise ParameterError("--unit cluster: this table has no clusters; name their column with --cluster COLUMN")
    comparison: Comparison = call.result(
        scores, bo.compare, missing=missing if missing in MISSING else None, progress=counter("pairs tested")
    )
    return comparison


def _corrections(names: list[str]) -> str | list[str]:
    if "all" not in names:
        return names
    if len(names) > 1:
        raise ParameterError("--posthoc all computes every correction: give either 'all' or names")
    return "all"
