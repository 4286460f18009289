"""One file per racing rule; the registry lists them by name."""
