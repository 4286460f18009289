"""How much memory a comparison takes, estimated before it starts."""

import contextlib
import sys

from bakeoff.errors import ScoreError, counted

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
