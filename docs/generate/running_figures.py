"""Write the figures of docs/how-to/running.md and its table of looks from docs/figures/running.json.

    python docs/generate/running_figures.py              writes the figures and the table from the stored numbers
    python docs/generate/running_figures.py --measure    simulates everything anew first (a minute or two)
    python docs/generate/running_figures.py --check      exits 1 if figures or table are not what the stored numbers
                                                         give, or if some of these numbers, simulated
                                                         again, are not what is stored

The numbers of the repetition rule are those of tests/calibration/test_running_calibration.py, where they are tests.
"""

from __future__ import annotations

import importlib.util
import json
import math
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import page_command
from scipy import special

from bakeoff.figures import to_svg
from bakeoff.figures.geometry.rows import Forest, ForestRow, draw_forest
from bakeoff.wings.run.design.settings import DEFAULT
from bakeoff.wings.run.racing.group_boundaries import group_design
from bakeoff.wings.run.sequential.interim_looks import log_evidence

ROOT = Path(__file__).resolve().parents[2]
FIGURES = ROOT / "docs" / "figures"
NUMBERS = FIGURES / "running.json"
PAGE = ROOT / "docs" / "how-to" / "running.md"
ALPHA, MANY, FEW = 0.05, 20_000, 2_000
AGAIN = ("one look at 34", "three looks at 18, 27, 35 (group)", "after every problem, signs (anytime)")

# --- simulations: (reject?, problems used) of each row of differences ------------------------------------------------

Found = tuple[np.ndarray, np.ndarray]


def p_values(x: np.ndarray) -> np.ndarray:
    n = x.shape[1]
    t = x.mean(axis=1) / (x.std(axis=1, ddof=1) / math.sqrt(n))
    return np.asarray(2 * special.stdtr(n - 1, -np.abs(t)))


def at_looks(sizes: list[int], levels: list[float]) -> Callable[[np.ndarray], Found]:
    def judge(x: np.ndarray) -> Found:
        hits = np.array([p_values(x[:, :n]) <= level for n, level in zip(sizes, levels, strict=True)])
        rejected = hits.any(axis=0)
        return rejected, np.where(rejected, np.array(sizes)[hits.argmax(axis=0)], sizes[-1])

    return judge


def anytime(test: Any, cap: int) -> Callable[[np.ndarray], Found]:
    question = replace(DEFAULT, sequential="anytime", test=test)

    def judge(x: np.ndarray) -> Found:
        rows = np.sign(x[:, :cap]) if test == "sign" else x[:, :cap]
        over = np.array([log_evidence(row, question) >= math.log(1 / ALPHA) for row in rows])
        rejected = over.any(axis=1)
        return rejected, np.where(rejected, over.argmax(axis=1) + 1, cap)

    return judge


def first_finished(x: np.ndarray) -> Found:
    """Eight workers, log(run time) = difference: the 34 problems that end first, of 100."""
    rejected = []
    for row in x:
        free, ends = [0.0] * 8, []
        for time in np.exp(row).tolist():
            worker = min(range(8), key=free.__getitem__)
            free[worker] += time
            ends.append(free[worker])
        seen = row[np.argsort(ends)[:34]]
        rejected.append(p_values(seen[None, :])[0] <= ALPHA)
    return np.array(rejected), np.full(len(x), 34)


def rules() -> dict[str, tuple[Callable[[np.ndarray], Found], int, int]]:
    """Name -> rule, repetitions, problems to draw."""
    group = group_design([18 / 35, 27 / 35, 1.0])
    return {
        "one look at 34": (at_looks([34], [ALPHA]), MANY, 34),
        "p ≤ 0.05 after every problem, 5 to 34 (wrong)": (at_looks(list(range(5, 35)), [ALPHA] * 30), MANY, 34),
        "first 34 of 100 to finish, 8 workers (wrong)": (first_finished, FEW, 100),
        "three looks at 18, 27, 35 (group)": (at_looks([18, 27, 35], group.pvalues.tolist()), MANY, 35),
        "after every problem, t, at most 48 (anytime)": (anytime("t", 48), FEW, 48),
        "after every problem, signed ranks, at most 62 (anytime)": (anytime("wilcoxon", 62), FEW, 62),
        "after every problem, signs (anytime)": (anytime("sign", 90), FEW, 90),
    }


