"""Prints what the package icalendar reads in the calendar on standard input."""
import json
import sys

from icalendar import Calendar, Event

calendar = Calendar.from_ical(sys.stdin.buffer.read())
events = calendar.walk("VEVENT")
for part in [calendar, *events]:
    assert part.errors == [], part.errors


def text(event, name):
    return str(event[name]) if name in event else None


def name_of(calendar):
    """The package does not know that NAME (RFC 7986) is a text, and leaves it escaped: it is read like a SUMMARY."""
    return str(Event.from_ical(f"BEGIN:VEVENT\r\nSUMMARY:{calendar['NAME']}\r\nEND:VEVENT\r\n")["SUMMARY"])


def moment(event, name):
    """A day, or a time in UTC: a time without a zone would have no offset."""
    if name not in event:
        return None
    value = event.decoded(name).isoformat()
    return value.replace("+00:00", "Z")


print(
    json.dumps(
        {
            "name": name_of(calendar),
            "parts": [part.name.lower() for part in calendar.subcomponents],
            "entries": [
                {
                    "uid": text(event, "UID"),
                    "sequence": int(event["SEQUENCE"]),
                    "status": text(event, "STATUS"),
                    "summary": text(event, "SUMMARY"),
                    "description": text(event, "DESCRIPTION"),
                    "location": text(event, "LOCATION"),
                    "url": text(event, "URL"),
                    "start": moment(event, "DTSTART"),
                    "end": moment(event, "DTEND"),
                    "stamp": moment(event, "DTSTAMP"),
                }
                for event in events
            ],
        }
    )
)
