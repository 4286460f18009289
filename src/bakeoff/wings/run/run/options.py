"""What ``bakeoff run`` makes of its file and options."""

import shlex
from functools import partial
from pathlib import Path
from typing import Any

from bakeoff.cli.call import Call, Reply
from bakeoff.errors import BakeoffError
from bakeoff.wings.run.command_options import begin_anew, chosen_executor, interrupted, stored_in, told_while_waiting


def call_run(call: Call) -> Reply:
    """Run the experiment, or what is left of it."""
    import bakeoff as bo
    from bakeoff.cli.terminal import live_table
    from bakeoff.wings.run.run.live_table import progress_table
    from bakeoff.wings.run.run.reporting.run_page import RunPage

    place, options = call.store, call.arguments
    assert place is not None
    experiment = bo.Experiment.from_toml(call.source)
    name, workers = chosen_executor(experiment, options.get("executor"), options.get("workers"))
    if options.get("fresh"):
        begin_anew(place)
    kept = _kept_runs(place)
    more: dict[str, Any] = {
        name: options[name] for name in ("address", "stop_within", "accept_changed") if name in options
    }
    more |= told_while_waiting(name)
    try:
        with live_table(partial(progress_table, experiment)) as listener:
            result = bo.run(experiment, place, name, workers, listener, **more)
    except KeyboardInterrupt:
        interrupted(call.ctx, place)
    nothing = "Nothing was left to run. " if kept == len(result.contents.rows) else ""
    text = f"{nothing}Stored in {stored_in(place)}.\n"
    text += f"Also: bakeoff compare {shlex.quote(str(place))}"
    return Reply(result=result, last=text, page=RunPage(result, place))


def _kept_runs(place: Path) -> int | None:
    """How many runs the store holds; None without a store that can be read, of which bo.run says why."""
    from bakeoff.wings.run.store.contents import read_store

    try:
        return len(read_store(place).rows) if place.exists() else None
    except BakeoffError:
        return None
