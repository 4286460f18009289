"""The order in which rows of a check are listed and drawn."""

from dataclasses import replace

import bakeoff as bo
from bakeoff.wings.guard.check.statistics.results import in_order


def test_regressions_come_first_and_within_a_verdict_the_largest_effect() -> None:
    row = bo.check({"P": [1.0, 1.1]}, {"P": [1.0, 1.1]}, "5%", better="lower").rows[0]
    rows = [
        replace(row, problem=f"{verdict} {effect}", verdict=verdict, effect=effect)  # type: ignore[arg-type]
        for verdict in ("ok", "inconclusive", "regressed")
        for effect in (-0.1, 0.0, 0.2, None)
    ]
    order = [each.problem for each in in_order(rows)]
    expected = [f"{verdict} {x}" for verdict in ("regressed", "inconclusive", "ok") for x in (None, 0.2, 0.0, -0.1)]
    assert order == expected, "no change is an effect of 0, not a missing one"
