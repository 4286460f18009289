"""Do the runs of two algorithms belong together, by their identifiers?"""

import numpy as np

from bakeoff.errors import ScoreError
from bakeoff.scores._scores import Scores


def ids_of(scores: Scores, row: int, column: int) -> list[str] | None:
    """Of the runs of one cell, in their order; None where they are not all known and different."""
    if scores.run_ids is None:
        return None
    names = scores.run_ids[row, column, : int(scores.n_runs[row, column])].tolist()
    return names if None not in names and len(set(names)) == len(names) else None


def unpaired_problems(scores: Scores) -> list[int]:
    """Rows on which two algorithms have different runs: of equally many, or such that neither has all of the other's.

    Of resamples (``run_kind="split"``) also a lacking one counts.
    """
    ids = scores.run_ids
    if ids is None:
        return []
    alike = np.asarray((ids == ids[:, :1]).all(axis=(1, 2)))
    return [i for i in np.flatnonzero(~alike).tolist() if _differ(scores, i)]


def _differ(scores: Scores, row: int) -> bool:
    cells = [ids_of(scores, row, j) for j in range(scores.n_algorithms)]
    known = [set(cell) for cell in cells if cell]
    if scores.run_kind == "split":
        return any(one != known[0] for one in known)
    return any(not (one <= other or other <= one) for one in known for other in known)


def matching_order(scores: Scores, row: int, pair: tuple[int, int]) -> list[int] | None:
    """The runs of b in the order of a's, by their identifiers; None where these are not known."""
    first, second = (ids_of(scores, row, j) for j in pair)
    if first is None or second is None:
        return None
    if set(first) != set(second):
        lacking = next(x for x in [*first, *second] if x not in second or x not in first)
        a, b = (scores.algorithms[j] for j in pair)
        raise ScoreError(
            f"has unpaired runs: on problem {scores.problems[row]!r} only one of {a!r} and {b!r} has "
            f"the run {lacking!r}. Give both the same folds or seeds, or use a procedure for independent runs",
            parameter="scores",
        )
    place = {name: at for at, name in enumerate(second)}
    return [place[name] for name in first]
