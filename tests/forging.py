"""Random changes of the JSON of a report, and whether a change leaves the report true."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

from analysis_examples import joined
from bakeoff import __version__
from bakeoff.analyses import all_analyses
from bakeoff.report import to_dict
from every_kind import RESULTS

Json = Any
Path = tuple[str | int, ...]

EARLIER = "0.1.9"
"""A version that tests call released."""
SOURCES = ("scores", "tables", "curves", "battles")
KINDS = tuple(record.kind for record in all_analyses() if record.schema or (record.parameters and not record.command))
"""Those whose report has what was asked, of which the ones with a report beside theirs are verified as that."""
MORE: dict[str, Callable[[], Any]] = joined("forged")


def report(name: str) -> str:
    made: Callable[[], Any] = MORE.get(name) or RESULTS[name]
    return json.dumps(to_dict(made()))


# --- places -----------------------------------------------------------------------------------------------------


def random_place(rng: random.Random, document: Json) -> Path:
    """Step by step, else a long table would take every change."""
    at: Path = ()
    while not at or (isinstance(document, dict | list) and document and rng.random() < 0.8):
        key = rng.choice(list(document) if isinstance(document, dict) else range(len(document)))
        at, document = (*at, key), document[key]
    return at


def entry(document: Json, at: Path) -> Json:
    for key in at:
        document = document[key]
    return document


# --- changes ----------------------------------------------------------------------------------------------------

WORDS = (
    "",
    "no difference shown",
    "a better",
    "b better",
    "higher",
    "lower",
    "holm",
    "new",
    "old",
    "x",
    "true",
    "null",
)
NUMBERS = (0, 1, -1, 2, 0.0, 0.5, 0.05, 1e-12, 1e308, 10**9, 10**400)


def another(rng: random.Random, value: Json) -> Json:
    """Another leaf: near to it, of its kind, or of any."""
    if isinstance(value, bool) or value is None:
        return rng.choice([not value, None, 0, 1, "true", []])
    if isinstance(value, int | float):
        near = (value + 1, -value, value * (1 + 1e-6), value * 10, value / 3, round(value, 2), value + 1e-3)
        return rng.choice([*near, *NUMBERS, None, str(value), value != 0])
    if isinstance(value, str):
        turned = value.replace("better", "worse") if "better" in value else value[::-1]
        near = (turned, value + " ", value[:-1], value.upper(), value + "\u200b", value.replace("a", "b"))
        return rng.choice([*near, *WORDS, None, 1, [value]])
    return rng.choice([None, [], {}, 0, ""])


def changed_leaf(rng: random.Random, document: Json, at: Path) -> Json:
    return put(document, at, another(rng, entry(document, at)))


def put(document: Json, at: Path, value: Json) -> Json:
    made = copy.deepcopy(document)
    entry(made, at[:-1])[at[-1]] = value
    return made


def removed(rng: random.Random, document: Json, at: Path) -> Json:
    made = copy.deepcopy(document)
    del entry(made, at[:-1])[at[-1]]
    return made


def added(rng: random.Random, document: Json, at: Path) -> Json:
    """A copy of the entry under another key, or twice in its list."""
    made = copy.deepcopy(document)
    above = entry(made, at[:-1])
    value = copy.deepcopy(above[at[-1]])
    if isinstance(above, list):
        above.insert(int(at[-1]), value)
    else:
        above[rng.choice(["approved", f"{at[-1]}_", "unit", "metric", "hosts", "status", "note"])] = value
    return made


def renamed(rng: random.Random, document: Json, at: Path) -> Json:
    made = copy.deepcopy(document)
    above = entry(made, at[:-1])
    if isinstance(above, list):
        return changed_leaf(rng, document, at)
    name = rng.choice([f"{at[-1]}_", str(at[-1]).upper(), str(at[-1])[:-1], *(str(key) for key in above)])
    above[name] = above.pop(at[-1])
    return made


def reordered(rng: random.Random, document: Json, at: Path) -> Json:
    """The entries of a list or an object in another order."""
    value = entry(document, at)
    if isinstance(value, list):
        return put(document, at, rng.sample(value, len(value)))
    if isinstance(value, dict):
        return put(document, at, dict(rng.sample(list(value.items()), len(value))))
    return changed_leaf(rng, document, at)


def swapped(rng: random.Random, document: Json, at: Path) -> Json:
    """The values of two entries of one list or object."""
    made = copy.deepcopy(document)
    above = entry(made, at[:-1])
    other = rng.choice(list(above) if isinstance(above, dict) else range(len(above)))
    above[at[-1]], above[other] = above[other], above[at[-1]]
    return made


def of_a_version(rng: random.Random, document: Json, at: Path) -> Json:
    """Another version beside another change: sentences are then compared, or not called compared."""
    made = changed_leaf(rng, document, at)
    if isinstance(made.get("versions"), dict):
        name = rng.choice(["bakeoff", "numpy", "scipy", "python"])
        made["versions"][name] = rng.choice([EARLIER, "0.0.9", "99.0.0", "1.26.0", "", "x", __version__])
    return made


CHANGES = (changed_leaf, changed_leaf, changed_leaf, removed, added, renamed, reordered, swapped, of_a_version)


def forged(document: Json, rng: random.Random) -> tuple[str, Json]:
    """One random change: what was done where, and the changed report."""
    at = random_place(rng, document)
    change = rng.choice(CHANGES)
    return f"{change.__name__} {'.'.join(map(str, at))}", change(rng, document, at)


# --- what a change leaves as it is ------------------------------------------------------------------------------


def same(a: Json, b: Json) -> bool:
    """Without regard to the order of keys, and numbers to 1e-9."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, bool) or isinstance(b, bool) or not (isinstance(a, int | float) and isinstance(b, int | float)):
        return type(a) is type(b) and bool(a == b)
    try:
        return a == b or abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    except OverflowError:  # a whole number beyond floating point
        return False


ABOUT = ("columns", "metric", "unit", "run_kind", "hosts")
"""Of a table: how it was read, and what its scores are called."""


def without_names(value: Json) -> Json:
    """A table without what is text in it, and what is told of it: its numbers, and its direction."""
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key not in ABOUT}
        return {key: each if key == "better" else without_names(each) for key, each in kept.items()}
    if isinstance(value, list):
        return [without_names(each) for each in value]
    return "a text" if isinstance(value, str) else value


def true_still(original: Json, changed: Json, table_given: bool) -> bool:
    """Does the changed report say the same? ``command`` and versions of other programs are no statements of results;
    the request is what was asked, and the names of a table, what its scores are, and the file it was read from, count
    where it is given.
    """
    told, now = (
        {key: value for key, value in each.items() if key not in ("command", "versions", "request")}
        for each in (original, changed)
    )
    if not table_given:
        told, now = ({**each, "input_sha256": ""} for each in (told, now))
        for key in SOURCES:
            if key in told and key in now:
                told[key], now[key] = without_names(told[key]), without_names(now[key])
    return same(told, now)
