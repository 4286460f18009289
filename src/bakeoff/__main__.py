"""``python -m bakeoff`` is the command line."""

from bakeoff.cli import main

if __name__ == "__main__":
    main(prog_name="bakeoff")
