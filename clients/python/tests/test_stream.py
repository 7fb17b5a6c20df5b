"""Streams: the format, gaps, positions, refusals and closing. Kills are tested with the service itself."""

import asyncio
import json
import threading
import time
import unittest
from unittest.mock import patch

from fake_service import Answer, FakeService, problem, reply
from touchline import ApiError, AsyncTouchline, StreamPosition, StreamState, Touchline
from touchline._sse import Gap, Parser, Position

KEY = "sk_live_x"
MATCH = {"home": {"name": "São Paulo"}, "away": {"name": "ЦСКА \u2028 \u0085"}}


def envelope(number: int) -> dict[str, object]:
    return {"id": f"evt_1_{number}", "type": "match.goal", "data": {"match": MATCH}}


def sse(*cursors: int) -> bytes:
    blocks = [
        f"id: {one}\nevent: match.goal\ndata: {json.dumps(envelope(one), ensure_ascii=False)}\n\n" for one in cursors
    ]
    return "".join(blocks).encode()


def stream(*parts: bytes) -> Answer:
    return Answer(200, b"".join(parts), {"Content-Type": "text/event-stream"})


def gap(from_: int, to: int, reason: str) -> bytes:
    return f'event: stream.gap\ndata: {{"from": {from_}, "to": {to}, "reason": "{reason}", "new": 1}}\n\n'.encode()


CONNECTED = b": connected cursor=4\nretry: 1000\nid: 4\n\n"
REFUSED = problem(401, "key_revoked")


class Format(unittest.TestCase):
    def test_pieces_of_any_size_give_the_same_signals(self) -> None:
        text = CONNECTED + sse(5, 6) + b": keep-alive\nid: 9\n\n" + gap(9, 99, "limit") + b"id:10\r\n\r\n"
        wanted = [
            Position(4),
            *({"cursor": one, **envelope(one)} for one in (5, 6)),
            Position(9),
            Gap(9, 99, "limit"),
            Position(10),
        ]
        for size in (1, 2, 3, 7, 64, len(text)):
            parser = Parser()
            pieces = [text[at : at + size] for at in range(0, len(text), size)]
            self.assertEqual([signal for piece in pieces for signal in parser.feed(piece)], wanted, size)

    def test_unreadable_blocks_are_errors_and_incomplete_ones_nothing(self) -> None:
        for text in (b"id: 5\ndata: {\n\n", b"id: x\n\n", b"id: 5\ndata: {}\n\n", b"event: stream.gap\ndata: {}\n\n"):
            with self.assertRaises((ValueError, KeyError, TypeError)):
                Parser().feed(text)
        with self.assertRaisesRegex(ValueError, "without an end"):
            Parser().feed(b"data: " + b"x" * 1_048_576)
        self.assertEqual(Parser().feed(sse(5)[:-1]), [])
        self.assertEqual(Parser().feed(b"event: new\ndata: 1\n\n:\n\n\n"), [])


class Memory:
    def __init__(self, position: StreamPosition | None = None) -> None:
        self.saved = [position] if position is not None else []

    def load(self) -> StreamPosition | None:
        return self.saved[-1] if self.saved else None

    def save(self, position: StreamPosition) -> None:
        self.saved.append(position)

    def cursors(self) -> list[int | None]:
        return [one.cursor for one in self.saved]


