from __future__ import annotations

import os
import socket
import threading
from typing import Callable, Iterator, List, Optional

import pytest

from grounded_chat import Client

URL = os.environ.get("GROUNDED_CHAT_URL")
API_KEY = os.environ.get("GROUNDED_CHAT_KEY")

if not (URL and API_KEY):
    collect_ignore_glob = ["test_service_*.py"]


class CuttingProxy:
    """A TCP proxy that cuts connections after a number of bytes of the server."""

    def __init__(self, target: str) -> None:
        host, port = target.split("//")[1].split(":")
        self._target = (host, int(port))
        self._cuts: List[int] = []
        self._sockets: List[socket.socket] = []
        self._threads: List[threading.Thread] = []
        self._server = socket.create_server(("127.0.0.1", 0))
        self.connections = 0
        self._run(self._accept)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.getsockname()[1]}"

    def cut_after(self, *counts: int) -> None:
        """Each of the next connections is cut after so many bytes of its response."""
        self._cuts = list(counts)

    def close(self) -> None:
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        for one in self._sockets:
            _shut_down(one)
        for thread in self._threads:
            thread.join()
        for one in self._sockets:
            one.close()

    def _run(self, target: Callable[..., None], *args: object) -> None:
        self._threads.append(threading.Thread(target=target, args=args, daemon=True))
        self._threads[-1].start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            self.connections += 1
            limit = self._cuts.pop(0) if self._cuts else None
            upstream = socket.create_connection(self._target)
            self._sockets += [client, upstream]
            self._run(self._forward, client, upstream, None)
            self._run(self._forward, upstream, client, limit)

    def _forward(self, source: socket.socket, sink: socket.socket, limit: Optional[int]) -> None:
        try:
            while part := source.recv(65_536):
                sink.sendall(part if limit is None else part[:limit])
                if limit is not None:
                    limit -= len(part)
                    if limit <= 0:
                        break
        except OSError:
            pass
        _shut_down(source)
        _shut_down(sink)


def _shut_down(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass


@pytest.fixture(scope="session")
def url() -> str:
    return URL or ""


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with Client(URL, API_KEY) as client:
        yield client


@pytest.fixture()
def proxy(url: str) -> Iterator[CuttingProxy]:
    proxy = CuttingProxy(url)
    yield proxy
    proxy.close()


@pytest.fixture(scope="session", autouse=URL is not None)
def document(client: Client) -> str:
    """A document about check-out, which the questions are about."""
    text = "Check-out is until 11:00. Late check-out costs 20 euros an hour. Dogs are welcome."
    created = client.documents.create(name="Check-out", content=text)
    assert client.documents.wait_until_processed(created["id"])["status"] == "READY"
    return created["id"]
