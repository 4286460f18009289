"""Cautions for a reader of runtimes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.means.cautions import mean_cautions
from bakeoff.ranks.cautions import dependent_runs, one_process
from bakeoff.scores import Scores
from bakeoff.scores.clusters import Codes, cluster_sizes
from bakeoff.scores.source_cautions import source_cautions
from bakeoff.wings.curves.even_runs import are_even, drawn_runs_caution
from bakeoff.wings.curves.runtimes.statistics.results import SolverPair, Unit
from bakeoff.wings.curves.runtimes.statistics.times import TIMEOUT, RunTimes

FEW_TIMEOUTS = 3  # problems or clusters; the mean of a penalty that fewer paid is hardly known
MANY_ALIKE = 3  # equal largest times that look like a cap


def runtime_cautions(
    scores: Scores,
    runs: RunTimes,
    pairs: Sequence[SolverPair],
    penalties: tuple[float, ...],
    codes: Codes,
    unit: Unit,
    units: int,
    alpha: float,
) -> tuple[Caution, ...]:
    cautions = source_cautions(scores)
    alone = one_process(scores)
    if alone:
        cautions.append(alone)
    elif pairs and all(pair.verdict == "cannot tell" for pair in pairs):
        few, of = counted(units, unit), counted(len(pairs), "pair")
        cautions.append(caution_of("out-of-reach", "times", count=few, pairs=of, alpha=alpha, unit=unit))
    if unit == "run":
        cautions += dependent_runs(scores.run_kind, "runs")
    else:
        cautions += drawn_runs_caution(not are_even(runs.times), "Pairs are compared by")
        cautions += [*mean_cautions([cluster_sizes(codes)], unit), *_of_clusters(pairs)]
    cautions += _of_penalties(pairs)
    if max(penalties) > 1:
        cautions += _of_few_timeouts(scores, runs, pairs, codes, unit)
    cautions += _of_ends(scores, runs)
    return tuple(cautions)


def _of_clusters(pairs: Sequence[SolverPair]) -> list[Caution]:
    """Caution of verdicts that go against the majority of problems."""
    parts = [
        f"{p.a} and {p.b}: {p.units_won} clusters against {p.units_lost}, {p.wins} problems against {p.losses}"
        for p in pairs
        if p.verdict.endswith("better") and (p.units_won - p.units_lost) * (p.wins - p.losses) < 0
    ]
    return [caution_of("clusters-disagree", said=listing(parts))] if parts else []


def _of_penalties(pairs: Sequence[SolverPair]) -> list[Caution]:
    deciding = [pair for pair in pairs if pair.penalty_decides]
    turning = [pair for pair in pairs if pair.reversed]
    parts = []
    if deciding:
        names = listing(f"{p.a} and {p.b}" for p in deciding)
        parts.append(
            f"the penalty of a timeout decides the verdict of {counted(len(deciding), 'pair')} ({names}): the "
            "verdicts differ between penalties, or contradict the order"
        )
    if turning:
        names = listing(f"{p.a} and {p.b}" for p in turning)
        parts.append(
            f"{counted(len(turning), 'pair')} ({names}) {'changes its' if len(turning) == 1 else 'change their'} order "
            "of penalised means between the penalties"
        )
    text = "; ".join(parts)
    return [caution_of("penalty-decides", first=text[0].upper(), rest=text[1:])] if text else []


def _of_few_timeouts(
    scores: Scores, runs: RunTimes, pairs: Sequence[SolverPair], codes: Codes, unit: Unit
) -> list[Caution]:
    """``codes``: whose cluster each problem is, in the order of the runs."""
    if unit == "run":  # of equal means t errs no more often where few are stopped: tests/calibration/rows
        counts = np.isposinf(runs.times).sum(axis=(0, 2)).tolist()
    else:
        counts = [len(set(codes[(runs.shares[:, j] < 1)].tolist())) for j in range(scores.n_algorithms)]
    few = [name for name, count in zip(scores.algorithms, counts, strict=True) if count < FEW_TIMEOUTS]
    shown = [
        f"{p.a} and {p.b}"
        for p in pairs
        if {p.a, p.b} & set(few) and any(k > 1 and verdict.endswith("better") for k, verdict in p.par_verdicts.items())
    ]
    if runs.caps is None or not few or not (any(counts) or (shown and unit != "run")):
        return []
    which, were = "decided" if shown and unit != "run" else "undecided", "was" if len(few) == 1 else "were"
    names, those = listing(few), listing(shown)
    return [caution_of("few-timeouts", which, names=names, were=were, limit=FEW_TIMEOUTS, unit=unit, pairs=those)]


def _of_ends(scores: Scores, runs: RunTimes) -> Iterator[Caution]:
    unsolved = np.isposinf(runs.times)
    words = Counter(word for word in runs.ends[unsolved].tolist() if word != TIMEOUT)
    if words:
        parts = ", ".join(f"{count} {word}" for word, count in words.most_common())
        yield caution_of("counted-as-unsolved", "crashes", runs=counted(words.total(), "run"), parts=parts)
    if runs.cut:
        yield caution_of("counted-as-unsolved", "late-runs", runs=counted(runs.cut, "run"))
    if runs.caps is None and unsolved.any():
        yield caution_of("no-cap")
    if runs.caps is None and not unsolved.any():
        largest = float(runs.times[np.isfinite(runs.times)].max())
        alike = int((runs.times == largest).sum())
        if alike >= MANY_ALIKE and largest > 0:
            yield caution_of("looks-capped", alike=alike, largest=largest)
    never = [name for j, name in enumerate(scores.algorithms) if not runs.solved[:, j].any()]
    if never:
        yield caution_of("solved-nothing", names=listing(never))