class Streams(unittest.TestCase):
    def open(self, *answers: Answer, **options: object):
        self.service = FakeService(*answers)
        self.addCleanup(self.service.__exit__)
        client = Touchline(key=KEY, base_url=self.service.url)
        self.addCleanup(client.close)
        waiting = patch("touchline._follower._RETRY_FIRST", 0.001)
        waiting.start()
        self.addCleanup(waiting.stop)
        self.states: list[StreamState] = []
        opened = client.stream(on_state=self.states.append, **options)
        self.addCleanup(opened.close)
        return opened

    def phases(self) -> list[str]:
        return [state.phase for state in self.states]

    def ids(self, stream) -> list[str]:
        """Follows the stream until the service refuses it."""
        found: list[str] = []
        with self.assertRaises(ApiError) as caught:
            for event in stream:
                found.append(event["id"])
        self.assertEqual(caught.exception.code, "key_revoked")
        return found

    def test_events_arrive_once_over_several_connections(self) -> None:
        memory = Memory()
        opened = self.open(
            stream(CONNECTED, sse(5, 6)[:-9]), stream(sse(5, 6, 7)), stream(sse(7), sse(8)), REFUSED, storage=memory
        )
        self.assertEqual(self.ids(opened), ["evt_1_5", "evt_1_6", "evt_1_7", "evt_1_8"])
        self.assertEqual(memory.cursors(), [4, 5, 6, 7, 8])
        # A connection that was live begins a new back-off.
        self.assertTrue(all(state.retry_in <= 0.001 for state in self.states))
        names = {one.target.split("client=")[1][:24] for one in self.service.asked}
        self.assertEqual(len(names), 1)
        self.assertNotIn("last_event_id", self.service.targets()[0])
        self.assertRegex(self.service.targets()[-1], "last_event_id=8$")
        self.assertEqual(
            self.phases(),
            [
                "connecting",
                "live",
                "waiting",
                "connecting",
                "live",
                "waiting",
                "connecting",
                "live",
                "waiting",
                "connecting",
                "closed",
            ],
        )

    def test_filters_are_lists_and_the_key_is_in_no_address(self) -> None:
        opened = self.open(REFUSED, sport="football", league=[7, 8], event_type=[], cursor=3)
        self.assertEqual(self.ids(opened), [])
        target, headers = self.service.asked[0].target, self.service.asked[0].headers
        self.assertRegex(target, r"^/v1/stream\?sport=football&league=7%2C8&client=[0-9a-f]{24}&last_event_id=3$")
        self.assertEqual((headers["x-api-key"], headers["accept-encoding"]), (KEY, "identity"))

    def test_a_delay_is_sent_to_the_stream_and_to_replay_and_excludes_on_sync(self) -> None:
        page = {"events": [], "next_cursor": 9, "has_more": False}
        opened = self.open(stream(CONNECTED, gap(4, 9, "limit")), reply(page), REFUSED, delay=60)
        self.assertEqual(self.ids(opened), [])
        for target in self.service.targets():
            self.assertIn("delay=60", target)
        self.assertIn("/v1/stream/replay?", self.service.targets()[1])
        with self.assertRaisesRegex(ValueError, "delay and on_sync"):
            self.open(REFUSED, delay=60, on_sync=lambda page: None)
        self.assertEqual(self.ids(self.open(REFUSED, delay=0, on_sync=None)), [])

    def test_an_event_counts_as_handled_when_the_next_one_is_asked_for(self) -> None:
        memory = Memory(StreamPosition(4))
        opened = self.open(stream(sse(5, 6, 7)), storage=memory)
        self.assertEqual(next(opened)["cursor"], 5)
        self.assertEqual(memory.cursors(), [4])
        next(opened)
        self.assertEqual((memory.cursors(), opened.cursor), ([4, 5], 5))
        opened.close()
        self.assertEqual(memory.cursors(), [4, 5])
        self.assertEqual(list(opened), [])
        opened.close()

    def test_a_with_block_that_ends_well_has_handled_its_last_event(self) -> None:
        memory = Memory(StreamPosition(4))
        with self.open(stream(sse(5, 6)), storage=memory) as opened:
            for event in opened:
                if event["cursor"] == 5:
                    break
        self.assertEqual(memory.cursors(), [4, 5])
        with self.assertRaises(ZeroDivisionError), self.open(stream(sse(6)), storage=memory) as opened:
            for _ in opened:
                raise ZeroDivisionError
        self.assertEqual(memory.cursors(), [4, 5])

    def test_an_error_of_the_storage_ends_the_loop_before_the_next_event(self) -> None:
        memory = Memory(StreamPosition(4))
        opened = self.open(stream(sse(5, 6)), storage=memory)
        next(opened)
        with (
            patch.object(memory, "save", side_effect=OSError("disk full")),
            self.assertRaisesRegex(OSError, "disk full"),
        ):
            next(opened)
        self.assertEqual(memory.cursors(), [4])
        with self.assertRaises(StopIteration):
            next(opened)

    def test_a_gap_is_paged_through_and_the_connection_abandoned(self) -> None:
        pages = [
            reply(
                {"events": [{"cursor": one, **envelope(one)} for one in (5, 6)], "next_cursor": 40, "has_more": True}
            ),
            Answer(502),
            stream(gap(40, 99, "limit"), sse(100)),
            reply({"events": [], "next_cursor": 60, "has_more": True}),
            reply({"events": [{"cursor": 99, **envelope(99)}], "next_cursor": 99, "has_more": False}),
            stream(sse(100)),
            REFUSED,
        ]
        memory = Memory(StreamPosition(4))
        opened = self.open(stream(gap(4, 99, "limit"), sse(100)), *pages, storage=memory)
        self.assertEqual(self.ids(opened), ["evt_1_5", "evt_1_6", "evt_1_99", "evt_1_100"])
        self.assertEqual(memory.cursors(), [4, 5, 6, 40, 60, 99, 100])
        self.assertEqual(
            [one for one in self.service.targets() if "replay" in one],
            [f"/v1/stream/replay?since={one}&limit=500" for one in (4, 40, 40, 60)],
        )

    def test_events_that_are_no_longer_stored_are_replaced_by_matches(self) -> None:
        def page(cursor: str, has_more: bool) -> Answer:
            return reply(
                {"events": [], "deleted": [], "next_cursor": cursor, "has_more": has_more, "stream_cursor": 90}
            )

        memory = Memory(StreamPosition(4, "s1"))
        pages: list[str] = []
        answers = (
            stream(gap(4, 90, "expired")),
            page("s2", True),
            Answer(503),
            stream(gap(4, 90, "expired")),
            page("s3", False),
            REFUSED,
        )
        opened = self.open(
            *answers, storage=memory, sport=["football"], on_sync=lambda one: pages.append(one["next_cursor"])
        )
        self.assertEqual(self.ids(opened), [])
        self.assertEqual(pages, ["s2", "s3"])
        # The cursor stays before the gap until the last page was handled.
        self.assertEqual(memory.saved[1:], [StreamPosition(4, "s2"), StreamPosition(90, "s3")])
        syncs = [one for one in self.service.targets() if "sync" in one]
        self.assertEqual(syncs, [f"/v1/sync?limit=500&sport=football&cursor={one}" for one in ("s1", "s2", "s2")])

    def test_a_cursor_that_replay_no_longer_has_is_such_a_gap(self) -> None:
        memory = Memory(StreamPosition(4))
        opened = self.open(stream(gap(4, 90, "limit")), problem(410, "cursor_expired"), REFUSED, storage=memory)
        self.assertEqual(self.ids(opened), [])
        self.assertEqual(memory.cursors(), [4, 90])
        self.assertIn(StreamState("skipped", "expired", from_=4, to=90), self.states)

    def test_after_a_restore_known_ids_are_new_events(self) -> None:
        opened = self.open(stream(sse(5)), stream(gap(5, 3, "ahead")), stream(sse(4), sse(5)), REFUSED)
        self.assertEqual(self.ids(opened), ["evt_1_5", "evt_1_4", "evt_1_5"])

    def test_without_a_position_on_sync_gets_all_matches_first(self) -> None:
        page = reply({"events": [{"id": 1}], "deleted": [], "next_cursor": "s1", "has_more": False, "stream_cursor": 4})
        memory = Memory()
        pages: list[object] = []
        opened = self.open(page, stream(sse(5)), REFUSED, storage=memory, on_sync=pages.append, league=[1, 2])
        self.assertEqual(self.ids(opened), ["evt_1_5"])
        self.assertEqual(memory.saved, [StreamPosition(4, "s1"), StreamPosition(5, "s1")])
        self.assertEqual(self.service.targets()[0], "/v1/sync?limit=500")
        self.assertEqual(len(pages), 1)

    def test_unreadable_events_and_other_errors_are_tried_again(self) -> None:
        answers = (Answer(lost=True), Answer(500), stream(b"id: 5\ndata: {\n\n"), Answer(429), stream(sse(5)), REFUSED)
        self.assertEqual(self.ids(self.open(*answers)), ["evt_1_5"])
        reasons = [state.reason for state in self.states if state.phase == "waiting"]
        self.assertEqual(len(reasons), 5)
        self.assertRegex(reasons[2], "unreadable")

    def test_a_synchronous_stream_refuses_an_asynchronous_callback(self) -> None:
        async def wait(_page: object) -> None:
            await asyncio.sleep(0)

        page = reply({"events": [], "deleted": [], "next_cursor": "s", "has_more": False, "stream_cursor": 4})
        with self.assertRaisesRegex(TypeError, "synchronous callbacks"):
            next(self.open(page, on_sync=wait))

    def test_another_thread_can_close_a_stream_while_an_event_is_handled(self) -> None:
        memory = Memory(StreamPosition(4))
        opened = self.open(stream(sse(5, 6, 7)), storage=memory)
        for event in opened:
            thread = threading.Thread(target=opened.close)
            thread.start()
            thread.join()
            self.assertEqual(event["cursor"], 5)
        self.assertEqual(memory.cursors(), [4, 5])
        self.assertEqual(self.phases()[-1], "closed")

    def test_another_thread_can_close_a_stream_that_reads_or_waits(self) -> None:
        for answer in (Answer(200, b"id: 4\n\n", {"Content-Length": "99"}), Answer(503, b"", {"Retry-After": "3600"})):
            opened = self.open(answer)
            ended = threading.Event()
            thread = threading.Thread(target=lambda opened=opened, ended=ended: (list(opened), ended.set()))
            thread.start()
            while not {"live", "waiting"} & set(self.phases()):
                time.sleep(0.01)
            opened.close()
            self.assertTrue(ended.wait(5))
            thread.join()
            self.assertEqual(self.phases()[-1], "closed")


