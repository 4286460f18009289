"""Several files that are one table: unpacked from archives, and joined."""

from __future__ import annotations

import atexit
import gzip
import hashlib
import os
import re
import stat
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from bakeoff.errors import UNPACKED, ReadingError, WrongTypeError, first_line, listing
from bakeoff.files import NO_FILE, unreadable_folder
from bakeoff.reading.columns import ColumnTable, dict_table, frame_table, list_column, records_table, structured_table
from bakeoff.reading.files import LARGEST_UNPACKED, Digest, file_table, no_digest, refuse_for_typed, unpacked_limit
from bakeoff.reading.number_parsing import MISSING, is_name
from bakeoff.reading.recognition.orientation import side_of
from bakeoff.reading.table import NO_HEADER, Labels, SourceTable, matching
from bakeoff.reading.wrapped_columns import combined_names, names_together, outer_runs
from bakeoff.scores import Scores
from bakeoff.shipped import nearby_names, shipped
from bakeoff.words import named_direction

if TYPE_CHECKING:  # not at start-up: they bring shutil, bz2 and lzma
    from tempfile import TemporaryDirectory

# Archives (.zip, .tar, .tar.gz) unpacked as the folders they hold: of bounded size, and nothing outside of them.

SUFFIXES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz")
MOST_MEMBERS = 20_000
_KEPT = 4  # archives that stay unpacked; what a program is reading is among the last ones
_PIECE = 1 << 20
_HEAD = 1 << 12
_FOLDERS: dict[tuple[str, int, int], TemporaryDirectory[str]] = {}
"""(path, time of change, size) -> where it is unpacked."""


class _Member(NamedTuple):
    name: str
    size: int  # as the archive says
    kind: str  # "file", "folder", or what it is instead
    open: Callable[[], IO[bytes]]


def is_packed(path: str) -> bool:
    """By its name: .xlsx and .eval are zip files, too, and are read as what they are."""
    return path.lower().endswith(SUFFIXES) and os.path.isfile(path)


def unpacked(path: str) -> str:
    """The folder that holds what the archive holds; it is removed at the end."""
    about = os.stat(path)
    key = (os.path.abspath(path), about.st_mtime_ns, about.st_size)
    if key not in _FOLDERS:
        while len(_FOLDERS) >= _KEPT:
            _FOLDERS.pop(next(iter(_FOLDERS))).cleanup()
        _FOLDERS[key] = _filled(path)
    folder = os.path.join(_FOLDERS[key].name, os.path.basename(path))
    UNPACKED[folder] = path
    return folder


@atexit.register
def _remove() -> None:
    while _FOLDERS:
        _FOLDERS.popitem()[1].cleanup()


def _filled(path: str) -> TemporaryDirectory[str]:
    from lzma import LZMAError
    from tarfile import TarError
    from tempfile import TemporaryDirectory
    from zipfile import BadZipFile

    where = TemporaryDirectory(prefix="bakeoff-")
    folder = os.path.join(where.name, os.path.basename(path))
    os.mkdir(folder)
    try:
        _unpack(path, folder)
    except (TarError, BadZipFile, LZMAError, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        where.cleanup()
        if isinstance(error, ReadingError):
            raise
        raise ReadingError(f"{path}: cannot be unpacked: {first_line(error).rstrip(':')}") from None
    return where


def _unpack(path: str, folder: str) -> None:
    left, most = LARGEST_UNPACKED, unpacked_limit(os.path.getsize(path))
    for count, member in enumerate(_members(path), 1):
        left -= member.size
        if count > MOST_MEMBERS or left < 0:
            raise ReadingError(
                f"{path} holds more than {MOST_MEMBERS} files or {LARGEST_UNPACKED >> 30} GiB once unpacked; unpack "
                "it, and give the folder of the results"
            )
        if member.size > most:  # and no more than it says is unpacked
            raise ReadingError(
                f"{path}: {member.name!r} has {member.size >> 20} MiB unpacked, and of an archive of this size at most "
                f"{most >> 20} are read; unpack it, and give the folder of the results"
            )
        at = os.path.join(folder, *_parts(path, member))
        if member.kind == "folder":
            os.makedirs(at, exist_ok=True)
            continue
        os.makedirs(os.path.dirname(at), exist_ok=True)
        if os.path.exists(at):
            raise ReadingError(f"{path}: {member.name!r} is in the archive twice; leave one out")
        with member.open() as packed, open(at, "xb") as file:
            _copy(packed, file, member, path)


def _copy(packed: IO[bytes], file: IO[bytes], member: _Member, path: str) -> None:
    """No more bytes than the archive says, of which the sum is bounded."""
    left = member.size
    while piece := packed.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise ReadingError(f"{path}: {member.name!r} is larger than the archive says; it is damaged")
        file.write(piece)


def _parts(path: str, member: _Member) -> list[str]:
    """The names of the folders and of the file; refused where they would lead out of the archive's own folder."""
    name = member.name.replace("\\", "/")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if member.kind not in ("file", "folder"):
        raise ReadingError(f"{path}: {member.name!r} is {member.kind}; an archive of results holds files and folders")
    if name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name) or "\0" in name or not name:
        raise ReadingError(
            f"{path}: {member.name!r} lies outside of the archive's own folder, and nothing is unpacked there"
        )
    return parts or ["."]


