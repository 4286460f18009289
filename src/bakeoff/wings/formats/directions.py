"""Which direction is good: the one published list. A measure that is not in it has none, and the user says it."""

from collections.abc import Mapping

from bakeoff.scores import Better

EVERY_OTHER = "*"
"""The entry of a format in which all other measures have the same direction."""

_LISTED: Mapping[str, Mapping[Better, str]] = {
    "scikit-learn": {"lower": "fit_time score_time", "higher": EVERY_OTHER},
    "wandb": {"lower": "Runtime"},
    "automlbenchmark": {
        "higher": "result acc auc balacc r2",
        "lower": "logloss mae mse rmse rmsle duration training_duration predict_duration",
    },
    "tabarena": {"lower": "metric_error time_train_s time_infer_s"},
    "openml": {
        "higher": "area_under_roc_curve f_measure kappa precision predictive_accuracy recall",
        "lower": "RMSE mean_absolute_error relative_absolute_error root_mean_squared_error root_relative_squared_error "
        "usercpu_time_millis usercpu_time_millis_testing usercpu_time_millis_training",
    },
    "jmetal": {"higher": "HV", "lower": "EP GD IGD IGD+ SPREAD Time"},
    "aeon": {"higher": "accuracy auroc balacc f1 r2", "lower": "logloss mae mape mse nll rmse"},
}
DIRECTIONS: Mapping[str, Mapping[str, Better]] = {
    format: {measure: better for better, measures in listed.items() for measure in measures.split()}
    for format, listed in _LISTED.items()
}
"""Format -> measure -> the direction that is good; docs/how-to/formats.md prints it."""


def listed_direction(format: str, measure: str) -> Better | None:
    """As the list has it; None: the user has to say."""
    listed = DIRECTIONS.get(format, {})
    return listed.get(measure, listed.get(EVERY_OTHER))


TIME = ("time", "duration")
"""What the name of a measure that is a time holds."""
NO_TIMES = frozenset({"precision", "best error", "best y", "accuracy", "error", "error rate", "loss"})
"""Names of other formats, and as users call them."""


def is_no_time(measure: str) -> bool:
    """Is it known to be something else than a time: an error, an accuracy?"""
    known = {name.lower() for listed in DIRECTIONS.values() for name in listed} - {EVERY_OTHER, "result"}
    name = measure.lower()
    return name in NO_TIMES or (name in known and not any(word in name for word in TIME))
