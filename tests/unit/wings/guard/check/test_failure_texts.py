"""What failed is said once."""

import pytest

from bakeoff.wings.guard.check.statistics.run_set import Measured, collapsed


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["failed: boom"], "failed: boom"),
        (["failed"], "failed"),
        (["failed: a", "timeout"], "2 of 2 runs failed: a; timeout"),
    ],
)
def test_failed_is_not_said_twice(texts: list[str], said: str) -> None:
    rows = [Measured("p", str(i), float("nan"), text) for i, text in enumerate(texts)]
    assert collapsed(rows, "process")["p"].failure.replace(" and ", "; ") == said
