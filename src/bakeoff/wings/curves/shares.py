"""What shares of problems are about: each problem counts the same, whatever tasks and clusters there are."""

from __future__ import annotations

from bakeoff.errors import counted
from bakeoff.means.run_means import CLAIMS, Over
from bakeoff.scores import Scores
from bakeoff.scores.clusters import Codes
from bakeoff.scores.design import Estimand


def of_shares(scores: Scores, what: str, counts: Codes, over: Over) -> Estimand:
    """``Share of problems solved over 25 problems of 2 tasks, each problem counting the same; 3 runs of each``.

    ``counts`` (n, k) of runs.
    """
    tasks, low, high = scores.design.task_names, int(counts.min()), int(counts.max())
    runs = [f"{counted(high, 'run') if low == high else f'{low} to {high} runs'} of each"] if high > 1 else []
    inner = scores.read_as.averaged
    runs += [f"each {'' if runs else 'score '}the mean over {', '.join(inner)}"] if inner else []
    return Estimand(
        weights="problems",
        what=what,
        over=counted(scores.n_problems, "problem") + (f" of {len(tasks)} tasks" if tasks else ""),
        runs=(", ".join(runs) + CLAIMS[over]).removeprefix(", "),
    )
