"""Requests: addresses, retries, problems, pages, entity tags, labels of seasons."""

import asyncio
import threading
import unittest
import warnings
from datetime import date, datetime, timedelta, timezone
from unittest.mock import patch

from fake_service import Answer, FakeService, problem, reply
from touchline import ApiError, AsyncTouchline, NoAnswer, Touchline, TouchlineError

KEY = "sk_live_x"
SEASONS = reply({"seasons": [{"id": 31, "season_label": "2022/23"}, {"id": 32, "season_label": "2023/24"}]})
LOST = Answer(lost=True)


class Options(unittest.TestCase):
    def test_a_missing_or_wrong_address_is_named_at_once(self) -> None:
        with patch.dict("os.environ", clear=True):
            with self.assertRaisesRegex(ValueError, "base_url is missing"):
                Touchline(key=KEY)
            with self.assertRaisesRegex(ValueError, "key is missing"):
                Touchline(base_url="http://127.0.0.1")
        for wrong in ("sports.example.com", "ftp://sports.example.com", "http://", "//x"):
            with self.assertRaisesRegex(ValueError, "http://"):
                AsyncTouchline(key=KEY, base_url=wrong)

    def test_a_key_with_other_characters_is_refused_and_not_in_the_message(self) -> None:
        for wrong in ("", "sk_live_x\n", " sk_live_x", "“sk_live_x”", "sk_live_…"):
            with self.assertRaises(ValueError) as caught:
                Touchline(key=wrong, base_url="http://127.0.0.1")
            self.assertNotIn("sk_live", str(caught.exception))

    def test_swapped_arguments_do_not_print_the_key(self) -> None:
        with self.assertRaises(ValueError) as raised:
            Touchline("http://127.0.0.1", base_url=KEY)
        self.assertNotIn(KEY, str(raised.exception))

    def test_the_environment_has_the_defaults(self) -> None:
        with (
            FakeService(reply({"sports": []})) as service,
            patch.dict("os.environ", TOUCHLINE_URL=service.url, TOUCHLINE_KEY=KEY),
            Touchline() as client,
        ):
            client.sports()
            self.assertEqual(service.asked[0].headers["x-api-key"], KEY)


