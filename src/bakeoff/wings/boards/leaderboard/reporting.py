"""A Leaderboard in words, as the format-free Document, as JSON and as columns."""

from bakeoff import numerals
from bakeoff.means.run_means import CLAIMS
from bakeoff.posthoc.groups import rank_words
from bakeoff.report import methods as shared, sections
from bakeoff.report.document import (
    ColumnSpec,
    Figure,
    Paragraph,
    Section,
    Table,
    Text,
    equal_column,
    number_column,
    tabulate,
    text_column,
)
from bakeoff.report.methods import direction, mean_word, problem_count, text, with_article
from bakeoff.report.reporting import SIZES, Reporting, ends, rows_of, sheet_columns
from bakeoff.report.sections import unless_one_process
from bakeoff.wings.boards.leaderboard.statistics import Leaderboard, LeaderboardRow

MOST_SETS = 12  # written out
MOST_NAMES = 20


def value_word(result: Leaderboard) -> str:
    """The word for what orders the algorithms."""
    return "mean rank" if result.by == "mean-rank" else mean_word(result.scores)


@unless_one_process
def verdict(result: Leaderboard) -> str:
    """Say who may be best, and give the winner's corrected score."""
    k, level = len(result.standings), numerals.percent(1 - result.alpha)
    if all(pair.verdict == "cannot tell" for pair in result.pairs):
        units = numerals.count(result.n_clusters, result.unit)
        return f"There is no verdict on ranks: with {units} no outcome could show a difference at {result.alpha:g}."
    names = list(result.candidates)
    if len(names) == 1:
        who = f"{numerals.plain(names[0])} was shown to be the best of {k}"
    elif len(names) == k:
        who = f"Each of the {k} algorithms may be the best"
    else:
        listed = f": {numerals.name_list(names)}" if len(names) <= 5 else ""
        who = f"{len(names)} of {k} algorithms may be the best{listed}"
    winner, word = result.winner, value_word(result)
    a_word = with_article(word)
    first = f"{_first_names(result)} {'share the first place' if winner.tied else 'comes first'} with {a_word} of"
    if winner.interval is None or winner.estimate is None:
        few = f"; {_units(result)} too few for an interval"
        why = few if winner.standard_error else f", the same {_everywhere(result)}"
        return f"{who}. {first} {numerals.score(winner.value)}{why}."
    numbers = (winner.value, winner.estimate, *winner.interval)
    value, estimate, low, high = numerals.decimals_for_step(numbers, _error(result))
    if value == estimate:
        return f"{who}. {first} {value} ({level} interval {low} to {high})."
    if _too_near(result):
        return f"{who}. {first} {value}; its true {word}, corrected for having been chosen: {low} to {high} ({level})."
    return f"{who}. {first} {value}; corrected for having been chosen, {estimate} ({level} interval {low} to {high})."


def _too_near(result: Leaderboard) -> bool:
    """The second is so near that, given the order, the winner's value says little: the estimate is far from it."""
    w = result.winner
    return w.method == "hybrid" and abs(w.correction or 0.0) > 2 * w.standard_error


def _error(result: Leaderboard) -> float:
    """That digits show: the winner's, or of one that does not vary a fourth of its interval."""
    w = result.winner
    return (w.interval[1] - w.interval[0]) / 4 if w.interval and w.method == "unvaried" else w.standard_error


def _everywhere(result: Leaderboard) -> str:
    """Where a winner without an error has one value."""
    return f"on every {result.unit}" if result.evaluation.suites is None else "within each task"


def _units(result: Leaderboard) -> str:
    """Count what is independent, for the winner."""
    worth = result.evaluation.estimate(result.winner.algorithm).df + 1
    count = numerals.count(result.n_clusters, result.unit)
    return f"{count} are" if worth > result.n_clusters - 0.5 else f"{count}, worth {worth:.2g} of equal weight, are"


def _first_names(result: Leaderboard) -> str:
    return numerals.name_list([result.winner.algorithm, *result.winner.tied])


