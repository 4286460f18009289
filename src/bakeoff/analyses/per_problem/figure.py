"""The probability, problem by problem, that a run of one algorithm beats one of another, with the verdict."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from bakeoff.analyses.per_problem.statistics import PerProblem, ProblemCell
from bakeoff.analyses.per_problem.statistics._per_problem import SIGNS
from bakeoff.figures.geometry.metrics import printable, short_labels, text_width
from bakeoff.figures.geometry.primitives import MEDIUM_MM, SMALL, Drawing, Width, width_of
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, check_first, draw_forest

_NAMES = 0.5  # of the width: names of problems and of algorithms
_IN_SENTENCE = 0.25  # of the width: a name within a sentence
_SIGN = 18.0  # points of a sign and a dash
_WORDS = {**SIGNS, "=": "open"}


def draw_per_problem(result: PerProblem, width_mm: Width) -> Drawing:
    """Draw each cell of one pair or of a control, else the two best of each problem."""
    pairs = [(pair.a, pair.b) for pair in result.pairs]
    several = len(pairs) > 1
    best = several and result.control is None
    cells = _two_best(result) if best else list(result.cells)
    place = {pair: i for i, pair in enumerate(pairs)}
    ordered = sorted(cells, key=lambda cell: (0 if best else place[cell.a, cell.b], -cell.a12))
    step = math.ceil(len(ordered) / LISTED)
    drawn, width = ordered[::step], width_of(width_mm, MEDIUM_MM)
    share = _words_share(drawn, width)
    room = (share * width - _SIGN) / (2 if best else 1) if several else _IN_SENTENCE * width
    algorithms = list(dict.fromkeys(name for pair in pairs for name in pair))
    texts, key = short_labels(algorithms, room, SMALL, bold=True)
    short = dict(zip(algorithms, texts, strict=True))
    names = ["the first", "the second"] if best else [short[name] for name in pairs[0]]
    if not best and several:
        names[1] = "the other"
    against = f"a run of {names[0]} beats one of {names[1]}"
    forest = Forest(
        rows=tuple(_row(cell, short, several, best) for cell in drawn),
        unit="probability that the first beats the second" if best else f"probability that {against}",
        caption=_caption(names, cells, best, step) + key + check_first(result.cautions),
        equal=0.5,
        reach=(-0.03, 1.03),
        column="against" if several and not best else "",
        widest=share,
        title="Problem by problem",
    )
    return draw_forest(forest, width_mm)


def _words_share(cells: Sequence[ProblemCell], width: float) -> float:
    """The share of the width that names of algorithms may take: more beside short names of problems."""
    longest = max(text_width(printable(cell.problem), SMALL, True) for cell in cells) / width
    return min(max(_NAMES - longest, 0.3), 0.45)


def _caption(names: Sequence[str], cells: Sequence[ProblemCell], best: bool, step: int) -> str:
    counts = Counter(cell.verdict for cell in cells)
    number = ", ".join(f"{_WORDS[sign]} {counts[sign]}" for sign in SIGNS if counts[sign])
    caption = (
        f"The probability that a run of {names[0]} beats one of {names[1]}, with ties counting one half. Filled and "
        f"bold: a difference is shown ({SIGNS['+']}: {names[0]} is better, {SIGNS['-']}: {names[1]} is); open: none is "
        f"shown; {SIGNS['?']}: too few runs to show any. In all: {number}."
    )
    if best:
        caption = f"On each problem the two with the best means, best first. {caption}"
    if step > 1:
        caption += f" Of {len(cells)} rows in this order, one in {step} is drawn."
    return caption


def _row(cell: ProblemCell, short: Mapping[str, str], several: bool, best: bool) -> ForestRow:
    words, shown = "" if cell.verdict == "=" else SIGNS[cell.verdict], cell.verdict in ("+", "-")
    if several:
        words += f" {short[cell.a]} – {short[cell.b]}" if best else f" {short[cell.b]}"
    return ForestRow(
        name=cell.problem, value=cell.a12, low=None, high=None, words=words.strip(), filled=shown, bold=shown
    )


def _two_best(result: PerProblem) -> list[ProblemCell]:
    """The cells of the best mean on each problem against the next one."""
    known = {(cell.problem, cell.a, cell.b): cell for cell in result.cells}
    names, best = result.scores.algorithms, []
    for problem, row in zip(
        result.scores.problems, np.argsort(result.scores.costs, axis=1, kind="stable"), strict=True
    ):
        a, b = (names[j] for j in row[:2].tolist())
        cell = known.get((problem, a, b))
        best.append(known[problem, b, a].turned if cell is None else cell)
    return best
