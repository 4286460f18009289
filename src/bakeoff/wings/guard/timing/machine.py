"""Which machine: what must be the same for two times to be comparable."""

import os
import platform
from contextlib import suppress


def machine_fingerprint() -> dict[str, object]:
    """CPU model, number of CPUs, system: coarse, so that it does not change from day to day."""
    return {"cpu": _cpu(), "cpus": os.cpu_count(), "system": platform.system(), "architecture": platform.machine()}


def _cpu() -> str:
    with suppress(OSError), open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        for line in file:
            name, _, value = line.partition(":")
            if name.strip() in ("model name", "Model", "Hardware"):
                return " ".join(value.split())
    return platform.processor() or platform.machine()
