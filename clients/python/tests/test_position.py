"""The file of a position, and the waits between attempts."""

import tempfile
import unittest
from pathlib import Path

from touchline import ApiError, FileStorage, StreamPosition
from touchline._connection import Ended
from touchline._follower import back_off


class Waits(unittest.TestCase):
    def test_back_off_doubles_is_spread_and_respects_retry_after(self) -> None:
        lost = Ended("lost")
        busy = Ended("busy", ApiError(429, {}, b""))
        for attempts, longest in ((1, 1), (2, 2), (3, 4), (5, 5), (5_000, 5)):
            waits = [back_off(lost, attempts) for _ in range(200)]
            self.assertTrue(longest / 2 <= min(waits) and max(waits) <= longest)
            self.assertTrue(max(waits) - min(waits) > longest / 4)
        self.assertTrue(15 <= back_off(busy, 50) <= 30)
        self.assertTrue(0.5 <= back_off(None, 1) <= 1)
        for seconds, wanted in (("20", 20), ("999999999", 3_600)):
            asked = Ended("busy", ApiError(429, {"retry-after": seconds}, b""))
            self.assertTrue(wanted <= back_off(asked, 1) <= wanted + 0.5)


class Files(unittest.TestCase):
    def test_a_file_keeps_the_position_and_refuses_other_contents(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "position.json"
            storage = FileStorage(path)
            self.assertIsNone(storage.load())
            for position in (StreamPosition(7), StreamPosition(None, "s1")):
                storage.save(position)
                self.assertEqual(storage.load(), position)
            self.assertEqual([one.name for one in Path(folder).iterdir()], ["position.json"])
            for text in (
                "",
                "7",
                "{}",
                '{"cursor": "7", "sync_cursor": null}',
                '{"cursor": -1, "sync_cursor": null}',
                '{"cursor": 1, "sync_cursor": 2}',
            ):
                path.write_text(text)
                with self.assertRaisesRegex(ValueError, r"position\.json does not have the position"):
                    storage.load()


if __name__ == "__main__":
    unittest.main()
