"""The tests that autorank ships, run against the shim of ``bakeoff.migrate`` in place of ``autorank.autorank``.

They come from its source distribution, of the version that is installed, and are not kept here. Of the others:
scikit-posthocs' source distribution (0.17.1) has no tests, and critdd has none on the index. baycomp's (1.0.3) test its
classes by mocks, and neither of the two functions of the shim. aeon's test private helpers, and need its loaders and
optional packages. test_migrate_recorded.py and test_migrate_peers.py have the numbers of these.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SETTLED = {
    "test_autorank_invalid": "arguments of a wrong type, such as verbose='foo': a ValueError here, a TypeError there"
}
"""Tests that fail, and why that is meant; one that passes again is to be deleted here."""

REPORTS = '''
"""autorank(), replaced. Its reports take only their RankResult (docs/how-to/migrate.md): with ours they do nothing."""

import autorank
from bakeoff import migrate


def _report(name, own):
    def report(result, *arguments, **options):
        if not isinstance(result, migrate.RankResult):
            return own(result, *arguments, **options)
        if name == "plot_stats" and result.pvalue >= result.alpha and not options.get("allow_insignificant"):
            raise ValueError("no difference to draw")  # as there

    return report


autorank.autorank = migrate.autorank
for _name in ("plot_stats", "create_report", "latex_table", "latex_report", "plot_posterior_maps"):
    setattr(autorank, _name, _report(_name, getattr(autorank, _name)))
'''


def source_of(name: str, folder: Path) -> Path:
    """The unpacked source distribution of the installed version; skips without an index, but not in CI."""
    pytest.importorskip(name)
    version = importlib.metadata.version(name)
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest"]
    done = subprocess.run([*download, str(folder), f"{name}=={version}"], capture_output=True, text=True, timeout=240)
    archives = list(folder.glob("*.tar.gz"))
    if (done.returncode or not archives) and not os.environ.get("CI"):
        pytest.skip(f"no source distribution of {name} {version} from a package index: {done.stderr[-200:]}")
    assert archives, done.stderr
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder, filter="data")
    return archives[0].with_suffix("").with_suffix("")


def test_the_suite_of_autorank(tmp_path: Path) -> None:
    tests = source_of("autorank", tmp_path) / "tests"
    tests.joinpath("conftest.py").write_text(REPORTS)
    tests.joinpath("__init__.py").unlink()
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTEST_ADDOPTS": ""}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--rootdir", "."]
    done = subprocess.run(
        [*command, "--junit-xml", "result.xml", "test_autorank.py"],
        cwd=tests,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    cases = list(ElementTree.parse(tests / "result.xml").iter("testcase"))
    failed = {
        case.attrib["name"] for case in cases if case.find("failure") is not None or case.find("error") is not None
    }
    assert len(cases) >= 40, done.stdout
    assert failed == set(SETTLED), done.stdout[-4000:]
