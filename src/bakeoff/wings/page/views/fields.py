"""The form of an analysis, from the record of its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from bakeoff.analyses import by_command
from bakeoff.analysis import Analysis
from bakeoff.parameter import Parameter
from bakeoff.wings.page.views.view import Facts, FormField, Kind, View, names_in

_LABELS = {
    "alpha": "Level α",
    "control": "Control",
    "rng": "Seed",
    "n_resamples": "Resamples",
    "n_draws": "Draws",
    "unit": "What is independent",
}

ALPHA = FormField(name="alpha", label="Level α", python="number", default="0.05", example="0.05", further=True)


def form(command: str, *shown: str, without: Sequence[str] = (), **own: dict[str, Any]) -> tuple[FormField, ...]:
    """Every parameter of the command but those ``without``: ``shown`` first, the others behind "More choices".

    ``own`` are attributes of a field that differ from those that the record gives.
    """
    record = by_command().get(command)
    parameters = {p.name: p for p in (record.parameters if record else ()) if p.on_command and p.name not in without}
    order = [name for name in shown if name in parameters]
    order += [name for name in parameters if name not in shown]
    return tuple(field(parameters[name], further=name not in shown, **own.get(name, {})) for name in order)


def view_of(record: Analysis) -> View:
    """The view of an analysis that takes a table and nothing else."""
    assert record.tab is not None
    return View(
        name=record.command,
        title=record.tab.title,
        question=record.tab.question,
        choices=form(record.command, *record.tab.shown),
    )


def field(parameter: Parameter, **own: Any) -> FormField:
    """The control of one parameter."""
    is_flag, is_named = parameter.type is bool, bool(parameter.choices) and not parameter.registered
    default = f"{parameter.default:g}" if isinstance(parameter.default, int | float) and not is_flag else ""
    attributes: dict[str, Any] = {
        "label": parameter.label or _LABELS.get(parameter.name) or _label(parameter),
        "option": parameter.option,
        "python": _kind(parameter),
        "each": parameter.repeatable,
        "default": default,
        "example": default,
        "hint": "" if is_named or parameter.registered else parameter.help,
    }
    if parameter.name in ("control", "reference"):
        attributes["offered"] = partial(_names, parameter.usual)
    elif is_named:
        attributes["offered"] = partial(_choices, parameter)
    if parameter.name == "unit":
        attributes["shown"] = lambda facts: bool(facts.get("clusters"))
    return FormField(name=parameter.name, **(attributes | own))


def _label(parameter: Parameter) -> str:
    return parameter.help if parameter.choices else parameter.name.replace("_", " ").capitalize()


def _kind(parameter: Parameter) -> Kind:
    if parameter.type is bool:
        return "flag"
    return "text" if parameter.type is str else "number or text" if parameter.text_too else "number"


def _names(usual: str, facts: Facts) -> Iterable[tuple[str, str]]:
    return names_in("algorithms", facts=facts, usual=usual)


def _choices(parameter: Parameter, facts: Facts) -> Iterable[tuple[str, str]]:
    """The default as the empty value."""
    names = parameter.choices
    default = parameter.usual or parameter.default
    first = f"{default} (default)" if default in names else parameter.usual or "none"
    others = [(name, f"{name}: {words}" if words else name) for name, words in names.items() if name != default]
    return [("", first), *others]
