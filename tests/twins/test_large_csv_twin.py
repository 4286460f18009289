"""Large delimited files: through polars the result, or the message, is that of the reader for small ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import bakeoff as bo
from bakeoff.errors import BakeoffError
from bakeoff.reading import large_csv

pytestmark = pytest.mark.needs("polars")

HOSTILE = (
    *(
        "",
        " ",
        "NA",
        "nan",
        "-nan",
        "?",
        "-",
        "inf",
        "-inf",
        "1_000",
        "0x10",
        "1d5",
        "+1",
        " 1",
        "1 ",
        "1,5",
        "1;5",
        "12%",
    ),
    *(
        "9007199254740993",
        "9007199254740992",
        "1e400",
        "1e-400",
        "-0",
        ".5",
        "5.",
        "1e",
        "٣",
        '"1"',
        '"1',
        "1\r",
        "\r1",
    ),
    *(
        "2.2250738585072011e-308",
        "0.1000000000000000055511151231257827021181583404541015625001",
        "1\x00",
        "\xa01",
        "1\x0b",
    ),
    *("1\n", "\n", "#1", "1,2", "\t1", "1'000", "−1", "1e5", "3.2±0.1"),
)
NAMES = ("a", "b", "c", "d")
ODD = (
    "",
    " a",
    "a ",
    '"a"',
    'a"',
    "Mean",
    "1",
    "01",
    "é",
    "\ufeffa",
    "a\r",
    "a\x00",
    "NA",
    "#a",
    "a,b",
    "\xa0a",
    "average 1",
)
HEADERS = (
    ("problem", "algorithm", "score", "run"),
    ("problem", "algorithm", "run", "score"),
    ("score", "algorithm", "problem"),
    ("problem", "cluster", "algorithm", "run", "score"),
    ("problem", "algorithm", "status", "score", "run"),
    ("note", "problem", "algorithm", "score", "run", "comment"),
    ("problem", "a", "b"),
)


def outcome(path: Path, **options: object) -> object:
    """What was read, all of it, or the error."""
    try:
        scores = bo.read_scores(path, "lower", **options)  # type: ignore[arg-type]
    except BakeoffError as error:
        return type(error), str(error)
    arrays = (scores.values, scores.runs, scores.n_runs)
    return (
        scores.algorithms,
        scores.problems,
        scores.clusters,
        scores.dropped,
        scores.filled,
        scores.source_sha256,
        [None if array is None else (array.shape, array.tobytes()) for array in arrays],
        None if scores.run_ids is None else scores.run_ids.tolist(),
        None if scores.status is None else scores.status.tolist(),
    )


def both(path: Path, monkeypatch: pytest.MonkeyPatch, **options: object) -> tuple[object, object, list[bool]]:
    """Small reader, large reader, and for each of its attempts whether polars was taken at its word."""
    used: list[bool] = []
    coded = large_csv.LargeCsv.coded

    def noted(self: large_csv.LargeCsv, labels: list[int], score: int) -> object:
        found = coded(self, labels, score)
        used.append(found is not None)
        return found

    with monkeypatch.context() as patch:
        small = outcome(path, **options)
        patch.setattr(large_csv, "LARGE", 0)
        patch.setattr(large_csv.LargeCsv, "coded", noted)
        return small, outcome(path, **options), used


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A long table, most of it plain, with a few cells, lines and line ends that are not."""
    header = draw(st.sampled_from(HEADERS))
    mark = draw(st.sampled_from(",,,;\t"))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    rows = []
    for i in range(draw(st.integers(1, 3))):
        for j in range(draw(st.integers(1, 3))):
            for r in range(draw(st.integers(1, 3))):
                cells = {
                    "problem": f"p{i}",
                    "algorithm": NAMES[j],
                    "run": str(r),
                    "score": repr(round(float(rng.normal()), int(rng.integers(1, 18)))),
                    "cluster": f"c{i // 2}",
                    "status": str(rng.choice(["ok", "ok", "timeout"])),
                }
                rows.append([cells.get(name, str(r)) for name in header])
    if draw(st.booleans()):
        rng.shuffle(rows)
    for _ in range(draw(st.sampled_from((0, 0, 1, 1, 2)))):
        row = draw(st.integers(0, len(rows) - 1))
        column = draw(st.integers(0, len(header) - 1))
        cells = HOSTILE if header[column] in ("score", "note", "comment") else (*ODD, *HOSTILE, *NAMES, "p0", "p1")
        rows[row][column] = draw(st.sampled_from(cells))
    lines = [mark.join(header), *(mark.join(row) for row in rows)]
    for _ in range(draw(st.sampled_from((0, 0, 0, 1)))):
        at = draw(st.integers(0, len(lines)))
        lines.insert(
            at, draw(st.sampled_from(("", " ", "# a remark", mark, mark * (len(header) - 1), "a", mark * 9, "\f")))
        )
    end = draw(st.sampled_from(("\n", "\n", "\n", "\n", "\r\n", "\r")))
    last = draw(st.sampled_from((end, "", end * 2)))
    start = draw(st.sampled_from(("", "", "", "\ufeff")))
    return (start + end.join(lines) + last).encode()


