"""A description of the machine without host or user names."""

from __future__ import annotations

import contextlib
import os
import platform
from importlib import metadata
from pathlib import Path

PACKAGES = ("numpy", "scipy", "numba")
PEERS = ("statsmodels", "bottleneck", "scikit-posthocs", "autorank")


def machine() -> dict[str, str]:
    """CPU, cores, system, versions, load."""
    found = {"CPU": _processor(), "cores": str(_cores()), "system": platform.system(), "Python": _python()}
    found |= {name: _version(name) for name in (*PACKAGES, *PEERS)}
    with contextlib.suppress(OSError, AttributeError):
        found["load"] = f"{os.getloadavg()[0]:.1f}"
    return found


def machine_line(found: dict[str, str]) -> str:
    names = {"numpy": "NumPy", "scipy": "SciPy"}
    parts = [f"{found['CPU']}, {found['cores']} cores, {found['system']}"]
    parts += [f"{names.get(name, name)} {found[name]}" for name in ("Python", *PACKAGES, *PEERS)]
    if "load" in found:
        parts.append(f"load average {found['load']} when the run began")
    return " · ".join(parts)


def _processor() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def _cores() -> int:
    with contextlib.suppress(AttributeError):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _python() -> str:
    return platform.python_version()


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
