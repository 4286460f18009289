"""A process of ``bakeoff serve``: it runs commands of this program on uploaded tables, and hands their results over.

``python -m bakeoff.wings.page.calculator STORE PARENT MEMORY`` reads a question per line and answers each with a line
(JSON).
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from bakeoff.wings.page.questions import AnswersOnTables


def serve_questions(store: Path, questions: Any, answers: Any) -> None:
    """Until the questions end, as they do with the server."""
    answers_on = AnswersOnTables(store, Path.cwd())
    for line in questions:
        answers.write(json.dumps(answers_on.answer(json.loads(line))).encode() + b"\n")
        answers.flush()


def _prepare(parent: int, memory: int) -> Any:
    """Limits, and a stream for answers that nothing else writes to."""
    from bakeoff.processes import os_processes

    if os_processes.has_prctl():
        os_processes.die_with_parent(parent)
    if sys.platform == "linux":
        os_processes.limit_own_memory(memory)
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)
    return answers


if __name__ == "__main__":
    serve_questions(Path(sys.argv[1]), sys.stdin.buffer, _prepare(int(sys.argv[2]), int(sys.argv[3])))
