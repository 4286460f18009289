"""Write tests/slower.txt: the cases that a stranger does not wait for, from the times of a quiet run of the fast tests.

``pytest -n 2 --junitxml=times.xml`` and ``python tests/slower.py times.xml`` (or ``make slower``). Cases of ``LEAST``
seconds or more become slow; what the list already holds stays, as long as it exists. CI runs them all.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

LISTED = Path(__file__).with_name("slower.txt")
LEAST = 0.0225
KEPT = ("tests/golden/",)
"""Fast whatever they take: what reports say is what a change breaks first."""


def times(junit: str) -> dict[str, float]:
    """Seconds of each case, by its name in pytest."""
    cases = ET.parse(junit).iter("testcase")
    return {_case(c.attrib["classname"], c.attrib["name"]): float(c.attrib["time"]) for c in cases}


def _case(place: str, name: str) -> str:
    """``unit.test_ranks.TestTies`` is a class in unit/test_ranks.py."""
    module, _, inside = re.fullmatch(r"(.*?\btest_\w+)(\.(.+))?", place).groups()  # type: ignore[union-attr]
    return "::".join(filter(None, (module.replace(".", "/") + ".py", inside, name)))


def listed() -> set[str]:
    return set(LISTED.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    found = {case for case, seconds in times(sys.argv[1]).items() if seconds >= LEAST and not case.startswith(KEPT)}
    LISTED.write_text("".join(f"{case}\n" for case in sorted(found | listed())), encoding="utf-8")
