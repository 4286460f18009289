"""``bakeoff compare --json`` against an independent sixty-line script, on tables full of ties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from oracles import sixty_lines

TABLES, BATCHES = 500, 10


def tables(batch: int) -> list[tuple[list[list[int]], str, int | None]]:
    """Whole numbers from a few on to two dozen, 1 to 14 problems, 2 to 6 algorithms, with and without a control."""
    rng = np.random.default_rng([11, batch])
    found = []
    for _ in range(TABLES // BATCHES):
        n, k = int(rng.integers(1, 15)), int(rng.integers(2, 7))
        scores = rng.integers(0, rng.integers(2, 25), size=(n, k))
        if rng.random() < 0.5:  # else hardly any pair differs
            scores += rng.integers(0, 6, size=k) * np.arange(k)
        control = int(rng.integers(k)) if rng.random() < 0.5 else None
        found.append((scores.tolist(), str(rng.choice(["lower", "higher"])), control))
    return found


def by_command(table: list[list[int]], better: str, control: int | None, folder: Path) -> list[dict[str, Any]]:
    """The pairs of ``bakeoff compare --json``."""
    path = folder / "table.csv"
    names = [f"m{j}" for j in range(len(table[0]))]
    rows = [["problem", *names], *([f"p{i}", *map(str, row)] for i, row in enumerate(table))]
    path.write_text("".join(",".join(row) + "\n" for row in rows))
    family = () if control is None else ("--control", names[control])
    result = CliRunner().invoke(main, ["compare", str(path), "--better", better, *family, "--json"])
    assert result.exit_code == 0, result.output
    pairs: list[dict[str, Any]] = json.loads(result.stdout)["pairs"]
    return pairs


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.few(4)
def test_every_number_and_verdict_agrees(batch: int, tmp_path: Path) -> None:
    verdicts = set()
    for table, better, control in tables(batch):
        pairs = by_command(table, better, control, tmp_path)
        expected = sixty_lines.compare(table, better, control)
        where = f"{table}, better={better!r}, control={control}"
        assert [(pair["a"], pair["b"]) for pair in pairs] == [(f"m{a}", f"m{b}") for a, b, *_ in expected], where
        for pair, (_, _, statistic, pvalue, adjusted, verdict) in zip(pairs, expected, strict=True):
            assert pair["statistic"] == float(statistic), where
            assert pair["pvalue"] == pytest.approx(float(pvalue), rel=1e-12, abs=0), where
            (value,) = pair["adjusted"].values()
            assert value == pytest.approx(float(adjusted), rel=1e-12, abs=0), where
            assert pair["verdict"] == verdict, where
            verdicts.add(verdict)
    assert verdicts == {"a better", "b better", "no difference shown", "cannot tell"}, "the tables try everything"


def test_the_script_gives_what_is_known_by_hand() -> None:
    assert sixty_lines.wilcoxon([1, 2, 3, 4, 5]) == (15, 0, sixty_lines.Fraction(1, 16))
    assert sixty_lines.wilcoxon([0, 0, 0, 1]) == (4.5, 1.5, 1)
    assert len(list(sixty_lines.partitions(list(range(6))))) == 203
    rows = [[1, 2, 9]] * 8
    assert [verdict for *_, verdict in sixty_lines.compare(rows, "lower")] == ["a better"] * 3
    assert [verdict for *_, verdict in sixty_lines.compare(rows, "higher")] == ["b better"] * 3
