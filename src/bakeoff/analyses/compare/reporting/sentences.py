"""The verdict in a sentence, and what it rests on.

Words carry the logic of the tests: "better" only where a pair was declared different; otherwise "no
difference is shown", or "cannot tell" where no outcome of the design could have shown one. The words stand in
``report/sentences.json``, which the script of the page fills too.
"""

import math

from bakeoff import numerals
from bakeoff.analyses.compare.reporting import effects, margins
from bakeoff.analyses.compare.reporting.omnibus import omnibus_outcome
from bakeoff.analyses.compare.statistics import Comparison, Pair, catalogue
from bakeoff.analyses.compare.statistics.reach import POWER
from bakeoff.analyses.compare.statistics.units import sample_phrase
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.dataclass import dataclass, field
from bakeoff.report.methods import direction, measured
from bakeoff.report.sections import better_and_worse, one_process_alone, unless_one_process
from bakeoff.report.sentences import fill
from bakeoff.scores.contents import two_values
from bakeoff.special import ndtr

DEPENDS = "depends on the missing scores"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponents:
    """One algorithm against the others it was compared with, by name."""

    better: list[str] = field(default_factory=list)
    worse: list[str] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    depends: list[str] = field(default_factory=list)


@unless_one_process
def verdict(comparison: Comparison) -> str:
    """Say who is better than whom, in one or two sentences; with a margin, who is equal to whom."""
    return f"{_differences(comparison)}{margins.after_verdict(comparison)}"


def _differences(c: Comparison) -> str:
    lead = _some_differ(c)
    if _untold(c):
        return f"{lead}{_cannot_tell(c)}"
    if len(c.pairs) == 1:
        return _one_pair(c, c.pairs[0])
    if c.control is not None:
        return f"{lead}{_against_control(c, c.control)}"
    return f"{lead}Which ones, the pairwise comparisons do not show; {_best(c)}." if lead else _all_pairs(c)


def _untold(c: Comparison) -> bool:
    return all(pair.verdict == "cannot tell" for pair in c.pairs)


def _some_differ(c: Comparison) -> str:
    """By a recipe's gate, which is a part of the procedure, or where no pair could have been declared different."""
    if not c.some_differ or (c.recipe is None and not (_untold(c) and c.control is None)):
        return ""
    outcome = "" if c.recipe is None else f" ({omnibus_outcome(c.omnibus, c.alpha)})"
    return fill("some-differ", k=c.scores.n_algorithms, outcome=outcome)


def basis(c: Comparison, sizes: bool = True) -> str:
    """Say what the verdict rests on: correction, level, sizes (problems may stand above), direction."""
    missing = int(c.scores.holes.sum())
    counted = sizes or c.scores.clusters is not None
    parts = [correction_phrase(c), *([sample_phrase(c.scores, c.unit)] if counted else [])]
    parts += [f"{numerals.count(missing, 'score')} missing"] if missing else []
    return f"{'; '.join([*parts, direction(c.scores)])}{margins.basis(c)}."


def detectable_sentence(comparison: Comparison) -> str:
    """Say what as many problems find, and for which data that holds; empty where there is no such number."""
    c, d = comparison, comparison.detectable
    if d is None or one_process_alone(c):
        return ""
    m, unit = len(c.pairs), c.unit
    level = f"{c.alpha:g}" if m == 1 else f"{c.alpha:g}/{m}"
    wins = f" The better one then wins {100 * float(ndtr(d)):.0f} % of {unit}s." if "sign" in c.pairwise else ""
    return f"{detected(c, d)} (over {unit}s, level {level}); smaller ones may be missed.{wins}"


def detected(c: Comparison, d: float) -> str:
    """``14 problems detect normal differences of 1.2 standard deviations 80 % of the time``."""
    of = {"log": " of logarithms", "minmax": " of normalised scores"}.get(c.transform or "", "")
    size = numerals.with_noun(f"{d:.2g}", "standard deviation")
    rows = numerals.count(c.n_rows, c.unit)
    return f"{rows} detect normal differences{of} of {size} {numerals.in_percent(POWER)} of the time"


