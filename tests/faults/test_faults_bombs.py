"""Archives, compressed files, workbooks and pickles made to fill memory or disk, to write elsewhere, or to run code."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import pickle
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError
from faults.mutated_files import BEFORE_READING, MOST_MEMORY, forget_peak, peak_memory

TABLE = b"problem,score\n" + b"".join(b"p%d,%d.5\n" % (i, i) for i in range(10))
MOST = 1 << 30

Write = Callable[[Path], None]


def member(name: str, kind: bytes = tarfile.REGTYPE, linked: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, linked
    return info


def tarred(*members: tuple[tarfile.TarInfo, bytes]) -> Write:
    def write(path: Path) -> None:
        with tarfile.open(path, "w:gz") as archive:
            for info, content in members:
                info.size = len(content)
                archive.addfile(info, io.BytesIO(content) if content else None)

    return write


def zipped(*members: tuple[str, bytes], encrypted: bool = False) -> Write:
    def write(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in members:
                archive.writestr(name, content)
        if encrypted:
            content = bytearray(path.read_bytes())
            for signature, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
                content[content.find(signature) + flag] |= 1
            path.write_bytes(content)

    return write


def of_bytes(content: bytes) -> Write:
    return lambda path: path.write_bytes(content) and None


def a_liar(path: Path) -> None:
    """A file of a terabyte, by its header."""
    info = tarfile.TarInfo("a.csv")
    info.size = 10**12
    path.write_bytes(info.tobuf() + TABLE)


def a_workbook(path: Path) -> None:
    """Each of twelve entities is ten of the one before."""
    named = b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(12))
    sheet = b'<!DOCTYPE z [<!ENTITY a "aaaaaaaaaa">' + named + b"]><worksheet><sheetData><row><c><v>&m;</v></c></row>"
    import openpyxl

    plain = io.BytesIO()
    openpyxl.Workbook().save(plain)
    with zipfile.ZipFile(plain) as before, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as after:
        for info in before.infolist():
            changed = sheet + b"</sheetData></worksheet>" if "sheet1" in info.filename else before.read(info)
            after.writestr(info.filename, changed)


class Evil:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, ("PWNED",)


B = (member("b.csv"), TABLE)
PACKED = "50 times its size once unpacked"
OUTSIDE, ODD = "lies outside of the archive's own folder", "is a link or a device"
REFUSED: dict[str, tuple[str, Write, str]] = {
    "dots": ("x.tar.gz", tarred((member("../../EVIL.csv"), TABLE), B), OUTSIDE),
    "absolute": ("x.tgz", tarred((member("/tmp/EVIL.csv"), TABLE), B), OUTSIDE),
    "a drive": ("x.zip", zipped(("C:\\EVIL.csv", TABLE), ("b.csv", TABLE)), OUTSIDE),
    "dots in a zip": ("x.zip", zipped(("../EVIL.csv", TABLE), ("b.csv", TABLE)), OUTSIDE),
    "a link": ("x.tar.gz", tarred((member("a.csv", tarfile.SYMTYPE, "/etc/passwd"), b""), B), ODD),
    "a hard link": ("x.tar.gz", tarred((member("a.csv", tarfile.LNKTYPE, "/etc/passwd"), b""), B), ODD),
    "a link to itself": ("x.tar.gz", tarred((member("a.csv", tarfile.SYMTYPE, "a.csv"), b""), B), ODD),
    "a device": ("x.tar.gz", tarred((member("a.csv", tarfile.CHRTYPE), b""), B), ODD),
    "a pipe": ("x.tar.gz", tarred((member("a.csv", tarfile.FIFOTYPE), b""), B), ODD),
    "encrypted": ("x.zip", zipped(("a.csv", TABLE), ("b.csv", TABLE), encrypted=True), "is encrypted"),
    "twice": ("x.zip", zipped(("a.csv", TABLE), ("./a.csv", TABLE)), "is in the archive twice"),
    "a terabyte by its word": ("x.tar", a_liar, "1 GiB once unpacked"),
    "only an archive": ("x.zip", zipped(("in.zip", TABLE)), "not a format that is recognised"),
    "gzip in gzip in gzip": ("x.gz", of_bytes(gzip.compress(gzip.compress(gzip.compress(TABLE)))), "NUL byte"),
    "200 MB of nothing": ("x.csv.gz", of_bytes(gzip.compress(bytes(10**6), 9) * 200), PACKED),
    "of one line": ("x.csv.gz", of_bytes(gzip.compress(b"p,a,b\n" * 10**6, 9) * 30), PACKED),
    "entities": ("x.xlsx", a_workbook, "cannot be read as an .xlsx workbook"),
    "deep JSON": ("x.json", of_bytes(b"[" * 10**6), "nested too deeply"),
    "deep objects": ("x.json", of_bytes(b'{"a":' * 10**5 + b"1" + b"}" * 10**5), "nested too deeply"),
    "a pickle": ("x.pkl", of_bytes(pickle.dumps(Evil())), "NUL byte"),
    "a pickle called a table": ("x.csv", of_bytes(pickle.dumps(Evil(), 0)), "x.csv"),
    "a pickle in an array": ("x.npz", zipped(("a.npy", pickle.dumps(Evil()))), "cannot be read"),
    "NUL in a name": ("x.csv", of_bytes(b"problem,a,b\nx\0,1,2\ny,2,3\n"), "NUL byte"),
    "an open quote": ("x.csv", of_bytes(b'problem,a,b\n"x' + b"a,1\n" * 10**6), "a quote"),
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux tells it")
@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.slow_cases("200 MB of nothing", "of one line", "entities")
def test_what_is_made_to_do_harm_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two hundred times as many bytes took as much memory; 60 000 files a minute."""
    called, write, words = REFUSED[name]
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / called
    write(path)
    monkeypatch.chdir(tmp_path / "in")
    forget_peak()
    before = peak_memory()
    with pytest.raises(BakeoffError, match=words) as refused:
        bo.read_results(path, better="lower") if words.startswith("not a format") else bo.read_scores(path, "lower")
    assert 10 < len(str(refused.value)) < 2000
    assert peak_memory() - before + BEFORE_READING < MOST_MEMORY
    assert sorted(each.name for each in tmp_path.rglob("*")) == sorted(["in", called])
    assert not Path("/tmp/EVIL.csv").exists()


@pytest.mark.slow
def test_many_files_are_read_in_linear_time(tmp_path: Path) -> None:
    """Each path was counted among all: 5000 files made 25 million comparisons of names."""
    counted = 0

    class Path_(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            nonlocal counted
            counted += 1
            return str.__eq__(self, other)  # type: ignore[arg-type]

        __hash__ = str.__hash__

    names = [Path_(tmp_path / f"{i}.csv") for i in range(400)]
    for name in names:
        Path(name).write_bytes(TABLE)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os.path, "realpath", lambda path, **more: Path_(path))
        bo.read_scores(names, "lower")
    assert counted < 4 * len(names)


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "x.tar.xz"
    info = tarfile.TarInfo("a.csv")
    info.size = MOST + 1
    path.write_bytes(lzma.compress(info.tobuf() + bytes(1 << 20)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tempfile.tempdir", str(tmp_path))
        with pytest.raises(BakeoffError, match="1 GiB once unpacked"):
            bo.read_scores(path, "lower")
    assert list(tmp_path.iterdir()) == [path]
