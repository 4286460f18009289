"""The costs of a large family: refused if memory is short, sizes left out, or computed when they are read."""

import contextlib
import sys

from bakeoff.errors import ScoreError, counted
from bakeoff.nulls.signed_rank import EXACT_LIMIT

# bytes, measured with 100 problems and 500 to 2000 algorithms, rounded up
_BASE = 60e6
_PER_PAIR = 1000.0  # of the result, with test, effect and p-values
_ALL_CORRECTIONS = 1500.0  # of a pair, for all further corrections together
_PER_SQUARE = 16.0  # wins of every algorithm over every other one, also with a control
_PER_SCORE = 100.0


def check_memory(n: int, k: int, with_control: bool, all_corrections: bool) -> None:
    """Refuse a comparison that would take more memory than is available."""
    n_pairs = k - 1 if with_control else k * (k - 1) // 2
    each = _PER_PAIR + (_ALL_CORRECTIONS if all_corrections else 0.0)
    needed = _BASE + n_pairs * each + _PER_SQUARE * float(k) ** 2 + _PER_SCORE * n * k
    available = available_memory()
    if available is None or needed <= available:
        return
    swapped = f" Are rows and columns swapped? There are {n} rows (problems)." if n < k else ""
    control = "" if with_control else f"compare with a control ({counted(k - 1, 'pair')}), "
    raise ScoreError(
        f"{counted(n_pairs, 'pair')} of {k} algorithms take about {_gigabytes(needed)} of memory, and "
        f"{_gigabytes(available)} are available; {control}leave algorithms out, or ask for fewer corrections.{swapped}"
    )


def available_memory() -> float | None:
    """Bytes that this process may still take, by the system and its control group; None: not known."""
    if sys.platform != "linux":
        return None
    limits: list[float] = []
    with contextlib.suppress(OSError, ValueError, IndexError), open("/proc/meminfo", encoding="ascii") as file:
        limits += [1024.0 * int(line.split()[1]) for line in file if line.startswith("MemAvailable:")]
    with contextlib.suppress(OSError, ValueError):  # "max": no limit
        limits.append(_number("/sys/fs/cgroup/memory.max") - _number("/sys/fs/cgroup/memory.current"))
    return min(limits) if limits else None


def _number(path: str) -> float:
    with open(path, encoding="ascii") as file:
        return float(int(file.read()))


def _gigabytes(size: float) -> str:
    return f"{size / 1e9:.1f} GB" if size < 1e12 else f"{size / 1e12:.1f} TB"


READ_LATER = 5000
"""Pairs of a family beyond which effects and intervals are computed when they are read or written; pages leave them
out."""


def read_later(n_pairs: int) -> bool:
    return n_pairs > READ_LATER


def too_many_for_sizes(n: int, n_pairs: int) -> bool:
    """Would differences and their intervals take longer than about fifteen seconds, or if they are computed when read,
    five minutes? Then only wins are counted.

    Measured: 10 µs a pair and 0.012 µs a product of two problems; beyond some 1500 problems not all are listed.
    """
    return n_pairs * (20 + 0.012 * n * min(n, 1500)) > (300e6 if read_later(n_pairs) else 15e6)


def too_many_for_signed_ranks(n: int, n_pairs: int) -> bool:
    """Would Wilcoxon's test of every pair take longer than about five seconds?

    Measured: with ties an exact null for each pair, 0.06 µs a product of two problems; the normal distribution 0.1 µs a
    problem.
    """
    return n_pairs * (100 + (0.06 * n * n if n <= EXACT_LIMIT else 0.1 * n)) > 5e6
