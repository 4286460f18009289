"""The registry of formats: one line each, tried in this order."""

from collections.abc import Sequence

from bakeoff.adapters import (
    aeon,
    asv,
    bakeoff_time,
    coco,
    criterion,
    csv_dialects,
    go_bench,
    google_benchmark,
    helm,
    hyperfine,
    imported,
    inspect_ai,
    ioh,
    jmh,
    lm_eval,
    mteb,
    optuna,
    pytest_benchmark,
    rliable,
    scikit_learn,
    tracking,
)
from bakeoff.adapters.measurement import Format
from bakeoff.adapters.source_file import SourceFile
from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, counted, listing

FORMATS: dict[str, Format] = {
    found.name: found
    for found in (
        # micro-benchmarks
        hyperfine.FORMAT,
        pytest_benchmark.FORMAT,
        google_benchmark.FORMAT,
        go_bench.FORMAT,
        bakeoff_time.FORMAT,
        jmh.FORMAT,
        asv.FORMAT,
        criterion.FORMAT,
        # optimization
        ioh.FORMAT,
        coco.FORMAT,
        # evaluations of models
        lm_eval.FORMAT,
        inspect_ai.FORMAT,
        helm.FORMAT,
        mteb.FORMAT,
        # tuning, tracking, tables
        imported.FORMAT,
        scikit_learn.FORMAT,
        optuna.FORMAT,
        *tracking.FORMATS,
        *csv_dialects.FORMATS,
        aeon.FORMAT,
        rliable.FORMAT,
    )
}


ONE_FILE = ("hyperfine", "go", "pytest-benchmark", "google-benchmark", "jmh")
"""Formats of which a file is one start of the tool: several files are several processes, or sets of them."""
RESULTS = (".json", ".txt")
"""What files of these formats end in."""


def format_of_files(files: Sequence[SourceFile], name: str = "auto") -> tuple[Format, list[SourceFile]]:
    """The one format of all files, and the files it has; in a folder, other files may lie beside them."""
    if name != "auto":
        if name not in FORMATS:
            known = ", ".join(["auto", *FORMATS])
            raise ParameterError(
                f"must be one of {known}; got {name!r}{did_you_mean(name, FORMATS)}", parameter="format"
            )
        for file in files:
            other = None if file.folder or FORMATS[name].recognise(file) else recognised(file)
            if other is not None:
                rule = f"is {name!r}, but {file.path!r} is of {other.title}; leave it out, or say format={other.name!r}"
                raise ParameterError(rule, parameter="format")
        own = [file for file in files if not file.folder or FORMATS[name].recognise(file)]
        _refuse_no_results(FORMATS[name], [file for file in files if file in own or not recognised(file)], own)
        return FORMATS[name], own or list(files)
    named = [(file, recognised(file)) for file in files]
    strange = [file.path or type(file.content).__name__ for file, found in named if found is None and not file.folder]
    kinds = {found.name: found for _, found in named if found is not None}
    if strange or not kinds:
        raise ReadingError(
            f"{listing(strange or [files[0].folder])}: not a format that is recognised ({', '.join(FORMATS)}); "
            "a table of problems and algorithms is read by itself, by bo.read_scores or bakeoff compare FILE"
        )
    if len(kinds) > 1:
        first = {found.name: file.path for file, found in reversed(named) if found is not None}
        shown = ", ".join(f"{path} is of {name}" for name, path in first.items())
        raise ReadingError(
            f"the files are of several formats ({shown}); give those of one, such as format={[*first][-1]!r}"
        )
    [found] = kinds.values()
    own = [file for file, of in named if of is found]
    _refuse_no_results(found, files, own)
    return found, own


def _refuse_no_results(of: Format, files: Sequence[SourceFile], own: Sequence[SourceFile]) -> None:
    """Of a folder with a file per process, one that holds no result: what its process wrote before it crashed."""
    left = [file.path for file in files if file not in own and file.path.lower().endswith(RESULTS)]
    if own and left and of.name in ONE_FILE:
        raise ReadingError(
            f"{listing(left)}: no result of {of.title}, as {counted(len(own), 'other file')} "
            f"{'is' if len(own) == 1 else 'are'}. If a run crashed, run it again, or judge what crashed; a file that "
            "is no result belongs elsewhere"
        )


def recognised(file: SourceFile) -> Format | None:
    """The format of one file, by its signature."""
    found = next((each for each in FORMATS.values() if each.recognise(file)), None)
    file.__dict__.pop("head", None)  # a folder may hold thousands of files
    return found
