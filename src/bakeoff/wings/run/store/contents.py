"""The contents of a store as plain values and as Scores, for results, verification and export."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import BakeoffError, ScoreError, StoreError
from bakeoff.scores import Scores
from bakeoff.wings.run.design.race_settings import is_race, settings_in
from bakeoff.wings.run.design.settings import Repetitions, Statistic, question_in
from bakeoff.wings.run.design.specification import FORMAT, digest
from bakeoff.wings.run.schedulers import REASONS
from bakeoff.wings.run.schedulers.score_table import can_be_measured, table_of
from bakeoff.wings.run.store.opening import open_for_reading, sqlite_as_store_error


class RunRow(NamedTuple):
    """A committed run; algorithms and problems by number."""

    problem: int
    algorithm: int
    repetition: int
    round: int
    seed_hex: str
    status: str
    value: float | None
    metrics: str | None
    seconds: float
    error: str
    attempt: int


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem and its state."""

    position: int
    name: str
    draw_order: int | None
    changed: int  # whether its file has changed since the first start
    status: str
    reason: str
    detail: str
    counts: tuple[int, ...]
    differences: tuple[float | None, ...]
    standard_errors: tuple[float | None, ...]

    @property
    def done(self) -> bool:
        return self.status in ("done", "failed")


class StoredLook(NamedTuple):
    """A look of a sequential experiment at its first ``n`` problems.

    In a race it is a block: ``threshold`` is the evidence at which a candidate is eliminated, ``verdict`` says in JSON
    who is left, who is out, and what then.
    """

    number: int  # 1, 2, …
    n: int  # problems looked at
    statistic: float  # the largest adjusted p-value
    threshold: float | None  # stop at or below it
    verdict: str  # "go on", "stop" (early) or "end"

    def refuse_other(self, kept: StoredLook, name: str) -> None:
        """Raise StoreError if another one is kept."""
        if (self.number, self.n, self.verdict) != (kept.number, kept.n, kept.verdict):
            raise StoreError(
                f"{name} {self.number} is kept as {(kept.n, kept.verdict)} and now is {(self.n, self.verdict)}: "
                "another coordinator's NumPy or processor differs, or the store has been changed"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """A store at one moment."""

    spec: Mapping[str, Any]
    spec_hash: str
    versions: Mapping[str, str]
    algorithms: tuple[str, ...]
    changed: tuple[str, ...]  # algorithms whose code has changed since the first start
    instances: tuple[Instance, ...]
    rows: tuple[RunRow, ...]  # by problem, algorithm, repetition
    n_conflicts: int
    n_attempts: int
    looks: tuple[StoredLook, ...]
    n_beyond: int = 0  # runs on problems beyond the stop, omitted here

    @property
    def n_planned(self) -> int:
        """Problems that the experiment uses if nothing stops it."""
        return min(int(self.spec["n_problems"] or len(self.instances)), len(self.instances))

    @property
    def stopped_at(self) -> int | None:
        """The number of problems at which a sequential experiment stopped early, if it did."""
        if self.spec["question"]["sequential"] is None:  # no look belongs here; bakeoff verify says so
            return None
        return next((x.n for x in self.looks if x.verdict == "stop"), None)

    @property
    def looked_at(self) -> Contents:
        """The contents without problems beyond the stop, whose runs depend on the number of workers."""
        stop = self.stopped_at
        if stop is None:
            return self
        beyond = {i.position for i in self.instances if i.draw_order is not None and i.draw_order >= stop}
        none: dict[str, Any] = {"counts": (), "differences": (), "standard_errors": ()}
        return replace(
            self,
            instances=tuple(
                replace(i, draw_order=None, status="pending", reason="", detail="", **none)
                if i.position in beyond
                else i
                for i in self.instances
            ),
            rows=tuple(row for row in self.rows if row.problem not in beyond),
            n_beyond=sum(row.problem in beyond for row in self.rows),
        )

    @property
    def unfinished(self) -> tuple[str, ...]:
        return tuple(i.name for i in self.instances if i.draw_order is not None and not i.done)

    @property
    def penalty(self) -> float | None:
        from bakeoff.wings.run.design.experiment import penalty_of

        return penalty_of(self.spec["on_failure"], self.spec["better"])

    @property
    def repetitions(self) -> Repetitions | None:
        """The design; a statistic that is a user's function is known only by name and replaced by the mean."""
        stored = self.spec["repetitions"]
        return None if stored is None else repetitions_in(stored)

    @property
    def digest(self) -> str:
        """sha256 of every run's names, repetition, status and score: equal results have equal digests."""
        made = hashlib.sha256()
        for (problem, algorithm), rows in groupby(self.rows, key=lambda row: row[:2]):
            names = json.dumps([self.instances[problem].name, self.algorithms[algorithm]], ensure_ascii=False)
            lines = [f"{r.repetition} {r.status} {'' if r.value is None else r.value.hex()}\n" for r in rows]
            made.update(f"{names}\n{''.join(lines)}".encode())
        return made.hexdigest()

    @property
    def without_success(self) -> dict[int, str]:
        """Algorithms whose runs have all failed, by number, in a sentence."""
        runs: dict[int, list[RunRow]] = {}
        for row in self.rows:
            runs.setdefault(row.algorithm, []).append(row)
        return {
            k: f"{self.algorithms[k]} failed in all {len(rows)} runs; the first: {rows[0].error}"
            for k, rows in sorted(runs.items())
            if all(row.status != "ok" for row in rows)
        }

    def score(self, row: RunRow) -> float:
        """A run's score; a failed run counts as the penalty."""
        if row.value is not None:
            return row.value
        penalty = self.penalty
        if penalty is None:
            raise StoreError("a failed run is kept in an experiment where failed runs count for nothing")
        return penalty

    def values(self) -> dict[int, list[list[float]]]:
        """Scores of each problem by algorithm, in the order of repetitions."""
        by_instance: dict[int, list[list[float]]] = {i.position: [[] for _ in self.algorithms] for i in self.instances}
        for row in self.rows:
            by_instance[row.problem][row.algorithm].append(row.value if row.value is not None else self.score(row))
        return by_instance


def read_store(path: Path) -> Contents:
    """The contents of a file, opened read-only."""
    with open_for_reading(path) as connection:
        stored = contents(connection)
        with corruption_as_store_error():
            return stored.looked_at


def contents(connection: sqlite3.Connection) -> Contents:
    """Read everything in one transaction, consistent even while a coordinator writes."""
    name = "SELECT CAST(file AS BLOB) FROM pragma_database_list WHERE name = 'main'"  # it need not be UTF-8
    (place,) = connection.execute(name).fetchone()
    with sqlite_as_store_error(Path(os.fsdecode(place)) if place else None):
        connection.execute("BEGIN")
        try:
            with corruption_as_store_error():
                return _everything(connection)
        finally:
            connection.execute("COMMIT")


@contextmanager
def corruption_as_store_error() -> Iterator[None]:
    """Report corrupt values as StoreError."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        if isinstance(error, BakeoffError):
            raise
        raise StoreError(f"the store is damaged: {type(error).__name__}: {error}") from None


def _everything(connection: sqlite3.Connection) -> Contents:
    get = connection.execute
    experiment = get("SELECT spec_json, spec_hash, package, python, numpy, platform FROM experiment").fetchone()
    spec = checked_specification(*(experiment or (None, None))[:2])
    algorithms = checked_rows(connection, "algorithm", "SELECT name, changed FROM algorithm ORDER BY pos")
    instances = checked_rows(
        connection,
        "instance",
        "SELECT pos, name, draw_order, changed, status, reason, detail, n_json, phi_json, se_json FROM instance "
        "ORDER BY pos",
    )
    check_runs(connection, [i[0] for i in instances], len(algorithms))
    rows = get(
        "SELECT inst, alg, rep, round, seed_hex, status, value, metrics, seconds, error, attempt FROM run "
        "ORDER BY inst, alg, rep"
    ).fetchall()
    looks = checked_rows(connection, "look", "SELECT k, n, stat, threshold, verdict FROM look ORDER BY k")
    return Contents(
        spec=spec,
        spec_hash=experiment[1],
        versions=dict(zip(("bakeoff", "python", "numpy", "platform"), experiment[2:], strict=True)),
        algorithms=tuple(name for name, _ in algorithms),
        changed=tuple(name for name, changed in algorithms if changed),
        instances=tuple(map(_instance, instances)),
        rows=tuple(map(RunRow._make, rows)),
        n_conflicts=int(get("SELECT count(*) FROM conflict").fetchone()[0]),
        n_attempts=int(get("SELECT count(*) FROM attempt").fetchone()[0]),
        looks=tuple(map(StoredLook._make, looks)),
    )


_NUMBERS = {"n_json": (int,), "phi_json": (float, int, type(None)), "se_json": (float, int, type(None))}


def _instance(row: Any) -> Instance:
    check_state(*row[4:6])
    lists = zip(row[7:], _NUMBERS.items(), strict=True)
    numbers = [check_numbers(json.loads(text or "[]"), kinds, f"instance.{field}") for text, (field, kinds) in lists]
    return Instance(*row[:7], *numbers)


# A store's contents as Scores, for every analysis.


def scores_of(contents: Contents, statistic: Statistic | None = None) -> Scores:
    """The finished problems, in the experiment's order; unfinished ones are named in ``.dropped``.

    Cells are means over runs, or values of the experiment's statistic, in which case ``.runs`` is None. ``statistic``
    is needed only if it is a function, which a store does not contain.
    """
    if contents.spec.get("race") is not None:
        raise ScoreError(
            "this store holds a race: eliminated candidates have no scores on later problems, and the survivors were "
            "selected by theirs, so any comparison would be biased. `bakeoff race` shows its result; to compare "
            "candidates, run them on other problems (bakeoff run)"
        )
    done = [i for i in contents.instances if i.done]
    if not done:
        raise ScoreError("no problem of this experiment is finished yet: there are no scores to compare")
    used = statistic or stored_statistic(contents)
    values = contents.values()
    usable = [i for i in done if can_be_measured(used, values[i.position])]
    usable = usable or done  # if none, the error below says what fails
    kept = {i.position for i in usable}
    inside = (contents.spec.get(name) for name in ("clusters", "tasks"))
    clusters, tasks = (None if labels is None else [labels[i.name] for i in usable] for labels in inside)
    return table_of(
        [values[i.position] for i in usable],
        [i.name for i in usable],
        contents.algorithms,
        used,
        contents.spec["better"],
        (*contents.unfinished, *(i.name for i in done if i.position not in kept)),
        clusters,
        tasks,
    )


def stored_statistic(contents: Contents) -> Statistic:
    repetitions = contents.spec["repetitions"]
    name = "mean" if repetitions is None else repetitions["statistic"]
    if name == "mean" or name == "median":
        return "mean" if name == "mean" else "median"
    raise StoreError(
        f"this experiment compares {name!r}, a function that the store does not hold; use Python, "
        "bo.run(experiment, store=...).scores, which repeats no finished run"
    )


# Types and ranges of what a store holds: the file may be damaged, or have been edited.


_STATES = ("pending", "active", "done", "failed")
_NUMBER, _NUMBER_OR_NONE = (float, int), (float, int, type(None))
_TEXT_OR_NONE, _INT_OR_NONE = (str, type(None)), (int, type(None))
_KINDS: dict[str, dict[str, tuple[type, ...]]] = {
    "": {
        "better": (str,),
        "seed": (int,),
        "score": _TEXT_OR_NONE,
        "runs": _INT_OR_NONE,
        "repetitions": (dict, type(None)),
        "on_failure": (str, float, int),
        "n_problems": _INT_OR_NONE,
        "question": (dict,),
        "algorithms": (list,),
        "problems": (list,),
    },
    "question.": {"differences": (str,), "control": _TEXT_OR_NONE},
    "algorithm.": {"name": (str,), "changed": (int,)},
    "instance.": {
        "pos": (int,),
        "name": (str,),
        "draw_order": _INT_OR_NONE,
        "changed": (int,),
        "status": (str,),
        "reason": (str,),
        "detail": (str,),
    },
    "look.": {"k": (int,), "n": (int,), "stat": _NUMBER, "threshold": _NUMBER_OR_NONE, "verdict": (str,)},
    "coordinator.": {
        **dict.fromkeys(("host", "machine", "process", "file", "command"), (str,)),
        **dict.fromkeys(("pid", "ended"), (int,)),
        **dict.fromkeys(("started", "seen"), (float,)),
    },
}


def checked_specification(text: object, sha256: object) -> dict[str, Any]:
    """The description of the experiment."""
    if not isinstance(text, str) or digest(text) != sha256:
        raise StoreError("the store's description of its experiment does not fit its hash; it has been changed")
    spec = json.loads(text)
    if not isinstance(spec, dict):
        raise _damaged("description", spec)
    version = spec.get("format", 0)
    if not isinstance(version, int) or version > FORMAT:
        raise StoreError(
            "the store's experiment was described by a newer bakeoff: install that one, or one newer still"
        )
    check_types("", spec)
    check_types("question.", spec["question"])
    for field, allowed in (("better", ("lower", "higher")), ("on_failure", ("raise", "worst"))):
        if isinstance(spec[field], str) and spec[field] not in allowed:
            raise _damaged(field, spec[field])
    if not all(isinstance(one, dict) and isinstance(one.get("name"), str) for one in spec["algorithms"]):
        raise _damaged("algorithms", spec["algorithms"])
    for field in ("clusters", "tasks"):
        labels = spec.get(field)
        if labels is not None and (not isinstance(labels, dict) or set(labels) != set(spec["problems"])):
            raise _damaged(field, labels)
    field = "question"
    try:
        question_in(spec)
        field = "race"
        if is_race(spec):
            settings_in(spec)
        field = "repetitions"
        if spec["repetitions"] is not None:
            repetitions_in(spec["repetitions"])
    except (BakeoffError, TypeError, KeyError, AttributeError):
        raise _damaged(field, spec[field]) from None
    if (spec["runs"] is None) == (spec["repetitions"] is None):
        raise _damaged("runs", spec["runs"])
    return spec


def repetitions_in(fields: Mapping[str, Any]) -> Repetitions:
    """The design; a statistic that is a user's function is known only by name and replaced by the mean."""
    named = fields["statistic"] in ("mean", "median")
    return Repetitions(**(fields if named else {**fields, "statistic": "mean", "method": "bootstrap"}))


def checked_rows(connection: sqlite3.Connection, table: str, query: str) -> list[Any]:
    """The rows of a query on one table."""
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description]
    rows = cursor.fetchall()
    for row in rows:
        check_types(f"{table}.", dict(zip(names, row, strict=True)))
    return rows


