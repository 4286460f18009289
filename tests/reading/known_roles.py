"""Tables of which every column's role is known, made from a seed; and columns that may stand beside them.

Names of columns are words of the field, spellings of its programs, or none that says anything. Names of problems and
algorithms are those that people use. Scores share a difficulty by problem, as real ones do.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

Rng = np.random.Generator
Key = tuple[str, str, str]
"""Problem, algorithm and run of a row, "" for what it does not have."""

# Names of columns by role.

KEYS: dict[str, dict[str, tuple[str, ...]]] = {
    "words": {
        "problem": ("problem", "dataset", "instance", "function", "env", "question", "Data set", "Problem_ID", "games"),
        "algorithm": ("algorithm", "method", "model", "solver", "agent", "learner", "Classifier", "Method name"),
        "run": ("run", "seed", "rep", "trial", "fold", "repetition", "Seed"),
    },
    "R": {
        "problem": ("data.set", "dataset.name", "problem.id", "task"),
        "algorithm": ("learner.name", "algorithm.id", "method", "model.name"),
        "run": ("seed", "fold.id", "rep"),
    },
    "tidymodels": {"problem": ("dataset", ".dataset"), "algorithm": ("model", ".model"), "run": (".fold", "fold")},
    "weka": {"problem": ("Key_Dataset",), "algorithm": ("Key_Scheme",), "run": ("Key_Run", "Key_Fold")},
    "mlr3": {"problem": ("task_id",), "algorithm": ("learner_id",), "run": ("iteration",)},
    "keel": {"problem": ("Dataset", "Data-set"), "algorithm": ("Algorithm",), "run": ("Fold", "Partition")},
    "moa": {"problem": ("stream", "dataset"), "algorithm": ("learner",), "run": ("seed",)},
    "sktime": {"problem": ("dataset", "task_name"), "algorithm": ("model_id", "estimator"), "run": ("cv_fold",)},
    "none": {"problem": ("colA", "V1", "x"), "algorithm": ("colB", "V2", "y2"), "run": ("colD", "V4")},
}
"""Naming -> role -> names. The first name of each naming is the most usual one."""
UNSURE = frozenset(("Partition", "iteration", "stream", "task_name"))
"""Names whose table may also be refused."""
SCORES: dict[str, dict[str, tuple[str, ...]]] = {
    "accuracies": {
        "words": ("accuracy", "acc", "auc", "f1", "score", "value", "result", "Test accuracy"),
        "R": ("test.acc", "mean.accuracy", "AUC.score"),
        "tidymodels": (".estimate",),
        "weka": ("Kappa_statistic", "Area_under_ROC"),
        "mlr3": ("classif.acc", "classif.auc"),
        "keel": ("Accuracy",),
        "moa": ("Kappa Statistic",),
        "sktime": ("accuracy_score",),
    },
    "percents": {
        "words": ("accuracy", "Accuracy (%)", "score", "pass rate"),
        "R": ("acc.percent",),
        "weka": ("Percent_correct",),
        "moa": ("classifications correct (percent)",),
    },
    "errors": {
        "words": ("error", "rmse", "loss", "mae", "error_rate", "score"),
        "R": ("test.error", "rmse.mean"),
        "tidymodels": (".estimate",),
        "weka": ("Root_mean_squared_error",),
        "mlr3": ("classif.ce", "regr.rmse"),
        "sktime": ("MeanSquaredError",),
    },
    "times": {
        "words": ("time", "runtime", "seconds", "cpu_time", "Wall time (s)"),
        "R": ("elapsed.time",),
        "weka": ("Elapsed_Time_training",),
        "mlr3": ("time_train",),
        "moa": ("evaluation time (cpu seconds)",),
    },
    "counts": {"words": ("makespan", "cost", "objective", "fbest", "tour_length", "score")},
    "right or wrong": {"words": ("correct", "score", "is_correct", "exact_match")},
}
SCORES["percent signs"] = SCORES["percents"]
SCORES["truth values"] = SCORES["right or wrong"]
LOWER = ("errors", "times", "counts")
FRACTIONS = ("accuracies", "percents", "errors", "times", "percent signs")
FIXED: dict[str, dict[str, str]] = {
    "tidymodels": {".metric": "{metric}", ".estimator": "standard", ".config": "pre0_mod0_post0"},
    "mlr3": {"resampling_id": "cv"},
    "weka": {"Key_Scheme_version_ID": "-3705265419614"},
}
"""Columns of a program that hold the same in every row of a long table."""

# Names of problems and algorithms, and the scores that they have.


@dataclass(frozen=True, slots=True)
class Field:
    problems: tuple[str, ...]
    algorithms: tuple[str, ...]
    kinds: tuple[str, ...]


def _split(names: str) -> tuple[str, ...]:
    return tuple(names.split())


FIELDS = {
    "learning": Field(
        _split("abalone iris wine glass heart sonar vehicle yeast ecoli pima letter segment vowel zoo german"),
        ("SVM", "kNN", "Random Forest", "XGBoost", "Naive Bayes", "MLP", "LightGBM", "C4.5"),
        ("accuracies", "percents", "errors", "percent signs", "times"),
    ),
    "archive": Field(
        _split("ACSF1 Adiac ArrowHead Beef BeetleFly Car CBF Coffee Computers Earthquakes FaceAll Fish Fungi GunPoint"),
        ("ROCKET", "HC2", "InceptionTime", "DTW", "ours", "ours (no pooling)"),
        ("accuracies", "errors"),
    ),
    "functions": Field(
        tuple(f"F{i}" for i in range(1, 21)),
        ("PSO", "CMA-ES", "L-SHADE", "Jaya", "DE/rand/1", "ABC-v2"),
        ("errors", "times"),
    ),
    "instances": Field(
        _split("ta001 ta002 ta003 ta011 ta012 ta021 ft06 ft10 la01 la16 la21 abz5 abz7 swv01 yn1 orb03"),
        ("CPLEX", "Gurobi", "tabu", "greedy", "ALNS", "HGS-CVRP"),
        ("counts", "times"),
    ),
    "games": Field(
        _split("Alien Amidar Asterix Breakout Enduro Freeway Frostbite Gopher Hero Pong Qbert Seaquest Venture Zaxxon"),
        ("DQN", "PPO", "Rainbow", "A2C", "DreamerV3"),
        ("errors", "counts"),
    ),
    "models": Field(
        ("MMLU", "ARC-C", "HellaSwag", "TruthfulQA", "GSM8K", "Winogrande", "BBH", "IFEval", "GPQA", "PIQA", "MATH"),
        ("llama-3-8b", "mistral-7b", "qwen2-7b", "gemma-2-9b", "our model", "phi-3"),
        ("accuracies", "percents", "percent signs"),
    ),
    "questions": Field(
        tuple(f"q{i:03d}" for i in range(1, 41)),
        ("base", "tuned", "gpt-4o", "claude-3", "llama-3-8b"),
        ("right or wrong", "truth values", "accuracies"),
    ),
    "plain": Field(
        _split("north south hill lake wood field stone river dune marsh cliff fen moor glen tarn ridge"),
        ("A", "B", "alpha", "beta", "new", "old", "Smith et al. (2020)"),
        ("accuracies", "errors", "times", "counts"),
    ),
    "numbered": Field(
        tuple(map(str, range(1, 31))), ("SVM", "kNN", "new", "old", "ours"), ("accuracies", "errors", "counts")
    ),
}


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    values: tuple[Any, ...]
    role: str  # problem, algorithm, run, score, scores (of one algorithm or problem), fixed, added
    kind: str = ""  # of one that was added


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Columns, and what they mean: ``cells[problem, algorithm]`` holds the score of each run."""

    seed: int
    layout: str  # wide; turned: a row per algorithm; long
    naming: str
    kind: str
    columns: tuple[Column, ...]
    keys: tuple[Key, ...]
    cells: Mapping[tuple[str, str], Mapping[str, float]]
    sure: bool  # names say what each key column is
    nameless: bool = False  # no column names the problems
    missing: bool = False

    @property
    def better(self) -> str:
        return "lower" if self.kind in LOWER else "higher"

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def added(self) -> Column | None:
        return next((column for column in self.columns if column.role == "added"), None)

    def without_added(self) -> Table:
        return replace(self, columns=tuple(column for column in self.columns if column.role != "added"))

    def with_column(self, column: Column, at: int) -> Table:
        return replace(self, columns=(*self.columns[:at], column, *self.columns[at:]))

    def with_rows(self, rows: Sequence[int]) -> Table:
        columns = tuple(replace(c, values=tuple(c.values[i] for i in rows)) for c in self.columns)
        return replace(self, columns=columns, keys=tuple(self.keys[i] for i in rows))

    def with_columns(self, order: Sequence[int]) -> Table:
        return replace(self, columns=tuple(self.columns[j] for j in order))

    def restricted(self, problems: Sequence[str], algorithms: Sequence[str], runs: Sequence[str]) -> Table:
        """To some problems, algorithms and runs."""
        some = ({*problems, ""}, {*algorithms, ""}, {*runs, ""})
        rows = [i for i, key in enumerate(self.keys) if all(map(set.__contains__, some, key))]
        names = some[self.layout == "wide"]
        part = self.with_rows(rows)
        cells = {
            key: {run: x for run, x in own.items() if run in some[2]}
            for key, own in self.cells.items()
            if all(map(set.__contains__, some, key))
        }
        columns = [column for column in part.columns if column.role != "scores" or column.name in names]
        for j, column in enumerate(columns):
            if column.kind == "counter":
                columns[j] = replace(column, values=self.columns[self.names.index(column.name)].values[: len(rows)])
        return replace(part, columns=tuple(columns), cells=cells)

    def renamed(self, names: Mapping[str, str]) -> Table:
        """``names``: role -> the column's new name."""
        return replace(self, columns=tuple(replace(c, name=names.get(c.role, c.name)) for c in self.columns))


