"""The command line: ``bakeoff compare``, ``bakeoff bayes``, ``bakeoff cite``; one file per command."""

from bakeoff.cli.door import main as main
