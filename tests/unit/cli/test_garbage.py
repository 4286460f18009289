"""What a command imports is no garbage: the collector leaves it alone, and looks at everything else as ever."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main

pytestmark = pytest.mark.slow


def test_imports_are_frozen_and_the_collector_is_on_again() -> None:
    file = str(Path(bo.__file__).with_name("datasets") / "derrac_cec2005.csv")
    gc.unfreeze()  # what commands called by other tests have frozen
    frozen = []
    try:
        for _ in range(2):
            assert CliRunner().invoke(main, ["compare", file, "--better", "lower"]).exit_code == 0
            assert gc.isenabled()
            frozen.append(gc.get_freeze_count())
        assert min(frozen) > 1000
        assert frozen[1] < 1.5 * frozen[0], "a second call in the same process takes back what the first has frozen"
    finally:
        gc.unfreeze()
