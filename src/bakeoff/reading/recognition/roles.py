"""Which columns of a long table hold what; none of a wide one."""

import re
from collections.abc import Mapping, Sequence

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, fitting
from bakeoff.reading.recognition.column_roles import refuse_long_predictions
from bakeoff.reading.recognition.first_rows import (
    ROLES,
    FirstRows,
    are_numbered,
    could_be_scores,
    long_call,
    only_call,
    question_and_task,
    run_columns,
    score_columns,
    status_columns,
)
from bakeoff.reading.recognition.fold_names import call_of_folds
from bakeoff.reading.recognition.orientation import SIDES, WHOLE_RUNS, counts_steps, side_of
from bakeoff.reading.table import SourceTable, matching
from bakeoff.scores.runs import are_ends
from bakeoff.words import is_fold, is_one_of, named_direction, plain_name, roles as role_names

Roles = dict[str, int]
MOST_OFFERED = 4


def roles_of(
    table: SourceTable,
    layout: str,
    names_given: Mapping[str, str | None],
    drop: Sequence[str],
    metric: str | None,
    keep: Sequence[str],
) -> tuple[Roles | None, Roles, int | None]:
    """Which columns of a long table hold what, None of a wide one; those that were named; that of the clusters."""
    flags = {role: _find(table, role, name) for role, name in names_given.items() if name is not None}
    _refuse_two_roles(table, flags)
    if metric is not None and layout != "wide":
        flags |= _metric_column(table, metric, flags, layout)
    at = [j for j in _free(table, "cluster", flags) if table.names[j] not in (*drop, *keep)]
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
    there = f"its columns are {column_list(table)}{did_you_mean(name, table.names)}"
    raise ReadingError(f": {table.origin} has no column {name!r}; {there}", parameter=role)


def column_list(table: SourceTable) -> str:
    return fitting(name or "(no name)" for name in table.names)


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
    by_role = {role: [flags[role]] if role in flags else _free(table, role, flags) for role in role_names()}
    lacking = [role for role in ROLES if not by_role[role]]
    # a wide table may have an algorithm called "model", hardly one called "algorithm", or with names for scores
    called = any(table.names[j].lower() == "algorithm" or table.holds_names(j) for j in by_role["algorithm"])
    if (
        not set(flags) - {"score"}
        and layout == "auto"
        and set(lacking) & {"problem", "algorithm"}
        and len(table.names) > 2
    ):
        only = only_call(table, by_role)
        by_role |= {role: [j] for role, j in only.items()}
        lacking, called = [role for role in ROLES if not by_role[role]], called or "algorithm" in only
    if called and by_role["problem"] and by_role["algorithm"]:
        if "status" not in flags and not by_role["status"]:
            by_role["status"] = _statuses(table, by_role)
        if "score" not in flags:
            refuse_long_predictions(table, by_role)
            by_role["score"] = score_columns(table, by_role)
        lacking = [role for role in ROLES if not by_role[role]]
        if lacking == ["score"] and not by_role["run"] and run_columns(table, by_role):
            lacking = []
    if not lacking:
        return _settled(table, by_role, flags)
    others = (name for j, name in enumerate(table.names) if j not in by_role["algorithm"])
    if lacking == ["problem"] and layout != "long" and not named and all(map(named_direction, others)):
        return None  # an algorithm and its metrics: the reader of wide tables says so
    if layout == "long" or named or (called and len(lacking) == 1):
        raise ReadingError(_no_long_table(table, by_role, lacking, layout == "long" or bool(named)))
    if by_role["run"]:
        run, roles = table.names[by_role["run"][0]], " or ".join(lacking)
        if is_fold(run):
            raise ReadingError(_rows_of_folds(table, by_role, run))
        raise ReadingError(
            f"{table.origin}: runs (column {run!r}) need the long layout, and no column is recognised as "
            f"{roles}; the columns are {column_list(table)}. Name what is there: "
            f"{long_advice(table, by_role)}{_rows_of_runs(by_role, table.names, run)}"
            f"{_runs_of_one(table, by_role['run'][0])}; or, if {run!r} is an algorithm, layout='wide'"
        )
    return None


