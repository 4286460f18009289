"""From an Evaluation to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.evaluation import Evaluation, EvaluationPair, ModelEstimate
from bakeoff.figures.geometry.evaluation.differences import DifferencesPlot
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import (
    Block,
    Brief,
    Document,
    Figure,
    Paragraph,
    Points,
    Row,
    Section,
    Sheets,
    Shown,
    Table,
    numeric,
    tabulate,
    words,
)
from bakeoff.report.evaluation import sentences
from bakeoff.report.evaluation.sentences import decided, verdict as verdict

SCHEMA = "bakeoff.evaluate/1"
BRIEF = Brief(title="Pairs that differ", more="that differ", rest="without a shown difference")


def document(found: Evaluation, command: str | None = None) -> Document:
    """Means, pairs, tied sets, what to get next."""
    told = sentences.methods(found)
    return Document(
        title=f"Evaluation: {sections.sizes(found.scores)}",
        verdict=verdict(found),
        basis=sentences.basis(found),
        sections=sections.present(
            sections.figure("Means", Figure(found, "Means with intervals, and tied sets", key="means"), "means-figure"),
            Section("means", "Mean of each", (means(found),)),
            sections.one_block("suites", "Suites", suites(found)),
            Section(
                "differences-figure",
                "Paired differences",
                (Figure(DifferencesPlot(evaluation=found), "Paired differences with intervals", key="differences"),),
            ),
            Section("pairs", "Each pair", tuple(pairs(found))),
            _tied(found),
            _next(found),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(methods.cited(told)),
            sections.provenance(found.scores, command),
        ),
        on_screen=_on_screen(found),
        doubts=sections.doubts(found.cautions),
    )


def _on_screen(found: Evaluation) -> tuple[str, ...]:
    """The pairs only if they are few."""
    optional = {
        "suites": bool(found.suite_means),
        "pairs": len(found.pairs) <= sections.FEW_PAIRS,
        "groups": bool(found.groups),
        "next": _next(found) is not None,
    }
    return ("means", *(key for key, there in optional.items() if there), "cautions")


def means(found: Evaluation) -> Table:
    """A row per model, the best mean first."""
    level = numerals.percent(1 - found.alpha)
    rows = found.ranked
    values = dict(zip((e.algorithm for e in rows), numerals.alike([e.mean for e in rows]), strict=True))

    def rank(e: ModelEstimate) -> str:
        low, high = found.rank_intervals[e.algorithm]
        return str(low) if low == high else f"{low}–{high}"

    interval = f"{level} interval"
    shown: list[Shown[ModelEstimate]] = [
        words("name", "model", lambda e: numerals.plain(e.algorithm)),
        numeric("mean", "mean", lambda e: values[e.algorithm], strong=True),
        numeric("se", "standard error", lambda e: numerals.significant(e.standard_error, 3), rank=2),
        numeric("interval", interval, lambda e: _interval(e, e.interval)),
        numeric("rank", "rank", rank, legend=f"Rank: with simultaneous confidence {level}."),
    ]
    if any(e.sigma2_within is not None for e in rows):
        word = sentences.run_word(found.scores)
        shown.append(numeric("within", f"variance of {word}s", lambda e: _number(e.sigma2_within), rank=3))
    wilson = " Wilson's intervals." if rows[0].method == "wilson" else ""
    note = f"Intervals: of each mean by itself; whether two means differ is said by their paired difference.{wilson}"
    legends = " ".join(column.legend for column, _ in shown if column.legend)
    return tabulate("means", "Means, the best first", shown, rows, note=f"{note} {legends}")


def _interval(of: EvaluationPair | ModelEstimate, interval: tuple[float, float] | None) -> str:
    return numerals.MISSING if sentences.no_variation(of) else numerals.interval_words(interval)


def _number(value: float | None) -> str:
    return numerals.MISSING if value is None else numerals.significant(max(0.0, value), 3)


def suites(found: Evaluation) -> Table | None:
    """A row per suite."""
    if not found.suite_means:
        return None
    names = found.scores.algorithms
    columns = sections.algorithm_columns("suite", names)
    rows = [Row((f"{numerals.plain(s.suite)} (n = {s.n})", *numerals.alike(list(s.means)))) for s in found.suite_means]
    macro = numerals.alike([e.mean for e in found.estimates])
    kept = "fixed: the error is that of problems within them" if found.tasks == "fixed" else "a sample of tasks"
    return Table(
        key="suites",
        caption="Mean of each suite",
        columns=columns,
        rows=[*rows, Row(("macro average", *macro), "strong", ruled=True)],
        note=f"Suites count equally and are {kept}.",
        wide=len(names) > sections.WIDEST,
        square=True,
    )


def pairs(found: Evaluation) -> list[Table]:
    """A row per pair."""
    level, alpha, one = numerals.percent(1 - found.alpha), found.alpha, len(found.pairs) == 1
    p_value = "p (McNemar)" if found.pairs[0].test == "mcnemar" else "p (t)"
    shown: list[Shown[EvaluationPair]] = [
        words("pair", "pair", lambda p: f"{numerals.plain(p.a)} – {numerals.plain(p.b)}", wraps=True),
        numeric("difference", "difference", lambda p: numerals.score(p.difference), strong=True),
    ]
    if one:
        tango = found.pairs[0].test == "mcnemar"
        legend = (
            "The interval is Tango's; McNemar's p decides, and may be above α where it leaves out 0." if tango else ""
        )
        shown.append(numeric("interval", f"{level} interval", lambda p: _interval(p, p.interval), legend=legend))
    else:
        title = f"simultaneous {level} interval"
        legend = "Simultaneous: all intervals cover with this confidence; a pair is decided by its adjusted p."
        if found.correction == "holm":
            legend = "Simultaneous: Bonferroni's; Holm may decide a pair whose interval holds 0."
        shown.append(numeric("simultaneous", title, lambda p: _interval(p, p.simultaneous), legend=legend))
        shown.append(numeric("interval", "own interval", lambda p: _interval(p, p.interval), rank=6, in_paper=True))
    shown.append(numeric("pvalue", p_value, lambda p: numerals.pvalue(p.pvalue, None, alpha), rank=1 if not one else 0))
    if found.pairs[0].test == "mcnemar":
        shown.append(numeric("t", "p (t)", lambda p: numerals.pvalue(p.t_pvalue, None, alpha), rank=5))
    flips = f"Sign flips: of {sentences.unit_word(found)} sums, exact where these are symmetric."
    shown.append(
        numeric("flips", "p (sign flips)", lambda p: numerals.pvalue(p.sign_flip, None, alpha), rank=4, legend=flips)
    )
    if not one:
        name = sentences.CORRECTIONS[found.correction]
        shown.append(numeric("adjusted", f"adjusted p ({name})", lambda p: numerals.pvalue(p.adjusted, None, alpha)))
    shown += [
        numeric("correlation", "correlation", lambda p: _two(p.correlation), rank=3),
        numeric(
            "gain",
            "unpaired/paired error",
            lambda p: _two(p.unpaired_error / p.standard_error if p.standard_error > 0 else None),
            rank=2,
            legend="Unpaired/paired error: how much larger the standard error is that forgets the pairing.",
        ),
    ]
    if any(p.omega2 is not None for p in found.pairs):
        legend = "ω²: variance of the true difference between problems."
        shown.append(numeric("omega2", "ω²", lambda p: _number(p.omega2), rank=5, legend=legend))
    shown.append(words("verdict", "verdict", _verdict, wraps=True))
    note = "Differences are positive where the first is better. " + " ".join(c.legend for c, _ in shown if c.legend)

    def caption(n: int, differing: bool) -> str:
        return f"The {n} pairs {'with' if differing else 'without'} a shown difference"

    title = "Paired difference" if one else "Paired differences"
    return sections.in_two(found.pairs, shown, decided, title, caption, note, BRIEF)


def _two(value: float | None) -> str:
    return numerals.MISSING if value is None else numerals.decimals(value, 2)


def _verdict(pair: EvaluationPair) -> str:
    if pair.verdict == "a better":
        return f"{numerals.plain(pair.a)} better"
    return f"{numerals.plain(pair.b)} better" if pair.verdict == "b better" else pair.verdict


def _tied(found: Evaluation) -> Section | None:
    if not found.groups:
        return None
    return Section("groups", "Tied sets", (Points(tuple(sentences.tied_words(found))),))


def _next(found: Evaluation) -> Section | None:
    said = [sentence for sentence in (sentences.detectable_words(found), sentences.what_next(found)) if sentence]
    blocks: tuple[Block, ...] = tuple(Paragraph((sentence,)) for sentence in said)
    return Section("next", "What more questions would show", blocks) if blocks else None


def to_dict(found: Evaluation, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "n_clusters": found.n_clusters,
        "unit": found.unit,
        "control": found.control,
        "correction": found.correction,
        "alpha": found.alpha,
        "tasks": found.tasks,
        "exact": found.exact,
        "critical": found.critical,
        "estimates": plain_data(list(found.estimates)),
        "pairs": plain_data(list(found.pairs)),
        "rank_intervals": {name: list(interval) for name, interval in found.rank_intervals.items()},
        "groups": [list(group) for group in found.groups],
        "detectable": found.detectable,
        "suites": plain_data(list(found.suite_means)),
    }
    whence = origin(s, found.cautions, methods.cited(sentences.methods(found)), command)
    return finite(content | whence | asked(found))


def sheets(found: Evaluation) -> Sheets:
    """A row per pair; the means as a ranking."""
    keys = ("a", "b", "difference", "standard_error", "df", "pvalue", "adjusted", "sign_flip", "correlation", "omega2")
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in found.pairs] for key in keys}
    columns["low"], columns["high"] = ([p.interval[side] for p in found.pairs] for side in (0, 1))
    for side, name in enumerate(("simultaneous_low", "simultaneous_high")):
        columns[name] = [None if p.simultaneous is None else p.simultaneous[side] for p in found.pairs]
    columns["verdict"] = [p.verdict for p in found.pairs]
    head = ("algorithm", "mean", "standard error", "low", "high", "best rank", "worst rank")
    listed = [
        head,
        *(
            (e.algorithm, e.mean, e.standard_error, *e.interval, *found.rank_intervals[e.algorithm])
            for e in found.ranked
        ),
    ]
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
