"""What to say of a table that was taken for a wide one and has words, or numbers, where the other belongs."""

from collections.abc import Mapping, Sequence

from bakeoff.errors import ReadingError, fitting
from bakeoff.reading.number_parsing import is_name
from bakeoff.reading.recognition.column_roles import judging
from bakeoff.reading.recognition.first_rows import (
    ROLES,
    FirstRows,
    are_statistics,
    could_be_scores,
    left_out_call,
    long_call,
)
from bakeoff.reading.recognition.orientation import side_of
from bakeoff.reading.recognition.roles import long_advice
from bakeoff.reading.table import SourceTable, matching
from bakeoff.scores.runs import are_ends
from bakeoff.words import is_one_of, named_direction, plain_name


def not_wide(table: SourceTable, label: int | None, columns: Sequence[int], error: ReadingError) -> str:
    """Words among the scores of a wide table: which columns to leave out, or what the table is instead."""
    rows = FirstRows(table)
    for j in (j for j in columns if table.holds_names(j)):
        texts, name = rows.texts(j), table.names[j]
        if are_statistics(texts):
            best = next((text for text in texts if plain_name(text) in ("mean", "average", "avg")), texts[0])
            return f"{error}. The rows are statistics, by {name!r}: keep those of one ({best}) in a file of its own"
        if len({named_direction(text) or _said_direction(text) for text in texts} - {None}) > 1:
            return (
                f"{table.origin}: by {name!r}, higher is better in some rows and lower in others, and a comparison has "
                f"one direction: keep the rows of one ({texts[0]}) in a file of its own"
            )
    if "" in table.names[1:] and all(is_name(rows.texts(j)[0]) for j in columns):
        return f"{error}. There are two lines of names: write one, with names such as time_A"
    by_role = {role: matching(table.names, role)[:1] for role in ROLES}
    words = {j: {text for text in rows.texts(j) if text.lower() != "false"} for j in columns if table.holds_names(j)}
    ends = [j for j, own in words.items() if are_ends(own | {"timeout"})]  # of some tool every run may be solved
    if len(ends) > 1 and any(are_ends(words[j]) for j in ends):
        shown = " and ".join(repr(table.names[j]) for j in ends[:2])
        return (
            f"{error}. {shown} hold how runs ended, and a run that failed has no score, whatever number stands beside "
            "it: write a row for each run, with the columns problem, algorithm, score, status "
            "(a word of a solved run that is none elsewhere, such as false, is named with ok=)"
        )
    if len(could_be_scores(rows, by_role)) == 1 and long_call(table, by_role):
        return f"{error}{_as_long(table, by_role)}"
    models = [j for j in columns if table.holds_names(j) and side_of(table.names[j]) == "algorithms"]
    if len(models) == 1 and label is not None and rows.are_unique(models):
        others = [label, *(j for j in columns if table.holds_names(j) and j not in models)]
        dropped = ", ".join(f"drop={table.names[j]!r}" for j in others if table.names[j])
        named = f"problem={table.names[models[0]]!r}, rows='algorithms'"
        return f"{error}. If each row is a {table.names[models[0]]}, and columns are problems, say {named}, {dropped}"
    if left_out := left_out_call(table, label, columns):
        dropped = fitting((f"drop={name!r}" for name in left_out), 80)
        group = table.names.index(left_out[0])
        groups = len(left_out) == 1 and 4 <= 2 * rows.different(group) <= len(rows.texts(group))
        more = f"; one that groups the problems is named with cluster={left_out[0]!r}" if groups else ""
        others = [j for j in columns if j != group]
        if len(left_out) == 1 and rows.different(group) == 2 and "brier" in (call := judging(table, group, others)):
            more += f". If the others predict it, judge them by a metric: {call}, in place of better="
        return f"{error}. A column that is no algorithm is left out with {dropped}{more}"
    if any(name.casefold() == "winner" for name in table.names):
        return (
            f"{error}. A table of who met whom and who won is read by bo.read_battles, and bakeoff ratings without "
            "--better"
        )
    return f"{error}{_as_long(table, by_role)}"


def _said_direction(text: str) -> str | None:
    """The direction that a cell says is good."""
    return next((side for side in ("higher", "lower") if is_one_of(text, "direction", f"says_{side}")), None)


def _as_long(table: SourceTable, by_role: Mapping[str, list[int]]) -> str:
    more = f"layout='long'{', ' if not all(by_role.values()) else ''}{long_advice(table, by_role)}"
    return f" (read as a wide table; if it has one row per score, say so: {more})"
