"""Which algorithm is better on one problem, judged by its runs."""

from bakeoff.single_problem._mann_whitney import MannWhitneyResult as MannWhitneyResult, mann_whitney as mann_whitney
from bakeoff.single_problem._per_problem import (
    PerProblem as PerProblem,
    ProblemCell as ProblemCell,
    per_problem as per_problem,
)