def correction_phrase(comparison: Comparison) -> str:
    """``Holm over 8 pairs, family-wise α = 0.05``."""
    alpha = f"α = {comparison.alpha:g}"
    if len(comparison.pairs) == 1:
        return f"One pair, no correction, {alpha}"
    used = catalogue.correction_of(comparison, comparison.primary)
    rate = catalogue.rate(comparison).removesuffix(" error rate")
    return f"{used.short} over {len(comparison.pairs)} pairs, {rate} {alpha}"


def standing(comparison: Comparison, name: str) -> Opponents:
    """Where ``name`` stands, in column order of the others."""
    others = Opponents()
    for pair in comparison.pairs:
        if name in (pair.a, pair.b):
            getattr(others, relation(pair, name)).append(pair.b if name == pair.a else pair.a)
    return others


def relation(pair: Pair, name: str) -> str:
    """``name`` against the other one: better, worse, alike, unknown, depends (on the missing scores)."""
    if pair.verdict in DECIDED:
        return "better" if winner(pair) == name else "worse"
    return {"cannot tell": "unknown", DEPENDS: "depends"}.get(pair.verdict, "alike")


def winner(pair: Pair) -> str | None:
    """The algorithm that was declared better."""
    return {"a better": pair.a, "b better": pair.b}.get(pair.verdict)


def record(pair: Pair, name: str) -> str:
    """``16 / 0 / 9``: problems on which ``name`` won, tied, lost."""
    counts = (pair.wins, pair.ties, pair.losses)
    return " / ".join(map(str, counts if name == pair.a else counts[::-1]))


def best(comparison: Comparison) -> list[str]:
    """The algorithms with the lowest mean rank (rank sums are integers, so equality is exact), or the best mean."""
    lowest = comparison.standing.min()
    return [name for name, r in zip(comparison.scores.algorithms, comparison.standing, strict=True) if r == lowest]


def _cannot_tell(c: Comparison) -> str:
    m, where, more = len(c.pairs), "", ""
    if m == 1:
        what = fill("cannot-tell.pair", pair=numerals.name_list([c.pairs[0].a, c.pairs[0].b]))
    elif c.control is not None:
        what = fill("cannot-tell.control", control=_the_control(c.control), m=m)
    elif c.some_differ:
        what, where, rivals = "which", fill("cannot-tell.any-pair", m=m), c.scores.n_algorithms - 1
        if rivals * 2.0 ** (1 - c.n_rows) <= c.alpha:
            more = fill("one-control-could", rivals=rivals)
    else:
        what = fill("cannot-tell.all", k=c.scores.n_algorithms)
    units = numerals.count(c.n_rows, c.unit)
    return fill("cannot-tell", what=what, units=units, alpha=f"{c.alpha:g}", where=where) + more


def _one_pair(comparison: Comparison, pair: Pair) -> str:
    p = numerals.p_phrase(pair.pvalue, pair.log_pvalue, comparison.alpha)
    won = winner(pair)
    if pair.verdict == DEPENDS and pair.bounds is not None:
        low, high = (numerals.pvalue(x, None, comparison.alpha) for x in (pair.bounds.smallest, pair.bounds.largest))
        who = numerals.name_list([pair.a, pair.b])
        return f"Whether {who} differ depends on the missing scores (p from {low} to {high})."
    if pair.verdict == DEPENDS:
        return f"Whether {numerals.name_list([pair.a, pair.b])} differ depends on the missing scores."
    if won is None:
        names = numerals.name_list([pair.a, pair.b])
        return fill("no-difference", whom=fill("no-difference.pair", pair=names, p=p))
    lost = pair.b if won == pair.a else pair.a
    size = _typically(comparison, pair if won == pair.a else pair.turned)
    return fill("pair-differs", winner=numerals.plain(won), loser=numerals.plain(lost), p=p, size=size)


