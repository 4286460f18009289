"""Results of a search for change points."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores

Scale = Literal["ratio", "difference"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelStep:
    """A change of level between two neighbouring versions."""

    problem: str
    version: str  # the first one of the new level
    previous: str  # the last one of the old level
    place: int  # of ``version`` among all versions, from 0
    statistic: float  # of the test of the step
    pvalue: float  # adjusted over all benchmarks (first level), or over the segments tested with it
    level: int  # 1: found in the whole history; 2: within a part of it; …
    before: float  # medians of the two segments, in the unit of the scores
    after: float  # level after the step
    change: float  # Hodges–Lehmann, after against before: a factor (scale "ratio") or a difference
    low: float | None  # None: the segments are too short for an interval of this level
    high: float | None  # high end of the change's interval
    worse: bool  # whether the new level is worse
    commit: str = ""  # of that version, if it is known


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkHistory:
    """The history of one benchmark."""

    problem: str
    n: int  # versions that have it
    statistic: float | None  # None: too short
    pvalue: float | None  # of any change, adjusted over all benchmarks
    split: int | None  # where the statistic is largest: versions before it
    verdict: Literal["changed", "no change shown", "cannot tell"]  # what is shown of the benchmark's level
    segments: tuple[tuple[str, str, float], ...]  # first and last version, and median, of each level


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ChangePoints(Reportable):
    """The result of :func:`bakeoff.change_points`."""

    kind: ClassVar[str] = "history"

    scores: Scores  # benchmarks × versions, in the order of the versions
    alpha: float
    min_segment: int  # versions that a level holds at least
    scale: Scale
    method: Literal["exact", "permutation"]  # where p-values come from
    n_resamples: int
    rng: int | None
    confidence_level: float  # of the intervals of changes
    commits: Mapping[str, str] | None  # of the versions, where they are known
    series: tuple[BenchmarkHistory, ...]  # one entry per benchmark
    steps: tuple[LevelStep, ...]  # by version, then benchmark
    cautions: tuple[Caution, ...]
    added: tuple[Caution, ...] = ()

    @property
    def worse_now(self) -> tuple[LevelStep, ...]:
        """The latest step of each benchmark, where that is for the worse."""
        latest = {step.problem: step for step in self.steps}
        return tuple(step for step in latest.values() if step.worse)

    @property
    def decision(self) -> str:
        """ "difference" if a level changed, "cannot tell" if every history is too short, or "none"."""
        verdicts = {one.verdict for one in self.series}
        if "changed" in verdicts:
            return "difference"
        return "cannot tell" if verdicts <= {"cannot tell"} else "none"

    @property
    def request(self) -> Mapping[str, object]:
        """The arguments of the call."""
        names = ("alpha", "min_segment", "scale", "method", "n_resamples", "rng", "confidence_level", "commits")
        return {name: getattr(self, name) for name in names}
