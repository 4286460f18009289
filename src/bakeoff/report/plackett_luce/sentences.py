"""The sentences of a Plackett–Luce report."""

from __future__ import annotations

from bakeoff import numerals
from bakeoff.bayes import PlackettLucePosterior
from bakeoff.bayes.statements.wording import spoken, with_chance
from bakeoff.report.document import Text
from bakeoff.report.methods import joined, sample, software, text
from bakeoff.report.sections import unless_one_process


@unless_one_process
def verdict(found: PlackettLucePosterior) -> str:
    """Both probabilities, each with its question."""
    names = found.algorithms
    if any(caution.code == "no-order" for caution in found.cautions):
        return f"Nothing is known of the order of {len(names)} algorithms: all are tied on every {ranked_unit(found)}."
    strongest, first = int(found.p_best.argmax()), found.ranked[0]
    p_best, p_first = float(found.p_best[strongest]), float(found.p_first[first])
    start = f"{numerals.plain(names[strongest])} is the strongest {with_chance(p_best, exact=False)}"
    if strongest == first:
        return f"{start}, and first on the next {ranked_unit(found)} {with_chance(p_first, exact=False)}."
    other, said = numerals.plain(names[first]), with_chance(p_first, exact=False)
    return f"{start}; first on the next {ranked_unit(found)} is most probably {other}, {said}."


def ranked_unit(found: PlackettLucePosterior) -> str:
    return "problem" if found.n_clusters is None else "cluster"


def basis(found: PlackettLucePosterior) -> str:
    """The model, the prior, and what there was to learn from."""
    many = numerals.count(found.n_rankings, "ranking")
    parts = [f"{found.n_tied} with ties"] if found.n_tied else []
    parts += [f"{found.n_partial} without some of the algorithms"] if found.n_partial else []
    more = f" ({', '.join(parts)})" if parts else ""
    each = "" if found.n_clusters is None else ", one for each cluster, by mean ranks within its problems"
    return f"Plackett–Luce model of {many}{more}{each}; prior strength {found.prior_strength:g}."


def both_probabilities(found: PlackettLucePosterior) -> list[tuple[str, str]]:
    """What each of the two probabilities is about, said with the best one."""
    i = found.ranked[0]
    name, what = numerals.plain(found.algorithms[i]), ranked_unit(found)
    low, high = (numerals.decimals(float(x), 3) for x in found.p_first_intervals[i])
    level = numerals.percent(1 - found.gamma)
    said = [
        (
            "P(first)",
            f"That {name} is first of all {len(found.algorithms)} on the next {what} has probability "
            f"{spoken(float(found.p_first[i]), exact=False)}: the expected share of {what}s on which it is first, "
            f"which lies between {low} and {high} with probability {level} if the model holds.",
        ),
        (
            "P(strongest)",
            f"That the strength of {name} is the largest of all has probability "
            f"{spoken(float(found.p_best[i]), exact=False)}. With more {what}s it comes near 0 or 1, "
            "as P(first) does not.",
        ),
    ]
    if found.predictive_p is not None:
        p = numerals.pvalue(found.predictive_p)
        said.append(
            (
                "check",
                f"Posterior predictive check of the first places: p {p if p[0] in '<>' else f'= {p}'}. A small p says "
                "that one strength per algorithm does not describe them.",
            )
        )
    return said


def methods(found: PlackettLucePosterior) -> Text:
    """The paragraph for a paper."""
    each = "problem" if found.n_clusters is None else "cluster (by the mean rank within its problems)"
    model = (
        f"The ranking of each {each} was taken to follow the Plackett–Luce model [@luce1959;@plackett1975], with "
        f"independent Gamma({found.prior_strength:g}, 1) priors of the strengths"
    )
    if found.n_tied:
        model += "; tied algorithms were in an unknown order, the probability of a tie being that of all its orders"
    if found.n_partial:
        model += "; an algorithm without a score was left out of the ranking"
    drawn = (
        f"{found.n_draws} draws of {found.n_chains} chains came from the posterior by Hamiltonian Monte Carlo "
        "[@neal2011]"
    )
    if found.n_tied:
        drawn += " with latent exponential times of tied algorithms [@carondoucet2012]"
    worst = max(found.diagnostics, key=lambda d: d.rhat).rhat
    drawn += f" (largest R-hat {numerals.decimals(worst, 3)} [@vehtari2021])"
    said = f"{model}. {drawn}."
    if found.predictive_p is not None:
        said += (
            " The model was checked by the posterior predictive distribution [@gelmanmengstern1996] of first places "
            f"(p = {numerals.decimals(found.predictive_p, 3)})."
        )
    return joined(sample(found.scores), text(said), software())
