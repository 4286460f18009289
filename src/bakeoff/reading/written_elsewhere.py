"""Does a file that is no table look like what another program wrote? Asked only when it could not be read."""

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
    r"^evaluations raw_y|Sweep,|\bState\"?,|_timestamp|_runtime",
    re.MULTILINE,
)
HINT = (
    "If this is what another program wrote, read it with bo.read_results(path), or write a table of it: "
    "bakeoff import auto FILE -o long.csv"
)


def hint(source: Any) -> str:
    """Where to go with such a file; nothing where it looks like a table."""
    if not isinstance(source, str | os.PathLike):
        return ""
    try:
        with open(source, "rb") as file:
            head = file.read(HEAD)
    except (OSError, ValueError):
        return ""
    if head.startswith(b"SQLite format 3"):
        return HINT
    if head.startswith(b"PK\x03\x04"):
        return HINT if b"summaries.json" in head or b"_journal/" in head or b"header.json" in head else ""
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    return HINT if (_JSON if text[:1] in ("{", "[") else _TEXT).search(text) else ""
