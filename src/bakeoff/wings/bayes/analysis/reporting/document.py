"""From an Overview to the format-free Document: what a Bayesian report says, in which order."""

from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.analyses.compare.reporting.scores.table import scores_section
from bakeoff.report import sections
from bakeoff.report.data import Keys, all_but, plain_data
from bakeoff.report.document import Figure, Section, Text
from bakeoff.report.methods import cited, joined, sample, software, text
from bakeoff.report.reporting import Key, Reporting, Rows, ends, sheet_columns
from bakeoff.report.sections import one_block
from bakeoff.wings.bayes import (
    FriedmanPosterior,
    JointComparison,
    Overview,
    PairPosterior,
    RankPosterior,
    SignedRankPosterior,
    SignPosterior,
)
from bakeoff.wings.bayes.analysis.reporting import sentences, tables
from bakeoff.wings.bayes.analysis.reporting.readings import readings
from bakeoff.wings.bayes.analysis.reporting.sentences import verdict as verdict

# The methods paragraph of a Bayesian report, ready to paste, and its citations.


def methods(overview: Overview) -> Text:
    """The paragraph as text with citations."""
    return joined(
        sample(overview.scores),
        _prior(overview),
        _statements(overview),
        _ranks(overview),
        _friedman(overview),
        _pairs(overview),
        _draws(overview),
        software(),
    )


def cited_keys(overview: Overview) -> tuple[str, ...]:
    """Keys of the bibliography, in the order of the paragraph."""
    return cited(methods(overview))


def _prior(o: Overview) -> Text:
    process = "independent draws from a population with a Dirichlet process posterior [@ferguson1973]"
    clusters = o.joint.n_clusters
    start = f"The problems were treated as {process}"
    if clusters is not None:
        start = (
            f"The {clusters} clusters, not the {o.scores.n_problems} problems, were treated as {process}, with the "
            "weight of a cluster spread evenly over its problems,"
        )
    if o.prior == "exchangeable":
        law = "mean ranks were normal about true ones, which were normal about a common mean with an estimated spread"
        return text(f"{start} with a prior of strength {max(o.prior_strength, 1.0):g} [@benavoli2015]; {law}.")
    if o.prior_strength == 0:
        return text(f"{start} without a prior (the Bayesian bootstrap [@rubin1981]).")
    if o.prior_ranking is not None:
        counts = sentences.ranking_counts(o)
        return text(f"{start} with a prior of strength {o.prior_strength:g} [@benavoli2015], which {counts}.")
    where = "at any ranking (prior near-ignorance)" if o.prior == "ignorance" else "at equality of all algorithms"
    return text(f"{start} with a prior of strength {o.prior_strength:g} {where} [@benavoli2015].")


def _statements(o: Overview) -> Text:
    if len(o.joint.algorithms) == 2:
        return ()
    by = "mean ranks" if o.prior == "exchangeable" else "the Bayesian sign test [@benavoli2015]"
    return text(
        f"Directional statements about pairs, by {by}, were accepted in order of probability while their joint "
        f"posterior probability exceeded {1 - o.gamma:g} [@gelmantuerlinckx2000]."
        + (f" {_GATE[o.closed]}" if o.recipe else "")
    )


_GATE = {
    False: "The Bayesian Friedman test had rejected equality first [@benavoli2015].",
    True: "None was accepted, because the Bayesian Friedman test did not reject equality [@benavoli2015].",
}


def _ranks(o: Overview) -> Text:
    prior = ", with the prior at equality" if o.prior == "ignorance" else ""
    return (
        "An algorithm is best if it has the lowest mean rank. The expected loss of choosing it is the expected "
        f"distance of its mean rank from the lowest{prior}.",
    )


def _friedman(o: Overview) -> Text:
    if len(o.joint.algorithms) == 2:
        return ()
    f = o.friedman
    region = "an ellipsoid with the F quantile" if f.region == "ellipsoid" else "the exact credible region"
    test = f"the Bayesian Friedman test [@benavoli2015] with {region} at level {1 - o.gamma:g}"
    return text(f"Equality of all mean ranks was tested by {test}: {f.verdict}.")


def _pairs(o: Overview) -> Text:
    if not o.pairs:
        return ()
    who = "The pair was" if len(o.pairs) == 1 else f"{len(o.pairs)} pairs were"
    sentence = f"{who} compared by the Bayesian sign test [@benavoli2015]"
    if any(pair.signed_rank is not None for pair in o.pairs):
        sentence += " and the Bayesian signed-rank test [@benavoli2014]"
        sentence += " with the prior at equality" if o.prior == "ignorance" else ""
    if o.rope:
        sentence += f", with differences up to {o.rope:g} as practically equivalent [@benavoli2017]"
    return text(f"{sentence}.")


def _draws(o: Overview) -> Text:
    drawn = {"the joint probabilities": o.joint.n_draws, "the ranks": o.ranks.n_draws}
    drawn["each signed-rank test"] = max((p.signed_rank.n_draws for p in o.pairs if p.signed_rank), default=0)
    numbers = [f"{n} for {what}" for what, n in drawn.items() if n]
    return (f"Draws from the posterior: {numerals.name_list(numbers)}.",) if numbers else ()


# An overview as JSON, the fields of the results under their own names, and as columns.


