"""A slow, uneven network between a browser and the server, for Yikerz!'s live turns: delays, jitter, and losses that TCP mends."""

import contextlib
import random
import socket
import threading
import time
from queue import SimpleQueue

from page.site import Site, Wire

RETRANSMISSION = 0.2
"""Seconds after which TCP sends again what was lost, at least; by then everything behind it waits."""


class SlowWire(Wire):
    """Every piece of data takes half the round trip and some jitter; a lost one takes until it is sent again. Order is kept."""

    def __init__(self, site: Site, round_trip: float, jitter: float = 0.03, loss: float = 0.02) -> None:
        self._round_trip, self._jitter, self._loss = round_trip, jitter, loss
        self._chance = random.Random(1)
        super().__init__(site)

    def _relay(self, one: socket.socket, other: socket.socket) -> None:
        way: SimpleQueue[tuple[float, bytes]] = SimpleQueue()
        threading.Thread(target=self._deliver, args=(way, one, other), daemon=True).start()
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                delay = self._round_trip / 2 + self._chance.uniform(0, self._jitter)
                if self._chance.random() < self._loss:
                    delay += max(RETRANSMISSION, self._round_trip)
                way.put((time.monotonic() + delay, data))
        way.put((0, b""))

    def _deliver(self, way: "SimpleQueue[tuple[float, bytes]]", one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while (due := way.get())[1]:
                self._flows.wait()
                time.sleep(max(0.0, due[0] - time.monotonic()))
                other.sendall(due[1])
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
