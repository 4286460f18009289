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


def even_groups(widths: Sequence[float], names: Sequence[int], room: float) -> list[list[int]]:
    """As few groups, of about equal width: no single column is left for the last one.

    Examples
    --------
    >>> even_groups([8, 5, 5, 5, 5, 5], names=[0], room=28)
    [[0, 1, 2, 3], [0, 4, 5]]
    """
    groups = column_groups(widths, names, room)
    low, high = 0.0, room
    for _ in range(30):
        middle = (low + high) / 2.0
        wider = column_groups(widths, names, middle)
        if len(wider) == len(groups):
            groups, high = wider, middle
        else:
            low = middle
    return groups
