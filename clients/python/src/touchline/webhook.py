"""For webhook receivers: verifies that a request comes from the service, and parses it."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict

from .errors import TouchlineError
from .models import AuditEvent, EventData, MatchEventType

# Maximum difference, in seconds, between a request's time and the receiver's clock.
_TOLERANCE = 300.0


class WebhookError(TouchlineError):
    """The request cannot be trusted: reply with 400."""


class MatchEvent(TypedDict):
    id: str
    type: MatchEventType
    data: EventData


class SubscriptionData(TypedDict):
    subscription_id: int
    sent_at: str


class ChallengeData(SubscriptionData):
    challenge: str


class NoticeData(SubscriptionData):
    """About another subscription of the account."""

    host: str
    description: str
    since: str | None
    failure: str | None


class DisabledData(NoticeData):
    reason: Literal["no_success", "gone"]
    cursor: int


class PingEvent(TypedDict):
    id: str
    type: Literal["webhook.ping", "webhook.test"]
    data: SubscriptionData


class ChallengeEvent(TypedDict):
    id: str
    type: Literal["webhook.challenge"]
    data: ChallengeData


class NoticeEvent(TypedDict):
    id: str
    type: Literal["webhook.failing", "webhook.recovered"]
    data: NoticeData


class DisabledEvent(TypedDict):
    id: str
    type: Literal["webhook.disabled"]
    data: DisabledData


class AccountEvent(TypedDict):
    id: str
    type: Literal["account.changed"]
    data: AuditEvent


# Compare `type` first: only events whose type begins with `match.` are about a match.
WebhookEvent = MatchEvent | PingEvent | ChallengeEvent | NoticeEvent | DisabledEvent | AccountEvent


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Sequence[str],
    *,
    tolerance: float = _TOLERANCE,
    now: float | None = None,
) -> WebhookEvent:
    """Returns the event. It may be delivered again: remember its `id`.

    headers: of any framework; the case of names does not matter.
    body: the bytes as received, before any parsing.
    secret: `whsec_…`; several during a rotation.
    tolerance: seconds. now: seconds since 1970.

    Raises WebhookError for a request that cannot be trusted, ValueError without a secret.
    """
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or "" in secrets:
        raise ValueError("The secret of the webhook is missing.")
    timestamp = _header(headers, "x-service-timestamp")
    if re.fullmatch(r"[0-9]{1,12}", timestamp) is None:
        raise WebhookError("the timestamp is missing")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance:
        raise WebhookError("the timestamp is too old or too new")
    data = body.encode() if isinstance(body, str) else bytes(body)
    signed = timestamp.encode() + b"." + data
    wanted = [hmac.new(one.encode(), signed, hashlib.sha256).hexdigest() for one in secrets]
    parts = [part.strip() for part in _header(headers, "x-service-signature").split(",")]
    given = [part[3:] for part in parts if re.fullmatch(r"v1=[0-9a-f]{64}", part)]
    if not any([hmac.compare_digest(one, digest) for one in given for digest in wanted]):
        raise WebhookError("no signature matches")
    event: WebhookEvent = json.loads(data)
    return event


def webhook_reply(event: WebhookEvent) -> str:
    """Returns the body of your reply 200: the challenge of a `webhook.challenge`, which confirms that you want events
    at this address; otherwise it is empty. event: a verified one."""
    return event["data"]["challenge"] if event["type"] == "webhook.challenge" else ""


def _header(headers: Mapping[str, str], name: str) -> str:
    for given, value in headers.items():
        if given.lower() == name:
            return str(value)
    return ""
