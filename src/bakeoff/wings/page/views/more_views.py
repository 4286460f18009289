"""Compare with all of its choices, and the other analyses of a table, each with the choices that users make first."""

from __future__ import annotations

from collections.abc import Iterable

from bakeoff.analyses.plan.parameters import TESTING
from bakeoff.wings.curves.curves.parameters import ALONG
from bakeoff.wings.page.views.fields import ALPHA, field, form
from bakeoff.wings.page.views.view import Facts, FormField, Values, View, fixed


def _named(usual: str, names: Iterable[str]) -> list[tuple[str, str]]:
    return [("", usual), *((name, name) for name in names)]


def _corrections(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.analyses.compare.statistics.catalogue import corrections

    control = bool(facts.get("control"))
    return _named("Holm (default)" if control else "default", (c.name for c in corrections(control)))


def _tests(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.posthoc import PAIRWISE

    return _named("Wilcoxon (default)", (name for name in PAIRWISE if name != "wilcoxon"))


def _omnibus(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.omnibus import OMNIBUS

    return [(name, name) for name in OMNIBUS]


def _recipes(facts: Facts) -> Iterable[tuple[str, str]]:
    from bakeoff.analyses.compare.statistics.recipes import RECIPES

    return _named("none", RECIPES)


COMPARE = View(
    name="compare",
    title="Compare",
    question="Which algorithms differ, which is better, and how sure are we?",
    keeps_holes=True,
    slow=False,
    beside=("sensitivity", "bayes"),
    choices=form(
        "compare",
        *("control", "posthoc", "pairwise", "margin", "unit"),
        without=("standard_error", "rng"),
        posthoc={"offered": _corrections},
        pairwise={"label": "Pairwise test", "offered": _tests},
        margin={"example": "0.01 or 5%", "hint": "The smallest difference that matters"},
        omnibus={"label": "Test of any difference", "offered": _omnibus, "default": "iman-davenport"},
        transform={
            "label": "Scale",
            "offered": fixed(("", "as it is"), ("log", "logarithms"), ("minmax", "normalised")),
        },
        recipe={"label": "A paper’s protocol", "offered": _recipes},
    ),
)


MOST_PLANNED = 100
_OF_PLAN = {parameter.name: parameter for parameter in TESTING}

SENSITIVITY = View(
    name="sensitivity",
    title="Sensitivity",
    question="Would another reasonable analysis, or slightly other problems, give another verdict?",
    differs=(
        "It repeats the verdict above with other tests and without single problems: a difference that is shown may "
        "not hold."
    ),
    choices=tuple(c for c in COMPARE.choices if c.name not in ("margin", "effect", "intervals")),
)


BAYES = View(
    name="bayes",
    title="Bayesian",
    question="How probable is it that one is better, or that they are practically equal?",
    differs="A probability is not a test: it may be high although the test shows no difference.",
    choices=form("bayes", "control", "rope", rope={"default": "", "example": "0.01"}),
)
PER_PROBLEM = View(
    name="per-problem",
    title="Per problem",
    question="On which problems is one better, from the runs on each?",
    choices=form("per-problem", "control", "correction", "paired"),
    refused=lambda facts: "" if facts.get("runs", 1) > 1 else "needs several runs of each algorithm on each problem",
)
PROFILE = View(
    name="profile",
    title="Profile",
    question="On how many problems is each within a factor of the best?",
    missing="keep",
    choices=form("profile", "kind", kind={"offered": fixed(("", "ratio"), ("difference", "difference"))}),
)
RUNTIMES = View(
    name="runtimes",
    title="Runtimes",
    question="Which solver is faster, when some runs end at a time limit?",
    missing="keep",
    choices=form("runtimes", "cap", "control", without=("k",)),
    refused=lambda facts: "needs times, of which lower is better" if facts.get("better") == "higher" else "",
    directed=False,
)


def _no_versions(facts: Facts) -> str:
    """Versions have numbers, dates or hashes in their names; one of two may be called main, or HEAD."""
    if not facts.get("asks_direction", True):
        return "needs a table with a column per version"
    others = [name for name in facts.get("algorithms", ()) if not any(map(str.isdigit, name))]
    few = 2 * len(others) <= len(facts.get("algorithms", ()))
    return "" if few else f"needs versions in the order of time, and {others[0]} is called like none"


HISTORY = View(
    name="history",
    title="History",
    question="Did a benchmark change its level, if the columns are versions in the order of time?",
    missing="keep",
    reads=("better", "metric"),
    choices=form("history", "min_segment", "scale"),
    refused=_no_versions,
)


def _plan(file: str, values: Values, facts: Facts) -> str:
    """Which function of ``bo.plan`` answers depends on what is given."""
    chosen = {name: value[0] for name, value in values.items()}
    effect, n, power = (chosen.pop(name, None) for name in ("effect", "n", "power"))
    quoted = ("comparisons", "test")
    options = [f"{name}={value!r}" if name in quoted else f"{name}={value}" for name, value in chosen.items()]
    if n is None:
        name, first = "instances", [f"{effect or 0.5}", *([f"power={power}"] if power else [])]
    elif effect is None:
        name, first = "detectable", [n, *([f"power={power}"] if power else [])]
    else:
        name, first = "power", [n, effect]
    return f"import bakeoff as bo\nresult = bo.plan.{name}({', '.join([*first, *options])})"


PLAN = View(
    name="plan",
    title="Plan",
    question="How many problems does the next experiment need?",
    choices=(
        field(
            _OF_PLAN["effect"],
            label="Smallest effect that matters",
            python="number",
            example="0.5",
            start=lambda facts: "0.5",
            hint="In standard deviations of the differences",
        ),
        field(_OF_PLAN["n"], label="Number of problems", example="40", hint="If it is fixed"),
        field(_OF_PLAN["power"], hint=""),
        field(
            _OF_PLAN["n_algorithms"],
            label="Algorithms",
            default="",
            example="",
            start=lambda facts: str(min(facts.get("n_algorithms", 2), MOST_PLANNED)),
            hint=f"That are compared, at most {MOST_PLANNED}",
        ),
        field(_OF_PLAN["comparisons"]),
        field(_OF_PLAN["test"]),
        ALPHA,
    ),
    directed=False,
    of_table=False,
    script=_plan,
)


_OF = {parameter.name: parameter for parameter in ALONG}


def _lines(file: str, values: Values, facts: Facts) -> str:
    """For Python: the file is read by the analysis itself."""
    texts = [choice.source_text(values[choice.name]) for choice in CURVES.controls if choice.name in values]
    return f"import bakeoff as bo\nresult = bo.curves({', '.join([repr(file), *texts])})"


CURVES = View(
    name="curves",
    title="Curves",
    question="From which budget to which is one algorithm better than another?",
    of_curves=True,
    reads=("better", "problem", "algorithm", "run", "score", "cluster"),
    choices=(
        *form("curves", "control"),
        FormField(
            name="best_so_far",
            label="The latest score counts, not the best so far",
            option="--latest",
            python="flag off",
        ),
        field(_OF["target"], example="1e-8"),
        field(_OF["scale"], label="Scale", further=True),
        field(_OF["spacing"], label="Budgets", further=True),
        field(_OF["cell"], label="Of several runs", further=True),
    ),
    script=_lines,
)
