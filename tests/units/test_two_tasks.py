"""One file of two tasks through every command: which mean each speaks of, and that those of one mean agree.

Of 400 questions A is ahead, of 12 B, and further. Tasks counted equally, B leads; questions counted equally, A does.
"""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bakeoff.cli import main
from lm_eval_folder import line, model
from units.doors import DOORS

RIGHT = {"big": {"A": (300, 400), "B": (240, 400)}, "small": {"A": (3, 12), "B": (11, 12)}}
MEANS = {
    "tasks": {"A": (300 / 400 + 3 / 12) / 2, "B": (240 / 400 + 11 / 12) / 2},
    "problems": {"A": 303 / 412, "B": 251 / 412},
}
Row = tuple[str, int, str, float]


def answers() -> Iterator[Row]:
    for task, models in RIGHT.items():
        for name, (right, of) in models.items():
            yield from ((task, i, name, float(i < right)) for i in range(of))


def written(path: Path, rows: Iterator[Row] | list[Row], runs: int = 1) -> Path:
    """A CSV; every run is one answer, as right as the others on all questions but some."""
    with path.open("w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file)
        lines.writerow(["task", "question", "model", *(["run"] if runs > 1 else []), "acc"])
        for task, i, name, right in rows:
            for run in range(runs):
                again = 1 - right if (i + run) % 10 == 0 else right
                lines.writerow([task, i, name, *([run, again] if runs > 1 else [right])])
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("two") / "contra.csv", answers())


@pytest.fixture(scope="module")
def with_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four runs each, so that runs vary."""
    return written(tmp_path_factory.mktemp("runs") / "contra.csv", answers(), runs=4)


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as lm-eval writes it."""
    out = tmp_path_factory.mktemp("logs")
    for name in "AB":
        tasks = {
            task: [
                line(i, acc=acc, hashed=f"{1000 * (task == 'small') + i:064x}")
                for t, i, m, acc in answers()
                if (t, m) == (task, name)
            ]
            for task in RIGHT
        }
        model(out, f"org__{name}", tasks, model_name=f"org/{name}")
    return out


def printed(*words: object, code: int = 0) -> str:
    done = CliRunner().invoke(main, [*map(str, words)])
    assert done.exit_code == code, done.output
    return " ".join(done.stdout.split())


def reported(*words: object, code: int = 0) -> dict[str, Any]:
    done = CliRunner().invoke(main, [*map(str, words), "--json"])
    assert done.exit_code == code, done.output
    found: dict[str, Any] = json.loads(done.stdout)
    return found


BY_TASKS = "over 2 tasks (400 and 12 {}s), each task counting the same"
BY_PROBLEMS = "Each {} counts the same"
ALONE = "each problem by itself"
STORED = json.loads((Path(__file__).parents[2] / "docs" / "trust" / "units.json").read_text(encoding="utf-8"))
SAID = {"said": BY_PROBLEMS, "alone": ALONE, "respected": BY_TASKS}
"""By what docs/trust/units.md says that a command does with tasks."""
DOORS_HERE = {door.name: door.shape.runs for door in DOORS if door.answers}
COMMANDS: dict[str, tuple[tuple[str, ...], str]] = {
    **{name: (tuple(name.split()), SAID[STORED[name]["tasks"]["is"]]) for name, r in DOORS_HERE.items() if r == 1},
    "leaderboard --by mean-rank": (("leaderboard", "--by", "mean-rank"), f"Mean rank {BY_TASKS}"),
    "compare --margin": (("compare", "--margin", "0.3"), BY_PROBLEMS),
}
OF_RUNS: dict[str, tuple[tuple[str, ...], str]] = {
    name: (tuple(name.split()), SAID[STORED[name]["tasks"]["is"]]) for name, r in DOORS_HERE.items() if r > 1
}
PLANNED = ("--delta", "0.05", "--problem", "question", "--pilot")


def cases(commands: dict[str, tuple[tuple[str, ...], str]]) -> list[Any]:
    return [pytest.param(*commands[name], id=name) for name in commands]


def says(page: str, words: str) -> bool:
    either = (words, "each {} counting the same") if words == BY_PROBLEMS else (words,)
    return any(one.format(noun) in page for one in either for noun in ("problem", "question"))


@pytest.mark.parametrize(("command", "words"), cases(COMMANDS))
@pytest.mark.few(4)
def test_a_table_of_two_tasks(table: Path, command: tuple[str, ...], words: str) -> None:
    """The screen says what counts equally, and stops because other weights turn the order."""
    page = printed(*command, table, "--better", "higher")
    assert says(page, words)
    assert "weights-decide" in page


@pytest.mark.parametrize(("command", "words"), cases(COMMANDS))
@pytest.mark.few(4)
def test_logs_of_two_tasks(logs: Path, command: tuple[str, ...], words: str) -> None:
    better = ("--better", "higher") if command[0] == "race" else ()
    page = printed(*command, logs, *better)
    assert says(page, words)
    assert "weights-decide" in page


@pytest.mark.parametrize(("command", "words"), cases(OF_RUNS))
def test_a_table_with_runs(with_runs: Path, command: tuple[str, ...], words: str) -> None:
    more = PLANNED if "--questions" in command else ()
    assert says(printed(*command, *more, with_runs, "--better", "higher"), words)


def test_trade_offs(tmp_path: Path) -> None:
    """Two metrics of one table, in which tasks count equally."""
    rows = [(t, i, m, acc, 2 - acc) for t, i, m, acc in answers()]
    path = tmp_path / "two.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("task", "question", "model", "acc", "seconds"), *rows])
    metrics = ("--metric", "acc:higher:margin=0.01", "--metric", "seconds:lower:margin=0.01")
    assert says(printed("tradeoff", path, *metrics), BY_TASKS)


