"""Figures of an earlier run, read from its JSON, so that one family can be measured again on its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.cases import BENCHMARKS
from benchmarks.model import Case, Figure, PeerFigure


def earlier_run(file: str, machine: dict[str, str]) -> dict[str, list[Figure]]:
    """Benchmark -> figures. ValueError if that run was on another machine or with other versions."""
    data = json.loads(Path(file).read_text(encoding="utf-8"))
    unlike = sorted(key for key in machine if key != "load" and machine[key] != data["machine"].get(key))
    if unlike:
        raise ValueError(f"{file} was measured with another {', '.join(unlike)}: measure everything again")
    found: dict[str, list[Figure]] = {}
    for one in data["figures"]:
        case = _case(one["benchmark"], one["figure"])
        if case is not None:
            found.setdefault(one["benchmark"], []).append(_figure(case, one))
    return found


def _case(benchmark: str, name: str) -> Case | None:
    """The case of this name; None if the figure no longer exists."""
    cases = BENCHMARKS[benchmark].cases if benchmark in BENCHMARKS else ()
    return next((case for case in cases if case.name == name), None)


def _figure(case: Case, one: dict[str, Any]) -> Figure:
    peers = tuple(
        PeerFigure(name=p["name"], value=p["value"], cpu=p.get("cpu"), recorded=p["recorded"], note=p["note"])
        for p in one["peers"]
    )
    return Figure(
        case=case,
        value=one["value"],
        least=one["least"],
        most=one["most"],
        cpu=one["cpu"],
        rounds=one["rounds"],
        peers=peers,
        note=one["note"],
        broken=one.get("broken", False),
    )
