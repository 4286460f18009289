"""The answer of ``bakeoff race``: a race that is run, replayed on a table, or shown as it is stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from bakeoff.cli.call import Call, Reply
from bakeoff.cli.options import READING, read_table, require_better
from bakeoff.errors import ParameterError
from bakeoff.inputs import is_store
from bakeoff.wings.run.run.options import RACING, make_missing_runs, method_options, stored_in

if TYPE_CHECKING:
    from bakeoff.wings.run.racing.results import RaceResult

_RUNNING = ("store", "workers", "executor", "accept_changed", "fresh", "stop_within", "address")
_REPLAYING = ("better", "order", *READING)


def call_race(call: Call) -> RaceResult | Reply:
    """Run an experiment, replay a race on a table, or show a stored one."""
    import bakeoff as bo
    from bakeoff.wings.run._race import stored_race

    file, chosen_options = call.source, call.arguments
    place = call.store
    replay, settings = chosen_options.pop("replay", None), chosen_options.pop("settings", ())
    how: dict[str, Any] = {name: chosen_options.pop(name) for name in RACING if name in chosen_options}
    how |= method_options(settings, how.get("method", "e-sign"))
    if call.better is not None:
        chosen_options["better"] = call.better
    if place is not None and Path(file).suffix.lower() == ".toml" and not replay:
        chosen_options.pop("store", None)
        _refuse(chosen_options, _REPLAYING, "the experiment file sets this; leave it out")
        experiment = bo.Experiment.from_toml(file)
        how.setdefault("alpha", experiment.question.alpha)
        result = make_missing_runs(call, experiment, place, bo.race, **how)
        last = f"Stored in {stored_in(place)}; the same command shows it again, or resumes it."
        return Reply(result=result, last=last)
    if is_store(file) and _holds_race(file):
        stray = [*(f"--{name}" for name in (*how, *chosen_options)), *(["--replay"] if replay else [])]
        if stray:
            raise ParameterError(f"{stray[0]}: {file!r} holds a race, which is shown unchanged; leave it out")
        return stored_race(Path(file))
    _refuse(chosen_options, _RUNNING, "the file is a finished table, so nothing is run; leave it out")
    require_better(file, call.better, call.ctx)
    better, order = chosen_options.pop("better", None), _order(chosen_options.pop("order", None))
    return bo.race.replay(read_table(file, better, chosen_options), order=order, **how)


def _holds_race(file: str) -> bool:
    from bakeoff.wings.run.design.race_settings import is_race
    from bakeoff.wings.run.store.contents import read_store

    return is_race(read_store(Path(file)).spec)


def _order(text: str | None) -> str | int | None:
    if text is None or text == "given":
        return text
    if not text.isascii() or not text.isdigit():
        raise ParameterError(f"--order must be 'given' or a seed (a whole number); got {text!r}")
    return int(text)


def _refuse(options: dict[str, Any], names: tuple[str, ...], why: str) -> None:
    for name in names:
        if name in options:
            raise ParameterError(f"--{name.replace('_', '-')}: {why}")
