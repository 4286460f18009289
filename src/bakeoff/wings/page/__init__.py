"""``bakeoff serve``: the reports as a local page whose choices are links.

``application.app`` is the ASGI application with its addresses; ``calculators`` computes in processes of its own;
``views`` is the list of analyses. State is kept in one temporary SQLite file (``uploads``).
"""
