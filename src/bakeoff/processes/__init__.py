"""Foreign programs as algorithms: the command, one run of it, how it is started and ended, and where its score is."""
