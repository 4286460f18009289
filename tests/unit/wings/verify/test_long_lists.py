"""The text of a verification names some differences, and says how many more there are."""

import pytest

from bakeoff.wings.verify.results import LISTED, Difference, ReportVerification


@pytest.mark.parametrize(("differences", "more"), [(LISTED, 0), (LISTED + 1, 1), (LISTED + 7, 7)])
def test_the_text_says_how_many_it_leaves_out(differences: int, more: int) -> None:
    each = tuple(Difference(where=f"pairs[{i}].pvalue", said="1", found="0") for i in range(differences))
    fields = {"report": "r.json", "kind": "compare", "scores": "", "checked": 100, "tolerance": 0.0, "notes": ()}
    fields |= {"better": "", "written_by": "0.2.0", "accepted": True, "headlines": ("a", "a")}
    lines = str(ReportVerification(**fields, differences=each)).splitlines()  # type: ignore[arg-type]
    assert lines[1 : LISTED + 1] == [f"  {one}" for one in each[:LISTED]]
    assert lines[LISTED + 1 : -1] == ([f"  and {more} more"] if more else [])
    assert lines[-1] == "Headline, computed again: a"
