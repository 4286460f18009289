"""What the formats of black-box optimization share: names of problems, and targets."""

import re

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError
from bakeoff.wings.formats.measurement import Choices, part_name

PARTS = ("function", "dimension", "instance")


def problem_of(function: str, dimension: str, instance: str, choices: Choices, default: str) -> str:
    """``Sphere/d2/i1``: the parts that the user names (``function,dimension``), else those of the format."""
    parts = {"function": function, "dimension": f"d{dimension}", "instance": f"i{instance}"}
    names = [name.strip() for name in (choices.problem or default).split(",")]
    for name in names:
        if name not in parts:
            rule = f"must be some of {', '.join(PARTS)}, separated by commas"
            raise ParameterError(f"{rule}; got {name!r}{did_you_mean(name, PARTS)}", parameter="problem")
    return part_name(*(parts[name] for name in PARTS if name in names))


def function_cluster(function: str, choices: Choices) -> str | None:
    """The function, of which a problem is a dimension or an instance; none where a problem is of all functions."""
    return function if choices.problem is None or "function" in map(str.strip, choices.problem.split(",")) else None


def target_of(metric: str | None) -> float | None:
    """``evals to 1e-2``: evaluations until the target is reached."""
    if metric is None or not (match := re.fullmatch(r"evals to (\S+)", metric)):
        return None
    try:
        return float(match[1])
    except ValueError:
        raise ParameterError(
            f"must name a number as the target (evals to 1e-2); got {metric!r}", parameter="metric"
        ) from None
