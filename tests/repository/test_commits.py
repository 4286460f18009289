"""Commits: a subject of at most 72 characters, and a body that says why."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SINCE = "1bf08c46a16f"  # later commits keep the rule
LONGEST = 72


def git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)


def new_commits() -> list[tuple[str, str]]:
    """Subject and body of each since the rule holds, merges aside."""
    log = git("log", "--no-merges", "--format=%s%x1f%b%x1e", f"{SINCE}..HEAD").stdout
    parts = [commit.strip("\n").split("\x1f") for commit in log.split("\x1e") if commit.strip()]
    return [(subject, body) for subject, body in parts]


@pytest.mark.skipif(git("cat-file", "-e", SINCE).returncode != 0, reason="a copy without the history")
def test_new_commits_say_what_and_why() -> None:
    long = [subject for subject, _ in new_commits() if len(subject) > LONGEST]
    assert long == []
    silent = [subject for subject, body in new_commits() if not body.strip()]
    assert silent == []
