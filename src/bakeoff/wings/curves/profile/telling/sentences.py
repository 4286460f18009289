"""What a profile says in words."""

import math
import re

import numpy as np

from bakeoff import numerals
from bakeoff.effects.curve_bands import dkw_of_clusters
from bakeoff.report.document import Text
from bakeoff.report.methods import direction, joined, problem_count, sample, software, text
from bakeoff.report.sections import sizes, unless_one_process
from bakeoff.scores import Array
from bakeoff.scores.clusters import cluster_codes
from bakeoff.wings.curves.profile.statistics import Profile
from bakeoff.wings.curves.profile.statistics.data_profiles import are_targets
from bakeoff.wings.curves.profile.statistics.distances import NEAREST, direction_of

TITLES = {
    "ratio": "Performance profile",
    "difference": "Profile of differences from the best",
    "data": "Data profile",
    "score": "Distribution of scores",
}


def curve_title(result: Profile) -> str:
    """What the curves are."""
    return "Targets reached by budget" if are_targets(result.scores) else TITLES[result.form]


def _rows(result: Profile) -> str:
    """``350 problems in 35 clusters``, or what else a row is."""
    return result.rows_read or problem_count(result.scores)


def rest_of_title(result: Profile) -> str:
    """The rest of the title."""
    if not are_targets(result.scores):
        return sizes(result.scores)
    return f"{numerals.count(result.scores.n_algorithms, 'algorithm')}, {_rows(result)}"


def axis(result: Profile) -> str:
    """What τ is."""
    name = result.axis_of(numerals.plain(result.scores.metric) if result.scores.metric else None)
    return f"the {name}" if result.form == "score" else name


def band_level(result: Profile) -> str:
    return numerals.percent(result.band)


def tau_words(tau: float) -> str:
    """Four significant digits; more where a ratio is nearly 1."""
    return numerals.significant(tau, 4 if not 1 < tau < 1.01 else 7)


def share_words(share: float) -> str:
    """``32 %``."""
    return numerals.in_percent(float(share))


@unless_one_process
def verdict(result: Profile) -> str:
    """Who is most often best, or the gap of two."""
    if result.swap is not None:
        return _two(result)
    if result.form == "data":
        if are_targets(result.scores):
            at = _middle(result)
            return _most(result, result.at(at), ("reaches", "reach"), f"a target within τ = {tau_words(at)}")
        return _most(result, result.solved, ("reaches", "reach"), "the target")
    if result.form == "score":
        return _most(result, result.at(middle := _middle(result)), ("reaches", "reach"), f"τ = {tau_words(middle)}")
    if result.shares is not None:
        return _most(result, result.at(middle := _middle(result)), ("is", "are"), f"within τ = {tau_words(middle)}")
    return _most(result, result.at(NEAREST[result.form]), ("is", "are"), "best, or tied for it,")


def _middle(result: Profile) -> float:
    """The τ of the median distance, to two digits."""
    finite = result.distances[np.isfinite(result.distances)]
    middle = rounded_up(float(np.median(finite))) if len(finite) else NEAREST.get(result.form, 0.0)
    return direction_of(result.scores, result.form) * middle


def rounded_up(x: float) -> float:
    """To two significant digits."""
    if x == 0:
        return x
    unit = 10.0 ** (math.floor(math.log10(abs(x))) - 1)
    return float(f"{math.ceil(x / unit - 1e-12 * abs(x / unit)) * unit:.12g}")


def _most(result: Profile, shares: Array, verbs: tuple[str, str], what: str) -> str:
    names, top = result.scores.algorithms, float(shares.max())
    best = np.flatnonzero(shares == top).tolist()
    width = max(float(result.half_widths[j]) for j in best)
    low, high = share_words(max(0.0, top - width)), share_words(min(1.0, top + width))
    sentence = (
        f"{numerals.name_list([numerals.plain(names[j]) for j in best])} {verbs[len(best) > 1]} {what} most often: "
        f"{_of_rows(result, share_words(top))}{' each' if len(best) > 1 else ''} "
        f"({band_level(result)} band {low} to {high})."
    )
    pairs = len({(flip.a, flip.b) for flip in result.flips})
    if pairs:
        sentence += f" The order of {numerals.count(pairs, 'pair')} depends on the other algorithms in the table."
    return sentence


def _of_rows(result: Profile, share: str) -> str:
    """``on 32 % of 25 problems``, ``in 62 % of the runs on these 25 problems``."""
    problems = numerals.count(result.scores.n_problems, "target" if are_targets(result.scores) else "problem")
    if result.shares is None:
        return f"on {share} of {problems}"
    return f"in {share} of the runs on {'these ' if result.over == 'runs' else ''}{problems}"


def _two(result: Profile) -> str:
    assert result.swap is not None
    a, b = map(numerals.plain, result.scores.algorithms)
    if result.swap.tau is None:
        return f"{a} and {b} have the same profile."
    x, y = (share_words(share) for share in result.at(result.swap.tau))
    p = numerals.p_phrase(result.swap.pvalue)
    tau, reaches = tau_words(result.swap.tau), "reaches it" if result.form == "score" else "is within it"
    of = f"on {x} and {b} on {y}"
    if are_targets(result.scores):
        reaches, of = "reaches", f"{x} and {b} {y}"
    alpha = 1 - result.band
    shown = "The profiles differ" if result.swap.pvalue <= alpha else "No difference between the profiles shown"
    if result.over != "runs" and 2.0 ** (1 - result.n_clusters) > alpha:
        unit = "cluster" if result.scores.clusters is not None else "problem"
        units = numerals.count(result.n_clusters, unit)
        shown = (
            f"There is no verdict on the difference, because with {units} no outcome has a p-value up to {alpha:.3g}"
        )
    return (
        f"{shown}: at τ = {tau}, where they are furthest apart, {a} {reaches} {of} of the {result.counted} "
        f"(swap test, {p})."
    )


