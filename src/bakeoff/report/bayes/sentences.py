"""The Bayesian verdict in one sentence, and its basis.

"Better" is used only for accepted statements; otherwise the sentence gives the probability and says that it is too low.
"""

from __future__ import annotations

from dataclasses import dataclass

from bakeoff import numerals
from bakeoff.bayes import Overview, SignPosterior, Statement
from bakeoff.bayes.statements.wording import at_least, between, chance, spoken, with_chance
from bakeoff.report.sections import of_others

_HARDLY = 0.0005  # a smaller probability is not mentioned


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """The algorithm with the most accepted statements, and the others it is better or worse than."""

    name: str
    better: tuple[str, ...]
    worse: tuple[str, ...]


def level(overview: Overview) -> float:
    """What a probability must exceed."""
    return 1.0 - overview.gamma


def verdict(overview: Overview) -> str:
    """Which algorithms are better, with which probability; then which is probably best."""
    if len(overview.joint.algorithms) == 2:
        return _one_pair(overview)
    lead, accepted = _lead(overview), overview.joint.n_accepted
    if not accepted:
        return f"{_none_accepted(overview)}; {_most_probable(overview)}. {best(overview)}."
    if overview.control is not None and not lead.better and not lead.worse:
        of_others = f"{numerals.count(accepted, 'statement')} about others {together(overview)}"
        name = numerals.plain(lead.name)
        return f"No statement about {name} (the control) is accepted; {of_others}. {best(overview)}."
    return f"{_said(overview, lead)}; {_these(overview)} {together(overview)}. {best(overview)}."


def basis(overview: Overview) -> str:
    """The basis of the verdict."""
    s = overview.scores
    n = numerals.count(s.n_problems, "problem")
    rope = f"; practically equivalent within ±{overview.rope:g}" if overview.rope else ""
    if rope and len(overview.joint.algorithms) > 2:
        rope += ", but statements count every difference"
    return (
        f"Bayesian sign comparison; {_prior(overview)}; {n}; accepted above probability {level(overview):g}{rope}; "
        f"{s.better} scores are better."
    )


def _prior(overview: Overview) -> str:
    strength = overview.prior_strength
    if strength == 0:
        return "no prior (Bayesian bootstrap)"
    what = "any prior ranking" if overview.prior == "ignorance" else "prior: all algorithms equal"
    return f"{what}, as strong as {numerals.count(1, 'problem') if strength == 1 else f'{strength:g} problems'}"


def statements(overview: Overview) -> list[Statement]:
    """Those shown: all, or with a control those about it."""
    control = overview.control
    found = overview.joint.statements
    return [s for s in found if control is None or control in (s.better, s.worse)]


def best(overview: Overview) -> str:
    """``Most probably best: DE-Exp (0.741), then SaDE (0.168)``."""
    ranks = overview.ranks
    prior = " with the prior at equality" if overview.prior == "ignorance" else ""
    p = [float(x) for x in ranks.p_best]
    order = sorted(range(len(p)), key=lambda j: -p[j])
    exact = ranks.method == "exact"
    top = [j for j in order if p[j] == p[order[0]]]
    if len(top) > 1:
        names = numerals.names([ranks.algorithms[j] for j in top])
        return f"Equally probable to be best{prior}: {names} ({chance(p[top[0]], exact=exact)} each)"
    first, second = (f"{numerals.plain(ranks.algorithms[j])} ({chance(p[j], exact=exact)})" for j in order[:2])
    return f"Most probably best{prior}: {first}" + (f", then {second}" if p[order[1]] > _HARDLY else "")


# --- the verdict ------------------------------------------------------------------------------------------------


def _lead(overview: Overview) -> Lead:
    """The control, otherwise the algorithm better than most others; among equals the one with the better mean rank."""
    joint, ranks = overview.joint, overview.ranks.mean_ranks
    better: dict[str, list[str]] = {name: [] for name in joint.algorithms}
    worse: dict[str, list[str]] = {name: [] for name in joint.algorithms}
    for s in joint.statements:
        if s.accepted:
            better[s.better].append(s.worse)
            worse[s.worse].append(s.better)
    place = {name: float(ranks[i]) for i, name in enumerate(joint.algorithms)}
    name = overview.control or min(joint.algorithms, key=lambda a: (len(worse[a]) - len(better[a]), place[a]))
    inside = joint.algorithms.index
    return Lead(name=name, better=tuple(sorted(better[name], key=inside)), worse=tuple(sorted(worse[name], key=inside)))


def _said(overview: Overview, lead: Lead) -> str:
    m = len(overview.joint.algorithms) - 1
    name = numerals.plain(lead.name) + (" (the control)" if overview.control is not None else "")
    parts = []
    if lead.better:
        parts.append(f"better than {of_others(lead.better, m)}")
    if lead.worse:
        parts.append(f"worse than {of_others(lead.worse, m)}")
    return f"{name} is {' and '.join(parts)}"


