"""Generated tables in the shapes people use: each is read as it means, or refused with a call that reads it so."""

import json
import math
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from contract.reading_cases import PROGRAMS
from table_shapes import Made, made

MANY, FEW = 300, 33
DEEPEST = 4
"""Calls one after the other, each as the refusal of the one before says."""


def answer(file: Path, options: tuple[str, ...]) -> tuple[dict | None, str]:  # type: ignore[type-arg]
    """The scores of the report, or the refusal."""
    run = CliRunner().invoke(main, ["compare", str(file), "--better", "higher", "--json", *options])
    if run.exit_code == 0:
        return json.loads(run.stdout)["scores"], ""
    assert run.exit_code == 2, run.output
    assert not PROGRAMS.search(run.stderr)
    return None, " ".join(run.stderr.split())


def differs(read: dict, table: Made) -> str:  # type: ignore[type-arg]
    """What of the scores is not as the table means; a problem or algorithm may be left out for a missing score only."""
    problems, algorithms = list(read["problems"]), list(read["algorithms"])
    known = {p for p, _ in table.values}, {a for _, a in table.values}
    if not set(problems) <= known[0] or not set(algorithms) <= known[1]:
        return f"names: {problems} × {algorithms}"
    gaps = {key for key, runs in table.values.items() if any(map(math.isnan, runs))}
    lost = known[0] - set(problems), known[1] - set(algorithms)
    if not lost[0] <= {p for p, _ in gaps} or not lost[1] <= {a for _, a in gaps}:
        return f"left out: {lost}"
    for i, p in enumerate(problems):
        for j, a in enumerate(algorithms):
            there = [x for x in table.values[p, a] if not math.isnan(x)]
            runs = read["runs"][i][j] if read["runs"] else [read["values"][i][j]]
            if (p, a) not in gaps and sorted(map(float, runs)) != pytest.approx(sorted(there), rel=1e-12):
                return f"{p}, {a}: {runs} is not {there}"
    return ""


OPTION = r"--[a-z]+ (?:'[^']*'|,|[^\s,;:)]+?(?=[,;:)]|\.?(?:\s|$)))"


def calls(refusal: str) -> list[tuple[str, ...]]:
    """The options that a refusal names, those next to each other as one call."""
    found = []
    for stretch in re.findall(rf"(?:{OPTION}[\s,]*)+", refusal):
        words = [word for option in re.findall(OPTION, stretch) for word in shlex.split(option)]
        if not any(word in ("COLUMN", "NAME", "NAME=FILE", "VALUE", "SIGN") for word in words):
            found.append(tuple(words))
    return found


def reaches(file: Path, table: Made, options: tuple[str, ...], refusal: str) -> bool:
    """Does some call that the refusal names, or that the refusal of that call names, read the table as it means?

    Which of several measures is meant, the user knows.
    """
    if len(options) > 2 * DEEPEST:
        return False
    meant = [tuple(f"--{feature}".split("=")) for feature in table.features if "=" in feature]
    for call in [*(each for each in meant if each[0] in refusal), *calls(refusal)]:
        if set(call[::2]) & set(options[::2]) - {"--drop", "--keep"}:
            continue
        read, said = answer(file, (*options, *call))
        if read is None and reaches(file, table, (*options, *call), said):
            return True
        if read is not None and not differs(read, table):
            return True
    return False


def check(seed: int, folder: Path) -> str:
    """How the table was read; an error if it was misread, or refused without a way on."""
    table = made(seed)
    file = folder / "table.csv"
    file.write_text(table.text, encoding="utf-8", newline="")
    read, refusal = answer(file, ())
    about = f"seed {seed}: {table.shape}, {table.features}\n{table.text[:600]}"
    if read is not None:
        wrong = differs(read, table)
        assert not wrong, f"misread: {wrong}\n{about}"
        return "as it lies"
    if table.shape == "several keys":
        return "refused"  # which columns are the key, the user has to say
    assert reaches(file, table, (), refusal), f"refused without a call that works: {refusal}\n{about}"
    return "by a call"


@pytest.mark.parametrize("seed", range(FEW))
def test_a_table_is_read_as_it_means_or_refused_with_a_call_that_works(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path)


@pytest.mark.slow
def test_none_of_many_tables_is_misread(tmp_path: Path) -> None:
    found = [check(seed, tmp_path) for seed in range(FEW, MANY)]
    assert found.count("as it lies") > 0.4 * len(found), {word: found.count(word) for word in set(found)}
