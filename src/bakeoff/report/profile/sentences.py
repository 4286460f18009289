"""What a profile says in words."""

from __future__ import annotations

import numpy as np

from bakeoff import numerals
from bakeoff.effects.curve_bands import dkw_of_clusters
from bakeoff.profiles import Profile
from bakeoff.profiles.distances import NEAREST
from bakeoff.report.document import Text
from bakeoff.report.methods import direction, joined, measured, problem_count, sample, software, text
from bakeoff.report.sections import unless_one_process
from bakeoff.scores import Array
from bakeoff.scores.clusters import cluster_codes

TITLES = {"ratio": "Performance profile", "difference": "Profile of differences from the best", "data": "Data profile"}


def axis(found: Profile) -> str:
    """What τ is."""
    what = measured(found.scores)
    if found.form == "data":
        return what if found.scores.metric else "budget"
    if found.form == "difference":
        return f"difference from the best {what}"
    return f"best {what} / {what}" if found.scores.better == "higher" else f"{what} / best {what}"


def band_level(found: Profile) -> str:
    return numerals.percent(found.band)


def tau_words(tau: float) -> str:
    """Four significant digits; more where a ratio is nearly 1."""
    return numerals.significant(tau, 4 if not 1 < tau < 1.01 else 7)


def share_words(share: float) -> str:
    """``32 %``."""
    return numerals.in_percent(float(share))


@unless_one_process
def verdict(found: Profile) -> str:
    """Who is most often best, or the gap of two."""
    if found.swap is not None:
        return _two(found)
    if found.form == "data":
        return _most(found, found.solved, ("reaches", "reach"), "the target")
    return _most(found, found.at(NEAREST[found.form]), ("is", "are"), "best, or tied for it,")


def _most(found: Profile, shares: Array, verbs: tuple[str, str], what: str) -> str:
    names, top = found.scores.algorithms, float(shares.max())
    best = np.flatnonzero(shares == top).tolist()
    width = max(float(found.half_widths[j]) for j in best)
    low, high = share_words(max(0.0, top - width)), share_words(min(1.0, top + width))
    said = (
        f"{numerals.name_list([numerals.plain(names[j]) for j in best])} {verbs[len(best) > 1]} {what} most often: on "
        f"{share_words(top)} of {numerals.count(found.scores.n_problems, 'problem')}{' each' if len(best) > 1 else ''} "
        f"({band_level(found)} band {low} to {high})."
    )
    pairs = len({(flip.a, flip.b) for flip in found.flips})
    if pairs:
        said += f" The order of {numerals.count(pairs, 'pair')} depends on who else is in the table."
    return said


def _two(found: Profile) -> str:
    assert found.swap is not None
    a, b = map(numerals.plain, found.scores.algorithms)
    if found.swap.tau is None:
        return f"{a} and {b} have the same profile."
    x, y = (share_words(share) for share in found.at(found.swap.tau))
    p = numerals.p_phrase(found.swap.pvalue)
    tau = tau_words(found.swap.tau)
    alpha = 1 - found.band
    shown = "The profiles differ" if found.swap.pvalue <= alpha else "No difference of the profiles shown"
    if 2.0 ** (1 - found.n_clusters) > alpha:
        unit = "cluster" if found.scores.clusters is not None else "problem"
        units = numerals.count(found.n_clusters, unit)
        shown = f"Nothing can be told of the difference, as with {units} no outcome has a p-value up to {alpha:.3g}"
    return (
        f"{shown}: at τ = {tau}, where they are furthest apart, {a} is within it on {x} and {b} on {y} of the problems "
        f"(swap test, {p})."
    )


def basis(found: Profile) -> str:
    """What the verdict rests on."""
    s = found.scores
    low, high = (numerals.decimals(float(w), 2) for w in (found.half_widths.min(), found.half_widths.max()))
    width = low if low == high else f"{low} to {high}"
    return (
        f"{TITLES[found.form]}: τ is {axis(found)}; {band_level(found)} bands ± {width}, each for one whole curve; "
        f"{problem_count(s)}, {direction(s)}."
    )


def band_words(found: Profile) -> str:
    """How to read the bands."""
    unit = "clusters of problems" if found.scores.clusters is not None else "problems"
    return (
        f"Bands: with {band_level(found)} confidence the curve of an algorithm over all {unit} like these, drawn "
        "independently of each other, lies in its band at every τ; each band is of one algorithm, not of all at once."
    )


_FORMS = {
    "ratio": "Performance profiles [@dolanmore2002] show the share of problems on which the ratio to the best of the "
    "{k} algorithms is at most τ (where the best is 0: 1 for it, infinite for others). ",
    "difference": "Profiles show the share of problems on which an algorithm is worse than the best of the {k} by at "
    "most τ, after the performance profiles of Dolan and Moré [@dolanmore2002]. ",
    "data": "Data profiles [@morewild2009] show the share of problems whose target was reached within the budget τ. ",
}


def methods(found: Profile) -> Text:
    """The paragraph for a paper."""
    k, level_ = found.scores.n_algorithms, band_level(found)
    unit = "clusters" if found.scores.clusters is not None else "problems"
    n = "the effective number of clusters" if found.scores.clusters is not None else "the number of problems"
    said = _FORMS[found.form].replace("{k}", str(k))
    said += (
        f"Simultaneous {level_} bands have the larger of two half-widths: the quantile of the largest deviation over τ "
        f"in {found.n_resamples} bootstrap samples of {unit}, and the Dvoretzky–Kiefer–Wolfowitz bound "
        f"{numerals.decimals(_floor(found), 3)} for {n} [@massart1990]. "
    )
    if found.swap is not None:
        how = "all exchanges" if found.swap.exact else f"{found.swap.n_resamples} random exchanges"
        said += (
            "The two were compared by the largest vertical distance of their profiles, with a p-value from "
            f"{how} of their labels within {unit}. "
        )
    elif found.form != "data":
        said += (
            "The order of two profiles can depend on a third algorithm [@gouldscott2016]; pairs for which it does "
            "were listed. "
        )
    return joined(_sample(found), text(said.rstrip()), software())


def _sample(found: Profile) -> Text:
    """Sizes, direction, and what stands for the runs of a cell."""
    said = "".join(map(str, sample(found.scores)))
    return (said.replace("each score is the mean of", f"each score is the {found.cell} of"),)


def _floor(found: Profile) -> float:
    return dkw_of_clusters(cluster_codes(found.scores), found.band)
