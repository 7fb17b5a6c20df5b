"""A service that gives each request the next answer, and repeats the last one."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep
from types import MappingProxyType
from typing import Any, NamedTuple


class Asked(NamedTuple):
    method: str
    target: str
    headers: dict[str, str]
    body: str


class Answer(NamedTuple):
    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = MappingProxyType({})
    # The connection ends without an answer.
    lost: bool = False
    # Called before the answer.
    before: Callable[[], None] | None = None
    # Seconds between the bytes of the body.
    pause: float = 0.0


def reply(value: object, **headers: str) -> Answer:
    return Answer(200, json.dumps(value).encode(), headers)


def problem(status: int, code: str, **headers: str) -> Answer:
    value = {"type": f"/docs/errors#{code}", "title": code, "status": status, "code": code, "detail": "why"}
    return Answer(status, json.dumps(value).encode(), headers)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: Any) -> None:
        """Clients that end their connections are what some tests are about."""


class FakeService:
    def __init__(self, *answers: Answer) -> None:
        self.asked: list[Asked] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                length = int(self.headers.get("Content-Length", 0))
                body = self.rfile.read(length).decode()
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.asked.append(Asked(self.command, self.path, headers, body))
                given = answers[min(len(service.asked), len(answers)) - 1]
                if given.before is not None:
                    given.before()
                if given.lost:
                    self.close_connection = True
                    return
                self.send_response(given.status)
                for name, value in given.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                if "Content-Length" not in given.headers:
                    self.send_header("Content-Length", str(len(given.body)))
                self.end_headers()
                # A client that has waited for too long has gone.
                with suppress(ConnectionError):
                    if given.pause == 0:
                        self.wfile.write(given.body)
                    for byte in given.body if given.pause > 0 else b"":
                        self.wfile.write(bytes([byte]))
                        sleep(given.pause)

            do_GET = do_POST = do_PATCH = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def __enter__(self) -> FakeService:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def targets(self) -> Sequence[str]:
        return [one.target for one in self.asked]
