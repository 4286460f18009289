"""Models judged question by question: means with clustered errors, paired differences, many models at once.

``table`` has what is averaged, ``strata`` what is independent, ``moments`` means and errors, ``max_t`` the distribution
of the largest |t| of a family; ``decisions`` and ``records`` make the result.
"""

from bakeoff.wings.boards.evaluate.statistics._evaluate import evaluate as evaluate
from bakeoff.wings.boards.evaluate.statistics.results import (
    Evaluation as Evaluation,
    EvaluationPair as EvaluationPair,
    ModelEstimate as ModelEstimate,
    SuiteMeans as SuiteMeans,
)
