"""What a stream does: it remembers its cursor, reconnects, pages through a gap by replay, and reads the matches
themselves if missed events are no longer stored. `Stream` and `AsyncStream` drive it."""

from __future__ import annotations

import inspect
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from ._connection import Connection, Ended
from ._rest import Rest, as_text, random_name
from ._sse import Gap, Position
from .models import EventFrame, SyncReply
from .storage import AsyncStorage, Storage, StreamPosition

Phase = Literal["connecting", "live", "replaying", "syncing", "skipped", "waiting", "closed"]


@dataclass(frozen=True)
class StreamState:
    """A state of a stream.

    replaying: it pages through missed events. syncing: missed events are no longer stored, it reads the matches.
    skipped: events between the cursors `from_` and `to` are no longer stored, and there is no `on_sync`: it continues
    after them. waiting: it reconnects after `retry_in` seconds.
    """

    phase: Phase
    reason: str = ""
    retry_in: float = 0.0
    from_: int | None = None
    to: int | None = None


OnSync = Callable[[SyncReply], Awaitable[None] | None]
OnState = Callable[[StreamState], None]

# Back-off between attempts, in seconds: doubled after each failure, half of it random, so that clients do not all
# return at once after a restart.
_RETRY_FIRST = 1.0
_RETRY_MAX = 30.0
# While the service cannot be reached: a short outage should not become a long one.
_UNREACHABLE_MAX = 5.0
# Maximum wait before another attempt, even if `Retry-After` is longer (a month's quota, say).
_RETRY_AFTER_MAX = 3_600.0
# A wait is cut into pieces, so that closing ends it.
_PIECE = 0.2

_PAGE_EVENTS = 500
_REMEMBERED_IDS = 20_000


