"""Stores damaged at random: every use of one is refused by name, or right to the last bit, or found by verify.

    python tests/faults/corruptions.py 600          # how many, and optionally a seed

Three stores (a fixed design with several metrics, a sequential experiment, a race) are damaged in turn: a byte flipped
anywhere or in the schema, a page overwritten, emptied or exchanged with another, the end cut off, a value of the wrong
type put into a column. Each is then verified, read for compare, exported and resumed. An exception that is no
BakeoffError, and scores that differ where verify finds nothing, are failures.
"""

import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

import bakeoff as bo
from bakeoff.errors import BakeoffError
from bakeoff.wings.run._race import stored_race
from bakeoff.wings.run.store.contents import read_store, scores_of
from bakeoff.wings.run.store.exporting import columns
from bakeoff.wings.run.verification import verify_store

VALUES = ("'nonsense'", "-3", "NULL", "1e400", "0.5", "'[1,2'", "'[null]'", "'[9]'", "x'00ff'", "''", "10000000000")
TABLES = ("experiment", "algorithm", "instance", "run", "decision", "look", "checksum")
COMPARED = ("problem", "algorithm", "run", "score", "status")


def near(problem: float, rng: np.random.Generator) -> dict[str, float]:
    return {"cost": float(problem + rng.normal()), "time": float(rng.random())}


def far(problem: float, rng: np.random.Generator) -> dict[str, float]:
    return {"cost": float(problem + 2.0 + rng.normal()), "time": float(rng.random())}


PROBLEMS = {f"problem {i}": float(i) for i in range(12)}
Use = Callable[[Path], object]


def fixed() -> bo.Experiment:
    return bo.Experiment([near, far], PROBLEMS, better="lower", seed=1, runs=3, score="cost")


def looking() -> bo.Experiment:
    return bo.Experiment([near, far], PROBLEMS, better="lower", seed=1, score="cost", sequential="group", n_problems=12)


def raced(path: Path) -> object:
    return bo.race(fixed(), block=3, store=path)


MADE: dict[str, Use] = {
    "fixed": lambda path: bo.run(fixed(), path),
    "sequential": lambda path: bo.run(looking(), path),
    "race": raced,
}


def content(path: Path) -> dict[str, list[object]]:
    """What an export holds."""
    found = columns(read_store(path))
    return {name: found[name] for name in (*COMPARED, *(name for name in found if name in ("cost", "time")))}


def shown(path: Path) -> object:
    return stored_race(path).survivors if path.stem == "race" else scores_of(read_store(path)).values.tolist()


def damage(path: Path, rng: random.Random) -> str:
    """One damage; what it is, in words."""
    whole = bytearray(path.read_bytes())
    page = 4096
    pages = len(whole) // page
    kind = rng.choice(("byte", "byte", "schema", "schema", "page", "empty page", "exchange", "cut", "value", "value"))
    if kind == "value":
        return _value(path, rng)
    at = rng.randrange(len(whole))
    if kind == "byte":
        whole[at] ^= 1 << rng.randrange(8)
    elif kind == "schema":
        at = rng.choice([i for i in range(page) if whole[i]])
        whole[at] ^= 1 << rng.randrange(8)
    elif kind == "page":
        at = rng.randrange(pages) * page
        whole[at : at + page] = rng.randbytes(page)
    elif kind == "empty page":
        at = rng.randrange(pages) * page
        whole[at : at + page] = bytes(page)
    elif kind == "exchange":
        one, other = (rng.randrange(pages) * page for _ in range(2))
        whole[one : one + page], whole[other : other + page] = whole[other : other + page], whole[one : one + page]
    else:
        del whole[at:]
    path.write_bytes(whole)
    return f"{kind} at {at}"


def _value(path: Path, rng: random.Random) -> str:
    connection = sqlite3.connect(path, isolation_level=None)
    table = rng.choice(TABLES)
    column = rng.choice([row[1] for row in connection.execute(f"PRAGMA table_info({table})")])
    value = rng.choice(VALUES)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    key = rng.choice(("(SELECT min({0}) FROM {1})", "(SELECT max({0}) FROM {1})")).format(column, table)
    try:
        connection.execute(f"UPDATE OR REPLACE {table} SET {column} = {value} WHERE {column} = {key}")
    except sqlite3.Error:  # a constraint that cannot be ignored
        connection.execute(f"DELETE FROM {table} WHERE {column} = {key}")
    connection.close()
    return f"{table}.{column} = {value}"


def check(path: Path, truth: dict[str, list[object]], answer: object, make: Use, what: str) -> str:
    """What becomes of a damaged store; an AssertionError if it is used wrongly."""
    outcomes = []
    found = True
    try:
        found = not verify_store(path).ok
    except BakeoffError:
        outcomes.append("refused")
    for use, right in ((content, truth), (shown, answer)):
        try:
            same = use(path) == right
        except BakeoffError:
            outcomes.append("refused")
        else:
            assert same or found, f"{what}: read differently, and verify finds nothing"
            outcomes.append("right" if same else "found")
    try:
        make(path)
        assert found or content(path) == truth, f"{what}: resumed to another result, and verify finds nothing"
    except BakeoffError:
        outcomes.append("refused")
    return next((outcome for outcome in ("found", "refused") if outcome in outcomes), "found" if found else "right")


def main(number: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    started, outcomes = time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        whole = {name: Path(folder, f"whole-{name}", f"{name}.sqlite") for name in MADE}
        for name, path in whole.items():
            path.parent.mkdir()
            MADE[name](path)
            assert verify_store(path).ok
        truth = {name: (content(path), shown(path)) for name, path in whole.items()}
        for i in range(number):
            name = [*MADE][i % len(MADE)]
            path = Path(folder, f"{name}.sqlite")
            for rest in Path(folder).glob(f"{name}.sqlite*"):
                rest.unlink()
            shutil.copy(whole[name], path)
            what = f"{name} store, damage {i} of seed {seed}: {damage(path, rng)}"
            try:
                outcomes[check(path, *truth[name], MADE[name], what)] += 1
            except Exception as error:
                raise AssertionError(f"{what}: {type(error).__name__}: {error}") from error
    said = ", ".join(f"{outcomes[kind]} {kind}" for kind in ("refused", "found", "right"))
    return f"{number} damaged stores, {said}, {time.monotonic() - started:.1f} s: none used wrongly"


if __name__ == "__main__":
    print(main(*map(int, sys.argv[1:3] or ["600"])))
