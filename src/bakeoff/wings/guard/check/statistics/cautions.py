"""Cautions for whoever acts on a check."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bakeoff import numerals
from bakeoff.cautions import caution_of
from bakeoff.designed import contributions
from bakeoff.errors import Caution, counted, listing, plain
from bakeoff.means.assumptions import FEW, found_unequal, long_tails, spread_pvalues
from bakeoff.means.cautions import mean_cautions, skewed_differences
from bakeoff.means.contributions import contribution_cautions
from bakeoff.means.moments import suite_moments
from bakeoff.means.serial import serial_cautions
from bakeoff.means.strata import Stratum
from bakeoff.nulls.tails import chi2_sf
from bakeoff.ranks.cautions import dependent_runs, one_process_caution
from bakeoff.scores import Scores
from bakeoff.scores.margins import beyond_scores
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.wings.guard.check.statistics.contrasts import AnytimeContrasts, RankContrasts, row_moments
from bakeoff.wings.guard.check.statistics.judgement import FEW_RUNS, BaselineSide, Judgement, common_shift
from bakeoff.wings.guard.check.statistics.margins import ANYTIME, Rules
from bakeoff.wings.guard.check.statistics.results import SUITE, Diagnostics
from bakeoff.wings.guard.check.statistics.suite import PAIR, units_of_mean

FEW_CHANGED = 10
MORE_RUNS = "If they spread unequally, too, the rank test errs more often than alpha."
DOUBTED = 0.001  # level at which the spread of the runs contradicts a given one


def cautions_of(
    scores: Scores, judgement: Judgement, rules: Rules, diagnostics: Diagnostics, about: Mapping[str, Any]
) -> list[Caution]:
    """All of them."""
    return [
        *source_cautions(scores),
        *([] if rules.scale.ratio else beyond_scores(scores, max([rules.limit, *rules.own.values()]))),
        *_of_rules(rules),
        *_of_sources(scores, rules, about),
        *_of_runs(scores, judgement, rules, about),
        *_of_pairs(scores, judgement, rules, about),
        *_of_suite(scores, judgement, rules),
        *_of_spread(scores, judgement, rules),
        *_of_ranks(scores, judgement, rules),
        *_of_diagnostics(judgement, rules, diagnostics),
        *_of_acceptance(judgement, about),
    ]


def _of_rules(rules: Rules) -> Iterator[Caution]:
    if rules.theta == 0.0:
        yield caution_of("margin-zero")
    if rules.correction == "none" and rules.level != SUITE:
        yield caution_of("error-rate", "check", alpha=rules.alpha)
    if rules.center:
        yield caution_of("centred")


def _of_sources(scores: Scores, rules: Rules, about: Mapping[str, Any]) -> Iterator[Caution]:
    for text in about.get("noted", ()):
        yield caution_of("changed", "conditions", differs=text)
    looks = about.get("looks", 1)
    if looks > 1 and rules.test != ANYTIME:
        yield caution_of("runs-added", sets=counted(looks - 1, "set"), looks=looks, alpha=rules.alpha)
    gone = np.flatnonzero((scores.n_runs[:, :-1] > 0).any(axis=1) & (scores.n_runs[:, -1] == 0))
    if rules.allow_missing and len(gone):
        names = listing([plain(scores.problems[i]) for i in gone])
        yield caution_of("left-out", "new", names=names)
    before = [f"{plain(problem)} ({plain(text)})" for problem, text in about.get("failed_before", {}).items()]
    if rules.level == SUITE and not before:  # a mean over what all sides have; one by one, it is listed as new
        before = [plain(name) for name in lacked_before(scores)]
    if before:
        yield caution_of("left-out", "baseline", names=listing(before))


def lacked_before(scores: Scores) -> list[str]:
    """The problems that new has, and some baseline lacks."""
    absent = (scores.n_runs[:, :-1] == 0).any(axis=1) & (scores.n_runs[:, -1] > 0)
    return [scores.problems[i] for i in np.flatnonzero(absent)]


def _of_runs(scores: Scores, judgement: Judgement, rules: Rules, about: Mapping[str, Any]) -> Iterator[Caution]:
    yield from dependent_runs(scores.run_kind, "tested-runs" if judgement.unit == "run" else "averaged-runs")
    if rules.level == SUITE and judgement.unit != "run":
        return
    iterations = about.get("iterations", 1)
    single = [row for row in judgement.rows if row.effect is not None and min(row.runs) < 2]
    if single and rules.known_sd is None:
        yield one_process_caution(
            f"{counted(len(single), 'problem')} with one independent run per side",
            f"The {iterations} iterations within a process do not show it" if iterations > 1 else "",
            ", or state how much runs differ: run_sd=0.05",
            "stop" if len(single) == len(judgement.rows) else "warning",
        )
    elif iterations > 1:
        yield caution_of("averaged", "iterations", iterations=iterations)
    tested = [row for row in judgement.rows if row.pvalue is not None]
    if tested and rules.known_sd is None and rules.test != ANYTIME:
        yield from _of_few_runs(judgement)
    if scores.run_kind in ("process", "iteration") and not rules.pair and tested:
        yield caution_of("not-interleaved")


def _of_few_runs(judgement: Judgement) -> Iterator[Caution]:
    fewest = FEW_RUNS, 0.0
    for side in judgement.sides:
        counts = side.counts.min(axis=1)
        least = np.broadcast_to(side.contrasts.least, counts.shape)
        fewest = min([fewest, *((n, p) for n, p in zip(counts.tolist(), least.tolist(), strict=True) if n > 1)])
    n, bound = fewest
    if n >= FEW_RUNS:
        return
    if n <= FEW:
        follows = f"no p-value is below {numerals.significant(bound, 3)} then, however large the change"
    else:
        follows = "if a process is fast or slow as a whole, false alarms are several times as frequent as alpha"
    yield caution_of("too-few", "processes", n=n, follows=follows)


def _of_pairs(scores: Scores, judgement: Judgement, rules: Rules, about: Mapping[str, Any]) -> Iterator[Caution]:
    first = about.get("always_first", "")
    if first and rules.pair and scores.run_kind in ("process", "iteration"):
        yield caution_of("one-side-first", first=plain(str(first)))
    alone = _unpaired_runs(judgement.sides) if rules.pair else {}
    if alone:
        names = " and ".join(f"{counted(count, 'run')} of {plain(name)}" for name, count in alone.items())
        yield caution_of("left-out", "unpaired-runs", names=names)


def _unpaired_runs(sides: tuple[BaselineSide, ...]) -> dict[str, int]:
    """{side: how many of its runs have a name that the other side lacks on some problem}."""
    counts: dict[str, int] = {}
    for side in sides:
        if (ids := side.scores.run_ids) is None:
            continue
        old, new = ([set(row) - {None} for row in ids[:, j]] for j in (0, 1))
        for name, own, other in ((side.against, old, new), ("new", new, old)):
            alone = set().union(*(a - b for a, b in zip(own, other, strict=True)))
            counts[name] = max(len(alone), counts.get(name, 0))
    return {name: count for name, count in counts.items() if count}


def _of_suite(scores: Scores, judgement: Judgement, rules: Rules) -> Iterator[Caution]:
    """Caution of one mean over problems, or clusters of them: are they enough, of one size, and not skewed?"""
    if rules.level != SUITE or judgement.unit == "run":
        return
    if scores.serial:
        yield from next(filter(None, (serial_cautions(side.table, rules.alpha) for side in judgement.sides)), [])
        return
    skewed = []
    for place, side in enumerate(judgement.sides):
        sample = units_of_mean(side.scores.design, len(side.rows))
        d = sample.rows(side.means) @ np.array([1.0, -1.0])
        both = np.column_stack([d, 0.0 * d])
        if contributions(scores):
            if place == 0:
                yield from _of_contributions(scores, side, sample.strata)
            continue
        strata = [s for s in sample.strata if s.n_clusters > 1]
        if judgement.test == "t" and strata and long_tails(both, PAIR, strata, len(judgement.sides))[0]:
            skewed.append(f"new and {plain(side.against)}")
        if place == 0 and strata and (judgement.test == "t" or scores.clusters is not None):
            yield from mean_cautions([s.sizes for s in strata], judgement.unit, [s.name for s in strata])
        changed = int(np.sum(d != 0))
        if place == 0 and judgement.test == "t" and 0 < changed < FEW_CHANGED:
            yield caution_of("too-few", "changed-questions", changed=changed, problems=counted(len(d), "problem"))
    yield from skewed_differences(skewed, f"{judgement.unit}s")


def _of_contributions(scores: Scores, side: BaselineSide, strata: list[Stratum]) -> list[Caution]:
    """Caution of small classes, and of a metric near the end of its range."""
    moments = suite_moments(side.means, np.abs(side.means), strata)
    values = np.abs(moments.means) if scores.better == "higher" else moments.means
    sides = zip(("new", side.against), values.tolist(), moments.errors.tolist(), strict=True)
    return contribution_cautions(scores, list(sides), strata)


def _of_spread(scores: Scores, judgement: Judgement, rules: Rules) -> Iterator[Caution]:
    if rules.level == SUITE:
        return
    still, coarse = _equal_runs(scores, judgement, rules)
    if still:
        what = "The two sides differ by the same in every run" if rules.pair else "All runs of each side are equal"
        decided = "" if rules.test in ("rank", ANYTIME) else ", and t decides nothing"
        yield caution_of("equal-runs", "all", what=what, still=still, decided=decided)
    if coarse:
        yield caution_of("equal-runs", "differences", coarse=coarse)
    if rules.known_sd is not None:
        yield from _of_given_sd(judgement, rules, rules.known_sd)


def _equal_runs(scores: Scores, judgement: Judgement, rules: Rules) -> tuple[str, str]:
    """The problems without any spread, and those with so few values that p-values of t are bounded by them."""
    still: dict[str, None] = {}
    coarse: dict[str, None] = {}
    for side in judgement.sides:
        contrasts = side.contrasts
        bounded = (
            (side.counts.min(axis=1) > FEW)
            & (contrasts.least > 0)
            & (not isinstance(contrasts, RankContrasts | AnytimeContrasts))
        )
        for row, error, few_values in zip(side.rows, contrasts.error.tolist(), bounded.tolist(), strict=True):
            if (error == 0.0 or few_values) and scores.problems[row] not in rules.exact:
                (still if error == 0.0 else coarse)[plain(scores.problems[row])] = None
    return listing([*still]), listing([*coarse])


def _of_ranks(scores: Scores, judgement: Judgement, rules: Rules) -> Iterator[Caution]:
    """Caution of problems on which runs of both sides spread unequally, or one side has more of them."""
    if rules.pair or not any(isinstance(side.contrasts, RankContrasts) for side in judgement.sides):
        return
    rows = [row for side in judgement.sides for row in side.rows]
    unequal = found_unequal(np.concatenate([spread_pvalues(side.old, side.new) for side in judgement.sides]))
    if len(unequal):
        named = listing(dict.fromkeys(plain(scores.problems[rows[i]]) for i in unequal))
        yield caution_of("unequal", "spreads-of-new", named=named)
    more = sum(row.runs[0] != row.runs[1] for row in judgement.rows if row.effect is not None)
    if more:
        text = f"On {counted(more, 'problem')} one side has more processes than the other."
        yield caution_of("unequal", "runs", said=text, consequence=MORE_RUNS)


def _of_given_sd(judgement: Judgement, rules: Rules, sd: float) -> Iterator[Caution]:
    yield caution_of("given-spread", sd=sd)
    squares = df = 0.0
    for side in judgement.sides[:1]:
        for runs in (side.old, side.new):
            _, ss, n = row_moments(runs)
            squares, df = squares + float(ss.sum()), df + float(np.maximum(n - 1, 0).sum())
    if df and chi2_sf(squares / sd / sd, df)[0] < DOUBTED:
        measured = (squares / df) ** 0.5
        yield caution_of("spread-too-small", sd=sd, measured=measured)


def _of_diagnostics(judgement: Judgement, rules: Rules, diagnostics: Diagnostics) -> Iterator[Caution]:
    if diagnostics.median_effect is not None and common_shift(judgement.sides[0], rules):
        shift = signed_effect(diagnostics.median_effect, rules.scale.ratio)
        yield caution_of("common-shift", shift=shift)
    for name, change in diagnostics.drift.items():
        of = "the differences of the pairs" if rules.pair else f"the runs of {plain(name)}"
        yield caution_of("drift", "runs", of=of, change=signed_effect(change, rules.scale.ratio))


def _of_acceptance(judgement: Judgement, about: Mapping[str, Any]) -> Iterator[Caution]:
    """Regressions that may pass for a while, those that no longer may, and problems that need it no more."""
    days = {p: str(until) for p, until in about.get("accepted", {}).items()}
    by_object: dict[str, list[str]] = {"passing": [], "expired": [], "needless": []}
    for row in judgement.rows:
        if row.problem in days:
            named = f"{plain(row.problem)} ({plain(days[row.problem])})"
            kind = "passing" if row.accepted else "expired" if row.verdict == "regressed" else "needless"
            by_object[kind].append(named)
    for kind, names in by_object.items():
        if names:
            yield caution_of("accepted-regression", kind, names=listing(list(dict.fromkeys(names))))


def signed_effect(effect: float, ratio: bool) -> str:
    """With its sign; positive is worse: ``+5.2 %``, ``−0.013``."""
    if ratio:
        return signed_effects([effect], ratio)[0]
    return f"{_plus(effect)}{numerals.significant(effect, 3)}"


def signed_effects(effects: Sequence[float], ratio: bool) -> list[str]:
    """Those of a column, with the decimals that the smallest needs."""
    if not ratio:
        return [f"{_plus(x)}{text}" for x, text in zip(effects, numerals.equal_decimals(effects, 3), strict=True)]
    places = max((2 if abs(x) < 0.1 else 1 if abs(x) < 1.0 else 0 for x in effects), default=0)
    return [f"{_plus(x)}{numerals.decimals(100.0 * x, places)} %" for x in effects]


def _plus(effect: float) -> str:
    return "+" if effect > 0 else ""