def basis(result: Profile) -> str:
    """What the verdict rests on."""
    s = result.scores
    low, high = (numerals.decimals(float(w), 2) for w in (result.half_widths.min(), result.half_widths.max()))
    width = low if low == high else f"{low} to {high}"
    counted = _rows(result) if are_targets(s) else f"{problem_count(s)}, {direction(s)}"
    bands = f"{band_level(result)} bands ± {width}, each for one whole curve"
    return f"{curve_title(result)}: τ is {axis(result)}; {bands}; {counted}."


def band_words(result: Profile) -> str:
    """How to read the bands."""
    if result.over == "runs":
        best = "The best run on each problem is treated as fixed. " if result.form in NEAREST else ""
        return (
            f"Bands: with {band_level(result)} confidence the curve of an algorithm over all possible runs on these "
            f"problems lies in its band at every τ. {best}Each band holds for one algorithm, not for all at once."
        )
    unit = "clusters of problems" if result.scores.clusters is not None else "problems"
    return (
        f"Bands: with {band_level(result)} confidence the curve of an algorithm over all {unit} like these, drawn "
        "independently, lies in its band at every τ. Each band holds for one algorithm, not for all at once."
    )


_FORMS = {
    "ratio": "Performance profiles [@dolanmore2002] show the share of problems on which the ratio to the best of the "
    "{k} algorithms is at most τ. If the best is 0, its ratio is 1, and that of others is infinite. ",
    "difference": "Profiles show the share of problems on which an algorithm is worse than the best of the {k} by at "
    "most τ, after the performance profiles of Dolan and Moré [@dolanmore2002]. ",
    "data": "Data profiles [@morewild2009] show the share of problems whose target was reached within the budget τ. ",
    "score": "Distributions of scores show the share of problems on which an algorithm reaches the score τ, after "
    "Agarwal et al. [@agarwal2021]. ",
}


_TARGETS = "Runtime distributions [@hansen2022] show the share of all targets that runs reached within the budget τ. "
_RUNS = {
    "ratio": "Performance profiles, after Dolan and Moré [@dolanmore2002], show the share of runs whose ratio to the "
    "best run on their problem is at most τ. If the best is 0, its ratio is 1, and that of others is infinite. ",
    "difference": "Profiles show the share of runs that are worse than the best run on their problem by at most τ, "
    "after the performance profiles of Dolan and Moré [@dolanmore2002]. ",
    "data": "Data profiles [@morewild2009] show the share of runs that reached their target within the budget τ. ",
    "score": "Distributions of scores show the share of runs that reach the score τ [@agarwal2021]. ",
}


def methods(result: Profile) -> Text:
    """The paragraph for a paper."""
    k, level_ = result.scores.n_algorithms, band_level(result)
    unit = "clusters" if result.scores.clusters is not None else "problems"
    n = "the effective number of clusters" if result.scores.clusters is not None else "the number of problems"
    by_run, of_targets = result.shares is not None, are_targets(result.scores)
    paragraph = _TARGETS if of_targets else (_RUNS if by_run else _FORMS)[result.form].replace("{k}", str(k))
    if by_run:
        paragraph += "Each problem counts equally. "
    drawn, sizes = f"bootstrap samples of {unit}", f"{numerals.decimals(_floor(result), 3)} for {n}"
    if result.over == "runs":
        unit, drawn = "problems", "bootstrap samples of runs within problems (r − 1 of r) [@raowu1988]"
        sizes = "for the effective number of runs"
    paragraph += (
        f"Simultaneous {level_} bands have the larger of two half-widths: the quantile of the largest deviation over τ "
        f"in {result.n_resamples} {drawn}, and the Dvoretzky–Kiefer–Wolfowitz bound {sizes} [@massart1990]. "
    )
    if result.swap is not None:
        how = "all exchanges" if result.swap.exact else f"{result.swap.n_resamples} random exchanges"
        paragraph += (
            "The two were compared by the largest vertical distance of their profiles, with a p-value from "
            f"{how} of their {'labels' if result.over != 'runs' else 'runs'} within {unit}. "
        )
    elif result.form in NEAREST:
        paragraph += (
            "The order of two profiles can depend on a third algorithm [@gouldscott2016]; such pairs were listed. "
        )
    return joined(_sample(result), text(paragraph.rstrip()), software())


def _sample(result: Profile) -> Text:
    """Sizes, direction, and what stands for the runs of a cell."""
    if are_targets(result.scores):
        return (f"{numerals.count(result.scores.n_algorithms, 'algorithm')} were compared by {_rows(result)}.",)
    words = "".join(map(str, sample(result.scores)))
    if result.shares is not None:
        return (re.sub(r"each score is the mean of (.*? runs)", r"\1 each", words),)
    return (words.replace("each score is the mean of", f"each score is the {result.cell} of"),)


def _floor(result: Profile) -> float:
    return dkw_of_clusters(cluster_codes(result.scores), result.band)