_SAID_ONCE = ("cautions", "gamma", "prior", "prior_ranking", "prior_strength", "n_problems", "n_clusters", "n_dropped")
_FOR_FIGURES = ("draws", "grid", "ridges")
_LEFT_OUT = ("algorithms", *_SAID_ONCE, *_FOR_FIGURES)
_BY_NAME = (
    *("mean", "mean_ranks", "prior_ranks", "standard_deviations", "quantiles"),
    *("p_best", "standard_error", "p_rank", "rank_standard_error", "expected_loss", "loss_standard_error"),
)
KEYS: Keys = {
    JointComparison: all_but(JointComparison, "statements", *_LEFT_OUT),
    RankPosterior: all_but(RankPosterior, *_LEFT_OUT),
    FriedmanPosterior: all_but(FriedmanPosterior, *_LEFT_OUT),
    PairPosterior: ("a", "b", "sign", "signed_rank"),
    SignPosterior: all_but(SignPosterior, "a", "b", *_LEFT_OUT),
    SignedRankPosterior: all_but(SignedRankPosterior, "a", "b", *_LEFT_OUT),
}


def _named(result: RankPosterior | FriedmanPosterior) -> dict[str, Any]:
    """The fields, with one number (or list) per algorithm under the algorithm's name."""
    fields: dict[str, Any] = plain_data(result, KEYS)
    k = len(result.algorithms)
    for key in _BY_NAME:
        if isinstance(fields.get(key), list) and len(fields[key]) == k:
            fields[key] = dict(zip(result.algorithms, fields[key], strict=True))
    return fields


def pair_columns(overview: Overview) -> dict[str, list[Any]]:
    """A row per pair, the better one of its more probable statement first."""
    chosen = sentences.statements(overview)
    same = ("probability", "joint", "joint_standard_error", "accepted", "verdict", "wins", "ties", "losses")
    columns = sheet_columns(chosen, ("a", "better"), ("b", "worse"), *same)
    for key in ("probability_bounds", "joint_bounds"):
        if chosen and getattr(chosen[0], key) is not None:
            columns |= sheet_columns(chosen, *ends(key, f"{key}_low", f"{key}_high"))
    for which in ("sign", "signed_rank"):
        posteriors = tables.posteriors(overview, which)
        of = [posteriors.get((s.better, s.worse)) for s in chosen]
        if any(of):
            for key in ("p_better", "p_equivalent", "p_worse"):
                columns[f"{which}_{key}"] = [None if p is None else float(getattr(p, key)) for p in of]
    return columns


def ranking(overview: Overview) -> Rows:
    """The algorithms, best first."""
    r = overview.ranks
    numbers = np.column_stack([r.p_best, r.mean_ranks, r.expected_loss]).tolist()
    head = ("algorithm", "p_best", "mean_rank", "expected_loss")
    return [head, *((r.algorithms[j], *numbers[j]) for j in tables.order(overview))]


CONTENT: tuple[Key[Overview], ...] = (
    *("scores.better", "scores.n_problems", "joint.n_clusters", "scores.n_algorithms"),
    *("control", "gamma", "rope", "prior", "prior_ranking", "prior_strength", "recipe"),
    ("joint", lambda o: plain_data(o.joint, KEYS)),
    "joint.statements",
    ("ranks", lambda o: _named(o.ranks)),
    ("friedman", lambda o: _named(o.friedman)),
    ("friedman_exact", lambda o: None if o.friedman_exact is None else _named(o.friedman_exact)),
    ("pairs", lambda o: plain_data(o.pairs, KEYS)),
)
"""The content of an overview as JSON; algorithms by name where there is one number for each."""


TRIANGLES = 6  # pairs: of more, none is drawn


def _triangles(o: Overview) -> Section | None:
    """With a region of equivalence, the shares of each pair, while they are few."""
    drawn = [pair.signed_rank for pair in o.pairs if pair.signed_rank is not None]
    if not o.rope or not drawn or len(drawn) > TRIANGLES:
        return None
    figures = tuple(
        Figure(posterior, f"Posterior shares of {posterior.a} against {posterior.b}.", key=f"pair-{i}", small=True)
        for i, posterior in enumerate(drawn, start=1)
    )
    return Section("triangles", "Better, practically equivalent, or worse", figures)


def _body(o: Overview) -> list[Section | None]:
    several = len(o.joint.algorithms) > 2
    ridges = Figure(o.ranks, "Posterior mean ranks, best first.", key="ranks")
    return [
        sections.figure("Diagram", Figure(o, sentences.basis(o))),
        sections.cautions(o.cautions),
        sections.points("readings", "What the probabilities say", readings(o)),
        Section("best", "Who is best", (tables.ranking(o), ridges)),
        Section("pairs", "Who is better than whom", tuple(tables.pairs(o))),
        _triangles(o) if several else None,
        one_block("friedman", "Are all equal?", tables.friedman(o)) if several else None,
        scores_section(o.scores, o.control),
    ]


REPORT = Reporting[Overview](
    schema="bakeoff.bayes/1",
    verdict=verdict,
    basis=sentences.basis,
    body=_body,
    on_screen=("readings", "best", "pairs"),
    methods=methods,
    works=cited_keys,
    keys=CONTENT,
    main=pair_columns,
    second=ranking,
)
