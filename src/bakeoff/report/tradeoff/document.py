"""From a Tradeoff to the format-free Document, to JSON, and to columns."""

from __future__ import annotations

from typing import Any

from bakeoff import numerals
from bakeoff.errors import by_severity
from bakeoff.report import methods as shared, sections
from bakeoff.report.data import finite, plain_data, scores_data
from bakeoff.report.document import Brief, Document, Figure, Section, Sheets, Shown, Table, numeric, tabulate, words
from bakeoff.report.tradeoff.sentences import basis, methods, verdict as verdict
from bakeoff.tradeoffs import Position, Tradeoff, TradeoffPair

SCHEMA = "bakeoff.tradeoff/1"
BRIEF = Brief(title="Pairs with a better trade-off", more="with a better trade-off", rest="without a better trade-off")


def document(found: Tradeoff, command: str | None = None) -> Document:
    """Positions, pairs."""
    told = shared.joined(methods(found), shared.software())
    figure = Figure(found, "Two metrics, with intervals and what is shown of each algorithm", key="tradeoff")
    checksums = [(f"SHA-256 of {numerals.plain(name)}", s.source_sha256) for name, s in found.metrics.items()]
    return Document(
        title=f"Trade-off: {numerals.count(len(found.positions), 'algorithm')} in "
        f"{numerals.name_list([numerals.plain(name) for name in found.metrics])}",
        verdict=verdict(found),
        basis=basis(found),
        sections=sections.present(
            sections.figure("Trade-off", figure, "tradeoff-figure"),
            Section("positions", "Each algorithm", (positions(found),)),
            Section("pairs", "Each pair", tuple(pairs(found))),
            sections.cautions(found.cautions),
            sections.methods(told),
            sections.references(shared.cited(told)),
            sections.provenance(None, command, *checksums),
        ),
        on_screen=("positions", "pairs", "cautions"),
        doubts=sections.doubts(found.cautions),
    )


def positions(found: Tradeoff) -> Table:
    """A row per algorithm: means, what is shown, and the posterior."""
    level = numerals.percent(1 - found.alpha)
    order = {"frontier": 0, "cannot tell": 1, "dominated": 2}
    rows = sorted(found.positions, key=lambda position: (order[position.state], -position.p_pareto))
    shown: list[Shown[Position]] = [words("name", "algorithm", lambda p: numerals.plain(p.algorithm))]
    for j, name in enumerate(found.metrics):
        means = dict(zip((p.algorithm for p in rows), numerals.alike([p.means[j].mean for p in rows]), strict=True))

        def mean(p: Position, means: dict[str, str] = means) -> str:
            return means[p.algorithm]

        def interval(p: Position, j: int = j) -> str:
            low, high = numerals.alike(list(p.means[j].interval))
            return f"{low} to {high}"

        shown.append(numeric(f"mean-{j}", numerals.plain(name), mean, strong=True))
        shown.append(numeric(f"interval-{j}", f"{level} interval", interval, rank=3))
    shown += [
        words("state", "shown", _state, wraps=True),
        numeric("p", "adjusted p (frontier)", lambda p: numerals.pvalue(p.adjusted, None, found.alpha), rank=2),
        numeric("pareto", "P(Pareto-optimal)", lambda p: _probability(p.p_pareto)),
    ]
    note = (
        "Frontier: shown to be better than each other one in at least one metric. Dominated: another one is a better "
        "trade-off, by the margins. P(Pareto-optimal): that no other is as good in all metrics and better in one, "
        "without margins. Intervals: of each mean by itself; means are geometric where the margin is a percentage."
    )
    return tabulate("positions", "Each algorithm", shown, rows, note=note)


def _probability(p: float) -> str:
    """A share of draws, which is never 0 or 1."""
    return "> 0.999" if p > 0.999 else "< 0.001" if p < 0.001 else numerals.decimals(p, 3)


def _state(p: Position) -> str:
    if p.state == "dominated":
        return f"dominated by {numerals.name_list([numerals.plain(name) for name in p.dominated_by], 3)}"
    return p.state


def pairs(found: Tradeoff) -> list[Table]:
    """A row per ordered pair, the shown ones first where there are many."""
    alpha = found.alpha
    shown: list[Shown[TradeoffPair]] = [
        words("a", "pair", lambda p: f"{numerals.plain(p.a)} – {numerals.plain(p.b)}", wraps=True)
    ]
    for j, name in enumerate(found.metrics):

        def not_worse(p: TradeoffPair, name: str = name) -> str:
            return numerals.pvalue(p.p_not_worse[name], None, alpha)

        def better(p: TradeoffPair, name: str = name) -> str:
            return numerals.pvalue(p.p_better[name], None, alpha)

        shown.append(numeric(f"ni-{j}", f"p not worse ({numerals.plain(name)})", not_worse, rank=3))
        shown.append(numeric(f"sup-{j}", f"p better ({numerals.plain(name)})", better, rank=3))
    shown += [
        numeric("p", "p", lambda p: numerals.pvalue(p.p_better_tradeoff, None, alpha), rank=1),
        numeric("adjusted", "adjusted p (Holm)", lambda p: numerals.pvalue(p.adjusted, None, alpha)),
        words("verdict", "first is", lambda p: p.verdict, wraps=True),
    ]

    def caption(n: int, decided: bool) -> str:
        return f"The {n} ordered pairs {'with' if decided else 'without'} a better trade-off"

    note = "p: not worse in any metric by its margin, and better in at least one, of the first-named algorithm."
    return sections.in_two(found.pairs, shown, _decided, "Ordered pairs", caption, note, BRIEF)


def _decided(pair: TradeoffPair) -> bool:
    return pair.verdict == "a better trade-off"


def to_dict(found: Tradeoff, command: str | None = None) -> dict[str, Any]:
    """Everything a script may want."""
    s = found.scores
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "verdict": verdict(found),
        "n_problems": s.n_problems,
        "n_algorithms": s.n_algorithms,
        "n_clusters": found.n_clusters,
        "metrics": list(found.metrics),
        "margins": dict(found.margins),
        "alpha": found.alpha,
        "unit": found.unit,
        "frontier": list(found.frontier),
        "dominated": list(found.dominated),
        "cannot_tell": list(found.cannot_tell),
        "positions": plain_data(list(found.positions)),
        "pairs": plain_data(list(found.pairs)),
        "cautions": plain_data(by_severity(found.cautions)),
        "references": list(shared.cited(methods(found))),
        "versions": shared.versions(),
        **({"command": command} if command else {}),
        "request": plain_data(found.request),
        "added_cautions": plain_data(list(found.added)),
        "tables": {name: scores_data(table) for name, table in found.metrics.items()},
    }
    return finite(content)


def sheets(found: Tradeoff) -> Sheets:
    """A row per ordered pair; the positions as a ranking."""
    columns: dict[str, list[Any]] = {key: [getattr(p, key) for p in found.pairs] for key in ("a", "b")}
    for name in found.metrics:
        for key in ("difference", "p_not_worse", "p_better"):
            columns[f"{key} {name}"] = [getattr(p, key)[name] for p in found.pairs]
    for key in ("p_better_tradeoff", "adjusted", "verdict"):
        columns[key] = [getattr(p, key) for p in found.pairs]
    head = ("algorithm", *found.metrics, "state", "P(Pareto-optimal)")
    listed = [(p.algorithm, *(m.mean for m in p.means), p.state, p.p_pareto) for p in found.positions]
    return Sheets(pairs=columns, ranking=[head, *listed], cautions=found.cautions)
