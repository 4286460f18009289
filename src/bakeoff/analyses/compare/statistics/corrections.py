"""Which corrections for multiplicity, and their adjusted p-values for the family at hand."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, adjust, adjust_pairwise, bergmann_hommel
from bakeoff.analyses.compare.statistics import catalogue
from bakeoff.analyses.compare.statistics.catalogue import Recipe
from bakeoff.cautions import caution_of
from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import Caution, ParameterError, TooLargeError, fitting, listing
from bakeoff.posthoc import ALIASES, POSTHOC
from bakeoff.posthoc.pairs import PairTests
from bakeoff.scores import Array, Scores

LONG = 200
"""Algorithms beyond which the corrections that use the logic of all pairs are computed only if asked for by name."""
DEFAULT_WITH_CONTROL, DEFAULT_OF_PAIRS, DEFAULT_BEYOND = "holm", "bergmann-hommel", "shaffer"
DEFAULT_OF_SIGNS = "holm"
SIGNS = ("sign", "sign-without-ties")
"""Tests of "as often better as worse", which is not transitive, as corrections by the logic of all pairs need."""
QUICK = 12
"""Algorithms up to which Bergmann and Hommel's procedure is the default of all pairs: for any p-values a fraction of a
second, with and without the accelerator; beyond, Shaffer's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The corrections to compute, primary first. ``named`` ones must be computable; others may give way."""

    methods: tuple[str, ...]
    named: bool
    reason: str
    printed: tuple[str, ...] = ()  # those of a recipe that mean what its paper prints under that name


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Adjusted p-values by method, in the order of the family."""

    methods: tuple[str, ...]
    primary: str
    values: dict[str, Array]
    cautions: tuple[Caution, ...]


def choose_corrections(
    posthoc: str | Sequence[str] | None, control: bool, omnibus: str, pairwise: str, k: int, protocol: Recipe | None
) -> Wanted:
    """The corrections that ``posthoc=`` asks for, else the default of the family."""
    if protocol is not None:
        methods = protocol.control if control else protocol.pairs
        reason = f"fixed by the recipe ({protocol.paper})"
        return Wanted(methods=methods, named=False, reason=reason, printed=() if control else protocol.printed)
    default, why = _default(control, pairwise, k)
    if posthoc is None:
        return Wanted(methods=(default,), named=False, reason=why)
    fitting = (name for name, test in POSTHOC.items() if test.fits(control, omnibus, pairwise))
    # what a test of the whole family is called, too, is that test
    known = [name for name in (CONTROL_METHODS if control else PAIRWISE_METHODS) if name not in POSTHOC]
    known += fitting
    if posthoc == "all":
        every = [name for name in known if catalogue.correction(name).in_all]
        methods = tuple(dict.fromkeys([default, *every]))
        return Wanted(methods=methods, named=False, reason="the default decides when all are asked for")
    names: list[str] = [posthoc] if isinstance(posthoc, str) or not isinstance(posthoc, Iterable) else list(posthoc)
    if not names:
        raise ParameterError(
            "is an empty list; name a correction, or leave it out for the default", parameter="posthoc"
        )
    names = [ALIASES.get(name, name) if isinstance(name, str) else name for name in names]
    for name in names:
        _check(name, known, control)
    return Wanted(methods=tuple(dict.fromkeys(names)), named=True, reason="requested (the first decides)")


def _default(control: bool, pairwise: str, k: int) -> tuple[str, str]:
    """The correction of the family where none is asked for, and why."""
    if control:
        return DEFAULT_WITH_CONTROL, "the default with a control"
    if pairwise in SIGNS:
        why = "the default for sign tests: “as often better as worse” is not transitive, which others need"
        return DEFAULT_OF_SIGNS, why
    if k > QUICK:
        return DEFAULT_BEYOND, f"the default for all pairs of more than {QUICK} algorithms"
    why = f"the default for all pairs of up to {QUICK} algorithms: rejects everything that Shaffer's and Holm's do"
    return DEFAULT_OF_PAIRS, why


def choose_corrections_with_holes(posthoc: Any, control: bool, pairwise: str, k: int) -> Wanted:
    """Holm's procedure unless another is asked for: it needs no logic that connects different problems."""
    if posthoc is None:
        reason = "the default if scores are missing: hypotheses about different problems are not logically related"
        return Wanted(methods=("holm",), named=False, reason=reason)
    chosen = choose_corrections(posthoc, control, "skillings-mack", pairwise, k, None)
    methods = [name for name in chosen.methods if name not in POSTHOC]
    if posthoc == "all":
        return replace(chosen, methods=tuple(dict.fromkeys(["holm", *methods])))
    if len(methods) < len(chosen.methods):
        refused = listing(name for name in chosen.methods if name in POSTHOC)
        rule = f"must adjust the p-values of pairs where scores are missing; {refused} takes a complete table"
        raise ParameterError(rule, parameter="posthoc")
    return chosen


