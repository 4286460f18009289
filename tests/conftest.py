"""Hypothesis profiles: quick and reproducible for developers, deeper with ``HYPOTHESIS_PROFILE=deep``."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
settings.register_profile(
    "quick", max_examples=10, derandomize=True, deadline=None, database=None, suppress_health_check=_QUIET
)
settings.register_profile(
    "deep", max_examples=500, derandomize=False, deadline=None, print_blob=True, suppress_health_check=_QUIET
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

# tests neither read nor write the laws that their user has kept
os.environ["BAKEOFF_CACHE"] = "off"


@pytest.hookimpl(optionalhook=True)  # pytest also starts without xdist
def pytest_xdist_auto_num_workers() -> int:
    """``-n auto``: at most four processes, because many tests start processes of their own."""
    return min(os.cpu_count() or 1, 4)
