"""Folders of logs in the shapes of COCO and IOHprofiler, with runs that are made up."""

import json
from pathlib import Path

import numpy as np

FUNCTIONS = ("1", "2", "3")
DIMENSIONS = (2, 5)
INSTANCES = (1, 2)
BUDGET = 64


def _run(rng: np.random.Generator, rate: float) -> list[tuple[int, float]]:
    """Evaluations, and the best y at each, down to exactly 0 for the fast."""
    evaluations = [2**i for i in range(7)]
    scores = 10.0 ** (2 - rate * np.arange(7) * rng.uniform(0.7, 1.3))
    return [(n, 0.0 if y < 1e-9 else float(y)) for n, y in zip(evaluations, scores, strict=True)]


def coco_folder(root: Path, algorithm: str, rate: float, seed: int = 0) -> Path:
    rng = np.random.default_rng(seed)
    folder = root / algorithm
    for f in FUNCTIONS:
        (folder / f"data_f{f}").mkdir(parents=True)
        lines = []
        for d in DIMENSIONS:
            runs = [_run(rng, rate) for _ in INSTANCES]
            text = ""
            for run in runs:
                text += "% f evaluations | g evaluations | best noise-free fitness - Fopt (0) + sum g_i+ | more\n"
                text += "".join(f"{n} 0 {y:.10e} 0\n" for n, y in run)
            (folder / f"data_f{f}" / f"f{f}_DIM{d}.dat").write_text(text)
            ends = ", ".join(f"{i}:{BUDGET}|{run[-1][1]:.1e}" for i, run in zip(INSTANCES, runs, strict=True))
            lines += [
                f"suite = 'bbob', funcId = {f}, DIM = {d}, Precision = 1.000e-08, algId = '{algorithm}'",
                "% made up",
                f"data_f{f}/f{f}_DIM{d}.dat, {ends}",
            ]
        (folder / f"f{f}.info").write_text("\n".join(lines))
    return folder


def ioh_folder(root: Path, algorithm: str, rate: float, seed: int = 0, maximise: bool = False) -> Path:
    rng = np.random.default_rng(seed)
    folder = root / algorithm
    for f in FUNCTIONS:
        (folder / f"data_f{f}").mkdir(parents=True)
        scenarios = []
        for d in DIMENSIONS:
            text, runs = "", []
            for i in INSTANCES:
                run = _run(rng, rate)
                text += "evaluations raw_y\n" + "".join(f"{n} {y:.10e}\n" for n, y in run)
                runs.append({"instance": i, "evals": BUDGET, "best": {"evals": run[-1][0], "y": run[-1][1], "x": []}})
            (folder / f"data_f{f}" / f"DIM{d}.dat").write_text(text)
            scenarios.append({"dimension": d, "path": f"data_f{f}/DIM{d}.dat", "runs": runs})
        about = {
            "version": "0.3.22",
            "suite": "made up",
            "function_id": int(f),
            "function_name": f"F{f}",
            "maximization": maximise,
            "algorithm": {"name": algorithm, "info": ""},
            "scenarios": scenarios,
        }
        (folder / f"IOHprofiler_f{f}.json").write_text(json.dumps(about))
    return folder
