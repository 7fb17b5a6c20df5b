"""Requests that a webhook receiver may trust, and others."""

import hashlib
import hmac
import json
import unittest

from touchline import WebhookError, verify_webhook, webhook_reply

SECRET = "whsec_dGVzdA"
NOW = 1_767_225_600
BODY = '{"id": "evt_1_1", "type": "match.goal", "data": {"text": "Гол! <b>"}}'.encode()


def headers(*secrets: str, body: bytes = BODY, at: int = NOW) -> dict[str, str]:
    signed = f"{at}.".encode() + body
    parts = [f"v1={hmac.new(one.encode(), signed, hashlib.sha256).hexdigest()}" for one in secrets]
    return {"X-Service-Timestamp": str(at), "X-Service-Signature": ",".join(parts)}


class Verification(unittest.TestCase):
    def verify(self, given: dict[str, str], body: bytes | str = BODY, secret: str | list[str] = SECRET):
        return verify_webhook(given, body, secret, now=NOW)

    def test_a_signed_request_gives_the_event(self) -> None:
        good = headers(SECRET)
        self.assertEqual(self.verify(good), json.loads(BODY))
        self.assertEqual(self.verify(good, BODY.decode())["id"], "evt_1_1")
        self.assertEqual(self.verify({name.lower(): value for name, value in good.items()})["id"], "evt_1_1")
        for at in (NOW - 300, NOW + 300):
            self.assertEqual(self.verify(headers(SECRET, at=at))["type"], "match.goal")

    def test_during_a_rotation_either_secret_will_do(self) -> None:
        self.verify(headers("whsec_other", SECRET))
        self.verify(headers(SECRET), secret=["whsec_new", SECRET])

    def test_other_requests_are_refused(self) -> None:
        good = headers(SECRET)
        for name, given in {
            "nothing": {},
            "another secret": headers("whsec_other"),
            "another body": headers(SECRET, body=b"{}"),
            "too old": headers(SECRET, at=NOW - 301),
            "too new": headers(SECRET, at=NOW + 301),
            "another time": {**good, "X-Service-Timestamp": str(NOW + 1)},
            "other digits": {**good, "X-Service-Timestamp": "١٢٣"},
            "no number": {**good, "X-Service-Timestamp": "1e9"},
            "other letters": {**good, "X-Service-Signature": "v1=" + "é" * 64},
            "a malformed signature": {**good, "X-Service-Signature": "v1=zz,,v1=,v2"},
            "upper case": {**good, "X-Service-Signature": good["X-Service-Signature"].upper()},
            "no signature": {"X-Service-Timestamp": str(NOW)},
        }.items():
            with self.subTest(name), self.assertRaises(WebhookError):
                self.verify(given)

    def test_the_timestamp_is_decimal_digits(self) -> None:
        for text in ("١٢٣", "1e9", "", "1" * 13):
            with self.assertRaisesRegex(WebhookError, "timestamp is missing"):
                self.verify({**headers(SECRET), "X-Service-Timestamp": text})

    def test_an_empty_secret_is_no_secret(self) -> None:
        for secret in ("", [], [SECRET, ""]):
            with self.assertRaises(ValueError) as caught:
                self.verify(headers(""), secret=secret)
            self.assertNotIsInstance(caught.exception, WebhookError)

    def test_only_a_challenge_is_repeated(self) -> None:
        body = b'{"id": "evt_0_1", "type": "webhook.challenge", "data": {"subscription_id": 1, "challenge": "Ab-1_9"}}'
        self.assertEqual(webhook_reply(self.verify(headers(SECRET, body=body), body)), "Ab-1_9")
        self.assertEqual(webhook_reply(self.verify(headers(SECRET))), "")


if __name__ == "__main__":
    unittest.main()
