"""A result with the protocol that it was planned by."""

from __future__ import annotations

from typing import Any

from bakeoff.reportable import Reportable


class Registered(Reportable):
    """What ``result`` is, and ``protocol`` as JSON has it: content, digest, departures and the reason for them."""

    __slots__ = ("protocol", "result")

    def __init__(self, result: Reportable, protocol: dict[str, Any]) -> None:
        self.result = result
        self.protocol = protocol

    @property
    def kind(self) -> str:  # type: ignore[override]
        """That of the result."""
        return self.result.kind

    @property
    def decision(self) -> str | None:
        """That of the result."""
        return self.result.decision

    def __getattr__(self, name: str) -> Any:
        if name in Registered.__slots__:  # not there yet while a copy is made
            raise AttributeError(name)
        return getattr(self.result, name)
