"""Files that appear whole or not at all."""

import os
from collections.abc import Callable
from pathlib import Path


def write_whole(target: Path, write: Callable[[Path], None]) -> None:
    """Have ``write`` fill a file beside ``target``, then rename it: a reader never sees half a file.

    The file gets the permissions of an ordinary new one. An OSError is the caller's to explain.
    """
    import tempfile  # not at start-up: it brings shutil, random, bz2 and lzma

    handle, name = tempfile.mkstemp(prefix=".bakeoff-", suffix=target.suffix, dir=target.parent)
    os.close(handle)
    draft = Path(name)
    try:
        write(draft)
        draft.chmod(0o666 & ~_umask())
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)


def write_bytes(target: Path, content: bytes) -> None:
    """``content`` as the file ``target``, whole or not at all."""

    def write(draft: Path) -> None:
        draft.write_bytes(content)

    write_whole(target, write)


def _umask() -> int:
    """The mask of this process; it can be read only by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