def _members(path: str) -> Iterator[_Member]:
    import tarfile
    from zipfile import ZipFile

    if path.lower().endswith(".zip"):
        with ZipFile(path) as archive:
            for entry in archive.infolist():
                kind = "folder" if entry.is_dir() else "file"
                if stat.S_ISLNK(entry.external_attr >> 16):
                    kind = "a link"
                elif entry.flag_bits & 1:
                    kind = "encrypted"
                yield _Member(entry.filename, entry.file_size, kind, partial(archive.open, entry))
        return
    with tarfile.open(path) as tar:
        for info in tar:
            kind = "file" if info.isreg() else "folder" if info.isdir() else "a link or a device"
            yield _Member(info.name, info.size, kind, cast("Callable[[], IO[bytes]]", partial(tar.extractfile, info)))


# Several files of the same columns -> one table; what differs between them is the algorithm, or a run.

MOST_FILES = 100_000
TABLES = (".csv", ".tsv", ".parquet", ".xlsx", ".jsonl", ".ndjson")
"""What a folder is searched for, and without one of them for lists of records in JSON; other text there is rather a
note than a table, and other JSON a setting."""
FILE, FOLDER, INSIDE = "file", "folder", "subfolder"
"""Columns of where a row comes from."""
_RUN = re.compile(r"(?:.*(?:cv|fold|iter|rep|replicate|run|sample|seed|split|trial))?[\s_.=#-]*\d+", re.IGNORECASE)


_MATRICES = (
    "Of several files that are matrices of scores, each of one algorithm, with runs as rows and tasks as columns, say "
    "format='rliable'"
)


class Taken(NamedTuple):
    """How many files were read, and the others of their folders."""

    n_files: int = 0
    others: tuple[str, ...] = ()


Roles = Mapping[str, str | None]
"""What the user, or the place of a file, says that columns are: role -> name."""
Budgets = Callable[[Sequence[str]], Sequence[str]]
"""The names of columns that are budgets; none for a table that is none of curves."""


class _Piece(NamedTuple):
    """One of the files."""

    path: str
    label: str  # as its user calls it, or ""
    folders: tuple[str, ...]  # below the one that was given
    columns: Mapping[str, Labels]
    rows: Sequence[str]  # where each stands

    @property
    def stem(self) -> str:
        return os.path.splitext(os.path.basename(self.path).removesuffix(".gz"))[0]


class JoinedTable(ColumnTable):
    """Columns of text from several files; ``combined``: those that are several columns of the files."""

    combined: Sequence[int] = ()

    def is_text(self, column: int) -> bool:
        return self.holds_names(column)

    def holds_names(self, column: int) -> bool:
        return _of_names(list(self.values(column)))


def are_many(source: Any) -> bool:
    """Paths of several files, with labels or without; a folder; an archive."""
    if isinstance(source, str | os.PathLike):
        path = os.fsdecode(os.fspath(source))
        return os.path.isdir(path) or is_packed(path)
    paths = list(source.values()) if isinstance(source, Mapping) else source if isinstance(source, list | tuple) else ()
    return bool(paths) and all(isinstance(path, str | os.PathLike) for path in paths)


def first_path(source: Any) -> Any:
    """The first of several files; else the source."""
    return next((path for path, _, _ in _files(source, [])), source) if are_many(source) else source


