"""The command line: ``_main`` lists the commands, ``commands`` has one file for each."""

from bakeoff.cli._main import main as main
