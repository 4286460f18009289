"""The tables of a Bayesian report: who is best, every statement, the test of "all equal"."""

from collections import Counter
from typing import Any

from bakeoff import numerals
from bakeoff.report.document import ColumnSpec, DecidedOnly, Table, number_column, tabulate, text_column
from bakeoff.report.sections import split_by_decision
from bakeoff.wings.bayes import FriedmanPosterior, Overview, Statement
from bakeoff.wings.bayes.analysis.reporting.sentences import level, statement_bounds, statements, too_few
from bakeoff.wings.bayes.dirichlet.weights import unit_drawn
from bakeoff.wings.bayes.statements.wording import chance, loss_text, span

BRIEF = DecidedOnly(
    title="Accepted statements, most probable first", more="that are accepted", rest="without an accepted statement"
)


def order(overview: Overview) -> list[int]:
    """Columns, best posterior mean rank first; equal ones stay in column order."""
    return sorted(range(len(overview.joint.algorithms)), key=overview.ranks.mean_ranks.__getitem__)


def ranking(overview: Overview) -> Table:
    """Probability of being best, mean rank and expected loss of every algorithm."""
    ranks, best_first = overview.ranks, order(overview)
    exact = ranks.method == "exact"
    accepted = [s for s in overview.joint.statements if s.accepted]
    better, worse = Counter(s.better for s in accepted), Counter(s.worse for s in accepted)

    def interval(j: int) -> str:
        return " – ".join(numerals.decimals(float(x), 2) for x in (ranks.quantiles[j][0], ranks.quantiles[j][-1]))

    def counts(j: int) -> str:
        return f"{better[ranks.algorithms[j]]} / {worse[ranks.algorithms[j]]}"

    def best_chance(j: int) -> str:
        if too_few(overview):
            return numerals.MISSING
        p = float(ranks.p_best[j])
        if exact and p in (0.0, 1.0):  # two algorithms, one of which never lost
            low, high = statement_bounds(overview.joint.statements[0], overview) or (p, p)
            return span(low, high) if p == 1 else span(1.0 - high, 1.0 - low)
        return chance(p, exact=exact)

    shown: list[ColumnSpec[int]] = [
        number_column("place", "#", lambda j: str(best_first.index(j) + 1)),
        text_column("algorithm", "algorithm", lambda j: numerals.plain(ranks.algorithms[j])),
        number_column("p_best", "P best", best_chance, strong=True),
        number_column("mean_rank", "mean rank", lambda j: numerals.as_rank(float(ranks.mean_ranks[j])), rank=1),
        number_column("interval", "95 % of posterior", interval, rank=3, in_paper=True),
        number_column(
            "loss", "expected loss", lambda j: loss_text(float(ranks.expected_loss[j])), rank=2, in_paper=True
        ),
        number_column("statements", "better/worse", counts, rank=4),
    ]
    note = (
        "P best: probability of the lowest mean rank. Expected loss of choosing it: how far its mean rank is "
        "expected to lie above the lowest. Better/worse: than how many others, according to accepted "
        f"statements.{' P best is not shown for so few problems.' if too_few(overview) else ''}"
        f"{' P best, ranks and losses use the prior at equality.' if overview.prior == 'ignorance' else ''}"
    )
    return tabulate(
        "ranking",
        "Who is best, by posterior mean rank",
        shown,
        best_first,
        strong=lambda j: j == best_first[0] or ranks.algorithms[j] == overview.control,
        note=note,
    )


def pairs(overview: Overview) -> list[Table]:
    """A row per pair, as its more probable statement; large families as the accepted ones and then the rest."""
    shown = _columns(overview)

    def caption(n: int, accepted: bool) -> str:
        what = "accepted statements, most probable first" if accepted else "pairs without an accepted statement"
        return f"The {n} {what}"

    whole = "Pairs, most probable first"
    return split_by_decision(statements(overview), shown, lambda s: s.accepted, whole, None, caption, BRIEF)


def posteriors(overview: Overview, which: str) -> dict[tuple[str, str], Any]:
    """The posterior of each pair that has one, by signs or by signed ranks, and as seen from either algorithm."""
    listed = [one for pair in overview.pairs if (one := getattr(pair, which)) is not None]
    return {(one.a, one.b): one for posterior in listed for one in (posterior, posterior.turned)}


