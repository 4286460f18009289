"""The works to cite for a procedure, by the name that compare() and ``bakeoff cite`` know it by."""

from collections.abc import Mapping

from bakeoff.adjusting import CONTROL_METHODS, PAIRWISE_METHODS
from bakeoff.analyses.compare.statistics.recipes import RECIPES
from bakeoff.effects import EFFECTS
from bakeoff.omnibus import OMNIBUS
from bakeoff.paired import OF_ONE_PAIR
from bakeoff.posthoc import PAIR_TESTS, POSTHOC
from bakeoff.procedures import Term, by_name

ALSO_USED: Mapping[str, Term] = by_name(
    Term("greenhouse", "Greenhouse–Geisser", "Greenhouse and Geisser's correction", cite=("greenhousegeisser1959",)),
    Term("equivalence", "two one-sided tests", "two one-sided tests", cite=("schuirmann1987", "lakens2017")),
    Term("cosines", "orthonormal cosines", "orthonormal cosines", cite=("lazarus2018", "andrews1992")),
    Term("multiple-sign", "multiple sign test", "the multiple sign test", cite=("rhynesteel1965",)),
)
"""Parts of an analysis of variance, of a recipe and of a series, which cannot be asked for by themselves."""

_FAMILIES: tuple[Mapping[str, Term], ...] = (
    OMNIBUS,
    PAIR_TESTS,
    CONTROL_METHODS,
    PAIRWISE_METHODS,
    POSTHOC,
    EFFECTS,
    OF_ONE_PAIR,
    ALSO_USED,
    RECIPES,
)


def citations(name: str) -> tuple[str, ...] | None:
    """The keys to cite for a test, correction, effect or recipe, wherever it is listed; None if unknown."""
    cited = [family[name].cite for family in _FAMILIES if name in family]
    return tuple(dict.fromkeys(key for keys in cited for key in keys)) if cited else None


def known_names() -> tuple[str, ...]:
    """Every name that has citations."""
    return tuple(dict.fromkeys(name for family in _FAMILIES for name in family))
