"""From Runtimes to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from bakeoff import numerals
from bakeoff.report import methods, sections
from bakeoff.report.data import asked, finite, origin, plain_data
from bakeoff.report.document import (
    Brief,
    Document,
    Figure,
    Points,
    Section,
    Sheets,
    Shown,
    Table,
    numeric,
    tabulate,
    words,
)
from bakeoff.report.runtimes import sentences
from bakeoff.report.runtimes.sentences import order_shown, par_word, verdict as verdict
from bakeoff.survival import Runtimes, SolverPair, SolverSummary

SCHEMA = "bakeoff.runtimes/1"
BRIEF = Brief(title="Pairs that differ", more="that differ", rest="without a shown difference")


def document(found: Runtimes, command: str | None = None) -> Document:
    """Algorithms, verdicts by penalty side by side, pairs, the portfolio."""
    told = sentences.methods(found)
    return Document(
        title=f"Runtimes: {sections.sizes(found.scores)}",
        verdict=verdict(found),
        basis=sentences.basis(found),
        sections=sections.present(
            sections.figure(
                "Solved within a time", Figure(found, "Share of problems solved within a time"), "solved-figure"
            ),
            Section("algorithms", "Each algorithm", (algorithms(found),)),
            Section("penalties", "Verdicts by what a timeout counts", tuple(penalties(found))) if found.par else None,
            Section("pairs", "Who is faster, and who solves more", tuple(pairs(found))),
            sections.one_block("means", "Penalised means of pairs", penalised_means(found)),
            Section(
                "portfolio",
                "Virtual best and single best",
                (Points(tuple(("", said, "") for said in sentences.portfolio_words(found))),),
            ),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(methods.cited(told)),
            sections.provenance(found.scores, command),
        ),
        on_screen=_on_screen(found),
        doubts=sections.doubts(found.cautions),
    )


def _on_screen(found: Runtimes) -> tuple[str, ...]:
    """The pairs only if they are few, or nothing is said of them otherwise."""
    few = len(found.pairs) <= sections.FEW_PAIRS or not found.par
    return ("algorithms", "penalties", *(["pairs"] if few else []), "cautions")


def algorithms(found: Runtimes) -> Table:
    """A row per algorithm, the best mean rank first."""
    rows = sorted(found.estimates, key=lambda e: e.mean_rank)
    level = numerals.percent(1 - found.alpha)
    whole = all(e.solved.is_integer() for e in rows)
    solved = {e.algorithm: numerals.decimals(e.solved, 0 if whole else 1) for e in rows}
    shown: list[Shown[SolverSummary]] = [
        words("name", "algorithm", lambda e: numerals.plain(e.algorithm)),
        numeric("rank", "mean rank", lambda e: numerals.as_rank(e.mean_rank), strong=True),
        numeric("solved", "solved", lambda e: solved[e.algorithm]),
        numeric("timeouts", "timeouts", lambda e: str(e.ends.get("timeout", 0)), rank=4),
        numeric("others", "other failures", lambda e: str(_others(e)), rank=6),
        numeric("only", "it alone", lambda e: str(e.only), rank=3, legend="It alone: problems no other one solved."),
    ]
    for at, k in enumerate(k for k in found.k if found.par):
        means = dict(zip((e.algorithm for e in rows), numerals.alike([e.par[k] for e in rows]), strict=True))
        shown.append(_par_column(k, means, at))
    if found.sgm is not None:
        sgm = dict(zip((e.algorithm for e in rows), numerals.alike([e.sgm or 0.0 for e in rows]), strict=True))
        shown.append(numeric("sgm", f"SGM{found.shift:g}", lambda e: sgm[e.algorithm], rank=1))
        shown.append(
            numeric("sgm-interval", f"{level} interval", lambda e: numerals.interval_words(e.sgm_interval), rank=7)
        )
    note = (
        "Mean rank: 1 is the fastest; unsolved runs tie behind all solved ones. It alone: problems that no other one "
    )
    note += "solved."
    if found.par:
        note += f" PARk: mean time, an unsolved run counting k caps. SGM{found.shift:g}: shifted geometric mean."
    return tabulate("algorithms", "Algorithms, the best mean rank first", shown, rows, note=note)


def _par_column(k: float, means: dict[str, str], at: int) -> Shown[SolverSummary]:
    return numeric(par_word(k), par_word(k), lambda e: means[e.algorithm], rank=2 if at else 0)


def _others(e: SolverSummary) -> int:
    return sum(count for word, count in e.ends.items() if word not in ("ok", "timeout"))


def penalties(found: Runtimes) -> list[Table]:
    """A row per pair: who is better by the order, and at each penalty."""
    shown: list[Shown[SolverPair]] = [
        _pair_column(found),
        words("order", "order", lambda p: _said(p, p.verdict), wraps=True),
    ]
    shown += [_verdict_column(k) for k in found.k]
    note = "Order: who is faster on more problems. "
    note += "PARk: paired t tests of means in which an unsolved run counts k caps. "
    if len(found.pairs) > 1:
        note += "Holm's procedure within each column."
    tables = sections.in_two(
        found.pairs, shown, lambda p: p.penalty_decides, "Verdicts side by side", _deciding, note.strip(), DEPEND
    )
    return [replace(table, key=table.key.replace("pairs", "penalties")) for table in tables]


def _pair_column(found: Runtimes) -> Shown[SolverPair]:
    """With a control a terminal lists every pair."""
    return words("a" if found.control is None else "pair", "pair", _names, wraps=True)


DEPEND = Brief(title="Pairs in which the penalty decides", more="in which it does", rest="in which all verdicts agree")


def _deciding(n: int, deciding: bool) -> str:
    return f"The {n} pairs in which the penalty {'decides' if deciding else 'does not decide'}"


def _verdict_column(k: float) -> Shown[SolverPair]:
    return words(par_word(k), par_word(k), lambda p: _said(p, p.par_verdicts[k]), wraps=True)


def _names(pair: SolverPair) -> str:
    return f"{numerals.plain(pair.a)} – {numerals.plain(pair.b)}"


def _said(pair: SolverPair, said: str) -> str:
    if said == "a better":
        return f"{numerals.plain(pair.a)} better"
    if said == "b better":
        return f"{numerals.plain(pair.b)} better"
    return "none shown" if said == "no difference shown" else said


def pairs(found: Runtimes) -> list[Table]:
    """A row per pair: tests that need no penalty."""
    alpha = found.alpha
    shown: list[Shown[SolverPair]] = [
        _pair_column(found),
        numeric("counts", "faster/slower/tied", lambda p: f"{p.wins}/{p.losses}/{p.ties}", strong=True),
        numeric("pvalue", "p (sign)", lambda p: numerals.pvalue(p.pvalue, None, alpha), rank=1),
    ]
    if found.unit == "cluster":
        shown.insert(2, numeric("clusters", "clusters", lambda p: f"{p.units_won}/{p.units_lost}"))
    if len(found.pairs) > 1:
        shown.append(numeric("adjusted", "adjusted p (Holm)", lambda p: numerals.pvalue(p.adjusted, None, alpha)))
    shown += [
        numeric("logrank", "log-rank χ²", lambda p: numerals.statistic(p.logrank), rank=5),
        numeric("logrank-p", "p (log-rank)", lambda p: numerals.pvalue(p.logrank_pvalue, None, alpha), rank=4),
        numeric("only", "solved by one", lambda p: f"{p.only_a}/{p.only_b}", rank=2),
        numeric("mcnemar", "p (McNemar)", lambda p: numerals.pvalue(p.mcnemar, None, alpha), rank=3),
        words("verdict", "order", lambda p: _said(p, p.verdict), wraps=True),
    ]
    note = (
        "Faster/slower/tied: problems on which the first is faster, or slower; tied where neither solved it. Solved by "
        "one: problems that only the first, or only the second, solved. p of log-rank and McNemar are each pair's own."
    )
    return sections.in_two(found.pairs, shown, order_shown, "Order and solved problems", _differing, note, BRIEF)


def _differing(n: int, differing: bool) -> str:
    return f"The {n} pairs {'with' if differing else 'without'} a shown difference"


def penalised_means(found: Runtimes) -> Table | None:
    """A row per pair and penalty."""
    if not found.par:
        return None
    alpha = found.alpha
    rows = [(pair, k) for pair in found.pairs for k in found.k]
    shown: list[Shown[tuple[SolverPair, float]]] = [
        words("pair", "pair", lambda row: _names(row[0]), wraps=True),
        words("penalty", "penalty", lambda row: par_word(row[1])),
        numeric("difference", "difference", lambda row: numerals.score(row[0].par_differences[row[1]]), strong=True),
        numeric(
            "interval",
            f"{numerals.percent(1 - alpha)} interval",
            lambda row: numerals.interval_words(row[0].par_intervals[row[1]]),
        ),
        numeric("t", "p (t)", lambda row: numerals.pvalue(row[0].par_pvalues[row[1]], None, alpha)),
        numeric(
            "wilcoxon", "p (signed ranks)", lambda row: numerals.pvalue(row[0].wilcoxon_pvalues[row[1]], None, alpha)
        ),
    ]
    note = (
        "Differences are positive where the first is better; at PAR1 they are differences of restricted mean times. "
        "Intervals (bootstrap) and p are of each pair by itself. Signed ranks depend on the penalty, too."
    )
    left = len(rows) - sections.LISTED
    if left > 0:
        note += f" {left} more rows are in JSON."
    return tabulate(
        "means", "Penalised means", shown, rows[: sections.LISTED], note=note, folded=len(rows) > sections.WHOLE
    )


def to_dict(found: Runtimes, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want; keys of penalties are written as in ``PAR10``: "10"."""
    s = found.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "better": s.better,
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "unit": found.unit,
        "n_units": found.n_units,
        "control": found.control,
        "alpha": found.alpha,
        "cap": plain_data(found.cap),
        "k": list(found.k),
        "shift": found.shift,
        "estimates": _keyed(plain_data(list(found.estimates))),
        "pairs": _keyed(plain_data(list(found.pairs))),
        "portfolio": _keyed(plain_data(found.portfolio)),
        "curves": plain_data(found.curves),
    }
    whence = origin(s, found.cautions, methods.cited(sentences.methods(found)), command)
    return finite(content | whence | asked(found))


