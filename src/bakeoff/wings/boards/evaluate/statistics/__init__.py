"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.evaluate.statistics._evaluate import (
    detectable_ratio as detectable_ratio,
    evaluate as evaluate,
    least_detectable as least_detectable,
    ranked_table as ranked_table,
    skewed_pairs as skewed_pairs,
    tied_sets as tied_sets,
)
from bakeoff.wings.boards.evaluate.statistics.results import (
    Evaluation as Evaluation,
    EvaluationPair as EvaluationPair,
    ModelEstimate as ModelEstimate,
    Unit as Unit,
)
