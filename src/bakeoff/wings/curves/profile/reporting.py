"""A Profile in words, as the format-free Document, as JSON and as columns."""

import math
import re
from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.effects.curve_bands import dkw_of_clusters
from bakeoff.report import sections
from bakeoff.report.data import null_for_infinity
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Paragraph,
    Section,
    Table,
    Text,
    equal_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import direction, joined, problem_count, sample, software, text
from bakeoff.report.reporting import SIZES, Columns, Reporting, Rows
from bakeoff.report.sections import sizes, unless_one_process
from bakeoff.scores import Array
from bakeoff.scores.clusters import cluster_codes
from bakeoff.wings.curves.profile.statistics import OrderFlip, Profile
from bakeoff.wings.curves.profile.statistics.curves import NEAREST, direction_of, shares_within
from bakeoff.wings.curves.profile.statistics.data_profiles import are_targets

TITLES = {
    "ratio": "Performance profile",
    "difference": "Profile of differences from the best",
    "data": "Data profile",
    "score": "Distribution of scores",
}


def curve_title(result: Profile) -> str:
    """Describe the curves."""
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
    """Describe τ."""
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
    """Name who is most often best, or the gap of two."""
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
    """Round up to two significant digits."""
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
        shown = "There is no verdict on the difference, because "
        shown += f"with {units} no outcome has a p-value up to {alpha:.3g}"
    where = f"at τ = {tau}, where they are furthest apart"
    return f"{shown}: {where}, {a} {reaches} {of} of the {result.counted} (swap test, {p})."


def basis(result: Profile) -> str:
    """Name the evidence behind the verdict."""
    s = result.scores
    low, high = (numerals.decimals(float(w), 2) for w in (result.half_widths.min(), result.half_widths.max()))
    width = low if low == high else f"{low} to {high}"
    counted = _rows(result) if are_targets(s) else f"{problem_count(s)}, {direction(s)}"
    bands = f"{band_level(result)} bands ± {width}, each for one whole curve"
    return f"{curve_title(result)}: τ is {axis(result)}; {bands}; {counted}."


def band_words(result: Profile) -> str:
    """Explain how to read the bands."""
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


LISTED = 20  # flips that a page shows
RATIOS = (1.0, 2.0, 5.0, 10.0, 100.0)


def columns_of(result: Profile) -> list[float]:
    """Some τ worth a column: round ratios; of differences and budgets the quarters of what occurs."""
    finite = result.distances[np.isfinite(result.distances)]
    if result.form == "ratio" or not len(finite):
        return list(RATIOS)
    first = [0.0] if result.form == "difference" else []
    finite = finite if result.form == "score" else finite[finite > 0]
    quarters = np.quantile(finite, (0.25, 0.5, 0.75, 1.0), method="inverted_cdf").tolist() if len(finite) else []
    sign = direction_of(result.scores, result.form)
    return [sign * x for x in sorted({*first, *(rounded_up(x) for x in quarters)})]


def share_table(result: Profile) -> Table:
    """A row per algorithm."""
    taus = columns_of(result)
    at, solved = result.at(taus), result.solved
    shown: list[ColumnSpec[int]] = [
        text_column("name", "algorithm", lambda j: numerals.plain(result.scores.algorithms[j]))
    ]

    def column(i: int) -> ColumnSpec[int]:
        title, rank = f"τ = {numerals.significant(taus[i], 4)}", len(taus) - i if i else 0
        return number_column(f"tau{i}", title, lambda j: share_words(float(at[j, i])), strong=i == 0, rank=rank)

    shown += [column(i) for i in range(len(taus))]
    shown.append(number_column("solved", "ever", lambda j: share_words(float(solved[j]))))
    shown.append(number_column("width", "band ±", lambda j: share_words(float(result.half_widths[j])), rank=len(taus)))
    share = f"Share of {result.counted} {result.relation}"
    note = f"{share}: {axis(result)}. Ever: without a failed run, and with a finite distance."
    if are_targets(result.scores):
        note += " A row of the table is a target of a run; all rows of a problem, or of its cluster, are one cluster."
    return tabulate("shares", share, shown, result.order, note=note)


