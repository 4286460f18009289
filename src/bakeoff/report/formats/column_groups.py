"""The columns of a wide table in groups that fit beside the names, which stand in each of them."""

from collections.abc import Sequence


def column_groups(widths: Sequence[float], names: Sequence[int], room: float) -> list[list[int]]:
    """As few groups as fill ``room`` from left to right, each with the columns ``names``; never an empty one.

    Examples
    --------
    >>> column_groups([8, 5, 5, 5, 5], names=[0], room=18)
    [[0, 1, 2], [0, 3, 4]]
    """
    groups = [list(names)]
    for i in range(len(widths)):
        if i in names:
            continue
        if len(groups[-1]) > len(names) and sum(widths[j] for j in groups[-1]) + widths[i] > room:
            groups.append(list(names))
        groups[-1].append(i)
    return [sorted(group) for group in groups]
