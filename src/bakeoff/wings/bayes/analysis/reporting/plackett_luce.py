"""From Plackett–Luce strengths to the format-free Document, to JSON, and to columns."""

from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.report import sections
from bakeoff.report.document import ColumnSpec, Figure, Section, Table, Text, number_column, tabulate, text_column
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.reporting import Columns, Reporting, Rows
from bakeoff.report.sections import unless_one_process
from bakeoff.wings.bayes import PlackettLucePosterior
from bakeoff.wings.bayes.dirichlet.weights import unit_drawn
from bakeoff.wings.bayes.statements.wording import chance, spoken, with_chance

# The sentences of a Plackett–Luce report.


@unless_one_process
def verdict(result: PlackettLucePosterior) -> str:
    """Both probabilities, each with its question."""
    names = result.algorithms
    if any(caution.name == "nothing-differs (strengths)" for caution in result.cautions):
        return f"The order of {len(names)} algorithms is unknown: all are tied on every {unit_drawn(result)}."
    strongest, first = int(result.p_best.argmax()), result.ranked[0]
    p_best, p_first = float(result.p_best[strongest]), float(result.p_first[first])
    start = f"{numerals.plain(names[strongest])} is the strongest {with_chance(p_best, exact=False)}"
    if strongest == first:
        return f"{start}, and first on the next {unit_drawn(result)} {with_chance(p_first, exact=False)}."
    other, how_probable = numerals.plain(names[first]), with_chance(p_first, exact=False)
    return f"{start}; first on the next {unit_drawn(result)} is most probably {other}, {how_probable}."


def basis(result: PlackettLucePosterior) -> str:
    """The model, the prior, and what there was to learn from."""
    many = numerals.count(result.n_rankings, "ranking")
    parts = [f"{result.n_tied} with ties"] if result.n_tied else []
    parts += [f"{result.n_partial} without some of the algorithms"] if result.n_partial else []
    more = f" ({', '.join(parts)})" if parts else ""
    each = "" if result.n_clusters is None else ", one for each cluster, by mean ranks within its problems"
    return f"Plackett–Luce model of {many}{more}{each}; prior strength {result.prior_strength:g}."


def both_probabilities(result: PlackettLucePosterior) -> list[tuple[str, str]]:
    """Explain the two probabilities with those of the best one."""
    i = result.ranked[0]
    name, what = numerals.plain(result.algorithms[i]), unit_drawn(result)
    low, high = (numerals.decimals(float(x), 3) for x in result.p_first_intervals[i])
    level = numerals.percent(1 - result.gamma)
    points = [
        (
            "P(first)",
            f"The probability that {name} is first of all {len(result.algorithms)} on the next {what} is "
            f"{spoken(float(result.p_first[i]), exact=False)}. This is the expected share of {what}s on which it is "
            f"first. If the model holds, the share lies between {low} and {high} with probability {level}.",
        ),
        (
            "P(strongest)",
            f"The probability that {name} is the strongest is {spoken(float(result.p_best[i]), exact=False)}. With "
            f"more {what}s it approaches 0 or 1; P(first) does not.",
        ),
    ]
    if result.predictive_p is not None:
        check = (
            f"Posterior predictive check of the first places: {numerals.p_phrase(result.predictive_p)}. A small p "
            "means that one strength per algorithm does not describe them."
        )
        points.append(("check", check))
    return points


def methods(result: PlackettLucePosterior) -> Text:
    """The paragraph for a paper."""
    each = "problem" if result.n_clusters is None else "cluster (by the mean rank within its problems)"
    model = (
        f"The ranking of each {each} was modelled by Plackett–Luce [@luce1959;@plackett1975], with independent "
        f"Gamma({result.prior_strength:g}, 1) priors for the strengths"
    )
    drawn = f"{result.n_draws} draws of {result.n_chains} chains came from the posterior by Hamiltonian Monte Carlo"
    drawn += " [@neal2011]"
    if result.n_tied:
        model += "; the order of tied algorithms was treated as unknown, so a tie has the total probability of all its"
        model += " orders"
        drawn += " with latent exponential times of tied algorithms [@carondoucet2012]"
    if result.n_partial:
        model += "; an algorithm without a score was left out of the ranking"
    worst = max(result.diagnostics, key=lambda d: d.rhat).rhat
    drawn += f" (largest R-hat {numerals.decimals(worst, 3)} [@vehtari2021])"
    sentences = f"{model}. {drawn}."
    if result.predictive_p is not None:
        sentences += (
            " The model was checked by the posterior predictive distribution [@gelmanmengstern1996] of first places "
            f"(p = {numerals.decimals(result.predictive_p, 3)})."
        )
    return joined(sample(result.scores), text(sentences), software())


LISTED = 40  # pairs that a page shows


