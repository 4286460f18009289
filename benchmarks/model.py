"""Cases with their goals and peers, and the measured figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Run = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Sample:
    """One run: wall time and processor time (children and threads included)."""

    wall: float
    cpu: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """What a user would run instead."""

    name: str
    package: str = ""  # skipped by name when this cannot be imported; empty: always installed
    make: Callable[[], Run] | None = None  # imports and prepares, untimed; what it returns is timed
    scale: float = 1.0  # its time is multiplied by this when only part of the work is timed
    recorded: float | None = None  # seconds measured elsewhere, not in this run
    note: str = ""  # what it does instead, or where the recorded number comes from


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """A limit for the figure itself, or for how many times faster than a peer (``factor``)."""

    at_most: float | None = None
    peer: str = ""
    factor: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One figure."""

    name: str
    make: Callable[[], Run] | None = None  # prepares, untimed; what it returns is timed; or
    measure: Callable[[], float | Sample | None] | None = None  # the figure itself; None: not measurable here
    unit: str = "s"  # "s", "B" (bytes), "" (a number), "rel" (a relative error)
    goals: tuple[Goal, ...] = ()
    peers: tuple[Peer, ...] = ()
    before: Callable[[], None] | None = None  # before each sample, untimed
    scale: float = 1.0  # the time is multiplied by this when the work is repeated
    rounds: int = 9  # at most
    accelerator: bool = True  # False: switched off while this is measured
    loads: bool = False  # load the accelerator first, so that small inputs use it too
    needs: str = ""  # a package without which this cannot be measured
    short: bool = False  # included in the short mode
    why: str = ""  # the reason shown if the goal is missed


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A family of figures, numbered as on the page."""

    name: str
    item: int
    title: str
    about: str  # what is timed and on what data: a sentence or two for the page
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerFigure:
    name: str
    value: float | None  # seconds; None: not run
    cpu: float | None = None
    recorded: bool
    note: str  # why it was not run, or what it does


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A case, measured."""

    case: Case
    value: float | None
    least: float | None = None
    most: float | None = None
    cpu: float | None = None  # processor time; below the value if the machine was busy with other work
    rounds: int = 1
    peers: tuple[PeerFigure, ...] = ()
    note: str = ""  # why there is no value
    broken: bool = False  # our code failed other than by a documented refusal

    def ratio(self, peer: str) -> float | None:
        """How many times faster than the peer."""
        for other in self.peers:
            if other.name == peer and other.value is not None and self.value:
                return other.value / self.value
        return None

    @property
    def met(self) -> bool | None:
        """Whether all goals that could be judged were; None if there was nothing to judge."""
        if self.value is None:
            return False if self.case.goals and (self.broken or self.note.startswith("refused")) else None
        peers = {peer.name: peer.value for peer in self.peers if peer.value is not None}
        return self._judge(self.value, peers)

    @property
    def met_by_cpu(self) -> bool:
        """Whether the goals were met in processor time, which other work on the machine does not affect."""
        peers = {peer.name: peer.value if peer.recorded else peer.cpu for peer in self.peers}
        return self.cpu is not None and self._judge(self.cpu, peers) is True

    def _judge(self, ours: float, peers: Mapping[str, float | None]) -> bool | None:
        verdicts = []
        for goal in self.case.goals:
            theirs = peers.get(goal.peer)
            if goal.at_most is not None:
                verdicts.append(ours <= goal.at_most)
            elif theirs is not None:
                verdicts.append(theirs >= goal.factor * ours)
        return all(verdicts) if verdicts else None


def at_most(limit: float) -> Goal:
    return Goal(at_most=limit)


def faster(factor: float, peer: str) -> Goal:
    """At least ``factor`` times as fast as the peer."""
    return Goal(peer=peer, factor=factor)