def one(rng: Rng, some: Sequence[Any]) -> Any:
    return some[int(rng.integers(len(some)))]


def known_table(seed: int) -> Table:
    """The table of a seed."""
    rng = np.random.default_rng(seed)
    field = FIELDS[one(rng, (*FIELDS, "questions"))]
    layout = one(rng, ("wide", "wide", "wide", "turned", "long", "long", "long"))
    kind = one(rng, field.kinds)
    k = int(rng.integers(2, min(6, len(field.algorithms) + 1)))
    n = int(rng.integers(6, min(21, len(field.problems) + 1)))
    problems = [field.problems[i] for i in sorted(rng.permutation(len(field.problems))[:n])]
    if field is FIELDS["numbered"]:
        problems = list(field.problems[:n])
    algorithms = [field.algorithms[j] for j in rng.permutation(len(field.algorithms))[:k]]
    runs = int(rng.integers(2, 5)) if layout == "long" and rng.random() < 0.4 else 1
    if kind in ("right or wrong", "truth values") or layout != "long":
        runs = 1
    scores = scores_of(rng, kind, n, k, runs)
    if layout == "long":
        return _long(seed, rng, kind, problems, algorithms, scores)
    return _wide(seed, rng, kind, layout, problems, algorithms, scores[:, :, 0])


