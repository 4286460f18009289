"""Iterations and benchmarks of one process share its state: they say nothing of another process."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, Severity, listing, plain
from bakeoff.ranks.cluster_cautions import one_stem
from bakeoff.scores import Scores
from bakeoff.scores.run_identity import single_processes
from bakeoff.scores.source_cautions import source_cautions

Pair = TypeVar("Pair", bound=Any)  # a record with a, b and verdict


def input_cautions(scores: Scores) -> list[Caution]:
    """What stands above every verdict: of processes behind the scores, names of problems, and how they were read."""
    return [*filter(None, (one_process(scores), one_stem(scores))), *source_cautions(scores)]


def one_process(scores: Scores) -> Caution | None:
    """Algorithms measured in one process: "stop" where no pair is without one of them."""
    lone = single_processes(scores)
    if not lone.any():
        return None
    names = [plain(name) for name, one in zip(scores.algorithms, lone, strict=True) if one]
    return one_process_caution(
        f"One process a side on every problem ({listing(names)}){_hosts(scores)}",
        "Neither iterations nor benchmarks inside a process say it",
        ": bakeoff check judges them, and bakeoff time runs commands in turn",
        "stop" if int((~lone).sum()) < 2 else "warning",
    )


def one_process_caution(who: str, inside: str, way: str, severity: Severity) -> Caution:
    """``who`` has one; ``inside``: what does not make up for it, or nothing; ``way``: how to go on."""
    shared = f" {inside}: they share its memory layout and its host." if inside else ""
    return caution_of("one-process", severity=severity, who=who, shared=shared, way=way)


def _hosts(scores: Scores) -> str:
    named = {} if scores.hosts is None else dict(zip(scores.algorithms, scores.hosts, strict=True))
    known = {name: host for name, host in named.items() if host}
    if len(set(known.values())) < 2:
        return ""
    return f", on different hosts ({listing(f'{plain(name)}: {plain(host)}' for name, host in known.items())})"


def dependent_runs(run_kind: str | None, about: str) -> list[Caution]:
    """Of runs that share their data, or their process; ``about`` is the object."""
    kinds = {"split": "splits of the same data", "iteration": "iterations of one process"}
    return [caution_of("dependence", about, what=kinds[run_kind])] if run_kind in kinds else []


def without_evidence(scores: Scores, family: Sequence[tuple[int, int]]) -> npt.NDArray[np.bool_]:
    """(m,): of each pair of columns, does a side have one process alone?"""
    lone = single_processes(scores)
    return np.array([bool(lone[a] or lone[b]) for a, b in family])


def alone_undecided(scores: Scores, pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """The pairs, "cannot tell" where a side has one process alone."""
    lone = {name for name, one in zip(scores.algorithms, single_processes(scores), strict=True) if one}
    return tuple(replace(p, verdict="cannot tell") if lone & {p.a, p.b} else p for p in pairs)
