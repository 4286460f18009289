"""Does a file that is no table look like what another program wrote? Asked only when it could not be read."""

import json
import os
import re
from typing import Any

HEAD = 1 << 16
_JSON = re.compile(
    r'"(?:command|machine_info|context|jmhVersion|primaryMetric|commit_hash|env_name|doc_id|higher_is_better|eval|'
    r"dataset_revision|adapter_spec|instance_id|confidence_interval|sampling_mode|group_id|scenarios|fit_time|"
    r'cv_results_|task_name|benchmark_version|pretty_name|arch)"\s*:|"name"\s*:\s*\{\s*"name"\s*:'
)
_TEXT = re.compile(
    r"command,mean,|IndicatorName|experiment_id|metrics\.|mean_fit_time|split0_test_|datetime_start|setup_id|"
    r"metric_error|sample_id|eval_id|constraint|Resamples:|^goos: |^Benchmark\S+\s+\d+\s|^% f evaluations|funcId|"
    r"^evaluations raw_y|Sweep,|\bState\"?,|_timestamp|_runtime|^Type,Name,Request Count|^metric_name,timestamp,|"
    r"<Catch2TestRun",
    re.MULTILINE,
)
HINT = (
    "If this is what another program wrote, read it with bo.read_results(path), or write a table of it: "
    "bakeoff import auto FILE -o long.csv"
)


_RUNS = "Write a row for each of its times, with the columns problem, algorithm, run, run_kind (iteration) and score"
NESTED = r'\A\{\s*"[^"]*"\s*:\s*\{\s*"[^"]*"\s*:\s*-?[\d.]+\s*[,}]'
CONVERTED = {
    r'"BenchmarkDotNet(Version|Caption)"': f"It is of BenchmarkDotNet, and its OriginalValues are iterations. {_RUNS}",
    r'\A\[\s*\{\s*"Julia"': f"It is of BenchmarkTools, and of one build. {_RUNS}",
    NESTED: "Write a table: pandas.read_json(path).to_csv('new.csv') if its first names are algorithms, "
    "pandas.read_json(path).T.to_csv('new.csv') if they are problems",
    r'"Full Results Table"': "It is of SPEC. Write a row for each iteration in its Full Results Table, with the "
    "columns problem, algorithm, run and score",
    r"\A(?=.*\btraining_iteration\b)(?=.*\btime_this_iter_s\b)(?=.*\btrial_id\b)": "Ray Tune's progress holds the "
    "steps of one trial, and no runs. Write a row for each trial, results.get_dataframe().to_csv('trials.csv'), and "
    "say which columns are what: problem='config/env', algorithm='config/algo', run='config/seed'",
    r"(?i)<table\b": "A table of it is written by pandas.read_html(path)[0].to_csv('new.csv', index=False)",
    r'\A"?Timestamp"?,"?User Count"?,"?Type"?,"?Name"?': "Locust's history of one test has no runs: give "
    "the statistics that Locust writes beside it (_stats.csv)",
}
"""By what a file holds: what is known and not read, and what writes a table, or what one must hold."""


def hint(source: Any, of_header: bool = False) -> str:
    """Where to go with such a file; nothing where it looks like a table. ``of_header``: by its first lines alone."""
    if not isinstance(source, str | os.PathLike):
        return ""
    try:
        with open(source, "rb") as file:
            head = b"".join(file.readline(HEAD) for _ in range(4)) if of_header else file.read(HEAD)
    except (OSError, ValueError):
        return ""
    if head.startswith(b"SQLite format 3"):
        return HINT
    if head.startswith(b"PK\x03\x04"):
        return HINT if b"summaries.json" in head or b"_journal/" in head or b"header.json" in head else ""
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if known := next((CONVERTED[each] for each in CONVERTED if re.search(each, text) and _fits(each, text)), ""):
        return known
    if of_header and text[:1] in ("{", "[") and not re.search(r"[:,]\s*[\[{]", text.partition("}")[0]):
        return ""  # flat records are a table
    return HINT if (_JSON if text[:1] in ("{", "[") else _TEXT).search(text) else ""


def _fits(pattern: str, text: str) -> bool:
    """Is what begins like an object of objects nothing else? Of a long file its beginning decides."""
    if pattern != NESTED or len(text) > HEAD // 2:
        return True
    try:
        return all(isinstance(each, dict) for each in json.loads(text).values())
    except ValueError:
        return False
