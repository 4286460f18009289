"""The planning questions, each turned into an answer: a headline, a table, a curve, and the numbers."""

import math
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from bakeoff import numerals, plan
from bakeoff.dataclass import dataclass, field, replace
from bakeoff.errors import Caution, ParameterError, counted
from bakeoff.plan import CheckPlan, PowerCurve
from bakeoff.plan.margins import margin_plan
from bakeoff.plan.promises import TEST_NAMES
from bakeoff.report.data import Keys, all_but, plain_data
from bakeoff.report.document import Column, Item, Table, tabulate
from bakeoff.reportable import Reportable
from bakeoff.scores.design import Estimand

NumberColumns = list[tuple[str, str, Callable[[Item], str]]]
"""Title, legend, and how a cell is written."""
Options = dict[str, Any]  # of bo.plan's functions, only those given
_SETTING = (
    *("alpha", "alternative", "test", "method", "n_algorithms", "comparisons", "n_comparisons", "target"),
    *("cluster_size", "icc", "cluster_cv", "margin", "claim"),
)
KEYS: Keys = {
    plan.InstancePlan: (
        *("n", "n_first", "n_unrounded", "power", "profile", "levels", "effect_size", "wanted_power", "promise"),
        "design_effect",
        *_SETTING,
    ),
    PowerCurve: ("x_name", "y_name", "x", "y", "summary"),
    plan.QuestionPlan: all_but(plan.QuestionPlan, "estimated"),
}
_SETTING_OF_CURVE: Keys = {PowerCurve: _SETTING}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One planning question, answered."""

    question: str  # a key of TITLES in document.py
    headline: str
    promise: str = ""
    table: Table | None = None
    notes: tuple[str, ...] = ()
    curve: PowerCurve | None = None
    cautions: tuple[Caution, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    estimand: Estimand | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Answers(Reportable):
    """All answers of ``bakeoff plan``."""

    kind: ClassVar[str] = "plan"
    parts: tuple[Answer, ...]

    @property
    def cautions(self) -> tuple[Caution, ...]:
        """The cautions of all parts, each once."""
        return tuple(dict.fromkeys(caution for part in self.parts for caution in part.cautions))


def number_table(key: str, caption: str, columns: NumberColumns[Item], items: Iterable[Item]) -> Table:
    """A table of columns that each have a title, a legend and a way to write; numeric but for names."""
    shown = [
        (Column(title, title, numeric=title not in ("pair", "algorithm", "answers", "benchmark"), legend=legend), write)
        for title, legend, write in columns
    ]
    table = tabulate(key, caption, shown, items)
    return replace(table, rows=list(dict.fromkeys(table.rows)))


def how_many(effect: Any, power: float, options: Options) -> Answer:
    """Given an effect: the number of problems."""
    planned = plan.instances(effect, power=power, **options)
    size = planned.effect_size
    early = f" ({planned.n_first} reach it first, but a few more may fall below again)"
    first = "" if planned.n_first == planned.n else early
    return Answer(
        question="n",
        headline=f"{counted(planned.n, planned.unit)}{first}: {_design(planned)}.",
        promise=planned.promise,
        table=_around(planned, power, options) if isinstance(size, float) else None,
        notes=_both_questions(planned, options),
        curve=plan.curve(effect_size=size, power=power, **options) if isinstance(size, float) else None,
        cautions=planned.cautions,
        data=plain_data(planned, KEYS),
    )


def how_probable_inside(n: int, effect: float | None, options: Options) -> Answer:
    """Given the number of problems and a margin: the power, also at other true differences."""
    against = margin_plan(options["margin"], options.get("claim"), options.get("test", "t"), "two-sided")
    assert against is not None
    true = 0.0 if effect is None else effect
    power = plan.power(n, true, **options)
    sign = 1.0 if against.claim == "equal" else -1.0  # of the differences towards the margin
    legend = "In standard deviations of the differences; at the margin or beyond, the claim is wrong."
    columns = [
        ("true difference", legend, lambda d: numerals.significant(d, 3)),
        ("power", "", lambda d: numerals.decimals(plan.power(n, d, **options), 3)),
    ]
    differences = [sign * share * against.value for share in (0.0, 0.25, 0.5, 0.75, 1.0)]
    claim = "practically equal" if against.claim == "equal" else "not worse"
    tests = against.tests(TEST_NAMES[options.get("test", "t")])
    family = options.get("n_algorithms", 2), options.get("comparisons", "all-pairs"), options.get("alpha", 0.05)
    single = "" if family[0] == 2 else "The power is that of any single pair, at the first of Holm's steps. "
    return Answer(
        question="power",
        headline=f"With {counted(n, unit_of(options))} a true difference of {numerals.significant(true, 6)} is shown "
        f"to be {claim} with probability {numerals.decimals(power, 3)}: {_of_pairs(tests, *family)}.",
        promise="For normal differences. " + single + "Where the claim is not shown, it is open, not refuted.",
        table=number_table("power", "Power by true difference", columns, differences),
        data={"n": n, "effect_size": true, "power": power, "margin": against.value, "claim": against.claim},
    )


def what_is_seen(n: int, power: float, options: Options) -> Answer:
    """Given the number of problems: the smallest effect found with the wanted power."""
    effect = plan.detectable(n, power=power, **options)
    curve = plan.curve(n=n, power=power, **options)
    columns = [
        ("effect d", "", lambda d: numerals.decimals(d, 3)),
        ("power", "", lambda d: numerals.decimals(plan.power(n, d, **options), 3)),
    ]
    sizes = [share * effect for share in (0.25, 0.5, 0.75, 1.0, 1.25, 1.5)]
    return Answer(
        question="effect_size",
        headline=f"{counted(n, unit_of(options))} detect an effect of {numerals.significant(abs(effect), 3)} or more "
        f"with power {power:g}: {_design(curve)}.",
        promise="Smaller effects may exist and go undetected: “no difference shown” then says little about them.",
        table=number_table("power", "Power by effect size", columns, sizes),
        curve=curve,
        cautions=curve.cautions,
        data={"n": n, "effect_size": effect, "wanted_power": power, **plain_data(curve, _SETTING_OF_CURVE)},
    )


def how_probable(n: int, effect: Any, options: Options) -> Answer:
    """Given both: the power."""
    power = plan.power(n, effect, **options)
    curve = plan.curve(n=n, **options) if isinstance(effect, float) else None
    return Answer(
        question="power",
        headline=f"With {counted(n, unit_of(options))} {_shown(effect)} detected with probability "
        + numerals.decimals(power, 3)
        + (f": {_design(curve)}." if curve else "."),
        curve=curve,
        cautions=curve.cautions if curve else (),
        data={"n": n, "effect_size": effect, "power": power, **(plain_data(curve, _SETTING_OF_CURVE) if curve else {})},
    )


def which_level(n: int, effect: Any, power: float, options: Options) -> Answer:
    """Given these and the power: alpha."""
    level = plan.significance(n, effect, power=power, **options)
    test = TEST_NAMES[options.get("test", "t")]
    return Answer(
        question="alpha",
        headline=f"With {counted(n, unit_of(options))} {_shown(effect)} detected with power {power:g} if alpha is "
        f"{numerals.significant(level, 3)} or more ({test}).",
        promise="An alpha chosen to reach a power must be fixed, and reported, before the experiment.",
        data={"n": n, "effect_size": effect, "wanted_power": power, "alpha": level},
    )


def _shown(effect: Any) -> str:
    return f"an effect of {numerals.significant(effect, 6)} is" if isinstance(effect, float) else "these means are"


def _around(planned: plan.InstancePlan, power: float, options: Options) -> Table:
    def detectable(n: int) -> str:
        try:
            return numerals.decimals(abs(plan.detectable(n, power=power, **options)), 3)
        except ParameterError:
            return "none"

    columns: NumberColumns[int] = [
        (f"{planned.unit}s", "", str),
        ("power", "", lambda n: numerals.decimals(plan.power(n, planned.effect_size, **options), 3)),
        ("detectable d", f"Detectable d: the effect detected with power {power:g}.", detectable),
    ]
    numbers = [max(2, math.ceil(share * planned.n - 1e-9)) for share in (0.5, 0.75, 1.0, 1.5, 2.0)]
    shown = columns if planned.margin is None else columns[:2]
    return number_table("power", f"Power by number of {planned.unit}s", shown, numbers)


def unit_of(options: Options) -> str:
    return "problem" if options.get("cluster_size") is None else "cluster"


def _both_questions(planned: plan.InstancePlan, options: Options) -> tuple[str, ...]:
    """An omnibus test does not plan for the pairs, nor the reverse: the other number, with its unit."""
    if planned.n_algorithms < 3 or planned.margin is not None or not isinstance(planned.effect_size, float):
        return ()
    alpha, k, size = planned.alpha, planned.n_algorithms, abs(planned.effect_size)
    inside = {name: options[name] for name in ("cluster_size", "icc", "cluster_cv") if name in options}
    if planned.test == "friedman":
        pairs = plan.instances(size / math.sqrt(2), alpha, planned.wanted_power, n_algorithms=k, **inside)
        return (
            "To detect a pair that differs by that much, paired t-tests with Holm's correction need "
            f"{counted(pairs.n, pairs.unit)} (d = {numerals.significant(size / math.sqrt(2), 3)} standard deviations "
            "of the differences).",
        )
    omnibus = plan.instances(
        size * math.sqrt(2), alpha, planned.wanted_power, test="friedman", n_algorithms=k, **inside
    )
    return (
        f"Friedman's test alone would detect one algorithm so far from {k - 1} equal ones with "
        f"{counted(omnibus.n, omnibus.unit)}; it does not show which one.",
    )


def _design(planned: plan.InstancePlan | PowerCurve) -> str:
    sides = "one-sided" if planned.alternative != "two-sided" else "two-sided"
    name = TEST_NAMES[planned.test]
    against = margin_plan(planned.margin, planned.claim, planned.test, "two-sided")
    if against is not None:
        return _of_pairs(against.tests(name), planned.n_algorithms, planned.comparisons, planned.alpha)
    if planned.test == "friedman":
        return f"{name} of {planned.n_algorithms} algorithms, alpha {planned.alpha:g}"
    if planned.n_comparisons == 1:
        return f"{sides} {name}, alpha {planned.alpha:g}"
    kind = "each with the control" if planned.comparisons == "control" else "all pairs"
    return (
        f"{planned.n_algorithms} algorithms, {kind}, {planned.n_comparisons} {sides} {name}s with Holm's correction, "
        f"alpha {planned.alpha:g}"
    )


def _of_pairs(tests: str, n_algorithms: int, comparisons: str, alpha: float) -> str:
    if n_algorithms == 2:
        return f"{tests}, alpha {alpha:g}"
    kind = "each with the control" if comparisons == "control" else "all pairs"
    return f"{tests}, {n_algorithms} algorithms, {kind}, with Holm's correction, alpha {alpha:g}"


# The pairs of runs that a check needs.


def check_answer(result: CheckPlan) -> Answer:
    """Pairs, of all benchmarks and of each."""
    size, margin = (f"{100.0 * x:.6g} %" for x in (result.worsening, result.margin))
    columns = [
        ("benchmark", "", lambda row: numerals.plain(row.problem)),
        ("noise", "Noise: standard deviation of the log ratio of a pair.", lambda row: numerals.in_percent(row.sd, 1)),
        ("pairs", f"Pairs: detect a worsening of {size} with power {result.power:g}.", lambda row: str(row.pairs)),
        (
            "if noisier",
            "If noisier: the same for the upper end of an 80 % interval for the noise.",
            lambda row: str(row.pairs_if_noisier),
        ),
        (
            "pairs for OK",
            "Pairs for OK: show with that power that an unchanged benchmark is OK.",
            lambda row: str(row.pairs_ok),
        ),
    ]
    return Answer(
        question="check",
        headline=f"With this noise {counted(result.n, 'pair')} detect a worsening of {size}, beyond a margin of "
        f"{margin}, with power {result.power:g}.",
        promise=f"α = {result.alpha:g} for all of {counted(len(result.rows), 'benchmark')}. If nothing changed, "
        f"{counted(result.n_ok, 'pair')} show with power {result.power:g} that each is OK.",
        table=number_table("check", "Pairs of runs by benchmark", columns, result.rows),
        notes=("bakeoff check --run stops by itself, usually after fewer pairs.",),
        cautions=result.cautions,
        data=plain_data(result),
    )
