"""From Ratings to the format-free Document, to JSON, and to columns."""

from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.bradley_terry import RatedPair, Ratings
from bakeoff.bradley_terry.results import ELO
from bakeoff.bradley_terry.runs import by_split
from bakeoff.errors import by_severity
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import (
    Document,
    Figure,
    Paragraph,
    Section,
    Sheets,
    Shown,
    Table,
    Text,
    numeric,
    tabulate,
    words,
)
from bakeoff.report.methods import joined, sample, software, text, versions
from bakeoff.scores import Scores

SCHEMA = "bakeoff.ratings/1"
LISTED = 40  # pairs that a page shows


@sections.unless_one_process
def verdict(found: Ratings) -> str:
    """Who may be the strongest, and how many differences are shown."""
    names, places = found.algorithms, found.rank_intervals
    first = [numerals.plain(name) for name, (low, _) in zip(names, places.tolist(), strict=True) if low == 1]
    shown, m = sum(pair.verdict.endswith("better") for pair in found.pairs), len(found.pairs)
    n = found.battles.n_battles
    battles = f"{n:g} battle{'' if n == 1 else 's'}"
    if len(first) == 1:
        others = [numerals.plain(name) for name, (low, _) in zip(names, places.tolist(), strict=True) if low > 1]
        whom = others[0] if len(others) == 1 else f"each of the {len(others)} others"
        return f"{first[0]} is stronger than {whom}, by {battles}."
    who = numerals.name_list(first) if len(first) <= sections.MOST_NAMED else f"{len(first)} of {len(names)} algorithms"
    if not shown:
        return f"No difference of strength is shown between {len(names)} algorithms by {battles}."
    return f"{who} may be the strongest; {shown} of {numerals.count(m, 'pair')} differ, by {battles}."


