"""Times of runs, and which of them ended without a solution: by cap, by status, or because there is no score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.checks import positive
from bakeoff.dataclass import dataclass
from bakeoff.errors import MissingScoreError, ParameterError, ScoreError, UnknownNameError, listing
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes
from bakeoff.scores.runs import MISSING, OK, by_run
from bakeoff.wings.curves.even_runs import content_codes, content_table, drawn_evenly
from bakeoff.wings.formats.directions import is_no_time

TIMEOUT = "timeout"
NO_SCORE = "no score"  # infinite, and nothing says why
Cap = float | Sequence[float] | Mapping[str, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTimes:
    """Every run: its time, infinite where it was not solved, NaN where there is no run."""

    times: Array  # (n, k, r)
    caps: Array | None  # (n,)
    ends: npt.NDArray[np.object_]  # (n, k, r): "ok", or what ended the run; "" where there is none
    cut: int  # runs that were solved after the cap, which count as timeouts

    @property
    def solved(self) -> npt.NDArray[np.bool_]:
        return np.isfinite(self.times)

    @property
    def n_runs(self) -> npt.NDArray[np.int64]:
        """(n, k)."""
        return np.asarray((~np.isnan(self.times)).sum(axis=2))

    @property
    def shares(self) -> Array:
        """(n, k): share of the runs that were solved."""
        return np.asarray(self.solved.sum(axis=2) / self.n_runs)

    def content(self, names: Sequence[str]) -> Codes:
        """(n,) equal for problems that can be exchanged."""
        table = content_table(self.times, names)
        return content_codes(table if self.caps is None else np.column_stack([table, self.caps]))

    def rows(self, order: npt.NDArray[np.intp]) -> RunTimes:
        """The times of the problems in this order, the fastest run of each cell first."""
        caps = None if self.caps is None else self.caps[order]
        times, ends = self.times[order], self.ends[order]
        by_time = np.argsort(times, axis=2, kind="stable")
        times, ends = np.take_along_axis(times, by_time, axis=2), np.take_along_axis(ends, by_time, axis=2)
        return RunTimes(times=times, caps=caps, ends=ends, cut=self.cut)

    def evened(self, columns: list[int], names: Sequence[str], groups: Codes, seed: int | None) -> RunTimes:
        """As many runs of each of these algorithms, drawn with the seed."""
        times, ends = self.times[:, columns], self.ends[:, columns]
        drawn = drawn_evenly(times, [names[j] for j in columns], groups, seed)
        order = np.argsort(~drawn, axis=2, kind="stable")[:, :, : int(drawn.sum(axis=2).max())]
        times = np.take_along_axis(np.where(drawn, times, np.nan), order, axis=2)
        ends = np.take_along_axis(np.where(drawn, ends, ""), order, axis=2)
        return RunTimes(times=times, caps=self.caps, ends=ends, cut=self.cut)

    def means(self, values: Array) -> Array:
        """(n, k) of values (n, k, r): over the runs of each cell."""
        there = ~np.isnan(self.times)
        return np.asarray(np.where(there, values, 0.0).sum(axis=2) / self.n_runs)

    def penalised(self, penalty: float) -> Array | None:
        """(n, k, r): an unsolved run is ``penalty`` caps; None where no cap says after which time it ended."""
        if self.caps is None:
            return None if np.isposinf(self.times).any() else self.times
        return np.asarray(np.where(np.isposinf(self.times), (penalty * self.caps)[:, None, None], self.times))

    def log_shifted(self, shift: float) -> Array | None:
        """(n, k, r): log(time + shift), unsolved runs at their cap."""
        times = self.penalised(1.0)
        if times is None:
            return None
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.log(times + shift))


def run_times(scores: Scores, cap: Cap) -> RunTimes:
    """Read times from scores whose missing cells are explained by a status."""
    if scores.better != "lower":
        raise ScoreError("must be times, of which lower is better; these are said to be better when higher")
    if scores.metric is not None and scores.unit is None and is_no_time(scores.metric):
        raise ScoreError(
            f"must be times, and {scores.metric!r} is none. Compare these scores with bo.compare, or say which metric "
            "of the files is a time (metric=); of COCO and IOHprofiler metric='evals to 1e-8' is the evaluations to a "
            "target",
            parameter="scores",
        )
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    status = None if scores.status is None else by_run(scores.status)
    width = cells.shape[2] if status is None else max(cells.shape[2], status.shape[2])
    times = np.full((*cells.shape[:2], width), np.nan)
    times[:, :, : cells.shape[2]] = cells
    ends = np.full(times.shape, "", dtype=object)
    if status is None:
        ends[np.isfinite(times)] = OK
        ends[np.isposinf(times)] = NO_SCORE
    else:
        ends[:, :, : status.shape[2]] = status
        ends[np.isfinite(times)] = OK
        failed = (ends != OK) & (ends != "") & (ends != MISSING)
        times[failed] = np.inf
        ends[np.isposinf(times) & ((ends == OK) | (ends == MISSING))] = NO_SCORE
    _refuse_holes(scores, times, ends)
    if (times < 0).any():
        i, j, _ = np.argwhere(times < 0)[0]
        rule = f"has a negative time: problem {scores.problems[i]!r}, algorithm {scores.algorithms[j]!r}"
        raise ScoreError(rule, parameter="scores")
    caps, cut = problem_caps(scores, cap), 0
    if caps is not None:
        limit = caps[:, None, None]
        late = np.isfinite(times) & (times > limit)
        at_cap = np.isfinite(times) & (times == limit) if status is None else np.zeros(times.shape, bool)
        cut = 0 if status is None else int(late.sum())
        times[late | at_cap] = np.inf
        ends[late | at_cap] = TIMEOUT
    return RunTimes(times=times, caps=caps, ends=ends, cut=cut)


def _refuse_holes(scores: Scores, times: Array, ends: npt.NDArray[np.object_]) -> None:
    empty = np.isnan(times).all(axis=2) | (ends == MISSING).any(axis=2)
    if not empty.any():
        return
    names = [f"problem {scores.problems[i]!r}, algorithm {scores.algorithms[j]!r}" for i, j in np.argwhere(empty)]
    raise MissingScoreError(
        f"has runs without a time or a status that says why ({listing(names, 2, '; ')}). A run that was stopped has "
        "the status 'timeout', or a time of at least its cap. missing='drop-unrun' leaves out problems that some "
        "algorithms were not run on",
        parameter="scores",
    )


def problem_caps(scores: Scores, cap: Cap) -> Array | None:
    """(n,) from one number, one per problem in their order, or a mapping by problem."""
    if cap is None:
        return None
    if isinstance(cap, Mapping):
        for name in cap:
            if name not in scores.problems:
                raise UnknownNameError(f"cap names the problem {name!r}, which the scores do not have")
        lacking = [name for name in scores.problems if name not in cap]
        if lacking:
            raise ParameterError(f"must name every problem; {listing(lacking)} is missing", parameter="cap")
        cap = [cap[name] for name in scores.problems]
    if np.ndim(cap) == 0:
        return np.full(scores.n_problems, positive("cap", cap, "a finite number above 0, or one for each problem"))
    caps = list(np.asarray(cap).tolist())
    if np.ndim(cap) != 1 or len(caps) != scores.n_problems:
        raise ParameterError(
            f"must be one number, or one for each of the {scores.n_problems} problems; got shape {np.shape(cap)}. "
            "Where algorithms had different caps on a problem, give the smallest: times are cut there",
            parameter="cap",
        )
    return np.array([positive("cap", x, "a finite number above 0 for each problem") for x in caps])
