"""Files of every reader, changed at random: a result or a sentence, soon, and in little memory.

    PYTHONPATH=tests python tests/faults/mutated_files.py 10000          # how many, and optionally a seed

Every file of every format that is read (result files of other programs, tables, archives, battles, curves, reports,
protocols, stores of baselines, experiments), whole folders where a format has them, is changed: bytes, lines, entries
of JSON, numbers, encodings, sizes, names. Each is read by all readers that would take a file of that kind. Failures
are: an exception that is no BakeoffError, a message of more than 2000 characters, more than 5 s of processor time, and
more memory than 300 MB and 50 MB for each MB of input (unpacked, where it is gzip). A process that has imported the
readers has 100 MB; as these have imported more, what each file adds is measured.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import gzip
import io
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bakeoff as bo
from bakeoff.errors import BakeoffError
from bakeoff.protocols import read_protocol
from bakeoff.wings.curves.curves.statistics._curves import read_runs
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements
from bakeoff.wings.guard.check.statistics.baseline_store import read_baselines
from bakeoff.wings.guard.check.statistics.result_files import Reading, of_paths
from faults.files_to_change import SAMPLES, sources

MOST_SECONDS = 5.0
MOST_MEMORY = 300e6
BEFORE_READING = 100e6
MOST_MEMORY_PER_BYTE = 50
HANGS = 120
"""Seconds after which a reader is taken to hang, however busy the machine is."""
LONGEST = 2000

SUFFIXES = (".csv", ".json", ".jsonl", ".txt", ".xlsx", ".parquet", ".gz", "")

Failure = tuple[str, str, str]
Change = Callable[[random.Random, bytes], bytes]


# --- what reads -------------------------------------------------------------------------------------------------


def _measurements(path: Path) -> object:
    return read_measurements(path)


def _results(path: Path) -> object:
    return bo.read_results({"a": str(path), "b": str(path)}, better="lower")


def _scores(path: Path) -> object:
    return bo.read_scores(path, "lower", missing="keep")


def _decimal(path: Path) -> object:
    return bo.read_scores(path, "higher", decimal=",", missing="worst")


def _long(path: Path) -> object:
    return bo.read_scores(path, "higher", layout="long", missing="available")


def _curves(path: Path) -> object:
    columns: dict[str, str | None] = dict.fromkeys(("problem", "algorithm", "run", "budget", "score"))
    return read_runs(str(path), "auto", columns, {}, "lower")


def _targets(path: Path) -> object:
    return read_measurements(path, choices=Choices(metric="evals to 1"))


def _gate(path: Path) -> object:
    return of_paths([str(path)], Reading("new", better="lower"))


def _checked(path: Path) -> object:
    return bo.check(path, SAMPLES / "hyperfine.json", "5%")


def _plan(path: Path) -> object:
    return read_protocol(path, sealed=False)


READERS: dict[str, tuple[Callable[[Path], object], ...]] = {
    "results": (_measurements, _results, _gate, _scores),
    "logs": (_measurements, _curves, _targets),
    "table": (_scores, _decimal, _long, _gate, _curves),
    "tables": (_results, _scores, _gate, _curves),
    "battles": (bo.read_battles,),
    "protocol": (read_protocol,),
    "plan": (_plan,),
    "report": (bo.verify,),
    "baselines": (read_baselines, _checked),
    "experiment": (bo.Experiment.from_toml,),
}


# --- changes ----------------------------------------------------------------------------------------------------

HOSTILE: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 10**400, 10**18, 1e308, -1e308, 5e-324, "", "NaN", "inf", "\ud800", "\u202e", "=1+1"),
    *([], {}, [[]], {"x": []}, [None], float("nan"), float("inf"), "x" * 100_000, [0] * 10_000, "../../../dev/zero"),
)
NUMBERS = (b"1e999", b"1e-999", b"-0", b"NaN", b"Infinity", b"-1", b"9" * 400, b"1_000", b"1,5", b"", b"0x1", b"null")
JUNK = (
    b"\xff\xfe",
    b"\x00",
    b"]",
    b"}",
    b'"',
    b",",
    b"\n",
    b"\r",
    b"\t",
    b";",
    b"\\",
    b"{",
    b"[" * 50,
    b"\xef\xbb\xbf",
)


def flipped(rng: random.Random, content: bytes) -> bytes:
    made = bytearray(content)
    for _ in range(rng.choice([1, 1, 3, 20])):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


def inserted(rng: random.Random, content: bytes) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + rng.choice(JUNK) * rng.choice([1, 1, 2, 1000]) + content[at:]


def cut(rng: random.Random, content: bytes) -> bytes:
    a, b = sorted(rng.randrange(len(content) + 1) for _ in range(2))
    return rng.choice([content[:a], content[b:], content[:a] + content[b:]])


def repeated(rng: random.Random, content: bytes) -> bytes:
    """A part of it, so often that the file becomes large."""
    a = rng.randrange(len(content))
    part = content[a : a + rng.choice([1, 3, 40, 400])]
    times = min(rng.choice([2, 100, 10_000, 200_000]), 2_000_000 // len(part))
    return content[:a] + part * times + content[a:]


def of_lines(rng: random.Random, content: bytes) -> bytes:
    lines = content.split(b"\n")
    i = rng.randrange(len(lines))
    choice = rng.randrange(6)
    if choice == 0:
        lines.insert(i, lines[rng.randrange(len(lines))])
    elif choice == 1:
        del lines[i]
    elif choice == 2:
        lines[i] = lines[i].replace(b",", b";")
    elif choice == 3:
        rng.shuffle(lines)
    elif choice == 4:
        lines[i] += b"," * rng.choice([1, 5, 10_000])
    else:
        lines[0] = lines[i]
    return b"\n".join(lines)


def of_a_number(rng: random.Random, content: bytes) -> bytes:
    digits = [i for i, byte in enumerate(content[:20_000]) if 48 <= byte <= 57]
    if not digits:
        return inserted(rng, content)
    start = end = rng.choice(digits)
    while end < len(content) and content[end : end + 1] in b"0123456789.":
        end += 1
    return content[:start] + rng.choice(NUMBERS) + content[end:]


def of_an_entry(rng: random.Random, content: bytes) -> bytes:
    """Of JSON, or of one line of JSON: an entry left out, replaced, doubled, or deep."""
    try:
        documents, end = [json.loads(content)], b""
    except (ValueError, RecursionError):
        try:
            documents, end = [json.loads(line) for line in content.splitlines()], b"\n"
        except (ValueError, RecursionError):
            return of_lines(rng, content)
    if not documents:
        return content
    at = rng.randrange(len(documents))
    documents[at] = _with_another_entry(rng, documents[at])
    text = end.join(json.dumps(each).encode() for each in documents)
    if rng.random() < 0.1:
        text = text.replace(b'": ', b'": ' + b"[" * 5000 + b"]" * 5000 + b', "x": ', 1)
    if rng.random() < 0.1 and b'", "' in text:
        text = text.replace(b", ", b", " + text[text.find(b'"') : text.find(b",") + 1], 1)  # a key twice
    return text + end


def _with_another_entry(rng: random.Random, document: Any) -> Any:
    made = copy.deepcopy(document)
    inner = made
    while isinstance(inner, dict | list) and inner:
        key = rng.choice(list(inner) if isinstance(inner, dict) else range(len(inner)))
        if isinstance(inner[key], dict | list) and inner[key] and rng.random() < 0.8:
            inner = inner[key]
            continue
        choice = rng.random()
        if choice < 0.3:
            del inner[key]
        elif choice < 0.4 and isinstance(inner, list):
            inner *= rng.choice([2, 100, 5000]) if len(inner) < 200 else 2
        elif choice < 0.5 and isinstance(inner, dict):
            inner[rng.choice(["", "x" * 10_000, "\ud800", key + " "])] = inner.pop(key)
        else:
            inner[key] = rng.choice(HOSTILE)
        break
    else:
        return rng.choice(HOSTILE)
    return made


def otherwise_encoded(rng: random.Random, content: bytes) -> bytes:
    text = content.decode("latin-1")
    return rng.choice(
        [
            gzip.compress(content),
            gzip.compress(content)[: -rng.randrange(1, 20)],
            gzip.compress(content * min(200, 1 + 2_000_000 // (len(content) + 1))),
            gzip.compress(gzip.compress(content)),
            text.encode("utf-16"),
            text.encode("utf-32"),
            b"\xef\xbb\xbf" + content,
            (text + "é").encode("latin-1"),
            content.replace(b"\n", b"\r\n"),
            content.replace(b"\n", b"\r"),
            content + content,
        ]
    )


def of_another(rng: random.Random, content: bytes) -> bytes:
    """The beginning of one file with the end of another."""
    other = rng.choice([path for path in SAMPLES.rglob("*") if path.is_file()]).read_bytes()
    return content[: rng.randrange(len(content) + 1)] + other[rng.randrange(len(other)) :]


def _noise(rng: random.Random, content: bytes) -> bytes:
    return rng.randbytes(rng.choice([0, 1, 7, 300, 100_000]))


CHANGES: tuple[Change, ...] = (
    *(flipped, inserted, cut, repeated, of_lines, of_a_number, of_a_number),
    *(of_an_entry, of_an_entry, of_an_entry, of_an_entry, otherwise_encoded, of_another, _noise),
)


# --- one file ---------------------------------------------------------------------------------------------------


class HangsError(Exception):
    """The time of one reader is over."""


def _stop(number: int, frame: object) -> None:
    raise HangsError


def unpacked(content: bytes) -> int:
    """Bytes of the input: what is in it, where it is packed."""
    if content[:2] != b"\x1f\x8b":
        return len(content)
    with contextlib.suppress(Exception):
        return len(content) + len(gzip.GzipFile(fileobj=io.BytesIO(content)).read(1 << 28))
    return len(content)


def peak_memory() -> float:
    """Bytes of this process since the last :func:`forget_peak`."""
    text = Path("/proc/self/status").read_text()
    return 1024.0 * int(text.partition("VmHWM:")[2].split()[0])


def forget_peak() -> None:
    Path("/proc/self/clear_refs").write_text("5")


def read_changed(
    number: int, seed: int, folder: Path, found: list[tuple[str, Path, Path]]
) -> tuple[str, list[Failure]]:
    """Change the file that a number stands for, and read it: what kind it was, and what went wrong."""
    rng = random.Random(f"{seed} {number}")
    kind, whole, path = found[number % len(found)]
    here = folder / "changed"
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir()
    target = here / whole.name
    shutil.copytree(whole, target) if whole.is_dir() else shutil.copy(whole, target)
    victim = target if whole == path else target / path.relative_to(whole)
    change = rng.choice(CHANGES)
    content = change(rng, victim.read_bytes() or b"\n")
    victim.write_bytes(content)
    if whole == path and rng.random() < 0.05:
        target = victim.rename(
            here / f"x{rng.choice(['.csv', '.json', '.jsonl', '.txt', '.xlsx', '.parquet', '.gz', ''])}"
        )
    size = sum(
        unpacked(each.read_bytes()) for each in ([target] if target.is_file() else target.rglob("*")) if each.is_file()
    )
    failures = []
    for reader in READERS[kind]:
        what = f"{number} {path.name} {change.__name__} {getattr(reader, '__name__', reader)}"
        failures += [(what, *failure) for failure in _one(reader, target, size)]
    return kind, failures


def _one(reader: Callable[[Path], object], target: Path, size: int) -> Iterator[tuple[str, str]]:
    forget_peak()
    before = peak_memory()
    start = time.process_time()
    signal.alarm(HANGS)
    try:
        reader(target)
    except BakeoffError as error:
        if not 10 < len(str(error)) <= LONGEST:
            yield "message", f"{len(str(error))} characters: {str(error)[:100]}"
    except HangsError:
        yield "hangs", f"{HANGS} s"
    except BaseException as error:
        yield "traceback", f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.alarm(0)
    seconds, memory = time.process_time() - start, peak_memory() - before + BEFORE_READING
    if seconds > MOST_SECONDS:
        yield "slow", f"{seconds:.1f} s of {size} bytes"
    if memory > MOST_MEMORY + MOST_MEMORY_PER_BYTE * size:
        yield "memory", f"{memory / 1e6:.0f} MB of {size} bytes"


def read_all(numbers: range, seed: int) -> tuple[Counter[str], list[Failure], float]:
    """How many of each kind were read, the failures, and the longest time of one file in seconds of the processor."""
    counts, failures, longest = Counter[str](), [], 0.0
    before = signal.signal(signal.SIGALRM, _stop)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            found = sources(folder / "sources")
            gc.collect()
            gc.freeze()  # thousands of modules, of which none goes
            for number in numbers:
                start = time.process_time()
                kind, failed = read_changed(number, seed, folder, found)
                longest = max(longest, time.process_time() - start)
                counts[kind] += 1
                failures += failed
    finally:
        signal.signal(signal.SIGALRM, before)
        gc.unfreeze()
    return counts, failures, longest


def _part(arguments: tuple[range, int]) -> tuple[Counter[str], list[Failure], float]:
    return read_all(*arguments)


def main(count: int, seed: int = 1, block: int = 250) -> int:
    """The exit code."""
    parts = [(range(start, min(start + block, count)), seed) for start in range(0, count, block)]
    counts, failures, longest = Counter[str](), [], 0.0
    context = multiprocessing.get_context("spawn")
    with context.Pool(min(2, os.cpu_count() or 1), maxtasksperchild=4) as pool:
        for done, (more, failed, slowest) in enumerate(pool.imap_unordered(_part, parts), start=1):
            counts += more
            failures += failed
            longest = max(longest, slowest)
            print(f"{done} of {len(parts)} blocks, {len(failures)} failures", flush=True)
            for failure in failed:
                print("  ", *failure, flush=True)
    print(f"{counts.total()} files ({dict(counts)}), {len(failures)} failures; slowest {longest:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
