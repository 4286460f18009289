"""The form of a view: its controls with what is chosen, and the addresses that hold the choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlencode

from bakeoff.dataclass import dataclass, replace
from bakeoff.wings.page.page_words import in_page_words
from bakeoff.wings.page.views import SHORT, VIEWS, offered_first
from bakeoff.wings.page.views.view import READING, Facts, FormField, Values, View

KEPT_HOLES = (("keep",), ("bounds",), ("common",))


@dataclass(frozen=True, slots=True)
class Control:
    """A choice with what is chosen, and what may be."""

    choice: FormField
    values: tuple[str, ...]
    offered: tuple[tuple[str, str], ...]


def controls(view: View, values: Values, facts: Facts) -> list[Control]:
    """Those that mean something for this table."""
    own = [c for c in view.controls if c.name != "better" or (view.directed and facts.get("asks_direction"))]
    return controls_of(own, values, facts)


def controls_of(choices: Iterable[FormField], values: Values, facts: Facts) -> list[Control]:
    """Whatever is chosen is shown, even if it would not be offered."""
    return [
        Control(
            replace(choice, hint=in_page_words(choice.hint, "compare")),
            tuple(values.get(choice.name, ())),
            tuple((value, in_page_words(text, "compare")) for value, text in choice.offered(facts)),
        )
        for choice in choices
        if choice.shown(facts) or choice.name in values
    ]


def with_defaults(view: View, values: Values, facts: Facts) -> dict[str, tuple[str, ...]]:
    """A table with missing scores is compared on what is there, unless something else is chosen."""
    completed = dict(values)
    if view.of_table and facts.get("missing") and "missing" not in completed and not view.missing:
        completed["missing"] = _usual_policy(view)
    return {name: value for name, value in completed.items() if value}


def _usual_policy(view: View) -> tuple[str]:
    return ("keep" if view.keeps_holes else "drop",)


def reading(choices: Sequence[FormField], query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """The options of reading by the library's names."""
    options: dict[str, Any] = {}
    by_name = {choice.name: choice for choice in choices}
    for name, value in query:
        if name not in by_name or name == "better" or not value.strip():
            continue
        if by_name[name].each:
            options.setdefault(name, []).append(value)
        else:
            options[name] = value
    return options


def advised(
    view: View, source: str, values: Values, facts: Facts, advice: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Choices that cautions name, as (words, address): of those the page offers, and has not made yet."""
    own = {c.choice.name: c for c in controls(view, values, facts)}
    links = []
    for name, value in advice:
        words = dict(own[name].offered).get(value) if name in own else None
        if words is not None and values.get(name) != (value,):
            links.append((f"{own[name].choice.label}: {words}", address(source, view.name, {**values, name: (value,)})))
    return links


def address(source: str, place: str, values: Values) -> str:
    """The address of a view, or of a part or a file of it, with these choices: to be shared, and gone back to."""
    query = urlencode([(name, value) for name, several in values.items() for value in several])
    return f"/table/{source}/{place}" + (f"?{query}" if query else "")


def carried(view: View, query: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    """Choices of reading that a view has no use for: the next view does, and should not ask for them again."""
    own = {choice.name for choice in view.controls if view.directed or choice.name != "better"}
    fields: dict[str, tuple[str, ...]] = {}
    for name, value in query:
        if name in {choice.name for choice in READING} - own and value.strip():
            fields[name] = (*fields.get(name, ()), value)
    return fields


def kept(view: View, values: Values, before: View) -> dict[str, tuple[str, ...]]:
    """The choices in the view ``before`` that ``view`` has too; those of reading stay in every address.

    What ``before`` does with missing scores when nothing is chosen is no choice, and may not be possible here.
    """
    same = {(choice.name, choice.label) for choice in before.choices}
    names = {choice.name for choice in READING} | {c.name for c in view.choices if (c.name, c.label) in same}
    fields = {name: value for name, value in values.items() if name in names}
    policy = fields.get("missing")
    if policy == _usual_policy(before) or (policy in KEPT_HOLES and not view.keeps_holes):
        del fields["missing"]
    return fields


def part_address(source: str, view: View, values: Values, before: View) -> str:
    return address(source, f"{view.name}/part", kept(view, values, before))


@dataclass(frozen=True, slots=True)
class TabLink:
    """A link to a view: its question in a few words, and why this table cannot have it (empty: it can)."""

    view: View
    question: str
    address: str
    why: str


def tabs(before: View, source: str, values: Values, facts: Facts) -> tuple[list[TabLink], list[TabLink]]:
    """The views that are asked for first, and the others: possible ones, then those that this table cannot have."""
    links = {
        name: TabLink(view, SHORT[name], address(source, name, kept(view, values, before)), view.why_not(facts))
        for name, view in VIEWS.items()
    }
    first = offered_first(facts)
    more = sorted((link for name, link in links.items() if name not in first), key=lambda link: bool(link.why))
    return [links[name] for name in first], more


def saves(view: View, source: str, values: Values, suffixes: Iterable[str]) -> list[tuple[str, str]]:
    """Suffix and address of the files that can be saved."""
    return [(suffix, address(source, f"{view.name}/save/{suffix}", values)) for suffix in suffixes]


def report_name(view: View, name: str, suffix: str) -> str:
    """The name of a saved report; never that of the table."""
    file_name = f"{view.name}.{suffix}"
    return file_name if file_name != name else f"{view.name}-report.{suffix}"