def _these(overview: Overview) -> str:
    n = overview.joint.n_accepted
    return "this one statement" if n == 1 else f"the {n} statements accepted"


def together(overview: Overview) -> str:
    """``hold together with probability 0.956``."""
    joint = overview.joint
    verb = "holds" if joint.n_accepted == 1 else "hold together"
    last = joint.statements[joint.n_accepted - 1]
    exact = joint.joint_standard_error == 0
    if last.joint_bounds is not None:
        lowest = at_least(last.joint_bounds[0], level(overview), exact=exact)
        return f"{verb} with a probability of {lowest}, whatever the prior ranking"
    return f"{verb} {with_chance(joint.joint, level(overview), exact=exact)}"


def _none_accepted(overview: Overview) -> str:
    said = "No statement about who is better"
    first = overview.joint.statements[0]
    if first.joint > level(overview) and first.wins == first.losses:  # asked for less than one half
        return f"{said} is accepted"
    whatever = " whatever the prior ranking" if overview.prior == "ignorance" else ""
    return f"{said} has a probability above {level(overview):g}{whatever}"


def _most_probable(overview: Overview) -> str:
    first = statements(overview)[0]
    if first.wins == first.losses:
        return "for every pair both directions are equally probable"
    names = f"{numerals.plain(first.better)} is better than {numerals.plain(first.worse)}"
    return f"the most probable is that {names} ({probability_of(first, overview)})"


def probability_of(s: Statement, overview: Overview) -> str:
    """``0.989``, or ``between 0.981 and 0.997`` over all prior rankings."""
    exact = s.standard_error == 0
    if s.probability_bounds is None:
        return spoken(s.probability, level(overview), exact=exact)
    if chance(s.probability_bounds[1], exact=exact)[0] == ">":
        return at_least(s.probability_bounds[0], level(overview), exact=exact)
    return between(*s.probability_bounds, level(overview), exact=exact)


def _one_pair(overview: Overview) -> str:
    """By the sign test."""
    sign = overview.pairs[0].sign
    names = numerals.names([sign.a, sign.b])
    if sign.verdict == "equivalent":
        return f"{names} are practically equivalent (within ±{sign.rope:g}) {_chance_of(sign, 'equivalent')}."
    if sign.verdict == "indeterminate":
        what = f"whether {names} differ by more than {sign.rope:g}" if sign.rope else f"which of {names} is better"
        return f"It depends on the prior {what}: {_bounds_of(sign)}."
    if sign.verdict == "undecided":
        return f"Which of {names} is better is undecided: {_shares(sign)}; the level is {level(overview):g}."
    won, lost = (sign.a, sign.b) if sign.verdict == "a better" else (sign.b, sign.a)
    by = f" by more than {sign.rope:g}" if sign.rope else ""
    return f"{numerals.plain(won)} is better than {numerals.plain(lost)}{by} {_chance_of(sign, sign.verdict)}."


def _chance_of(sign: SignPosterior, what: str) -> str:
    p = {"a better": sign.p_better, "equivalent": sign.p_equivalent, "b better": sign.p_worse}[what]
    bounds = {"a better": sign.p_better_bounds, "equivalent": sign.p_equivalent_bounds, "b better": sign.p_worse_bounds}
    bound = bounds[what]
    if bound is not None:
        return f"with a probability of {at_least(bound[0], 1 - sign.gamma)}, whatever the prior ranking"
    return with_chance(p, 1 - sign.gamma)


def _shares(sign: SignPosterior) -> str:
    if sign.p_better_bounds is not None:
        return _bounds_of(sign)
    a, b, need = numerals.plain(sign.a), numerals.plain(sign.b), 1 - sign.gamma
    if sign.rope:
        equal = f"equivalent (within ±{sign.rope:g}) {chance(sign.p_equivalent, need)}"
        return f"{a} better {chance(sign.p_better, need)}, {equal}, {b} better {chance(sign.p_worse, need)}"
    (won, p), (lost, _) = sorted([(a, sign.p_better), (b, sign.p_worse)], key=lambda pair: -pair[1])
    return f"that {won} is better than {lost} has probability {chance(p, need)}"


def _bounds_of(sign: SignPosterior) -> str:
    """Over all prior rankings."""
    need, a, b = 1 - sign.gamma, numerals.plain(sign.a), numerals.plain(sign.b)
    better, equal, worse = sign.p_better_bounds, sign.p_equivalent_bounds, sign.p_worse_bounds
    assert better is not None
    assert equal is not None
    assert worse is not None
    if not sign.rope:
        (won, lost), most = ((b, a), worse) if worse[0] > better[0] else ((a, b), better)
        return f"that {won} is better than {lost} has a probability {between(*most, need)}"
    found = f"equivalent (within ±{sign.rope:g}) {between(*equal, need)}"
    return f"{a} better {between(*better, need)}, {found}, {b} better {between(*worse, need)}"
