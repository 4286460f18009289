"""``--option NAME=VALUE``: options of a racing method."""

from collections.abc import Sequence
from typing import Any

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError

RACING = ("method", "alpha", "budget", "block", "tolerance")  # have options of their own


def method_options(texts: Sequence[str], method: str) -> dict[str, Any]:
    """``strict=true``: values in TOML; anything that is not TOML is text."""
    if not texts:
        return {}
    import tomllib

    from bakeoff.racing.rules import options_of

    known = [name for name in options_of(method) if name not in RACING]
    found: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.isidentifier() or "\n" in value:
            raise ParameterError(f"--option must be NAME=VALUE, for example strict=true; got {text!r}")
        if name not in known:
            has = f"has the options {', '.join(known)}" if known else "has no options"
            raise ParameterError(f"--option {name}: method {method!r} {has}{did_you_mean(name, known)}")
        try:
            found[name] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError:
            found[name] = value
    return found