def winner_words(result: Leaderboard) -> str:
    """The winner's value, corrected and not, and why."""
    w, level, word = result.winner, numerals.percent(1 - result.alpha), value_word(result)
    name = numerals.plain(w.algorithm)
    had = "have" if w.tied else "has"
    if w.interval is None or w.estimate is None:
        value = f"{_first_names(result)} {had} the {word} {numerals.score(w.value)}"
        if w.standard_error:
            return f"{value}. {_units(result)} too few to show how far its true {word} may be from that."
        return f"{value}, the same {_everywhere(result)}: these scores show no error, so there is nothing to correct."
    numbers = (w.value, w.estimate, *w.interval, *w.naive_interval)
    value, estimate, *ends = numerals.decimals_for_step(numbers, _error(result))
    if w.method == "unvaried":
        return (
            f"{_first_names(result)} {had} {value} {_everywhere(result)}. That shows no error, but not that there is "
            f"none: {result.n_clusters} {result.unit}s miss rare values. With scores within the range of this table, "
            f"and whichever of {len(result.standings)} comes first, the true {word} is in {ends[0]} to {ends[1]} "
            f"({level}); an estimate that allows for the choice is {estimate}."
        )
    if w.tied:
        taken = "" if w.method == "wilson" else f" Approximate: the {word}s are taken for normal."
        return (
            f"{_first_names(result)} share the first place with {value}. Whichever is chosen, an interval that "
            f"covers all {len(result.standings)} {word}s at once is "
            f"{ends[0]} to {ends[1]} ({level}), and an estimate that allows for the choice {estimate}.{taken}"
        )
    if value == estimate and w.method != "simultaneous":
        without = "" if ends[:2] == ends[2:] else f"; without the correction {ends[2]} to {ends[3]}"
        return (
            f"{name} comes first with {value}. That it was chosen as the best of {len(result.standings)} makes little "
            f"difference here: the {level} interval that allows for the choice is {ends[0]} to {ends[1]}{without}."
        )
    if w.method == "wilson":
        return (
            f"{name} comes first with {value}. The best of {len(result.standings)} observed shares tends to be better "
            f"than its true one, because it was chosen for being the best. Corrected for that it is {estimate}. An "
            f"interval that covers all {len(result.standings)} shares at once, whichever comes first, is {ends[0]} to "
            f"{ends[1]} ({level}, Wilson's at Šidák's level); of {name} as if it had been the only one {ends[2]} to "
            f"{ends[3]}."
        )
    if w.method == "simultaneous":
        return (
            f"{name} comes first with {value}. {_units(result)} too few for the distribution of {with_article(word)} "
            f"given that it won. An interval that covers all {len(result.standings)} {word}s at once, "
            f"whichever comes first, is {ends[0]} to {ends[1]} ({level}); of {name} as if it had been the only one "
            f"{ends[2]} to {ends[3]}. An estimate that allows for the choice is {estimate}. Approximate: this assumes "
            f"normal {word}s."
        )
    remark = _size_remark(result, value, estimate)
    return (
        f"{name} comes first with {value}. The best of {len(result.standings)} observed values tends to be better "
        f"than its true value, because it was chosen for being the best. Given that {name} won, the median-unbiased "
        f"estimate of its true {word} is {estimate}, with {level} interval {ends[0]} to {ends[1]}; without the "
        f"correction {ends[2]} to {ends[3]}. {remark} Approximate: this assumes normal {word}s, with the covariance "
        "estimated here."
    )


def _size_remark(result: Leaderboard, value: str, estimate: str) -> str:
    """The reason why the correction is small, or goes the other way."""
    w = result.winner
    lower = result.by != "mean" or result.evaluation.scores.better == "lower"
    if w.estimate is not None and estimate != value and (w.estimate < w.value) == lower:
        return (
            "Here it is better than the observed value, which happens if a rival's scores vary more and in step with "
            f"those of {numerals.plain(w.algorithm)}."
        )
    if _too_near(result):
        return (
            "The second is so close that, given who won, the value shows little, and the estimate lies near an end of "
            "its interval: report the interval."
        )
    if result.by == "mean" and result.over != "runs":
        return (
            f"The correction is small if the algorithms' scores are highly correlated over {result.unit}s, or if the "
            "first is far ahead."
        )
    return "The correction is small if the first is far ahead."


