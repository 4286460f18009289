"""The page of docs/generate/power.py, from its stored studies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from page_command import table

from bakeoff.wings.study import KnownTruth, PowerStudy
from bakeoff.wings.study.analysis.figure import FAMILIES
from bakeoff.wings.study.analysis.reporting.power import LOOKS
from bakeoff.wings.study.many_tables.procedures import TESTS
from bakeoff.wings.study.power_measures import PowerRow

Studies = Mapping[str, PowerStudy | KnownTruth]
TABLES = {"garcia": "García", "derrac": "Derrac", "demsar": "Demšar"}
MARGIN = 2.0  # standard errors of a difference


def figure_name(name: str, family: str) -> str:
    return f"power-{name}-{family}.svg"


def parts(studies: Studies, drawn: Sequence[tuple[str, str]]) -> dict[str, str]:
    """By the names of the marks in the page."""
    return {
        "procedures": procedures(),
        **{name: rejections(studies, name) for name in TABLES},
        "figures of garcia": figures(studies, [pair for pair in drawn if pair[0] == "garcia"]),
        "sentences": sentences(studies),
        "known truth": known_truth(studies),
        "other figures": figures(studies, [pair for pair in drawn if pair[0] != "garcia"]),
        **{f"same error, {name}": same_error(truth_study(studies, name)) for name in TRUTHS},
        **reading(studies),
    }


# --- text and numbers -------------------------------------------------------------------------------------------------


def percent(count: int | None, draws: int) -> str:
    return "–" if count is None else f"{100 * count / draws:.1f}"


def power_study(studies: Studies, name: str) -> PowerStudy:
    found = studies[name]
    assert isinstance(found, PowerStudy)
    return found


def truth_study(studies: Studies, name: str) -> KnownTruth:
    found = studies[name]
    assert isinstance(found, KnownTruth)
    return found


def procedures() -> str:
    rows = [(f"`{test.name}`", test.phrase, LOOKS[test.looks]) for test in TESTS.values()]
    return table(("name", "procedure", "looks at"), rows, words=3)


def about(study: PowerStudy | KnownTruth) -> str:
    drawn = f"{study.draws} draws of {study.size} of {study.drawn_from} problems"
    return f"{study.a} and {study.b}, {drawn}, {study.scores.n_algorithms} algorithms"


def rejections(studies: Studies, name: str) -> str:
    """Rejections in percent, then mean p at both ends, R(e) and R(p) at the first bias."""
    study = power_study(studies, name)
    first, last = study.bias[0], study.bias[-1]
    heads = ["procedure", "looks at", *(f"k = {k:g}" for k in study.bias)]
    heads += [f"mean p, k = {first:g}", f"k = {last:g}", f"R(e), k = {first:g}", "R(p)"]
    rows = []
    for test in study.tests:
        start, end = study.row(test, first), study.row(test, last)
        cells = [percent(study.row(test, k).rejections, study.draws) for k in study.bias]
        numbers = [f"{start.mean_p:.3f}", f"{end.mean_p:.3f}", f"{start.r_e:.2f}", f"{start.r_p:.2f}"]
        rows.append((TESTS[test].short, LOOKS[TESTS[test].looks], *cells, *numbers))
    worst = max(row.rejections_se for row in study.rows) / study.draws
    unit = "" if study.scale == 1.0 else f"; differences are divided by their standard deviation, {study.scale:.4g}"
    said = f"Rejections in percent, standard errors at most {100 * worst:.1f}{unit}.\n"
    return f"\n{about(study)}. {said}\n" + table(heads, rows, words=2)


def figures(studies: Studies, drawn: Sequence[tuple[str, str]]) -> str:
    lines = [
        f"![{about(studies[name])}: {FAMILIES[family]}](../figures/{figure_name(name, family)})\n"
        for name, family in drawn
    ]
    return "\n".join(lines)


# --- the papers' sentences ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """Whether a sentence holds on one table, and by which numbers."""

    holds: str  # "yes", "no", "same"
    numbers: str

    def __str__(self) -> str:
        return f"{self.holds}: {self.numbers}"


def total(
    study: PowerStudy, test: str, of: Callable[[PowerRow], float], error: Callable[[PowerRow], float]
) -> tuple[float, float]:
    """The sum over all biases, and its standard error (draws at different biases are independent)."""
    rows = [row for row in study.rows if row.test == test]
    return sum(of(row) for row in rows), math.sqrt(sum(error(row) ** 2 for row in rows))


def compared(study: PowerStudy, more: str, less: str, what: str = "rejections") -> Found:
    """Does ``more`` exceed ``less`` by more than two standard errors (as if the draws were not the same)?"""
    (x, x_error), (y, y_error) = (
        total(study, test, lambda row: float(getattr(row, what)), lambda row: float(getattr(row, f"{what}_se")))
        for test in (more, less)
    )
    n = len(study.bias)
    scale, digits = (100.0 / study.draws / n, 1) if what == "rejections" else (1.0 / n, 3)
    numbers = f"{x * scale:.{digits}f} against {y * scale:.{digits}f}" + (" %" if what == "rejections" else "")
    slack = MARGIN * math.hypot(x_error, y_error)
    return Found("yes" if x - y > slack else "no" if y - x > slack else "same", numbers)


def alike(study: PowerStudy, one: str, other: str) -> Found:
    """The same number of rejections but for five in a thousand."""
    x, y = (total(study, test, lambda row: row.rejections, lambda row: 0.0)[0] for test in (one, other))
    n = study.draws * len(study.bias)
    return Found("yes" if abs(x - y) <= 0.005 * n else "no", f"{100 * x / n:.1f} against {100 * y / n:.1f} %")


def at_first(study: PowerStudy, more: str, less: str) -> Found:
    rows = [study.row(test, study.bias[0]) for test in (more, less)]
    slack = MARGIN * math.hypot(*(row.rejections_se for row in rows))
    gap = rows[0].rejections - rows[1].rejections
    numbers = " against ".join(percent(row.rejections, study.draws) for row in rows) + " %"
    return Found("yes" if gap > slack else "no" if gap < -slack else "same", numbers)


def extreme(study: PowerStudy, test: str, others: Sequence[str], sign: int) -> Found:
    """Are its rejections the fewest (sign 1), or the most (-1)?"""
    counts = {
        name: sign * total(study, name, lambda row: row.rejections, lambda row: 0.0)[0] for name in (test, *others)
    }
    n = sign * study.draws * len(study.bias)
    nearest = min(others, key=counts.__getitem__)
    numbers = f"{100 * counts[test] / n:.1f} %, next {TESTS[nearest].short} {100 * counts[nearest] / n:.1f} %"
    return Found("yes" if counts[test] < counts[nearest] else "no", numbers)


def lowest_r_p(study: PowerStudy, test: str, others: Sequence[str]) -> Found:
    """At k = 0: does its p vary most between draws?"""
    values = {name: study.row(name, study.bias[0]).r_p for name in (test, *others)}
    nearest = min(others, key=values.__getitem__)
    numbers = f"R(p) {values[test]:.3f}, next {TESTS[nearest].short} {values[nearest]:.3f}"
    return Found("yes" if values[test] < values[nearest] else "no", numbers)


CONTROL = ("holm", "holland", "hochberg", "rom", "hommel", "finner", "li")
SENTENCES: tuple[tuple[Any, ...], ...] = (
    ("The Wilcoxon test is more likely to reject than the t-test.", "Demšar 4.2", compared, "wilcoxon", "t"),
    ("The t-test on relative differences is slightly weaker than that on absolute ones.", "Demšar 4.2",
     compared, "t", "t-relative"),
    ("The sign test is much weaker than the t-test.", "Demšar 4.2", compared, "t", "sign"),
    ("Judged by R(p), the Wilcoxon test is more replicable than the t-test.", "Demšar 4.2",
     compared, "wilcoxon", "t", "r_p"),
    ("At small k the Friedman test is stronger than ANOVA.", "Demšar 4.3", at_first, "friedman", "anova"),
    ("The Nemenyi test rejects more often than Tukey's.", "Demšar 4.3", compared, "nemenyi", "tukey"),
    ("Holm's and Hochberg's procedures give practically equal results.", "Demšar 4.3", alike, "holm", "hochberg"),
    ("The Bonferroni–Dunn test has the lowest power of all with a control.", "García 6.2",
     extreme, "bonferroni-dunn", CONTROL, 1),
    ("Holm and Holland behave the same.", "García 6.2", alike, "holm", "holland"),
    ("Hochberg and Rom behave the same.", "García 6.2", alike, "hochberg", "rom"),
    ("Hochberg has more power than Holm.", "García 6.2", compared, "hochberg", "holm"),
    ("Hommel has more power than Hochberg.", "García 6.2", compared, "hommel", "hochberg"),
    ("Finner has noticeably more power than Hommel.", "García 6.2", compared, "finner", "hommel"),
    ("Li's procedure is the most powerful with a control.", "García 6.2",
     extreme, "li", ("bonferroni-dunn", *CONTROL[:-1]), -1),
    ("Averaged over all pairs, Li's p can be larger than Bonferroni–Dunn's.", "García 6.2, Figure 3d",
     compared, "li", "bonferroni-dunn", "mean_p_all"),
    ("The Quade test rejects more often than Friedman's.", "García 6.1", compared, "quade", "friedman"),
    ("The Quade test rejects more often than aligned ranks.", "García 6.1", compared, "quade", "aligned"),
    ("With few algorithms, aligned ranks reject more often than Friedman's.", "García 6.1, Figure 4b",
     compared, "aligned", "friedman"),
    ("At k = 0, Quade's p varies most between draws of few problems (omnibus).", "García 6.3",
     lowest_r_p, "quade", ("friedman", "aligned")),
    ("The same of the pair's p after Holm's procedure.", "García 6.3",
     lowest_r_p, "quade-holm", ("holm", "aligned-holm")),
)  # fmt: skip
"""Each with its paper, the function that judges it on a table, and what that takes."""


def sentences(studies: Studies) -> str:
    columns = {**TABLES, "garcia, 6": "García, size 6"}
    rows = [
        (said, where, *(str(judge(power_study(studies, name), *given)) for name in columns))
        for said, where, judge, *given in SENTENCES
    ]
    return table(("sentence", "paper", *columns.values()), rows, words=2 + len(columns))


# --- known truth ------------------------------------------------------------------------------------------------------

TRUTHS = {"pair": "García, the pair equal", "three": "García, three equal", "all": "García, all equal"}
TRUTHS_DERRAC = {
    "derrac, pair": "Derrac, the pair",
    "derrac, eight": "Derrac, eight equal",
    "derrac, all": "Derrac, all equal",
}


def known_truth(studies: Studies) -> str:
    every = {**TRUTHS, **TRUTHS_DERRAC}
    rows = []
    for test in TESTS:
        cells = []
        for name in every:
            study = truth_study(studies, name)
            row = study.row(test, 0.0) if test in study.tests else None
            count = None if row is None else row.errors
            shown = percent(count, study.draws)
            cells.append(f"**{shown}**" if count is not None and too_many(count, study) else shown)
        rows.append((TESTS[test].short, *cells))
    return table(("procedure", *every.values()), rows) + exceeding(studies, every)


def too_many(count: int, study: KnownTruth) -> bool:
    """More than alpha by four standard errors."""
    n, alpha = study.draws, study.alpha
    return count > n * alpha + 4 * math.sqrt(n * alpha * (1 - alpha))


def exceeding(studies: Studies, every: Mapping[str, str]) -> str:
    found: dict[str, list[str]] = {}
    for name, label in every.items():
        study = truth_study(studies, name)
        for test in study.tests:
            errors = study.row(test, 0.0).errors
            if errors is not None and too_many(errors, study):
                found.setdefault(TESTS[test].short, []).append(f"{label} {percent(errors, study.draws)} %")
    if not found:
        return "\nNo procedure exceeds 5 % by four standard errors.\n"
    listed = "; ".join(f"{test} ({', '.join(where)})" for test, where in found.items())
    return f"\nBold: above 5 % by more than four standard errors. {listed}.\n"


def same_error(study: KnownTruth) -> str:
    """Power at shifts, as they come and at the same error."""
    tests = [test for test in study.tests if study.row(test, 0.0).at_size is not None]
    rows = []
    for test in tests:
        found = [study.row(test, shift) for shift in study.shift[1:]]
        cells = [f"{percent(r.power.rejections, study.draws)} / {percent(r.at_size, study.draws)}" for r in found]
        rows.append((TESTS[test].short, *cells))
    heads = ("procedure", *(f"shift {shift:g}" for shift in study.shift[1:]))
    return f"\n{about(study)}.\n\n{table(heads, rows)}\n{best(study, tests)}\n"


def best(study: KnownTruth, tests: Sequence[str]) -> str:
    """The order at the same error, at the shift where the best finds about half or more."""
    lines = []
    for looks, noun in (("pair", "Tests of the pair alone"), ("control", "With a control"), ("pairs", "All pairs")):
        group = [test for test in tests if TESTS[test].looks == looks]
        if not group:
            continue
        shift = next(
            (s for s in study.shift[1:] if max(study.row(t, s).at_size or 0 for t in group) >= study.draws / 2),
            study.shift[-1],
        )
        order = sorted(group, key=lambda t: -(study.row(t, shift).at_size or 0))
        shown = ", ".join(f"{TESTS[t].short} {percent(study.row(t, shift).at_size, study.draws)}" for t in order)
        lines.append(f"* {noun}, shift {shift:g}, at the same error: {shown}.")
    return "\n".join(lines) + "\n"


def reading(studies: Studies) -> dict[str, str]:
    """The numbers of what follows."""
    study, twenty = power_study(studies, "derrac"), power_study(studies, "derrac, 20")
    k = study.scores.n_algorithms
    pair, every = truth_study(studies, "pair"), truth_study(studies, "all")
    of_procedures: dict[str, str] = {}
    for test in ("li", "hommel"):
        shifted = every.row(test, 0.5)
        counts = {"errors": every.row(test, 0.0).errors, "found": shifted.power.rejections, "same": shifted.at_size}
        of_procedures |= {f"{test}_{name}": percent(count, every.draws) for name, count in counts.items()}
    shifts = [s for s in pair.shift if s > 0]
    same = all(pair.row("bayes-sign", s).at_size == pair.row("sign", s).at_size for s in shifts)
    return of_procedures | {
        "size": str(study.size),
        "size20": str(twenty.size),
        "k": str(k),
        "n_pairs": str(k * (k - 1) // 2),
        "compare": percent(study.row("compare", 0.0).rejections, study.draws),
        "compare20": percent(twenty.row("compare", 0.0).rejections, twenty.draws),
        "bayes": percent(pair.row("bayes-sign", 0.0).errors, pair.draws),
        "sign": percent(pair.row("sign", 0.0).errors, pair.draws),
        "order": "the two have the same power" if same else "the two differ little",
    }