def scores_of(rng: Rng, kind: str, n: int, k: int, runs: int) -> Any:
    """(n, k, runs) objects, as they are written."""
    difficulty = rng.normal(0, 1, (n, 1, 1))
    noise = 0.25 * rng.normal(0, 1, (n, k, 1)) + 0.2 * rng.normal(0, 1, (1, k, 1))
    level = difficulty + noise + 0.05 * rng.normal(0, 1, (n, k, runs))
    share = 0.6 + 0.35 / (1 + np.exp(-level))
    if kind == "accuracies":
        values = share.round(int(rng.integers(3, 6)))
    elif kind in ("percents", "percent signs"):
        values = (100 * share).round(int(rng.integers(1, 4)))
    elif kind == "errors":
        values = (10 ** (one(rng, (-2, 0, 1)) - 0.5 * level)).round(5)
    elif kind == "times":
        values = (10 ** (1 + level)).round(3)
    elif kind == "counts":
        values = (1000 + 300 * level).round().clip(17).astype(int)
    else:
        values = (rng.random((n, k, runs)) < share).astype(int)
        values[0], values[1] = 0, 1  # no column has one value alone
        values[2, 0] = 1 - values[2, 0]
    if kind in FRACTIONS:
        values = np.where(values % 1 == 0, values + 0.125, values)  # no whole number among them
    if kind == "truth values":
        values = values.astype(bool)
    if kind == "percent signs":
        return np.vectorize(lambda x: f"{x}%", otypes=[object])(values)
    return values.astype(object)


def as_number(value: Any) -> float:
    """The score that a cell stands for."""
    if value is None:
        return math.nan
    return float(value.rstrip("%")) if isinstance(value, str) else float(value)


def _naming(rng: Rng, kind: str) -> str:
    """Of a table; not every program knows every kind of score."""
    naming = one(rng, ("words",) * 10 + ("R", "tidymodels", "weka", "mlr3", "keel", "moa", "sktime") + ("none",) * 3)
    return naming if naming == "none" or naming in SCORES[kind] else "words"


def _label(problems: Sequence[str], rng: Rng) -> Callable[[str], Any]:
    """How names of problems are written: numbers as numbers or as text."""
    numbers = all(map(str.isdecimal, problems)) and rng.random() < 0.7
    return int if numbers else str


