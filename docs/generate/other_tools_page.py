"""The text of docs/trust/other-tools.md, around the stored numbers."""

from __future__ import annotations

import math
from typing import Any

Stored = dict[str, dict[str, dict[str, Any]]]

INTRODUCTION = """\
# Other tools' measured errors

autorank, scikit-posthocs, Orange, aeon, baycomp, critdd, STAC, scmamp and CAISEr made the tests of this field
something that everybody can run. Most of their numbers are right; bakeoff's tests compare itself with them to many
digits (`tests/oracles/test_migrate_peers.py`), and for each function [Changing over](../how-to/migrate.md) says
whether the number is the same. This page has the others: each with the release it was measured on, how far it is
off, when the same tool is right, and what to do without leaving it. A later release may have been mended.

Random tables: both programs get the same ones and take turns in going first; called with their defaults unless
options are shown. "here" is the function of that name in `bakeoff.migrate`, or `bo.compare`. ± is a standard error.
Measured again with `python docs/generate/other_tools.py --measure`; the numbers are in
[other-tools.json](other-tools.json).
"""

POSTHOCS = """\
## scikit-posthocs

{shares}

{versions}

* **Quade's test with `dist="normal"`**: too small a standard error. *Right:* the default, `dist="t"`, to the last
  digit. *There:* leave `dist` alone. Caution here:
  [`peer-standard-error`](../understand/cautions.md#peer-standard-error).
* **Conover's test, `p_adjust="single-step"`**: a studentized range with infinite degrees of freedom for an error
  that is estimated with (n − 1)(k − 1). *Right:* unadjusted and with `p_adjust="holm"`; for many problems the
  difference is small. *There:* `p_adjust="holm"`.
  [`peer-degrees-of-freedom`](../understand/cautions.md#peer-degrees-of-freedom).
* **Nothing is adjusted by default.** That is documented, and no error, but the matrix goes into figures as it is.
  The share "here" is with `p_adjust="holm"`, which scikit-posthocs has, too.
  [`uncorrected`](../understand/cautions.md#uncorrected).
* **Ties in mean ranks** (Nemenyi, Siegel, Miller, Demšar): the standard error of untied ranks. It errs on the safe
  side; it costs power, most of all with right-or-wrong scores. *Right:* without ties, to 1e-9. *There:*
  `posthoc_conover_friedman(…, p_adjust="holm")`, which takes account of ties.
  [`peer-ignores-ties`](../understand/cautions.md#peer-ignores-ties).
* **Missing scores in a long table** are not refused: on Demšar's table Nemenyi's p of C4.5 and C4.5+m+cf is {all},
  and without one of the 56 scores {without}, with no word about it. *There:* count rows × columns first. Here it is
  an error. (On the complete table it is {nemenyi_here} here: ties.)
* **Wilcoxon's tests** come from SciPy, whose `method="auto"` takes an approximation when differences are tied:
  {wilcoxon_there} for C4.5 and C4.5+m, exact {wilcoxon_here}. *Right:* without ties, exact to 50 problems.
  [`peer-normal-approximation`](../understand/cautions.md#peer-normal-approximation).
"""

AUTORANK = """\
## autorank

{shares}

{versions}

* **Two columns, not normal**: one-sided, in favour of the column whose median is larger in the same scores.
  *Right:* of three or more columns, and of two normal ones (t test, two-sided). *There:* double the p-value.
  [`peer-one-sided`](../understand/cautions.md#peer-one-sided).
* **Tukey's test as if columns were independent samples**, beside an analysis of variance with repeated measures:
  what problems have in common counts as error. With problems as unlike as here it finds next to nothing. *Right:*
  the omnibus test. *There:* `force_mode="nonparametric"`.
  [`peer-ignores-pairing`](../understand/cautions.md#peer-ignores-pairing).
* **The interval of a median** is too wide: 0.975 is asked for with two columns at α = 0.05. Safe, and loose.
  *There:* an interval of order statistics.
  [`peer-median-interval`](../understand/cautions.md#peer-median-interval).
* **`order="descending"`**, the default, which stands for "larger is better": the first row of `rankdf`, against
  which effects are computed, is the worst population. Of net_0 to net_2 with means 2 apart it is {there}; here
  {here}. The mean ranks beside them are right. *There:* read the table from below.
  [`peer-worst-first`](../understand/cautions.md#peer-worst-first).
* **`create_report`** prints p-values with three decimals ({zero}), and `latex_table` {escaped}.
* The Bayesian tables, effect sizes and critical differences are right (the last to four digits). That tests of
  normality choose the test is autorank's idea, not a slip; what it does to the level is in
  [`peer-pretest`](../understand/cautions.md#peer-pretest).
"""

