"""Three equal largest times look like a cap; two do not. What a cap may be."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError
from bakeoff.wings.curves.runtimes.statistics.times import run_times


@pytest.mark.parametrize(
    ("times", "capped"),
    [
        ([[1, 3], [2, 7], [4, 9], [5, 6]], False),
        ([[9, 3], [2, 7], [4, 9], [5, 6]], False),
        ([[9, 3], [2, 9], [4, 9], [5, 6]], True),
    ],
)
def test_what_looks_capped(times: list[list[float]], capped: bool) -> None:
    found = bo.runtimes(bo.Scores(times, better="lower"), n_resamples=100)
    said = [caution.text for caution in found.cautions if caution.code == "looks-capped"]
    assert [text.endswith("If runs were stopped at this time, pass cap=9.") for text in said] == [True] * capped
    assert all(text.startswith("3 times equal the largest, 9, and count as solved") for text in said)


def test_the_largest_penalty_of_a_cap_must_be_a_number() -> None:
    scores = bo.Scores([[1, 3], [2, 9], [4, 9]], better="lower")
    with pytest.raises(ParameterError, match="too large: penalised times"):
        bo.runtimes(scores, cap=1e149, k=(1, 100), n_resamples=100)


def test_who_solved_nothing_is_named() -> None:
    one = [[1.0, 9.0, 2.0], [2.0, 9.0, 3.0], [9.0, 9.0, 1.0], [4.0, 9.0, 2.0]]
    found = {
        c.code: c.text for c in bo.runtimes(bo.Scores(one, list("abc"), better="lower"), 9, n_resamples=100).cautions
    }
    assert found["solved-nothing"] == "b solved nothing."
    rest = bo.runtimes(bo.Scores(np.array(one)[:, [0, 2]], ["a", "c"], better="lower"), 9, n_resamples=100).cautions
    assert "solved-nothing" not in {caution.code for caution in rest}


def test_problems_are_alike_only_if_their_caps_are_too() -> None:
    """Whatever the order of columns and runs; without caps their times alone say so."""
    nan, inf = np.nan, np.inf
    cells = [[[3, inf], [1, nan]], [[inf, 3], [1, nan]], [[3, inf], [1, nan]], [[3, 4], [1, nan]], [[3, inf], [2, nan]]]
    table = bo.Scores.from_cells(np.array(cells), ["b", "a"], list("pqrst"), better="lower")
    turned = table.select(algorithms=["a", "b"])
    for caps, groups in (([9.0] * 5, ["pqr", "s", "t"]), ([9.0, 9.0, 7.0, 9.0, 9.0], ["pq", "r", "s", "t"]), (None, 3)):
        codes = [run_times(one, caps).content(one.algorithms).tolist() for one in (table, turned)]
        assert codes[0] == codes[1]
        found = sorted("".join(p for p, code in zip("pqrst", codes[0], strict=True) if code == c) for c in {*codes[0]})
        assert found == groups if caps else len(found) == groups