class Requests(unittest.TestCase):
    def ask(self, *answers: Answer, **options: object) -> tuple[FakeService, Touchline]:
        service = FakeService(*answers)
        self.addCleanup(service.__exit__)
        client = Touchline(key=KEY, base_url=service.url, **options)
        self.addCleanup(client.close)
        # Waits are recorded instead of waited for.
        self.waits: list[float] = []
        sleeping = patch("touchline._io.time.sleep", self.waits.append)
        sleeping.start()
        self.addCleanup(sleeping.stop)
        return service, client

    def test_values_are_written_as_the_service_reads_them(self) -> None:
        service, client = self.ask(reply({"events": []}))
        zone = timezone(timedelta(hours=2))
        client.events(
            ids=[1, 2],
            top=True,
            date=date(2024, 5, 1),
            from_=datetime(2024, 5, 1, 1, 30, tzinfo=zone),
            country="GB-ENG",
            round="a & b",
        )
        self.assertEqual(
            service.targets(),
            [
                "/v1/events?ids=1%2C2&date=2024-05-01&top=true&round=a+%26+b&country=GB-ENG"
                "&from=2024-04-30T23%3A30%3A00Z"
            ],
        )
        with self.assertRaisesRegex(ValueError, "no time zone"):
            client.events(from_=datetime(2024, 5, 1))

    def test_a_parameter_of_the_path_cannot_change_the_path(self) -> None:
        service, client = self.ask(reply({}))
        client.account_webhook_delivery(1, "../../x?y#z")
        self.assertEqual(service.targets(), ["/v1/account/webhooks/1/deliveries/..%2F..%2Fx%3Fy%23z"])
        for wrong in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "needs a value for delivery_id"):
                client.account_webhook_delivery(1, wrong)

    def test_an_address_with_a_path_keeps_it(self) -> None:
        service = self.ask(reply({}))[0]
        with Touchline(key=KEY, base_url=f"{service.url}/api") as client:
            client.event(7)
        self.assertEqual(service.targets(), ["/api/v1/event/7"])

    def test_a_write_has_a_body_and_one_idempotency_key_for_all_attempts(self) -> None:
        service, client = self.ask(problem(503, "unavailable"), reply({"id": 1}))
        client.post_account_webhooks(body={"url": "https://fans.example/hook"})
        first, second = service.asked
        self.assertEqual(first.body, '{"url": "https://fans.example/hook"}')
        self.assertEqual(first.headers["content-type"], "application/json")
        self.assertRegex(first.headers["idempotency-key"], r"^[0-9a-f]{24}$")
        self.assertEqual(first.headers["idempotency-key"], second.headers["idempotency-key"])
        client.post_account_webhooks(body={"url": "https://fans.example/hook"}, idempotency_key="mine")
        self.assertEqual(service.asked[2].headers["idempotency-key"], "mine")

    def test_a_deletion_has_no_reply(self) -> None:
        service, client = self.ask(Answer(204))
        client.delete_account_webhook(3)
        self.assertEqual((service.asked[0].method, service.asked[0].target), ("DELETE", "/v1/account/webhooks/3"))

    def test_an_error_has_the_problem(self) -> None:
        client = self.ask(problem(404, "not_found", X_Request_Id="r1"))[1]
        with self.assertRaisesRegex(ApiError, "^404 not_found: why$") as caught:
            client.event(1)
        error = caught.exception
        self.assertIsInstance(error, TouchlineError)
        self.assertEqual((error.status, error.type, error.title), (404, "/docs/errors#not_found", "not_found"))
        self.assertEqual((error.code, error.detail, error.request_id), ("not_found", "why", "r1"))

    def test_an_error_of_a_proxy_has_its_status_and_text(self) -> None:
        for body in (b"<h1>Forbidden</h1>", b"[1]", b'{"code": 1}', b"\xff"):
            client = self.ask(Answer(403, body))[1]
            with self.assertRaisesRegex(ApiError, "^403 ") as caught:
                client.sports()
            self.assertEqual((caught.exception.code, caught.exception.problem), (None, None))
        client = self.ask(Answer(301, b"", {"Location": "https://sports.example.com/v1/sports"}))[1]
        with self.assertRaisesRegex(ApiError, "at another address: https://sports.example.com"):
            client.sports()

    def test_the_client_waits_for_limits_and_restarts_as_retry_after_demands(self) -> None:
        service, client = self.ask(
            problem(429, "rate_limited", Retry_After="7"), problem(503, "unavailable"), reply({"sports": []})
        )
        client.sports()
        self.assertEqual(len(service.asked), 3)
        self.assertTrue(7 <= self.waits[0] <= 7.25 and 0.5 <= self.waits[1] <= 1, self.waits)

    def test_the_client_does_not_wait_for_a_quota_of_hours_or_other_errors(self) -> None:
        for answer in (problem(429, "quota_exceeded", Retry_After="3600"), problem(422, "invalid_parameter")):
            service, client = self.ask(answer)
            with self.assertRaises(ApiError):
                client.sports()
            self.assertEqual((len(service.asked), self.waits), (1, []))
        service, client = self.ask(problem(503, "unavailable"), attempts=2)
        with self.assertRaises(ApiError):
            client.sports()
        self.assertEqual(len(service.asked), 2)

    def test_a_lost_answer_repeats_reads_only(self) -> None:
        for answers in ((LOST, reply({"id": 1})), (Answer(504), reply({"id": 1}))):
            service, client = self.ask(*answers)
            client.event(1)
            self.assertEqual(len(service.asked), 2)
            service, client = self.ask(*answers)
            with self.assertRaises((NoAnswer, ApiError)):
                client.post_account_webhook_test(1)
            self.assertEqual(len(service.asked), 1)

    def test_a_service_that_is_silent_or_away_is_no_answer(self) -> None:
        silence = threading.Event()
        self.addCleanup(silence.set)
        client = self.ask(Answer(before=lambda: silence.wait(10)), timeout=0.05, attempts=1)[1]
        with self.assertRaisesRegex(NoAnswer, r"no answer within 0\.05 seconds"):
            client.sports()
        slow = reply({"sports": ["x" * 60]})._replace(pause=0.02)
        client = self.ask(slow, timeout=0.2, attempts=1)[1]
        with self.assertRaisesRegex(NoAnswer, r"no answer within 0\.2 seconds"):
            client.sports()
        with FakeService(reply({})) as gone:
            pass
        with Touchline(key=KEY, base_url=gone.url, attempts=1) as client, self.assertRaises(NoAnswer):
            client.sports()
        client = self.ask(Answer(200, b"<html>"))[1]
        with self.assertRaisesRegex(TouchlineError, "not JSON"):
            client.sports()

    def test_unknown_members_are_kept(self) -> None:
        client = self.ask(reply({"sports": [{"id": 1, "slug": "new", "colour": "red"}], "more": {"x": [1]}}))[1]
        self.assertEqual(client.sports(), {"sports": [{"id": 1, "slug": "new", "colour": "red"}], "more": {"x": [1]}})

    def test_ignored_parameters_cause_a_warning(self) -> None:
        client = self.ask(reply({"events": []}, X_Ignored_Parameters="country"))[1]
        with self.assertWarnsRegex(UserWarning, "country"):
            client.events(country="GB-ENG")

    def test_a_remembered_reply_is_revalidated_and_cannot_be_changed_by_a_caller(self) -> None:
        answer = reply({"sports": [1]}, ETag='"a"')
        service, client = self.ask(answer, Answer(304), Answer(304), remember=1)
        first = client.sports()
        first["sports"].clear()
        self.assertEqual(client.sports(), {"sports": [1]})
        self.assertEqual(client.sports(), {"sports": [1]})
        self.assertEqual([one.headers.get("if-none-match") for one in service.asked], [None, '"a"', '"a"'])
        service, client = self.ask(answer)
        client.sports()
        client.sports()
        self.assertNotIn("if-none-match", service.asked[1].headers)

    def test_the_furthest_position_is_sent_and_none_before(self) -> None:
        positions = ["1-FF", "1-A0", "nonsense", "1-100", "2-1", "1-FFF"]
        service, client = self.ask(*(reply({}, **{"Touchline-Position": one}) for one in positions), reply({}))
        for _ in range(7):
            client.sports()
        sent = [asked.headers.get("touchline-position") for asked in service.asked]
        self.assertEqual(sent, [None, "1-FF", "1-FF", "1-FF", "1-100", "2-1", "2-1"])

    def test_the_label_of_a_season_is_resolved_once(self) -> None:
        service, client = self.ask(SEASONS, reply({"events": []}))
        client.events(tournament=7, season="2023/24")
        client.events(tournament=[7], season="2023/24")
        client.tournament_standings(7, season="2023/24")
        self.assertEqual(
            service.targets(),
            [
                "/v1/tournament/7/seasons",
                "/v1/events?tournament=7&season=32",
                "/v1/events?tournament=7&season=32",
                "/v1/tournament/7/standings?season=32",
            ],
        )
        client.events(season=31)
        self.assertEqual(service.targets()[-1], "/v1/events?season=31")

    def test_a_label_that_names_no_season_is_an_error_with_the_labels(self) -> None:
        client = self.ask(SEASONS)[1]
        with self.assertRaisesRegex(ValueError, r"has no season 1888/89\. It has: 2022/23, 2023/24"):
            client.events(tournament=7, season="1888/89")
        for tournament in (None, [7, 8]):
            with self.assertRaisesRegex(ValueError, "needs one tournament"):
                client.events(tournament=tournament, season="2023/24")
        client = self.ask(reply({"seasons": [{"id": 1, "season_label": "2024"}, {"id": 2, "season_label": "2024"}]}))[1]
        with self.assertRaisesRegex(ValueError, r"one of the ids \[1, 2\]"):
            client.events(tournament=7, season="2024")

    def test_pages_follow_each_kind_of_cursor_to_the_end(self) -> None:
        service, client = self.ask(
            reply({"events": [{"id": 1}], "next_after": "a"}), reply({"events": [{"id": 2}], "next_after": None})
        )
        self.assertEqual([one["id"] for one in client.events_all(offset=3)], [1, 2])
        self.assertEqual(service.targets(), ["/v1/events?offset=3", "/v1/events?after=a"])
        page = {"count": 2, "total": 5, "tournaments": [{"id": 1}, {"id": 2}]}
        service, client = self.ask(reply(page), reply(page), reply({**page, "count": 1, "tournaments": [{"id": 3}]}))
        self.assertEqual(len(list(client.tournaments_all())), 5)
        self.assertEqual(service.targets(), ["/v1/tournaments", "/v1/tournaments?offset=2", "/v1/tournaments?offset=4"])
        client = self.ask(reply({"count": 1, "total": 4, "tournaments": [{}]}))[1]
        self.assertEqual(len(list(client.tournaments_all(offset=2))), 2)
        service, client = self.ask(
            reply({"events": [], "next_cursor": 8, "has_more": True}),
            reply({"events": [], "next_cursor": 9, "has_more": False}),
        )
        self.assertEqual(len(list(client.stream_replay_pages(since=1))), 2)
        self.assertEqual(service.targets(), ["/v1/stream/replay?since=1", "/v1/stream/replay?since=8"])
        service, client = self.ask(reply({"entries": [], "next_cursor": None}))
        self.assertEqual(list(client.account_audit_all()), [])
        self.assertEqual(len(service.asked), 1)

    def test_no_warning_is_left_over(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.ask(reply({"sports": []}))[1].sports()


class AsyncRequests(unittest.IsolatedAsyncioTestCase):
    async def test_the_asynchronous_client_retries_pages_and_raises(self) -> None:
        answers = (
            problem(503, "unavailable"),
            reply({"events": [{"id": 1}], "next_after": "a"}),
            reply({"events": [{"id": 2}], "next_after": None}),
            problem(404, "not_found"),
        )
        with FakeService(*answers) as service, patch("touchline._io.asyncio.sleep", self.sleep):
            async with AsyncTouchline(key=KEY, base_url=service.url) as client:
                self.assertEqual([one["id"] async for one in client.events_all()], [1, 2])
                with self.assertRaises(ApiError):
                    await client.event(1)
        self.assertEqual(len(service.asked), 4)

    async def test_requests_run_at_the_same_time(self) -> None:
        both = threading.Barrier(2)
        with FakeService(reply({})._replace(before=lambda: both.wait(5))) as service:
            async with AsyncTouchline(key=KEY, base_url=service.url) as client:
                await asyncio.gather(client.event(1), client.event(2))
        self.assertFalse(both.broken)

    async def sleep(self, _seconds: float) -> None:
        pass


if __name__ == "__main__":
    unittest.main()
