"""Which drawer draws which result."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures import diagram
from bakeoff.figures.dispatch import drawers, drawn_kinds


def test_every_type_has_one_drawer() -> None:
    types = [t for kind in drawn_kinds() for t in drawers(kind)]
    assert len(types) == len(set(types))


def test_a_kind_of_result_is_drawn_by_its_own_table() -> None:
    for kind in drawn_kinds():
        assert {getattr(t, "kind", kind) for t in drawers(kind)} == {kind}


def test_what_cannot_be_drawn_is_refused_by_name() -> None:
    with pytest.raises(WrongTypeError, match=r"^result must come from .*; got dict") as error:
        diagram({})  # type: ignore[arg-type]
    assert error.value.parameter == "result"


def test_the_width_is_named(comparison: object) -> None:
    with pytest.raises(ParameterError, match=r"^width_mm must be") as error:
        diagram(comparison, width_mm=20)  # type: ignore[arg-type]
    assert error.value.parameter == "width_mm"


@pytest.fixture(scope="module")
def comparison() -> object:
    import bakeoff as bo

    return bo.compare(bo.datasets.load("demsar_2006"))


@pytest.mark.slow
def test_drawing_a_comparison_loads_no_other_drawers() -> None:
    code = (
        "import sys, bakeoff as bo; from bakeoff.figures import diagram; "
        "diagram(bo.compare(bo.datasets.load('demsar_2006'))); "
        "print([m for m in sys.modules if m.startswith('bakeoff.figures.geometry.') and m.split('.')[3] in "
        "('bayes', 'experiment', 'race', 'plan')])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
