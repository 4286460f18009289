"""Runtimes in words, as the format-free Document, as JSON and as columns."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from operator import attrgetter

from bakeoff import numerals
from bakeoff.means.run_means import CLAIMS
from bakeoff.report import sections
from bakeoff.report.document import (
    ColumnSpec,
    DecidedOnly,
    Figure,
    Section,
    Table,
    Text,
    better_of,
    equal_column,
    interval_column,
    number_column,
    tabulate,
    text_column,
    two_names,
)
from bakeoff.report.methods import joined, problem_count, software, text
from bakeoff.report.reporting import SIZES, Columns, Reporting, Rows, sheet_columns
from bakeoff.wings.curves.runtimes.statistics import Runtimes, SolverPair, SolverSummary
from bakeoff.wings.curves.runtimes.statistics.results import Bracket


def order_shown(pair: SolverPair) -> bool:
    """Did the order show a difference?"""
    return pair.verdict in ("a better", "b better")


@sections.unless_one_process
def verdict(result: Runtimes) -> str:
    """Say who is faster on more problems than whom, and whether penalties agree."""
    return f"{_order(result)}{CLAIMS[result.over]}{_penalties(result)}."


def _order(result: Runtimes) -> str:
    if all(pair.verdict == "cannot tell" for pair in result.pairs):
        units = numerals.count(result.n_units, result.unit)
        return f"There is no verdict on the order: with {units} no outcome could show a difference at {result.alpha:g}"
    if len(result.pairs) == 1:
        return _one_pair(result, result.pairs[0])
    if result.control is not None:
        return _of_control(result, result.control)
    rows = sorted(result.estimates, key=lambda e: e.mean_rank)
    first = rows[0].algorithm
    others = len(rows) - 1
    beaten = [numerals.plain(p.b if p.a == first else p.a) for p in result.pairs if _won(p, first)]
    name = numerals.plain(first)
    rank = f"the best mean rank, {numerals.as_rank(rows[0].mean_rank)}"
    if not beaten:
        shown = sum(map(order_shown, result.pairs))
        differ = f"{len(result.pairs)} pairs {shown or 'none'} {'are' if shown > 1 else 'is'} shown to differ"
        return f"{name} has {rank}, but is not shown to be faster than any of the {others} others; of {differ}"
    return f"{name} has {rank}, and is faster {_where(result)} than {sections.of_others(beaten, others)}"


def _where(result: Runtimes) -> str:
    """The word for what the sign test counts."""
    return {"cluster": "in more clusters", "problem": "on more problems", "run": "in more pairs of runs"}[result.unit]


def _one_pair(result: Runtimes, pair: SolverPair) -> str:
    a, b, wins, losses = numerals.plain(pair.a), numerals.plain(pair.b), pair.wins, pair.losses
    units = (pair.units_won, pair.units_lost)
    if pair.verdict == "b better":
        a, b, wins, losses, units = b, a, losses, wins, units[::-1]
    counts = f"{wins} problems against {losses}, {pair.ties} tied"
    if result.unit == "cluster":
        counts = f"{units[0]} clusters against {units[1]}, {counts}"
    if result.unit == "run":
        counts = f"ahead by {numerals.in_percent(abs(pair.lead))} of them; {counts}"
    if order_shown(pair):
        return f"{a} is faster than {b} {_where(result)} ({counts}; p = {numerals.pvalue(pair.adjusted)})"
    return f"No difference shown in who is faster, {a} or {b} ({counts}; p = {numerals.pvalue(pair.adjusted)})"


def _of_control(result: Runtimes, name: str) -> str:
    better = [numerals.plain(p.b) for p in result.pairs if p.verdict == "a better"]
    worse = [numerals.plain(p.b) for p in result.pairs if p.verdict == "b better"]
    control, m = numerals.plain(name), len(result.pairs)
    if not better and not worse:
        return f"{control} is not shown to be faster or slower {_where(result)} than any of the {m} others"
    faster = f"faster than {sections.of_others(better, m)}" if better else ""
    slower = f"slower than {sections.of_others(worse, m)}" if worse else ""
    where = _where(result)
    return f"{where[0].upper()}{where[1:]}, {control} is {' and '.join(part for part in (faster, slower) if part)}"


def _won(pair: SolverPair, name: str) -> bool:
    return (pair.verdict == "a better" and pair.a == name) or (pair.verdict == "b better" and pair.b == name)


def _penalties(result: Runtimes) -> str:
    n = sum(pair.penalty_decides for pair in result.pairs)
    if not n:
        return ""
    if len(result.pairs) == 1:
        return "; the penalty of a timeout decides the comparison of penalised means"
    return f"; in {n} of {len(result.pairs)} pairs the penalty of a timeout decides the verdict"


def basis(result: Runtimes) -> str:
    """Name the evidence behind the verdict."""
    over = f", Holm over {numerals.count(len(result.pairs), 'pair')}" if len(result.pairs) > 1 else ""
    test = f"Exact sign test over {result.unit}s that are not tied"
    if result.unit == "run":
        test = "Brunner–Munzel t-test of pairs of runs within problems"
    return (
        f"{test} ({tie_rule(result, 'neither solved')}: tied){over}, "
        f"α = {result.alpha:g}; "
        f"{problem_count(result.scores)}; {cap_words(result)}; {_fewer(result)}."
    )


def tolerance_words(result: Runtimes) -> str:
    """The tolerance: ``1 s``, ``5 %``."""
    if isinstance(result.ties, str):
        return f"{result.ties.removesuffix('%')} %"
    unit = f" {numerals.plain(result.scores.unit)}" if result.scores.unit else ""
    return f"{result.ties:g}{unit}"


def tie_rule(result: Runtimes, unsolved: str) -> str:
    """Say where two algorithms tie on a problem."""
    return unsolved if result.ties is None else f"{unsolved}, or times within {tolerance_words(result)}"


def _fewer(result: Runtimes) -> str:
    """Name the direction, with the target where the logs of an optimizer were cut at one."""
    metric = result.scores.metric or ""
    return f"fewer {numerals.plain(metric)} are better" if metric.startswith("evals to ") else "less time is better"


def cap_words(result: Runtimes) -> str:
    """``cap 5000 s``."""
    unit = f" {numerals.plain(result.scores.unit)}" if result.scores.unit else ""
    if result.cap is None:
        return "no cap given"
    if isinstance(result.cap, tuple):
        return f"caps from {min(result.cap):g} to {max(result.cap):g}{unit}"
    return f"cap {numerals.score(result.cap)}{unit}"


def par_word(penalty: float) -> str:
    return f"PAR{penalty:g}"


def portfolio_words(result: Runtimes) -> list[str]:
    """The virtual best beside the single best."""
    best = result.portfolio
    total = result.scores.n_problems
    sentences = [
        f"The best algorithm on each problem, chosen afterwards, solves {count_of(best.solved)} of {total} problems."
    ]
    for k, value in best.par.items():
        single, name = best.single_best_par[k], numerals.plain(best.single_best[k])
        gap = f", {numerals.significant(single / value, 3)} times as much" if value > 0 else ""
        sentences.append(
            f"{par_word(k)} of this virtual best is {numerals.score(value)}; that of the single best, {name}, is "
            f"{numerals.score(single)}{gap}."
        )
    alone = [f"{numerals.plain(e.algorithm)} {e.only}" for e in result.estimates if e.only]
    if alone:
        sentences.append(f"Problems solved by only one algorithm: {', '.join(alone[:20])}.")
    if result.scores.runs is not None:
        sentences.append(
            "With several runs the virtual best has the smallest mean on each problem, which is too good by chance."
        )
    return sentences


def count_of(solved: float) -> str:
    """A whole number as one; a sum of shares of runs with a decimal."""
    return str(int(solved)) if float(solved).is_integer() else numerals.decimals(solved, 1)


def methods(result: Runtimes) -> Text:
    """The paragraph for a paper."""
    s, unit, over_runs = result.scores, result.unit, result.over == "runs"
    runs = ""
    if s.runs is not None and not over_runs:
        runs = (
            "Of several runs, the algorithm that is faster in most pairs of runs wins a problem, and times (after the "
            "penalty) are averaged within problems. "
        )
    equal = "" if result.ties is None else f"So do two solved runs whose times are within {tolerance_words(result)}. "
    level = numerals.percent(1 - result.alpha)
    of_clusters = " of the sums of clusters" if unit == "cluster" else ""
    varying = unit == "cluster" or (s.runs is not None and not over_runs)
    scores = f", with the variance of its scores over {unit}s" if varying else ""
    robust = ", robust to clusters [@mackinnon2023]" if unit == "cluster" else ""
    paragraph = (
        f"{numerals.count(s.n_algorithms, 'algorithm')} were run on {problem_count(s)} ({cap_words(result)}). Runs "
        f"without a solution within the cap are censored: two of them tie. {equal}{runs}"
    )
    logrank = f"The log-rank test, stratified by problem [@mantel1966]{scores}, is also reported. "
    paragraph += _tested_over_runs(logrank) if over_runs else (
        f"The exact sign test{of_clusters} [@dixonmood1946] tested which of two algorithms is faster. {logrank}"
        "Numbers of solved problems were compared by McNemar's test with the mid-p-value [@mcnemar1947]. "
    )  # fmt: skip
    if result.par:
        ks = ", ".join(par_word(k) for k in result.k)
        intervals = "intervals of t" if over_runs else (
            f"symmetric bootstrap-t intervals [@hall1988] of {result.n_resamples} bootstrap samples of the {unit}s, "
            "all algorithms together, and at least as wide as those of t"
        )  # fmt: skip
        paragraph += (
            f"Penalised average runtimes ({ks}: an unsolved run counts so many caps) were compared by "
            f"{'the same test' if over_runs else f'paired t-tests{robust}'}; the shifted geometric mean has shift "
            f"{result.shift:g}. Intervals of means are {level} {intervals}. "
        )
    if result.points is not None:
        paragraph += "Points of right and wrong answers are drawn as a score-based quantile plot [@beyer2013]. "
    if len(result.pairs) > 1:
        paragraph += (
            f"Over the {len(result.pairs)} pairs, Holm's procedure [@holm1979] at α = {result.alpha:g} was used for "
            "the order, and for each penalty by itself. "
        )
    paragraph += (
        f"Bands of the shares solved within a time hold for the whole curve of one algorithm. Their width is the "
        f"larger of the bootstrap's {level} quantile of the largest deviation and the bound of Dvoretzky, Kiefer and "
        "Wolfowitz [@massart1990]."
    )
    return joined(text(paragraph), software())


def _tested_over_runs(logrank: str) -> str:
    return (
        "The lead of an algorithm on a problem is the share of pairs of runs in which it is faster, less the share in "
        "which the other is. Leads were averaged over the problems, which were treated as fixed, and tested by t with "
        "errors from placements [@brunnermunzel2000] and Satterthwaite's degrees of freedom [@satterthwaite1946]. No "
        "p-value is below that of exchanging runs within problems, nor of equal signs of all runs. "
        f"{logrank}Welch's t-test [@welch1947] of the runs within problems compared the shares of solved runs. Where "
        "numbers of runs differ, all these errors are at least Student's. "
    )


def algorithms(result: Runtimes) -> Table:
    """A row per algorithm, the best mean rank first."""
    rows = sorted(result.estimates, key=lambda e: e.mean_rank)
    level = numerals.percent(1 - result.alpha)
    whole = all(e.solved.is_integer() for e in rows)
    solved = {e.algorithm: numerals.decimals(e.solved, 0 if whole else 1) for e in rows}
    alone = "It alone: problems that no other algorithm solved."
    shown: list[ColumnSpec[SolverSummary]] = [
        text_column("name", "algorithm", lambda e: numerals.plain(e.algorithm)),
        number_column("rank", "mean rank", lambda e: numerals.as_rank(e.mean_rank), strong=True),
        number_column("solved", "solved", lambda e: solved[e.algorithm]),
        number_column("timeouts", "timeouts", lambda e: str(e.ends.get("timeout", 0)), rank=4),
        number_column("others", "other failures", lambda e: str(_others(e)), rank=6),
        number_column("only", "it alone", lambda e: str(e.only), rank=3, legend=alone),
    ]
    if result.points is not None:
        shown.append(equal_column("points", "points", rows, lambda e: e.points or 0.0, rank=1))
    for at, k in enumerate(k for k in result.k if result.par):
        shown.append(equal_column(par_word(k), par_word(k), rows, partial(_par_of, k), rank=2 if at else 0))
    if result.sgm is not None:
        shown.append(equal_column("sgm", f"SGM{result.shift:g}", rows, lambda e: e.sgm or 0.0, rank=1))
        shown.append(interval_column("sgm-interval", f"{level} interval", rows, lambda e: e.sgm_interval, rank=7))
    note = f"Mean rank: 1 is the fastest; unsolved runs tie behind all solved ones. {alone}"
    if result.ties is not None:
        note += " Ranks count pairs: 1, one for each that is faster, and half for each that is equal."
    if result.par:
        note += f" PARk: mean time, an unsolved run counting k caps. SGM{result.shift:g}: shifted geometric mean."
    return tabulate("algorithms", "Algorithms, best mean rank first", shown, rows, note=note)


def _par_of(k: float, e: SolverSummary) -> float:
    return e.par[k]


def _others(e: SolverSummary) -> int:
    return sum(count for word, count in e.ends.items() if word not in ("ok", "timeout"))


def penalties(result: Runtimes) -> list[Table]:
    """A row per pair: who is better by the order, and at each penalty."""
    shown: list[ColumnSpec[SolverPair]] = [
        _pair_column(result),
        text_column("order", "order", lambda p: _verdict_text(p, p.verdict), wraps=True),
    ]
    shown += [_verdict_column(k) for k in result.k]
    over_runs = result.over == "runs"
    note = f"Order: who is faster {'in more pairs of runs' if over_runs else 'on more problems'}. "
    note += f"PARk: {'Welch' if over_runs else 'paired'} t-tests of means in which an unsolved run counts k caps. "
    if len(result.pairs) > 1:
        note += "Holm's procedure within each column."
    decides, title = attrgetter("penalty_decides"), "Verdicts side by side"
    tables = sections.split_by_decision(result.pairs, shown, decides, title, note.strip(), _deciding, DEPEND)
    return [replace(table, key=table.key.replace("pairs", "penalties")) for table in tables]


def _pair_column(result: Runtimes) -> ColumnSpec[SolverPair]:
    """The column of names; with a control a terminal lists every pair."""
    return text_column("a" if result.control is None else "pair", "pair", two_names, wraps=True)


DEPEND = DecidedOnly(
    title="Pairs in which the penalty decides", more="in which it does", rest="in which all verdicts agree"
)


def _deciding(n: int, deciding: bool) -> str:
    return f"The {n} pairs in which the penalty {'decides' if deciding else 'does not decide'}"


def _verdict_column(k: float) -> ColumnSpec[SolverPair]:
    return text_column(par_word(k), par_word(k), lambda p: _verdict_text(p, p.par_verdicts[k]), wraps=True)


def _verdict_text(pair: SolverPair, verdict: str) -> str:
    return "none shown" if verdict == "no difference shown" else better_of(pair, verdict)


def pairs(result: Runtimes) -> list[Table]:
    """A row per pair: tests that need no penalty."""
    over_runs = result.over == "runs"

    def p_column(key: str, title: str, of: str, rank: int = 0) -> ColumnSpec[SolverPair]:
        return number_column(key, title, lambda p: numerals.pvalue(getattr(p, of), None, result.alpha), rank=rank)

    shown: list[ColumnSpec[SolverPair]] = [
        _pair_column(result),
        number_column("counts", "faster/slower/tied", lambda p: f"{p.wins}/{p.losses}/{p.ties}", strong=True),
        p_column("pvalue", f"p ({'lead' if over_runs else 'sign'})", "pvalue", 1),
    ]
    if over_runs:
        shown.insert(2, number_column("lead", "lead", lambda p: numerals.in_percent(p.lead)))
    if result.unit == "cluster":
        shown.insert(2, number_column("clusters", "clusters", lambda p: f"{p.units_won}/{p.units_lost}"))
    if len(result.pairs) > 1:
        shown.append(p_column("adjusted", "adjusted p (Holm)", "adjusted"))
    shown += [
        equal_column("logrank", "log-rank χ²", result.pairs, lambda p: p.logrank, rank=5),
        p_column("logrank-p", "p (log-rank)", "logrank_pvalue", 4),
        number_column("only", "solved by one", lambda p: f"{p.only_a}/{p.only_b}", rank=2),
        p_column("mcnemar", f"p ({'solved' if over_runs else 'McNemar'})", "solved_pvalue", 3),
        text_column("verdict", "order", lambda p: _verdict_text(p, p.verdict), wraps=True),
    ]
    tied = tie_rule(result, "neither solved it")
    note = (
        f"Faster/slower/tied: problems on which the first is faster, or slower; tied where {tied}. Solved by one: "
        "problems that only the first, or only the second, solved. p of log-rank and "
        f"{'solved runs' if over_runs else 'McNemar'} are each pair's own."
    )
    if over_runs:
        note += " Lead: share of pairs of runs in which the first is faster, less that in which the second is."
    if result.ties is not None:
        note += " The log-rank test counts every difference of times."
    return sections.split_by_decision(result.pairs, shown, order_shown, "Order and solved problems", note)


def penalised_means(result: Runtimes) -> Table | None:
    """A row per pair and penalty."""
    if not result.par:
        return None
    alpha, interval = result.alpha, f"{numerals.percent(1 - result.alpha)} interval"
    rows = [(pair, k) for pair in result.pairs for k in result.k]
    shown: list[ColumnSpec[tuple[SolverPair, float]]] = [
        text_column("pair", "pair", lambda row: two_names(row[0]), wraps=True),
        text_column("penalty", "penalty", lambda row: par_word(row[1])),
        equal_column("difference", "difference", rows, lambda row: row[0].par_differences[row[1]], strong=True),
        interval_column("interval", interval, rows, lambda row: row[0].par_intervals[row[1]]),
        number_column("t", "p (t)", lambda row: numerals.pvalue(row[0].par_pvalues[row[1]], None, alpha)),
    ]
    note = (
        "Differences are positive where the first is better; at PAR1 they are differences of restricted mean times. "
        f"Intervals ({'t' if result.over == 'runs' else 'bootstrap'}) and p are for each pair by itself."
    )
    if result.over != "runs":
        shown.append(number_column("wilcoxon", "p (signed ranks)", _signed_ranks(alpha)))
        note += " Signed ranks depend on the penalty, too."
    folded, most = len(rows) > sections.WHOLE, sections.LISTED
    more = "rows are in JSON"
    return tabulate("means", "Penalised means", shown, rows, note=note, folded=folded, most=most, more=more)


def _signed_ranks(alpha: float) -> Callable[[tuple[SolverPair, float]], str]:
    return lambda row: numerals.pvalue(row[0].wilcoxon_pvalues[row[1]], None, alpha)


def hardness_table(result: Runtimes) -> Table | None:
    """A row per algorithm, a column per bracket."""
    if len(result.brackets) < 2:
        return None
    rows = sorted(result.estimates, key=lambda e: e.mean_rank)
    whole = all(float(x).is_integer() for bracket in result.brackets for x in bracket.solved.values())
    shown: list[ColumnSpec[SolverSummary]] = [text_column("name", "algorithm", lambda e: numerals.plain(e.algorithm))]
    for i, bracket in enumerate(result.brackets):
        title = f"{'all' if i == 0 else f'≥ {bracket.least:g}'} ({bracket.n_problems})"
        shown.append(number_column(f"bracket-{i}", title, partial(_in_bracket, bracket, whole), rank=i))
    what = f"SGM{result.shift:g} / problems solved" if result.sgm is not None else "Problems solved"
    note = (
        f"{what}, over problems that some algorithm solved and on which the slowest run took at least that long, or "
        "was not solved. Their number is in parentheses. All algorithms together choose the problems."
    )
    return tabulate("hardness", "By hardness", shown, rows, note=note)


def _in_bracket(bracket: Bracket, whole: bool, e: SolverSummary) -> str:
    solved = numerals.decimals(bracket.solved[e.algorithm], 0 if whole else 1)
    return f"{numerals.score(bracket.sgm[e.algorithm])} / {solved}" if bracket.sgm else solved


def _body(result: Runtimes) -> list[Section | None]:
    by_points = result.points is not None
    drawn = Figure(result, "Time to points" if by_points else "Share of problems solved within a time")
    portfolio = [("", sentence) for sentence in portfolio_words(result)]
    return [
        sections.figure("Time to points" if by_points else "Solved within a time", drawn, "solved-figure"),
        Section("algorithms", "Each algorithm", (algorithms(result),)),
        Section("penalties", "Verdicts by what a timeout counts", tuple(penalties(result))) if result.par else None,
        Section("pairs", "Who is faster, and who solves more", tuple(pairs(result))),
        sections.one_block("means", "Penalised means of pairs", penalised_means(result)),
        sections.one_block("hardness", "By hardness", hardness_table(result)),
        sections.points("portfolio", "Virtual best and single best", portfolio),
    ]


def _on_screen(result: Runtimes) -> tuple[str, ...]:
    """The pairs only if they are few, or nothing is said of them otherwise."""
    return ("algorithms", "penalties", *(sections.if_few(result.pairs) if result.par else ["pairs"]))


def _of_pairs(result: Runtimes) -> Columns:
    made = sheet_columns(
        result.pairs,
        *("a", "b", "wins", "losses", "ties", "pvalue", "adjusted", "verdict", "logrank", "logrank_pvalue"),
        *("only_a", "only_b", "mcnemar", "solved_pvalue", "lead", "sgm_ratio"),
    )
    for k in result.k if result.par else ():
        of_k = [
            (p.par_differences[k], *(p.par_intervals[k] or (None, None)), p.par_pvalues[k], p.par_verdicts[k])
            for p in result.pairs
        ]
        for i, name in enumerate(("difference", "low", "high", "pvalue", "verdict")):
            made[f"{par_word(k).lower()}_{name}"] = [row[i] for row in of_k]
    return made


def _ranking(result: Runtimes) -> Rows:
    penalties = [k for k in result.k if result.par]
    head = ("algorithm", "mean rank", "solved", "it alone", *map(par_word, penalties), "sgm")
    rows = sorted(result.estimates, key=lambda e: e.mean_rank)
    return [head, *((e.algorithm, e.mean_rank, e.solved, e.only, *(e.par[k] for k in penalties), e.sgm) for e in rows)]


REPORT = Reporting[Runtimes](
    schema="bakeoff.runtimes/1",
    title=lambda result: f"Runtimes: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=_on_screen,
    methods=methods,
    keys=(
        *(*SIZES, "unit", "n_units", "control", "alpha", "cap", "k", "shift", "ties"),
        *("over", "points", "estimates", "pairs", "portfolio", "curves", "brackets"),
    ),
    main=_of_pairs,
    second=_ranking,
)
