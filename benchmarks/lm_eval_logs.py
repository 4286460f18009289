"""Sample lines of 2 kB, with the keys and the order of lm-eval 0.4.13."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

TIME = "2026-11-21T12-31-12.833999"
MODELS, TASKS = 10, 20
PROMPT = r"The passage of the question, \"quoted\".\n" * 34
LINE = (
    '{{"doc_id": {i}, "doc": {{"question": "{question}", "choices": ["yes", "no"], "at": {i}}}, "target": "1", '
    '"arguments": {{"gen_args_0": {{"arg_0": "Q {i}", "arg_1": " yes"}}, "gen_args_1": {{"arg_0": "Question {i}", '
    '"arg_1": " no"}}}}, "resps": [[["-0.10905784593110368", "False"]], [["-0.5512672460905512", "False"]]], '
    '"filtered_resps": [["-0.10905784593110368", "False"], ["-0.5512672460905512", "False"]], "filter": "none", '
    '"metrics": ["acc", "acc_norm"], "doc_hash": "{doc:064x}", "prompt_hash": "{i:064x}", "target_hash": "{i:064x}", '
    '"acc": {acc:.1f}, "acc_norm": 1.0}}\n'
)


def folder_of_logs(lines: int) -> TemporaryDirectory[str]:
    """``lines`` in all, of 10 models on the questions of 20 tasks."""
    folder = TemporaryDirectory(prefix="bakeoff-bench-")
    tasks = [f"task{t}" for t in range(TASKS)]
    for m in range(MODELS):
        model = Path(folder.name) / f"model{m}"
        model.mkdir()
        header = {
            "results": {task: {"alias": task, "acc,none": 0.5, "acc_stderr,none": 0.1} for task in tasks},
            "higher_is_better": {task: {"acc": True, "acc_norm": True} for task in tasks},
            "model_name": model.name,
        }
        (model / f"results_{TIME}.json").write_text(json.dumps(header))
        for t, task in enumerate(tasks):
            with (model / f"samples_{task}_{TIME}.jsonl").open("w", encoding="utf-8") as file:
                for i in range(lines // (MODELS * TASKS)):
                    acc = i * (m + 2) % 7 < 4
                    file.write(LINE.format(i=i, question=PROMPT, doc=(t << 200) + i, acc=acc))
    return folder
