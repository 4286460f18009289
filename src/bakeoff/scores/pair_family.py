"""The pairs of algorithms that one analysis compares."""

Family = list[tuple[int, int]]


def family_of(k: int, control: int | None) -> Family:
    """(a, b) of each comparison: the control and each other algorithm, or every a before b, in column order."""
    if control is None:
        return [(a, b) for a in range(k) for b in range(a + 1, k)]
    return [(control, b) for b in range(k) if b != control]
