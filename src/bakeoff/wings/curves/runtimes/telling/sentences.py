"""What a comparison of runtimes says in words."""

from bakeoff import numerals
from bakeoff.means.run_means import CLAIMS
from bakeoff.report import sections
from bakeoff.report.document import Text
from bakeoff.report.methods import joined, problem_count, software, text
from bakeoff.wings.curves.runtimes.statistics import Runtimes, SolverPair


def order_shown(pair: SolverPair) -> bool:
    """Did the order show a difference?"""
    return pair.verdict in ("a better", "b better")


@sections.unless_one_process
def verdict(result: Runtimes) -> str:
    """Who is faster on more problems than whom, and whether penalties agree."""
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
    """What the sign test counts."""
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
    """What the verdict rests on."""
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
    """Where two algorithms tie on a problem."""
    return unsolved if result.ties is None else f"{unsolved}, or times within {tolerance_words(result)}"


def _fewer(result: Runtimes) -> str:
    """What is better, with the target where the logs of an optimizer were cut at one."""
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
