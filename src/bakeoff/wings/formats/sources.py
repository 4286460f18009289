"""The files that a user names: paths, folders, ``{label: path}``, objects in memory."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bakeoff.errors import ReadingError
from bakeoff.files import NO_FILE
from bakeoff.reading.many_files import files_below, is_packed, unpacked
from bakeoff.shipped import nearby_names, shipped
from bakeoff.wings.formats.source_file import SourceFile


def source_files(source: Any, label: Mapping[str, str] | None = None) -> list[SourceFile]:
    """Every file named, those of a folder in order of their names; ``label``: {name: path} beside them."""
    files = [] if source is None and label else list(_of(source, ""))
    for name, path in (label or {}).items():
        files.extend(_of(path, name))
    if not files or (source is None and not label):
        raise ReadingError("source has no file", parameter="source")
    number_parts(files)
    return files


def number_parts(files: Sequence[SourceFile]) -> None:
    """Files of one label are a process each: 1., 2., …; a single one has no number."""
    counts = Counter(file.label for file in files if file.label)
    seen: Counter[str] = Counter()
    for file in files:
        seen[file.label] += 1
        file.part = f"{seen[file.label]}." if counts[file.label] > 1 else ""


def _of(source: Any, label: str) -> Iterable[SourceFile]:
    if isinstance(source, str | os.PathLike):
        yield from _of_path(os.fsdecode(os.fspath(source)), label)
    elif isinstance(source, list | tuple) and source and all(isinstance(x, str | os.PathLike) for x in source):
        for each in source:
            yield from _of(each, label)
    elif isinstance(source, Mapping) and source and all(isinstance(x, str | os.PathLike) for x in source.values()):
        for name, each in source.items():
            yield from _of(each, str(name))
    elif isinstance(source, Mapping) and source and all(map(_is_table, source.values())):
        for name, each in source.items():
            if isinstance(name, tuple):  # (problem, algorithm, run)
                yield SourceFile(label="__".join(map(str, name)), content=each, about={"parts": tuple(map(str, name))})
            else:
                yield SourceFile(label=str(name), content=each)
    elif isinstance(source, list | tuple) and source and all(map(_is_table, source)):
        for each in source:
            yield SourceFile(label=label, content=each)
    else:
        yield SourceFile(label=label, content=source)


def _is_table(value: Any) -> bool:
    """A data frame, or an Optuna study."""
    return hasattr(value, "columns") or (hasattr(value, "directions") and hasattr(value, "trials"))


def _of_path(path: str, label: str) -> Iterable[SourceFile]:
    if table := shipped(path):
        path = table.path
    if is_packed(path):
        path = unpacked(path)
    if os.path.isfile(path):
        yield SourceFile(path, label)
        return
    if not os.path.isdir(path):
        if os.path.exists(path):
            raise ReadingError(f"cannot read {path!r}: it {NO_FILE}; write what it gives to a file")
        raise ReadingError(f"cannot read {path!r}: there is no such file or folder{nearby_names(path)}")
    inside = [SourceFile(name, label, folder=path) for name in files_below(path)]
    if not inside:
        raise ReadingError(f"{path!r} is a folder without files; give the one that the program wrote its results to")
    yield from inside
