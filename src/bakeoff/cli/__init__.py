"""The command line: ``bakeoff compare``, ``bakeoff cite``; one file per command."""

from bakeoff.cli.door import main as main
