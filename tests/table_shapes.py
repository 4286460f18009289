"""Tables in the shapes that people use, made from a seed, each with what it means."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

DATASETS = ["abalone", "iris", "wine", "zoo", "glass", "heart", "sonar", "vehicle", "yeast", "ecoli", "pima", "letter"]
BENCHMARKS = [
    "MMLU",
    "ARC-C (25-shot)",
    "HellaSwag",
    "TruthfulQA",
    "GSM8K",
    "Winogrande",
    "BBH",
    "IFEval",
    "GPQA",
    "PIQA",
]
PLAIN = [f"{w}{i}" for i, w in enumerate(("north", "south", "hill", "lake", "wood", "field", "stone", "river") * 3)]
KNOWN = ["SVM", "kNN", "Random Forest", "XGBoost", "Naive Bayes", "MLP", "LightGBM", "CatBoost", "AdaBoost", "Ridge"]
OURS = ["ours", "ours-small", "baseline", "Smith et al. (2020)", "v2.1", "Proposed", "A*", "GreedyX", "Zeta", "Omega"]
PROBLEM = ("problem", "dataset", "Dataset", "instance", "Function", "task", "Data set", "benchmark", "game", "env",
           "dataset_name", "Dataset ID", "workload")  # fmt: skip
ALGORITHM = ("algorithm", "Model", "method", "Classifier", "solver", "system", "agent", "framework", "Model name",
             "Pipeline", "method_id", "optimizer", "estimator")  # fmt: skip
SCORE = ("score", "value", "accuracy", "Accuracy (%)", "reward", "F1", "result", "total", "test_acc", "best")
RUN = ("run", "seed", "fold", "rep", "Trial")
MISSING = ("", "NA", "nan", "-", "N/A", "?", "null", "None")


@dataclass
class Made:
    """A table as text, and what it says: ``values[problem, algorithm]`` are its scores, of each run."""

    seed: int
    shape: str
    text: str
    values: dict[tuple[str, str], list[float]]
    features: list[str] = field(default_factory=list)


def made(seed: int) -> Made:
    """The table of a seed."""
    rng = np.random.default_rng(seed)
    return SHAPES[seed % len(SHAPES)](seed, rng)


def _one(rng: np.random.Generator, some: Sequence[str]) -> str:
    return str(some[int(rng.integers(len(some)))])


def _some(rng: np.random.Generator, names: Sequence[str], n: int) -> list[str]:
    return [names[i] for i in sorted(rng.permutation(len(names))[:n].tolist())]


def _names(rng: np.random.Generator) -> tuple[list[str], list[str]]:
    pool = (DATASETS, BENCHMARKS, PLAIN)[int(rng.integers(3))]
    problems = _some(rng, pool, int(rng.integers(5, 11)))
    if rng.random() < 0.2:
        problems = [str(i + 1) for i in range(len(problems))]
    algorithms = _some(rng, KNOWN if rng.random() < 0.5 else OURS, int(rng.integers(3, 7)))
    return problems, algorithms


def _scores(rng: np.random.Generator, n: int, k: int, runs: int = 1) -> np.ndarray:
    digits = int(rng.integers(2, 5))
    size = (1.0, 100.0, 3000.0)[int(rng.integers(3))]
    levels = rng.uniform(0.3, 0.8, (n, 1, 1)) + rng.normal(0, 0.05, (1, k, 1)) + rng.normal(0, 0.03, (n, k, runs))
    return np.round(size * levels, digits)


def _written(rng: np.random.Generator, rows: list[list[str]], features: list[str]) -> str:
    """With some delimiter, line end and decimal sign."""
    european = rng.random() < 0.15
    delimiter = ";" if european else _one(rng, (",", ",", ";", "\t"))
    if rng.random() < 0.3 and any(map(_is_thousands, (cell for row in rows[1:] for cell in row))):
        features.append("thousands")
        rows = [
            rows[0],
            *([f"{float(cell):,}" if "." in cell and _is_number(cell) else cell for cell in row] for row in rows[1:]),
        ]
    elif not european and rng.random() < 0.1 and all(map(all, rows[1:])):
        features.append("spaces")
        delimiter = " "
    if european:
        features.append("european")
        rows = [rows[0], *([_with_comma(cell) for cell in row] for row in rows[1:])]
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator=_one(rng, ("\n", "\r\n"))).writerows(rows)
    mark = "\ufeff" if rng.random() < 0.1 else ""
    return mark + out.getvalue()


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _is_thousands(cell: str) -> bool:
    return "." in cell and _is_number(cell) and float(cell) >= 1000


def _with_comma(cell: str) -> str:
    """With a decimal comma, and points between thousands."""
    plain = cell.replace(",", "") if cell[:1].isdigit() else cell
    return cell.translate(str.maketrans(".,", ",.")) if _is_number(plain) else cell


def _gaps(rng: np.random.Generator, cells: np.ndarray, features: list[str]) -> np.ndarray:
    """Some scores are words for missing ones."""
    shown = np.vectorize(repr, otypes=[object])(cells.astype(float))
    if rng.random() < 0.2:
        features.append("missing")
        flat = shown.reshape(-1)
        for at in rng.permutation(flat.size)[: int(rng.integers(1, 3))].tolist():
            flat[at] = _one(rng, MISSING)
        shown = flat.reshape(cells.shape)
    return shown  # type: ignore[no-any-return]


def _kept(shown: np.ndarray, problems: list[str], algorithms: list[str]) -> dict[tuple[str, str], list[float]]:
    def number(text: str) -> float:
        return float("nan") if text in MISSING else float(text)

    return {
        (p, a): [number(text) for text in shown[i, j].tolist()]
        for i, p in enumerate(problems)
        for j, a in enumerate(algorithms)
    }


def _wide(seed: int, rng: np.random.Generator) -> Made:
    """A row per problem, a column per algorithm; perhaps a summary below, a title above, or columns beside."""
    problems, algorithms = _names(rng)
    features: list[str] = []
    cells = _scores(rng, len(problems), len(algorithms))
    shown = _gaps(rng, cells, features)
    header = _one(rng, (*PROBLEM, "", "name"))
    rows = [[header, *algorithms], *([p, *shown[i, :, 0]] for i, p in enumerate(problems))]
    if rng.random() < 0.25 and "missing" not in features:
        features.append("summary row")
        summary = np.round(cells[:, :, 0].mean(axis=0), 2)
        rows.append([_one(rng, ("Average", "Mean", "Avg.", "average rank")), *map(repr, summary.tolist())])
    if rng.random() < 0.15:
        features.append("attribute")
        about = _one(rng, ("#instances", "n_features", "Size", "classes", "Year"))
        rows = [[row[0], about if i == 0 else str(100 + 7 * i), *row[1:]] for i, row in enumerate(rows)]
    if rng.random() < 0.15:
        features.append("comment")
        rows = [*rows[:1], *rows[1:]]
        text = "# results of the second experiment\n" + _written(rng, rows, features).lstrip("\ufeff")
    else:
        text = _written(rng, rows, features)
    return Made(seed, "wide", text, _kept(shown, problems, algorithms), features)


def _turned(seed: int, rng: np.random.Generator) -> Made:
    """A leaderboard: a row per algorithm."""
    problems, algorithms = _names(rng)
    features: list[str] = []
    shown = _gaps(rng, _scores(rng, len(problems), len(algorithms)), features)
    header = _one(rng, (*ALGORITHM, "name") if problems[0] in (*BENCHMARKS, *DATASETS) else ALGORITHM)
    rows = [[header, *problems], *([a, *shown[:, j, 0]] for j, a in enumerate(algorithms))]
    if rng.random() < 0.25 and "missing" not in features:
        features.append("average column")
        means = np.round([np.mean([float(x) for x in shown[:, j, 0]]) for j in range(len(algorithms))], 2)
        word = _one(rng, ("Average", "Avg", "Mean"))
        rows = [[*row, word if i == 0 else repr(float(means[i - 1]))] for i, row in enumerate(rows)]
    if rng.random() < 0.2:
        features.append("win rate")
        word = _one(rng, ("Mean win rate", "Win rate", "CO2 (kg)", "likes"))
        rows = [[*row, word if i == 0 else repr(0.1 * i)] for i, row in enumerate(rows)]
    if rng.random() < 0.2:
        features.append("place")
        rows = [["Rank" if i == 0 else str(i), *row] for i, row in enumerate(rows)]
    if rng.random() < 0.2:
        features.append("words beside")
        at = 2 if "place" in features else 1
        rows = [[*row[:at], "Organization" if i == 0 else f"lab {i % 3}", *row[at:]] for i, row in enumerate(rows)]
    if rng.random() < 0.2:
        features.append("attribute")
        rows = [[*row, "Params (M)" if i == 0 else str(5 * i)] for i, row in enumerate(rows)]
    return Made(seed, "turned", _written(rng, rows, features), _kept(shown, problems, algorithms), features)


def _long(seed: int, rng: np.random.Generator) -> Made:
    """A row per score, perhaps of several runs, with columns beside."""
    problems, algorithms = _names(rng)
    features: list[str] = []
    runs = int(rng.choice([1, 1, 3, 5]))
    shown = _gaps(rng, _scores(rng, len(problems), len(algorithms), runs), features)
    header = [_one(rng, PROBLEM), _one(rng, ALGORITHM), *([_one(rng, RUN)] if runs > 1 else []), _one(rng, SCORE)]
    if rng.random() < 0.15:
        features.append("settings")
        start = _one(rng, ("config/", "params.", "hparams."))
        header = [*(start + name for name in header[:-1]), header[-1]]
    first = 1 if rng.random() < 0.5 else 0
    rows = [
        [p, a, *([str(r + first)] if runs > 1 else []), shown[i, j, r]]
        for i, p in enumerate(problems)
        for j, a in enumerate(algorithms)
        for r in range(runs)
    ]
    if rng.random() < 0.3:
        features.append("shuffled")
        rows = [rows[i] for i in rng.permutation(len(rows)).tolist()]
    if rng.random() < 0.3:
        features.append("words beside")
        header, rows = [*header, "comment"], [[*row, f"node{i % 4}"] for i, row in enumerate(rows)]
    if rng.random() < 0.2:
        features.append("date")
        header, rows = ["date", *header], [[f"2024-01-{1 + i % 28:02}", *row] for i, row in enumerate(rows)]
    return Made(seed, "long", _written(rng, [header, *rows], features), _kept(shown, problems, algorithms), features)


def _run_columns(seed: int, rng: np.random.Generator) -> Made:
    """A row per problem and algorithm, a column per fold."""
    problems, algorithms = _names(rng)
    features: list[str] = []
    shown = _scores(rng, len(problems), len(algorithms), 5)
    word = _one(rng, ("", "fold", "run ", "Seed_", "split"))
    header = [_one(rng, PROBLEM), _one(rng, ALGORITHM), *(f"{word}{r}" for r in range(5))]
    rows = [[p, a, *map(repr, shown[i, j].tolist())] for i, p in enumerate(problems) for j, a in enumerate(algorithms)]
    text = _written(rng, [header, *rows], features)
    values = {(p, a): shown[i, j].tolist() for i, p in enumerate(problems) for j, a in enumerate(algorithms)}
    return Made(seed, "run columns", text, values, features)


def _metrics(seed: int, rng: np.random.Generator) -> Made:
    """A row per problem, algorithm and metric: that of the accuracy is meant."""
    problems, algorithms = _names(rng)
    features: list[str] = ["metric=accuracy"]
    shown = _scores(rng, len(problems), len(algorithms), 2)
    header = [_one(rng, PROBLEM), _one(rng, ALGORITHM), "metric", _one(rng, ("value", "score", "result"))]
    rows = [
        [p, a, metric, repr(float(shown[i, j, m]))]
        for i, p in enumerate(problems)
        for j, a in enumerate(algorithms)
        for m, metric in enumerate(("accuracy", "f1"))
    ]
    text = _written(rng, [header, *rows], features)
    values = {(p, a): [float(shown[i, j, 0])] for i, p in enumerate(problems) for j, a in enumerate(algorithms)}
    return Made(seed, "metrics", text, values, features)


def _two_measures(seed: int, rng: np.random.Generator) -> Made:
    """A row per problem and algorithm with a column per measure: that of the accuracy is meant."""
    problems, algorithms = _names(rng)
    features: list[str] = ["score=accuracy"]
    shown = _scores(rng, len(problems), len(algorithms), 2)
    other = _one(rng, ("f1", "train_time", "loss", "n_leaves", "std"))
    header = [_one(rng, PROBLEM), _one(rng, ALGORITHM), "accuracy", other]
    rows = [[p, a, *map(repr, shown[i, j].tolist())] for i, p in enumerate(problems) for j, a in enumerate(algorithms)]
    text = _written(rng, [header, *rows], features)
    values = {(p, a): [float(shown[i, j, 0])] for i, p in enumerate(problems) for j, a in enumerate(algorithms)}
    return Made(seed, "two measures", text, values, features)


def _several_keys(seed: int, rng: np.random.Generator) -> Made:
    """A problem is a function in a dimension."""
    _, algorithms = _names(rng)
    features: list[str] = []
    pairs = [(f, d) for f in ("sphere", "rastrigin", "levy") for d in ("2", "10", "30")]
    shown = _scores(rng, len(pairs), len(algorithms))
    first, second = _one(rng, ("function", "dataset")), _one(rng, ("dimension", "noise level", "horizon"))
    header = [first, second, _one(rng, ALGORITHM), _one(rng, SCORE)]
    rows = [[*pair, a, repr(float(shown[i, j, 0]))] for i, pair in enumerate(pairs) for j, a in enumerate(algorithms)]
    values = {("/".join(p), a): [float(shown[i, j, 0])] for i, p in enumerate(pairs) for j, a in enumerate(algorithms)}
    return Made(seed, "several keys", _written(rng, [header, *rows], features), values, features)


def _questions(seed: int, rng: np.random.Generator) -> Made:
    """A log of questions, numbered within their tasks."""
    _, models = _names(rng)
    features: list[str] = []
    header = ["task", _one(rng, ("question", "doc_id", "item", "question_id")), "model", _one(rng, ("score", "acc"))]
    values, rows = {}, []
    for task in ("arc", "boolq"):
        for q in range(6):
            for m in models:
                right = float(rng.integers(2))
                values[f"{task}/{q}", m] = [right]
                rows.append([task, str(q), m, repr(right)])
    return Made(seed, "questions", _written(rng, [header, *rows], features), values, features)


SHAPES: tuple[Callable[[int, np.random.Generator], Made], ...] = (
    _wide, _turned, _long, _wide, _turned, _long, _run_columns, _metrics, _two_measures, _several_keys, _questions,
)  # fmt: skip
