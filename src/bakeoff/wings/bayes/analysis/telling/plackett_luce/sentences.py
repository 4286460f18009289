"""The sentences of a Plackett–Luce report."""

from bakeoff import numerals
from bakeoff.report.document import Text
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.sections import unless_one_process
from bakeoff.wings.bayes import PlackettLucePosterior
from bakeoff.wings.bayes.statements.wording import spoken, with_chance


@unless_one_process
def verdict(result: PlackettLucePosterior) -> str:
    """Both probabilities, each with its question."""
    names = result.algorithms
    if any(caution.name == "nothing-differs (strengths)" for caution in result.cautions):
        return f"The order of {len(names)} algorithms is unknown: all are tied on every {ranked_unit(result)}."
    strongest, first = int(result.p_best.argmax()), result.ranked[0]
    p_best, p_first = float(result.p_best[strongest]), float(result.p_first[first])
    start = f"{numerals.plain(names[strongest])} is the strongest {with_chance(p_best, exact=False)}"
    if strongest == first:
        return f"{start}, and first on the next {ranked_unit(result)} {with_chance(p_first, exact=False)}."
    other, how_probable = numerals.plain(names[first]), with_chance(p_first, exact=False)
    return f"{start}; first on the next {ranked_unit(result)} is most probably {other}, {how_probable}."


def ranked_unit(result: PlackettLucePosterior) -> str:
    return "problem" if result.n_clusters is None else "cluster"


def basis(result: PlackettLucePosterior) -> str:
    """The model, the prior, and what there was to learn from."""
    many = numerals.count(result.n_rankings, "ranking")
    parts = [f"{result.n_tied} with ties"] if result.n_tied else []
    parts += [f"{result.n_partial} without some of the algorithms"] if result.n_partial else []
    more = f" ({', '.join(parts)})" if parts else ""
    each = "" if result.n_clusters is None else ", one for each cluster, by mean ranks within its problems"
    return f"Plackett–Luce model of {many}{more}{each}; prior strength {result.prior_strength:g}."


def both_probabilities(result: PlackettLucePosterior) -> list[tuple[str, str]]:
    """What each of the two probabilities is about, said with the best one."""
    i = result.ranked[0]
    name, what = numerals.plain(result.algorithms[i]), ranked_unit(result)
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
        p = numerals.pvalue(result.predictive_p)
        points.append(
            (
                "check",
                f"Posterior predictive check of the first places: p {p if p[0] in '<>' else f'= {p}'}. A small p "
                "means that one strength per algorithm does not describe them.",
            )
        )
    return points


def methods(result: PlackettLucePosterior) -> Text:
    """The paragraph for a paper."""
    each = "problem" if result.n_clusters is None else "cluster (by the mean rank within its problems)"
    model = (
        f"The ranking of each {each} was modelled by Plackett–Luce [@luce1959;@plackett1975], with independent "
        f"Gamma({result.prior_strength:g}, 1) priors for the strengths"
    )
    if result.n_tied:
        model += (
            "; the order of tied algorithms was treated as unknown, so a tie has the total probability of all its "
            "orders"
        )
    if result.n_partial:
        model += "; an algorithm without a score was left out of the ranking"
    drawn = (
        f"{result.n_draws} draws of {result.n_chains} chains came from the posterior by Hamiltonian Monte Carlo "
        "[@neal2011]"
    )
    if result.n_tied:
        drawn += " with latent exponential times of tied algorithms [@carondoucet2012]"
    worst = max(result.diagnostics, key=lambda d: d.rhat).rhat
    drawn += f" (largest R-hat {numerals.decimals(worst, 3)} [@vehtari2021])"
    sentences = f"{model}. {drawn}."
    if result.predictive_p is not None:
        sentences += (
            " The model was checked by the posterior predictive distribution [@gelmanmengstern1996] of first places "
            f"(p = {numerals.decimals(result.predictive_p, 3)})."
        )
    return joined(sample(result.scores), text(sentences), software())