def _statuses(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> list[int]:
    """The column that says how runs ended, if another one can be that of the scores."""
    keys = {j for role in ("problem", "algorithm", "run", "cluster") for j in by_role[role]}
    statuses = status_columns(table, [j for j in range(len(table.names)) if j not in keys])
    scores = score_columns(
        table, {**by_role, "score": [j for j in by_role["score"] if j not in statuses], "status": statuses}
    )
    return statuses if scores else []


def _no_long_table(table: SourceTable, by_role: Mapping[str, list[int]], lacking: Sequence[str], named: bool) -> str:
    """Why a long table cannot be read, and what to do."""
    advice = long_advice(table, by_role)
    if lacking == ["problem"]:
        algorithm = by_role["algorithm"][0]
        if steps := next((name for name in table.names if counts_steps(name)), None):
            advice += f". Is each row a step of a run ({steps!r})? {WHOLE_RUNS}"
        elif not long_call(table, by_role) and FirstRows(table).are_unique([algorithm]):
            return (
                f"{table.origin}: no column is called like problems, and each {table.names[algorithm]!r} has one row. "
                "A comparison is over several problems: give the scores on each. If columns are problems, say "
                "rows='algorithms'; if one holds their names, problem="
            )
    if lacking == ["problem"] and (folds := [name for name in table.names if is_fold(name)]):
        call = call_of_folds(table, folds[0])
        return (
            f"{table.origin}: no column is called like problems, and {folds[0]!r} like folds. Of one data set, say "
            f"{call}: a test that allows for the training data that they share. Of several, name their column: problem="
        )
    if lacking == ["problem"] and by_role["run"] and "=" in advice[-1:]:
        advice += " (runs of one data set are no comparison over several: if they are folds, folds= is for them)"
    scores = could_be_scores(FirstRows(table), by_role) if lacking == ["score"] else []
    if scores and not long_call(table, by_role):
        advice = " or ".join(f"score={table.names[j]!r}" for j in scores[:4])
    return (
        f"{table.origin}: the long layout needs the column {lacking[0]}; the columns are {column_list(table)}. "
        f"Name it with {advice}" + ("" if named else ", or pass layout='wide'")
    )


def _rows_of_folds(table: SourceTable, by_role: Mapping[str, list[int]], run: str) -> str:
    """How to read a row per fold, perhaps of several data sets, with a column per model."""
    others = [table.names[j] for j in by_role["problem"]]
    of = f" of each {others[0]}" if len(others) == 1 else ""
    call = call_of_folds(table, run, others)
    return (
        f"{table.origin}: by the column {run!r}, rows are folds{of}, which share training data. If the other columns "
        f"are models, say {call}: a test that allows for it. If there is a row per model and fold, name these columns, "
        f"too, algorithm= and score=; if {run!r} is an algorithm, layout='wide'"
    )


def _runs_of_one(table: SourceTable, run: int) -> str:
    """Say what there is for a table whose rows are the runs on one problem."""
    rows = FirstRows(table)
    if run or not rows.are_unique([0]) or not all(map(rows.is_number, range(1, len(table.names)))):
        return ""
    return (
        "; or, if each row is a run on one problem, and the other columns are algorithms: a comparison is over several "
        "problems; bo.mann_whitney compares two columns on one, and folds= those that are folds of one data set"
    )


def _rows_of_runs(by_role: Mapping[str, list[int]], names: Sequence[str], run: str) -> str:
    """How to read a row per problem and run, with a column per algorithm."""
    if len(by_role["problem"]) != 1:
        return ""
    problem = names[by_role["problem"][0]]
    named = f"problem='{problem},{run}' with cluster={problem!r} and layout='wide'"
    return f"; or, if rows are runs and the other columns algorithms, {named}"


def _settled(table: SourceTable, by_role: dict[str, list[int]], flags: Roles) -> Roles:
    """One column for each role; of a log of questions, that of the task as well. No score where runs are columns."""
    roles: Roles = {}
    if "task" in flags:
        roles["task"] = flags["task"]
    elif "problem" not in flags or not _is_key(table, by_role):
        by_role["problem"], tasks = question_and_task(table, by_role, "problem" in flags)
        if tasks:
            roles["task"] = tasks[0]
    if "metric" not in flags and not all(map(table.holds_names, by_role["metric"])):
        by_role["metric"] = []
    return roles | {role: only_column(table, role, columns) for role, columns in by_role.items() if columns}


def _is_key(table: SourceTable, by_role: Mapping[str, Sequence[int]]) -> bool:
    """Does a problem occur once with each algorithm, as its column was named? Question 7 of another task is another."""
    return FirstRows(table).are_unique([by_role[role][0] for role in (*SIDES, "run") if by_role[role]])


def long_advice(table: SourceTable, by_role: Mapping[str, list[int]]) -> str:
    """``problem='question', score='points'``: a call that reads the first rows, else the roles that are open."""
    call = long_call(table, by_role) or {role: "" for role in ROLES if not by_role[role]}
    return ", ".join(f"{role}={name!r}" if name else f"{role}=" for role, name in call.items())


def _free(table: SourceTable, role: str, flags: Roles) -> list[int]:
    """Columns recognised for a role, without those that a flag gave to another."""
    free = [name if j not in flags.values() else "" for j, name in enumerate(table.names)]
    places = matching(free, role)
    if role == "score" and places and all(map(table.holds_names, places)):  # the result of a solver: sat, unsat
        numbers = ["" if table.holds_names(j) else name for j, name in enumerate(free)]
        return matching(numbers, role) or [j for j in places if not are_ends(table.texts(j))]
    if role == "run" and not places:  # the first column of a table of repeated splits; train and test are no runs
        if plain_name(free[0]) == "split" and all(map(str.isdecimal, table.texts(0))):
            return [0]
        stems = [re.sub(r"(?i)[\s_.]*id$", "", name) for name in free]  # cv_fold, fold.id
        lasts = [j for j, stem in enumerate(stems) if is_one_of(re.split(r"[\s_.]", stem)[-1], "fold")]
        return [j for j in lasts if 1 < len(set(texts := table.texts(j))) < len(texts)][:1]
    if places or role not in SIDES:
        return places
    called = [j for j, name in enumerate(free) if name and side_of(name) == SIDES[role]]
    return [j for j in called if table.holds_names(j) or (role == "problem" and are_numbered(table, j))]


def only_column(table: SourceTable, role: str, columns: list[int]) -> int:
    if len(columns) > 1:
        names = " and ".join(repr(table.names[j]) for j in columns)
        each = " or ".join(f"{role}={table.names[j]!r}" for j in columns[:MOST_OFFERED])
        raise ReadingError(f"{table.origin}: {names} could all be the {role} column; say which: {each}")
    return columns[0]
