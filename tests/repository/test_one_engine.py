"""Standard errors of means come from ``means/``: no file of an analysis takes a square root that is not named here.

An analysis that has an engine of its own forgets what the shared one knows (clusters of unequal size, tasks, weights):
``leaderboard`` had one for its winner, whose interval then missed in 41 to 100 % of tables over tasks.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from bakeoff.analyses import folders

SRC = Path(__file__).parents[2] / "src" / "bakeoff"
ROOTS = {"sqrt", "hypot", "std", "nanstd", "norm"}
HALF = {"0.5", "1 / 2", "-0.5", "-1 / 2"}
EXCEPTIONS: dict[str, dict[str, int]] = {
    "geometry of a drawing": {"bayes/figure/triangle.py": 3},
    "a normal curve beside a histogram": {"run/figure.py": 3},
    "how an error falls with more questions, or an effect grows with more algorithms": {
        "evaluate/reporting.py": 1,
        "evaluate/statistics/_evaluate.py": 1,
        "plan/command.py": 1,
        "plan/reporting/answers.py": 3,
        "compare/statistics/cautions.py": 1,
    },
    "Monte Carlo error of a share of draws": {
        "curves/statistics/cautions.py": 1,
        "tradeoff/statistics/_tradeoff.py": 1,
    },
    "null variance of a rank or sign statistic, which the scores do not estimate": {
        "history/statistics/segmentation.py": 1,
        "history/statistics/_change_points.py": 2,
        "per_problem/statistics/_mann_whitney.py": 1,
        "compare/statistics/incomplete/cautions.py": 1,
        "compare/statistics/stages.py": 1,
        "compare/statistics/incomplete/bounds.py": 4,
        "compare/statistics/incomplete/ranks.py": 2,
        "sensitivity/statistics/fragility.py": 3,
        "sensitivity/statistics/many_tables.py": 3,
    },
    "spread of runs, shown as such": {"compare/statistics/_score_table.py": 1},
    "errors of strengths, from the information of their likelihood": {
        "ratings/board.py": 7,
        "ratings/fit.py": 2,
        "ratings/statistics/_ratings.py": 3,
    },
    "until one engine of means": {
        "check/statistics/cautions.py": 1,
        "check/statistics/contrasts.py": 6,
        "check/statistics/suite.py": 1,
        "history/statistics/prewhitening.py": 1,
        "check/statistics/judgement.py": 2,
        "curves/statistics/curve_tests.py": 6,
        "runtimes/statistics/penalties.py": 1,
        "runtimes/statistics/resampling.py": 3,
        "sensitivity/statistics/replicability.py": 4,
    },
}


def roots(source: str) -> int:
    """Calls of a root or a standard deviation, under any name, and powers of one half."""
    found = 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            half = name in ("pow", "power", "float_power") and any(ast.unparse(x) in HALF for x in node.args)
            found += name in ROOTS or half
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
            found += ast.unparse(node.right) in HALF
    return found


def test_no_analysis_computes_an_error_beside_the_engine() -> None:
    named = Counter[str]()
    for files in EXCEPTIONS.values():
        named.update(files)
    counted = {}
    for folder in folders():
        here = SRC.joinpath(*folder.split("."))
        name = here.parent.name if here.name == "analysis" else here.name  # the wing has the name of its one command
        for path in here.rglob("*.py"):
            counted[f"{name}/{path.relative_to(here).as_posix()}"] = roots(path.read_text(encoding="utf-8"))
    assert {name: n for name, n in counted.items() if n} == dict(named)


@pytest.mark.parametrize(
    "line",
    [
        "errors = np.sqrt(np.diag(covariance))",
        "error = values.std(ddof=1) / n",
        "error = math.sqrt(sum(x * x for x in residuals)) / n",
        "error = (squares / (n - 1) / n) ** 0.5",
        "error = sqrt(variance)",
        "error = np.linalg.norm(residuals) / n",
        "error = np.power(variance, 0.5)",
        "error = variance ** (1 / 2)",
    ],
)
def test_it_would_be_seen(line: str) -> None:
    assert roots(f"def own_engine(values):\n    {line}\n    return error") == 1
    assert roots("error = moments.errors[0]; z = t**2 / 0.5") == 0