def _check(name: object, known: list[str], control: bool) -> None:
    """An error that says why this correction does not fit the family."""
    if not isinstance(name, str):
        raise ParameterError(f"must be a name, a list of names, or 'all'; got {name!r}", parameter="posthoc")
    if name in known:
        return
    reason = did_you_mean(name, known)
    if name in POSTHOC:
        reason = f"; {POSTHOC[name].advice}"
    elif name == "all":
        reason = "; it cannot be one of a list: give it alone"
    elif control and name in PAIRWISE_METHODS:
        reason = "; it corrects for all pairs, but control= asks for comparisons with one algorithm"
    elif not control and name in CONTROL_METHODS:
        reason = "; it corrects for comparisons with a control: name one with control="
    rule = f"must be 'all' or one or more of {fitting(known, 60 if reason else 160)}; got {name!r}{reason}"
    raise ParameterError(rule, parameter="posthoc")


def adjusted_pvalues(
    scores: Scores, family: list[tuple[int, int]], tests: PairTests, chosen: Wanted, control: int | None
) -> Correction:
    """Compute the corrections. What is beyond its limit is an error if it was asked for by name; else a caution says
    so and Shaffer's procedure stands in for it (with a control there is nothing to stand in: Holm has no limit)."""
    values: dict[str, Array] = {}
    cautions = []
    for method in chosen.methods:
        try:
            if not chosen.named:
                _refuse_long(method, scores.n_algorithms, tests.positions is not None)
            values[method] = adjusted_family(scores, family, tests, method, control, method in chosen.printed)
        except TooLargeError as error:
            if chosen.named:
                raise
            if control is None:
                values.setdefault("shaffer", adjusted_family(scores, family, tests, "shaffer", control, False))
            instead = "Shaffer's static procedure is used instead" if control is None else "it is left out"
            cautions.append(beyond_limit(method, instead, str(error)))
    methods = tuple(values)
    return Correction(methods=methods, primary=methods[0], values=values, cautions=tuple(cautions))


def beyond_limit(what: str, instead: str, reason: str) -> Caution:
    """Something that was left out because it would have taken too long."""
    return caution_of("not-computed", "correction", what=what, reason=reason, instead=instead)


def _refuse_long(method: str, k: int, on_line: bool) -> None:
    """Minutes are for those who asked for them; and the default is the same with and without the accelerator."""
    most = LONG if on_line else bergmann_hommel.LIMIT
    if k > most and method in ("bergmann-hommel", "shaffer-dynamic"):
        time = "it takes minutes" if on_line else "for p-values of this kind it takes long"
        raise TooLargeError(
            f"{time} with more than {most} algorithms, here {k}; posthoc={method!r} "
            + ("computes it anyway" if on_line else "computes it as far as possible")
        )


def adjusted_family(
    scores: Scores, family: list[tuple[int, int]], tests: PairTests, method: str, control: int | None, printed: bool
) -> Array:
    """(m,) adjusted by one correction; ``scores`` matter only to those that pool the error of all algorithms."""
    if len(family) == 1:
        return tests.pvalue  # one hypothesis: nothing to correct
    if method in POSTHOC and not printed:
        return POSTHOC[method].function(scores, family, tests, control)
    underflow = bool((tests.pvalue == 0.0).any())  # then the logarithms know more
    p = tests.log_pvalue if underflow else tests.pvalue
    if control is not None:
        adjusted = adjust(p, method, log=underflow)
    else:
        a, b = np.array(family, dtype=np.intp).T
        table = np.zeros((scores.n_algorithms,) * 2)
        table[a, b] = table[b, a] = p
        adjusted = adjust_pairwise(table, method, positions=tests.positions, log=underflow)[a, b]
    return np.exp(adjusted) if underflow else adjusted


def corrections_in_words() -> str:
    """The help of ``posthoc``: both families."""
    with_control, of_pairs = _listed(True, DEFAULT_WITH_CONTROL), _listed(False, DEFAULT_OF_PAIRS)
    return (
        "Correction, repeatable or comma-separated; the first decides. 'all' computes every one of the family. "
        f"With a control: {with_control}. All pairs: {of_pairs}."
    )


def _listed(control: bool, default: str) -> str:
    """The default first, and marked; after which omnibus test, where that is fixed."""
    after = {name: f" (after {test.omnibus})" for name, test in POSTHOC.items() if test.omnibus}
    others = [c.name + after.get(c.name, "") for c in catalogue.corrections(control) if c.name != default]
    return ", ".join([f"{default} (default)", *others])
