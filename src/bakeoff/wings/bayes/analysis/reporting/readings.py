"""Readings of each kind of probability in a Bayesian report, one sentence per kind."""

import math

from bakeoff import numerals
from bakeoff.errors import listing
from bakeoff.wings.bayes import FriedmanPosterior, Overview, PairPosterior, SignedRankPosterior, SignPosterior
from bakeoff.wings.bayes.analysis.reporting.sentences import (
    best,
    draws_of,
    level,
    probability_of,
    statements,
    together,
    too_few,
    undirected,
)
from bakeoff.wings.bayes.statements.statement import last_accepted
from bakeoff.wings.bayes.statements.wording import at_least, between, chance, loss_text, spoken


def readings(overview: Overview) -> list[tuple[str, str]]:
    """(term, sentence) for every kind of probability in the report."""
    sentences = [
        _reading_of_pair(overview),
        _reading_joint(overview),
        _reading_equivalent(overview),
        _reading_best(overview),
        _reading_loss(overview),
        _reading_equal(overview),
    ]
    return [(term, text) for term, text in sentences if text]


def _reading_of_pair(overview: Overview) -> tuple[str, str]:
    pairs = overview.pairs
    if len(overview.joint.algorithms) == 2 and pairs and overview.prior != "exchangeable":
        return "this pair", _pair_sentence(overview, pairs[0])
    first = statements(overview)[0]
    if undirected(overview):
        return "", ""
    ties = ", a tie counting half" if first.ties else ""
    where = (
        "all such problems" if overview.joint.n_clusters is None else "the problems of all such clusters, on average"
    )
    what = f"of a better score on more than half of {where}{ties}"
    if overview.prior == "exchangeable":
        what = "of a lower mean rank over all such problems"
    p = probability_of(first, overview)
    n = draws_of(overview)
    return "a statement", (
        f"The probability that {numerals.plain(first.better)} is better than {numerals.plain(first.worse)} is {p}. It "
        f"is the posterior probability, given {n}, {what}. This is not one minus a p-value."
    )


def _pair_sentence(overview: Overview, pair: PairPosterior) -> str:
    sign, ranked = pair.sign, pair.signed_rank
    most = " (that this outcome is the most common of the three)" if sign.rope else ""
    equal = f"a difference within ±{sign.rope:g}" if sign.rope else "a tie"
    by = f" by more than {sign.rope:g}" if sign.rope else ""
    middle = f"{sign.ties} within ±{sign.rope:g}" if sign.rope else f"{sign.ties} tied"
    won = f"{sign.wins} won{by}, {middle}, {sign.losses} lost{by} by {numerals.plain(sign.a)}"
    low, high = (numerals.decimals(x, 2) for x in sign.interval)
    inside = "" if sign.n_clusters is None else f" in {numerals.count(sign.n_clusters, 'cluster')}"
    new = "a new problem" if sign.n_clusters is None else "a problem of a new cluster"
    text = (
        f"Of {numerals.count(sign.n_problems, 'problem')}{inside} {won}. By signs{most}: {_triple(sign)}. On {new}, "
        f"{numerals.plain(sign.a)} is better with a probability between {low} and {high} ({equal} counts half; "
        f"{numerals.percent(1 - sign.gamma)} credible interval)."
    )
    if ranked is None:
        return text
    prior = ", with the prior at equality" if overview.prior == "ignorance" else ""
    return f"{text} By sizes of differences (signed ranks{prior}): {_triple(ranked)}."


def _triple(p: SignPosterior | SignedRankPosterior) -> str:
    """``A better 0.9, practically equivalent 0.08, B better 0.02``; over all prior rankings the bounds."""
    exact = p.method != "monte-carlo"
    outcomes = (f"{numerals.plain(p.a)} better", "practically equivalent", f"{numerals.plain(p.b)} better")
    parts = [
        f"{outcome} {between(*bounds, exact=exact) if bounds else spoken(share, exact=exact)}"
        for outcome, share, bounds in zip(outcomes, p.shares, p.bounds, strict=True)
    ]
    return ", ".join(parts if p.rope else parts[::2])


def _reading_joint(overview: Overview) -> tuple[str, str]:
    joint = overview.joint
    if joint.n_accepted < 2:
        return "", ""
    text = f"The {joint.n_accepted} accepted statements {together(overview).replace('together', 'jointly')}. "
    if overview.prior == "exchangeable":
        text += "This accounts for the dependence between pairs and for the distances between mean ranks."
    elif "probability" in text:
        text += (
            "This accounts for the dependence between pairs, but not for how small true differences usually are. If "
            "most are near zero, fewer such lists are entirely true than this probability suggests."
        )
    else:
        where = "this ranking" if overview.prior_ranking else "equality"
        text += f"Under a prior at {where} they are jointly certain, which means no more than that."
    place = joint.statements.index(last_accepted(joint.statements)) + 1
    if place < len(joint.statements) and joint.statements[place].probability < 1:
        s = joint.statements[place]
        after = spoken(s.joint, level(overview), exact=False)
        if s.joint_bounds is not None:
            after = at_least(s.joint_bounds[0], level(overview), exact=False)
        pair = f"{numerals.plain(s.better)} better than {numerals.plain(s.worse)}"
        text += f" With the next statement, {pair}, the joint probability would be {after}."
    return "together", text


