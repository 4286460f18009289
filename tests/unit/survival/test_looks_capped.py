"""Three equal largest times look like a cap; two do not. What a cap may be."""

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError


@pytest.mark.parametrize(
    ("times", "capped"),
    [
        ([[1, 3], [2, 7], [4, 9], [5, 6]], False),
        ([[9, 3], [2, 7], [4, 9], [5, 6]], False),
        ([[9, 3], [2, 9], [4, 9], [5, 6]], True),
    ],
)
def test_what_looks_capped(times: list[list[float]], capped: bool) -> None:
    found = bo.runtimes(bo.Scores(times, better="lower"), resamples=100)
    said = [caution.text for caution in found.cautions if caution.code == "looks-capped"]
    assert [text.endswith("if this is the time at which runs were stopped, say cap=9.") for text in said] == [
        True
    ] * capped
    assert all(text.startswith("3 times equal the largest, 9, and are taken for solved") for text in said)


def test_the_largest_penalty_of_a_cap_must_be_a_number() -> None:
    scores = bo.Scores([[1, 3], [2, 9], [4, 9]], better="lower")
    with pytest.raises(ParameterError, match="too large: penalised times"):
        bo.runtimes(scores, cap=1e149, k=(1, 100), resamples=100)


def test_who_solved_nothing_is_named() -> None:
    one = [[1.0, 9.0, 2.0], [2.0, 9.0, 3.0], [9.0, 9.0, 1.0], [4.0, 9.0, 2.0]]
    found = {
        c.code: c.text for c in bo.runtimes(bo.Scores(one, list("abc"), better="lower"), 9, resamples=100).cautions
    }
    assert found["solved-nothing"] == "b solved nothing."
    rest = bo.runtimes(bo.Scores(np.array(one)[:, [0, 2]], ["a", "c"], better="lower"), 9, resamples=100).cautions
    assert "solved-nothing" not in {caution.code for caution in rest}


def test_problems_of_one_content_but_for_the_cap_come_in_any_order() -> None:
    """Four problems have the same times; a timeout costs what its own cap says."""
    times, caps = np.array([[3.0, np.inf]] * 4 + [[np.inf, 2.0], [1.0, 1.0]]), [10.0, 20.0, 40.0, 80.0, 10.0, 10.0]
    found = []
    for order in ([0, 1, 2, 3, 4, 5], [3, 5, 1, 0, 4, 2]):
        table = bo.Scores(times[order], ["a", "b"], better="lower")
        result = bo.runtimes(table, [caps[i] for i in order], k=(1,), resamples=200)
        found.append([estimate.par_intervals for estimate in result.estimates])
    assert found[0] == found[1]
    assert found[0][0][1] is not None