def document(found: Ratings, command: str | None = None) -> Document:
    """Ratings, pairs, how well the model fits."""
    said = _methods(found)
    fit = _fit(found)
    return Document(
        title=f"Ratings of {numerals.count(len(found.algorithms), 'algorithm')}",
        verdict=verdict(found),
        basis=_basis(found),
        sections=sections.present(
            sections.figure(
                "Strengths", Figure(found, "Log strengths with intervals", key="ratings"), "ratings-figure"
            ),
            Section("ratings", "Ratings", (ratings_table(found), *([Paragraph((fit,))] if fit else []))),
            Section("pairs", "Pairs", (rated_pairs(found),)),
            sections.cautions(found.cautions),
            sections.methods(said),
            sections.references(methods.cited(said)),
            sections.provenance(found.scores, command, ("battles SHA-256", found.battles.source_sha256)),
        ),
        on_screen=("ratings", "pairs", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def _basis(found: Ratings) -> str:
    model = "Bradley–Terry model" + (" with ties by Davidson" if found.method == "davidson" else "")
    if found.method != "davidson" and found.battles.n_ties:
        model += ", ties as half wins"
    penalty = ", Firth's penalty" if found.penalty == "firth" else ""
    if found.df is None:
        errors = "errors as of independent battles"
    elif found.errors == "information":
        errors = (
            f"errors as of one battle of each pair in each of {found.df + 1:g} clusters, "
            f"t with {found.df:g} degrees of freedom"
        )
    else:
        errors = f"errors from {found.df + 1:g} resampled clusters, t with {found.df:g} degrees of freedom"
    return f"{model}{penalty}; {errors}; pairs and ranks simultaneous at α = {found.alpha:g}."


def _fit(found: Ratings) -> str:
    parts = []
    if found.tie_parameter is not None:
        equal = found.tie_parameter / (2 + found.tie_parameter)
        parts.append(f"Two equally strong algorithms tie with probability {numerals.significant(equal, 3)}.")
    if found.deviance is not None:
        said = f"Deviance {numerals.statistic(found.deviance)} on {found.deviance_df} degrees of freedom"
        if found.deviance_pvalue is not None and found.df is None:
            said += f" ({numerals.p_phrase(found.deviance_pvalue)})"
        parts.append(f"{said}.")
    return " ".join(parts)


def ratings_table(found: Ratings) -> Table:
    """One row per algorithm, the strongest first."""
    order = np.argsort(-found.strengths, kind="stable").tolist()
    wins, ties = found.battles.tables()
    met, won = (wins + wins.T + ties).sum(axis=1), (wins + ties / 2).sum(axis=1)
    zero = "they sum to 0" if found.reference is None else f"{numerals.plain(found.reference)} is 0"
    interval = f"each by itself at {numerals.percent(1 - found.alpha)}"

    def error(i: int) -> str:
        fixed = found.algorithms[i] == found.reference
        return numerals.MISSING if fixed else numerals.decimals(found.standard_errors[i], 3)

    def within(i: int) -> str:
        return numerals.MISSING if found.algorithms[i] == found.reference else _interval(found.intervals[i])

    shown: list[Shown[int]] = [
        words("algorithm", "algorithm", lambda i: numerals.plain(found.algorithms[i])),
        numeric("strength", "log strength", lambda i: numerals.decimals(found.strengths[i], 3), strong=True,
                legend=f"Log strength: {zero}."),
        numeric("error", "SE", error, rank=3),
        words("interval", "interval", within, rank=2, legend=f"Interval: {interval}.", in_paper=True),
        numeric("elo", "Elo", lambda i: numerals.decimals(found.elo[i], 0), rank=4,
                legend="Elo: 400 points are odds of 10 to 1."),
        words("rank", "rank", lambda i: _ranks(found.rank_intervals[i]), legend="Rank: all of them at once."),
        numeric("battles", "battles", lambda i: f"{met[i]:g}", rank=5),
        numeric("won", "won", lambda i: numerals.in_percent(won[i] / met[i]), rank=6),
    ]  # fmt: skip
    return tabulate("ratings", "Ratings, the strongest first", shown, order)


def _interval(two: Any) -> str:
    return f"{numerals.decimals(float(two[0]), 2)}, {numerals.decimals(float(two[1]), 2)}"


def _ranks(two: Any) -> str:
    low, high = int(two[0]), int(two[1])
    return str(low) if low == high else f"{low}–{high}"


def rated_pairs(found: Ratings) -> Table:
    """Pairs that differ first; a long table keeps the first ``LISTED``."""
    ordered = sorted(found.pairs, key=lambda pair: (pair.adjusted, pair.pvalue))

    def winner(pair: RatedPair) -> str:
        return {"a better": numerals.plain(pair.a), "b better": numerals.plain(pair.b)}.get(pair.verdict, "–")

    shown: list[Shown[RatedPair]] = [
        words("a", "a", lambda pair: numerals.plain(pair.a)),
        words("b", "b", lambda pair: numerals.plain(pair.b)),
        numeric("difference", "difference", lambda pair: numerals.decimals(pair.difference, 3)),
        numeric("error", "SE", lambda pair: numerals.decimals(pair.standard_error, 3), rank=3),
        words(
            "interval",
            "interval",
            lambda pair: _interval(pair.interval),
            rank=2,
            legend="Interval: simultaneous.",
            in_paper=True,
        ),
        numeric("p", "adjusted p", lambda pair: numerals.pvalue(pair.adjusted, alpha=found.alpha)),
        numeric("beats", "P(a beats b)", lambda pair: numerals.decimals(pair.p_beats, 3), rank=4),
        words("verdict", "stronger", winner),
    ]
    left = max(len(ordered) - LISTED, 0)
    more = f" {left} more pairs are in JSON and CSV." if left else ""
    note = "Difference of log strengths, its error from the whole covariance. Interval: simultaneous." + more
    return tabulate(
        "pairs",
        "Pairs, the surest first",
        shown,
        ordered[:LISTED],
        strong=lambda pair: pair.verdict != "no difference shown",
        note=note,
    )


def _meeting(s: Scores) -> str:
    """How scores became battles."""
    if s.runs is None:
        return "On each problem, the better of two scores won one battle of each pair."
    met = "split was a meeting of its own" if by_split(s) else "run of the one met each of the other"
    return f"On each problem each pair had one battle, shared among its runs before any average: each {met}."


def _methods(found: Ratings) -> Text:
    b = found.battles
    if found.scores is not None:
        first = joined(sample(found.scores, averaged=False), text(_meeting(found.scores)))
    else:
        ties = f", {b.n_ties:g} of them tied" if b.n_ties else ""
        first = (f"{len(b.algorithms)} algorithms met in {b.n_battles:g} battles{ties}.",)
    model = "the model of Bradley and Terry [@bradleyterry1952]"
    if found.method == "davidson":
        model += " with the ties of Davidson [@davidson1970]"
    elif b.n_ties:
        model += ", a tie being half a win of both"
    fit = "with Firth's penalty [@firth1993]" if found.penalty == "firth" else "by maximum likelihood"
    if found.df is None:
        errors = "standard errors of differences are those of the information matrix, battles being independent"
        law = "normal"
    elif found.errors == "information":
        errors = "standard errors of differences are those of one independent battle of each pair in a cluster"
        law = f"t({found.df:g})"
    else:
        errors = (
            f"standard errors of differences come from {found.resamples} bootstrap samples of {found.df + 1:g} "
            "clusters, multiplied by √(G/(G − 1)) [@cameronmiller2015]"
        )
        law = f"t({found.df:g})"
    said = (
        f"Strengths were estimated {fit} in {model}; {errors}. Differences of all pairs were tested at once by the "
        f"largest studentized one (multivariate {law}) [@hothorn2008], and ranks bounded by the differences shown "
        f"[@klein2020;@mogstad2024]; α = {found.alpha:g}."
    )
    return joined(first, text(said), software())


def to_dict(found: Ratings, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want, and the battles."""
    b = found.battles
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "n_algorithms": len(found.algorithms),
        "n_battles": b.n_battles,
        "n_ties": b.n_ties,
        "n_clusters": None if b.clusters is None else len(b.clusters),
        "alpha": found.alpha,
        "method": found.method,
        "penalty": found.penalty,
        "errors": found.errors,
        "df": found.df,
        "critical": found.critical,
        "resamples": found.resamples,
        "resamples_left_out": found.resamples_left_out,
        "ratings": [
            {
                "algorithm": name,
                "strength": float(found.strengths[i]),
                "standard_error": float(found.standard_errors[i]),
                "interval": found.intervals[i].tolist(),
                "elo": float(found.strengths[i] * ELO),
                "rank_interval": found.rank_intervals[i].tolist(),
            }
            for i, name in enumerate(found.algorithms)
        ],
        "covariance": found.covariance.tolist(),
        "pairs": plain_data(list(found.pairs)),
        "tie_parameter": found.tie_parameter,
        "deviance": found.deviance,
        "deviance_df": found.deviance_df,
        "deviance_pvalue": found.deviance_pvalue,
        "log_likelihood": found.log_likelihood,
    }
    cited = methods.cited(_methods(found))
    if found.scores is not None:
        return finite(content | origin(found.scores, found.cautions, cited, command) | asked(found))
    rows = np.column_stack([b.first, b.second]).tolist()
    clusters = {} if b.clusters is None or b.cluster is None else {
        "clusters": [b.clusters[code] for code in b.cluster.tolist()]
    }  # fmt: skip
    content |= {
        "cautions": plain_data(by_severity(found.cautions)),
        "references": list(cited),
        "versions": versions(),
        "input_sha256": b.source_sha256,
        **({"command": command} if command else {}),
        "request": plain_data(found.request),
        "added_cautions": plain_data(list(found.added)),
        "battles": {"algorithms": list(b.algorithms), "pairs": rows, "counts": b.counts.tolist(), **clusters},
    }
    return finite(content)


def sheets(found: Ratings) -> Sheets:
    """A row per pair; the ratings as the ranking."""
    keys = ("a", "b", "difference", "standard_error", "pvalue", "adjusted", "verdict", "p_beats", "battles")
    columns: dict[str, list[Any]] = {key: [getattr(pair, key) for pair in found.pairs] for key in keys}
    columns["low"] = [pair.interval[0] for pair in found.pairs]
    columns["high"] = [pair.interval[1] for pair in found.pairs]
    order = np.argsort(-found.strengths, kind="stable").tolist()
    listed: list[tuple[Any, ...]] = [
        ("algorithm", "log strength", "standard error", "low", "high", "Elo", "rank from", "rank to")
    ]
    listed += [
        (
            found.algorithms[i],
            *(float(x) for x in (found.strengths[i], found.standard_errors[i], *found.intervals[i], found.elo[i])),
            *(int(x) for x in found.rank_intervals[i]),
        )
        for i in order
    ]
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