def strengths(result: PlackettLucePosterior) -> Table:
    """A row per algorithm, the most probably first one first."""
    level = numerals.percent(1 - result.gamma)

    def interval(i: int) -> str:
        return " – ".join(numerals.decimals(float(x), 3) for x in result.p_first_intervals[i])

    def strength(i: int) -> str:
        return f"{numerals.decimals(float(result.strengths[i]), 2)} ± {numerals.decimals(float(result.sds[i]), 2)}"

    shown: list[ColumnSpec[int]] = [
        text_column("algorithm", "algorithm", lambda i: numerals.plain(result.algorithms[i])),
        number_column("p_first", "P(first)", lambda i: chance(float(result.p_first[i]), exact=False), strong=True),
        number_column("interval", f"{level} interval", interval, rank=2, in_paper=True),
        number_column("p_best", "P(strongest)", lambda i: chance(float(result.p_best[i]), exact=False), strong=True),
        number_column("seen", "was first", lambda i: numerals.decimals(float(result.first_places[i]), 3), rank=1),
        number_column("strength", "log strength", strength, rank=3),
    ]
    what = unit_drawn(result)
    error = float(result.p_best_standard_error.max())
    note = (
        f"P(first): on the next {what}; interval: of the share of {what}s on which it is first. P(strongest): the "
        f"probability that its strength is the largest. Was first: share of {what}s observed, with ties divided. Log "
        "strength: posterior mean ± standard deviation, sum 0. Largest Monte Carlo error of P(strongest): "
        f"{numerals.significant(error, 1)}."
    )
    first = result.ranked[0]
    return tabulate("strengths", "First, and strongest", shown, result.ranked, strong=lambda i: i == first, note=note)


def _ordered_pairs(result: PlackettLucePosterior) -> list[tuple[int, int]]:
    """The more probably stronger one first; the surest pairs first."""
    k = len(result.algorithms)
    listed = []
    for i in range(k):
        for j in range(i + 1, k):
            listed.append((i, j) if result.p_stronger[i, j] >= result.p_stronger[j, i] else (j, i))
    return sorted(listed, key=lambda two: (-result.p_stronger[two], -result.p_ahead[two], two))


def pairs(result: PlackettLucePosterior) -> Table:
    """The surest first; a long table keeps the first ``LISTED``."""
    ordered = _ordered_pairs(result)
    what = unit_drawn(result)
    shown: list[ColumnSpec[tuple[int, int]]] = [
        text_column("a", "a", lambda two: numerals.plain(result.algorithms[two[0]])),
        text_column("b", "b", lambda two: numerals.plain(result.algorithms[two[1]])),
        number_column("p_stronger", "P(a stronger)", lambda two: chance(float(result.p_stronger[two]), exact=False)),
        number_column("p_ahead", "P(a ahead)", lambda two: chance(float(result.p_ahead[two]), exact=False)),
    ]
    note = (
        f"P(a ahead): of b on the next {what}; in this model it does not depend on the other algorithms. Each "
        "probability applies to its pair alone."
    )
    level = 1 - result.gamma
    return tabulate(
        "pairs",
        "Pairs, most certain first",
        shown,
        ordered,
        most=LISTED,
        more="pairs are in JSON, CSV and XLSX",
        strong=lambda two: float(result.p_stronger[two]) > level,
        note=note,
    )


def _body(result: PlackettLucePosterior) -> list[Section | None]:
    caption = "Probability of being first on the next problem, and of being the strongest"
    return [
        sections.figure("Diagram", Figure(result, caption, key="strengths"), "figure"),
        Section("strengths", "First, and strongest", (strengths(result),)),
        sections.points("readings", "What the probabilities say", both_probabilities(result)),
        Section("pairs", "Pairs", (pairs(result),)),
    ]


_OF_EACH = (
    *("p_first", "p_first_standard_error", "p_first_intervals", "p_best", "p_best_standard_error", "first_places"),
    *("strengths", "sds", "intervals"),
)
"""Attributes with one entry for each algorithm; in JSON each has the name in the singular."""


def _strengths(result: PlackettLucePosterior) -> list[dict[str, Any]]:
    listed = {
        name if name == "first_places" else name.removesuffix("s"): getattr(result, name).tolist() for name in _OF_EACH
    }
    return [
        {"algorithm": name, **{key: values[i] for key, values in listed.items()}}
        for i, name in enumerate(result.algorithms)
    ]


def _pairs(result: PlackettLucePosterior, *keys: str) -> list[dict[str, Any]]:
    names = result.algorithms
    return [
        {"a": names[two[0]], "b": names[two[1]], **{key: float(getattr(result, key)[two]) for key in keys}}
        for two in _ordered_pairs(result)
    ]


def _of_pairs(result: PlackettLucePosterior) -> Columns:
    rows = _pairs(result, "p_stronger", "p_ahead")
    return {key: [row[key] for row in rows] for key in rows[0]}


def _ranking(result: PlackettLucePosterior) -> Rows:
    head = ("algorithm", "p_first", "low", "high", "p_best", "was first", "log strength", "sd")
    of_each = (result.p_first, *result.p_first_intervals.T, result.p_best, result.first_places)
    numbers = np.column_stack([*of_each, result.strengths, result.sds]).tolist()
    return [head, *((result.algorithms[i], *numbers[i]) for i in result.ranked)]


REPORT = Reporting[PlackettLucePosterior](
    schema="bakeoff.bayes-plackett-luce/1",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("strengths", "readings"),
    methods=methods,
    keys=(
        *("scores.better", "n_problems", "n_clusters", ("n_algorithms", lambda result: len(result.algorithms))),
        *("n_rankings", "n_tied", "n_partial", "prior_strength", "gamma", "n_draws", "n_chains"),
        ("strengths", _strengths),
        ("pairs", lambda result: _pairs(result, "p_stronger", "p_ahead", "p_ahead_standard_error")),
        *("predictive_p", "standard_error", "diagnostics"),
    ),
    main=_of_pairs,
    second=_ranking,
)
