"""Flat records and tables."""

import unittest

from touchline import flat, to_frame

try:
    import pandas
except ImportError:
    pandas = None


def match(number: int, score: int | None) -> dict[str, object]:
    sides = [
        {"participant_id": 1, "name": "A", "side": "home", "score": score},
        {"participant_id": 2, "name": "B", "side": "away", "score": 0},
    ]
    return {
        "id": number,
        "scheduled_start": "1872-11-30T14:00:00Z",
        "extra": {"season": "1872/73", "period_scores": [{"period": "1", "home": 1}]},
        "weather": None if score is None else {"temperature_c": 10.5},
        "participants": sides,
        "finalized": True,
    }


class Flat(unittest.TestCase):
    def test_objects_and_sides_become_columns(self) -> None:
        self.assertEqual(
            flat(match(5, 3)),
            {
                "id": 5,
                "scheduled_start": "1872-11-30T14:00:00Z",
                "extra_season": "1872/73",
                "extra_period_scores": [{"period": "1", "home": 1}],
                "weather_temperature_c": 10.5,
                "home_participant_id": 1,
                "home_name": "A",
                "home_score": 3,
                "away_participant_id": 2,
                "away_name": "B",
                "away_score": 0,
                "finalized": True,
            },
        )

    def test_no_value_is_lost_if_two_have_one_name(self) -> None:
        self.assertEqual(flat({"a": {"b": 1}, "a_b": 2}), {"a_b": 1, "a_b_": 2})
        self.assertEqual(
            flat({"x": [], "participants": [{"side": "home"}]}), {"x": [], "participants": [{"side": "home"}]}
        )


@unittest.skipIf(pandas is None, "pandas is not installed")
class Frame(unittest.TestCase):
    def test_columns_have_the_types_of_their_values(self) -> None:
        frame = to_frame(match(number, score) for number, score in ((1, 2), (2, None)))
        types = {name: str(type) for name, type in frame.dtypes.items()}
        self.assertEqual(types["id"], "int64")
        self.assertEqual(types["home_score"], "Int64")
        self.assertEqual(types["away_score"], "int64")
        self.assertEqual(types["finalized"], "bool")
        self.assertRegex(types["scheduled_start"], r"^datetime64\[\w+, UTC\]$")
        self.assertEqual(types["weather_temperature_c"], "float64")
        self.assertNotIn("weather", frame)
        self.assertEqual(frame.scheduled_start[0].year, 1872)
        self.assertTrue(frame.home_score.isna()[1])
        self.assertEqual(frame.home_score.sum(), 2)

    def test_ids_are_exact_and_an_empty_list_is_an_empty_table(self) -> None:
        frame = to_frame([{"id": 2**53 - 1}, {"id": None}, {}])
        self.assertEqual(frame.id[0], 2**53 - 1)
        self.assertEqual(len(to_frame([])), 0)

    def test_other_texts_stay_texts(self) -> None:
        frame = to_frame([{"a": "0001-01-01T00:00:00Z", "b": "2024-01-01"}, {"a": "x", "b": None}])
        self.assertEqual(frame.a[1], "x")
        self.assertEqual(frame.b[0], "2024-01-01")
        self.assertEqual(len(to_frame([{"a": "0001-01-01T00:00:00Z"}])), 1)


if __name__ == "__main__":
    unittest.main()
