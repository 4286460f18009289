"""T9: of an incomplete table the algorithms that lack scores are named, and what each way out keeps."""

import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import MissingScoreError
from contract.reading_cases import read


def table(*lacking: tuple[str, set[int]], problems: int = 12, names: str = "ABCD") -> str:
    gaps = dict(lacking)
    rows = [
        ",".join([f"p{i}", *("" if i in gaps.get(a, ()) else f"{i}.{j}" for j, a in enumerate(names))])
        for i in range(problems)
    ]
    return "\n".join([f"problem,{','.join(names)}", *rows])


def message(text: str, **options: object) -> str:
    with pytest.raises(MissingScoreError) as caught:
        read(text, **options)
    return str(caught.value)


def test_the_algorithms_are_named_with_what_stays_without_them() -> None:
    said = message(table(("C", {0, 1, 2}), ("B", {5})))
    assert "Problems missing: 'C' (3), 'B' (1)" in said
    assert "drop=['C', 'B'] keeps all 12." in said
    assert "missing='drop' (keeps 8 of 12)" in said
    assert read(table(("C", {0, 1, 2}), ("B", {5})), drop=["C", "B"]).n_problems == 12
    assert read(table(("C", {0, 1, 2}), ("B", {5})), missing="drop").n_problems == 8


def test_two_that_complete_each_other_may_be_one() -> None:
    """GIFT-Eval: Zeus and GestaltCog/Zeus-100M."""
    even, odd = set(range(0, 12, 2)), set(range(1, 12, 2))
    said = message(table(("C", even), ("D", odd)))
    assert "Each problem has one of 'C' and 'D': is that one algorithm under two names?" in said
    assert "two names" not in message(table(("C", even), ("D", odd - {1})))
    nothing_left = message(table(("C", even), ("D", odd)), missing="drop")
    assert "would leave no problem" in nothing_left
    assert "drop=['C', 'D'] keeps all 12" in nothing_left


def test_nothing_is_offered_that_leaves_no_comparison() -> None:
    assert "keeps all" not in message(table(("A", {1}), ("B", {2}), ("C", {3})))
    assert "Problems missing" not in message(table(("A", {1}), ("B", {2}), ("C", {3}), ("D", {4})))


def test_the_command_that_is_named_runs(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(table(("C", {0, 1, 2}), ("B", {5})))
    command = ["compare", str(file), "--better", "lower"]
    said = " ".join(CliRunner().invoke(main, command).output.split())
    advice = shlex.split(said[said.index("--drop") :].split(" keeps all 12")[0])
    again = CliRunner().invoke(main, [*command, *advice])
    assert again.exit_code == 0
    assert "12 problems (rows, from “problem”) × 2 algorithms" in again.output


def test_a_message_ends_its_sentence_once(tmp_path: Path) -> None:
    """T17: a hint followed two full stops."""
    file = tmp_path / "t.csv"
    file.write_text("problem,algorithm,score,_timestamp\nx,A,1,2\nx,A,2,3\nx,B,2,3\n")
    with pytest.raises(bo.BakeoffError) as caught:
        bo.read_scores(file, "lower")
    assert ".." not in str(caught.value).replace("...", "")
