"""Which direction is good: the one published list. A measure that is not in it has none, and the user says it."""

from collections.abc import Mapping

from bakeoff.scores import Better

EVERY_OTHER = "*"
"""The entry of a format in which all other measures have the same direction."""

DIRECTIONS: Mapping[str, Mapping[str, Better]] = {
    "scikit-learn": {"fit_time": "lower", "score_time": "lower", EVERY_OTHER: "higher"},
    "wandb": {"Runtime": "lower"},
    "automlbenchmark": {
        "result": "higher",
        "acc": "higher",
        "auc": "higher",
        "balacc": "higher",
        "logloss": "lower",
        "mae": "lower",
        "mse": "lower",
        "r2": "higher",
        "rmse": "lower",
        "rmsle": "lower",
        "duration": "lower",
        "training_duration": "lower",
        "predict_duration": "lower",
    },
    "tabarena": {"metric_error": "lower", "time_train_s": "lower", "time_infer_s": "lower"},
    "openml": {
        "area_under_roc_curve": "higher",
        "f_measure": "higher",
        "kappa": "higher",
        "precision": "higher",
        "predictive_accuracy": "higher",
        "recall": "higher",
        "RMSE": "lower",
        "mean_absolute_error": "lower",
        "relative_absolute_error": "lower",
        "root_mean_squared_error": "lower",
        "root_relative_squared_error": "lower",
        "usercpu_time_millis": "lower",
        "usercpu_time_millis_testing": "lower",
        "usercpu_time_millis_training": "lower",
    },
    "jmetal": {
        "HV": "higher",
        "EP": "lower",
        "GD": "lower",
        "IGD": "lower",
        "IGD+": "lower",
        "SPREAD": "lower",
        "Time": "lower",
    },
    "aeon": {
        "accuracy": "higher",
        "auroc": "higher",
        "balacc": "higher",
        "f1": "higher",
        "logloss": "lower",
        "mae": "lower",
        "mape": "lower",
        "mse": "lower",
        "nll": "lower",
        "r2": "higher",
        "rmse": "lower",
    },
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