def of(kind: str, found: dict[str, Any]) -> dict[str, float]:
    """{algorithm: mean} of a JSON report, by its last name."""
    rows = {
        "evaluate": lambda: {row["algorithm"]: row["mean"] for row in found["estimates"]},
        "leaderboard": lambda: {row["algorithm"]: row["value"] for row in found["standings"]},
        "compare": lambda: found["means"],
        "iqm": lambda: {row["algorithm"]: row["mean"] for row in found["estimates"]},
    }[kind]()
    return {name.rpartition("/")[2]: value for name, value in rows.items()}


SOURCES = ("table", "logs")


@pytest.fixture(params=SOURCES)
def source(request: pytest.FixtureRequest) -> Path:
    path: Path = request.getfixturevalue(request.param)
    return path


@pytest.fixture
def better(source: Path) -> tuple[str, ...]:
    return ("--better", "higher") if source.is_file() else ()


@pytest.mark.parametrize("kind", ["evaluate", "leaderboard", "iqm"])
def test_means_are_of_what_is_said(source: Path, better: tuple[str, ...], kind: str) -> None:
    found = reported(kind, source, *better)
    assert of(kind, found) == pytest.approx(MEANS[found["estimand"]["weights"]], rel=1e-12)


def key(found: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted(found["estimand"].items()))


def test_commands_of_one_estimand_agree(source: Path, better: tuple[str, ...]) -> None:
    """In the order of the two; of ranks and means, questions and tasks, there is one each."""
    leaders: dict[Any, set[str]] = {}
    for kind in (name for name, runs in DOORS_HERE.items() if runs == 1):
        found = reported(kind, source, *better)
        text = found["verdict"] if isinstance(found["verdict"], str) else json.dumps(found["verdict"])
        first = min("AB", key=lambda name: _place(text, name))
        leaders.setdefault(key(found), set()).add(first)
    assert {dict(names)["weights"]: first for names, first in leaders.items()} == {"tasks": {"B"}, "problems": {"A"}}


def _place(text: str, name: str) -> int:
    """Where a verdict names it: the better one first."""
    places = [text.find(each) for each in (f"org/{name} ", f"{name} ", f"{name}:") if each in text]
    return min(places, default=len(text))


def test_asked_weights_turn_means_and_their_sentence(source: Path, better: tuple[str, ...]) -> None:
    for kind, weights in itertools.product(("evaluate", "leaderboard"), ("tasks", "problems")):
        found = reported(kind, source, *better, "--weights", weights)
        assert found["estimand"]["weights"] == weights
        assert of(kind, found) == pytest.approx(MEANS[weights], rel=1e-12)


@pytest.mark.parametrize("margin", ["0.05", "0.2"])
def test_check_and_evaluate_agree(logs: Path, margin: str) -> None:
    """By default: B is better than A by .258, and so no regression."""
    found = reported("check", logs / "org__A", logs / "org__B", "--margin", margin)
    assert found["decision"] == "ok"
    [row] = found["rows"]
    assert row["effect"] == pytest.approx(MEANS["tasks"]["A"] - MEANS["tasks"]["B"], rel=1e-9)
    assert says(printed("check", logs / "org__A", logs / "org__B", "--margin", margin), BY_TASKS)


def test_check_reads_a_table_as_others_do(table: Path) -> None:
    """Question 7 of one task and question 7 of the other are two questions."""
    names = ("--label", "A", "--label", "B", "--better", "higher", "--margin", "0.05")
    assert "412" in printed("check", table, *names)


# --- one question more, clusters and import change no weights -------------------------------------------------------


@pytest.mark.parametrize("more", [0, 1, 2])
def test_a_tiny_task_counts_as_a_task(tmp_path: Path, more: int) -> None:
    """A task of one question keeps its weight; its error is unknown, and so is the verdict."""
    extra = [("tiny", i, name, 1.0) for i in range(more) for name in "AB"]
    found = reported("evaluate", written(tmp_path / "one.csv", [*answers(), *extra]), "--better", "higher")
    tasks = 3 if more else 2
    assert found["estimand"]["weights"] == "tasks"
    means = {name: (2 * MEANS["tasks"][name] + bool(more)) / tasks for name in "AB"}
    assert of("evaluate", found) == pytest.approx(means, rel=1e-12)
    assert (found["pairs"][0]["verdict"] == "cannot tell") == (more == 1)


@pytest.mark.parametrize("kind", ["evaluate", "leaderboard"])
def test_clusters_that_are_the_tasks_change_no_weights(source: Path, better: tuple[str, ...], kind: str) -> None:
    plain, clustered = (reported(kind, source, *better, *more) for more in ((), ("--cluster", "task")))
    assert plain["estimand"] == clustered["estimand"]
    assert of(kind, plain) == of(kind, clustered)


@pytest.mark.parametrize("kind", ["evaluate", "leaderboard", "compare"])
def test_what_import_writes_gives_the_same_answer(logs: Path, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "answers.csv"
    printed("import", "lm-eval", logs, "-o", path)
    assert "task" in path.read_text(encoding="utf-8").partition("\n")[0].split(",")
    direct, imported = reported(kind, logs), reported(kind, path, "--better", "higher")
    same: Callable[[dict[str, Any]], Any] = lambda found: (found["estimand"], found["decision"], found["verdict"])  # noqa: E731
    assert same(direct) == same(imported)
    assert of(kind, direct) == of(kind, imported)