def value_texts(result: Leaderboard) -> list[str]:
    """Values of all rows, with digits enough for the smallest error."""
    errors = [row.standard_error for row in result.standings if row.standard_error > 0]
    return numerals.decimals_for_step([row.value for row in result.standings], min(errors, default=0.0))


def set_words(result: Leaderboard) -> list[str]:
    """The tied sets, best first; where there are more than a reader can use, how many."""
    if (n := len(result.groups)) > MOST_SETS:
        return [f"{n} overlapping sets, all of them in the JSON; the ranks above show what they leave open"]
    alone = ": differs from all others"
    return [f"{numerals.name_list(group, MOST_NAMES)}{'' if len(group) > 1 else alone}" for group in result.groups]


def basis(result: Leaderboard) -> str:
    """On what the verdict rests."""
    s = result.scores
    return (
        f"{numerals.count(s.n_algorithms, 'algorithm')} on {problem_count(s)}; {direction(s)}; ordered by the "
        f"{value_word(result)}; ranks and candidates with simultaneous confidence {numerals.percent(1 - result.alpha)}"
        f"{CLAIMS[result.over]}."
    )


def methods(result: Leaderboard) -> Text:
    """The sentences for a paper."""
    e, unit = result.evaluation, result.unit
    if result.over == "runs":
        return text(f"{_runs(result)} {_RANKS} {_of_the_winner(result)}")
    m, word = len(result.pairs), value_word(result)
    signs = f"all signs of the {unit}s" if e.exact else f"{result.n_resamples} choices of signs of the {unit}s"
    ranks = "The ranks within each problem were averaged. " if result.by == "mean-rank" else ""
    family = (
        f"The {m} differences of {word}s were judged by the distribution of the largest |t| under {signs}, shared by "
        "all algorithms [@westfallyoung1993]. The larger p-value counts, of the differences or of their residuals"
        if m > 1
        else f"The difference of the two {word}s was judged by its t-test, or McNemar's exact test of right and wrong "
        "answers [@mcnemar1947]"
    )
    cluster = " Errors are over clusters of problems [@mackinnon2023]." if unit == "cluster" else ""
    return text(f"{ranks}{family}; α = {result.alpha:g} for the family. {_RANKS}{cluster} {_of_the_winner(result)}")


_RANKS = (
    "A rank interval goes from one more than the number of algorithms shown to be better to k minus the number shown "
    "to be worse. Candidates for the best are those not shown to be worse than any other [@klein2020]."
)


def _runs(result: Leaderboard) -> str:
    m = len(result.pairs)
    law = (
        "by the distribution of the largest |t| of independent normal means with variances of their own "
        f"[@gameshowell1976], from {result.n_resamples} draws"
        if m > 1
        else "by Welch's t"
    )
    return (
        "The problems were treated as fixed, and the runs on each as a sample: standard errors are those of runs "
        f"within problems, with Satterthwaite's degrees of freedom. Where numbers of runs differ, errors "
        f"of differences are at least Student's. The {numerals.count(m, 'difference')} of means "
        f"{'was' if m == 1 else 'were'} judged {law}; α = {result.alpha:g} for the family."
    )


