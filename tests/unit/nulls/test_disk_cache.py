"""Laws kept on disk: the same bits, whatever happens to the files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
import friedman_null as friedman
from bakeoff.errors import TooLargeError
from bakeoff.nulls import column_sums, disk_cache
from bakeoff.nulls.disk_cache import NullDistribution

K, N = 3, 130
FILE = f"untied-{K}-{N}-v{disk_cache.VERSION}.law"


def fresh_null(k: int = K, n: int = N) -> NullDistribution:
    """As a new process would find it."""
    friedman._null.cache_clear()
    column_sums.column_sum_law.cache_clear()
    return friedman.friedman_null(k, n)


def same(one: NullDistribution, other: NullDistribution) -> bool:
    return all(a.dtype == b.dtype and a.tobytes() == b.tobytes() for a, b in zip(one, other, strict=True))


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> NullDistribution:
    monkeypatch.setenv("BAKEOFF_CACHE", "off")
    return fresh_null()


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, without: NullDistribution) -> Path:
    place = tmp_path / "new" / "cache"
    monkeypatch.setenv("BAKEOFF_CACHE", str(place))
    return place


@pytest.mark.slow
def test_a_kept_law_has_the_same_bits(folder: Path, without: NullDistribution, monkeypatch: pytest.MonkeyPatch) -> None:
    assert same(fresh_null(), without)
    assert [p.name for p in folder.iterdir()] == [FILE]
    monkeypatch.setattr(column_sums, "_computed", None)  # from now on it must come from the file
    kept = fresh_null()
    assert same(kept, without)
    assert not any(a.flags.writeable for a in kept)
    scores = bo.Scores(np.random.default_rng(1).random((N, K)), better="lower")
    exact = bo.friedman(scores, method="exact")
    monkeypatch.undo()
    monkeypatch.setenv("BAKEOFF_CACHE", "off")
    column_sums.column_sum_law.cache_clear()
    assert bo.friedman(scores, method="exact").log_pvalue == exact.log_pvalue


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="access lists instead of modes")
def test_a_law_that_others_can_write_is_not_read(folder: Path, without: NullDistribution) -> None:
    """R-S6: a forged law, with a digest that fits, turned a p-value of 0.7104 into 0."""
    fresh_null()
    file = folder / FILE
    assert (folder.stat().st_mode & 0o777, file.stat().st_mode & 0o777) == (0o700, 0o600)
    name = FILE.removesuffix(f"-v{disk_cache.VERSION}.law")
    forged = np.array([0]), np.array([1.0])
    for place, mode in ((file, 0o666), (folder, 0o777), (folder, 0o720)):
        disk_cache.write(name, forged)
        kept = disk_cache.read(name)
        assert kept is not None  # as long as it is this user's alone
        assert same(kept, forged)
        place.chmod(mode)
        assert disk_cache.read(name) is None
        assert same(fresh_null(), without)
        file.chmod(0o600)
        folder.chmod(0o700)
        file.unlink()
    disk_cache.write(name, forged)
    if os.geteuid() == 0:
        os.chown(file, 65534, 65534)
        assert disk_cache.read(name) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("damage", ["empty", "short", "long", "flipped", "garbage", "of another law", "a folder"])
def test_a_damaged_file_is_ignored_and_written_anew(damage: str, folder: Path, without: NullDistribution) -> None:
    fresh_null()
    file = folder / FILE
    sound = file.read_bytes()
    if damage == "of another law":
        fresh_null(K, N + 1)
        other = (folder / FILE.replace(f"-{N}-", f"-{N + 1}-")).read_bytes()
    flipped = bytearray(sound)
    flipped[len(sound) // 2] ^= 1
    if damage == "a folder":
        file.unlink()
        (file / "full").mkdir(parents=True)
    else:
        contents = {"empty": b"", "short": sound[:-16], "long": sound + bytes(16), "flipped": bytes(flipped)}
        file.write_bytes(contents.get(damage) or (other if damage == "of another law" else b"\x80\x04garbage" * 9))
    assert same(fresh_null(), without)
    assert damage == "a folder" or file.read_bytes() == sound
    assert not list(folder.glob(".bakeoff-*"))


@pytest.mark.slow
def test_a_folder_that_cannot_be_used_is_no_error(
    without: NullDistribution, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder")
    for place in (tmp_path / "file", tmp_path / "file" / "below", "nul\0character"):
        monkeypatch.setattr(disk_cache, "folder", lambda place=place: Path(place))
        assert same(fresh_null(), without)
    monkeypatch.setattr(disk_cache, "folder", lambda: tmp_path)

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("read-only file system")

    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    assert same(fresh_null(), without)
    monkeypatch.undo()
    monkeypatch.setattr(disk_cache, "folder", lambda: tmp_path)
    monkeypatch.setattr(Path, "replace", refuse)
    assert same(fresh_null(), without)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_small_laws_and_laws_with_ties_are_not_kept(folder: Path) -> None:
    fresh_null(3, 5)
    scores = bo.Scores(np.random.default_rng(2).integers(0, 3, (9, 3)), better="lower")
    bo.friedman(scores, method="exact")
    assert not folder.exists()


def test_a_file_does_not_make_the_impossible_possible(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / f"untied-9-5-v{disk_cache.VERSION}.law").write_bytes(b"garbage")
    for k, n in ((9, 5), (200, 3), (1000, 1000)):
        with pytest.raises(TooLargeError, match="too large"):
            fresh_null(k, n)


SCRIPT = """
import sys
from bakeoff.nulls.column_sums import column_sum_law
print("ready", flush=True)
sys.stdin.readline()
values, probabilities = column_sum_law(((0, 1, 2),) * 130)
print(values.tobytes().hex() + probabilities.tobytes().hex())
"""


@pytest.mark.slow
def test_two_processes_at_once(folder: Path, without: NullDistribution) -> None:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    both = [subprocess.Popen([sys.executable, "-c", SCRIPT], **pipes) for _ in range(2)]  # type: ignore[call-overload]
    for process in both:
        assert process.stdout.readline() == "ready\n"
    for process in both:
        process.stdin.write("go\n")
        process.stdin.flush()
    found = {process.communicate()[0].strip() for process in both}
    values, probabilities = column_sums.column_sum_law((tuple(range(K)),) * N)  # of ranks from 0, kept since `without`
    assert found == {values.tobytes().hex() + probabilities.tobytes().hex()}
    assert [p.name for p in folder.iterdir()] == [FILE]
    assert same(fresh_null(), without)


@pytest.mark.slow
def test_a_reader_beside_a_writer_sees_a_whole_law(folder: Path, without: NullDistribution) -> None:
    disk_cache.write("law", without)
    writers = [threading.Thread(target=lambda: [disk_cache.write("law", without) for _ in range(60)]) for _ in "ab"]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        law = disk_cache.read("law")
        assert law is not None
        assert same(law, without)
    for writer in writers:
        writer.join()


def test_where_laws_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("BAKEOFF_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    expected = {
        "linux": tmp_path / ".cache" / "bakeoff",
        "darwin": tmp_path / "Library" / "Caches" / "bakeoff",
        "win32": tmp_path / "AppData" / "Local" / "bakeoff" / "Cache",
    }
    for platform, place in expected.items():
        monkeypatch.setattr(sys, "platform", platform)
        assert disk_cache.folder() == place
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert disk_cache.folder() == tmp_path / "local" / "bakeoff" / "Cache"
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert disk_cache.folder() == tmp_path / "xdg" / "bakeoff"
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    assert disk_cache.folder() == expected["linux"]
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path / "mine"))
    assert disk_cache.folder() == tmp_path / "mine"
    monkeypatch.setenv("BAKEOFF_CACHE", "off")
    assert disk_cache.folder() is None

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.delenv("BAKEOFF_CACHE")
    assert disk_cache.folder() is None
