"""The main view: a comparison with all of its choices."""

from __future__ import annotations

from collections.abc import Iterable

from bakeoff.analyses.compare.parameters import DECIDING
from bakeoff.wings.page.views.fields import field, form
from bakeoff.wings.page.views.view import Facts, View, fixed


def _corrections(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.analyses.compare.statistics.catalogue import corrections

    control = bool(facts.get("control"))
    names = [(c.name, c.name) for c in corrections(control)]
    return [("", "Holm (default)" if control else "default"), *names]


def _tests(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.posthoc import PAIRWISE

    return [("", "Wilcoxon (default)"), *((name, name) for name in PAIRWISE if name != "wilcoxon")]


def _omnibus(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.omnibus import OMNIBUS

    return [(name, name) for name in OMNIBUS]


def _recipes(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.analyses.compare.statistics.recipes import RECIPES

    return [("", "none"), *((name, name) for name in RECIPES)]


CONTROL = field(DECIDING[0])

COMPARE = View(
    name="compare",
    title="Compare",
    question="Which algorithms differ, which is better, and how sure are we?",
    command="compare",
    function="bo.compare",
    keeps_holes=True,
    beside=("sensitivity", "bayes"),
    choices=form(
        "compare",
        *("control", "posthoc", "pairwise", "margin", "unit"),
        without=("standard_error", "rng"),
        posthoc={"offered": _corrections},
        pairwise={"label": "Pairwise test", "offered": _tests},
        margin={"example": "0.01 or 5%", "hint": "The smallest difference that matters"},
        omnibus={"label": "Test of any difference", "offered": _omnibus, "default": "iman-davenport"},
        transform={"label": "Scale", "offered": fixed(("", "as it is"), ("log", "logarithms"))},
        recipe={"label": "A paper’s protocol", "offered": _recipes},
    ),
)
