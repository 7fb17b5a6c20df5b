"""Requests of the REST API: addresses, retries, entity tags. Both clients use it."""

from __future__ import annotations

import json
import random
import re
import secrets
import threading
import time
import warnings
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timezone
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import quote, urlencode

import httpx

from ._io import Io, read_all
from .errors import ApiError, NoAnswer, TouchlineError


def _user_agent() -> str:
    try:
        return f"touchline-python/{version('touchline')}"
    except PackageNotFoundError:
        # The sources run without being installed.
        return "touchline-python"


_USER_AGENT = _user_agent()

# Seconds before the second attempt; doubled for each further one, half of it random.
_FIRST_WAIT = 0.5
# Statuses for limits, and for a service or a proxy whose process restarts.
_TRANSIENT = frozenset((429, 502, 503, 504))
# Statuses of a proxy if the request may have arrived.
_UNCERTAIN = frozenset((502, 504))

Params = Mapping[str, object]


def random_name() -> str:
    return secrets.token_hex(12)


def as_text(value: object) -> str:
    """Raises ValueError for a time without a zone."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"The time {value} has no time zone: add one, such as tzinfo=timezone.utc.")
        return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat() + "Z"
    if isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, str) and isinstance(value, Iterable):
        return ",".join(as_text(one) for one in value)
    return str(value)


def build_url(base: str, path: str, params: Params) -> str:
    """Raises ValueError for a parameter of the path that is empty."""
    query = {name: as_text(value) for name, value in params.items() if value is not None}

    def fill(found: re.Match[str]) -> str:
        text = query.pop(found[1], "")
        # A lone dot would lead to another path.
        if text in ("", ".", ".."):
            raise ValueError(f"{path} needs a value for {found[1]}")
        return quote(text, safe="")

    url = base + re.sub(r"\{(\w+)\}", fill, path).lstrip("/")
    return f"{url}?{urlencode(query)}" if query else url


def next_page(path: str, params: Params, page: Mapping[str, Any]) -> Params | None:
    """Returns the parameters of the next page; None if there is none."""
    for name in ("next_cursor", "next_after"):
        if name in page and page[name] is None:
            return None
    if page.get("has_more") is False:
        return None
    if "next_cursor" in page:
        return {**params, "since" if path == "/v1/stream/replay" else "cursor": page["next_cursor"]}
    if "next_after" in page:
        return {**params, "offset": None, "after": page["next_after"]}
    count, total = page.get("count", 0), page.get("total", 0)
    reached = int(as_text(params.get("offset") or 0)) + count
    return {**params, "offset": reached} if count > 0 and reached < total else None


class Rest:
    """timeout, longest_wait: seconds. attempts: maximum number per call. remember: number of replies."""

    def __init__(
        self, io: Io, base: str, key: str, *, timeout: float, attempts: int, longest_wait: float, remember: int
    ) -> None:
        self.io = io
        self.base = base
        self.headers = {"X-API-Key": key, "User-Agent": _USER_AGENT}
        self._timeout = timeout
        self._attempts = attempts
        self._longest_wait = longest_wait
        self._remember = remember
        # Entity tags and replies by address, most recently used last.
        self._replies: dict[str, tuple[str, bytes]] = {}
        # Several threads may use a client.
        self._lock = threading.Lock()
        # The furthest position that a service with read replicas has named. No later reply is older.
        self._position: str | None = None
        # Ids of seasons by tournament and label.
        self._seasons: dict[tuple[str, str], int] = {}

    async def call(
        self, method: str, path: str, params: Params, body: object = None, idempotency_key: str | None = None
    ) -> Any:
        """Returns the reply; None if it is empty. Raises ApiError and NoAnswer."""
        url = build_url(self.base, path, await self._with_season(path, params))
        headers = {**self.headers, "Accept": "application/json"}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body)
        if method == "POST":
            headers["Idempotency-Key"] = idempotency_key or random_name()
        attempt = 1
        while True:
            try:
                return await self._ask(method, url, headers, content)
            except (ApiError, NoAnswer) as error:
                wait = wait_before(attempt + 1, error)
                if attempt >= self._attempts or wait > self._longest_wait or not _is_transient(error, method):
                    raise
            attempt += 1
            await self.io.sleep(wait)

    async def _ask(self, method: str, url: str, headers: Mapping[str, str], content: str | None) -> Any:
        known = self._replies.get(url) if method == "GET" else None
        tags = {"If-None-Match": known[0]} if known is not None else {}
        position = {"Touchline-Position": self._position} if self._position is not None else {}
        deadline = time.monotonic() + self._timeout
        request = self.io.request(
            method, url, headers={**headers, **position, **tags}, content=content, timeout=httpx.Timeout(self._timeout)
        )
        try:
            response = await self.io.send(request)
            data = await read_all(self.io, response, deadline)
        except httpx.TimeoutException as error:
            raise NoAnswer(f"no answer within {self._timeout:g} seconds: {url}") from error
        except httpx.HTTPError as error:
            raise NoAnswer(f"{error or type(error).__name__}: {url}") from error
        self._take_position(response.headers.get("touchline-position"))
        if response.status_code == 304 and known is not None:
            return self._reply(url, *known)
        if not response.is_success:
            raise ApiError(response.status_code, response.headers, data)
        _warn_of_ignored(response.headers)
        if data == b"":
            return None
        return self._reply(url, response.headers.get("etag") if method == "GET" else None, data)

    def _take_position(self, sent: str | None) -> None:
        """Keeps the position, unless an earlier reply was further. Replies may arrive in any order."""
        if sent is None or (reached := _reached(sent)) is None:
            return
        with self._lock:
            if self._position is None or reached > (_reached(self._position) or (0, 0)):
                self._position = sent

    def _reply(self, url: str, tag: str | None, data: bytes) -> Any:
        with self._lock:
            self._replies.pop(url, None)
            if tag is not None and self._remember > 0:
                self._replies[url] = (tag, data)
                if len(self._replies) > self._remember:
                    del self._replies[next(iter(self._replies))]
        try:
            return json.loads(data)
        except ValueError as error:
            raise TouchlineError(f"The reply is not JSON: {url}") from error

    async def _with_season(self, path: str, params: Params) -> Params:
        """Replaces the label of a season, such as 2023/24, by the id of the season of that tournament."""
        label = params.get("season")
        if not isinstance(label, str):
            return params
        given = params.get("id") if path.startswith("/v1/tournament/") else params.get("tournament")
        tournament = "" if given is None else as_text(given)
        if tournament == "" or "," in tournament:
            raise ValueError(
                f"The season {label} is a label, which needs one tournament; or give the id of the season."
            )
        if (tournament, label) not in self._seasons:
            reply = await self.call("GET", "/v1/tournament/{id}/seasons", {"id": tournament})
            self._seasons[tournament, label] = _season_id(reply["seasons"], label, tournament)
        return {**params, "season": self._seasons[tournament, label]}


def _season_id(seasons: list[dict[str, Any]], label: str, tournament: str) -> int:
    found = [one["id"] for one in seasons if one["season_label"] == label]
    if len(found) == 1:
        return int(found[0])
    if found:
        raise ValueError(f"Several seasons of tournament {tournament} are called {label}: give one of the ids {found}.")
    labels = ", ".join(one["season_label"] for one in seasons)
    raise ValueError(f"Tournament {tournament} has no season {label}. It has: {labels or 'none'}.")


def _reached(position: str) -> tuple[int, int] | None:
    """Returns the timeline and the byte, which compare as positions do; None if the text is not a position."""
    found = re.fullmatch(r"([0-9]{1,10})-([0-9A-F]{1,14})", position)
    return None if found is None else (int(found[1]), int(found[2], 16))


def _warn_of_ignored(headers: httpx.Headers) -> None:
    ignored = headers.get("x-ignored-parameters")
    if ignored is not None:
        warnings.warn(
            f"The service has ignored parameters that it does not know: {ignored}. It may be older than this client.",
            stacklevel=2,
        )


def _is_transient(error: ApiError | NoAnswer, method: str) -> bool:
    """Only a GET is repeated if the first request may have arrived."""
    if isinstance(error, NoAnswer):
        return method == "GET"
    return error.status in _TRANSIENT and (method == "GET" or error.status not in _UNCERTAIN)


def wait_before(attempt: int, error: ApiError | NoAnswer) -> float:
    """Seconds. Spreads retries, so that clients with the same wait do not return at the same time."""
    longest: float = _FIRST_WAIT * 2 ** (attempt - 2)
    requested = (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0
    return max(requested, longest / 2) + random.random() * longest / 2