def _reading_equivalent(overview: Overview) -> tuple[str, str]:
    """With a rope: which pairs are practically equivalent; for two algorithms see the verdict."""
    if not overview.rope or len(overview.joint.algorithms) == 2 or not overview.pairs:
        return "", ""
    equivalent = [pair.sign for pair in overview.pairs if pair.sign.verdict == "equivalent"]
    within, need = f"within ±{overview.rope:g}", level(overview)
    if not equivalent:
        return (
            "equivalent",
            f"By signs no pair is practically equivalent ({within}) with a probability above {need:g}.",
        )
    lowest = [p.p_equivalent if p.bounds[1] is None else p.bounds[1][0] for p in equivalent]
    names = [
        f"{numerals.plain(p.a)} and {numerals.plain(p.b)} ({chance(x, need)})"
        for p, x in zip(equivalent, lowest, strict=True)
    ]
    return "equivalent", (
        f"Practically equivalent by signs, differences {within} being the most common outcome: {listing(names)}."
    )


def _reading_best(overview: Overview) -> tuple[str, str]:
    if too_few(overview):
        return "best", f"{best(overview)}: it would be certain of whatever these problems happen to show."
    ranks = overview.ranks
    p = ranks.p_best.tolist()
    top = [name for name, share in zip(ranks.algorithms, p, strict=True) if share == max(p)]
    sure = spoken(max(p), exact=ranks.method == "exact")
    if sure == "1":
        sure = probability_of(overview.joint.statements[0], overview)
    who = f"{numerals.name_list(top)} each have" if len(top) > 1 else f"{numerals.plain(top[0])} has"
    shared = ", ties divided evenly" if any(c.name == "ties (ranks)" for c in ranks.cautions) else ""
    prior = ", and on the prior, here at equality" if overview.prior == "ignorance" else ""
    return "best", (
        f"{who} the lowest mean rank over all such problems with probability {sure}{shared}. "
        f"This, and the expected loss, depend on which algorithms are in the table{prior}."
    )


def _reading_loss(overview: Overview) -> tuple[str, str]:
    if too_few(overview):
        return "", ""
    ranks = overview.ranks
    loss = ranks.expected_loss
    low, high = int(loss.argmin()), int(loss.argmax())
    if loss[low] == loss[high]:
        return "expected loss", "All algorithms have the same expected loss."
    least = [name for name, cost in zip(ranks.algorithms, loss.tolist(), strict=True) if cost == loss[low]]
    smallest, largest = (loss_text(float(loss[j])).replace("< ", "less than ") for j in (low, high))
    return "expected loss", (
        f"The smallest expected loss is that of {numerals.name_list(least)}: the mean rank is expected to lie "
        f"{smallest} above the lowest one, and that of {numerals.plain(ranks.algorithms[high])} {largest} above it."
    )


_EQUAL = {
    "different": "lies outside the {level} credible region",
    "no difference shown": "lies inside the {level} credible region: neither a difference nor equality is shown",
    "indeterminate": "lies inside or outside the {level} credible region, depending on the prior",
    "undecided": "lies too close to the edge of the {level} credible region for these draws to decide",
    "cannot tell": "cannot be judged with so few problems by the {level} credible region",
}


def _reading_equal(overview: Overview) -> tuple[str, str]:
    f = overview.friedman
    if len(overview.joint.algorithms) == 2:
        return "", ""
    where = _EQUAL[f.verdict].format(level=numerals.percent(level(overview)))
    if any(caution.code == "one-process" for caution in overview.cautions):
        where = "cannot be judged with one process a side"
    return "all equal", f"Equality of all mean ranks {where} ({_region(f, level(overview))})."


def _region(f: FriedmanPosterior, need: float) -> str:
    """Say where "all equal" lies among the regions about the posterior mean."""
    exact = f.standard_error == 0
    if f.probability_bounds is not None:
        held = between(*f.probability_bounds, need, exact=exact)
        return f"the region through it holds {held} of the posterior, by the prior ranking"
    if f.rank == 0 and f.statistic == 0:
        return "the posterior holds nothing else"
    if math.isinf(f.statistic):
        return "no region of the posterior reaches it"
    if f.statistic == 0:
        return "it is the posterior mean itself"
    held = spoken(f.probability, need, exact=exact).replace("above ", "more than ").replace("below ", "less than ")
    return f"the region through it holds {'all' if held == '1' else held} of the posterior"
