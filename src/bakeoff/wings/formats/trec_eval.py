"""Output of ``trec_eval -q`` and ir_measures: a measure, a query and its value in each line."""

import re
from collections.abc import Iterator, Sequence

from bakeoff.errors import ReadingError
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.tabular import number_at
from bakeoff.words import named_direction

SUMMARY = "all"
MEASURES = re.compile(
    r"(gm_|infA|R)?(map|P|AP)([_@(].*)?|(n?dcg|NDCG|nDCG|ERR|RR|RBP|recip_rank|recall|success|Success|bpref|set_).*"
    r"|Rprec\S*|R@\d+|11pt_avg|iprec\S*|Judged@\d+"
)
"""Measures of which more is better; the counts beside them (num_ret, num_rel) are none."""
LINE = re.compile(r"([\w@().=,]+)[ \t]+\S+[ \t]+[-+\d.eE]+\r?")


def recognise(file: SourceFile) -> bool:
    """Three fields without a header, the last one a number, and a known measure among the first."""
    lines = [line for line in file.text_head[:4000].split("\n")[:-1] if not line.startswith("runid")]
    measures = [match[1] for match in map(LINE.fullmatch, lines) if match]
    return len(measures) == len(lines) > 1 and "\t" in lines[0] and any(map(MEASURES.fullmatch, measures))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the query; algorithm: the file's label, else its name, as many runs are called the same."""
    for file in files:
        with file.text() as lines:
            rows = {number: line.split() for number, line in enumerate(lines, 1) if line.strip()}
        if not any(len(row) == 3 and row[1] != SUMMARY for row in rows.values()):
            raise ReadingError(f"{file.path} has the means over all queries alone; print each query: trec_eval -q")
        for number, row in rows.items():
            if len(row) != 3:
                raise ReadingError(f"{file.path}, line {number}: a measure, a query and a value are expected")
            measure, query, value = row
            if query == SUMMARY or measure == "runid":
                continue
            score = number_at(value, f"{file.path}, line {number}")
            better = "higher" if MEASURES.fullmatch(measure) else named_direction(measure)
            yield Measurement(query, file.name, score, measure, better, origin=Origin(file.path, "trec_eval"))


FORMAT = Format("trec-eval", "trec_eval's measures of each query", recognise, read, takes=())