AEON = """\
## aeon

{shares}

{versions}

Each pair is tested one-sided, in the direction that the mean ranks of the same scores show, at α/(k − 1); the name
of the option is `"holm"`. Behind Friedman's test that does no harm when all algorithms are alike. Beside one that
is clearly worse Friedman's test rejects, and too many of the others are parted. *Right:* the p-values of
`return_p_values=True`, as one-sided ones. *There:* double these p-values and adjust them.
[`peer-one-sided`](../understand/cautions.md#peer-one-sided).

`test="nemenyi"` looks its quantile up for one algorithm more than there are, so the critical difference is too
large: at α = 0.05 {quantiles} algorithms, and so on. It errs on the safe side. *There:* compare mean ranks with the
critical difference of scikit-posthocs' or Demšar's table.
[`peer-quantile`](../understand/cautions.md#peer-quantile).
"""

OTHERS = """\
## baycomp

{versions}

baycomp's probabilities are right: `two_on_single` agrees with ours to 1e-10, `two_on_multiple` within Monte Carlo
error. Two edges:

* **Differences of 0 without a rope** are not halves: of two identical vectors the first is better with probability
  {same_there}; {same_here} here. *There:* give a rope.
* **Sums of differences on the edge of the rope** count half, or by binary rounding. On Demšar's table (C4.5+m
  against C4.5) P(better) is {edge_there} there and {edge_here} here for a rope of 0.0119, 0.012 and 0.0121.
  *There:* a rope between two values that the scores can take.

## Orange

`compute_CD` and `graph_ranks` {orange}. The tables in 3.32.0, the last release on which we recorded them, have one
error, Demšar's misprint: 2.724 instead of 2.734 for nine algorithms, Bonferroni–Dunn, α = 0.05; a critical
difference 0.4 % too small. All other critical differences agree to the digits of the tables.
[`peer-misprint`](../understand/cautions.md#peer-misprint).

## Not measured here: scmamp, STAC, CAISEr, critdd

Two are R packages, STAC is a web service, and critdd was not installed. What follows is about formulas that
their documentation or papers name, tested with bakeoff's own option `standard_error="papers"`; we do not claim how
any release behaves.

{papers}

{paper_versions}

* **scmamp** (Calvo and Santafé, *The R Journal* 8(1), 2016) gives the tests of García et al. (2010). The printed
  standard error of aligned ranks is that of independent samples, and the printed one of Quade's ranks is off by (k
  − 1)/2 ([errata](errata.md#f17-variance-of-aligned-ranks) F17 and F18): the first finds too much with few
  algorithms, the second too little with many. *Right* in the papers, and
  reproduced here ([reproduction](reproduction.md)): z on mean ranks without ties (`friedmanPost` there), Shaffer's and
  Bergmann–Hommel's procedures.
  *There:* `test="wilcoxon"` in `postHocTest`.
* **STAC** (Rodríguez-Fdez et al., 2015) offers tests of aligned and of Quade's ranks after the same papers; what
  the printed formulas do is in the table.
* **CAISEr** (Campelo and Takahashi, 2019): the published experiments are reproduced
  ([reproduction](reproduction.md)). The standard error of percent differences, formula (15) of the paper, leaves
  out a covariance; `form="corrected"` here has it ([planning](../guides/planning.md)).
* **critdd** documents Wilcoxon's tests with Holm's or Bonferroni's procedure behind Friedman's test, which is what
  `bo.compare(scores, omnibus="friedman", posthoc="holm")` does. We know of no error. `reverse_x=True` has the best
  at the right.
"""

WHAT = {
    "quade normal 10 × 3": ("`posthoc_quade(x, dist=\"normal\")`, 10 × 3", "two that are alike: p ≤ 0.05", "≤ 0.05"),
    "quade normal 20 × 5": ("the same, 20 × 5", "", "≤ 0.05"),
    "quade normal 30 × 4": ("the same, 30 × 4", "", "≤ 0.05"),
    "conover single-step 6 × 4": (
        "`posthoc_conover_friedman(x, p_adjust=\"single-step\")`, 6 × 4", "all alike: some p ≤ 0.05", "≤ 0.05"),
    "conover default 20 × 5": ("`posthoc_conover_friedman(x)`, 20 × 5", "all alike: some p ≤ 0.05", "–"),
    "nemenyi right or wrong 60 × 4": (
        "`posthoc_nemenyi_friedman(x)`, 60 × 4", "scores 0 and 1, one right in 75 %, three in 50 %: found",
        "more is better"),
    "autorank two columns": ("`autorank(df, force_mode=\"nonparametric\")`, 20 × 2", "alike: p < 0.05", "≤ 0.05"),
    "autorank tukey": (
        "`autorank(df, force_mode=\"parametric\")`, 20 × 4",
        "one better by 1.5 standard deviations, problems unlike: intervals apart", "more is better"),
    "autorank median": (
        "`autorank(df, force_mode=\"nonparametric\")`, 20 × 2", "the interval has the median",
        "≥ 0.975, not much more"),
    "aeon alike 20 × 6": ("`plot_critical_difference(x, labels)`, 20 × 6", "all alike: some pair parted", "≤ 0.1"),
    "aeon one worse 20 × 6": ("the same, 20 × 6", "one much worse: some of the other five parted", "≤ 0.1"),
    "aeon alike 40 × 9": ("the same, 40 × 9", "all alike: some pair parted", "≤ 0.1"),
    "aeon one worse 40 × 9": ("the same, 40 × 9", "one much worse: some of the other eight parted", "≤ 0.1"),
    "printed aligned 30 × 3": ("aligned ranks, 30 × 3", "two that are alike: p ≤ 0.05", "≤ 0.05"),
    "printed aligned 30 × 5": ("the same, 30 × 5", "", "≤ 0.05"),
    "printed quade 30 × 5": ("Quade's ranks, 30 × 5", "two that are alike: p ≤ 0.05", "about 0.05"),
    "printed quade 30 × 10": ("the same, 30 × 10", "", "about 0.05"),
}  # fmt: skip
"""Setting -> the call, what is counted, what it should be."""


