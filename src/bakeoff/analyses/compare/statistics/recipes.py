"""The papers' protocols as explicit lists of steps.

A recipe fixes the omnibus test (the papers' uncorrected form), the corrections, and that pairs are declared
different only if the omnibus rejects (the gate); its steps say in sentences what was done and found.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from bakeoff import numerals
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.compare.statistics.catalogue import Recipe
from bakeoff.analyses.compare.statistics.corrections import adjusted_pvalues
from bakeoff.analyses.compare.statistics.results import Step
from bakeoff.analyses.compare.statistics.state import Comparing, Request
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.checks import choice
from bakeoff.effects import ContrastResult, contrast_estimation
from bakeoff.errors import InfiniteScoreError, ParameterError, TooLargeError, listing
from bakeoff.omnibus import RankTestResult, aligned_friedman, quade
from bakeoff.posthoc import MultipleSignResult, multiple_sign_test
from bakeoff.posthoc._multiple_sign_test import CRITICAL
from bakeoff.posthoc.pairs import PairTests, pair_tests
from bakeoff.procedures import by_name
from bakeoff.scores import Array

NOT_COMPUTABLE = (InfiniteScoreError, TooLargeError)

StepTable = dict[str, tuple[str | float | bool | None, ...]]


def find_recipe(request: Request) -> Recipe:
    """The recipe asked for; whatever it fixes cannot be given as well."""
    chosen = RECIPES[choice("recipe", request.recipe, RECIPES)]
    fixed = f"is fixed by recipe={chosen.name!r}"
    for parameter in ("pairwise", "posthoc", "transform"):
        if getattr(request, parameter) is not None:
            raise ParameterError(f"{fixed}; leave out one of the two", parameter=parameter)
    if request.omnibus != chosen.omnibus:
        raise ParameterError(f"{fixed} ({chosen.omnibus}); leave out one of the two", parameter="omnibus")
    if request.control is None and not chosen.pairs:
        raise ParameterError(f"recipe={chosen.name!r} compares with a control algorithm; name it with control=")
    return chosen


def _p(value: float, alpha: float) -> str:
    return numerals.p_phrase(value, None, alpha)


def _computed(
    name: str,
    title: str,
    test: Callable[[], Any],
    outcome: Callable[[Any], str],
    table: Callable[[Any], StepTable | None] = lambda result: None,
) -> Step:
    """A step that carries out one more procedure, or says why that is impossible."""
    try:
        result = test()
    except NOT_COMPUTABLE as error:
        return _impossible(name, title, error)
    return Step(name=name, title=title, outcome=outcome(result), result=result, table=table(result))


def _impossible(name: str, title: str, error: Exception) -> Step:
    return Step(name=name, title=title, outcome=f"Not computed: {str(error).rstrip('.')}.")


def omnibus_gate(c: Comparing) -> Step:
    friedman, test, alpha = c.companion, c.test, c.request.alpha
    assert friedman is not None, "a recipe with this gate has Friedman's test beside the one that decides"
    verdict = "equality is not rejected, so no pair is declared different" if c.closed else "equality is rejected"
    return Step(
        name="iman-davenport",
        title="Friedman test with the Iman–Davenport extension",
        outcome=f"χ² = {numerals.statistic(friedman.statistic)} ({_p(friedman.pvalue, alpha)}); {_f(test, alpha)}: "
        f"{verdict}.",
        passed=not c.closed,
        result=test,
        table=None
        if c.control is None or c.chosen.name != "mean-ranks"
        else _against_control(c, c.mean_ranks, c.tested.tests, c.correction.values),
    )


def _against_control(c: Comparing, mean_ranks: Array, tests: PairTests, adjusted: dict[str, Array]) -> StepTable:
    """A row per algorithm; the control has a mean rank only."""
    others = [b for _, b in c.family]

    def column(values: Array) -> tuple[float | None, ...]:
        by_place = dict(zip(others, values.tolist(), strict=True))
        return tuple(by_place.get(j) for j in range(c.scores.n_algorithms))

    return {
        "algorithm": c.scores.algorithms,
        "mean_rank": tuple(mean_ranks.tolist()),
        "z": column(tests.statistic),
        "pvalue": column(tests.pvalue),
        **{method: column(values) for method, values in adjusted.items()},
    }


def _f(test: Any, alpha: float) -> str:
    freedom = f"{test.df[0]:g} and {test.df[1]:g} degrees of freedom"
    return f"F = {numerals.statistic(test.statistic)} with {freedom} ({_p(test.pvalue, alpha)})"


def post_hoc(c: Comparing) -> Step:
    alpha, posthoc, m = c.request.alpha, c.correction, len(c.pairs)
    different = [f"{p.a} – {p.b}" for p in c.pairs if p.verdict in DECIDED]
    family = "with the control" if c.control is not None else "of all pairs"
    title = f"Comparisons {family} ({', '.join(posthoc.methods)})"
    method = catalogue.correction(posthoc.primary).short
    sentence = f"By {method} at alpha = {alpha:g}, {len(different)} of {m} are declared different"
    sentence += f": {listing(different, 8)}" if different else ""
    if m == 1:
        title = "Comparison of the two algorithms"
        sentence = f"A single hypothesis needs no correction: at alpha = {alpha:g} the pair "
        sentence += f"is {'' if different else 'not '}declared different"
    if c.closed:
        sentence = "The omnibus test does not reject, so no pair is declared different, whatever its adjusted p"
    return Step(name="post-hoc", title=title, outcome=f"{sentence}.")


def multiple_sign(c: Comparing) -> Step:
    assert c.control is not None
    control = c.scores.algorithms[c.control]

    def outcome(test: MultipleSignResult) -> str:
        beaten = [name for name, rejected in zip(test.algorithms, test.rejected, strict=True) if rejected]
        limit = "no count is small enough" if test.critical_value is None else f"critical count {test.critical_value}"
        sentence = f"better than {listing(beaten, 8)}" if beaten else "not shown to be better than any other"
        return f"One-sided, exact distribution, {limit}: {control} is {sentence}."

    def table(test: MultipleSignResult) -> StepTable:
        m = len(test.algorithms)
        return {
            "algorithm": test.algorithms,
            "wins": tuple(test.wins.tolist()),
            "ties": tuple(test.ties.tolist()),
            "critical_value": (test.critical_value,) * m,
            "printed_critical_value": (CRITICAL.get((test.n_problems, test.alpha, m)),) * m,
            "pvalue": tuple(test.pvalues.tolist()),
            "rejected": tuple(test.rejected.tolist()),
        }

    test = partial(multiple_sign_test, c.scores, c.control, alpha=c.request.alpha)
    return _computed("multiple-sign", "Multiple sign test", test, outcome, table)


def aligned_ranks(c: Comparing) -> Step:
    def statistic(test: RankTestResult) -> str:
        p = _p(test.pvalue, c.request.alpha)
        return f"χ² = {numerals.statistic(test.statistic)} with {test.df[0]:g} degrees of freedom ({p})"

    return _ranking(c, "aligned", "Friedman aligned ranks test", aligned_friedman, statistic)


def quade_test(c: Comparing) -> Step:
    return _ranking(c, "quade", "Quade test", quade, lambda test: _f(test, c.request.alpha))


def _ranking(
    c: Comparing, name: str, title: str, omnibus: Callable[[Any], RankTestResult], statistic: Callable[[Any], str]
) -> Step:
    """The omnibus test of another ranking, and its z tests against the control, which decide nothing."""

    try:
        test = omnibus(c.scores)
        tests = pair_tests(c.units.measured, c.family, name, standard_error="papers")
    except NOT_COMPUTABLE as error:
        return _impossible(name, title, error)
    values = adjusted_pvalues(c.units.measured, c.family, tests, c.planned, c.control).values
    method, alpha = c.correction.primary, c.request.alpha
    small = [c.scores.algorithms[b] for (_, b), p in zip(c.family, values[method], strict=True) if p <= alpha]
    count = f"{len(small)} of {len(c.family)} p-values adjusted by {catalogue.correction(method).short}"
    count += f" are at most {alpha:g}{f': {listing(small, 8)}' if small else ''}"
    gate = "" if test.pvalue <= alpha else "; as this test does not reject, they show no difference"
    return Step(
        name=name,
        title=title,
        outcome=f"{statistic(test)}. {count}{gate}.",
        result=test,
        table=_against_control(c, test.mean_ranks, tests, values),
    )


def contrast_step(c: Comparing) -> Step:
    def outcome(estimate: ContrastResult) -> str:
        centre = estimate.effects if c.scores.better == "lower" else -estimate.effects
        best = [name for name, m in zip(c.scores.algorithms, centre, strict=True) if m == centre.min()]
        verb = "has" if len(best) == 1 else "share"
        return f"{listing(best, 8)} {verb} the best effect, estimated from medians of differences."

    title = "Contrast estimation based on medians"
    return _computed("contrast-estimation", title, partial(contrast_estimation, c.scores), outcome)


def rule_of_signs(c: Comparing, alternative: Literal["greater", "less"]) -> Step:
    """One rule of the multiple sign test, at half of alpha, as the other has the other half."""
    assert c.control is not None
    control, word = c.scores.algorithms[c.control], {"greater": "better", "less": "worse"}[alternative]

    def outcome(test: MultipleSignResult) -> str:
        limit = "no count is small enough" if test.critical_value is None else f"critical count {test.critical_value}"
        names = [name for name, rejected in zip(test.algorithms, test.rejected, strict=True) if rejected]
        sentence = f"{word} than {listing(names, 8)}" if names else f"not shown to be {word} than any other"
        return f"At half of α, exact distribution, {limit}: {control} is {sentence}."

    scores, half = c.units.original, c.request.alpha / 2.0
    test = partial(multiple_sign_test, scores, c.control, alpha=half, alternative=alternative)
    return _computed("multiple-sign", f"Multiple sign test: {word} than which?", test, outcome)


ALSO: dict[str, tuple[Callable[[Comparing], Step], ...]] = {
    "contrast": (contrast_step,),
    "multiple-sign": (partial(rule_of_signs, alternative="greater"), partial(rule_of_signs, alternative="less")),
}
"""Procedures of the papers that a comparison carries out beside its own."""


def refuse_also(request: Request, incomplete: bool) -> None:
    """What cannot stand beside this comparison."""
    for name in request.also or ():
        choice("also", name, ALSO)
        if request.recipe is not None:
            rule = f"has its own steps in recipe={request.recipe!r}; leave out one of the two"
            raise ParameterError(rule, parameter="also")
        if incomplete:
            rule = f"{name!r} needs a complete table; read the scores with missing='drop'"
            raise ParameterError(rule, parameter="also")
        if name == "multiple-sign" and request.control is None:
            raise ParameterError("'multiple-sign' compares with a control; give control=", parameter="also")


_WITH_CONTROL = ("holm", "bonferroni", "hochberg", "hommel", "holland", "rom", "finner", "li")
_CONTROL_STEPS = (multiple_sign, omnibus_gate, aligned_ranks, quade_test, post_hoc, contrast_step)

RECIPES: dict[str, Recipe] = by_name(
    # sections 3.2.2-3.2.4: Friedman, then Nemenyi for all pairs; with a control, the step procedures
    Recipe(
        "demsar-2006",
        "Demšar (2006)",
        "the protocol of Demšar",
        cite=("demsar2006",),
        paper="Demšar (2006), JMLR 7, section 3.2",
        control=("holm", "bonferroni", "hochberg", "hommel"),
        pairs=("nemenyi",),
        steps_control=(omnibus_gate, post_hoc),
        steps_pairs=(omnibus_gate, post_hoc),
    ),
    # 1 × N only: sections 3-6
    Recipe(
        "garcia-2010",
        "García et al. (2010)",
        "the protocol of García et al.",
        cite=("garcia2010",),
        paper="García et al. (2010), Information Sciences 180, sections 3–5",
        control=_WITH_CONTROL,
        pairs=(),
        steps_control=_CONTROL_STEPS,
        steps_pairs=(),
    ),
    # section 4 with a control, section 5 without
    Recipe(
        "derrac-2011",
        "Derrac et al. (2011)",
        "the protocol of Derrac et al.",
        cite=("derrac2011",),
        paper="Derrac et al. (2011), Swarm and Evolutionary Computation 1, sections 4–5",
        control=_WITH_CONTROL,
        pairs=("bergmann-hommel", "shaffer", "holm", "nemenyi"),
        printed=catalogue.PRINTED["derrac-2011"],
        steps_control=_CONTROL_STEPS,
        steps_pairs=(omnibus_gate, post_hoc, contrast_step),
    ),
)


def recipe_names() -> str:
    """The help of ``recipe=``."""
    return f"A paper's protocol: {', '.join(RECIPES)}."
