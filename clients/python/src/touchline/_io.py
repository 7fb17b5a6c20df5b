"""Input and output of both clients: what they do is written once, as coroutines, and the synchronous client runs them
to their end at once, since its operations block."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing, suppress
from typing import Any, Protocol, TypeVar

import httpx

_T = TypeVar("_T")


class Io(Protocol):
    def request(self, method: str, url: str, **options: Any) -> httpx.Request: ...

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Returns the response with its headers; the body is still to come."""

    def chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]: ...

    async def close(self, response: httpx.Response) -> None: ...

    async def sleep(self, seconds: float) -> None: ...


class SyncIo:
    def __init__(self, client: httpx.Client) -> None:
        self.client = client

    def request(self, method: str, url: str, **options: Any) -> httpx.Request:
        return self.client.build_request(method, url, **options)

    async def send(self, request: httpx.Request) -> httpx.Response:
        return self.client.send(request, stream=True, follow_redirects=False)

    async def chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        for chunk in response.iter_bytes():
            yield chunk

    async def close(self, response: httpx.Response) -> None:
        response.close()

    async def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


class AsyncIo:
    def __init__(self, client: httpx.AsyncClient) -> None:
        self.client = client

    def request(self, method: str, url: str, **options: Any) -> httpx.Request:
        return self.client.build_request(method, url, **options)

    async def send(self, request: httpx.Request) -> httpx.Response:
        return await self.client.send(request, stream=True, follow_redirects=False)

    async def chunks(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        async for chunk in response.aiter_bytes():
            yield chunk

    async def close(self, response: httpx.Response) -> None:
        await response.aclose()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def run_now(coroutine: Coroutine[Any, Any, _T]) -> _T:
    """Runs a coroutine that never waits: each of its operations blocks instead."""
    wrong = TypeError("A synchronous stream needs a synchronous storage and synchronous callbacks.")
    try:
        coroutine.send(None)
        coroutine.throw(wrong)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise wrong


async def read_all(io: Io, response: httpx.Response, deadline: float) -> bytes:
    """Reads the body and closes the response. Raises httpx.ReadTimeout if it is still coming at the deadline."""
    parts: list[bytes] = []
    try:
        async with aclosing(io.chunks(response)) as chunks:
            async for chunk in chunks:
                parts.append(chunk)
                if time.monotonic() > deadline:
                    raise httpx.ReadTimeout("the reply took too long", request=response.request)
    finally:
        await io.close(response)
    return b"".join(parts)


def hang_up(response: httpx.Response) -> None:
    """Ends the connection, so that a read of another thread or task, which may wait for long, ends at once."""
    stream = response.extensions.get("network_stream")
    connection = stream.get_extra_info("socket") if stream is not None else None
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
