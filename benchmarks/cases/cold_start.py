"""Time of a fresh process, from start to exit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from benchmarks.children import run_python, table_file
from benchmarks.model import Benchmark, Case, Peer, Run, faster

AUTORANK = (
    "import pandas as pd; from autorank import autorank, create_report; "
    "create_report(autorank(pd.read_csv({file!r}, index_col=0), order='ascending'))"
)


def _process(*arguments: str) -> Run:
    return partial(run_python, *arguments)


def _code(code: str) -> Callable[[], Run]:
    return partial(_process, "-c", code)


NUMPY = Peer(name="`import numpy`", package="numpy", make=_code("import numpy"))
_AUTORANK = Peer(name="autorank", package="autorank", make=_code(AUTORANK.format(file=table_file())))
_WHY = "importing NumPy takes a third of it"

CASES = (
    Case(
        name="`import bakeoff`",
        make=_code("import bakeoff"),
        goals=(faster(1 / 1.5, NUMPY.name),),
        peers=(NUMPY, Peer(name="`pass`", make=_code("pass"), note="Python alone")),
        short=True,
        rounds=11,
    ),
    Case(
        name="`bakeoff compare` on the 25 × 9 table",
        make=partial(_process, "-m", "bakeoff", "compare", table_file(), "--better", "lower"),
        goals=(faster(5, "autorank"),),
        why=_WHY,
        peers=(_AUTORANK, NUMPY),
        short=True,
    ),
    Case(
        name="`bo.compare` on the 25 × 9 table",
        make=_code(f"import bakeoff as bo; bo.compare(bo.read_scores({table_file()!r}, better='lower'))"),
        goals=(faster(5, "autorank"),),
        why=_WHY,
        peers=(_AUTORANK,),
    ),
)

BENCHMARK = Benchmark(
    name="cold-start",
    item=10,
    title="Cold start",
    about="Fresh processes, from start to end. autorank is the shortest script that reads the same CSV and prints its "
    "report. The file cache is warm for all. Instructions (valgrind's count), which other work does not change, with "
    "Python 3.11 and NumPy 2.4: `import numpy` 378 million, `bakeoff --help` 297, a default `bakeoff compare` 1,250, "
    "and 1,842 before methods of dataclasses waited, NumPy had one thread and wings were left unloaded.",
    cases=CASES,
)
