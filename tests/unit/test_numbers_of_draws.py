"""A number of draws has a limit: a report that asks for more is refused by name, without a hang or NumPy's error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses import all_analyses, by_kind
from bakeoff.checks import draw_count, integer, number
from bakeoff.errors import BakeoffError, ParameterError, ReportError
from bakeoff.report.repeated import DRAWS, _most_draws

TABLE = bo.Scores(np.random.default_rng(4).random((8, 2)) + 1, ["a", "b"], better="lower")
ANALYSES: dict[str, tuple[str, Callable[..., Any]]] = {
    "evaluate": ("n_resamples", bo.evaluate),
    "leaderboard": ("n_resamples", bo.leaderboard),
    "profile": ("n_resamples", bo.profile),
    "runtimes": ("n_resamples", bo.runtimes),
    "sensitivity": ("n_resamples", bo.sensitivity),
    "tradeoff": (
        "n_draws",
        lambda scores, **given: bo.tradeoff(dict.fromkeys("mq", scores), dict.fromkeys("mq", 0.1), **given),
    ),
    "history": ("n_resamples", lambda scores, **given: bo.change_points(HISTORY, **given)),
}
HISTORY = bo.Scores(np.random.default_rng(6).random((2, 9)) + 1, better="lower")


@pytest.mark.parametrize("name", ANALYSES)
def test_too_many_draws_are_refused(name: str) -> None:
    parameter, analyse = ANALYSES[name]
    with pytest.raises(ParameterError) as error:
        analyse(TABLE, **{parameter: 10**30})
    assert error.value.parameter == parameter


@pytest.mark.parametrize("name", ["profile", "sensitivity", "runtimes"])
def test_a_report_that_asks_for_too_many_is_refused(name: str, tmp_path: Path) -> None:
    parameter, analyse = ANALYSES[name]
    path = tmp_path / "report.json"
    analyse(TABLE, **{parameter: 200}).save(path)
    content = json.loads(path.read_text(encoding="utf-8"))
    content["request"][parameter] = 10**30
    path.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(BakeoffError, match=parameter):
        bo.verify(path)


COSTLY: dict[str, tuple[str, Callable[..., Any]]] = {
    **{name: ANALYSES[name] for name in ("profile", "sensitivity", "leaderboard")},
    "bayes": ("n_draws", bo.bayes.overview),
    "sensitivity of a comparison": ("n_resamples", lambda scores, **given: bo.sensitivity(bo.compare(scores), **given)),
}


@pytest.mark.parametrize("name", COSTLY)
def test_a_report_does_not_keep_whoever_verifies_it_busy(name: str) -> None:
    """A report of the usual kind took hours when it asked for 10⁷ draws, which are allowed to who makes one."""
    parameter, analyse = COSTLY[name]
    content = analyse(TABLE, **{parameter: 200}).to_dict()
    for costly, rule in ((False, r"at most \d+ are repeated.*--costly"), (True, parameter)):
        content["request"][parameter] = 10**7 if not costly else 10**30
        with pytest.raises(ReportError, match=rule):
            bo.verify(content, costly=costly)
    content["request"][parameter] = 200
    assert bo.verify(content).ok


@pytest.mark.parametrize("kind", [each.kind for each in all_analyses()])
def test_the_usual_number_of_draws_is_always_repeated(kind: str) -> None:
    for parameter in by_kind()[kind].parameters:
        if parameter.type is int and ("draw" in parameter.name or "sample" in parameter.name):
            assert parameter.name in DRAWS
            assert parameter.default is None or _most_draws(parameter) >= 10 * parameter.default


def test_a_tiny_level_may_need_more_than_the_usual_limit() -> None:
    assert draw_count("n_resamples", 10**8, least=10**8) == 10**8


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("parameter", ["alpha", "margin", "max_groups"])
def test_whole_numbers_beyond_floating_point_are_refused_by_name(parameter: str, digits: int) -> None:
    """float() raised an OverflowError, and Python does not print 5000 digits."""
    value = -(10**digits)
    with pytest.raises(ParameterError, match=f"got a whole number of about {digits} digits") as error:
        number(parameter, value) if parameter != "max_groups" else integer(parameter, value, 1, 9)
    assert error.value.parameter == parameter
