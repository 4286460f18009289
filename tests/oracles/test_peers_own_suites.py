"""The tests that autorank and aeon ship, run against bakeoff in place of their functions.

They come from a package index and are not kept here: autorank's from its source distribution, of the version that is
installed; aeon's from its wheel, which has the published accuracies that they read. Of the others: scikit-posthocs'
source distribution (0.17.1) has no tests, and critdd has none on the index. baycomp's (1.0.3) test its classes by
mocks, and neither of the two functions of the shim. test_migrate_recorded.py and test_migrate_peers.py have the numbers
of these.
"""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
import tarfile
import xml.etree.ElementTree as ElementTree
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

AUTORANK = {
    "test_autorank_invalid": (
        "verbose",
        "arguments of a wrong type, such as verbose='foo': a ValueError, not a TypeError",
    )
}
AEON = {
    "test_plot_critical_difference_invalid_scores_shape": ("Regex pattern did not match", "a ValueError in our words"),
    "test_plot_critical_difference_mismatched_labels": ("Regex pattern did not match", "a ValueError in our words"),
    "test_plot_critical_difference_too_few_estimators": ("Regex pattern did not match", "a ValueError in our words"),
    "test_plot_critical_difference_p_values_nemenyi_error": (
        "Regex pattern did not match",
        "a ValueError in our words",
    ),
    "test_plot_critical_difference[None]": (
        "must be 'holm' or",
        "every pair at alpha is refused (docs/how-to/migrate.md)",
    ),
    "test_nemenyi_test": (
        "AssertionError",
        "two mean ranks 0.4643 apart: the critical difference of four is 0.4432, of five 0.4706",
    ),
}
"""Tests that fail, with a part of their message, and why that is meant; one that passes again is to be deleted here."""

AUTORANK_IN_OURS = '''
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

AEON_IN_OURS = '''
"""plot_critical_difference() of the shim; ranks and the tests of Friedman, Nemenyi and Wilcoxon of bakeoff.

Two packages stand here without their __init__, which imports the classifiers of aeon and what those need.
"""

import importlib
import sys
import types
from pathlib import Path

import aeon
import numpy as np

import bakeoff as bo

for _name in ("datasets", "visualisation"):
    _package = types.ModuleType(f"aeon.{_name}")
    _package.__path__ = [str(Path(aeon.__file__).parent / _name)]
    sys.modules[_package.__name__] = _package
_figures = importlib.import_module("aeon.visualisation.results._critical_difference")
_tests = importlib.import_module("aeon.benchmarking.stats")


def _table(scores, lower_better):
    return bo.Scores(scores, better="lower" if lower_better else "higher")


def _nemenyi(ordered_avg_ranks, n_datasets, alpha):
    apart = ordered_avg_ranks[None, :] - ordered_avg_ranks[:, None]
    return (apart >= 0) & (apart < bo.critical_difference(len(ordered_avg_ranks), n_datasets, alpha))


def _wilcoxon(results, labels, lower_better=False):
    table, pvalues = _table(results, lower_better), np.eye(len(labels))
    for i, j in zip(*np.triu_indices(len(labels), 1), strict=True):
        pvalues[i, j] = bo.wilcoxon(table, int(i), int(j), alternative="greater").pvalue
    return pvalues


_figures.plot_critical_difference = bo.migrate.aeon.plot_critical_difference
_figures._compute_ranks = lambda scores, lower_better: bo.rank(_table(scores, lower_better))
_tests.check_friedman = lambda ranks: bo.friedman(_table(ranks, True), ties="corrected").pvalue
_tests.nemenyi_test, _tests.wilcoxon_test = _nemenyi, _wilcoxon
'''


def archive_of(name: str, version: str, folder: Path, kind: str) -> Path:
    """An archive of a package, from an index; skips without one, but not in CI."""
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", f"--{kind}", ":all:", "--dest"]
    done = subprocess.run([*download, str(folder), f"{name}=={version}"], capture_output=True, text=True, timeout=240)
    archives = [*folder.glob("*.tar.gz"), *folder.glob("*.whl")]
    if (done.returncode or not archives) and not os.environ.get("CI"):
        pytest.skip(f"no archive of {name} {version} from a package index: {done.stderr[-200:]}")
    assert archives, done.stderr
    return archives[0]


def failures(folder: Path, files: list[str], chosen: str = "") -> tuple[int, dict[str, str]]:
    """How many tests ran in a folder, and the message of each that failed."""
    environment = {**os.environ, "MPLBACKEND": "Agg", "PYTEST_ADDOPTS": "", "PYTHONPATH": str(folder.parent)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", "--rootdir", "."]
    done = subprocess.run(
        [*command, "-k", chosen, "--junit-xml", "result.xml", *files],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    cases = list(ElementTree.parse(folder / "result.xml").iter("testcase"))
    faults = {case.attrib["name"]: [*case.iter("failure"), *case.iter("error")] for case in cases}
    assert not any(case.find("skipped") is not None for case in cases), done.stdout
    messages = {name: "".join(part.text or "" for part in parts) for name, parts in faults.items() if parts}
    return len(cases), messages


def settled(messages: dict[str, str], expected: dict[str, tuple[str, str]]) -> None:
    assert set(messages) == set(expected), {name: messages[name][-2000:] for name in set(messages) - set(expected)}
    for name, (part, _) in expected.items():
        assert part in messages[name], (name, messages[name][-2000:])


def test_the_suite_of_autorank(tmp_path: Path) -> None:
    pytest.importorskip("autorank")
    source = archive_of("autorank", importlib.metadata.version("autorank"), tmp_path, "no-binary")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    tests = source.with_suffix("").with_suffix("") / "tests"
    tests.joinpath("conftest.py").write_text(AUTORANK_IN_OURS)
    tests.joinpath("__init__.py").unlink()
    ran, messages = failures(tests, ["test_autorank.py"])
    assert ran >= 40
    settled(messages, AUTORANK)


def test_the_suite_of_aeon(tmp_path: Path) -> None:
    """The 14 tests of what bakeoff has, too; the others are of private steps of aeon's drawing."""
    tests = tmp_path / "tests"
    tests.mkdir()
    with zipfile.ZipFile(archive_of("aeon", "1.6.0", tmp_path, "only-binary")) as archive:
        archive.extractall(tmp_path)
    for file in ("benchmarking/tests/test_stats.py", "visualisation/results/tests/test_critical_difference.py"):
        (tests / Path(file).name).write_text((tmp_path / "aeon" / file).read_text())
    tests.joinpath("conftest.py").write_text(AEON_IN_OURS)
    chosen = "test_stats or test_plot_critical_difference or test__compute_ranks"
    ran, messages = failures(tests, ["test_stats.py", "test_critical_difference.py"], chosen)
    assert ran == 14
    settled(messages, AEON)
