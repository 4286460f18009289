"""Times that are equal within a tolerance."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError
from solver_times import CAP, solver_times


def literal(a: Fraction, b: Fraction, ties: Fraction, relative: bool) -> int:
    """1 where a is faster beyond the tolerance, -1 where b is; of decimals, exactly."""
    near = abs(a - b) <= (ties * min(a, b) if relative else ties)
    return 0 if near else 1 if a < b else -1


@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_counts_and_ranks_are_those_of_decimals(relative: bool, seed: int) -> None:
    """Decimals whose differences are often exactly the tolerance; a third of the runs is stopped."""
    rng = np.random.default_rng(seed)
    tenths = rng.integers(10, 40, size=(40, 4, 2 if seed % 2 else 1))
    stopped = rng.random(tenths.shape) < 0.2
    cells = np.where(stopped, 9.0, tenths / 10)
    s = bo.Scores.from_cells(cells, list("abcd"), [f"p{i}" for i in range(40)], better="lower")
    found = bo.runtimes(s, 9, ties="10%" if relative else 0.3, n_resamples=100)
    tie = Fraction(1, 10) if relative else Fraction(3, 10)
    leads = np.zeros((40, 4, 4))
    for i, a, b in np.ndindex(leads.shape):
        won = Fraction(0)
        for x, lost_x in zip(tenths[i, a].tolist(), stopped[i, a].tolist(), strict=True):
            for y, lost_y in zip(tenths[i, b].tolist(), stopped[i, b].tolist(), strict=True):
                if lost_x or lost_y:
                    won += lost_y - lost_x
                else:
                    won += literal(Fraction(x, 10), Fraction(y, 10), tie, relative)
        leads[i, a, b] = float(won / cells.shape[2] ** 2)
    for pair in found.pairs:
        signs = np.sign(leads[:, "abcd".index(pair.a), "abcd".index(pair.b)])
        assert (pair.wins, pair.losses, pair.ties) == tuple(int((signs == x).sum()) for x in (1, -1, 0))
    ranks = 1 + ((1 - leads) / 2).sum(axis=2) - 0.5
    assert found.mean_ranks == pytest.approx(ranks.mean(axis=0), abs=1e-12)


def test_equality_is_not_transitive_and_ranks_count_pairs() -> None:
    s = bo.Scores([[1.0, 1.9, 2.8]], list("abc"), better="lower")
    assert bo.runtimes(s, ties=1, n_resamples=100).mean_ranks.tolist() == [1.5, 2.0, 2.5]


def test_a_solved_run_beats_an_unsolved_one_and_zero_is_only_equal_to_zero_within_a_percentage() -> None:
    s = bo.Scores([[8.99, 9.0], [0.0, 0.0], [0.0, 0.01], [1e308, 1.5e308]], list("ab"), better="lower")
    pair = bo.runtimes(s.select(problems=[0, 1, 2]), 9, ties="5%", n_resamples=100, shift=1).pairs[0]
    assert (pair.wins, pair.losses, pair.ties) == (2, 0, 1)
    lost = bo.Scores([[1e308, math.inf]], list("ab"), better="lower")
    assert bo.runtimes(lost, ties="900%", n_resamples=100).pairs[0].wins == 1  # its reach is no infinity


def test_the_rule_is_symmetric() -> None:
    s = bo.Scores(solver_times(60, 2, seed=3), list("AB"), better="lower")
    back = s.select(["B", "A"])
    for ties in (5.0, "50%"):
        p, q = (bo.runtimes(each, CAP, ties=ties, n_resamples=100).pairs[0] for each in (s, back))
        assert (p.wins, p.losses, p.ties, p.pvalue) == (q.losses, q.wins, q.ties, q.pvalue)
        plain = bo.runtimes(s, CAP, n_resamples=100).pairs[0]
        assert p.ties > plain.ties
        assert (p.logrank, p.mcnemar, p.par_differences) == (plain.logrank, plain.mcnemar, plain.par_differences)


def test_it_is_said_and_verified() -> None:
    s = bo.Scores(solver_times(40, 3, seed=6), list("ABC"), better="lower", unit="s")
    found = bo.runtimes(s, CAP, ties="5%", n_resamples=100)
    assert "or times within 5 %: tied" in " ".join(str(found).split())
    assert "(neither solved, or times within 2 s: tied)" in " ".join(
        str(bo.runtimes(s, CAP, ties=2, n_resamples=100)).split()
    )
    data = json.loads(json.dumps(found.to_dict()))
    assert data["ties"] == data["request"]["ties"] == "5%"
    assert bo.verify(data).ok
    data["request"]["ties"] = data["ties"] = "80%"
    assert not bo.verify(data).ok


@pytest.mark.parametrize("wrong", [0, -1, math.nan, True, "5", "x%", "0%", "-1%", [1]])
def test_what_is_refused(wrong: object) -> None:
    s = bo.Scores([[1, 2], [3, 4]], better="lower")
    with pytest.raises(ParameterError) as error:
        bo.runtimes(s, 10, ties=wrong)  # type: ignore[arg-type]
    assert error.value.parameter == "ties"


def test_the_command_reads_both(tmp_path: Path) -> None:
    file = tmp_path / "times.csv"
    file.write_text("problem,a,b\n" + "\n".join(f"p{i},{i + 1},{i + 2}" for i in range(12)))
    for ties, tied in (("1", 12), ("5%", 0), ("50%", 11), ("100%", 12)):
        out = CliRunner().invoke(main, ["runtimes", str(file), "--ties", ties, "--resamples", "100", "--json"])
        assert json.loads(out.stdout)["pairs"][0]["ties"] == tied, (ties, out.output)