def _typically(c: Comparison, pair: Pair) -> str:
    """The size of the difference, unless its sign contradicts the verdict (a rank test may see it otherwise)."""
    effect, interval = pair.effect, pair.interval
    if effect is None or effect.estimate <= (0.5 if effect.scale == "a12" else 0.0):
        return ""
    share = "by a share of" if two_values(c.scores) in (None, (0.0, 1.0)) else "on average by"
    how = {"mean": "on average by", "share": share, "a12": "with A12 ="}.get(effect.kind, "typically by")
    unit = {"percent": " %", "log-ratio": " (log ratio)"}.get(effect.scale, "")
    phrase = f", {how} {numerals.score(effect.estimate)}{unit}"
    if interval is None or interval.high - interval.low == math.inf:
        return phrase
    return f"{phrase} ({numerals.percent(interval.confidence_level)} interval {effects.from_to(interval)})"


def _the_control(name: str) -> str:
    return fill("control", name=numerals.plain(name))


def _against_control(comparison: Comparison, control: str) -> str:
    s, m, name = standing(comparison, control), len(comparison.pairs), _the_control(control)
    if not s.better and not s.worse:
        return fill("no-difference", whom=fill("no-difference.control", control=name, m=m))
    return fill("control-differs", control=name, standing=better_and_worse(s.better, s.worse, m), rest=_rest(s))


def _all_pairs(comparison: Comparison) -> str:
    first, others, ranking = best(comparison), comparison.scores.n_algorithms - 1, _best(comparison)
    differ = sum(pair.verdict in DECIDED for pair in comparison.pairs)
    depending = sum(pair.verdict == DEPENDS for pair in comparison.pairs)
    depends = f"; the verdict on {numerals.count(depending, 'pair')} depends on the missing scores" if depending else ""
    if not differ:
        return fill("no-difference", whom=fill("no-difference.all", k=others + 1, ranking=ranking + depends))
    total = fill("total.one" if differ == 1 else "total", n=differ, m=len(comparison.pairs)) + depends
    if len(first) > 1:
        return fill("best-is-tied", ranking=ranking, total=total)
    s = standing(comparison, first[0])
    better = better_and_worse(s.better, (), others)
    if len(s.better) == others:
        return fill("best-beats-all", name=numerals.plain(first[0]), better=better, total=total)
    if s.worse:  # the pairs were tested otherwise than the ranking was made
        return fill(
            "best-is-beaten", ranking=ranking, standing=better_and_worse(s.better, s.worse, others), total=total
        )
    if s.better:
        return fill("best-beats-some", ranking=ranking, better=better, rest=_rest(s), total=total)
    return fill("best-beats-none", ranking=ranking, total=total)


def _best(c: Comparison) -> str:
    """``SaDE has the best mean rank (2.1)``; of folds and rows in time ``… the best mean accuracy (0.977)``."""
    first = best(c)
    rank = f"{catalogue.mean_rank(c.ranking)} ({numerals.as_rank(float(c.mean_ranks.min()))})"
    if c.by_means:
        rank = f"mean {measured(c.scores)} ({numerals.score(float(c.means[c.scores.index(first[0])]))})"
    if len(first) == c.scores.n_algorithms and not any(pair.verdict in DECIDED for pair in c.pairs):
        return fill("best.nobody", rank=rank)
    names = numerals.name_list(first)
    return fill("best", name=names, rank=rank) if len(first) == 1 else fill("best.several", names=names, rank=rank)


def _rest(s: Opponents) -> str:
    words = []
    if s.alike:
        others = fill("rest.several", n=len(s.alike)) if len(s.alike) > 1 else numerals.name_list(s.alike)
        words.append(fill("rest.no-difference", others=others))
    if s.unknown:
        words.append(fill("rest.cannot-tell", names=numerals.name_list(s.unknown)))
    if s.depends:
        words.append(f"against {numerals.name_list(s.depends)} it depends on the missing scores")
    return "; " + "; ".join(words) if words else ""
