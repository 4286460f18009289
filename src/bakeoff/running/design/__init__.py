"""What is to be run: the experiment, checked, named, described; from Python or from TOML."""