class Follower:
    def __init__(
        self,
        rest: Rest,
        filters: Mapping[str, object],
        storage: Storage | AsyncStorage | None,
        cursor: int | None,
        on_sync: OnSync | None,
        on_state: OnState | None,
    ) -> None:
        if filters.get("delay") and on_sync is not None:
            raise ValueError("delay and on_sync exclude each other: sync reads the present state of the matches")
        texts = {name: as_text(value) for name, value in filters.items() if value is not None}
        self._filters = {name: text for name, text in texts.items() if text != ""}
        self._storage = storage
        self._on_sync = on_sync
        self._on_state = on_state
        self._io = rest.io
        self.connection = Connection(rest)
        # The cursor of the last event that was handled.
        self.cursor = cursor
        self._sync_cursor: str | None = None
        # The service knows by it which earlier connection a new one replaces.
        self._name = random_name()
        self._seen: dict[str, None] = {}
        self._phase: Phase | None = None
        # The event that the caller has, until it asks for the next one.
        self._pending: EventFrame | None = None

    @property
    def closed(self) -> bool:
        return self.connection.closed

    async def events(self) -> AsyncGenerator[EventFrame, None]:
        """Yields each event once. Raises ApiError if the service refuses the key, the plan or a filter."""
        try:
            await self._load()
            attempts = 0
            while not self.closed:
                self._report(StreamState("connecting"))
                before = self.cursor
                end: Ended | None = None
                try:
                    async with aclosing(self._attempt()) as events:
                        async for event in events:
                            self._pending = event
                            yield event
                            await self.handled()
                except Ended as error:
                    end = error
                if end is not None and end.refusal is not None:
                    raise end.refusal
                # After closing a gap it reconnects at once, unless the same gap occurs again.
                if end is None and self.cursor != before:
                    attempts = 0
                elif not self.closed:
                    attempts = 1 if self._phase == "live" else attempts + 1
                    await self._wait(end, attempts)
        finally:
            self.connection.closed = True
            self._report(StreamState("closed"))

    async def handled(self) -> None:
        """Moves the position past the event that the caller has."""
        event, self._pending = self._pending, None
        if event is None:
            return
        self._seen[event["id"]] = None
        if len(self._seen) > _REMEMBERED_IDS:
            del self._seen[next(iter(self._seen))]
        await self._advance(event["cursor"])

    # ---- the position

    async def _load(self) -> None:
        found = await _result(self._storage.load()) if self._storage is not None else None
        if found is not None:
            self.cursor, self._sync_cursor = found

    async def _set(self, cursor: int | None, sync_cursor: str | None) -> None:
        self.cursor, self._sync_cursor = cursor, sync_cursor
        if self._storage is not None:
            await _result(self._storage.save(StreamPosition(cursor, sync_cursor)))

    async def _advance(self, cursor: int) -> None:
        if self.cursor is None or cursor > self.cursor:
            await self._set(cursor, self._sync_cursor)

    # ---- one connection

    async def _attempt(self) -> AsyncGenerator[EventFrame, None]:
        """Ends if a gap was closed. Raises Ended."""
        if self.cursor is None and self._on_sync is not None:
            await self._resync(None)
            return
        gap: Gap | None = None
        query = {**self._filters, "client": self._name}
        if self.cursor is not None:
            query["last_event_id"] = str(self.cursor)
        async with aclosing(self.connection.signals(query)) as signals:
            async for signal in signals:
                if self.closed:
                    return
                if isinstance(signal, Gap):
                    # The connection is abandoned: what it would send now comes after the gap.
                    gap = signal
                    break
                if self._phase != "live":
                    self._report(StreamState("live"))
                if isinstance(signal, Position):
                    await self._advance(signal.cursor)
                elif signal["id"] in self._seen:
                    await self._advance(signal["cursor"])
                else:
                    yield signal
                    if self.closed:
                        return
        if gap is None:
            raise Ended("the connection ended")
        if gap.reason != "limit":
            await self._resync(gap)
            return
        async with aclosing(self._catch_up(gap)) as events:
            async for event in events:
                yield event

    # ---- gaps

    async def _catch_up(self, gap: Gap) -> AsyncGenerator[EventFrame, None]:
        """Yields all missed events; the stored position advances with them."""
        self._report(StreamState("replaying", from_=gap.from_, to=gap.to))
        since = gap.from_
        while not self.closed:
            query = {**self._filters, "since": str(since), "limit": str(_PAGE_EVENTS)}
            page = await self.connection.page("v1/stream/replay", query)
            if page is None:
                await self._resync(Gap(since, gap.to, "expired"))
                return
            for event in page["events"]:
                if self.closed:
                    return
                if event["id"] in self._seen:
                    await self._advance(event["cursor"])
                else:
                    yield event
            if self.closed:
                return
            await self._advance(page["next_cursor"])
            if not page["has_more"]:
                return
            since = page["next_cursor"]

    async def _resync(self, gap: Gap | None) -> None:
        """Reads the matches themselves: all, or those changed since the last page. The stored cursor stays before the
        gap until the last page has been handled; a failed attempt is continued by the next one."""
        if gap is not None and gap.reason == "ahead":
            # The service was restored with an older log: known ids and cursors may now refer to other events.
            self._seen.clear()
            self._sync_cursor = None
        if self._on_sync is None:
            if gap is not None:
                self._report(StreamState("skipped", gap.reason, from_=gap.from_, to=gap.to))
                await self._set(gap.to, self._sync_cursor)
            return
        self._report(StreamState("syncing"))
        while not self.closed:
            page: SyncReply | None = await self.connection.page("v1/sync", self._sync_query())
            if page is None:
                raise Ended("unexpected status 410 of sync")
            await _result(self._on_sync(page))
            # The stream's cursor is the same on every page of a pass.
            await self._set(self.cursor if page["has_more"] else page["stream_cursor"], page["next_cursor"])
            if not page["has_more"]:
                return

    def _sync_query(self) -> dict[str, str]:
        # Sync takes one sport and one tournament; with several filters the pages contain more than requested.
        query = {"limit": str(_PAGE_EVENTS)}
        for name, filtered in (("sport", "sport"), ("tournament", "league")):
            text = self._filters.get(filtered, ",")
            if "," not in text:
                query[name] = text
        if self._sync_cursor is not None:
            query["cursor"] = self._sync_cursor
        return query

    # ---- waiting

    async def _wait(self, end: Ended | None, attempts: int) -> None:
        """attempts: number of attempts without success."""
        seconds = back_off(end, attempts)
        self._report(StreamState("waiting", "the same gap again" if end is None else str(end), seconds))
        until = time.monotonic() + seconds
        while not self.closed and (left := until - time.monotonic()) > 0:
            await self._io.sleep(min(left, _PIECE))

    def _report(self, state: StreamState) -> None:
        self._phase = state.phase
        if self._on_state is not None:
            self._on_state(state)


def back_off(end: Ended | None, attempts: int) -> float:
    """Returns the seconds before the next attempt. end: None for the same gap again."""
    is_away = end is not None and not end.is_answer
    longest: float = min(_UNREACHABLE_MAX if is_away else _RETRY_MAX, _RETRY_FIRST * 2 ** min(attempts - 1, 30))
    requested = min((end.retry_after or 0.0) if end is not None else 0.0, _RETRY_AFTER_MAX)
    # Clients with the same `Retry-After` do not return at the same time either.
    return max(requested, longest / 2) + random.random() * longest / 2


async def _result(value: Any) -> Any:
    """Storages and callbacks may be asynchronous."""
    return await value if inspect.isawaitable(value) else value
