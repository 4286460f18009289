"""Verification of a race: its blocks are shown to the rule again."""

from __future__ import annotations

import json
import math

from bakeoff.errors import StoreError
from bakeoff.running.design.experiment import Experiment
from bakeoff.running.design.race_settings import RacedExperiment, settings_in
from bakeoff.running.design.specification import first_difference
from bakeoff.running.schedulers.race_scheduler import RaceScheduler
from bakeoff.running.sequential.race_state import drawn, feed, look_row, race_scheduler_of
from bakeoff.running.store.contents import Contents

RELATIVE_TOLERANCE = 1e-9  # relative: another NumPy or processor may round differently in the last place


def race_again(found: Contents, experiment: Experiment | None) -> tuple[RaceScheduler, list[str]]:
    """The scheduler for replaying the problems, and what is wrong with the recorded decisions."""
    race = settings_in(found.spec)
    if experiment is not None and (raced := RacedExperiment(experiment, race)).spec_hash != found.spec_hash:
        difference = first_difference(json.dumps(found.spec), raced.spec_json)
        raise StoreError(f"the store belongs to another experiment: {difference}")
    names = tuple(i.name for i in drawn(found))
    scheduler = race_scheduler_of(race, found.algorithms, names, int(found.spec["runs"]), found.spec["better"])
    try:
        feed(scheduler, found)
    except StoreError as error:
        return scheduler, [str(error)]
    findings = []
    for block, kept in zip(scheduler.blocks, found.looks, strict=False):
        new = look_row(block, scheduler.record.rule.threshold)
        if (kept.number, kept.n, kept.verdict) != (new[0], new[1], new[4]) or not _close(kept.statistic, new[2]):
            findings.append(
                f"block {kept.number} is kept as {kept.verdict} after {kept.n} problems, evidence "
                f"{kept.statistic:.6g}; the runs say {new[4]} after {new[1]}, evidence {new[2]:.6g}"
            )
            break
    if len(found.looks) not in (
        len(scheduler.blocks),
        len(scheduler.blocks) - 1,
    ):  # -1: killed between two commits
        findings.append(f"{len(found.looks)} decisions of the race are kept; the runs say {len(scheduler.blocks)}")
    return scheduler, findings


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=RELATIVE_TOLERANCE, abs_tol=1e-12)
