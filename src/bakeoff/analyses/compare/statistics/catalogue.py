"""Every procedure that compare() knows, by name: the records of all families in one place."""

from collections.abc import Callable
from typing import Any

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, AdjustmentMethod
from bakeoff.analyses.compare.statistics.results import Comparison, Step
from bakeoff.dataclass import dataclass
from bakeoff.errors import UnknownNameError
from bakeoff.omnibus import OMNIBUS
from bakeoff.posthoc import OF_FOLDS, PAIR_TESTS, PAIRWISE, POSTHOC, RANKINGS
from bakeoff.procedures import Term

PRINTED = {"derrac-2011": ("nemenyi",)}
"""{recipe: corrections of all pairs by which it means p-values times a number, as its paper does, not the test}."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe(Term):
    """A protocol: corrections for each family (primary first) and the steps in order, each of which takes the state."""

    paper: str
    control: tuple[str, ...]
    pairs: tuple[str, ...]
    steps_control: tuple[Callable[[Any], Step], ...]
    steps_pairs: tuple[Callable[[Any], Step], ...]
    omnibus: str = "iman-davenport"
    printed: tuple[str, ...] = ()  # of ``pairs``: p-values times a number, where compare() has a test by that name


def correction(name: str, control: bool = True, printed: bool = False) -> AdjustmentMethod:
    """The record of a correction of either family; a result may outlive the record of what made it.

    ``printed``: of a recipe that means by it what its paper prints under that name.
    """
    families = (CONTROL_METHODS, PAIRWISE_METHODS) if control else (PAIRWISE_METHODS, CONTROL_METHODS)
    for family in families if printed else (POSTHOC, *families):
        if name in family:
            method: AdjustmentMethod = family[name]
            return method
    return AdjustmentMethod(name, name, name, function=_gone)


def correction_of(comparison: Comparison, method: str) -> AdjustmentMethod:
    """The record of a correction as this comparison used it."""
    printed = method in PRINTED.get(comparison.recipe or "", ())
    return correction(method, comparison.control is not None, printed)


def rate(comparison: Comparison) -> str:
    """The rate that the deciding correction keeps at alpha: nominal where only some tables, or some laws, promise it.

    z tests on ranks assume that no two algorithms differ (F19), t-tests take differences to be normal.
    """
    used = correction_of(comparison, comparison.primary)
    free = comparison.pairwise in ("wilcoxon", "sign") or comparison.scores.n_algorithms == 2
    return used.rate if free or used.nominal else f"nominal {used.rate}"


def _gone() -> None:
    raise UnknownNameError("this correction is no longer registered")


def corrections(control: bool) -> list[AdjustmentMethod]:
    """All that ``posthoc=`` can name with a control, or for all pairs; those tied to an omnibus test last."""
    tests = [test for test in POSTHOC.values() if test.control == control]
    others = CONTROL_METHODS if control else PAIRWISE_METHODS
    return [*(known for name, known in others.items() if name not in POSTHOC), *tests]


def word(name: str) -> str:
    """A test of pairs or a correction in the middle of a sentence.

    Examples
    --------
    >>> word("mean-ranks"), word("holm")
    ('mean ranks', 'Holm')
    """
    return PAIR_TESTS[name].word if name in PAIR_TESTS else correction(name).short


def steps_up(name: str) -> bool:
    """Whether the smallest adjusted p-value of this correction is known as a bound only (Hommel and the like)."""
    known = PAIRWISE_METHODS.get(name)
    record = CONTROL_METHODS.get(known.bound if known else name)
    return record is not None and record.best_case != "alone"


def tests_of_pairs(name: str, n_problems: int) -> str:
    """The tests of the pairs, in the plural: ``sign tests (exact binomial distribution)``."""
    test = PAIR_TESTS[name]
    law = test.law(n_problems)
    return f"{test.phrase} ({law})" if law else test.phrase


def mean_rank(ranking: str) -> str:
    """The words for a mean rank of ``Comparison.ranking``: ``mean aligned rank``."""
    if ranking == "skillings-mack":
        return "estimated mean rank"
    return RANKINGS["mean-ranks" if ranking == "friedman" else ranking].axis


def omnibus_tests() -> str:
    """The help of ``omnibus=``."""
    default, *others = OMNIBUS
    return f"Test of any difference at all: {', '.join([f'{default} (default)', *others])}."


def pairwise_tests() -> str:
    """The help of ``pairwise=``."""
    others = [name for name in PAIRWISE if name != "wilcoxon"]
    return (
        f"Test of each pair, before correction: {', '.join(['wilcoxon (default)', *others])}; nemenyi implies "
        "mean-ranks, tukey and dunnett t. Tests on ranks keep the family-wise error only if no two algorithms differ. "
        f"Folds: {', '.join(OF_FOLDS)}; usually the first, of repeats the second."
    )


def distribution(method: str) -> tuple[str, str]:
    """Where the p-value of the omnibus test comes from, and why."""
    if method == "exact":
        return "exact", "quick to compute for this table"
    if method == "permutation":
        return "sampled permutations", "a seed was given"
    return {"f": "F", "chi2": "χ²"}.get(method, method), "the exact one takes long to compute here; a seed samples it"
