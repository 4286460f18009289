"""Arguments of a check that are objects, in the JSON of a report, every entry checked."""

from collections.abc import Callable

from bakeoff.report.reading_back import check_margins, refuse


def check_own_margins(where: str, value: object) -> None:
    """Check the margins that a request gives to single problems."""
    if value is not None:
        check_margins(where, value)


def check_context(where: str, value: object) -> None:
    """Check what a request holds of the files besides scores."""
    if not isinstance(value, dict) or not set(value) <= set(CONTEXT):
        refuse(where, f"an object of {', '.join(CONTEXT)}", value)
    for key, entry in value.items():
        rule, holds = CONTEXT[key]
        if not holds(entry):
            refuse(f"{where}.{key}", rule, entry)


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_object_of_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(each, str) for each in value.values())


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 1


CONTEXT: dict[str, tuple[str, Callable[[object], bool]]] = {
    "failed": ("an object of texts", _is_object_of_texts),
    "failed_before": ("an object of texts", _is_object_of_texts),
    "noted": ("a list of texts", _are_texts),
    "iterations": ("a whole number from 1 on", _is_count),
    "exact": ("a list of texts", _are_texts),
    "about": ("an object of texts", _is_object_of_texts),
    "accepted": ("an object of texts", _is_object_of_texts),
    "today": ("a text", lambda value: isinstance(value, str)),
    "looks": ("a whole number from 1 on", _is_count),
    "together": ("true or false", lambda value: isinstance(value, bool)),
    "always_first": ("a text", lambda value: isinstance(value, str)),
    "unit": ("a text or null", lambda value: value is None or isinstance(value, str)),
}
