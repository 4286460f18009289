"""Commands on experiments and their stores: ``init``, ``status``, ``rerun``, ``export``, and the options of ``run``."""