def source_table(
    source: Any,
    named: Roles,
    decimal: str = "auto",
    sheet: str | None = None,
    no_header: bool = False,
    budgets: Budgets | None = None,
) -> tuple[SourceTable | None, Digest, Roles, Taken]:
    """The source as named columns, what gives the sha256 of its files, which columns hold what, and which were read.

    The table is None for an array without names. ``budgets``: it is one of curves, and each run has a row for each.
    """
    if are_many(source):
        return _many_table(source, named, (decimal, sheet, no_header), budgets)
    if isinstance(source, str | os.PathLike) or callable(getattr(source, "read", None)):
        return *file_table(source, decimal, sheet, no_header), named, Taken()
    refuse_for_typed(decimal, sheet, no_header)
    table: SourceTable | None = None
    if isinstance(source, Mapping):
        table = dict_table("the dict", source)
    elif isinstance(source, list | tuple) and source and all(isinstance(entry, Mapping) for entry in source):
        table = records_table("the records", source)
    elif isinstance(source, np.ndarray) and source.dtype.names:
        table = structured_table(source)
    elif isinstance(source, Scores):
        raise WrongTypeError("is already a bakeoff.Scores; use it as it is", parameter="source")
    elif not isinstance(source, list | tuple | np.ndarray):
        table = frame_table(source)
    return table, no_digest, named, Taken()


def _many_table(
    source: Any, named: Roles, written: tuple[str, str | None, bool], budgets: Budgets | None
) -> tuple[SourceTable, Digest, Roles, Taken]:
    """``written``: decimal, sheet, no_header."""
    others: list[str] = []
    files = list(_files(source, others))
    taken = Taken(len(files), tuple(others))
    if len(files) == 1 and not files[0][1]:
        return *file_table(files[0][0], *written), named, taken
    paths = [os.path.realpath(path) for path, _, _ in files]
    counts = Counter(paths)
    if twice := [path for path, (_, label, _) in zip(paths, files, strict=True) if counts[path] > 1 and not label]:
        raise ReadingError(f"{twice[0]!r} is named twice; give each file once, or with a label of its own")
    pieces, sums = [], hashlib.sha256()
    for path, label, folders in files:
        try:
            table, digest = file_table(path, *written)
        except ReadingError as error:
            if NO_HEADER not in str(error):
                raise
            raise ReadingError(f"{path}: {NO_HEADER}. {_MATRICES}") from None
        if written[2] and table.names[0] != "problem":
            raise ReadingError(f"{path}: {_MATRICES}", parameter="no_header")
        sums.update(digest().encode())
        columns = _columns(table)
        rows = [f"{path}, {table.row(i)}" for i in range(len(next(iter(columns.values()))))]
        pieces.append(_Piece(path, label, folders, columns, rows))
    checksum = sums.hexdigest()
    joined = _with_combined(pieces, named)
    table, roles = _joined(joined, named, budgets)
    made = set(joined[0].columns).difference(*(piece.columns for piece in pieces))
    table.combined = [j for j, name in enumerate(table.names) if name in made]
    return table, lambda: checksum, roles, taken


def _with_combined(pieces: Sequence[_Piece], named: Roles) -> Sequence[_Piece]:
    """The same with a column for each name of several columns; a part that a file lacks is blank there."""
    every = list(dict.fromkeys(name for piece in pieces for name in piece.columns))
    combined = {name: [every[j] for j in places] for name, places in combined_names(every, named).items()}
    if not combined:
        return pieces
    gone = {part for parts in combined.values() for part in parts}
    gone -= {*outer_runs(combined, named), *filter(None, named.values())}
    joined = []
    for piece in pieces:
        blank = [""] * len(piece.rows)
        own = {n: names_together([piece.columns.get(part, blank) for part in parts]) for n, parts in combined.items()}
        others = {name: texts for name, texts in piece.columns.items() if name not in gone}
        joined.append(piece._replace(columns=own | others))
    return joined


def _columns(table: SourceTable) -> dict[str, Labels]:
    """All columns as text, numbers with points."""
    texts = table.take(list(range(len(table.names))), [])[0]
    if getattr(table, "decimal", ".") == ",":
        texts = [[x.replace(",", ".") if re.fullmatch(r"[+-]?\d*,\d+", x) else x for x in own] for own in texts]
    return dict(zip(table.names, texts, strict=True))


