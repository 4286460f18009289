"""Tables made in the shapes that people use are read as they were meant: none is misread."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

TABLES = 300
Meant = dict[tuple[str, str], list[float]]


def meant(rng: np.random.Generator) -> Meant:
    """Problem and algorithm -> the scores of their runs, all different."""
    n, k, runs = int(rng.integers(3, 8)), int(rng.integers(2, 5)), int(rng.choice([1, 1, 3]))
    scores = iter(rng.permutation(n * k * runs) / 1000 + 0.3)
    return {
        (f"set {i}", "ABCDE"[j] * 2): [float(next(scores)) for _ in range(runs)] for i in range(n) for j in range(k)
    }


class Shape:
    """One way to write a table."""

    def __init__(self, rng: np.random.Generator, runs: int) -> None:
        self.sign = str(rng.choice([".", ".", ","]))
        self.mark = str(rng.choice([";", "\t"] if self.sign == "," else [",", ";", "\t"]))
        self.title = bool(rng.random() < 0.2)
        self.keys = bool(rng.random() < 0.3)  # the problem is named by two columns
        self.layout = str(rng.choice(["long", "files"] if runs > 1 else ["long", "wide", "turned", "files", "columns"]))
        self.spread = self.layout in ("wide", "turned") and bool(rng.random() < 0.2)
        self.words = str(rng.choice(["", "NA", "-", "TIMEOUT"])) if rng.random() < 0.3 else None
        self.run = str(rng.choice(["seed", "fold", "run"]))
        self.problem = str(rng.choice(["dataset", "problem", "task", "instance"]))
        self.algorithm = str(rng.choice(["model", "method", "solver", "algorithm"]))
        self.score = str(rng.choice(["accuracy", "score", "value"]))

    def number(self, x: float) -> str:
        text = self.words if np.isnan(x) and self.words is not None else f"{x:.4f}".replace(".", self.sign)
        return f"{text}±{text}" if self.spread and not np.isnan(x) else text

    def key(self, problem: str) -> list[str]:
        return problem.split(" ") if self.keys else [problem]

    def head(self) -> list[str]:
        return [self.problem, "size"] if self.keys else [self.problem]

    def write(self, path: Path, rows: list[list[str]]) -> Path:
        title = "Results of the experiment\n" if self.title else ""
        path.write_text(title + "".join(self.mark.join(row) + "\n" for row in rows), encoding="utf-8")
        return path


def files_of(shape: Shape, table: Meant, folder: Path) -> list[Path]:
    problems = list(dict.fromkeys(problem for problem, _ in table))
    algorithms = list(dict.fromkeys(algorithm for _, algorithm in table))
    runs = len(next(iter(table.values())))
    run = [shape.run] if runs > 1 else []

    def long(names: list[str], with_name: bool) -> list[list[str]]:
        head = [*shape.head(), *([shape.algorithm] if with_name else []), *run, shape.score]
        return [head] + [
            [*shape.key(p), *([a] if with_name else []), *([str(r)] if run else []), shape.number(table[p, a][r])]
            for p in problems
            for a in names
            for r in range(runs)
        ]

    if shape.layout == "long":
        return [shape.write(folder / "t.csv", long(algorithms, True))]
    if shape.layout == "files":
        return [shape.write(folder / f"{a}.csv", long([a], False)) for a in algorithms]
    if shape.layout == "columns":
        shape.keys = False
        return [
            shape.write(
                folder / f"part{j}.csv", [[shape.problem, a], *([p, shape.number(table[p, a][0])] for p in problems)]
            )
            for j, a in enumerate(algorithms)
        ]
    if shape.layout == "turned":
        shape.keys = False
        body = [[a, *(shape.number(table[p, a][0]) for p in problems)] for a in algorithms]
        return [shape.write(folder / "t.csv", [[shape.algorithm, *problems], *body])]
    body = [[*shape.key(p), *(shape.number(table[p, a][0]) for a in algorithms)] for p in problems]
    return [shape.write(folder / "t.csv", [[*shape.head(), *algorithms], *body])]


@pytest.mark.few(60)
@pytest.mark.parametrize("seed", range(TABLES))
def test_no_table_is_misread(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    table = meant(rng)
    shape = Shape(rng, len(next(iter(table.values()))))
    hole = list(table)[int(rng.integers(len(table)))]
    if shape.words is not None:
        table[hole][0] = float("nan")
    paths = files_of(shape, table, tmp_path)
    options: dict[str, Any] = {"missing": "keep"}
    if shape.keys:
        options["problem"] = f"{shape.problem},size"
    found = bo.read_scores(paths[0] if len(paths) == 1 else paths, "higher", **options)
    cells = found.values[:, :, None] if found.runs is None else found.runs
    assert {p.replace("/", " ") for p in found.problems} == {p for p, _ in table}
    assert set(found.algorithms) == {a for _, a in table}
    for (problem, algorithm), scores in table.items():
        i = [p.replace("/", " ") for p in found.problems].index(problem)
        read = cells[i, found.algorithms.index(algorithm)]
        wanted = sorted(round(x, 4) for x in scores if x == x)
        assert sorted(x for x in read.tolist() if x == x) == pytest.approx(wanted, abs=1e-12)
