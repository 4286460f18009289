"""What a diagram shows, taken from the Comparison and put in rank order; nothing is computed anew.

The verdicts come from the pairs, the groups from the groups, the mean ranks from the mean ranks: so picture,
table and text cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bakeoff.comparison import catalogue
from bakeoff.figures.geometry.metrics import printable
from bakeoff.posthoc import PAIRWISE

if TYPE_CHECKING:
    from bakeoff.comparison import Comparison

BETTER, WORSE, ALIKE, UNKNOWN = 1, -1, 0, 2  # of the row's algorithm against the column's
_VERDICTS = {"a better": BETTER, "b better": WORSE, "no difference shown": ALIKE, "cannot tell": UNKNOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """A comparison as a diagram needs it; everything indexed by position, best mean rank first."""

    names: tuple[str, ...]
    labels: tuple[str, ...]  # the names as they can be drawn
    values: tuple[float, ...]  # mean ranks
    groups: tuple[tuple[int, ...], ...]  # of two or more, positions ascending
    verdicts: npt.NDArray[np.int8]  # (k, k), antisymmetric where decided
    control: int | None
    critical_difference: float | None
    ranking: str
    axis_title: str
    n_problems: int
    alpha: str
    correction: str
    test: str
    gate_closed: bool  # of a recipe: its omnibus test did not reject

    @property
    def k(self) -> int:
        return len(self.names)

    @property
    def n_pairs(self) -> int:
        """How many pairs were compared."""
        return self.k * (self.k - 1) // 2 if self.control is None else self.k - 1

    @property
    def decided(self) -> int:
        """How many pairs differ."""
        return int(np.count_nonzero(self.verdicts == BETTER))

    @property
    def undecidable(self) -> int:
        """How many pairs no outcome of this design could have decided."""
        return int(np.count_nonzero(self.verdicts == UNKNOWN)) // 2


def facts_of(comparison: Comparison) -> Facts:
    """Read a Comparison; equal mean ranks stay in column order."""
    algorithms = comparison.scores.algorithms
    values = [float(x) for x in comparison.mean_ranks]
    order = sorted(range(len(values)), key=values.__getitem__)
    names = tuple(algorithms[j] for j in order)
    position = {name: i for i, name in enumerate(names)}
    groups = [tuple(sorted(position[name] for name in group)) for group in comparison.groups if len(group) > 1]
    ranks = tuple(values[j] for j in order)
    verdicts = _verdicts(comparison, position)
    control = None if comparison.control is None else position[comparison.control]
    cd = comparison.critical_difference
    drawn = None if cd is None or not _decides(cd, ranks, verdicts, control) else float(cd)
    correction = catalogue.correction(comparison.primary).short
    return Facts(
        names=names,
        labels=tuple(printable(name) for name in names),
        values=ranks,
        groups=tuple(sorted(groups)),
        verdicts=verdicts,
        control=control,
        critical_difference=drawn,
        ranking=comparison.ranking,
        axis_title=catalogue.mean_rank(comparison.ranking),
        n_problems=comparison.scores.n_problems,
        alpha=f"{comparison.alpha:g}",
        correction="a single comparison" if len(comparison.pairs) == 1 else correction,
        test=PAIRWISE[comparison.pairwise].phrase,
        gate_closed=any(step.passed is False for step in comparison.steps),
    )


def _verdicts(comparison: Comparison, position: dict[str, int]) -> npt.NDArray[np.int8]:
    table = np.zeros((len(position), len(position)), dtype=np.int8)
    for pair in comparison.pairs:
        a, b, verdict = position[pair.a], position[pair.b], _VERDICTS[pair.verdict]
        table[a, b] = verdict
        table[b, a] = -verdict if verdict in (BETTER, WORSE) else verdict
    return table


def _decides(cd: float, ranks: tuple[float, ...], verdicts: npt.NDArray[np.int8], control: int | None) -> bool:
    """Whether the verdicts are what the critical difference says.

    They are not behind a recipe's closed gate, or where nothing can be told; the distance would then mislead.
    Rounding: a difference of mean ranks within 1e-9 of the critical one may fall on either side.
    """
    values = np.array(ranks)
    rows = slice(None) if control is None else slice(control, control + 1)
    distance = np.abs(values[rows, None] - values[None, :])
    decided = np.abs(verdicts[rows]) == 1
    return not bool(np.any((decided != (distance > cd)) & (np.abs(distance - cd) > 1e-9 * max(1.0, cd))))


def stretches(group: tuple[int, ...]) -> list[tuple[int, int]]:
    """The group as runs of neighbours in the ranking, (first, last) each; one run if it is an interval."""
    runs: list[tuple[int, int]] = []
    for i in group:
        if runs and runs[-1][1] == i - 1:
            runs[-1] = (runs[-1][0], i)
        else:
            runs.append((i, i))
    return runs


def number(value: float) -> str:
    """A mean rank as the diagrams print it."""
    return f"{value:.2f}"


def caption(facts: Facts) -> str:
    """Which test, correction, level and sizes: what a reader needs to know which differences are meant."""
    problems = "1 problem" if facts.n_problems == 1 else f"{facts.n_problems} problems"
    sizes = f"{facts.k} algorithms on {problems}"
    against = "" if facts.control is None else f", each against {facts.labels[facts.control]}"
    level = f"α\u00a0=\u00a0{facts.alpha}"  # on one line
    text = f"{sizes}; {facts.test}{against}; {facts.correction}, {level}."
    if facts.gate_closed:
        text += " The omnibus test did not reject, so no pair is declared different."
    if facts.control is None and facts.decided == facts.n_pairs:
        text += " All pairs differ." if facts.k > 2 else " They differ."  # why no bar is drawn
    if facts.undecidable:
        pairs = f"{facts.undecidable} of {facts.n_pairs} pairs"
        text += f" Cannot tell {pairs}: no outcome of this design could have reached α."
    return text


def title(facts: Facts) -> str:
    """One line naming the diagram."""
    how = "compared with each other" if facts.control is None else f"compared with {facts.labels[facts.control]}"
    return f"{facts.k} algorithms by {facts.axis_title}, {how}"


def description(facts: Facts) -> str:
    """The whole diagram in words, for a reader who cannot see it."""
    ranks = [f"{i + 1}. {name} {number(x)}" for i, (name, x) in enumerate(zip(facts.labels, facts.values, strict=True))]
    parts = [f"{facts.axis_title[0].upper()}{facts.axis_title[1:]}, best first: {'; '.join(ranks)}."]
    if facts.control is not None:
        parts += _against_control(facts)
    elif facts.groups and len(facts.groups) <= 40:
        sets = [", ".join(facts.labels[i] for i in group) for group in facts.groups]
        parts.append(f"Not shown to differ: {'; '.join(sets)}.")
    else:
        parts.append(f"{facts.decided} of {facts.n_pairs} pairs differ.")
    if facts.critical_difference is not None:
        parts.append(f"Critical difference {number(facts.critical_difference)}.")
    return " ".join([*parts, caption(facts)])


def _against_control(facts: Facts) -> list[str]:
    assert facts.control is not None
    control = facts.labels[facts.control]
    ways = (
        (WORSE, f"Better than {control}"),
        (BETTER, f"Worse than {control}"),
        (ALIKE, f"Not shown to differ from {control}"),
        (UNKNOWN, f"Cannot be told apart from {control}"),
    )
    sentences = []
    for verdict, words in ways:
        found = [
            facts.labels[i]
            for i in range(facts.k)
            if i != facts.control and facts.verdicts[facts.control, i] == verdict
        ]
        if found:
            sentences.append(f"{words}: {', '.join(found)}.")
    return sentences
