"""The compiled twins with and without their compiler: what Python executes is the same source, at once."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import pytest

BOTH_WAYS = ["as Python", pytest.param("compiled", marks=[pytest.mark.slow, pytest.mark.needs("numba")])]


def use(how: str, name: str, routine: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """``routine`` calls the twin of this name, whatever the size of the work."""
    monkeypatch.setenv("BAKEOFF_ACCELERATOR", "on")
    if how != "compiled":
        twin = _as_python(name)
        monkeypatch.setattr(routine, "_twin", lambda: twin)


def _as_python(name: str) -> ModuleType:
    numba = ModuleType("numba")
    numba.njit = lambda **options: lambda function: function  # type: ignore[attr-defined]
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", numba)
        spec.loader.exec_module(module)
    if hasattr(module, "LANES"):
        module.LANES = 4  # side by side is quicker only when compiled
    return module
