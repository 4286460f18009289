"""``bakeoff serve``: what was chosen goes along from one analysis to the next, and only what means the same there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click import Context

from bakeoff.cli import main
from bakeoff.cli.options import in_option_words
from bakeoff.errors import ParameterError
from bakeoff.wings.page import form
from bakeoff.wings.page.table_summary import facts_of
from bakeoff.wings.page.views import VIEWS

COMPARE, PLAN, RUNTIMES, BAYES = (VIEWS[name] for name in ("compare", "plan", "runtimes", "bayes"))
HOLED = {"missing": 2, "better": None}


def test_planning_forgets_neither_the_direction_nor_what_was_left_out() -> None:
    query = [("better", "higher"), ("drop", "A"), ("drop", "B"), ("effect", "0.5")]
    assert form.carried(PLAN, query) == {"better": ("higher",), "drop": ("A", "B")}
    assert form.carried(RUNTIMES, query) == {"better": ("higher",)}
    assert form.carried(COMPARE, query) == {}


def test_an_effect_to_plan_for_is_no_kind_of_effect() -> None:
    chosen = {"better": ("higher",), "effect": ("0.5",), "alpha": ("0.01",)}
    assert form.kept(COMPARE, chosen, PLAN) == {"better": ("higher",), "alpha": ("0.01",)}


def test_what_one_analysis_does_with_missing_scores_is_not_asked_of_another() -> None:
    shown = form.with_defaults(COMPARE, {"better": ("lower",)}, HOLED)
    assert shown["missing"] == ("keep",)
    assert form.with_defaults(BAYES, form.kept(BAYES, shown, COMPARE), HOLED)["missing"] == ("drop",)
    bounds = {**shown, "missing": ("bounds",)}
    assert "missing" not in form.kept(BAYES, bounds, COMPARE)
    assert form.kept(BAYES, {**shown, "missing": ("worst",)}, COMPARE)["missing"] == ("worst",)
    back = form.with_defaults(BAYES, {"better": ("lower",)}, HOLED)
    assert "missing" not in form.kept(COMPARE, back, BAYES)


def test_runtimes_are_not_offered_where_higher_is_better() -> None:
    assert "lower is better" in RUNTIMES.refused({"better": "higher"})
    assert RUNTIMES.refused({"better": "lower"}) == RUNTIMES.refused({"better": None}) == ""


def test_a_plan_begins_with_as_many_algorithms_as_it_takes() -> None:
    assert PLAN.chosen([], {"n_algorithms": 200})["n_algorithms"] == ("100",)


def test_a_column_left_out_is_offered_as_no_cluster(tmp_path: Any, monkeypatch: Any) -> None:
    import bakeoff as bo

    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text("problem,A,B,C\nd1,1,2,3\nd2,3,2,1\n")

    def read(better: str | None, options: dict[str, Any]) -> Any:
        return bo.read_scores("t.csv", better or "lower", **options)  # type: ignore[arg-type]

    assert facts_of("t.csv", read, {"drop": ["A"]})["others"] == []


def test_what_is_wrong_with_a_file_is_said_not_that_it_names_its_direction(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("problem,A,B\nd1,1,\n")

    def read(better: str | None, options: dict[str, Any]) -> Any:
        if better is None:
            raise ParameterError("has no score at all of 'B'", parameter="values")
        raise ParameterError("must be 'higher', as the file says", parameter="better")

    with pytest.raises(ParameterError, match="no score at all"):
        facts_of(str(file), read, {})


def test_a_shape_keeps_its_names() -> None:
    command = main.get_command(Context(main), "plan")
    assert command is not None
    said = "Give a table of shape (n_problems, n_algorithms, n_runs); n_algorithms must be 2 or more"
    assert in_option_words(said, command) == (
        "Give a table of shape (n_problems, n_algorithms, n_runs); --algorithms must be 2 or more"
    )
