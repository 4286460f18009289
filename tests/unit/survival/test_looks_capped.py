"""Three equal largest times look like a cap; two do not."""

import pytest

import bakeoff as bo


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
    assert ("looks-capped" in {caution.code for caution in found.cautions}) == capped
