"""Which algorithm is better on one problem, judged by its runs."""

from bakeoff.analyses.per_problem.statistics._mann_whitney import (
    MannWhitneyResult as MannWhitneyResult,
    mann_whitney as mann_whitney,
)
from bakeoff.analyses.per_problem.statistics._per_problem import (
    PerProblem as PerProblem,
    ProblemCell as ProblemCell,
    estimand as estimand,
    per_problem as per_problem,
)
