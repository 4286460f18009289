"""Several metrics at once: a column of the table each, with its direction and its margin."""

from __future__ import annotations

from collections.abc import Iterable

from bakeoff.wings.page.views.fields import ALPHA
from bakeoff.wings.page.views.view import (
    DIRECTIONS,
    READING,
    Facts,
    FormField,
    Values,
    View,
    fixed,
    names_in,
    reading_call,
)
from bakeoff.words import named_direction

_METRICS = (("1", "First metric"), ("2", "Second metric"), ("3", "Third metric"))
LEAST = 2


def _likely(facts: Facts, i: str) -> str:
    """The metric at this place: at first the columns whose names say which direction is good."""
    names = sorted(facts.get("metrics", ()), key=lambda name: named_direction(name) is None)
    return names[int(i) - 1] if int(i) <= min(len(names), LEAST) else ""


def _metric_fields(i: str, label: str) -> Iterable[FormField]:
    further = int(i) > LEAST

    def offered(facts: Facts) -> Iterable[tuple[str, str]]:
        usual = "none" if further else "choose a column"
        return names_in("metrics", facts=facts, usual=usual) if facts.get("metrics") else ()

    yield FormField(
        name=f"metric_{i}",
        label=label,
        offered=offered,
        start=lambda facts: _likely(facts, i),
        example="accuracy",
        further=further,
    )
    yield FormField(
        name=f"better_{i}",
        label="Which of its values are good",
        offered=fixed(("", "choose"), *DIRECTIONS),
        start=lambda facts: named_direction(_likely(facts, i)) or "",
        further=further,
    )
    yield FormField(
        name=f"margin_{i}",
        label="Its margin",
        python="number or text",
        example="0.01 or 5%",
        hint="The smallest difference that matters",
        further=further,
    )


def _chosen(values: Values) -> list[tuple[str, str, str]]:
    """Metric, direction and margin; what is not said is empty."""
    rows = [tuple(values.get(f"{part}_{i}", ("",))[0] for part in ("metric", "better", "margin")) for i, _ in _METRICS]
    return [(name, better, margin) for name, better, margin in rows if name]


def _specifications(values: Values) -> list[str]:
    """For the command line."""
    texts: list[str] = []
    for name, better, margin in _chosen(values):
        texts += ["--metric", f"{name}:{better}:margin={margin}"]
    return [*texts, *ALPHA.arguments(values.get(ALPHA.name, ()))]


def _lines(file: str, values: Values, facts: Facts) -> str:
    """For Python."""
    tables, margins = [], []
    literal = FormField(name="", label="", python="number or text").literal
    for name, better, margin in _chosen(values):
        read = {**values, "better": (better,), "score": (name,), "metric": (name,)}
        tables.append(f"    {name!r}: {reading_call(file, read, facts, True)},\n")
        margins.append(f"{name!r}: {literal(margin)}")
    level = [ALPHA.source_text(values[ALPHA.name])] if ALPHA.name in values else []
    call = ", ".join(["tables", f"{{{', '.join(margins)}}}", *level])
    return f"import bakeoff as bo\ntables = {{\n{''.join(tables)}}}\nresult = bo.tradeoff({call})"


def _lacking(values: Values) -> str:
    """Choices that must be made before anything can be computed."""
    chosen = _chosen(values)
    if len(chosen) < LEAST:
        return "Choose two metrics, each with its direction and the smallest difference that matters."
    for name, better, margin in chosen:
        if not better:
            return f"Choose the direction in which {name} is good: a wrong guess would reverse the verdict on it."
        if not margin:
            return f"Give the smallest difference in {name} that matters, such as 0.01 or 5%: there is no safe default."
    return ""


def _refused(facts: Facts) -> str:
    several = len(facts.get("metrics", ())) >= LEAST or not facts.get("columns")
    if facts.get("foreign") or facts.get("store") or not several:
        return "needs a row per problem and algorithm, and a column of numbers for each metric"
    return ""


TRADEOFF = View(
    name="tradeoff",
    title="Trade-off",
    question="Which algorithm is as good as another in every metric and better in one?",
    reads=tuple(choice.name for choice in READING if choice.name not in ("better", "score", "metric", "rows", "keep")),
    choices=(*(field for i, label in _METRICS for field in _metric_fields(i, label)), ALPHA),
    spelled=_specifications,
    lacking=_lacking,
    refused=_refused,
    directed=False,
    script=_lines,
)
