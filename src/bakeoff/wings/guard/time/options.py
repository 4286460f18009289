"""The hook of ``bakeoff time``."""

from __future__ import annotations

from typing import Any

from bakeoff.cli.call import Call, Reply
from bakeoff.errors import ParameterError, plain


def timed(call: Call) -> Reply:
    """Time the commands, with a table on a terminal while they run."""
    import bakeoff as bo
    from bakeoff.cli.terminal import live_table
    from bakeoff.wings.guard.time_table import time_table
    from bakeoff.wings.guard.timing._time_commands import TimingInterrupted

    arguments = call.arguments
    store = arguments.pop("store", None)
    if "cores" in arguments:
        arguments["cores"] = core_numbers(arguments["cores"])
    commands = _named(call.source, arguments.pop("names", ()))
    last = "" if store is None else f"Stored in {store}; the same command shows it again, or goes on."
    try:
        with live_table(time_table) as listener:
            result = bo.time_commands(commands, file=store, progress=listener, **arguments)
    except TimingInterrupted as stopped:
        note = "bakeoff: interrupted; the finished rounds are above"
        return Reply(result=stopped.timing, last=last, note=note, exit_code=130)
    return Reply(result=result, last=last)


def _named(commands: tuple[str, ...], names: tuple[str, ...]) -> Any:
    """Commands by name, if names were given."""
    if not names:
        return list(commands)
    if len(names) != len(commands):
        raise ParameterError(f"--name must be given for each of the {len(commands)} commands; got {len(names)}")
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ParameterError(f"--name must be different for each command; got {plain(twice[0])!r} twice")
    return dict(zip(names, commands, strict=True))


def core_numbers(text: str) -> list[int]:
    """``0,2-3`` as numbers."""
    cores: list[int] = []
    for part in text.split(","):
        low, dash, high = part.strip().partition("-")
        if not low.isdecimal() or (dash and not high.isdecimal()) or (dash and int(high) - int(low) > 4096):
            raise ParameterError(f"--cores must be numbers such as 2 or 2-3 or 0,2; got {text!r}")
        cores += range(int(low), int(high or low) + 1)
    return cores