def _columns(overview: Overview) -> list[ColumnSpec[Statement]]:
    need, chosen = level(overview), statements(overview)
    little = ", by however little" if overview.rope else ""
    prior = " (prior at equality)" if overview.prior == "ignorance" else ""
    legend = f"P: probability that the first is better{little}."
    if overview.prior == "exchangeable":
        legend = "P: probability that the first has the lower mean rank."
    shown: list[ColumnSpec[Statement]] = [
        text_column("a", "first", lambda s: numerals.plain(s.better)),
        text_column("b", "second", lambda s: numerals.plain(s.worse)),
        text_column("verdict", "first better", lambda s: s.verdict, rank=3),
        number_column(
            "probability",
            "P",
            lambda s: _chance(s.probability, statement_bounds(s, overview), need, s.standard_error),
            strong=True,
            legend=legend,
        ),
    ]
    if len(overview.joint.algorithms) > 2:
        before = "all before it" if overview.control is None else "all more probable ones, of any pair,"
        legend = f"Together: probability that this statement and {before} are true"
        legend += (
            f" (–: no {unit_drawn(overview.joint)} contradicts any of them)."
            if any(map(_uncontradicted, chosen))
            else "."
        )
        shown.append(number_column("joint", "together", lambda s: _joint(s, need), legend=legend))
    signs, signed_ranks = posteriors(overview, "sign"), posteriors(overview, "signed_rank")
    if overview.rope and signs:
        legend = f"By signs, and by signed ranks{prior}: better / within ±{overview.rope:g} / worse."
        shown.append(number_column("signs", "by signs", lambda s: _triple(s, signs, need), rank=1, legend=legend))
    if signed_ranks:
        legend = "" if overview.rope else f"By signed ranks{prior}: P from the sizes of differences."
        by_sizes: ColumnSpec[Statement] = number_column(
            "signed_rank", "by signed ranks", lambda s: _triple(s, signed_ranks, need), rank=2, legend=legend
        )
        shown.append(by_sizes)
    legend = "w / t / l: problems won, tied, lost by the first."
    record: ColumnSpec[Statement] = number_column(
        "record", "w / t / l", lambda s: f"{s.wins} / {s.ties} / {s.losses}", rank=4, legend=legend
    )
    return [*shown, record]


def _chance(p: float, bounds: tuple[float, float] | None, need: float, standard_error: float) -> str:
    """A probability; over all prior rankings, its bounds."""
    exact = standard_error == 0
    return chance(p, need, exact=exact) if bounds is None else span(*bounds, need, exact=exact)


def _uncontradicted(s: Statement) -> bool:
    """Certain under a prior at equality, which is no evidence of more than that no problem contradicts it."""
    return s.joint == 1 and s.joint_bounds is None


def _joint(s: Statement, need: float) -> str:
    if _uncontradicted(s):
        return numerals.MISSING
    return _chance(s.joint, s.joint_bounds, need, s.joint_standard_error)


def _triple(s: Statement, of_pairs: dict[tuple[str, str], Any], need: float) -> str:
    """P(better) of the first-named, with a rope also of the other two outcomes."""
    posterior = of_pairs.get((s.better, s.worse))
    if posterior is None:
        return numerals.MISSING
    error = float(posterior.method == "monte-carlo")
    shown = [_chance(float(x), known, need, error) for x, known in zip(posterior.shares, posterior.bounds, strict=True)]
    return " / ".join(shown if posterior.rope else shown[:1])


def friedman(overview: Overview) -> Table:
    """The test of "all equal" by both regions."""
    need = level(overview)
    shown: list[ColumnSpec[FriedmanPosterior]] = [
        text_column("test", "region", lambda t: "exact (from draws)" if t.region == "exact" else t.region),
        number_column("statistic", "distance²", lambda t: numerals.statistic(t.statistic)),
        number_column("critical", "edge of the region", lambda t: numerals.statistic(t.critical_value)),
        number_column(
            "probability",
            "content of the region through “all equal”",
            lambda t: _chance(t.probability, t.probability_bounds, need, t.standard_error),
            strong=True,
        ),
        text_column("verdict", "verdict", lambda t: t.verdict),
    ]
    note = (
        "“All equal” is excluded if its squared Mahalanobis distance from the posterior mean exceeds that of the "
        f"edge of the {numerals.percent(need)} region. The edge of the ellipsoid comes from the F distribution, which "
        "allows for few problems; the exact region contains that share of the posterior."
    )
    caption = "Bayesian Friedman test of “all mean ranks are equal”"
    first, other = overview.friedman, overview.friedman_exact
    tests = [first] if other is None else [first, other]
    return tabulate("friedman", caption, shown, tests, strong=lambda t: t is first, note=note)
