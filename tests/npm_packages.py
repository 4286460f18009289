"""Programs from npm's registry that tests run; this package neither needs nor contains them."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

NEEDS_NPM = pytest.mark.skipif(
    not (shutil.which("npm") and shutil.which("node")) and not os.environ.get("CI"), reason="no npm and node here"
)


def unpacked(package: str, folder: Path) -> Path:
    """The files of one version (``name@1.2.3``) in a folder; a test is skipped without the registry, but not in CI."""
    done = subprocess.run(["npm", "pack", "--silent", package], cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode and not os.environ.get("CI"):
        pytest.skip("npm's registry cannot be reached")
    assert done.returncode == 0, done.stderr
    with tarfile.open(folder / done.stdout.split()[-1]) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"
