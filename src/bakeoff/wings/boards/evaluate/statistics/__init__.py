"""Models judged question by question: means with clustered errors, paired differences, many models at once.

``table`` has what is averaged and what of it is independent; ``means.moments`` gives means and errors, ``means.max_t``
the distribution of the largest |t| of a family; ``records`` judges the pairs and makes the result.
"""

from bakeoff.wings.boards.evaluate.statistics._evaluate import evaluate as evaluate
from bakeoff.wings.boards.evaluate.statistics.results import (
    Evaluation as Evaluation,
    EvaluationPair as EvaluationPair,
    ModelEstimate as ModelEstimate,
    SuiteMeans as SuiteMeans,
)
