"""``python -m bakeoff.bench`` runs the benchmarks."""

from bakeoff.bench.command import main

if __name__ == "__main__":
    main(prog_name="python -m bakeoff.bench")