def measured(name: str) -> dict[str, list[float]]:
    """Rejection rate and mean number of problems at d = 0, 0.5 and 1."""
    judge, repetitions, n = rules()[name]
    rates, sizes = [], []
    for d in (0.0, 0.5, 1.0):
        rejected, used = judge(np.random.default_rng([31, int(10 * d)]).normal(d, 1.0, (repetitions, n)))
        rates.append(round(float(rejected.mean()), 4))
        sizes.append(round(float(used.mean()), 2))
    return {"rates": rates, "problems": sizes}


def cases() -> list[Any]:
    path = ROOT / "tests" / "calibration" / "test_running_calibration.py"
    spec = importlib.util.spec_from_file_location("running_calibration", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return list(module.CASES)


# --- figures ----------------------------------------------------------------------------------------------------


def forest(values: dict[str, float], unit: str, equal: float, caption: str, reach: tuple[float, float]) -> str:
    rows = tuple(ForestRow(name=name, value=value, low=None, high=None) for name, value in values.items())
    drawing = draw_forest(
        Forest(rows=rows, overall=None, unit=unit, percent=False, caption=caption, equal=equal, reach=reach,
               title=unit[0].upper() + unit[1:]), 150.0
    )  # fmt: skip
    return to_svg(drawing)


def files(numbers: dict[str, Any]) -> dict[Path, str]:
    """The content of each file."""
    looks, runs = numbers["looks"], numbers["repetitions"]
    normal = {name: row["runs"] for name, row in runs.items() if name.startswith("normal")}
    return {
        FIGURES / "running-delivered.svg": forest(
            {name: row["delivered"] for name, row in runs.items()},
            "realised standard deviation of the estimate / wanted standard error",
            1.0,
            "Right of the dashed line the rule is too optimistic.",
            (0.6, 1.5),
        ),
        FIGURES / "running-cover.svg": forest(
            {name: row["cover"] for name, row in runs.items()},
            "share of intervals (±1.96 standard errors) that hold the truth",
            0.95,
            "Dashed: 0.95.",
            (0.82, 1.01),
        ),
        FIGURES / "running-batches.svg": forest(
            normal, "mean runs on a problem", 100.0, "Dashed: the runs that known spreads would take.", (90.0, 115.0)
        ),
        FIGURES / "running-looks.svg": forest(
            {name: row["rates"][0] for name, row in looks.items()},
            "how often a true null hypothesis is rejected",
            ALPHA,
            "Dashed: the level, 0.05.",
            (0.0, 0.3),
        ),
        PAGE: page_command.filled(PAGE, {"looks": table(looks)}),
    }


def table(looks: dict[str, Any]) -> str:
    rows = [
        [name, *(f"{p:.3f} / {n:.1f}" for p, n in zip(row["rates"], row["problems"], strict=True))]
        for name, row in looks.items()
    ]
    return page_command.table(["when it is looked", "d = 0", "d = 0.5", "d = 1"], rows, None)


# --- the command ------------------------------------------------------------------------------------------------


def repetitions() -> dict[str, Any]:
    return {c.name: {"delivered": c.delivered, "cover": c.cover, "runs": c.runs, "optimum": c.optimum} for c in cases()}


def check() -> list[str]:
    """Numbers that differ from the stored ones; rounding may change one experiment in a hundred between processors."""
    numbers = json.loads(NUMBERS.read_text(encoding="utf-8"))
    complaints = []
    if repetitions() != numbers["repetitions"]:
        complaints.append("the numbers of tests/calibration/test_running_calibration.py have changed: --measure")
    for name in AGAIN:
        again, stored = measured(name), numbers["looks"][name]
        if any(abs(a - b) > 0.01 for a, b in zip(again["rates"], stored["rates"], strict=True)):
            complaints.append(f"{name}: stored {stored}, measured {again}")
    return complaints


def measure() -> None:
    looks = {name: measured(name) for name in rules()}
    stored = {"alpha": ALPHA, "looks": looks, "repetitions": repetitions()}
    NUMBERS.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def current() -> dict[Path, str]:
    return files(json.loads(NUMBERS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(page_command.run(sys.argv[1:], "docs/generate/running_figures.py", current, measure, check))
