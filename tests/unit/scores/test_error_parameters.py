"""An error about one argument carries its name, so that a command line can name the option."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError

S = bo.Scores([[1.0, 2.0], [3.0, 5.0]], algorithms=["a", "b"], better="lower")
RUNS = bo.Scores(np.arange(24.0).reshape(2, 3, 4) % 7 + 1, better="lower")

AT_FAULT: dict[str, tuple[str, Callable[[], Any]]] = {
    "table of p-values": ("pvalues", lambda: bo.adjust_pairwise([0.1, 0.2], "holm")),
    "asymmetric p-values": ("pvalues", lambda: bo.adjust_pairwise([[1, 0.1], [0.2, 1]], "holm")),
    "positions": ("positions", lambda: bo.adjust_pairwise(np.ones((2, 2)), "holm", positions=[1.0])),
    "no scores": ("scores", lambda: bo.friedman(3.0)),
    "no direction": ("better", lambda: bo.friedman([[1.0, 2.0]])),  # type: ignore[arg-type]
    "text": ("values", lambda: bo.Scores([["x", "y"]], better="lower")),
    "names": ("algorithms", lambda: bo.Scores([[1.0, 2.0]], algorithms="ab", better="lower")),
    "twice the same": ("a", lambda: bo.sign_test(S, "a", "a")),
    "weights": ("weights", lambda: bo.rank_weighted(S, weights=[1.0])),
    "column": ("problem", lambda: bo.read_scores({"p": ["x"], "A": [1], "B": [2]}, "lower", problem=1)),  # type: ignore[arg-type]
    "source": ("source", lambda: bo.read_scores(S, "lower")),
    "single runs": ("scores", lambda: bo.plan.repetitions(S, 1.0)),
    "form": ("form", lambda: bo.plan.repetitions(RUNS, 1.0, difference="percent", form="paper")),
    "which problem": ("problem", lambda: bo.bayes.kruskal_wallis(RUNS)),
    "printed table": ("law", lambda: bo.multiple_sign_test(S, "a", law="table", alpha=0.01)),
    "ellipsoid": ("region", lambda: bo.bayes.friedman(S.select(problems=[0]), region="ellipsoid")),
}


@pytest.mark.parametrize("case", AT_FAULT)
def test_an_error_carries_the_parameter_at_fault(case: str) -> None:
    name, call = AT_FAULT[case]
    with pytest.raises(BakeoffError) as caught:
        call()
    assert caught.value.parameter == name
    assert str(caught.value).startswith(name)


@pytest.mark.parametrize(
    ("entry", "name", "place"),
    [
        ("alpha = 2\n", "alpha", ""),
        ('[algorithms]\nx = { command = "true", exit_codes = "0" }\n', "exit_codes", "algorithms.x"),
    ],
)
def test_an_error_in_a_file_keeps_its_parameter(tmp_path: Path, entry: str, name: str, place: str) -> None:
    file = tmp_path / "e.toml"
    algorithms = "" if "[algorithms]" in entry else '[algorithms]\na = "true"\nb = "true"\n'
    file.write_text(f'better = "lower"\nseed = 1\nruns = 1\n{entry}{algorithms}[problems]\nvalues = {{ p = 1 }}\n')
    with pytest.raises(BakeoffError) as caught:
        bo.Experiment.from_toml(file)
    where = f"{str(file)!r}: {place}" if place else repr(str(file))
    assert (caught.value.parameter, caught.value.place) == (name, where)
    assert str(caught.value).startswith(f"{where}: {name} must be")
