"""Three equal largest times look like a cap; two do not. What a cap may be."""

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
