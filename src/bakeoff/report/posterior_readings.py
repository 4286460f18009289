"""What each probability is the probability of: a sentence for every kind that a Bayesian report shows."""

from __future__ import annotations

from bakeoff.bayes import Overview, PairPosterior, SignedRankPosterior, SignPosterior
from bakeoff.bayes.wording import at_least, chance, spoken, with_chance
from bakeoff.errors import listing
from bakeoff.report import numbers
from bakeoff.report.posterior_sentences import level, probability_of, statements, together


def readings(overview: Overview) -> list[tuple[str, str]]:
    """(what, a sentence) for every kind of probability that is shown."""
    found = [
        _reading_of_pair(overview),
        _reading_joint(overview),
        _reading_equivalent(overview),
        _reading_best(overview),
        _reading_loss(overview),
        _reading_equal(overview),
    ]
    return [(term, text) for term, text in found if text]


def _reading_of_pair(overview: Overview) -> tuple[str, str]:
    pairs = overview.pairs
    if len(overview.joint.algorithms) == 2 and pairs:
        return "this pair", _pair_sentence(overview, pairs[0])
    first = statements(overview)[0]
    if first.wins == first.losses:
        return "", ""
    ties = ", a tie counting half" if first.ties else ""
    p = probability_of(first, overview)
    n = numbers.count(overview.scores.n_problems, "problem")
    return "a statement", (
        f"That {numbers.plain(first.better)} is better than {numbers.plain(first.worse)} has probability {p}: given "
        f"the {n} seen, that it has the better score on more than half of all problems like these{ties}. It is not "
        "one minus a p-value."
    )


def _pair_sentence(overview: Overview, pair: PairPosterior) -> str:
    sign, ranked = pair.sign, pair.signed_rank
    equal = f"a difference within ±{sign.rope:g}" if sign.rope else "a tie"
    won = f"{sign.wins} won, {sign.ties} tied, {sign.losses} lost by {numbers.plain(sign.a)}"
    low, high = (numbers.decimals(x, 2) for x in sign.interval)
    text = (
        f"Of {numbers.count(sign.n_problems, 'problem')} {won}. By signs: {_triple(sign)}. On a new problem "
        f"{numbers.plain(sign.a)} is better ({equal} counts half) with a probability "
        f"between {low} and {high} ({numbers.percent(1 - sign.gamma)} credible interval)."
    )
    return text if ranked is None else f"{text} By sizes of differences (signed ranks): {_triple(ranked)}."


def _triple(p: SignPosterior | SignedRankPosterior) -> str:
    exact = p.method != "monte-carlo"
    parts = [
        f"{numbers.plain(name)} better {spoken(x, exact=exact)}" for name, x in ((p.a, p.p_better), (p.b, p.p_worse))
    ]
    if p.rope:
        parts.insert(1, f"practically equivalent {spoken(p.p_equivalent, exact=exact)}")
    return ", ".join(parts)


def _reading_joint(overview: Overview) -> tuple[str, str]:
    joint = overview.joint
    if joint.n_accepted < 2:
        return "", ""
    sure = together(overview).removeprefix("hold together ")
    text = (
        f"The {joint.n_accepted} accepted statements, {sure}, are true all at once; this allows for how the pairs "
        "depend on each other, so nothing is left to correct."
    )
    if joint.n_accepted < len(joint.statements):
        s = joint.statements[joint.n_accepted]
        after = spoken(s.joint, level(overview), exact=False)
        if s.joint_bounds is not None:
            after = at_least(s.joint_bounds[0], level(overview), exact=False)
        text += (
            f" With the next one, {numbers.plain(s.better)} better than {numbers.plain(s.worse)}, it would be {after}."
        )
    return "together", text


def _reading_equivalent(overview: Overview) -> tuple[str, str]:
    """With a rope: which pairs are alike for practical purposes; of two algorithms the verdict says it."""
    if not overview.rope or len(overview.joint.algorithms) == 2 or not overview.pairs:
        return "", ""
    found = [pair.sign for pair in overview.pairs if pair.sign.verdict == "equivalent"]
    within, need = f"within ±{overview.rope:g}", level(overview)
    if not found:
        return (
            "equivalent",
            f"By signs no pair is practically equivalent ({within}) with a probability above {need:g}.",
        )
    lowest = [p.p_equivalent_bounds[0] if p.p_equivalent_bounds else p.p_equivalent for p in found]
    names = [
        f"{numbers.plain(p.a)} and {numbers.plain(p.b)} ({chance(x, need)})" for p, x in zip(found, lowest, strict=True)
    ]
    return "equivalent", (
        f"Practically equivalent by signs, differences {within} being the most common outcome: {listing(names)}."
    )


def _reading_best(overview: Overview) -> tuple[str, str]:
    ranks = overview.ranks
    i = int(ranks.p_best.argmax())
    sure = with_chance(float(ranks.p_best[i]), exact=ranks.method == "exact")
    return "best", (
        f"{numbers.plain(ranks.algorithms[i])} has the lowest mean rank over all problems like these {sure}. "
        "This depends on which algorithms are in the table."
    )


def _reading_loss(overview: Overview) -> tuple[str, str]:
    ranks = overview.ranks
    loss = ranks.expected_loss
    low, high = int(loss.argmin()), int(loss.argmax())
    if loss[low] == loss[high]:
        return "choosing", "Whichever algorithm is chosen, the expected loss is the same."
    return "choosing", (
        f"Choosing {numbers.plain(ranks.algorithms[low])} costs least: its mean rank is expected to be "
        f"{numbers.score(float(loss[low]))} above the best one's; choosing {numbers.plain(ranks.algorithms[high])} "
        f"costs {numbers.score(float(loss[high]))}."
    )


_EQUAL = {
    "different": "so they differ",
    "no difference shown": "so no difference is shown, which is not that they are equal",
    "indeterminate": "and whether it lies outside the region asked for depends on the prior",
    "undecided": "which these draws do not decide",
    "cannot tell": "but with so few problems this says nothing",
}


def _reading_equal(overview: Overview) -> tuple[str, str]:
    f = overview.friedman
    if len(overview.joint.algorithms) == 2:
        return "", ""
    inside = (
        chance(f.probability, level(overview), exact=f.standard_error == 0)
        .replace("> ", "more than ")
        .replace("< ", "less than ")
    )
    inside = "all" if inside == "1" else inside
    words = _EQUAL.get(f.verdict, f.verdict)
    return "all equal", (
        f"That all mean ranks are equal lies on the edge of the region that holds {inside} of the posterior "
        f"({level(overview):g} was asked for), {words}."
    )