def share(count: int, tables: int) -> str:
    p = count / tables
    error = math.sqrt(max(p * (1 - p), 1 / tables) / tables)
    return f"{p:.3f} ± {error:.3f}"


def table(stored: Stored, tool: str, there: str = "there", here: str = "here") -> str:
    lines = [f"| call | share of tables | {there} | {here} | should be |", "|---|---|---|---|---|"]
    for name, (call, what, should) in WHAT.items():
        entry = stored["shares"][name]
        if entry["tool"] == tool:
            shown = (share(entry[which], entry["tables"]) for which in ("there", "here"))
            lines.append(f"| {call} | {what} | {' | '.join(shown)} | {should} |")
    return "\n".join(lines)


def versions(stored: Stored, tool: str) -> str:
    """Release, date, number of tables."""
    entries = [entry for entry in (*stored["shares"].values(), *stored["examples"].values()) if entry["tool"] == tool]
    releases = sorted({f"{tool} {entry['version']}, {entry['date']}" for entry in entries})
    tables = sorted({entry["tables"] for entry in entries if "tables" in entry})
    of = (
        f"; {' to '.join(str(n) for n in (tables[0], tables[-1])[: min(2, len(tables))])} tables each" if tables else ""
    )
    return f"Measured: {'; '.join(releases)}{of}. Normal scores unless the table says otherwise." if tables else (
        f"Measured: {'; '.join(releases)}."
    )  # fmt: skip


def page(stored: Stored) -> str:
    told = stored["examples"]
    first = told["first row"]
    edge = {key: ", ".join(f"{told['edge'][f'{key} {rope}']:.2f}" for rope in ("0.0119", "0.012", "0.0121"))
            for key in ("there", "here")}  # fmt: skip
    return "\n".join([
        INTRODUCTION,
        POSTHOCS.format(
            shares=table(stored, "scikit-posthocs"), versions=versions(stored, "scikit-posthocs"),
            all=told["nemenyi"]["all"], without=told["nemenyi"]["without"], nemenyi_here=told["nemenyi"]["here"],
            wilcoxon_there=told["wilcoxon"]["there"], wilcoxon_here=told["wilcoxon"]["here"],
        ),
        AUTORANK.format(
            shares=table(stored, "autorank"), versions=versions(stored, "autorank"),
            there=first["there"], here=first["here"],
            zero="a small one as p=0.000" if first["p=0.000"] else "no longer as p=0.000",
            escaped="leaves `_` in names as it is, which LaTeX stops at" if first["unescaped"] else "escapes names",
        ),
        AEON.format(
            shares=table(stored, "aeon"), versions=versions(stored, "aeon"), quantiles=quantiles(told["quantile"])
        ),
        OTHERS.format(
            versions=versions(stored, "baycomp"),
            same_there=told["identical"]["there"], same_here=told["identical"]["here"],
            edge_there=edge["there"], edge_here=edge["here"],
            orange=orange(told["compute_CD"]),
            papers=table(stored, "bakeoff", "as printed", "permutation"), paper_versions=versions(stored, "bakeoff"),
        ),
    ])  # fmt: skip


def orange(entry: dict[str, Any]) -> str:
    where = f"`Orange.evaluation` of Orange {entry['version']} ({entry['date']})"
    return f"are in {where}" if entry["compute_CD"] else f"are not in {where}"


def quantiles(entry: dict[str, Any]) -> str:
    """At 0.05, for few algorithms."""
    return "; ".join(f"{entry[f'there {k}']} instead of {entry[f'here {k}']} for {k}" for k in (3, 5, 10))
