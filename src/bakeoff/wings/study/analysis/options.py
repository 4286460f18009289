"""The options of ``bakeoff study power`` as a call of the library."""

from typing import Any

import click

from bakeoff.cli.call import Call
from bakeoff.errors import ParameterError


def studied(call: Call) -> Any:
    """Draw problems, or scores of known truth where ``--shift`` is given."""
    import bakeoff as bo

    for name in ("a", "b"):
        if name not in call.arguments:
            raise click.UsageError(f"--{name} NAME is required: the pair to study", call.ctx)
    call.arguments = _as_arguments(call.arguments)
    study = bo.study.known_truth if "shift" in call.arguments else bo.study.power
    scores = call.scores()
    return study(scores, progress=call.progress, **call.arguments)


def _as_arguments(options: dict[str, Any]) -> dict[str, Any]:
    """The options as the library takes them."""
    known = "shift" in options
    for name in ("bias", "lead") if known else ("null",):
        if name in options:
            beside = (
                "has no meaning with --shift: all problems are equally likely to be drawn" if known else "needs --shift"
            )
            raise ParameterError(beside, parameter=name)
    for name in ("bias", "shift"):
        if name in options:
            options[name] = _numbers(name, options[name])
    if "tests" in options:
        options["tests"] = [part.strip() for text in options["tests"] for part in text.split(",") if part.strip()]
    if "null" in options:
        options["null"] = options["null"][0] if options["null"] in (("pair",), ("all",)) else list(options["null"])
    if "scale" in options and options["scale"] != "sd":
        try:
            options["scale"] = float(options["scale"])
        except ValueError:
            raise ParameterError(f"must be sd or a number; got {options['scale']!r}", parameter="scale") from None
    return options


def _numbers(name: str, text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(f"must be numbers with commas between them; got {text!r}", parameter=name) from None
