"""Which tasks are under way, and whose fault it is when all of them are lost."""

from __future__ import annotations

import random

import pytest

from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.executors.processes import TaskQueue


def task(number: int) -> Task:
    return Task(problem=0, algorithm=0, repetition=number, seed=number)


def test_no_more_than_the_window_is_under_way() -> None:
    backlog = TaskQueue(window=2)
    for number in range(4):
        backlog.add(task(number))
    assert [ticket for ticket, _ in backlog.due()] == [0, 1]
    assert backlog.due() == []
    assert backlog.done(1) == task(1)
    assert backlog.done(1) is None
    assert [ticket for ticket, _ in backlog.due()] == [2]
    assert backlog


def test_the_same_task_twice_is_two_tickets() -> None:
    backlog = TaskQueue(window=5)
    backlog.add(task(0))
    backlog.add(task(0))
    assert [ticket for ticket, _ in backlog.due()] == [0, 1]


@pytest.mark.parametrize("seed", range(50))
def test_each_task_comes_back_once_and_only_culprits_are_blamed(seed: int) -> None:
    """A place where some tasks kill everything under way, at random moments, under the innocent too."""
    chance = random.Random(seed)
    killers = {number for number in range(30) if chance.random() < 0.2}
    backlog = TaskQueue(window=chance.randint(1, 6), chances=chance.randint(1, 3))
    for number in range(30):
        backlog.add(task(number))
    under_way: dict[int, Task] = {}
    done, blamed, rounds = [], [], 0
    while backlog:
        rounds += 1
        assert rounds < 1000
        under_way.update(backlog.due())
        ticket = chance.choice([*under_way])
        if under_way[ticket].repetition in killers:
            under_way.clear()
            blamed += [culprit.repetition for culprit in backlog.lost()]
        else:
            del under_way[ticket]
            found = backlog.done(ticket)
            assert found is not None
            done.append(found.repetition)
    assert sorted(done + blamed) == list(range(30))
    assert set(blamed) == killers
