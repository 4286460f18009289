"""The Bayesian verdict in one sentence, and its basis.

"Better" is used only for accepted statements; otherwise the sentence gives the probability and says that it is too low.
"""

import itertools

from bakeoff import numerals
from bakeoff.report.methods import direction
from bakeoff.report.sections import better_and_worse, unless_one_process
from bakeoff.wings.bayes import Overview, SignPosterior, Statement
from bakeoff.wings.bayes.dirichlet.weights import n_units, unit_drawn
from bakeoff.wings.bayes.statements.statement import last_accepted
from bakeoff.wings.bayes.statements.verdicts import STATEMENTS, bounds_of_certainty
from bakeoff.wings.bayes.statements.wording import at_least, between, chance, spoken, with_chance

_HARDLY = 0.0005  # a smaller probability is not mentioned


def level(overview: Overview) -> float:
    """The level that a probability must exceed."""
    return 1.0 - overview.gamma


@unless_one_process
def verdict(overview: Overview) -> str:
    """Name the algorithms that are better, with the probability, then the one that is probably best."""
    if len(overview.joint.algorithms) == 2 and overview.prior != "exchangeable":
        return _one_pair(overview)
    if len(overview.joint.algorithms) == 2:
        return _one_statement(overview)
    n, others = overview.joint.n_accepted, len(overview.joint.algorithms) - 1
    if not n:
        return f"{_none_accepted(overview)}; {_most_probable(overview)}. {best(overview)}."
    lead, better, worse = _lead(overview)
    name = numerals.plain(lead) + (" (the control)" if overview.control is not None else "")
    if overview.control is not None and not better and not worse:
        of_others = f"{numerals.count(n, 'statement')} about others {together(overview)}"
        return f"No statement about {name} is accepted; {of_others}. {best(overview)}."
    these = "this one statement" if n == 1 else f"the {n} statements accepted"
    return f"{name} is {better_and_worse(better, worse, others)}; {these} {together(overview)}. {best(overview)}."


def basis(overview: Overview) -> str:
    """The basis of the verdict."""
    s = overview.scores
    rope = f"; practically equivalent within ±{overview.rope:g}" if overview.rope else ""
    if rope and len(overview.joint.algorithms) > 2:
        rope += ", but statements count every difference"
    what = "comparison of mean ranks" if overview.prior == "exchangeable" else "sign comparison"
    return (
        f"Bayesian {what}; {_prior(overview)}; {draws_of(overview)}; accepted above probability "
        f"{level(overview):g}{rope}{_recipe(overview)}; {direction(s)}."
    )


def _recipe(overview: Overview) -> str:
    return "" if overview.recipe is None else f"; recipe {overview.recipe}"


def _prior(overview: Overview) -> str:
    strength = overview.prior_strength
    if overview.prior == "exchangeable":
        return "prior: exchangeable mean ranks, shrunk towards each other by an amount estimated from the data"
    if strength == 0:
        return "no prior (Bayesian bootstrap)"
    if overview.prior_ranking is not None:
        return f"the prior {ranking_counts(overview)}"
    what = "any prior ranking" if overview.prior == "ignorance" else "prior: all algorithms equal"
    return f"{what}, as strong as {_units(overview)}"


def _units(overview: Overview) -> str:
    """The strength of the prior."""
    unit, strength = unit_drawn(overview.joint), overview.prior_strength
    return numerals.count(1, unit) if strength == 1 else f"{strength:g} {unit}s"


def ranking_counts(overview: Overview) -> str:
    """``counts as 1 problem on which A is better than B, B than C``."""
    names = [numerals.plain(name) for name in overview.prior_ranking or ()]
    pairs = [f"{a} {'is better ' if i == 0 else ''}than {b}" for i, (a, b) in enumerate(itertools.pairwise(names))]
    separator = "; " if any("," in name for name in names) else ", "
    return f"counts as {_units(overview)} on which {separator.join(pairs)}"