@pytest.mark.slow
@given(content=files(), missing=st.sampled_from(("raise", "drop", "worst", "available", "keep")))
@settings(max_examples=150, deadline=None)
def test_any_file_is_read_as_by_the_reader_for_small_files(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, missing: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "large.csv"
    path.write_bytes(content)
    small, large, _ = both(path, pytest.MonkeyPatch(), missing=missing)
    assert small == large


PLAIN = "problem,algorithm,score,run\n" + "".join(
    f"p{i},{name},{(7 * i + 3 * j + r) / 7!r},{r}\n" for i in range(4) for j, name in enumerate(NAMES) for r in range(3)
)


@pytest.mark.few(24)
@pytest.mark.parametrize("word", sorted({*HOSTILE, *ODD}), ids=ascii)
@pytest.mark.parametrize("column", range(4))
def test_a_hostile_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str, column: int) -> None:
    lines = PLAIN.split("\n")
    fields = lines[7].split(",")
    fields[column] = word
    lines[7] = ",".join(fields)
    path = tmp_path / "large.csv"
    path.write_bytes("\n".join(lines).encode())
    small, large, _ = both(path, monkeypatch, missing="worst")
    assert small == large


@pytest.mark.few(14)
@pytest.mark.parametrize(
    "options",
    [{}, {"only": ["c", "a"]}, {"drop": ["p1", "b"]}, {"cell": "median"}, {"problem": "run", "run": "problem"}],
    ids=str,
)
@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        PLAIN.replace(",", "\t"),
        PLAIN.replace("p2,b,", "p2,e,"),
        PLAIN.replace("\np", "\né"),
        "\ufeff" + PLAIN,
        "\n".join(PLAIN.split("\n")[:20]),
        PLAIN.replace("\n", ",x\n").replace(",run,x", ",run,more"),
        PLAIN.replace("p1,a,", "p1,b,"),
    ],
    ids=["plain", "tabs", "incomplete", "not ASCII", "BOM", "cut", "one more column", "repeated"],
)
def test_plain_files_go_through_polars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, options: dict[str, object]
) -> None:
    path = tmp_path / "large.csv"
    path.write_bytes(text.encode())
    small, large, used = both(path, monkeypatch, missing="keep", **options)
    assert small == large
    assert used == [True]


def test_numbers_are_rounded_as_python_rounds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    doubles = rng.integers(0, 2**63, 400).view(np.float64)
    doubles = doubles[np.isfinite(doubles) & (np.abs(doubles) < 2**53)]
    texts = [text for x in doubles.tolist() for text in (repr(x), f"{x:.{rng.integers(1, 30)}e}")]
    texts += [
        f"{m}e-{d}" for m, d in zip(*rng.integers([[2**51], [5]], [[2**53], [339]], (2, 200)).tolist(), strict=True)
    ]
    texts += [format(1 + m * 2.0**-52, ".60f") for m in range(50)]
    texts += ["4.9e-324", "2.47032822920623273e-324", "2.2250738585072012e-308"]
    # halfway between two neighbours, and a little to either side
    halves = ["1.00000000000000011102230246251565404236316680908203125"]
    texts += [half + more for half in halves for more in ("", "0" * 40 + "1")] + [halves[0][:-1] + "4" + "9" * 40]
    path = tmp_path / "large.csv"
    path.write_text("problem,algorithm,score\n" + "".join(f"p{i},{a},{t}\n" for i, t in enumerate(texts) for a in "ab"))
    small, large, used = both(path, monkeypatch)
    assert small == large
    assert used == [True]


def test_polars_is_not_imported_for_small_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_csv, "optional", lambda name: pytest.fail(f"{name} was imported"))
    path = tmp_path / "small.csv"
    path.write_text(PLAIN)
    assert bo.read_scores(path, "lower").runs is not None
    monkeypatch.setattr(large_csv, "LARGE", 0)
    with pytest.raises(pytest.fail.Exception):
        bo.read_scores(path, "lower")
