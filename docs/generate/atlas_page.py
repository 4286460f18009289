"""The page of docs/generate/atlas.py, from its stored numbers."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

import page_command
from atlas_tables import AMLB_RANKS, TABLES, TIREX_WINS, Table

from bakeoff.errors import counted

Entry = Mapping[str, Any]
NAMED = 4
"""Names that are listed; of more, their number."""
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FEW = 10
"""Algorithms of a small table."""


def parts(stored: Mapping[str, Any]) -> dict[str, object]:
    """By the names of the marks in the page."""
    entries = stored["tables"]
    return {
        "tables of all": len(entries),
        "overview": overview(entries),
        "tables": "\n" + "\n".join(section(TABLES[name], entry) for name, entry in entries.items()),
        "deviations": spreads(entries),
        "wins": wins(stored["tirex"]),
        "ranks": ranks(stored["amlb"]["ranks"]),
        "complete": stored["amlb"]["problems"],
        "agree": sum(abs(stored["tirex"][name] - share) < 1e-9 for name, share in TIREX_WINS.items()),
        "opponents": len(TIREX_WINS),
        "top": "exactly" if stored["top_group_agrees"] else "not",
        **totals({name: entry for name, entry in entries.items() if TABLES[name].counts}),
    }


def named(names: list[str]) -> str:
    """A few names, or how many there are."""
    shown = ", ".join(plain(name) for name in names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {len(names) - NAMED} more"


def plain(name: str) -> str:
    """A name without the marks of another markup language."""
    return name.strip("`_ ")


def careful(entry: Entry) -> Entry:
    """By clusters where there are any."""
    found: Entry = entry.get("clustered", entry["plain"])
    return found


def shared(judged: Entry) -> str:
    """How many share the first place, in words up to twelve."""
    count = len(judged["level"]) + 1
    return WORDS[count - 1] if count <= len(WORDS) else str(count)


def size(entry: Entry) -> str:
    return f"{entry['problems']} × {entry['algorithms']}"


def share(judged: Entry) -> str:
    return f"{judged['shown']} of {judged['pairs']}"


def level(judged: Entry) -> str:
    return str(len(judged["level"])) if judged["reachable"] else "all (too few problems)"


def overview(entries: Mapping[str, Entry]) -> str:
    rows = []
    for name, entry in entries.items():
        clustered = entry.get("clustered")
        rows.append(
            (
                f"[{TABLES[name].title}](#{anchor(TABLES[name].title)})",
                plain(entry["plain"]["first"]),
                size(entry),
                level(entry["plain"]),
                share(entry["plain"]),
                str(entry.get("clusters", "")),
                level(clustered) if clustered else "",
                share(clustered) if clustered else "",
            )
        )
    heads = ("table", "first", "size", "level", "pairs shown", "clusters", "level, by clusters", "pairs, by clusters")
    return page_command.table(heads, rows, words=2)


def anchor(title: str) -> str:
    """As the site makes it of a heading."""
    return "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c == "-")


def command(table: Table, more: tuple[str, ...] = ()) -> str:
    words = ["bakeoff", "compare", table.file, *table.options, *more]
    return " ".join(shlex.quote(word) for word in words)


def section(table: Table, entry: Entry) -> str:
    lines = [f"### {table.title}", "", f"*{table.community}: {about(table, entry)}*", ""]
    lines += ["```console", f"$ {command(table)}"]
    if table.cluster:
        lines.append(f"$ {command(table, ('--cluster', table.cluster))}")
    lines += ["```", "", *verdict("", entry["plain"])]
    if "clustered" in entry:
        lines += verdict(f"By {entry['clusters']} clusters, each {table.shares}: ", entry["clustered"])
    lines += solidity(entry.get("solid"), "clustered" in entry)
    lines += [
        f"* {table.learnt.format(shared=shared(careful(entry)), rows=shared(entry['plain']))}",
        f"* Source: [{table.repository}](https://github.com/{table.repository}) at {table.commit}, `{table.path}`; "
        f"{table.form}; {table.licence}. {table.cite}.",
        "",
    ]
    return "\n".join(lines)


def about(table: Table, entry: Entry) -> str:
    score = f"{table.score or table.kind}, {entry['better']} is better"
    return f"{entry['problems']} problems × {entry['algorithms']} algorithms; {score}"


def verdict(before: str, judged: Entry) -> list[str]:
    if not judged["reachable"]:
        shown = f"no outcome could have shown any of the {judged['pairs']} pairs to differ"
    elif judged["level"]:
        shown = (
            f"level with {named(judged['level'])}; {share(judged)} pair{'s' * (judged['pairs'] > 1)} shown to differ"
        )
    else:
        shown = f"better than every other; {share(judged)} pair{'s' * (judged['pairs'] > 1)} shown to differ"
    told = ", ".join(page_command.caution_link(name, "understand/cautions.md") for name in judged["cautions"])
    first = f"{plain(judged['first'])} (mean rank {judged['mean_rank']:.2f}); {shown}."
    return [f"* {before or 'First: '}{first}{f' Cautions: {told}.' if told else ''}"]


def solidity(solid: Entry | None, clustered: bool) -> list[str]:
    if solid is None:
        return []
    low, high = (round(100 * x) for x in solid["again"])
    again = f"{low} %" if low == high else f"{low} to {high} %"
    return [
        f"* How solid{', by clusters' if clustered else ''}: {counted(solid['shown'], 'difference')}, of which "
        f"{solid['under_all']} under all {solid['analyses']} analyses and {solid['without_any']} whichever problem is "
        f"left out; shown again in {again} of second experiments."
    ]


def spreads(entries: Mapping[str, Entry]) -> str:
    """By kind of score, the range of all tables of the kind."""
    kinds: dict[str, list[str]] = {}
    for name in entries:
        if TABLES[name].kind:
            kinds.setdefault(TABLES[name].kind, []).append(name)
    rows = []
    for kind, names in kinds.items():
        values = [x for name in names for x in entries[name]["deviations"]]
        unit = "natural logarithm" if TABLES[names[0]].log else "score from 0 to 1"
        low, high = f"{min(values):.2g}", f"{max(values):.2g}"
        rows.append(
            (kind, unit, "; ".join(TABLES[name].title for name in names), low if low == high else f"{low}–{high}")
        )
    return page_command.table(("score", "scale", "tables", "standard deviation"), rows, words=3)


def wins(found: Mapping[str, float]) -> str:
    rows = [(name, f"{100 * there:.1f}", f"{100 * found[name]:.1f}") for name, there in TIREX_WINS.items()]
    return page_command.table(("TiRex against", "published, % of tasks", "here"), rows)


def ranks(found: Mapping[str, float]) -> str:
    rows = [(name, f"{there:.3f}", f"{found[name]:.3f}") for name, there in AMLB_RANKS.items()]
    return page_command.table(("framework", "mean rank of the published means", "here"), rows)


def totals(entries: Mapping[str, Entry]) -> dict[str, object]:
    """Whether the first is shown to be better than every other: by the more careful of the two judgements."""
    judged = {name: careful(entry) for name, entry in entries.items()}
    clear = {name for name, found in judged.items() if found["reachable"] and not found["level"]}
    sizes = {name: entry["algorithms"] for name, entry in entries.items()}
    few = [name for name, k in sizes.items() if k <= FEW]
    many = [name for name, k in sizes.items() if k > FEW]
    both = [entry for entry in entries.values() if "clustered" in entry]
    return {
        "count": len(entries),
        "clear": len(clear),
        "few": len(few),
        "clear of few": sum(name in clear for name in few),
        "many": len(many),
        "clear of many": sum(name in clear for name in many),
        "unreachable": sum(not found["reachable"] for found in judged.values()),
        "with clusters": len(both),
        "pairs before": sum(entry["plain"]["shown"] for entry in both),
        "pairs after": sum(entry["clustered"]["shown"] for entry in both),
        "first moved": sum(entry["plain"]["first"] != entry["clustered"]["first"] for entry in both),
    }