def draws_of(overview: Overview) -> str:
    """The independent draws of the posterior: ``350 problems in 35 clusters, each cluster one draw``."""
    n, clusters = numerals.count(overview.scores.n_problems, "problem"), overview.joint.n_clusters
    return n if clusters is None else f"{n} in {numerals.count(clusters, 'cluster')}, each cluster one draw"


def statements(overview: Overview) -> list[Statement]:
    """Those shown: all, or with a control those about it."""
    control = overview.control
    listed = overview.joint.statements
    return [s for s in listed if control is None or control in (s.better, s.worse)]


def too_few(overview: Overview) -> bool:
    """All certainty is from problems so few that even all together would not lead to a verdict."""
    n = n_units(overview.scores) + (overview.prior_strength if overview.prior_ranking else 0.0)
    if overview.prior == "ignorance" or 0.5**n < overview.gamma:
        return False
    return any(s.probability == 1 or s.verdict == "indeterminate" for s in overview.joint.statements)


def best(overview: Overview) -> str:
    """``Most probably best: DE-Exp (0.741), then SaDE (0.168)``."""
    if too_few(overview):
        return f"With so few {unit_drawn(overview.joint)}s, the best depends on the prior ({n_units(overview.scores)})"
    ranks = overview.ranks
    prior = " with the prior at equality" if overview.prior == "ignorance" else ""
    p = [float(x) for x in ranks.p_best]
    order = sorted(range(len(p)), key=lambda j: -p[j])
    exact = ranks.method == "exact"
    top = [j for j in order if p[j] == p[order[0]]]
    if len(top) > 1:
        names = numerals.name_list([ranks.algorithms[j] for j in top])
        return f"Equally probable to be best{prior}: {names} ({chance(p[top[0]], exact=exact)} each)"
    first, second = (f"{numerals.plain(ranks.algorithms[j])} ({chance(p[j], exact=exact)})" for j in order[:2])
    return f"Most probably best{prior}: {first}" + (f", then {second}" if p[order[1]] > _HARDLY else "")


# --- the verdict ------------------------------------------------------------------------------------------------


def _lead(overview: Overview) -> tuple[str, list[str], list[str]]:
    """The control, otherwise the algorithm better than most others (among equals the one with the better mean rank);

    and the others that it is better and worse than.
    """
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
    return name, sorted(better[name], key=inside), sorted(worse[name], key=inside)


def together(overview: Overview) -> str:
    """``hold together with probability 0.956``."""
    joint = overview.joint
    verb = "holds" if joint.n_accepted == 1 else "hold together"
    last = last_accepted(joint.statements)
    exact = joint.joint_standard_error == 0
    if exact and joint.joint == 1 and last.joint_bounds is None:
        return f"{'is' if joint.n_accepted == 1 else 'are'} contradicted by no {unit_drawn(joint)}"
    if last.joint_bounds is not None:
        lowest = at_least(last.joint_bounds[0], level(overview), exact=exact)
        return f"{verb} with a probability of {lowest}, whatever the prior ranking"
    return f"{verb} {with_chance(joint.joint, level(overview), exact=exact)}"


def _none_accepted(overview: Overview) -> str:
    if overview.closed:
        return f"The recipe {overview.recipe} makes no statement, as equality of all is not rejected"
    sentence = "No statement about who is better"
    first = overview.joint.statements[0]
    if first.joint > level(overview) and undirected(overview):  # requested less than one half
        return f"{sentence} is accepted"
    any_prior = overview.prior == "ignorance" or first.verdict == "indeterminate"
    whatever = " whatever the prior ranking" if any_prior else ""
    return f"{sentence} has a probability above {level(overview):g}{whatever}"


def _most_probable(overview: Overview) -> str:
    first = statements(overview)[0]
    if undirected(overview):
        return "for every pair both directions are equally probable"
    names = f"{numerals.plain(first.better)} is better than {numerals.plain(first.worse)}"
    return f"the most probable is that {names} ({probability_of(first, overview)})"


def undirected(overview: Overview) -> bool:
    """Does not even the first statement shown have more wins than losses, or a prior that supports it?"""
    first = statements(overview)[0]
    return first.wins == first.losses and (overview.prior_ranking is None or first.probability == 0.5)


