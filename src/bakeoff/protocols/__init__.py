"""Protocols: the choices behind a verdict, written down before the scores are seen, and held against what was done.

``protocol`` says what a protocol of a command fixes, from the record of its analysis; it reads, checks and seals one.
``departures`` compares it with a result, and holds both.
"""

from bakeoff.protocols.departures import (
    Departure as Departure,
    Registered as Registered,
    check_against_protocol as check_against_protocol,
)
from bakeoff.protocols.protocol import Protocol as Protocol, read_protocol as read_protocol, template as template
