"""Options that every client needs, checked before the first request, which would only report an invalid header."""

from __future__ import annotations

import os
import re

import httpx

# Anything else is a copying error: a line end, a quotation mark, an ellipsis.
_KEY = re.compile(r"[A-Za-z0-9_-]+")


def checked_url(url: str | None) -> str:
    """Returns the address with a slash at its end. Raises ValueError."""
    url = url if url is not None else os.environ.get("TOUCHLINE_URL", "")
    if url == "":
        raise ValueError(
            "base_url is missing: the address of the service, such as https://sports.example.com. "
            "The environment variable TOUCHLINE_URL may have it."
        )
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError):
        parsed = httpx.URL("")
    if parsed.scheme not in ("http", "https") or parsed.host == "":
        # The arguments may be swapped, so the message does not repeat a value that may be a key.
        raise ValueError("base_url is not an address that starts with http:// or https://.")
    return url if url.endswith("/") else f"{url}/"


def checked_key(key: str | None) -> str:
    """Raises ValueError, without the key in its message."""
    key = key if key is not None else os.environ.get("TOUCHLINE_KEY")
    if key is None:
        raise ValueError(
            "key is missing: an API key of the service. The environment variable TOUCHLINE_KEY may have it."
        )
    if _KEY.fullmatch(key) is None:
        raise ValueError("The API key is empty, or has characters that no key has, such as white space.")
    return key