def _keyed(value: Any) -> Any:
    """Numbers that are keys, as text."""
    if isinstance(value, dict):
        return {f"{k:g}" if isinstance(k, float) else k: _keyed(item) for k, item in value.items()}
    return [_keyed(item) for item in value] if isinstance(value, list) else value


def sheets(found: Runtimes) -> Sheets:
    """A row per pair; the algorithms as a ranking."""
    keys = ("a", "b", "wins", "losses", "ties", "pvalue", "adjusted", "verdict", "logrank", "logrank_pvalue")
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in found.pairs] for key in keys}
    for key in ("only_a", "only_b", "mcnemar", "sgm_ratio"):
        columns[key] = [getattr(p, key) for p in found.pairs]
    for k in found.k if found.par else ():
        name = par_word(k).lower()
        columns[f"{name}_difference"] = [p.par_differences[k] for p in found.pairs]
        columns[f"{name}_low"], columns[f"{name}_high"] = (
            [None if (own := p.par_intervals[k]) is None else own[side] for p in found.pairs] for side in (0, 1)
        )
        columns[f"{name}_pvalue"] = [p.par_pvalues[k] for p in found.pairs]
        columns[f"{name}_verdict"] = [p.par_verdicts[k] for p in found.pairs]
    given = [k for k in found.k if found.par]
    head = ("algorithm", "mean rank", "solved", "it alone", *(par_word(k) for k in given), "sgm")
    listed: list[tuple[Any, ...]] = [head]
    for e in sorted(found.estimates, key=lambda e: e.mean_rank):
        listed.append((e.algorithm, e.mean_rank, e.solved, e.only, *(e.par[k] for k in given), e.sgm))
    return Sheets(pairs=columns, ranking=listed, cautions=found.cautions)
