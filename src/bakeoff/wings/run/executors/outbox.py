"""Messages to another process that wait here while it does not read, so that sending never blocks."""

import os
import socket
import struct
from multiprocessing.connection import Connection

_LENGTH = struct.Struct("!i")  # before every message of multiprocessing's connections


class Outbox:
    """The sending side of a connection over a socket.

    Two processes that both block in sending while neither reads would wait for each other for ever, as soon as
    the messages under way fill both buffers (a few hundred tasks). One of the two must therefore never block.
    """

    def __init__(self, link: Connection) -> None:
        self._socket = socket.socket(fileno=os.dup(link.fileno()))
        self._waiting = bytearray()

    def __bool__(self) -> bool:
        """Whether anything is still to be sent."""
        return bool(self._waiting)

    def fileno(self) -> int:
        return self._socket.fileno()

    def add(self, message: bytes) -> None:
        self._waiting += _LENGTH.pack(len(message)) + message

    def flush(self) -> None:
        """Send what the other side's buffer takes now; OSError if it has ended."""
        while self._waiting:
            try:
                sent = self._socket.send(self._waiting, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            del self._waiting[:sent]

    def close(self) -> None:
        self._socket.close()