class AsyncStreams(unittest.IsolatedAsyncioTestCase):
    async def test_storages_and_callbacks_may_be_asynchronous(self) -> None:
        saved: list[StreamPosition] = []

        class Database:
            async def load(self) -> StreamPosition | None:
                await asyncio.sleep(0)
                return None

            async def save(self, position: StreamPosition) -> None:
                await asyncio.sleep(0)
                saved.append(position)

        async def take(_page: object) -> None:
            await asyncio.sleep(0)

        page = reply({"events": [], "deleted": [], "next_cursor": "s", "has_more": False, "stream_cursor": 4})
        with FakeService(page, stream(sse(5, 6)), REFUSED) as service:
            async with AsyncTouchline(key=KEY, base_url=service.url) as client:
                found = []
                async with client.stream(storage=Database(), on_sync=take) as opened:
                    async for event in opened:
                        found.append(event["cursor"])
                        if len(found) == 2:
                            break
        self.assertEqual(found, [5, 6])
        self.assertEqual([one.cursor for one in saved], [4, 5, 6])

    async def test_another_task_can_close_or_cancel_it(self) -> None:
        with FakeService(Answer(200, b"id: 4\n\n", {"Content-Length": "99"})) as service:
            async with AsyncTouchline(key=KEY, base_url=service.url) as client:
                for end in ("aclose", "cancel"):
                    live = asyncio.Event()
                    opened = client.stream(
                        on_state=lambda state, live=live: live.set() if state.phase == "live" else None
                    )

                    async def follow(opened=opened) -> None:
                        async with opened:
                            async for _ in opened:
                                pass

                    task = asyncio.create_task(follow())
                    await asyncio.wait_for(live.wait(), 5)
                    if end == "aclose":
                        await opened.aclose()
                        await asyncio.wait_for(task, 5)
                    else:
                        task.cancel()
                        with self.assertRaises(asyncio.CancelledError):
                            await asyncio.wait_for(task, 5)


if __name__ == "__main__":
    unittest.main()
