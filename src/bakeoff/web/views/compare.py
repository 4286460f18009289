"""The main view: a comparison with all of its choices."""

from __future__ import annotations

from collections.abc import Iterable

from bakeoff.web.views.view import Facts, FormField, View, fixed, names_in


def _corrections(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.comparison.catalogue import corrections

    control = bool(facts.get("control"))
    found = [(c.name, c.name) for c in corrections(control)]
    return [("", "Holm (default)" if control else "default"), *found]


def _tests(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.posthoc import PAIRWISE

    return [("", "Wilcoxon (default)"), *((name, name) for name in PAIRWISE if name != "wilcoxon")]


def _omnibus(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.omnibus import OMNIBUS

    return [(name, name) for name in OMNIBUS]


def _recipes(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.comparison.recipes import RECIPES

    return [("", "none"), *((name, name) for name in RECIPES)]


CONTROL = FormField(
    name="control",
    label="Control",
    offered=lambda facts: [("", "all pairs"), *names_in("algorithms")(facts)],
    hint="Compare every algorithm with this one",
)
ALPHA = FormField(name="alpha", label="Level α", python="number", default="0.05", example="0.05", further=True)

COMPARE = View(
    name="compare",
    title="Compare",
    question="Which algorithms differ, which is better, and how sure are we?",
    command="compare",
    function="bo.compare",
    keeps_holes=True,
    beside=("sensitivity", "bayes"),
    choices=(
        CONTROL,
        FormField(name="posthoc", label="Correction", each=True, offered=_corrections),
        FormField(name="pairwise", label="Test of a pair", offered=_tests),
        FormField(
            name="margin",
            label="Margin",
            python="number or text",
            example="0.01 or 5%",
            hint="The smallest difference that matters",
        ),
        ALPHA,
        FormField(
            name="omnibus", label="Test of any difference", offered=_omnibus, default="iman-davenport", further=True
        ),
        FormField(
            name="effect",
            label="Effect",
            offered=fixed(
                ("difference", "difference"), ("percent", "percent"), ("log-ratio", "log ratio"), ("a12", "A12")
            ),
            default="difference",
            further=True,
        ),
        FormField(
            name="intervals",
            label="Intervals",
            offered=fixed(("simultaneous", "simultaneous"), ("single", "each by itself")),
            default="simultaneous",
            further=True,
        ),
        FormField(
            name="transform", label="Scale", offered=fixed(("", "as it is"), ("log", "logarithms")), further=True
        ),
        FormField(
            name="unit",
            label="What is independent",
            offered=fixed(("", "clusters"), ("problem", "problems")),
            shown=lambda facts: bool(facts.get("clusters")),
        ),
        FormField(name="recipe", label="A paper’s protocol", offered=_recipes, further=True),
    ),
)