def probability_of(s: Statement, overview: Overview) -> str:
    """``0.989``, or ``between 0.981 and 0.997`` over all prior rankings."""
    exact, bounds = s.standard_error == 0, statement_bounds(s, overview)
    if bounds is None:
        return spoken(s.probability, level(overview), exact=exact)
    if chance(bounds[1], exact=exact)[0] == ">":
        return at_least(bounds[0], level(overview), exact=exact)
    return between(*bounds, level(overview), exact=exact)


def statement_bounds(s: Statement, overview: Overview) -> tuple[float, float] | None:
    """Over all prior rankings, if requested or if no problem contradicts the statement; None: one probability."""
    if s.probability_bounds is not None:
        return s.probability_bounds
    if overview.joint.n_clusters not in (None, overview.joint.n_problems):
        return s.certain_bounds
    p, ranking = (s.probability, 0.0, 1.0 - s.probability), overview.prior_ranking or ()
    own = overview.prior_strength if ranking and ranking.index(s.better) < ranking.index(s.worse) else 0.0
    bounds = bounds_of_certainty(p, (s.wins + own, s.ties, s.losses), 0.0)
    return None if bounds is None else bounds[0]


def _one_statement(overview: Overview) -> str:
    """By mean ranks."""
    s = overview.joint.statements[0]
    names = f"{numerals.plain(s.better)} is better than {numerals.plain(s.worse)}"
    p = probability_of(s, overview)
    if s.accepted:
        return f"{names} with probability {p}."
    both = numerals.name_list([s.better, s.worse])
    return (
        f"It is undecided which of {both} is better: the probability that {names} is {p}; the level is "
        f"{level(overview):g}."
    )


def _one_pair(overview: Overview) -> str:
    """By the sign test."""
    sign = overview.pairs[0].sign
    names = numerals.name_list([sign.a, sign.b])
    if sign.verdict == "equivalent":
        return f"{names} are practically equivalent (within ±{sign.rope:g}) {_chance_of(sign, 'equivalent')}."
    if sign.verdict == "indeterminate":
        what = f"whether {names} differ by more than {sign.rope:g}" if sign.rope else f"which of {names} is better"
        return f"It depends on the prior {what}: {_shares(sign)}."
    if sign.verdict == "undecided":
        return f"It is undecided which of {names} is better: {_shares(sign)}; the level is {level(overview):g}."
    won, lost = (sign.a, sign.b) if sign.verdict == "a better" else (sign.b, sign.a)
    by = f" by more than {sign.rope:g}" if sign.rope else ""
    return f"{numerals.plain(won)} is better than {numerals.plain(lost)}{by} {_chance_of(sign, sign.verdict)}."


def _chance_of(sign: SignPosterior, what: str) -> str:
    at = STATEMENTS.index(what)
    bounds = sign.bounds[at]
    if bounds is None:
        return with_chance(sign.shares[at], 1 - sign.gamma)
    one = "one more" if sign.prior == "weights" else "a prior of one"
    of_one = f"whatever {one} {unit_drawn(sign)} says"
    prior = "whatever the prior ranking" if sign.prior == "ignorance" else of_one
    return f"with a probability of {at_least(bounds[0], 1 - sign.gamma)}, {prior}"


def _shares(sign: SignPosterior) -> str:
    """The probability of each outcome; over all prior rankings, its bounds."""
    need, a, b = 1 - sign.gamma, numerals.plain(sign.a), numerals.plain(sign.b)
    each = list(zip(sign.shares, sign.bounds, strict=True))
    better, equal, worse = (chance(p, need) if bounds is None else between(*bounds, need) for p, bounds in each)
    if sign.rope:
        return f"{a} better {better}, equivalent (within ±{sign.rope:g}) {equal}, {b} better {worse}"
    lowest = [p if bounds is None else bounds[0] for p, bounds in each]
    won, lost, p = (b, a, worse) if lowest[2] > lowest[0] else (a, b, better)
    return f"the probability that {won} is better than {lost} is {p}"
