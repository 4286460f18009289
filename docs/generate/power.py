"""Write docs/trust/power.md: how often each procedure rejects on draws of problems from the papers' tables.

python docs/generate/power.py             writes the page and its figures from docs/trust/power.json
python docs/generate/power.py --check     exits 1 if they are not current, or if a few of the numbers, computed
                                          again with their seeds, are not what is stored
python docs/generate/power.py --measure   draws everything again and writes all (some minutes)
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import page_command
import power_page

import bakeoff as bo
from bakeoff.figures import to_svg
from bakeoff.wings.study import KnownTruth, PowerStudy
from bakeoff.wings.study._known_truth import TruthRow
from bakeoff.wings.study.power_measures import PowerRow

ROOT = Path(__file__).resolve().parents[2]
PAGE, STORED, FIGURES = (
    ROOT / "docs" / "trust" / "power.md",
    ROOT / "docs" / "trust" / "power.json",
    ROOT / "docs" / "figures",
)
WIDTH_MM = 88.0
OMNIBUS = ("anova", "friedman", "iman-davenport", "aligned", "quade")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A study on one of the shipped tables; ``options`` as the function takes them."""

    data: str
    a: str
    b: str
    options: dict[str, Any]

    def run(self, **more: Any) -> PowerStudy | KnownTruth:
        function = bo.study.known_truth if "shift" in self.options else bo.study.power
        return function(bo.datasets.load(self.data), self.a, self.b, **{"draws": 1000, **self.options, **more})


SD = {"scale": "sd", "bias": (0, 1, 2, 3, 4)}
SHIFTS = (0, 0.5, 1, 1.5)
STABLE = (*OMNIBUS[1:], "holm", "aligned-holm", "quade-holm")
SCENARIOS = {
    "garcia": Scenario(data="garcia_2010", a="PDFC", b="NNEP", options={}),
    "derrac": Scenario(data="derrac_cec2005", a="SaDE", b="PSO", options=SD),
    "demsar": Scenario(data="demsar_2006", a="C4.5+m", b="C4.5", options={"size": 7}),
    "garcia, 6": Scenario(data="garcia_2010", a="PDFC", b="NNEP", options={"size": 6}),
    "derrac, 20": Scenario(data="derrac_cec2005", a="SaDE", b="PSO", options=SD | {"size": 20, "bias": (0,)}),
    "garcia, 20": Scenario(
        data="garcia_2010", a="PDFC", b="NNEP", options={"size": 20, "bias": (0,), "tests": list(STABLE)}
    ),
    "pair": Scenario(data="garcia_2010", a="PDFC", b="NNEP", options={"shift": SHIFTS}),
    "three": Scenario(
        data="garcia_2010", a="PDFC", b="NNEP", options={"shift": SHIFTS, "null": ["PDFC", "NNEP", "IS-CHC+1NN"]}
    ),
    "all": Scenario(data="garcia_2010", a="PDFC", b="NNEP", options={"shift": SHIFTS, "null": "all"}),
    "derrac, pair": Scenario(data="derrac_cec2005", a="SaDE", b="PSO", options={"shift": (0,), "size": 20}),
    "derrac, eight": Scenario(
        data="derrac_cec2005",
        a="SaDE",
        b="SS-Arit",
        options={
            "shift": (0,),
            "size": 20,
            "null": ["IPOP-CMA-ES", "CHC", "SSGA", "SS-BLX", "SS-Arit", "DE-Bin", "DE-Exp", "SaDE"],
        },
    ),
    "derrac, all": Scenario(
        data="derrac_cec2005", a="SaDE", b="PSO", options={"shift": (0,), "size": 20, "null": "all"}
    ),
}
DRAWN = (("garcia", "pair"), ("garcia", "control"), ("garcia", "table"), ("all", "pair"), ("all", "control"))
AGAIN = {"garcia": ["wilcoxon", "t", "holm", "hommel", "quade"], "three": ["sign", "li", "compare"]}
"""What --check draws again, with the same seed."""


def measure_all() -> None:
    stored: dict[str, Any] = {}
    for name, scenario in SCENARIOS.items():
        stored[name] = rows_of(scenario.run())
        sys.stderr.write(f"{name}\n")
    STORED.write_text(text_of(stored), encoding="utf-8")


def rows_of(study: PowerStudy | KnownTruth) -> list[list[Any]]:
    """A list for each row, in the order of the fields."""
    if isinstance(study, PowerStudy):
        return [plain(row) for row in study.rows]
    return [[*plain(row.power), row.errors, row.at_size] for row in study.rows]


def plain(row: PowerRow) -> list[Any]:
    return [float(f"{x:.6g}") if isinstance(x, float) else x for x in asdict(row).values()]


def text_of(stored: dict[str, Any]) -> str:
    """JSON, a line for each row."""
    parts = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"
        for name, rows in stored.items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read() -> dict[str, PowerStudy | KnownTruth]:
    """The studies, from their stored rows."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    return {name: study_of(SCENARIOS[name], rows) for name, rows in stored.items()}


def study_of(scenario: Scenario, stored: list[list[Any]]) -> PowerStudy | KnownTruth:
    """Its frame is that of a study of few draws, which cost nothing."""
    tests = list(dict.fromkeys(row[0] for row in stored))
    steps = len(fields(PowerRow))
    rows = [PowerRow(**dict(zip((f.name for f in fields(PowerRow)), row, strict=False))) for row in stored]
    frame = scenario.run(draws=2, tests=["sign"])
    about = {f.name: getattr(frame, f.name) for f in fields(frame)}
    about |= {"tests": tuple(tests), "draws": rows[0].draws, "cautions": ()}
    if isinstance(frame, PowerStudy):
        return PowerStudy(**about | {"rows": tuple(rows)})
    known = [
        TruthRow(test=row.test, shift=row.k, power=row, errors=line[steps], at_size=line[steps + 1])
        for row, line in zip(rows, stored, strict=True)
    ]
    return KnownTruth(**about | {"rows": tuple(known)})


def files() -> dict[Path, str]:
    studies = read()
    found = {PAGE: page_command.filled(PAGE, power_page.parts(studies, DRAWN))}
    for name, family in DRAWN:
        drawing = bo.diagram(studies[name], family, width_mm=WIDTH_MM)
        found[FIGURES / power_page.figure_name(name, family)] = to_svg(drawing)
    return found


def check() -> list[str]:
    """Counts and means that are not what is stored; the seeds are the same."""
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    complaints = []
    for name, tests in AGAIN.items():
        before = {(row[0], row[1]): row for row in stored[name]}
        for row in rows_of(SCENARIOS[name].run(tests=tests)):
            then = before[row[0], row[1]]
            # another version of NumPy or SciPy may move a p-value across the level by its last digit
            alike = abs(row[3] - then[3]) <= 1 and abs(row[5] - then[5]) <= 1e-5
            if not alike:
                was, now = (f"{found[3]} rejections, mean p {found[5]}" for found in (then, row))
                complaints.append(f"{name}, {row[0]} at {row[1]:g}: was {was}, is {now}")
    return complaints


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/power.py", files, measure_all, check))
