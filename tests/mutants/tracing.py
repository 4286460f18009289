"""Which test runs which function: found once per file of tests and marker, and kept in ``build/mutants``."""

from __future__ import annotations

import ast
import builtins
import hashlib
import pickle
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from mutants.drawing import functions
from mutants.running import OPTIONS, SLOW, copied, in_child

CHUNK = 6  # files of tests that are traced in one process
Traced = dict[str, tuple[float, set[str]]]  # test: seconds, and functions as "file:name"


def with_probes(text: str, file: str) -> str:
    """The file with a statement in every function that notes that it ran."""
    tree = ast.parse(text)
    for name, function in functions(tree):
        probe = ast.parse(f"getattr(__import__('builtins'), 'REACHED', set()).add({f'{file}:{name}'!r})").body[0]
        function.body.insert(ast.get_docstring(function) is not None, probe)
    return ast.unparse(tree)


class Tracing:
    """A pytest plugin: the functions that each passing test runs; those of fixtures and imports belong to the file."""

    def __init__(self) -> None:
        self.reached: set[str] = set()
        builtins.REACHED = self.reached  # type: ignore[attr-defined]
        self.shared: dict[str, set[str]] = defaultdict(set)
        self.tests: Traced = {}

    def _share(self, node: str) -> None:
        self.shared[node.partition("::")[0]] |= self.reached
        self.reached.clear()

    def pytest_collectreport(self, report: Any) -> None:
        self._share(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: Any) -> Any:
        self._share(item.nodeid)
        began = time.perf_counter()
        result = yield  # a test that fails ends here
        self.tests[item.nodeid] = (time.perf_counter() - began, set(self.reached))
        self.reached.clear()
        return result


def _trace(files: list[str], kept: dict[str, Path], marked: str) -> int:
    plugin = Tracing()
    pytest.main([*OPTIONS, "-m", marked, *files], [plugin])
    for file in files:
        mine = {test: ran for test, ran in plugin.tests.items() if test.startswith(f"{file}::")}
        found = {test: (seconds, reached | plugin.shared[file]) for test, (seconds, reached) in mine.items()}
        kept[file].write_bytes(pickle.dumps(found))
    return 0


def traced(work: Path, root: Path, files: list[str], marked: str) -> Traced:
    """The tests of these files with such a marker, from what is kept, and from runs of those that are new."""
    folder = root / "build" / "mutants"
    folder.mkdir(parents=True, exist_ok=True)
    texts = {file: (root / file).read_bytes() for file in files}
    if marked == SLOW:  # a test becomes slow by its marker, or by that of its many cases
        texts = {file: text for file, text in texts.items() if any(m in text for m in (b"slow", b"few", b"exhaustive"))}
    kept = {f: folder / hashlib.sha256(f"{marked}\n{f}\n".encode() + texts[f]).hexdigest()[:20] for f in texts}
    if new := [file for file in kept if not kept[file].exists()]:
        print(f"tracing {len(new)} files of tests ({marked})", flush=True)
        copied(work, root)
        for path in (work / "src").rglob("*.py"):
            if not path.stem.endswith("_compiled"):
                file = path.relative_to(work / "src").as_posix()
                path.write_text(with_probes(path.read_text(encoding="utf-8"), file), encoding="utf-8")
        for i in range(0, len(new), CHUNK):
            in_child(work, lambda part=new[i : i + CHUNK]: _trace(part, kept, marked))  # type: ignore[misc]
    found = [pickle.loads(place.read_bytes()) for place in kept.values() if place.exists()]
    return {test: ran for tests in found for test, ran in tests.items()}