def check_state(status: str, reason: str) -> None:
    """The state of a problem."""
    if status not in _STATES:
        raise _damaged("instance.status", status)
    if reason not in ("", "sequential", *REASONS) or (status in ("done", "failed") and reason not in REASONS):
        raise _damaged("instance.reason", reason)


def check_numbers(values: object, kinds: tuple[type, ...], field: str) -> tuple[Any, ...]:
    """A list in JSON."""
    if not isinstance(values, list) or not all(isinstance(x, kinds) and not isinstance(x, bool) for x in values):
        raise _damaged(field, values)
    return tuple(values)


def check_runs(connection: sqlite3.Connection, positions: list[int], n_algorithms: int) -> None:
    """The types and ranges of all runs, and that problems are numbered from 0."""
    strange = connection.execute(
        "SELECT count(*) FROM run WHERE inst NOT BETWEEN 0 AND ? OR alg NOT BETWEEN 0 AND ? "
        "OR typeof(inst) || typeof(alg) || typeof(rep) <> 'integerintegerinteger' "
        "OR typeof(value) NOT IN ('real', 'null') OR typeof(seconds) <> 'real' OR typeof(attempt) <> 'integer' "
        "OR typeof(seed_hex) <> 'text' OR typeof(error) <> 'text' OR typeof(metrics) NOT IN ('text', 'null') "
        "OR status NOT IN ('ok', 'failed', 'timeout') OR typeof(round) <> 'integer'",
        (len(positions) - 1, n_algorithms - 1),
    ).fetchone()[0]
    if strange or positions != list(range(len(positions))):
        raise StoreError(f"the store is damaged: {strange} runs, or the numbers of problems, are invalid")


def missing_runs(connection: sqlite3.Connection) -> tuple[int, int, int] | None:
    """The first finished problem with fewer runs than it finished with: problem, algorithm, how many are missing."""
    there = {
        (problem, algorithm): n
        for problem, algorithm, n in connection.execute("SELECT inst, alg, count(*) FROM run GROUP BY inst, alg")
    }
    finished = "SELECT pos, n_json FROM instance WHERE status IN ('done', 'failed') ORDER BY pos"
    for problem, text in connection.execute(finished):
        for algorithm, n in enumerate(check_numbers(json.loads(text or "[]"), (int,), "instance.n_json")):
            if (gone := n - there.get((problem, algorithm), 0)) > 0:
                return problem, algorithm, gone
    return None


def check_types(table: str, fields: Mapping[str, Any]) -> None:
    """Refuse values of other types than those of the table; it is a part of the description, or one of SQLite."""
    for field, kinds in _KINDS[table].items():
        value = fields.get(field)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise _damaged(f"{table}{field}", value)


def _damaged(field: str, value: object) -> StoreError:
    shown = repr(value)
    return StoreError(f"the store is damaged: {field} cannot be {shown if len(shown) <= 80 else shown[:77] + '…'}")
