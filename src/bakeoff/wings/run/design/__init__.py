"""The design of an experiment, from Python or TOML: validated, named and specified."""
