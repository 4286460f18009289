"""What ``--help``, a usage error and ``bakeoff FILE`` say."""
