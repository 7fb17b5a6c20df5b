"""What goes wrong with requests."""

from __future__ import annotations

import json
import time
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from .models import Problem

# Maximum number of characters of a proxy's text.
_TEXT_SHOWN = 300


class TouchlineError(Exception):
    """All errors of this package, except for wrong arguments (ValueError, TypeError)."""


class NoAnswer(TouchlineError):
    """The service could not be reached, did not answer in time, or its reply was not complete."""


class ApiError(TouchlineError):
    """The service refused a request: a status of 300 and above.

    type, title, code, detail: members of the reply, `application/problem+json`; None if a proxy answered.
    problem: the whole reply.
    retry_after: seconds, from `Retry-After`.
    request_id: include it if you ask for support.
    """

    def __init__(self, status: int, headers: httpx.Headers, body: bytes) -> None:
        text = body.decode("utf-8", "replace")
        problem = _problem(text)
        if problem is not None:
            shown = f"{problem['code']}: {problem.get('detail', '')}"
        elif "location" in headers:
            shown = f"the service is at another address: {headers['location']}"
        else:
            shown = text[:_TEXT_SHOWN]
        super().__init__(f"{status} {shown}")
        self.status = status
        self.problem: Problem | None = problem
        self.type: str | None = problem.get("type") if problem else None
        self.title: str | None = problem.get("title") if problem else None
        self.code: str | None = problem.get("code") if problem else None
        self.detail: str | None = problem.get("detail") if problem else None
        self.retry_after = _retry_after(headers.get("retry-after"))
        self.request_id: str | None = headers.get("x-request-id")


def _problem(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) and isinstance(value.get("code"), str) else None


def _retry_after(header: str | None) -> float | None:
    """Seconds; the header has them, or a date."""
    if header is None:
        return None
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
