"""Named columns -> cells: which columns hold what, wide or long."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.reading.long_cells import coded_columns, first_rows, listed_repetitions, long_cells
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import is_label
from bakeoff.reading.orientation import Side, as_wide, orientation
from bakeoff.reading.table import SYNONYMS, Coded, Labels, SourceTable, matching, place
from bakeoff.scores import Array
from bakeoff.scores.named_direction import named_direction
from bakeoff.scores.run_identity import RUN_KINDS
from bakeoff.scores.run_status import MISSING, RunStatus, only_ok, status_array

Roles = dict[str, int]
LONG = ("problem", "algorithm", "score")
RUN_KIND = "run_kind"  # the column of a table of bakeoff import that says what its runs are


def arranged(
    table: SourceTable,
    layout: str,
    given: Mapping[str, str | None],
    drop: Sequence[str] = (),
    metric: str | None = None,
    keep: Sequence[str] | None = None,
    rows: Side | None = None,
) -> Cells:
    """The cells of a table in the layout asked for, or recognised; ``drop``: columns of names in a wide table.

    ``rows``: what the rows of a wide table are, if the caller says it.

    ``metric``: what the scores are; of a long table the column of this name, if there is one. A column "cluster" holds
    the clusters of the problems, unless ``drop`` or ``keep`` (an algorithm of that name) has it; of a long table a
    column "status" what happened to each run, unless ``drop`` has it.
    """
    if rows == "algorithms" and given.get("algorithm"):  # the column of the rows' names
        given = {**given, "problem": given["algorithm"], "algorithm": None}
    roles, flags, clusters = roles_of(table, as_wide(rows, layout), given, drop, metric, keep)
    if roles is None:
        return _wide(table, flags.get("problem"), clusters, drop, rows)
    return _long(table, roles, layout, flags)


def roles_of(
    table: SourceTable,
    layout: str,
    given: Mapping[str, str | None],
    drop: Sequence[str],
    metric: str | None,
    keep: Sequence[str] | None,
) -> tuple[Roles | None, Roles, int | None]:
    """Which columns of a long table hold what, None of a wide one; those that were named; that of the clusters."""
    flags = {role: _find(table, role, name) for role, name in given.items() if name is not None}
    _refuse_two_roles(table, flags)
    if metric is not None and layout != "wide":
        flags |= _metric_column(table, metric, flags, layout)
    kept = (keep,) if isinstance(keep, str) else keep or ()
    at = [j for j in _free(table, "cluster", flags) if table.names[j] not in (*drop, *kept)]
    clusters = flags.get("cluster", at[0] if at else None)
    roles = _long_roles(table, layout, flags)
    if roles is not None and clusters is None:
        roles.pop("cluster", None)
    if roles is not None and "status" not in flags and "status" in roles and table.names[roles["status"]] in drop:
        roles.pop("status")
    return roles, flags, clusters


def _metric_column(table: SourceTable, metric: str, flags: Roles, layout: str) -> Roles:
    """The column of a long table that is called like the metric: no other one may go by its name."""
    called = [j for j, name in enumerate(table.names) if name == metric]
    called = called or [j for j, name in enumerate(table.names) if name.lower() == metric.lower()]
    at, score = called[:1], flags.get("score")
    long = layout == "long" or all(role in flags or _free(table, role, flags) for role in ("problem", "algorithm"))
    if not at or not long or at[0] == score or (score is None and at[0] in flags.values()):
        return {}
    if score is not None:
        rule = f"is {metric!r}, which is a column, but score names another, {table.names[score]!r}; give one of them"
        raise ParameterError(rule, parameter="metric")
    return {"score": at[0]}


def _find(table: SourceTable, role: str, name: str) -> int:
    if not isinstance(name, str):
        raise ParameterError(f"must be the name of a column; got {name!r}", parameter=role)
    if name.strip() in table.names:
        return table.names.index(name.strip())
    raise ReadingError(
        f": {table.origin} has no column {name!r}; its columns are {_columns(table)}{did_you_mean(name, table.names)}",
        parameter=role,
    )


def _columns(table: SourceTable) -> str:
    return listing([name or "(no name)" for name in table.names], 20)


def _refuse_two_roles(table: SourceTable, flags: Roles) -> None:
    for role, j in flags.items():
        twice = [other for other, i in flags.items() if i == j and other != role]
        if twice:
            rule = f"and {twice[0]} must be different columns; both are {table.names[j]!r}"
            raise ParameterError(rule, parameter=role)


def _long_roles(table: SourceTable, layout: str, flags: Roles) -> Roles | None:
    """Which columns hold what in the long layout; None if the table is wide."""
    named = [role for role in ("algorithm", "score", "run", "status") if role in flags]
    if layout == "wide":
        if named:
            rule = "names a column of the long layout; remove it or layout='wide'"
            raise ParameterError(rule, parameter=named[0])
        return None
    found = {role: [flags[role]] if role in flags else _free(table, role, flags) for role in SYNONYMS}
    lacking = [role for role in LONG if not found[role]]
    if not lacking:
        return {role: _only(table, role, columns) for role, columns in found.items() if columns}
    # a wide table may have an algorithm called "model", hardly one called "algorithm", or with names for scores
    called = any(table.names[j].lower() == "algorithm" or table.holds_names(j) for j in found["algorithm"])
    if layout == "long" or named or (called and len(lacking) == 1):
        raise ReadingError(
            f"{table.origin}: the long layout needs the column {lacking[0]}; the columns are {_columns(table)}. "
            f"Name it with {_long_advice(table, found)}"
            + ("" if layout == "long" or named else ", or pass layout='wide'")
        )
    if found["run"]:
        run, roles = table.names[found["run"][0]], " or ".join(lacking)
        raise ReadingError(
            f"{table.origin}: there is a column {run!r}, and runs need the long layout, but no column is recognised as "
            f"{roles}; the columns are {_columns(table)}. Name what is there: "
            f"{_long_advice(table, found)}; or, if this is an algorithm, pass layout='wide'"
        )
    return None


def _long_advice(table: SourceTable, found: Mapping[str, list[int]]) -> str:
    """``problem='question', score='points'``: a guess at the columns that were not recognised."""
    taken = {j for columns in found.values() for j in columns}
    free = [j for j, name in enumerate(table.names) if name and j not in taken]
    named = []
    counts = {j: table.n_names(j) for j in free if table.holds_names(j)}
    by_names = {j: n if n > 1 else math.inf for j, n in counts.items()}  # there are two algorithms at least
    for role in LONG:
        if found[role]:
            continue
        most_first = role == "problem"  # problems are more than algorithms
        fitting = sorted(by_names, key=by_names.__getitem__, reverse=most_first)
        if role == "score":
            fitting = [j for j in free if not table.holds_names(j)]
        if fitting:
            by_names.pop(fitting[0], None)
            named.append(f"{role}={table.names[fitting[0]]!r}")
        else:
            named.append(f"{role}=")
    return ", ".join(named)


def _free(table: SourceTable, role: str, flags: Roles) -> list[int]:
    """Columns recognised for a role, without those that a flag gave to another."""
    free = [name if j not in flags.values() else "" for j, name in enumerate(table.names)]
    return matching(free, role)


def _only(table: SourceTable, role: str, columns: list[int]) -> int:
    if len(columns) > 1:
        names = " and ".join(repr(table.names[j]) for j in columns)
        raise ReadingError(f"{table.origin}: {names} could all be the {role} column; say which with {role}=")
    return columns[0]


def _wide(
    table: SourceTable, problem: int | None, cluster: int | None, drop: Sequence[str], rows: Side | None
) -> Cells:
    """One row per problem, one column per algorithm, perhaps one of clusters; or the other way round."""
    at = _problem_column(table, cluster) if problem is None else problem
    ignored = {0} if _is_row_number(table, 0) and at not in (None, 0) else set()
    rest = [j for j in range(len(table.names)) if j not in (at, cluster) and j not in ignored]
    unnamed = [j for j in rest if not table.names[j]]
    columns = [j for j in rest if table.names[j] and not (table.names[j] in drop and table.holds_names(j))]
    if not columns:
        raise ReadingError(f"{table.origin}: no column of scores; the columns are {_columns(table)}")
    try:
        named = [j for j in (at, cluster) if j is not None]
        labels, scores = table.take(named + unnamed, columns)
    except ReadingError as error:
        texts = [j for j in columns if table.holds_names(j)]
        if not texts:
            raise
        if len(texts) < len(columns) - 1:
            dropped = ", ".join(f"drop={table.names[j]!r}" for j in texts[:3])
            raise ReadingError(f"{error}. A column that is no algorithm is left out with {dropped}") from None
        if any(table.names[j].casefold() == "winner" for j in texts):
            advice = (
                "A table of who met whom and who won is read by bo.read_battles, and bakeoff ratings without --better"
            )
            raise ReadingError(f"{error}. {advice}") from None
        found = {role: matching(table.names, role)[:1] for role in LONG}
        raise ReadingError(
            f"{error} (read as a wide table; if it has one row per score, say so: layout='long'"
            f"{', ' if not all(found.values()) else ''}{_long_advice(table, found)})"
        ) from None
    _refuse_content(table, unnamed, labels[len(labels) - len(unnamed) :])
    problems = [f"P{i + 1}" for i in range(len(scores))] if at is None else labels[0]
    names = [table.names[j] for j in columns]
    header = "" if at is None or (at == 0 and getattr(table, "unnamed_index", False)) else table.names[at]
    read_as = orientation(table.origin, header, problems if at is not None else (), names, rows, problem is not None)
    turned = read_as.rows == "algorithms"
    if at is not None:
        _refuse_empty(table, at, problems, "algorithm" if turned else "problem")
        _refuse_repeated(table, at, problems, "algorithms" if turned else "problems")
    elif turned:
        problems = [f"A{i + 1}" for i in range(len(scores))]
    if turned and cluster is not None:
        rule = f"{table.names[cluster]!r} is a column, and the problems of this table are columns, too: use long layout"
        raise ReadingError(rule, parameter="cluster")
    clusters = None if cluster is None else labels[named.index(cluster)]
    if cluster is not None and clusters is not None:
        _refuse_empty(table, cluster, clusters, "cluster")
    scores = scores.T if turned else scores
    return Cells(
        scores=scores[:, :, None],
        missing=np.isnan(scores)[:, :, None],
        algorithms=problems if turned else names,
        problems=names if turned else problems,
        run_name=lambda i, j, r: "",
        clusters=clusters,
        read_as=read_as,
    )


def _problem_column(table: SourceTable, cluster: int | None) -> int | None:
    """The first column if it is text or called like a problem; else none, all are algorithms."""
    named = matching(table.names, "problem")
    if cluster == 0:
        if named or (len(table.names) > 1 and table.holds_names(1)):
            return named[0] if named else 1
        if table.is_text(0):
            raise ReadingError(
                f"{table.origin}: the first column {table.names[0]!r} holds the clusters, and no other is recognised "
                "as that of the problems; put it first, or say which with problem="
            )
        return None
    if 0 in named or not named:
        return 0 if named or table.is_text(0) or _is_row_number(table, 0) else None
    if _is_row_number(table, 0):
        return _only(table, "problem", named)
    raise ReadingError(
        f"{table.origin}: the first column {table.names[0]!r} would name the problems, but column "
        f"{named[0] + 1} is called {table.names[named[0]]!r}; put it first, or say which with problem="
    )


def _is_row_number(table: SourceTable, column: int) -> bool:
    """A first column without a name, as data frames write their index."""
    name = table.names[column]
    return not name or name.startswith(("Unnamed: ", "__index_level_"))


def _refuse_content(table: SourceTable, columns: list[int], labels: list[Labels]) -> None:
    """A column without a name may only be empty (a delimiter at the end of every line)."""
    for column, texts in zip(columns, labels, strict=True):
        row = next((i for i, text in enumerate(texts) if text), None)
        if row is not None:
            raise ReadingError(f"{place(table, row, column)}: {texts[row]!r} is in a column without a name; name it")


def _refuse_empty(table: SourceTable, column: int, labels: Labels, role: str) -> None:
    if "" in labels:
        row = labels.index("")
        raise ReadingError(f"{place(table, row, column)}: the {role}'s name is empty ({labels.count('')} such rows)")


def _refuse_repeated(table: SourceTable, column: int, problems: Labels, what: str) -> None:
    if len(set(problems)) == len(problems):
        return
    raise ReadingError(
        f"{table.origin}: {what} (column {table.names[column]!r}) must be unique in the wide layout; "
        f"repeated: {listed_repetitions(table, problems, repr)}. "
        "If they are runs, use the long layout: problem, algorithm, score, run."
    )


def _long(table: SourceTable, roles: Roles, layout: str, flags: Roles) -> Cells:
    """One row per problem, algorithm and (optionally) run."""
    keys = [role for role in ("problem", "algorithm", "run", "cluster", "status") if role in roles]
    kind = [table.names.index(RUN_KIND)] if RUN_KIND in table.names else []
    labels, scores = coded_columns(table, [*(roles[role] for role in keys), *kind], roles["score"])
    kinds = labels.pop().names if kind else []
    said = labels.pop() if "status" in roles else None
    for role, coded in zip(keys, labels, strict=False):
        if "" in coded.names:
            _refuse_empty(table, roles[role], coded.texts(), role)
    if layout == "auto" and not flags:
        refuse_doubtful(table, roles, labels[1].names)
    clusters = labels.pop() if "cluster" in roles else None
    status = None if said is None else _statuses(table, roles["status"], said.texts(), scores)
    found = replace(long_cells(table, labels, scores[:, 0], status), metric=telling(table.names[roles["score"]]))
    if len(kinds) == 1 and kinds[0] in RUN_KINDS:
        found = replace(found, run_kind=kinds[0])
    if clusters is None:
        return found
    return replace(found, clusters=_cluster_of(table, roles["cluster"], labels[0], clusters, "cluster" in flags))


def telling(column: str) -> str | None:
    """The name of a column of scores, if it says what they are: accuracy, but not value."""
    return column if named_direction(column) else None


def _statuses(table: SourceTable, column: int, said: Labels, scores: Array) -> RunStatus:
    """(rows,) of each run; the scores of those that are not ok are no scores any more."""
    words = set(said) - {""}
    if words and not any(map(is_label, words)):
        raise ReadingError(
            f"{place(table, 0, column)}: a status is a word, ok or what happened; this column holds numbers. Leave it "
            f"out with drop={table.names[column]!r}, or write ok in it"
        )
    status = status_array(np.array(said, dtype=object)[:, None, None], scores[:, :, None])[:, 0, 0]
    status[status == ""] = MISSING
    scores[:, 0] = only_ok(scores[:, 0], status)
    return status


def _cluster_of(table: SourceTable, column: int, problems: Coded, clusters: Coded, asked: bool) -> Labels:
    """Of each problem, in order of first appearance; one with several is refused."""
    first = first_rows(problems.codes, len(problems.names))
    of = clusters.codes[first]
    other = np.flatnonzero(clusters.codes != of[problems.codes])
    if other.size:
        row = int(other[0])
        problem = problems.codes[row]
        more = "" if asked else f", or leave the column out with drop={table.names[column]!r}"
        raise ReadingError(
            f"{place(table, row, column)}: problem {problems.names[problem]!r} is in cluster "
            f"{clusters.names[clusters.codes[row]]!r} here and in cluster {clusters.names[of[problem]]!r} above; a "
            f"problem belongs to one cluster: name the column with cluster={more}"
        )
    return [clusters.names[code] for code in of.tolist()]


def refuse_doubtful(table: SourceTable, roles: Roles, algorithms: Labels) -> None:
    """A wide table whose algorithms happen to be called "model" and "value" has numbers where names should be."""
    name = table.names[roles["algorithm"]]
    if name.lower() != "algorithm" and not any(is_label(text) for text in algorithms):
        raise ReadingError(
            f"{table.origin}: column {name!r} holds only numbers, so this may be a wide table or a long one; "
            "pass layout='wide' or layout='long'"
        )