def _of_the_winner(result: Leaderboard) -> str:
    word, w = value_word(result), result.winner
    df = numerals.significant(result.evaluation.estimate(w.algorithm).df, 3)
    if w.method == "none":
        return ""
    if w.method == "wilson":
        way = "by the median-unbiased estimate under the truncated normal distribution given that it won [@andrews2024]"
        if w.tied or w.standard_error == 0:
            way = "by the median of the largest of as many independent errors"
        return (
            f"The winner's share was corrected for having been chosen {way}; its interval is Wilson's [@wilson1927] at "
            f"Šidák's level for {len(result.standings)} shares, which holds whichever comes first"
            f"{'' if result.evaluation.suites is None else '; those of the tasks are joined by squares [@zou2009]'}."
        )
    if w.method == "unvaried":
        return (
            f"The winner had the same {word} {_everywhere(result)}. Its interval allows for rare other values, within "
            f"the range R of the scores, that G {result.unit}s may have missed (G is n²/Σm² of clusters of m, and the "
            f"least G/weight of several tasks). It reaches R(1 − a^(1/G)) to either side, with a at Šidák's level for "
            f"{len(result.standings)} algorithms; the estimate uses a = 1/2."
        )
    if w.method == "simultaneous":
        few = f"There are too few {result.unit}s for a conditional distribution"
        why = "The first place is tied" if w.tied else few
        return (
            f"{why}: the winner's {word} has the interval that covers all {word}s at once (Šidák, t({df})). Its "
            "estimate is the value less the median of the largest of as many independent errors."
        )
    return (
        f"The winner's {word} was corrected for having been chosen: median-unbiased under the truncated normal "
        f"distribution given that it won, with the hybrid interval (β = α/10) and t({df}) [@andrews2024]. If that is "
        "narrower than the uncorrected interval, it is joined with the one that covers all at once."
    )


def _body(result: Leaderboard) -> list[Section | None]:
    """Figure, standings, what the winner's score is worth, sets of algorithms not shown to differ."""
    drawn = Figure(result, "Ranks with simultaneous intervals", key="leaderboard")
    sets = [("", words) for words in set_words(result)] if result.groups else []
    return [
        sections.figure("Leaderboard", drawn, "leaderboard-figure"),
        Section("standings", "Standings", (standings(result),)),
        Section("winner", "What the winner's score is worth", (Paragraph((winner_words(result),)),)),
        sections.points("tied-sets", "Sets without a shown difference", sets),
    ]


def standings(result: Leaderboard) -> Table:
    """A row per algorithm, the best value first."""
    rows, level = result.standings, numerals.percent(1 - result.alpha)
    what = value_word(result)
    values = dict(zip((row.algorithm for row in rows), value_texts(result), strict=True))
    shown: list[ColumnSpec[LeaderboardRow]] = [
        number_column("rank", "rank", lambda row: rank_words(row.rank), strong=True),
        text_column("name", "algorithm", lambda row: numerals.plain(row.algorithm)),
        number_column("value", what, lambda row: values[row.algorithm]),
        equal_column("se", "standard error", rows, lambda row: row.standard_error, digits=3, rank=2),
        text_column("candidate", "may be best", lambda row: "yes" if row.candidate else "no"),
        text_column("leading", "leading group", lambda row: "yes" if row.leading else "no", rank=1),
    ]
    note = (
        f"Ranks with simultaneous confidence {level}: those that the decided pairs leave possible. May be best: not "
        "shown to be worse than any other. Leading group: not shown to differ from the first. The value in the first "
        "row is the largest of several and not corrected for that."
    )
    if result.scores.better == "lower" or result.by == "mean-rank":
        note = note.replace("largest", "smallest")
    return tabulate("standings", "Standings, best value first", shown, rows, note=note)


_OF_PAIRS = ("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "sign_flip", "verdict")
_OF_ROWS = (
    *("algorithm", "value", ("standard error", "standard_error"), *ends("rank", "best rank", "worst rank")),
    *(("may be best", "candidate"), "leading"),
)

REPORT = Reporting[Leaderboard](
    title=lambda result: f"Leaderboard: {sections.sizes(result.scores)}",
    verdict=verdict,
    basis=basis,
    body=_body,
    on_screen=("standings", "winner", "tied-sets"),
    methods=lambda result: shared.joined(shared.sample(result.scores), methods(result), shared.software()),
    works=lambda result: shared.cited(methods(result)),
    keys=(
        *(*SIZES, "alpha", "by", "unit", "over", "n_clusters", "evaluation.exact", "evaluation.critical"),
        *("candidates", "leading", "rank_intervals", "groups", "winner", "standings", "pairs"),
    ),
    main=lambda result: sheet_columns(result.pairs, *_OF_PAIRS),
    second=lambda result: rows_of(result.standings, *_OF_ROWS),
)
