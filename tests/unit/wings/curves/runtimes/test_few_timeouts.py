"""A verdict of penalised means that few timeouts made is a warning; without a verdict it is a note."""

import numpy as np
import pytest

import bakeoff as bo


def test_a_verdict_without_any_timeout_weighs_too() -> None:
    """Rare timeouts of the faster one may not have happened."""
    times = np.random.default_rng(2).uniform(20, 30, (20, 2)) + np.array([0.0, 20.0])
    found = bo.runtimes(bo.Scores(times, ["a", "b"], better="lower"), 100, n_resamples=100)
    assert found.pairs[0].par_verdicts[10] == "a better"
    assert [caution.severity for caution in found.cautions if caution.code == "few-timeouts"] == ["warning"]


@pytest.mark.parametrize(("stopped", "severity"), [(8, "warning"), (2, "note")])
def test_a_verdict_of_few_timeouts_weighs(stopped: int, severity: str) -> None:
    times = np.column_stack([np.full(60, 30.0), np.full(60, 30.0)]) + np.random.default_rng(1).uniform(0, 9, (60, 2))
    times[:stopped, 1] = 100.0
    found = bo.runtimes(bo.Scores(times, ["a", "b"], better="lower"), 100, n_resamples=100)
    (said,) = [caution for caution in found.cautions if caution.code == "few-timeouts"]
    assert (found.pairs[0].par_verdicts[10] == "a better") is (severity == "warning")
    assert (said.severity, "7 to 15 %" in said.text) == (severity, severity == "warning")
