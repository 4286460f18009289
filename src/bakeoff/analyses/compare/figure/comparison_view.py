"""A Comparison in rank order, as the diagrams need it. Nothing is recomputed: diagram, table and text agree."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.statistics import Comparison, catalogue
from bakeoff.analyses.compare.statistics.units import sample_phrase
from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.metrics import printable, shorten
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys
from bakeoff.figures.geometry.primitives import SMALL, Drawing, Item, Mark, Shape, Stroke
from bakeoff.numerals import as_rank, score
from bakeoff.posthoc import PAIR_TESTS
from bakeoff.report.methods import measured

Group = tuple[int, ...]  # positions in the ranking
BETTER, WORSE, ALIKE, UNKNOWN = 1, -1, 0, 2  # of the row's algorithm against the column's
_VERDICTS = {"a better": BETTER, "b better": WORSE, "cannot tell": UNKNOWN}  # others show no difference


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonView:
    """A comparison as a diagram needs it; everything indexed by position, the best first."""

    names: tuple[str, ...]
    labels: tuple[str, ...]  # the names as they can be drawn
    values: tuple[float, ...]  # mean ranks; where means are tested, those, or minus those where higher is better
    groups: tuple[Group, ...]  # of two or more, positions ascending
    verdicts: npt.NDArray[np.int8]  # (k, k), antisymmetric where decided
    control: int | None
    critical_difference: float | None
    comparison: Comparison

    @property
    def axis_title(self) -> str:
        """The words for a mean rank, or a mean."""
        c = self.comparison
        return f"mean {measured(c.scores)}" if c.by_means else catalogue.mean_rank(c.ranking)

    @property
    def sign(self) -> int:
        """The sign of the values as scores; 0: they are ranks."""
        return 0 if not self.comparison.by_means else 1 if self.comparison.scores.better == "lower" else -1

    def number(self, value: float) -> str:
        """A value as it is written."""
        return score(self.sign * value) if self.sign else as_rank(value)

    @property
    def k(self) -> int:
        return len(self.names)

    @property
    def n_pairs(self) -> int:
        """The number of pairs that were compared."""
        return self.k * (self.k - 1) // 2 if self.control is None else self.k - 1

    @property
    def decided(self) -> int:
        """The number of pairs that were declared different."""
        return int(np.count_nonzero(self.verdicts == BETTER))

    @property
    def undecidable(self) -> int:
        """The number of pairs that no outcome of this design could have declared different."""
        return int(np.count_nonzero(self.verdicts == UNKNOWN)) // 2


def comparison_view(comparison: Comparison) -> ComparisonView:
    """Read a Comparison; equal mean ranks (or means) stay in column order."""
    algorithms = comparison.scores.algorithms
    values = [float(x) for x in comparison.standing]
    order = sorted(range(len(values)), key=values.__getitem__)
    names = tuple(algorithms[j] for j in order)
    position = {name: i for i, name in enumerate(names)}
    groups = [tuple(sorted(position[name] for name in group)) for group in comparison.groups if len(group) > 1]
    ranks = tuple(values[j] for j in order)
    verdicts = _verdicts(comparison, position)
    control = None if comparison.control is None else position[comparison.control]
    cd = comparison.critical_difference
    drawn = None if cd is None or not _decides(cd, ranks, verdicts, control) else float(cd)
    return ComparisonView(
        names=names,
        labels=tuple(printable(name) for name in names),
        values=ranks,
        groups=tuple(sorted(groups)),
        verdicts=verdicts,
        control=control,
        critical_difference=drawn,
        comparison=comparison,
    )


def _verdicts(comparison: Comparison, position: dict[str, int]) -> npt.NDArray[np.int8]:
    table = np.zeros((len(position), len(position)), dtype=np.int8)
    for pair in comparison.pairs:
        a, b, verdict = position[pair.a], position[pair.b], _VERDICTS.get(pair.verdict, ALIKE)
        table[a, b] = verdict
        table[b, a] = -verdict if verdict in (BETTER, WORSE) else verdict
    return table


def _decides(cd: float, ranks: tuple[float, ...], verdicts: npt.NDArray[np.int8], control: int | None) -> bool:
    """Whether the verdicts are what the critical difference says.

    Not so where a recipe's omnibus test did not reject, or where no outcome could reach alpha.
    Rounding: a difference of mean ranks within 1e-9 of the critical one may fall on either side.
    """
    values = np.array(ranks)
    rows = slice(None) if control is None else slice(control, control + 1)
    distance = np.abs(values[rows, None] - values[None, :])
    decided = np.abs(verdicts[rows]) == 1
    return not bool(np.any((decided != (distance > cd)) & (np.abs(distance - cd) > 1e-9 * max(1.0, cd))))


def packed(groups: Sequence[Group], apart: Callable[[int, int], bool]) -> list[list[Group]]:
    """Groups in as few rows as a greedy pass needs; ``apart``: whether a group may follow one, by last and first."""
    rows: list[list[Group]] = []
    for group in groups:
        row = next((row for row in rows if apart(row[-1][-1], group[0])), None)
        if row is None:
            rows.append([group])
        else:
            row.append(group)
    return rows


def stretches(group: Group) -> list[tuple[int, int]]:
    """The group as runs of neighbours in the ranking, (first, last) each; one run if it is an interval."""
    runs: list[tuple[int, int]] = []
    for i in group:
        if runs and runs[-1][1] == i - 1:
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    return runs


def group_bars(
    view: ComparisonView, group: Group, runs: Sequence[tuple[float, float]], line: Callable[..., Stroke]
) -> list[Item]:
    """A bar over each run of members, and a thin dashed line between two; ``line`` draws from one end to the other."""
    hint = f"not shown to differ: {', '.join(view.labels[i] for i in group)}" if len(group) <= 30 else ""
    look: dict[str, Any] = {"about": tuple(view.names[i] for i in group), "hint": hint}
    bars = [line(*run, width=2.2, role="group", **look) for run in runs if run[1] > run[0]]
    gaps = [line(last, first, width=0.6, dashed=True, role="gap", **look) for (_, last), (first, _) in pairwise(runs)]
    return [*bars, *gaps]


def caption(view: ComparisonView) -> str:
    """Sizes, test, correction and level."""
    c, against = view.comparison, "" if view.control is None else f", each against {view.labels[view.control]}"
    sizes, test = f"{view.k} algorithms on {sample_phrase(c.scores, c.unit)}", PAIR_TESTS[c.pairwise].phrase
    # it compares what the axis shows
    on_axis = c.by_means or c.pairwise == {"friedman": "mean-ranks"}.get(c.ranking, c.ranking)
    correction = "a single comparison" if len(c.pairs) == 1 else catalogue.correction_of(c, c.primary).short
    decide = "; " if on_axis else "; pairs are decided by "
    text = f"{sizes}{decide}{test}{against}; {correction}, α\u00a0=\u00a0{c.alpha:g}."  # alpha on one line
    if any(step.passed is False for step in c.steps):
        text += " The omnibus test did not reject, so no pair is declared different."
    if view.control is None and view.decided == view.n_pairs:
        text += " All pairs differ." if view.k > 2 else " They differ."  # why no bar is drawn
    if view.undecidable:
        pairs = f"{view.undecidable} of {view.n_pairs} pairs"
        text += f" Cannot tell {pairs}: no outcome of this design could have reached α."
    return text


def title(view: ComparisonView) -> str:
    """One line naming the diagram."""
    how = "compared with each other" if view.control is None else f"compared with {view.labels[view.control]}"
    return f"{view.k} algorithms by {view.axis_title}, {how}"


def description(view: ComparisonView) -> str:
    """The diagram in words, for screen readers."""
    ranks = [
        f"{i + 1}. {name} {view.number(x)}" for i, (name, x) in enumerate(zip(view.labels, view.values, strict=True))
    ]
    parts = [f"{view.axis_title[0].upper()}{view.axis_title[1:]}, best first: {'; '.join(ranks)}."]
    if view.control is not None:
        parts += _against_control(view)
    elif view.groups and len(view.groups) <= 40:
        sets = [", ".join(view.labels[i] for i in group) for group in view.groups]
        parts.append(f"Not shown to differ: {'; '.join(sets)}.")
    else:
        parts.append(f"{view.decided} of {view.n_pairs} pairs differ.")
    if view.critical_difference is not None:
        parts.append(f"Critical difference {as_rank(view.critical_difference)}.")
    return " ".join([*parts, caption(view)])


def _against_control(view: ComparisonView) -> list[str]:
    assert view.control is not None
    sentences = []
    for verdict, (_, _, words) in WAYS.items():
        meets = view.verdicts[view.control] == verdict
        rows = [view.labels[i] for i in range(view.k) if i != view.control and meets[i]]
        if rows:
            sentences.append(f"{words.capitalize()} {view.labels[view.control]}: {', '.join(rows)}.")
    return sentences


# Marks for verdicts against a control, legend entries, and what stands around every diagram.


WAYS: dict[int, tuple[Shape, bool, str]] = {
    WORSE: ("up", True, "better than"),
    BETTER: ("down", True, "worse than"),
    ALIKE: ("circle", False, "not shown to differ from"),
    UNKNOWN: ("cross", True, "cannot be told apart from"),
}
"""The mark of a verdict of the control against another algorithm: its shape, whether it is filled, its words."""


def verdict_mark(view: ComparisonView, position: int, x: float, y: float, radius: float = 2.0) -> Mark:
    """The verdict on one algorithm against the control, coded by shape."""
    shape, filled, _ = _style(view, position)
    return Mark(x=x, y=y, shape=shape, filled=filled, radius=radius, role="verdict", about=(view.names[position],))


def _style(view: ComparisonView, position: int) -> tuple[Shape, bool, str]:
    assert view.control is not None
    if position == view.control:
        return "square", True, "control"
    shape, filled, words = WAYS[int(view.verdicts[view.control, position])]
    return shape, filled, f"{words} {shorten(view.labels[view.control], 90.0, SMALL)}"


def control_keys(view: ComparisonView) -> list[Key]:
    """The marks in use, in the order control, better, worse, undecided; and the interval around the control."""
    shapes: tuple[Shape, ...] = ("square", *(shape for shape, _, _ in WAYS.values()))
    used = sorted({_style(view, i) for i in range(view.k)}, key=lambda style: shapes.index(style[0]))
    keys = [
        Key(words=words, mark=Mark(x=0, y=0, shape=shape, filled=filled, role="key")) for shape, filled, words in used
    ]
    return keys if view.critical_difference is None else [*keys, Key(words="control ± CD", bar="interval")]


def group_keys(view: ComparisonView) -> list[Key]:
    """The legend of the bars, and of their dashes where there are any."""
    if not view.groups:
        return []
    broken = any(len(stretches(group)) > 1 for group in view.groups)
    return [
        Key(words="joined: not shown to differ" + (" (dashed: skips those between)" if broken else ""), bar="group")
    ]


def comparison_drawing(
    form: str, view: ComparisonView, items: list[Item], keys: list[Key], y: float, width: float, more: str = ""
) -> Drawing:
    """The drawing of ``items``, with legend and caption (and ``more``) from ``y`` downwards."""
    legend, below = draw_keys(keys, y, width)
    return captioned(
        items + legend, caption(view) + more, below, width, form=form, title=title(view), description=description(view)
    )
