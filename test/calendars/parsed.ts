/** Parses a calendar as a calendar program does. */
import assert from 'node:assert/strict';
import ICAL from 'ical.js';

export interface Entry {
  uid: string;
  sequence: number;
  status: string;
  summary: string;
  description: string;
  location: string | null;
  url: string | null;
  /** The start as text. An all-day entry has no time. */
  start: string;
  end: string | null;
  stamp: string;
}

/** Checks the lines (RFC 5545, 3.1), then parses them. */
export function parseCalendar(text: string): { name: string; parts: string[]; entries: Entry[] } {
  assert.ok(text.endsWith('END:VCALENDAR\r\n'));
  for (const line of text.slice(0, -2).split('\r\n')) {
    assert.doesNotMatch(line, /[^\P{Cc}\t]/u, line);
    assert.ok(Buffer.byteLength(line) <= 75, line);
    assert.ok(line.isWellFormed(), line);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  const entries = calendar.getAllSubcomponents('vevent').map((event) => {
    const value = (name: string) => event.getFirstPropertyValue(name)?.toString() ?? null;
    return {
      uid: value('uid')!,
      sequence: Number(value('sequence')),
      status: value('status')!,
      summary: value('summary')!,
      description: value('description')!,
      location: value('location'),
      url: value('url'),
      start: value('dtstart')!,
      end: value('dtend'),
      stamp: value('dtstamp')!,
    };
  });
  const parts = calendar.getAllSubcomponents().map(({ name }) => name);
  return { name: String(calendar.getFirstPropertyValue('name')), parts, entries };
}
