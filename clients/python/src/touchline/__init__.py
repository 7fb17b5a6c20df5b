"""The REST API, the stream and the webhooks of Touchline, a self-hosted sports data service."""

from ._follower import StreamState
from .client import AsyncTouchline, Touchline
from .errors import ApiError, NoAnswer, TouchlineError
from .frames import flat, to_frame
from .storage import AsyncStorage, FileStorage, Storage, StreamPosition
from .stream import AsyncStream, Stream
from .webhook import WebhookError, WebhookEvent, verify_webhook, webhook_reply

__all__ = [
    "ApiError",
    "AsyncStorage",
    "AsyncStream",
    "AsyncTouchline",
    "FileStorage",
    "NoAnswer",
    "Storage",
    "Stream",
    "StreamPosition",
    "StreamState",
    "Touchline",
    "TouchlineError",
    "WebhookError",
    "WebhookEvent",
    "flat",
    "to_frame",
    "verify_webhook",
    "webhook_reply",
]