def flips(result: Profile) -> Table | None:
    """The clearest ones."""
    if not result.flips:
        return None

    def order(a: float, b: float) -> str:
        return f"{share_words(a)}, {share_words(b)}"

    shown: list[ColumnSpec[OrderFlip]] = [
        text_column("pair", "pair", lambda f: f"{numerals.plain(f.a)} – {numerals.plain(f.b)}", wraps=True),
        equal_column("tau", "τ", result.flips[:LISTED], lambda f: f.tau, digits=5),
        text_column("with", "shares", lambda f: order(f.share_a, f.share_b)),
        text_column("third", "without", lambda f: numerals.plain(f.without), wraps=True),
        text_column("after", "shares then", lambda f: order(f.share_a_without, f.share_b_without)),
    ]
    note = "At the τ where the smaller of the two gaps is largest. A pair is listed once for each third algorithm."
    title, more = "Pairs whose order reverses without a third", "are in the JSON"
    return tabulate("flips", title, shown, result.flips, note=note, most=LISTED, more=more)


def own_steps(result: Profile, j: int) -> tuple[list[float], list[float]]:
    """Return where the curve of one algorithm rises, and its height from there on."""
    values = result.distances[:, [j]]
    tau = np.unique(values[np.isfinite(values)])
    share = shares_within(values, tau, None if result.shares is None else result.shares[:, [j]])[0]
    return (direction_of(result.scores, result.form) * tau).tolist(), share.tolist()


def _body(result: Profile) -> list[Section | None]:
    return [
        sections.figure("Profiles", Figure(result, curve_title(result), key="profile"), "figure"),
        Section("shares", "Shares", (share_table(result), Paragraph((band_words(result),)))),
        sections.one_block("flips", "Order that depends on a third algorithm", flips(result)),
    ]


def _curves(result: Profile) -> list[dict[str, Any]]:
    listed = []
    for j, name in enumerate(result.scores.algorithms):
        tau, share = own_steps(result, j)
        one = {"algorithm": name, "half_width": float(result.half_widths[j]), "ever": float(result.solved[j])}
        listed.append({**one, "tau": tau, "share": share})
    return listed


def _steps(result: Profile) -> Columns:
    """A row per step of a curve."""
    rows = []
    for j, name in enumerate(result.scores.algorithms):
        width = float(result.half_widths[j])
        for tau, share in zip(*own_steps(result, j), strict=True):
            rows.append((name, tau, share, max(0.0, share - width), min(1.0, share + width)))
    return {key: [row[i] for row in rows] for i, key in enumerate(("algorithm", "tau", "share", "lower", "upper"))}


def _shares(result: Profile) -> Rows:
    taus = columns_of(result)
    at, solved, widths = result.at(taus).tolist(), result.solved.tolist(), result.half_widths.tolist()
    what = "reach" if result.form == "score" else "within"
    head = ("algorithm", *(f"{what} {tau:g}" for tau in taus), "ever", "band")
    return [head, *((result.scores.algorithms[j], *at[j], solved[j], widths[j]) for j in result.order)]


REPORT = Reporting[Profile](
    schema="bakeoff.profile/1",
    title=lambda result: f"{curve_title(result)}: {rest_of_title(result)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("shares", "flips"),
    methods=methods,
    keys=(
        *(("kind", "form"), "cell", "over", *SIZES, "n_clusters", "band"),
        ("at", lambda result: [{"tau": tau, "shares": result.at(tau)} for tau in columns_of(result)]),
        *(("curves", _curves), "swap", "flips"),
    ),
    infinite=null_for_infinity,
    main=_steps,
    second=_shares,
)
