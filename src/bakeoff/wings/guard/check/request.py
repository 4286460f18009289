"""Arguments of a check that are objects, in the JSON of a report, every entry checked."""

from bakeoff.report.reading_back import check_margins, refuse
from bakeoff.wings.guard.check.statistics.baseline_store import HOLDS


def check_own_margins(where: str, value: object) -> None:
    """Check the margins that a request gives to single problems."""
    if value is not None:
        check_margins(where, value)


def check_context(where: str, value: object) -> None:
    """Check what a request holds of the files besides scores."""
    if not isinstance(value, dict) or not set(value) <= set(CONTEXT):
        refuse(where, f"an object of {', '.join(CONTEXT)}", value)
    for key, entry in value.items():
        if not HOLDS[CONTEXT[key]](entry):
            refuse(f"{where}.{key}", CONTEXT[key], entry)


CONTEXT = {
    **dict.fromkeys(("failed", "failed_before", "about", "accepted"), "an object of texts"),
    **dict.fromkeys(("noted", "exact"), "a list of texts"),
    **dict.fromkeys(("iterations", "looks"), "a whole number from 1 on"),
    **dict.fromkeys(("today", "always_first"), "a text"),
    "together": "true or false",
    "unit": "a text or null",
}
