"""The clients: `Touchline`, and `AsyncTouchline` for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any

import httpx

from ._follower import Follower, OnState, OnSync
from ._io import AsyncIo, SyncIo, run_now
from ._operations import AsyncOperations, Operations
from ._options import checked_key, checked_url
from ._rest import Rest, next_page
from .storage import AsyncStorage, Storage
from .stream import AsyncStream, Stream


class Touchline(Operations):
    """The REST API and the streams of a service. Several threads may use it.

    key, base_url: default are the environment variables TOUCHLINE_KEY and TOUCHLINE_URL.
    timeout: seconds for one request.
    attempts: maximum number of attempts per call: limits, restarts and lost connections cause another one.
    longest_wait: seconds; a call fails if `Retry-After` (of a day's quota, say) is longer.
    remember: number of replies that are kept with their entity tags: asking for an unchanged one again costs nothing.
    http_client: for certificates or proxies of your own; it is not closed.

    Methods raise ApiError if the service refuses a request, and NoAnswer if it cannot be reached.
    """

    def __init__(
        self,
        key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 30.0,
        attempts: int = 4,
        longest_wait: float = 30.0,
        remember: int = 0,
        http_client: httpx.Client | None = None,
    ) -> None:
        base, checked = checked_url(base_url), checked_key(key)
        client = http_client if http_client is not None else httpx.Client()
        self._own = client if http_client is None else None
        limits = {"timeout": timeout, "longest_wait": longest_wait}
        self._rest = Rest(SyncIo(client), base, checked, attempts=attempts, remember=remember, **limits)

    def close(self) -> None:
        if self._own is not None:
            self._own.close()

    def __enter__(self) -> Touchline:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def stream(
        self,
        *,
        sport: str | Sequence[str] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: str | Sequence[str] | None = None,
        delay: int | None = None,
        storage: Storage | None = None,
        cursor: int | None = None,
        on_sync: OnSync | None = None,
        on_state: OnState | None = None,
    ) -> Stream:
        """Follows events: none is lost or repeated while this stream is open. See `Stream`.

        league: tournament ids. event_type: `match.goal`, `match.*`.
        delay: how many seconds after an event the loop gets it, from 0 to 600, so that no score arrives before the
            television shows it. Not together with on_sync, which would get the present state of the matches.
        storage: keeps the position beyond this process: `FileStorage("position.json")`.
        cursor: where to begin if the storage has nothing; by default at the next event.
        on_sync: gets pages of whole matches: all of them at the beginning, if there is no position, and the changed
            ones if missed events are no longer stored. Without it the stream continues after such a gap.
        on_state: gets each change of the connection.
        """
        filters = {"sport": sport, "league": league, "event_type": event_type, "delay": delay}
        return Stream(Follower(self._rest, filters, storage, cursor, on_sync, on_state))

    def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, object],
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        return run_now(self._rest.call(method, path, params, body, idempotency_key))

    def _pages(self, path: str, params: Mapping[str, object]) -> Iterator[Any]:
        following: Mapping[str, object] | None = params
        while following is not None:
            page = self._call("GET", path, following)
            yield page
            following = next_page(path, following, page)

    def _items(self, list_name: str, path: str, params: Mapping[str, object]) -> Iterator[Any]:
        for page in self._pages(path, params):
            yield from page[list_name]


class AsyncTouchline(AsyncOperations):
    """The same as `Touchline` for asyncio."""

    def __init__(
        self,
        key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 30.0,
        attempts: int = 4,
        longest_wait: float = 30.0,
        remember: int = 0,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        base, checked = checked_url(base_url), checked_key(key)
        client = http_client if http_client is not None else httpx.AsyncClient()
        self._own = client if http_client is None else None
        limits = {"timeout": timeout, "longest_wait": longest_wait}
        self._rest = Rest(AsyncIo(client), base, checked, attempts=attempts, remember=remember, **limits)

    async def aclose(self) -> None:
        if self._own is not None:
            await self._own.aclose()

    async def __aenter__(self) -> AsyncTouchline:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.aclose()

    def stream(
        self,
        *,
        sport: str | Sequence[str] | None = None,
        league: int | Sequence[int] | None = None,
        event_type: str | Sequence[str] | None = None,
        delay: int | None = None,
        storage: Storage | AsyncStorage | None = None,
        cursor: int | None = None,
        on_sync: OnSync | None = None,
        on_state: OnState | None = None,
    ) -> AsyncStream:
        """Follows events, as `Touchline.stream` does. `storage` and `on_sync` may be asynchronous."""
        filters = {"sport": sport, "league": league, "event_type": event_type, "delay": delay}
        return AsyncStream(Follower(self._rest, filters, storage, cursor, on_sync, on_state))

    async def _call(
        self,
        method: str,
        path: str,
        params: Mapping[str, object],
        body: object = None,
        idempotency_key: str | None = None,
    ) -> Any:
        return await self._rest.call(method, path, params, body, idempotency_key)

    async def _pages(self, path: str, params: Mapping[str, object]) -> AsyncIterator[Any]:
        following: Mapping[str, object] | None = params
        while following is not None:
            page = await self._call("GET", path, following)
            yield page
            following = next_page(path, following, page)

    async def _items(self, list_name: str, path: str, params: Mapping[str, object]) -> AsyncIterator[Any]:
        async for page in self._pages(path, params):
            for item in page[list_name]:
                yield item
