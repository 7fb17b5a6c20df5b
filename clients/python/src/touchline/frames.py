"""Replies as flat records, for tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


def flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the record with one level: `extra_season` for the member `season` of `extra`, `home_name` and
    `away_score` for the sides of a match. Other lists stay lists."""
    row: dict[str, Any] = {}
    _flatten("", record, row)
    return row


def to_frame(records: Iterable[Mapping[str, Any]]) -> pandas.DataFrame:
    """Returns a pandas DataFrame with a row for each record, and columns as `flat` names them. Times are timestamps in
    UTC, and whole numbers stay whole if some are missing."""
    import pandas

    rows = [flat(record) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    shown = {name: _column(values) for name, values in columns.items() if _is_shown(name, columns)}
    frame: pandas.DataFrame = pandas.DataFrame(shown)
    return frame


def _flatten(prefix: str, value: Mapping[str, Any], row: dict[str, Any]) -> None:
    for name, one in value.items():
        column = prefix + name
        if isinstance(one, Mapping):
            _flatten(f"{column}_", one, row)
        elif sides := _sides(one):
            for side, participant in sides.items():
                _flatten(f"{prefix}{side}_", participant, row)
        else:
            # Two members may give the same name.
            while column in row:
                column += "_"
            row[column] = one


def _sides(value: object) -> dict[str, Mapping[str, Any]]:
    """Returns the participants of a match by their side; empty for any other value."""
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(one, Mapping) for one in value):
        return {}
    sides: dict[str, Mapping[str, Any]] = {}
    for one in value:
        if one.get("side") in ("home", "away") and "participant_id" in one:
            sides[one["side"]] = {name: member for name, member in one.items() if name != "side"}
    return sides if len(sides) == 2 else {}


def _is_shown(name: str, columns: Mapping[str, list[Any]]) -> bool:
    """A null in place of an object, such as unknown weather, gives no column beside those of the object's members."""
    is_object = any(other.startswith(f"{name}_") for other in columns)
    return not is_object or any(value is not None for value in columns[name])


def _column(values: list[Any]) -> Any:
    import pandas

    known = [value for value in values if value is not None]
    if known and all(type(value) is int for value in known):
        return pandas.array(values, dtype="int64" if len(known) == len(values) else "Int64")
    if known and all(type(value) is bool for value in known):
        return pandas.array(values, dtype="bool" if len(known) == len(values) else "boolean")
    if known and all(isinstance(value, str) and _TIME.fullmatch(value) for value in known):
        try:
            return pandas.to_datetime(pandas.Series(values), utc=True, format="ISO8601")
        except pandas.errors.OutOfBoundsDatetime:
            return values
    if any(isinstance(value, list) for value in known):
        return pandas.Series(values, dtype="object")
    return values
