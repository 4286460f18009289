"""Every procedure that compare() knows, by name: the records of all families in one place."""

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS, AdjustmentMethod
from bakeoff.errors import UnknownNameError
from bakeoff.posthoc import PAIRWISE, POSTHOC, RANKINGS


def correction(name: str) -> AdjustmentMethod:
    """The record of a correction of either family; a result may outlive the record of what made it."""
    found = CONTROL_METHODS.get(name) or PAIRWISE_METHODS.get(name) or POSTHOC.get(name)
    return found or AdjustmentMethod(name, name, name, function=_gone)


def _gone() -> None:
    raise UnknownNameError("this correction is no longer registered")


def corrections(control: bool) -> list[AdjustmentMethod]:
    """All that ``posthoc=`` can name with a control, or for all pairs; those tied to an omnibus test last."""
    tests = [test for test in POSTHOC.values() if test.control == control]
    return [*(CONTROL_METHODS if control else PAIRWISE_METHODS).values(), *tests]


def word(name: str) -> str:
    """A test of pairs or a correction in the middle of a sentence.

    Examples
    --------
    >>> word("mean-ranks"), word("holm")
    ('mean ranks', 'Holm')
    """
    return PAIRWISE[name].word if name in PAIRWISE else correction(name).short


def tests_of_pairs(name: str, n_problems: int) -> str:
    """How each pair was tested, in the plural: ``sign tests (exact binomial distribution)``."""
    test = PAIRWISE[name]
    law = test.law(n_problems)
    return f"{test.phrase} ({law})" if law else test.phrase


def mean_rank(ranking: str) -> str:
    """What ``Comparison.ranking`` calls a mean rank: ``mean aligned rank``."""
    return RANKINGS["mean-ranks" if ranking == "friedman" else ranking].axis
