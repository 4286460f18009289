"""The command line: ``bakeoff compare``, ``bakeoff bayes``, ``bakeoff cite``; one file per command."""

from bakeoff.cli._main import main as main
