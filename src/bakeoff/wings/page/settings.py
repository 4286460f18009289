"""Settings of whoever starts the server: where it listens, and its limits."""

from __future__ import annotations

import secrets
from functools import partial
from pathlib import Path

from bakeoff.checks import integer, positive
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """``host`` and ``port`` as bound; ``token`` is in the address that is printed.

    ``megabytes`` of one upload and ``uploads`` kept at once, the oldest of which is forgotten; ``seconds`` of one
    computation; ``cells`` of a table, with its runs; ``memory`` in bytes of one calculating process. ``store`` is an
    experiment, or race, to be watched.
    """

    host: str = "127.0.0.1"
    port: int = 8421
    token: str = field(default_factory=partial(secrets.token_urlsafe, 24))  # 192 bits
    megabytes: float = 32.0
    uploads: int = 50
    seconds: float = 60.0
    cells: int = 5_000_000
    memory: int = 4_000_000_000
    processes: int = 3
    store: Path | None = None

    def __post_init__(self) -> None:
        if not self.host or any(sign in self.host for sign in "/@? "):
            raise ParameterError(f"must be the name or number of a machine; got {self.host!r}", parameter="host")
        integer("port", self.port, 0, 65535)
        positive("megabytes", self.megabytes)
        integer("uploads", self.uploads, 1)
        positive("seconds", self.seconds)
        integer("cells", self.cells, 1)
        integer("processes", self.processes, 1, 64)

    @property
    def most_bytes(self) -> int:
        """Bytes of one upload."""
        return int(self.megabytes * MEGABYTE)

    @property
    def address(self) -> str:
        """As a browser writes it, without the token."""
        host = self.host if self.host not in ("0.0.0.0", "::", "") else "127.0.0.1"
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def cookie(self) -> str:
        """Cookies do not know ports: two servers need two names."""
        return f"bakeoff-{self.port}"
