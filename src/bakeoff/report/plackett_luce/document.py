"""From Plackett–Luce strengths to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.bayes import PlackettLucePosterior
from bakeoff.bayes.statements.wording import chance
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import Document, Figure, Section, Sheets, Shown, Table, numeric, tabulate, words
from bakeoff.report.plackett_luce import sentences
from bakeoff.report.plackett_luce.sentences import verdict as verdict

SCHEMA = "bakeoff.plackett-luce/1"
LISTED = 40  # pairs that a page shows


def document(found: PlackettLucePosterior, command: str | None = None) -> Document:
    """Both probabilities of each, pairs, how well the model describes the first places."""
    told = sentences.methods(found)
    caption = "Probability of being first on the next problem, and of being the strongest"
    return Document(
        title=sections.sizes(found.scores),
        verdict=verdict(found),
        basis=sentences.basis(found),
        sections=sections.present(
            sections.figure("Diagram", Figure(found, caption, key="strengths"), "figure"),
            Section("strengths", "First, and strongest", (strengths(found),)),
            sections.points("readings", "What the probabilities say", sentences.both_probabilities(found)),
            Section("pairs", "Pairs", (pairs(found),)),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(methods.cited(told)),
            sections.provenance(found.scores, command),
        ),
        on_screen=("strengths", "readings", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def strengths(found: PlackettLucePosterior) -> Table:
    """A row per algorithm, the most probably first one first."""
    level = numerals.percent(1 - found.gamma)

    def interval(i: int) -> str:
        return " – ".join(numerals.decimals(float(x), 3) for x in found.p_first_intervals[i])

    def strength(i: int) -> str:
        return f"{numerals.decimals(float(found.strengths[i]), 2)} ± {numerals.decimals(float(found.sds[i]), 2)}"

    shown: list[Shown[int]] = [
        words("algorithm", "algorithm", lambda i: numerals.plain(found.algorithms[i])),
        numeric("p_first", "P(first)", lambda i: chance(float(found.p_first[i]), exact=False), strong=True),
        numeric("interval", f"{level} interval", interval, rank=2, in_paper=True),
        numeric("p_best", "P(strongest)", lambda i: chance(float(found.p_best[i]), exact=False), strong=True),
        numeric("seen", "was first", lambda i: numerals.decimals(float(found.first_places[i]), 3), rank=1),
        numeric("strength", "log strength", strength, rank=3),
    ]
    what = sentences.ranked_unit(found)
    error = float(found.p_best_standard_error.max())
    note = (
        f"P(first): on the next {what}; interval: of the share of {what}s on which it is first. P(strongest): that its "
        f"strength is the largest. Was first: share of {what}s seen, a tie divided. Log strength: posterior mean ± "
        f"standard deviation, sum 0. Largest Monte Carlo error of P(strongest): {numerals.significant(error, 1)}."
    )
    first = found.ranked[0]
    return tabulate("strengths", "First, and strongest", shown, found.ranked, strong=lambda i: i == first, note=note)


def _ordered_pairs(found: PlackettLucePosterior) -> list[tuple[int, int]]:
    """The more probably stronger one first; the surest pairs first."""
    k = len(found.algorithms)
    listed = []
    for i in range(k):
        for j in range(i + 1, k):
            listed.append((i, j) if found.p_stronger[i, j] >= found.p_stronger[j, i] else (j, i))
    return sorted(listed, key=lambda two: (-found.p_stronger[two], -found.p_ahead[two], two))


def pairs(found: PlackettLucePosterior) -> Table:
    """The surest first; a long table keeps the first ``LISTED``."""
    ordered = _ordered_pairs(found)
    what = sentences.ranked_unit(found)
    shown: list[Shown[tuple[int, int]]] = [
        words("a", "a", lambda two: numerals.plain(found.algorithms[two[0]])),
        words("b", "b", lambda two: numerals.plain(found.algorithms[two[1]])),
        numeric("p_stronger", "P(a stronger)", lambda two: chance(float(found.p_stronger[two]), exact=False)),
        numeric("p_ahead", "P(a ahead)", lambda two: chance(float(found.p_ahead[two]), exact=False)),
    ]
    left = max(len(ordered) - LISTED, 0)
    more = f" {left} more pairs are in JSON, CSV and XLSX." if left else ""
    note = (
        f"P(a ahead): of b on the next {what}; in this model it does not depend on the other algorithms. Each "
        f"probability is of its pair alone.{more}"
    )
    level = 1 - found.gamma
    return tabulate(
        "pairs",
        "Pairs, the surest first",
        shown,
        ordered[:LISTED],
        strong=lambda two: float(found.p_stronger[two]) > level,
        note=note,
    )


def to_dict(found: PlackettLucePosterior, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want but the draws."""
    names = found.algorithms
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": found.scores.better,
        "n_problems": found.n_problems,
        "n_clusters": found.n_clusters,
        "n_algorithms": len(names),
        "n_rankings": found.n_rankings,
        "n_tied": found.n_tied,
        "n_partial": found.n_partial,
        "prior_strength": found.prior_strength,
        "gamma": found.gamma,
        "n_draws": found.n_draws,
        "n_chains": found.n_chains,
        "strengths": [
            {
                "algorithm": name,
                "p_first": float(found.p_first[i]),
                "p_first_standard_error": float(found.p_first_standard_error[i]),
                "p_first_interval": found.p_first_intervals[i].tolist(),
                "p_best": float(found.p_best[i]),
                "p_best_standard_error": float(found.p_best_standard_error[i]),
                "first_places": float(found.first_places[i]),
                "strength": float(found.strengths[i]),
                "sd": float(found.sds[i]),
                "interval": found.intervals[i].tolist(),
            }
            for i, name in enumerate(names)
        ],
        "pairs": [
            {
                "a": names[i],
                "b": names[j],
                "p_stronger": float(found.p_stronger[i, j]),
                "p_ahead": float(found.p_ahead[i, j]),
                "p_ahead_standard_error": float(found.p_ahead_standard_error[i, j]),
            }
            for i, j in _ordered_pairs(found)
        ],
        "predictive_p": found.predictive_p,
        "standard_error": found.standard_error,
        "diagnostics": plain_data(list(found.diagnostics)),
    }
    whence = origin(found.scores, found.cautions, methods.cited(sentences.methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: PlackettLucePosterior) -> Sheets:
    """A row per pair; the algorithms as a ranking."""
    ordered, names = _ordered_pairs(found), found.algorithms
    columns: dict[str, list[Any]] = {
        "a": [names[i] for i, _ in ordered],
        "b": [names[j] for _, j in ordered],
        "p_stronger": [float(found.p_stronger[two]) for two in ordered],
        "p_ahead": [float(found.p_ahead[two]) for two in ordered],
    }
    head = ("algorithm", "p_first", "low", "high", "p_best", "was first", "log strength", "sd")
    listed = [
        (
            names[i],
            float(found.p_first[i]),
            *map(float, found.p_first_intervals[i]),
            *(float(x[i]) for x in (found.p_best, found.first_places, found.strengths, found.sds)),
        )
        for i in found.ranked
    ]
    return Sheets(pairs=columns, ranking=[head, *listed], cautions=found.cautions)
