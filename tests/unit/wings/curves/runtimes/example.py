"""Of ``runtimes``: what the tests of every analysis take."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import bakeoff as bo
from analysis_examples import Example, Ordinary
from bakeoff.cli import main
from ordinary_tables import times
from solver_times import solver_times


def equal_limits() -> dict[str, Any]:
    """The report of the command line, which alone reads limits."""
    seconds = times(60, 12.0).values
    rows = [f"p{i},{'abc'[j]},{x},12" for i, row in enumerate(seconds) for j, x in enumerate(row)]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "times.csv")
        file.write_text("\n".join(["problem,algorithm,seconds,limit", *rows]))
        asked = ["runtimes", str(file), "--score", "seconds", "--cap", "limit", "--json"]
        return dict(json.loads(CliRunner().invoke(main, asked).stdout))


def capped(scores: bo.Scores) -> bo.Runtimes:
    """Three solvers, some of whose runs are stopped."""
    return bo.runtimes(bo.Scores(scores.values + 10, better="lower", clusters=scores.clusters), 11, n_resamples=100)


EXAMPLE = Example(
    results={
        "runtimes": lambda: bo.runtimes(bo.Scores([[1, 2], [9, 4], [3, 9], [2, 5]], better="lower"), 9, n_resamples=100)
    },
    decisions={"runtimes": "cannot tell"},
    on_the_page={"runtimes": "cap=9&control=C", "runtimes?": "cap=9&over=runs&points=ok%3D2%2Cwrong%3D-3"},
    ordinary={
        "runtimes, all solved": Ordinary(
            lambda: bo.runtimes(times(40), n_resamples=100),
            lacks=(
                "out-of-reach counted-as-unsolved.late-runs too-few.units looks-capped no-cap "
                "counted-as-unsolved.crashes solved-nothing unequal"
            ),
        ),
        "runtimes, some stopped": Ordinary(
            lambda: bo.runtimes(times(60, 12.0), 12.0, k=10, n_resamples=100),
            lacks=(
                "clusters-disagree counted-as-unsolved.late-runs unequal.caps few-timeouts "
                "looks-capped no-cap counted-as-unsolved.crashes penalty-decides solved-nothing"
            ),
        ),
        "runtimes, a column of equal limits": Ordinary(equal_limits, lacks="unequal"),
    },
    one_process={"runtimes": lambda s: bo.runtimes(s, n_resamples=100)},
    turned={
        "runtimes": (
            lambda: bo.Scores(solver_times(40, 3, seed=6), list("ABC"), better="lower"),
            lambda s: bo.runtimes(s, 100.0, n_resamples=100),
        )
    },
    clusters={
        "runtimes": (
            "equal problems",
            lambda s: [[p.logrank_pvalue, *p.par_pvalues.values(), *p.par_intervals[10]] for p in capped(s).pairs],
        )
    },
    engine=("wings/curves/runtimes/statistics/penalties.py", "pair_moments sign_flips"),
    quick_to_forge=("runtimes",),
)
