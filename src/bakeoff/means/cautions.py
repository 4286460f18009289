"""The cautions of every analysis of means: what a reader must know of the units."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, Severity, counted, listing
from bakeoff.means.strata import FEWEST, Stratum, effective_clusters, is_dominated
from bakeoff.scores.clusters import Codes

FEW = 10  # effective units from which the mean of their means is nearly normal for all but the most skewed
SEEN = 20  # effective units below which no look at them protects a mean: rare failures that are not there yet
UNEVEN = 3  # times the smallest cluster: sizes that are worth a word
ENOUGH = 30  # effective clusters from which unequal sizes matter little
_Consequence: TypeAlias = tuple[str, Severity]
T_ERRS = (
    "t-tests and intervals of their means err more often than stated (standard lognormal differences at 5 %: 12 % "
    "with 30, 8 % with 120)."
)
BY_SIGNS = 'The sign test needs no symmetry: compare(pairwise="sign") asks who is better more often.'


def strata_cautions(strata: Sequence[Stratum], unit: str, hint: str = "", ways_out: str = "") -> list[Caution]:
    """Warn of tasks with one unit, whose error nobody knows, and of few or unequal clusters in the others."""
    several = [s for s in strata if s.n_clusters > 1]
    sizes, names = [s.sizes for s in several], [s.label for s in several]
    if any(s.kind for s in several):  # of few items of a class there is another caution
        return [*unknown_errors(strata, unit), *unequal_clusters(sizes, names, ways_out=ways_out)]
    each = mean_cautions(sizes, unit, names, hint, ways_out) if several else []
    return [*unknown_errors(strata, unit), *each]


def unknown_errors(strata: Sequence[Stratum], unit: str) -> list[Caution]:
    """Warn of tasks with one unit."""
    single = [repr(s.name) for s in strata if s.n_clusters < 2 and not s.kind]
    return [caution_of("out-of-reach", "one-of-a-task", names=listing(single), units=f"{unit}s")] if single else []


def mean_cautions(
    sizes: Sequence[Codes], unit: str, names: Sequence[str] = ("",), hint: str = "", ways_out: str = ""
) -> list[Caution]:
    """Warn of few or unequal clusters: ``sizes`` for each suite (1 for problems that stand alone), and its ``names``.

    ``hint`` follows what is said of few of them, ``ways_out`` what is said of unequal ones.
    """
    return [*_few(sizes, unit, names, hint), *unequal_clusters(sizes, names, ways_out=ways_out)]


def skewed_differences(
    pairs: Sequence[str], units: str, errs: str = T_ERRS, instead: str = BY_SIGNS, metric: str = ""
) -> list[Caution]:
    """Warn of ``pairs`` whose differences are skewed over the ``units``: what errs, what does not."""
    if not pairs:
        return []
    of = f"In {metric}, differences" if metric else "Differences"
    return [caution_of("skew", "differences", of=of, names=listing(pairs), units=units, errs=errs, instead=instead)]


def _few(sizes: Sequence[Codes], unit: str, names: Sequence[str], hint: str) -> list[Caution]:
    effective, fewest, name = min(
        (effective_clusters(each), len(each), name) for each, name in zip(sizes, names, strict=True)
    )
    if effective >= SEEN:
        return []
    worth = "" if effective > fewest - 0.5 else f", worth only {effective:.2g} of equal size"
    values = {"count": counted(fewest, unit), "where": _where(name, sizes), "worth": worth, "unit": unit, "hint": hint}
    about = "clusters" if unit == "cluster" else "units"
    return [caution_of("too-few", about, severity="warning" if effective < FEW else "note", **values)]


def unequal_clusters(
    sizes: Sequence[Codes],
    names: Sequence[str] = ("",),
    consequence: Callable[[Codes, float], _Consequence] | None = None,
    ways_out: str = "",
) -> list[Caution]:
    """The least even suite, and what follows from its sizes and their effective number, of t by default."""
    worst, name = min(zip(sizes, names, strict=True), key=lambda pair: effective_clusters(pair[0]))
    effective = effective_clusters(worst)
    if worst.max() < UNEVEN * worst.min() or effective >= ENOUGH:
        return []
    ending, severity = (consequence or _of_t)(worst, effective)
    values = {"least": worst.min(), "most": worst.max(), "effective": effective, "ending": ending + ways_out}
    clusters = counted(len(worst), "cluster") + _where(name, sizes)
    return [caution_of("unequal", "clusters", severity=severity, clusters=clusters, **values)]


def _of_t(sizes: Codes, effective: float) -> _Consequence:
    if effective < FEWEST:
        return ", too few to show anything about a mean: split the large clusters, or get more.", "stop"
    if is_dominated(sizes):
        return (
            f", and one is {sizes.max() / sizes.sum():.0%} of the mean. A difference counts only if t with "
            f"{effective - 1:.2g} degrees of freedom and sign flips of whole clusters both show it."
        ), "warning"
    return f", and t has {effective - 1:.2g} degrees of freedom.", "warning"


def _where(name: str, sizes: Sequence[Codes]) -> str:
    return f" in {name}" if len(sizes) > 1 else ""
