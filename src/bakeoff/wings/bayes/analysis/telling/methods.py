"""The methods paragraph of a Bayesian report, ready to paste, and its citations."""

from bakeoff import numerals
from bakeoff.report.document import Text
from bakeoff.report.methods import cited, joined, sample, software, text
from bakeoff.wings.bayes import Overview


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
    where = "at any ranking (prior near-ignorance)" if o.prior == "ignorance" else "at equality of all algorithms"
    return text(f"{start} with a prior of strength {o.prior_strength:g} {where} [@benavoli2015].")


def _statements(o: Overview) -> Text:
    if len(o.joint.algorithms) == 2:
        return ()
    by = "mean ranks" if o.prior == "exchangeable" else "the Bayesian sign test [@benavoli2015]"
    return text(
        f"Directional statements about pairs, by {by}, were accepted in order of probability while their joint "
        f"posterior probability exceeded {1 - o.gamma:g} [@gelmantuerlinckx2000]."
    )


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
