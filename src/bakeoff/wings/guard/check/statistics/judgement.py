"""From a table of baselines and "new" to the verdict of every row."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bakeoff.adjusting import adjust
from bakeoff.dataclass import dataclass, replace
from bakeoff.designed import contributions
from bakeoff.errors import ScoreError, listing
from bakeoff.means.assumptions import clock_steps, least_pvalues
from bakeoff.nulls.tails import t_two_sided
from bakeoff.numerals import significant
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes
from bakeoff.scores.design import shares
from bakeoff.wings.guard.check.statistics.contrasts import (
    AnytimeContrasts,
    Contrasts,
    RankContrasts,
    known_spread,
    paired,
    pairs_needed,
    rank_contrasts,
    row_moments,
    welch,
)
from bakeoff.wings.guard.check.statistics.margins import ANYTIME, CORRECTIONS, Rules, Scale, without_ratio
from bakeoff.wings.guard.check.statistics.results import SUITE, CheckRow, Decision, Diagnostics
from bakeoff.wings.guard.check.statistics.suite import OfUnits, over_problems, over_runs, over_series, units_of_mean

ONE_RUN = "one independent run per side: nothing shows how much runs differ"
NO_SPREAD = "runs do not differ: nothing shows how much others would"
ONE_UNIT = "{names} has one problem (or cluster) only, whose error is unknown, and with it that of the mean over tasks"
FEW_UNITS = "clusters worth fewer than three of equal size do not show how others vary"


@dataclass(frozen=True, slots=True)
class BaselineSide:
    """One baseline against new on the problems that both have: costs (m, r) in the same order of runs if paired."""

    against: str
    rows: list[int]  # of the table
    scores: Scores  # of the two on these
    old: Array
    new: Array
    shift: float  # median of the estimates over problems
    contrasts: Contrasts  # problem by problem

    @property
    def means(self) -> Array:
        """(m, 2) mean costs of new and of the baseline, whose difference is positive where new is worse."""
        return np.column_stack([row_moments(runs)[0] for runs in (self.new, self.old)])

    @property
    def table(self) -> Scores:
        """The mean costs of new and of the baseline."""
        of = {name: getattr(self.scores, name) for name in ("clusters", "tasks", "order", "serial", "weights")}
        return Scores(self.means, ["new", self.against], better="lower", **of)

    @property
    def counts(self) -> Codes:
        """(m, 2) independent runs of baseline and new."""
        return np.column_stack([(~np.isnan(runs)).sum(axis=1) for runs in (self.old, self.new)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """All rows, and what diagnostics start from."""

    rows: tuple[CheckRow, ...]
    sides: tuple[BaselineSide, ...]
    unit: str
    test: str
    improved: int = 0  # problem by problem, also if the gate is one test
    worse: int = 0


def sides_of(scores: Scores, rules: Rules) -> tuple[BaselineSide, ...]:
    """Each baseline that shares problems with new, on these."""
    both = (scores.n_runs[:, :-1] > 0) & (scores.n_runs[:, -1:] > 0)
    both[_below_the_clock(scores, rules)] = False
    shared = ((place, np.flatnonzero(column).tolist()) for place, column in enumerate(both.T))
    return tuple(_side(scores, place, rows, rules) for place, rows in shared if rows)


def _side(table: Scores, place: int, rows: list[int], rules: Rules) -> BaselineSide:
    scores = table.select([place, table.n_algorithms - 1], rows)
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    measured = cells[:, 0], cells[:, 1]
    if rules.pair:
        measured = _matched(scores, *measured, rules)
    old, new, contrasts = measured_contrasts(*measured, scores.problems, rules)
    shift = float(np.median(contrasts.estimate))
    if rules.center:
        new = new - shift
        contrasts = replace(contrasts, estimate=contrasts.estimate - shift)
        contrasts = replace(contrasts, new=new) if isinstance(contrasts, RankContrasts) else contrasts
    return BaselineSide(scores.algorithms[0], rows, scores, old, new, shift, contrasts)


def measured_contrasts(
    before: Array, after: Array, problems: Sequence[str], rules: Rules
) -> tuple[Array, Array, Contrasts]:
    """The costs of both sides (m, r), and their contrasts."""
    with np.errstate(invalid="ignore", divide="ignore"):
        old, new = (rules.scale.costs(runs) for runs in (before, after))
    if rules.known_sd is not None:
        contrasts = known_spread(old, new, rules.known_sd)
    else:
        contrasts = (paired if rules.pair else welch)(old, new, float(rules.scale.ratio))
        if rules.test == "rank":
            contrasts = rank_contrasts(contrasts, old, new, rules.pair)
        elif rules.test == ANYTIME:
            moments, margins = (contrasts.estimate, contrasts.error, contrasts.df), rules.thetas(problems)
            contrasts = AnytimeContrasts(*moments, new - old, margins, rules.run_sd)
        else:
            contrasts = replace(contrasts, least=least_pvalues(before, after, rules.pair))
        steps = np.where([p in rules.exact for p in problems], 0.0, clock_steps(before, after, rules.pair))
        contrasts = replace(contrasts, tick=rules.scale.rounded_by(steps, before, after))
    return old, new, contrasts


def _matched(scores: Scores, old: Array, new: Array, rules: Rules) -> tuple[Array, Array]:
    """The runs that both sides have, in one order: by their names, else by place."""
    ids = scores.run_ids
    if ids is None or bool((ids[:, 0] == ids[:, 1]).all()):
        short = np.flatnonzero(scores.n_runs[:, 0] != scores.n_runs[:, 1])
        if len(short):
            raise _unmatched(scores.problems[short[0]])
        return old, new
    first, second = ([_by_name(*row) for row in zip(ids[:, j], (old, new)[j], strict=True)] for j in (0, 1))
    names = [[run for run in a if run in b] for a, b in zip(first, second, strict=True)]
    if rules.level == SUITE and scores.run_kind != "answer":  # a run is one of all problems
        names = [[run for run in names[0] if all(run in each for each in names)]] * len(names)
    for problem, each, a, b in zip(scores.problems, names, first, second, strict=True):
        if not each or (len(each) < 2 and a.keys() != b.keys()):
            raise _unmatched(problem)
    kept = [np.full((len(names), max(map(len, names))), np.nan) for _ in range(2)]
    for side, runs in zip(kept, (first, second), strict=True):
        for i, each in enumerate(names):
            side[i, : len(each)] = [runs[i][run] for run in each]
    return kept[0], kept[1]


def _by_name(ids: "np.ndarray[tuple[int], np.dtype[np.object_]]", values: Array) -> dict[str, float]:
    return {run: x for run, x in zip(ids.tolist(), values.tolist(), strict=True) if run is not None}


def refuse_unequal_names(scores: Scores) -> None:
    """Runs whose names are numbers, given by their place, are pairs only where both sides have all of them."""
    if scores.run_ids is None:
        return
    for problem, row in zip(scores.problems, scores.run_ids, strict=True):
        *old, new = (set(ids) - {None} for ids in row)
        if any(each and new and each != new for each in old):
            raise _unmatched(problem)


def _unmatched(problem: str) -> ScoreError:
    return ScoreError(
        f"has other runs than the baseline on problem {problem!r}, and paired=True needs a run of the baseline for "
        "each run of new; leave it out for independent runs",
        parameter="new",
    )


def decided_rows(scores: Scores, sides: tuple[BaselineSide, ...], rules: Rules, failed: Mapping[str, str]) -> Judgement:
    """The rows of all baselines; REGRESSED is corrected over all of them."""
    places = range(scores.n_algorithms - 1)
    lost = [] if rules.allow_missing else [row for place in places for row in _lost(scores, place, failed)]
    lost += [row for place in places for row in _unjudged(scores, place, rules)]
    unit, test = "run", rules.called
    if not sides:
        if not lost:
            raise ScoreError("has no problem that can be compared with the baseline", parameter="new")
        return Judgement(rows=tuple(lost), sides=(), unit=unit, test=test)
    if rules.level == SUITE:
        suites = [_suite(scores, side, rules) for side in sides]
        test, unit = suites[0][1:]
        rows = _decided([tested for tested, *_ in suites], rules)
        better, worse = _counted(sides, rules)
    else:
        rows = _decided([_Tested(s.against, s.scores.problems, s.contrasts, s.means, s.counts) for s in sides], rules)
        better, worse = sum(row.improved for row in rows), sum(row.verdict == "regressed" for row in rows)
    return Judgement(rows=(*rows, *lost), sides=sides, unit=unit, test=test, improved=better, worse=worse)


@dataclass(frozen=True, slots=True)
class _Tested:
    """Rows of one side, with mean costs of new and baseline, and runs of baseline and new, (m, 2) each."""

    against: str
    problems: tuple[str, ...]
    contrasts: Contrasts
    means: Array
    counts: Codes


def _suite(scores: Scores, side: BaselineSide, rules: Rules) -> tuple[_Tested, str, str]:
    """The mean over all problems, its test and its unit. Questions stand for others; of benchmarks, the runs do."""
    design, n = side.scores.design, len(side.rows)
    each, unit = shares(design, design.weights, n), "run"
    single = bool((scores.n_runs[side.rows] == 1).all())
    if scores.serial:
        contrasts, test, unit = over_series(side.table), "t", "row"
    elif scores.run_kind == "answer" or single:
        sample = units_of_mean(design, n)
        (contrasts, test), unit = over_problems(side.old, side.new, sample, _is_share(scores), single), sample.unit
    elif rules.run_sd is None:
        contrasts, test = over_runs(side.old, side.new, each, rules.pair), "t"
    else:
        error, test = rules.run_sd * float(np.sqrt((each**2 * (1 / side.counts).sum(axis=1)).sum())), "z"
        contrasts = Contrasts(each @ side.means @ np.array([[1.0], [-1.0]]), np.array([error]), np.array([np.inf]))
    return _Tested(side.against, (SUITE,), contrasts, (each @ side.means)[None], np.array([[n, n]])), test, unit


def _is_share(scores: Scores) -> bool:
    cells = scores.values if scores.runs is None else scores.runs
    there = cells[~np.isnan(cells)]
    return not contributions(scores) and bool(((there >= 0) & (there <= 1)).all())


def _decided(tested: list[_Tested], rules: Rules) -> list[CheckRow]:
    """The rows of all sides, which are one family."""
    known = np.concatenate([np.isfinite(each.contrasts.error) for each in tested])
    level = rules.alpha if rules.correction == "none" else rules.alpha / max(int(known.sum()), 1)
    parts = [_numbers(each, level, rules) for each in tested]
    numbers = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    for name, raw in (("adjusted", "pvalue"), ("p_better", "p_gain")):
        numbers[name] = np.ones(len(known))
        numbers[name][known] = corrected_pvalues(numbers[raw][known], rules.correction)
    places = [(each, i) for each in tested for i in range(len(each.problems))]
    cells = zip(*(values.tolist() for values in numbers.values()), strict=True)
    return [
        _row(each, i, is_tested, dict(zip(numbers, row, strict=True)), rules)
        for (each, i), is_tested, row in zip(places, known.tolist(), cells, strict=True)
    ]


def _numbers(each: _Tested, level: float, rules: Rules) -> dict[str, Array]:
    """(m,) what the rows of a side say, before any correction."""
    contrasts, scale, margins = each.contrasts, rules.scale, rules.thetas(each.problems)
    bound = 0.0 * margins if rules.strict else margins
    low, high = contrasts.bounds(rules.alpha)
    return {
        "effect": scale.effect(contrasts.estimate),
        "low": scale.effect(low),
        "high": scale.effect(high),
        "detectable": scale.effect(contrasts.detectable(bound, level)),
        "new": scale.back(each.means[:, 0]),
        "old": scale.back(each.means[:, 1]),
        "pvalue": contrasts.p_above(bound),
        "p_ok": contrasts.p_below(margins),
        "p_gain": contrasts.p_below(-bound),
    }


def _row(each: _Tested, i: int, tested: bool, of: Mapping[str, float], rules: Rules) -> CheckRow:
    verdict: Decision = "inconclusive"
    if tested:
        verdict = "regressed" if of["adjusted"] <= rules.alpha else "ok" if of["p_ok"] <= rules.alpha else verdict
    judged: dict[str, Any] = {name: of[name] if tested else None for name in ("pvalue", "adjusted", "p_ok")}
    return CheckRow(
        problem=each.problems[i],
        against=each.against,
        verdict=verdict,
        improved=tested and of["p_better"] <= rules.alpha,
        effect=of["effect"],
        interval=(of["low"], of["high"]),
        detectable=of["detectable"] if tested and of["detectable"] == of["detectable"] else None,
        **judged,
        old=of["old"],
        new=of["new"],
        runs=(int(each.counts[i, 0]), int(each.counts[i, 1])),
        reason=_reason(each, i, verdict, min(of["pvalue"], of["p_ok"]), rules.scale),
    )


def _reason(each: _Tested, i: int, verdict: Decision, pvalue: float, scale: Scale) -> str:
    """The reason why there is no test, or no verdict whatever the effect."""
    error, runs = float(each.contrasts.error[i]), int(each.counts[i].min())
    if isinstance(each.contrasts, OfUnits) and each.contrasts.alone:
        return ONE_UNIT.format(names=listing(each.contrasts.alone))
    if not math.isfinite(error):
        return ONE_RUN if runs < 2 else "all differences are equal"
    if verdict != "inconclusive":
        return ""
    if isinstance(each.contrasts, OfUnits) and not each.contrasts.decides:
        return FEW_UNITS
    if error == 0.0 and pvalue == 1.0:
        return NO_SPREAD
    bounds = each.contrasts.least, each.contrasts.tick
    least, tick = (float(np.broadcast_to(bound, each.contrasts.error.shape)[i]) for bound in bounds)
    if tick > 0.0:
        step = f"{significant(100.0 * tick, 2)} %" if scale.ratio else significant(tick, 2)
        return f"runs have so few values that their rounding may hide {step}"
    return f"no p-value of such runs is below {significant(least, 3)}" if 0.0 < pvalue <= least else ""


def corrected_pvalues(pvalues: Array, correction: str) -> Array:
    """Over the family, by Holm or Benjamini and Hochberg."""
    return pvalues if correction == "none" else adjust(pvalues, CORRECTIONS[correction])


def _lost(scores: Scores, place: int, failed: Mapping[str, str]) -> list[CheckRow]:
    """Problems that the baseline has and new has not: regressions, whatever the others say."""
    gone = np.flatnonzero((scores.n_runs[:, place] > 0) & (scores.n_runs[:, -1] == 0))
    return [_row_of_lost(scores, int(i), place, failed.get(scores.problems[int(i)], "")) for i in gone]


def _below_the_clock(scores: Scores, rules: Rules) -> list[int]:
    """The problems that have no ratio, where ratios are compared."""
    return without_ratio(scores) if rules.scale.ratio else []


def _unjudged(scores: Scores, place: int, rules: Rules) -> list[CheckRow]:
    """Problems with a score of 0 on a side: no ratio says anything of them, and the others are judged all the same."""
    rows = []
    for i in _below_the_clock(scores, rules):
        old, new = (int(scores.n_runs[i, side]) for side in (place, -1))
        if not (old and new):
            continue
        cells = scores.values[i] if scores.runs is None else scores.runs[i]
        zeros = [(int((cells[j] <= 0).sum()), count, scores.algorithms[j]) for j, count in ((place, old), (-1, new))]
        where = " and ".join(f"{n} of {count} in {name}" for n, count, name in zeros if n)
        lacking = f"below the clock: scores of 0 ({where}) have no ratio; measure work that takes longer"
        row, value = _row_of_lost(scores, i, place, lacking), float(scores.values[i, -1])
        rows.append(replace(row, verdict="inconclusive", runs=(old, new), new=value))
    return rows


def _row_of_lost(scores: Scores, row: int, place: int, failure: str) -> CheckRow:
    return CheckRow(
        problem=scores.problems[row],
        against=scores.algorithms[place],
        verdict="regressed",
        effect=None,
        old=float(scores.values[row, place]),
        runs=(int(scores.n_runs[row, place]), 0),
        reason=failure or "missing in new",
    )


def _counted(sides: tuple[BaselineSide, ...], rules: Rules) -> tuple[int, int]:
    """Problems shown to be better, and worse, than by the margin: at alpha, corrected over problems."""
    bound = 0.0 if rules.strict else rules.theta
    known = [np.isfinite(side.contrasts.error) for side in sides]
    gone = np.concatenate([s.contrasts.p_below(-bound)[k] for s, k in zip(sides, known, strict=True)])
    come = np.concatenate([s.contrasts.p_above(bound)[k] for s, k in zip(sides, known, strict=True)])
    better, worse = (int(np.sum(corrected_pvalues(p, rules.correction) <= rules.alpha)) for p in (gone, come))
    return better, worse


PAIRS = "pairs"  # what drifts for both sides alike cancels in their differences
FEW_RUNS = 6  # below, where a process is fast or slow as a whole, false alarms are several times as frequent
HALVES = 6  # runs of which a first and a second half are worth comparing
DRIFT_LEVEL = 0.01


def diagnosed(scores: Scores, judgement: Judgement, rules: Rules) -> Diagnostics:
    """Diagnostics of the first baseline."""
    if not judgement.sides:
        return Diagnostics(improved=0, regressed=0, median_effect=None, worse=0, measured=0, drift={})
    side = judgement.sides[0]
    estimates = side.contrasts.estimate + (side.shift if rules.center else 0.0)
    median = float(rules.scale.effect(float(np.median(estimates))))
    names = {PAIRS: side.new - side.old} if rules.pair else {side.against: side.old, "new": side.new}
    drifts = {name: _drift(runs) for name, runs in names.items()} if scores.run_kind != "answer" else {}
    return Diagnostics(
        improved=judgement.improved,
        regressed=judgement.worse,
        median_effect=median,
        worse=int(np.sum(estimates > 0)),
        measured=len(estimates),
        drift={name: float(rules.scale.effect(change)) for name, change in drifts.items() if change is not None},
        runs_needed=_runs_needed(judgement, rules),
    )


def _runs_needed(judgement: Judgement, rules: Rules) -> int | None:
    """The most over the problems without a verdict, by their noise and at the level that Holm's procedure begins with.

    None: no margin to double, a test that stops by itself, or too few runs are not what keeps a verdict away.
    """
    if rules.level == SUITE or judgement.test not in ("t", "z") or rules.theta == 0.0:
        return None
    undecided = {(r.against, r.problem) for r in judgement.rows if r.verdict == "inconclusive" and r.pvalue is not None}
    tested = sum(row.pvalue is not None for row in judgement.rows)
    level = rules.alpha if rules.correction == "none" else rules.alpha / max(tested, 1)
    most = 0
    for side in judgement.sides:
        problems, margins = side.scores.problems, rules.thetas(side.scores.problems)
        beyond = np.array([rules.scale.theta_twice(rules.margin_of(problem)) for problem in problems]) - margins
        known = np.array([(side.against, p) in undecided for p in problems]) & (side.contrasts.error > 0)
        if not known.any():
            continue
        # the error of m and n runs a side is s √(1/m + 1/n); of a pair s √2
        sd = side.contrasts.error * np.sqrt(2.0 / (1.0 / side.counts).sum(axis=1))
        needed = pairs_needed(sd[known], (beyond + (margins if rules.strict else 0.0))[known], level)
        more = needed[np.isfinite(needed) & (needed > side.counts.min(axis=1)[known])]
        most = max(most, int(more.max(initial=0.0)))
    return max(most, FEW_RUNS) if most else None


def _drift(runs: Array) -> float | None:
    """Second half less first half of the runs, each the mean over problems of what it deviates; None if not shown."""
    count = (~np.isnan(runs)).sum(axis=1)
    most = int(count.min()) if len(count) else 0
    if most < HALVES or count.max() != most:
        return None
    kept = runs[:, :most]
    means = (kept - kept.mean(axis=1, keepdims=True)).mean(axis=0)
    half = most // 2
    halves = welch(means[None, :half], means[None, most - half :])
    error, df, change = float(halves.error[0]), float(halves.df[0]), float(halves.estimate[0])
    if not error > 0.0:
        return None
    return change if t_two_sided(change / error, df)[0] <= DRIFT_LEVEL else None


def common_shift(side: BaselineSide, rules: Rules) -> bool:
    """Nine of ten problems, of ten or more, moved in one direction, and half of them by half the margin."""
    estimates = side.contrasts.estimate
    if len(estimates) < 10 or rules.center:
        return False
    median = float(np.median(estimates))
    same = float(np.mean(np.sign(estimates) == np.sign(median)))
    return same >= 0.9 and abs(median) >= rules.theta / 2.0
