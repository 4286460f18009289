"""Tasks waiting and in flight, and which of them is to blame when several are lost together."""

from collections import Counter, deque

from bakeoff.wings.run.cell import Task


class TaskQueue:
    """Tasks by ticket; each leaves exactly once, by :meth:`done` or as a culprit of :meth:`lost`.

    At most ``window`` are in flight. When the process that runs them dies, all those in flight are queued again and
    tried one at a time: a task that is alone at ``chances`` deaths is their cause; the others are simply repeated.
    """

    def __init__(self, window: int, chances: int = 1) -> None:
        self._window, self._chances = window, chances
        self._deaths: Counter[int] = Counter()  # of the process while this task was alone, by ticket
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
        """The tasks to send now; they are in flight from here on."""
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
        """The task of a returned ticket; None if it had already returned."""
        return self._sent.pop(ticket, None)

    def lost(self, tickets: list[int] | None = None) -> list[Task]:
        """Record that these tickets (None: all in flight) were lost; return the culprits, which are not tried again."""
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