def _wide(
    seed: int, rng: Rng, kind: str, layout: str, problems: list[str], algorithms: list[str], scores: Any
) -> Table:
    naming = _naming(rng, kind)
    turned = layout == "turned"
    role = "algorithm" if turned else "problem"
    if naming == "none" and turned:
        naming = "words"  # nothing would say which way round it is
    numbered = all(map(str.isdecimal, problems))
    if numbered and (naming == "none" or turned):
        naming, problems = "words", [f"case {name}" for name in problems]
    header = one(rng, (*KEYS[naming][role], *([""] if naming == "none" else [])))
    if numbered and header in UNSURE:
        header = "problem"  # rows in another order would be no counter
    rows, columns = (algorithms, problems) if turned else (problems, algorithms)
    block = scores.T if turned else scores
    missing = rng.random() < 0.03
    cells = {(p, a): {"": as_number(scores[i, j])} for i, p in enumerate(problems) for j, a in enumerate(algorithms)}
    if missing:
        block = block.copy()
        block[int(rng.integers(len(rows))), int(rng.integers(len(columns)))] = None
    of_scores = [Column(name, tuple(block[:, j].tolist()), "scores") for j, name in enumerate(columns)]
    nameless = not turned and not missing and rng.random() < 0.04
    written = _label(problems, rng) if not turned else str
    label = Column(header, tuple(map(written, rows)), role)
    return Table(
        seed=seed,
        layout=layout,
        naming="nameless" if nameless else naming,
        kind=kind,
        columns=tuple(of_scores if nameless else [label, *of_scores]),
        keys=tuple(("", name, "") if turned else (name, "", "") for name in rows),
        cells={(f"P{problems.index(p) + 1}", a): x for (p, a), x in cells.items()} if nameless else cells,
        sure=not nameless
        and not missing
        and header not in UNSURE
        and header != ""
        and not (turned and "F1" in columns),
        nameless=nameless,
        missing=missing,
    )


def _long(seed: int, rng: Rng, kind: str, problems: list[str], algorithms: list[str], scores: Any) -> Table:
    naming = _naming(rng, kind)
    runs = scores.shape[2]
    of_keys = "words" if naming == "none" else naming
    names = {role: one(rng, KEYS[of_keys][role]) for role in ("problem", "algorithm", "run")}
    names["score"] = one(rng, SCORES[kind][of_keys])
    if naming == "none":
        for role in ("problem", "algorithm", "run"):
            if rng.random() < 0.5:
                names[role] = one(rng, KEYS["none"][role])
        if rng.random() < 0.5:
            names["score"] = one(rng, ("colC", "V3", "zeta"))
    run_name: Callable[[int], Any] = (lambda r: f"Fold{r + 1:02d}") if rng.random() < 0.2 else (lambda r: r + 1)
    written = _label(problems, rng)
    places = [(i, j, r) for i in range(len(problems)) for j in range(len(algorithms)) for r in range(runs)]
    order = one(rng, ("by problem", "by problem", "by algorithm", "shuffled"))
    if order == "by algorithm":
        places.sort(key=lambda place: (place[1], place[0], place[2]))
    elif order == "shuffled":
        places = [places[i] for i in rng.permutation(len(places))]
    values = [scores[place] for place in places]
    missing = rng.random() < 0.03
    if missing:
        values[int(rng.integers(len(values)))] = None
    columns = [
        Column(names["problem"], tuple(written(problems[i]) for i, _, _ in places), "problem"),
        Column(names["algorithm"], tuple(algorithms[j] for _, j, _ in places), "algorithm"),
        *([Column(names["run"], tuple(run_name(r) for _, _, r in places), "run")] if runs > 1 else []),
        Column(names["score"], tuple(values), "score"),
    ]
    metric = "rmse" if kind in LOWER else "accuracy"
    fixed = FIXED.get(naming, {}) if rng.random() < 0.6 else {}
    columns += [Column(name, (text.format(metric=metric),) * len(places), "fixed") for name, text in fixed.items()]
    if rng.random() < 0.25:
        columns = [columns[j] for j in rng.permutation(len(columns))]
    cells: dict[tuple[str, str], dict[str, float]] = {}
    for i, j, r in places:
        run = str(run_name(r)) if runs > 1 else ""
        cells.setdefault((problems[i], algorithms[j]), {})[run] = as_number(scores[i, j, r])
    unsure = UNSURE | {name for own in KEYS["none"].values() for name in own}
    return Table(
        seed=seed,
        layout="long",
        naming=naming,
        kind=kind,
        columns=tuple(columns),
        keys=tuple((problems[i], algorithms[j], str(run_name(r)) if runs > 1 else "") for i, j, r in places),
        cells=cells,
        sure=not missing and unsure.isdisjoint(c.name for c in columns if c.role in ("problem", "algorithm", "run")),
        missing=missing,
    )
