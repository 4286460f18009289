"""Which format files are of."""

import contextlib
import os
import re
from collections.abc import Sequence

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, counted, listing
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.measurement import Format
from bakeoff.wings.formats.source_file import SourceFile

ONE_FILE = ("hyperfine", "go", "pytest-benchmark", "google-benchmark", "jmh", "catch2", "locust", "k6")
"""Formats of which a file is one start of the tool: several files are several processes, or sets of them."""
RESULTS = (".json", ".txt")
"""What files of these formats end in."""


def format_of_files(files: Sequence[SourceFile], name: str = "auto") -> tuple[Format, list[SourceFile]]:
    """The one format of all files, and the files it has; in a folder, other files may lie beside them."""
    if name != "auto":
        if name not in FORMATS:
            raise ParameterError(
                f"must be auto or a format that bakeoff import -h lists; got {name!r}{did_you_mean(name, FORMATS)}",
                parameter="format",
            )
        for file in files:
            other = None if file.folder or FORMATS[name].recognise(file) else recognised(file)
            if other is not None:
                rule = f"is {name!r}, but {file.path!r} is of {other.title}; leave it out, or say format={other.name!r}"
                raise ParameterError(rule, parameter="format")
        form = FORMATS[name]
        own = [file for file in files if not file.folder or form.recognise(file)]
        others = [file for file in files if not (file in own or recognised(file))]
        _refuse_crashed(form, others, own)
        return form, own or list(files)
    named = [(file, recognised(file)) for file in files]
    strange = [file.path or type(file.content).__name__ for file, form in named if form is None and not file.folder]
    kinds = {form.name: form for _, form in named if form is not None}
    if strange or not kinds:
        raise ReadingError(
            f"{listing(strange or [files[0].folder])}: not a format that is recognised (bakeoff import -h lists them). "
            "A table of problems and algorithms needs none: bo.read_scores, or bakeoff compare FILE"
        )
    if len(kinds) > 1:
        first = {form.name: file.path for file, form in reversed(named) if form is not None}
        shown = ", ".join(f"{path} is of {name}" for name, path in first.items())
        raise ReadingError(
            f"the files are of several formats ({shown}); give those of one, such as format={[*first][-1]!r}"
        )
    [form] = kinds.values()
    own, others = ([file for file, of in named if (of is form) == is_own] for is_own in (True, False))
    _refuse_crashed(form, others, own)
    return form, own


def not_taken(of: Format, files: Sequence[SourceFile], own: Sequence[SourceFile]) -> list[str]:
    """Files of the folders given that are neither results nor what the program writes beside them."""
    taken = {file.path for file in own}
    others = [file for file in files if file.path not in taken and not _is_beside(of, file)]
    return [os.path.relpath(file.path, file.folder) for file in others]


def _is_beside(of: Format, file: SourceFile) -> bool:
    return bool(of.beside) and re.fullmatch(of.beside, os.path.basename(file.path)) is not None


def _refuse_crashed(of: Format, others: Sequence[SourceFile], own: Sequence[SourceFile]) -> None:
    """Refuse a folder that has, beside its results, what a run wrote before it crashed.

    With a file per process, any other file may be that; else one that ends as results do, and is empty, no JSON, or a
    line of text.
    """
    left = [file.path for file in others if file.path.lower().endswith(RESULTS)]
    if own and left and of.name in ONE_FILE:
        raise ReadingError(
            f"{listing(left)}: no result of {of.title}, as {counted(len(own), 'other file')} "
            f"{'is' if len(own) == 1 else 'are'}. If a run crashed, run it again, or judge what crashed; a file that "
            "is no result belongs elsewhere"
        )
    ends = {_end(file) for file in own}
    similar = [file for file in others if _end(file) in ends and not _is_beside(of, file)]
    if broken := [file.path for file in similar if _is_broken(file)]:
        raise ReadingError(
            f"{listing(broken)}: {'looks' if len(broken) == 1 else 'look'} like results of {of.title} and cannot be "
            "read. If a run crashed, run it again, or take its file away, which is then a run less"
        )


def _end(file: SourceFile) -> str:
    return os.path.splitext(file.path.lower().removesuffix(".gz"))[1]


def _is_broken(file: SourceFile) -> bool:
    text = file.text_head.strip()
    if not text:
        return True
    if _end(file) == ".json":
        with contextlib.suppress(ReadingError):
            file.json()
            return False
        return True
    return not any(mark in text.split("\n", 1)[0] for mark in ",;\t{|=:")


def recognised(file: SourceFile) -> Format | None:
    """The format of one file, by its signature."""
    form = next((each for each in FORMATS.values() if each.recognise(file)), None)
    for beginning in ("head", "text_head"):  # a folder may hold thousands of files
        file.__dict__.pop(beginning, None)
    return form