def _files(source: Any, others: list[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(path, label, folders); to ``others`` what is no table."""
    if isinstance(source, Mapping):
        for name, path in source.items():
            inside = list(_files([path], others))
            if len(inside) > 1:
                raise ReadingError(f"{os.fspath(path)!r} holds {len(inside)} tables; a label is of one file")
            yield inside[0][0], str(name), ()
        return
    for each in source if isinstance(source, list | tuple) else [source]:
        path = os.fsdecode(os.fspath(each))
        if is_packed(path) or os.path.isdir(path):
            yield from _inside(path, others)
        elif os.path.isfile(path):
            yield path, "", tuple(part for part in os.path.dirname(path).split(os.sep) if part)
        elif table := shipped(path):
            yield table.path, "", ()
        else:
            raise ReadingError(f"cannot read {path!r}: there is no such file or folder{nearby_names(path)}")


def _inside(path: str, others: list[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The tables in a folder or an archive, in order of their names."""
    root = unpacked(path) if is_packed(path) else path
    every = list(files_below(root))
    tables = [each for each in every if _ends_in(each, TABLES)] or [each for each in every if is_table(each)]
    if not tables:
        raise ReadingError(
            f"{path!r} holds no table ({', '.join(TABLES)}, or .json with a list of records), and no results of a "
            "program that bakeoff knows; give the folder of the results"
        )
    chosen = set(tables)
    others += [os.path.relpath(full, root) for full in every if full not in chosen]
    for full in tables:
        if not os.path.isfile(full):
            raise ReadingError(f"{full!r} has the name of a table, but {NO_FILE}, or a link to nothing; remove it")
        below = os.path.relpath(os.path.dirname(full), root)
        yield full, "", (os.path.basename(path), *(part for part in below.split(os.sep) if part != "."))


def files_below(root: str) -> Iterator[str]:
    """Files of a folder and of those in it, in order of their names; hidden ones are left out."""
    count = 0
    for folder, folders, names in os.walk(root, onerror=unreadable_folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__MACOSX")))
        linked = [name for name in folders if os.path.islink(os.path.join(folder, name))]  # they may lead anywhere
        for name in sorted([*names, *linked]):
            if not name.startswith("."):
                count += 1
                yield os.path.join(folder, name)
            if count > MOST_FILES:
                raise ReadingError(f"{root!r} holds more than {MOST_FILES} files; give the folder of the results")


def _ends_in(path: str, suffixes: tuple[str, ...]) -> bool:
    return path.lower().removesuffix(".gz").endswith(suffixes)


def is_table(path: str) -> bool:
    """By its name; of JSON those that are lists of records."""
    if not _ends_in(path, (".json",)) or not os.path.isfile(path):
        return _ends_in(path, TABLES)
    try:
        with (gzip.open if path.lower().endswith(".gz") else open)(path, "rb") as file:
            return re.match(rb"(\xef\xbb\xbf)?\s*\[\s*\{", file.read(_HEAD)) is not None
    except (OSError, EOFError, zlib.error):
        return False


def _joined(pieces: Sequence[_Piece], named: Roles, budgets: Budgets | None) -> tuple[JoinedTable, Roles]:
    """The rows of all, with a column of where they come from if that is the algorithm, the problem or the run."""
    first = list(pieces[0].columns)
    names = [name for name in first if name and all(name in piece.columns for piece in pieces)]
    step = named.get("budget") or next(iter(budgets(names)), None) if budgets else None
    if step is None and names[:1] == [first[0]] and len(names) == 1 and _apart(pieces):
        return _side_by_side(pieces)
    joined = {name: [text for piece in pieces for text in piece.columns[name]] for name in names}
    roles = dict(named)
    if (FOLDER in roles.values() and FOLDER not in names) or (roles.get("algorithm") == FILE and FILE not in names):
        stems = [piece.label or piece.stem for piece in pieces]
        _add_columns(joined, pieces, {FILE: stems, FOLDER: _folders(pieces)})
        return _table(pieces, joined, [place for piece in pieces for place in piece.rows]), roles
    if names and not roles.get("problem") and not matching(names, "problem"):
        unsaid = names[0] not in roles.values() and side_of(names[0]) is None
        roles["problem"] = names[0] if unsaid and _of_names(joined[names[0]]) else None
    if roles.get("problem") == FILE and FILE not in names:
        roles["problem"] = None
    problem = roles.get("problem") or next((names[j] for j in matching(names, "problem")), None)
    free = ["" if name == problem else name for name in names]
    score = roles.get("score") or next((names[j] for j in matching(free, "score")), None)
    algorithm = _algorithm_column(names, joined, roles)
    runs = [roles["run"]] if roles.get("run") else [names[j] for j in matching(names, "run")]
    others = (problem, algorithm, *runs, step)
    numbers = [name for name in names if name not in others and not _of_names(joined[name])]
    if score is None and any(set(piece.columns) != set(first) for piece in pieces):
        _refuse_headers(pieces, sorted(numbers, key=_unlikely) if problem or algorithm else [])
    if any(piece.label for piece in pieces) or (algorithm is None and (score or step or len(numbers) == 1)):
        roles |= {"score": roles.get("score") or (numbers[0] if score is None and len(numbers) == 1 else None)}
        roles |= _add_origin(joined, pieces, roles, joined.get(algorithm or ""))
        roles["algorithm"] = algorithm if algorithm and algorithm not in joined else roles["algorithm"]  # no column
    elif algorithm is None and _repeats(joined, [problem]):
        if roles.get("run") != FILE:
            _refuse_open(pieces, numbers)
        return _side_by_side(pieces, roles)
    elif algorithm in joined and problem is None and _are_problems(pieces, joined, algorithm, [*runs[:1], step]):
        origin = _add_origin(joined, pieces, {}, None)
        roles |= {"problem": origin["algorithm"], "run": roles.get("run") or origin.get("run")}
    elif algorithm and not runs and _are_runs(pieces, joined, problem, algorithm, step):
        roles |= {"run": _add_origin(joined, pieces, {}, None)["algorithm"]}
    return _table(pieces, joined, [place for piece in pieces for place in piece.rows]), roles


def _of_names(texts: Labels) -> bool:
    return next((is_name(text) for text in texts if text.lower() not in MISSING), False)


def _algorithm_column(names: Sequence[str], joined: Mapping[str, Labels], roles: Roles) -> str | None:
    """The column that was named, or is called like it, unless it says the same in all files."""
    if roles.get("algorithm"):
        return roles["algorithm"]
    called = [names[j] for j in matching(names, "algorithm")] or [n for n in names if side_of(n) == "algorithms"]
    called = [name for name in called if _of_names(joined[name]) and len(set(joined[name])) > 1]
    return called[0] if called else None


def _repeats(joined: Mapping[str, Labels], key: Sequence[str | None]) -> bool:
    columns = [joined[name] for name in key if name is not None and name in joined]
    return bool(columns) and len(set(zip(*columns, strict=True))) < len(columns[0])


def _are_runs(pieces: Sequence[_Piece], joined: Mapping[str, Labels], *key: str | None) -> bool:
    """Is a combination of names in several files, and in each of them once?"""
    return _repeats(joined, key) and not any(_repeats(piece.columns, key) for piece in pieces)


def _are_problems(
    pieces: Sequence[_Piece], joined: Mapping[str, Labels], algorithm: str, others: Sequence[str | None]
) -> bool:
    """Does each file have all algorithms, and no column of problems: one file for each data set?

    ``others``: the columns of runs and of budgets.
    """
    every = set(joined[algorithm])
    alike = all(2 * len(every & set(piece.columns[algorithm])) > len(every) for piece in pieces)
    stems = {piece.stem for piece in pieces}
    called = len(stems) == len(pieces) and all(map(_RUN.fullmatch, stems))  # seed0.csv, seed1.csv in one folder
    return alike and not called and _are_runs(pieces, joined, algorithm, *others)


def _add_origin(
    joined: dict[str, Labels], pieces: Sequence[_Piece], roles: Roles, inside: Labels | None
) -> dict[str, str | None]:
    """A column of the algorithm: the names of files; or of their folders, and the files of one folder are runs.

    ``inside``: algorithms that the files name themselves, of which a label may have several.
    """
    stems = [piece.label or piece.stem for piece in pieces]
    columns: dict[str, list[str]] = {FILE: stems}
    if len(set(stems)) < len(stems):
        folders = _folders(pieces)
        if len(set(zip(folders, stems, strict=True))) < len(stems):
            raise ReadingError(f"{listing(stems)}: files of one name in one folder; give each a label")
        heads, tails = zip(*(folder.rpartition("/")[::2] for folder in folders), strict=True)
        if len(set(folders)) < len(folders):
            columns = {FOLDER: folders, FILE: stems}
        elif all(heads) and 1 < len(set(heads)) < len(heads) and all(map(_RUN.fullmatch, tails)):
            columns = {FOLDER: list(heads), INSIDE: list(tails)}  # kNN/seed_0, kNN/seed_1
        else:
            columns = {FOLDER: folders}
    columns = {f"source {name}" if name in joined else name: values for name, values in columns.items()}
    _add_columns(joined, pieces, columns)
    of = next(iter(columns))
    if inside is not None and len(set(zip(joined[of], inside, strict=True))) > len(pieces):
        joined[of] = [f"{label}/{name}" for label, name in zip(joined[of], inside, strict=True)]
    added: dict[str, str | None] = {"algorithm": of}
    return added | ({"run": list(columns)[1]} if len(columns) > 1 and not roles.get("run") else {})


def _add_columns(joined: dict[str, Labels], pieces: Sequence[_Piece], of_files: Mapping[str, Sequence[str]]) -> None:
    """Columns that say the same of all rows of a file."""
    for name, values in of_files.items():
        joined[name] = [value for value, piece in zip(values, pieces, strict=True) for _ in piece.rows]


def _folders(pieces: Sequence[_Piece]) -> list[str]:
    """The folders by which each file differs from the others."""
    paths = [piece.folders for piece in pieces]
    while paths[0] and all(path[:1] == paths[0][:1] for path in paths):
        paths = [path[1:] for path in paths]
    while paths[0] and all(path[-1:] == paths[0][-1:] for path in paths):
        paths = [path[:-1] for path in paths]
    return ["/".join(path) for path in paths]


def _apart(pieces: Sequence[_Piece]) -> bool:
    """Does each file hold algorithms of its own, as columns: ``dataset, HC2`` and ``dataset, PF``?"""
    others = [name for piece in pieces for name in list(piece.columns)[1:]]
    if len(set(others)) < len(others) or any(
        next(iter(piece.columns)) != next(iter(pieces[0].columns)) for piece in pieces
    ):
        return False
    return not any(named_direction(name) or matching([name], "score") for name in others)


def _side_by_side(pieces: Sequence[_Piece], roles: Roles | None = None) -> tuple[JoinedTable, dict[str, str | None]]:
    """The columns of wide tables as rows of problem, algorithm, score; with ``roles`` each file is a run."""
    problem = next(iter(pieces[0].columns)) or "problem"
    columns: dict[str, Labels] = {name: [] for name in (problem, "algorithm", "score", *([FILE] if roles else []))}
    places: list[str] = []
    for piece in pieces:
        problems, *others = piece.columns.items()
        for name, scores in others:
            values = (problems[1], [name] * len(scores), scores, [piece.stem] * len(scores))
            for column, more in zip(columns.values(), values, strict=False):
                column += more
            places += piece.rows
    requested: dict[str, str | None] = {"problem": problem, "algorithm": "algorithm", "score": "score"}
    return _table(pieces, columns, places), {**(roles or {}), **requested}


def _table(pieces: Sequence[_Piece], columns: Mapping[str, Labels], places: Sequence[str]) -> JoinedTable:
    origin = f"{os.path.basename(pieces[0].path)} and {len(pieces) - 1} more"
    return JoinedTable(origin, list(columns), [list_column(values) for values in columns.values()], places)


def _refuse_open(pieces: Sequence[_Piece], numbers: Sequence[str]) -> None:
    raise ReadingError(
        f"{pieces[0].path!r} and {len(pieces) - 1} more have the same problems, and {len(numbers)} columns of numbers "
        f"({listing(numbers, 3)}). If each file is an algorithm, name its scores: "
        f"score={min(numbers, key=_unlikely)!r}. "
        "If each column is an algorithm, and each file a run, say run='file'"
    )


def _refuse_headers(pieces: Sequence[_Piece], numbers: Sequence[str]) -> None:
    """``numbers``: columns that all files have, one of which may hold the scores."""
    first = pieces[0]
    other = next(piece for piece in pieces if set(piece.columns) != set(first.columns))
    some = f"{first.path!r} has {listing(_less(first, other), 4)}, {other.path!r} has {listing(_less(other, first), 4)}"
    raise ReadingError(
        f"files that are one table have the same columns, and of these {some}. "
        + (
            f"All have {listing(numbers, 8)}: name the one that holds the scores: score={numbers[0]!r}"
            if numbers
            else "Give those of one kind, or name the columns that all of them have: problem=, algorithm=, score="
        )
    )


def _unlikely(name: str) -> int:
    """Order columns of numbers: a metric's name comes first, then that of a time."""
    words = re.findall("[a-z]+", name.lower())
    return 2 if named_direction(name) is None else int("time" in words or "seconds" in words)


def _less(one: _Piece, other: _Piece) -> list[str]:
    """Columns that the other lacks."""
    return [repr(name) for name in one.columns if name not in other.columns] or ["no more"]
