"""What the procedures are called in a sentence, and whom to cite for them.

A procedure that is not listed here is called by its own name and cites nobody: adding one stays one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from bakeoff.nulls.signed_rank import EXACT_LIMIT


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """``short`` for tables and headings, ``phrase`` for sentences ("… by ‹phrase›"), keys of the bibliography."""

    short: str
    phrase: str
    cite: tuple[str, ...] = ()


def _entry(short: str, phrase: str, *cite: str) -> Entry:
    return Entry(short=short, phrase=phrase, cite=cite)


OMNIBUS = {
    "friedman": _entry("Friedman", "the Friedman test", "friedman1937"),
    "iman-davenport": _entry(
        "Iman–Davenport",
        "the Iman–Davenport extension of the Friedman test",
        "friedman1937",
        "imandavenport1980",
    ),
    "aligned": _entry("Friedman aligned ranks", "the Friedman aligned ranks test", "hodgeslehmann1962"),
    "quade": _entry("Quade", "the Quade test", "quade1979"),
    "anova": _entry("Repeated-measures ANOVA", "repeated-measures analysis of variance", "fisher1925"),
}

PAIRWISE = {
    "mean-ranks": _entry("z on mean ranks", "z tests on differences of mean ranks", "demsar2006"),
    "aligned": _entry("z on aligned ranks", "z tests on differences of mean aligned ranks", "garcia2010"),
    "quade": _entry("z on Quade ranks", "z tests on differences of Quade's weighted mean ranks", "garcia2010"),
    "wilcoxon": _entry("Wilcoxon signed-rank", "Wilcoxon signed-rank tests (exact null distribution)", "wilcoxon1945"),
    "sign": _entry("Sign", "sign tests (exact binomial distribution)", "dixonmood1946"),
    "t": _entry("Paired t", "paired t tests", "student1908"),
}

POSTHOC = {
    "none": _entry("unadjusted", "no correction"),
    "bonferroni": _entry("Bonferroni", "the Bonferroni–Dunn correction", "dunn1961"),
    "sidak": _entry("Šidák", "the Šidák correction", "sidak1967"),
    "holm": _entry("Holm", "Holm's step-down procedure", "holm1979"),
    "holland": _entry("Holland", "Holland & Copenhaver's step-down procedure", "holland1987"),
    "finner": _entry("Finner", "Finner's step-down procedure", "finner1993"),
    "hochberg": _entry("Hochberg", "Hochberg's step-up procedure", "hochberg1988"),
    "hommel": _entry("Hommel", "Hommel's procedure", "hommel1988"),
    "rom": _entry("Rom", "Rom's step-up procedure (exact levels)", "rom1990"),
    "rom-printed": _entry("Rom (printed)", "Rom's procedure with the levels printed in the tutorials", "rom1990"),
    "li": _entry("Li", "Li's two-step procedure", "li2008"),
    "fdr-bh": _entry("Benjamini–Hochberg", "the Benjamini–Hochberg procedure", "benjaminihochberg1995"),
    "fdr-by": _entry("Benjamini–Yekutieli", "the Benjamini–Yekutieli procedure", "benjaminiyekutieli2001"),
    "nemenyi": _entry("Nemenyi", "the Nemenyi correction (number of pairs times p)", "nemenyi1963"),
    "nemenyi-range": _entry("Nemenyi test", "the Nemenyi test (studentized range)", "nemenyi1963"),
    "shaffer": _entry("Shaffer", "Shaffer's static procedure", "shaffer1986"),
    "shaffer-dynamic": _entry("Shaffer (dynamic)", "Shaffer's dynamic procedure", "shaffer1986"),
    "bergmann-hommel": _entry("Bergmann–Hommel", "the procedure of Bergmann and Hommel", "bergmannhommel1988"),
    "tukey": _entry("Tukey", "Tukey's studentized-range test", "tukey1949"),
    "dunnett": _entry("Dunnett", "Dunnett's many-to-one test", "dunnett1955"),
}

EFFECTS = {
    "hodges-lehmann": _entry("Hodges–Lehmann", "the Hodges–Lehmann estimate", "hodgeslehmann1963"),
    "rank-biserial": _entry("rank-biserial", "the matched-pairs rank-biserial correlation", "kerby2014"),
    "contrast-estimation": _entry("contrast estimation", "contrast estimation based on medians", "doksum1967"),
    "kendall-w": _entry("Kendall's W", "Kendall's coefficient of concordance", "kendall1939"),
    "greenhouse": _entry("Greenhouse–Geisser", "Greenhouse and Geisser's correction", "greenhousegeisser1959"),
    "multiple-sign": _entry("multiple sign test", "the multiple sign test", "rhynesteel1965"),
}

RECIPES = {
    "demsar-2006": _entry("Demšar (2006)", "the protocol of Demšar", "demsar2006"),
    "garcia-2010": _entry("García et al. (2010)", "the protocol of García et al.", "garcia2010"),
    "derrac-2011": _entry("Derrac et al. (2011)", "the protocol of Derrac et al.", "derrac2011"),
}

RANKINGS = {"friedman": "mean rank", "aligned": "mean aligned rank", "quade": "weighted mean rank"}
DISCOVERY = frozenset({"fdr-bh", "fdr-by"})  # these promise a false discovery rate, not a family-wise level
NOMINAL = frozenset({"finner", "li", "rom-printed"})  # these keep the family-wise level in part only
POOLED = frozenset({"tukey", "dunnett"})  # these do not start from the raw p-values

_EVERYTHING = (OMNIBUS, PAIRWISE, POSTHOC, EFFECTS, RECIPES)


def entry(room: Mapping[str, Entry], name: str) -> Entry:
    """The entry of ``name``, or one that calls it by its own name."""
    return room.get(name) or _entry(name, name)


def pair_test(name: str, n_problems: int) -> Entry:
    """How each pair was tested; Wilcoxon's test is exact up to a limit only."""
    used = entry(PAIRWISE, name)
    if name != "wilcoxon" or n_problems <= EXACT_LIMIT:
        return used
    phrase = f"Wilcoxon signed-rank tests (normal approximation beyond {EXACT_LIMIT} non-zero differences)"
    return replace(used, phrase=phrase)


def citations(name: str) -> tuple[str, ...] | None:
    """The keys to cite for a test, correction, effect or recipe, wherever it is listed; None if unknown."""
    found = [room[name].cite for room in _EVERYTHING if name in room]
    return tuple(dict.fromkeys(key for keys in found for key in keys)) if found else None


def known_names() -> Iterable[str]:
    """Every name ``bakeoff cite`` understands."""
    return dict.fromkeys(name for room in _EVERYTHING for name in room if name != "none")
