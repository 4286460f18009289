"""Which tasks wait, which are under way, and whose fault it was when several were lost together."""

from __future__ import annotations

from collections import Counter, deque

from bakeoff.running.cell import Task


class Backlog:
    """Tasks by ticket; each leaves exactly once, by :meth:`done` or as a culprit of :meth:`lost`.

    At most ``window`` are under way. When the place where they ran dies, all that were under way come back, and are
    then tried one at a time: whoever is alone at a death ``chances`` times is its cause, and the innocent lose nothing.
    """

    def __init__(self, window: int, chances: int = 1) -> None:
        self._window, self._chances = window, chances
        self._deaths: Counter[int] = Counter()  # while alone, by ticket
        self._tickets = 0
        self._waiting: deque[tuple[int, Task]] = deque()
        self._suspects: deque[tuple[int, Task]] = deque()
        self._sent: dict[int, Task] = {}
        self._alone: int | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting or self._suspects or self._sent)

    def add(self, task: Task) -> None:
        self._waiting.append((self._tickets, task))
        self._tickets += 1

    def due(self) -> list[tuple[int, Task]]:
        """What is to be sent now; from here on it is under way."""
        due = []
        if self._suspects:
            if not self._sent:
                due.append(self._suspects.popleft())
                self._alone = due[0][0]
        elif self._alone not in self._sent:
            while self._waiting and len(self._sent) + len(due) < self._window:
                due.append(self._waiting.popleft())
        self._sent.update(due)
        return due

    def done(self, ticket: int) -> Task | None:
        """The task of a ticket that has come back; None if it had come back before."""
        return self._sent.pop(ticket, None)

    def lost(self, tickets: list[int] | None = None) -> list[Task]:
        """These (all under way) were lost; returns those to blame, which are not tried again."""
        culprits = []
        for ticket in [*self._sent] if tickets is None else tickets:
            task = self._sent.pop(ticket, None)
            if task is None:
                continue
            self._deaths[ticket] += ticket == self._alone
            if self._deaths[ticket] >= self._chances:
                culprits.append(task)
            elif ticket == self._alone:
                self._suspects.appendleft((ticket, task))
            else:
                self._suspects.append((ticket, task))
        return culprits

    def clear(self) -> None:
        self._waiting.clear()
        self._suspects.clear()
        self._sent.clear()
