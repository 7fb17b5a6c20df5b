/**
 * Writes matches as iCalendar (RFC 5545). A calendar program replaces its stored entry if it reads one with the same UID and a higher
 * SEQUENCE. A match that no longer takes place has to be written as cancelled; leaving out the entry is not enough.
 */
import ICAL from 'ical.js';
import type { Lang } from '../http/index.ts';
import type { CalendarMatch, FormerFixture } from '../matches/index.ts';
import { roundText, TEXTS } from '../site/texts/index.ts';
import { findSport } from '../sports/sports.ts';
import { nameOf, scoreText, shootOut, shootOutText, sideOf, statusText } from '../web/index.ts';
import type { MatchItem, ShownStatusDetail } from '../wire/match.ts';

/**
 * The library folds a line before this many bytes, and begins the next line with a space, so that no line has more than 75 bytes (RFC 5545,
 * 3.1).
 */
ICAL.foldLength = 74;
/**
 * Properties for the calendar's name (RFC 7986, 5.1, and its forerunner). They are declared as text here, because the library would not
 * escape them otherwise.
 */
const NAMES = ['name', 'x-wr-calname'] as const;
for (const property of NAMES) ICAL.design.icalendar.property[property] = { defaultType: 'text' };

/** How long calendar programs should wait before they look for changes. */
const REFRESH_SECONDS = 3_600;
const REFRESH = 'PT1H';
const STANDARD_MINUTES = 120;

type Status = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

/** A calendar entry. The members are named after RFC 5545. */
interface Entry {
  uid: string;
  sequence: number;
  /** YYYY-MM-DDTHH:MM:SSZ */
  start: string;
  /** True if the match's day is known, but not the time. */
  allDay: boolean;
  minutes: number;
  /** YYYY-MM-DDTHH:MM:SSZ */
  changed: string;
  status: Status;
  summary: string;
  description: string;
  location: string | null;
  url: string | null;
}

export interface CalendarSource {
  name: string;
  lang: Lang;
  /** The service's public address, for links to matches. */
  baseUrl: string;
  matches: readonly CalendarMatch[];
  former: readonly FormerFixture[];
}

export function calendarText({ name, lang, baseUrl, matches, former }: CalendarSource): string {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Touchline//Calendars//EN');
  for (const property of NAMES) calendar.addPropertyWithValue(property, plain(name));
  calendar.addPropertyWithValue('refresh-interval', ICAL.Duration.fromSeconds(REFRESH_SECONDS));
  calendar.addPropertyWithValue('x-published-ttl', REFRESH);
  const known = new Set(matches.map(({ id }) => id));
  const entries = [
    ...matches.map((match) => matchEntry(match, lang, baseUrl)),
    // A match that was deleted between the two queries is in both lists.
    ...former.filter(({ id }) => !known.has(id)).map((fixture) => formerEntry(fixture, lang)),
  ];
  for (const entry of entries) calendar.addSubcomponent(toEvent(entry));
  // A calendar has at least one component (RFC 5545, 3.6).
  if (entries.length === 0) calendar.addSubcomponent(utc());
  return `${calendar.toString()}\r\n`;
}

/** Removes control characters, which a text may not contain, except line breaks and tabs (RFC 5545, 3.3.11). */
const plain = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '');

function toEvent(entry: Entry): ICAL.Component {
  const event = new ICAL.Component('vevent');
  const start = ICAL.Time.fromJSDate(new Date(entry.start), true);
  const changed = ICAL.Time.fromJSDate(new Date(entry.changed), true);
  event.addPropertyWithValue('uid', entry.uid);
  event.addPropertyWithValue('sequence', entry.sequence);
  // In a calendar without METHOD, DTSTAMP is when the entry was last revised (3.8.7.2). Therefore, the text of a calendar stays the same
  // until it changes.
  event.addPropertyWithValue('dtstamp', changed);
  event.addPropertyWithValue('last-modified', changed);
  if (entry.allDay) event.addPropertyWithValue('dtstart', ICAL.Time.fromDateString(entry.start.slice(0, 10)));
  else {
    const end = start.clone();
    end.addDuration(ICAL.Duration.fromSeconds(entry.minutes * 60));
    event.addPropertyWithValue('dtstart', start);
    event.addPropertyWithValue('dtend', end);
  }
  event.addPropertyWithValue('status', entry.status);
  // TRANSPARENT means that the reader still counts as free during the match.
  event.addPropertyWithValue('transp', 'TRANSPARENT');
  event.addPropertyWithValue('summary', plain(entry.summary));
  event.addPropertyWithValue('description', plain(entry.description));
  if (entry.location !== null) event.addPropertyWithValue('location', plain(entry.location));
  if (entry.url !== null) event.addPropertyWithValue('url', entry.url);
  return event;
}

function utc(): ICAL.Component {
  const zone = new ICAL.Component('vtimezone');
  zone.addPropertyWithValue('tzid', 'Etc/UTC');
  const standard = new ICAL.Component('standard');
  standard.addPropertyWithValue('dtstart', ICAL.Time.fromDateTimeString('1970-01-01T00:00:00'));
  for (const offset of ['tzoffsetfrom', 'tzoffsetto'])
    standard.addPropertyWithValue(offset, ICAL.UtcOffset.fromSeconds(0));
  zone.addSubcomponent(standard);
  return zone;
}

const entryId = ({ id, installation }: { id: number; installation: string }) => `match-${id}@${installation}`;
const usualMinutes = (sport: string): number => findSport(sport)?.usualMinutes ?? STANDARD_MINUTES;

function matchEntry(match: CalendarMatch, lang: Lang, baseUrl: string): Entry {
  const { item } = match;
  const url = `${baseUrl}/match/${match.id}`;
  const tournament = nameOf({ name: item.tournament, name_ru: match.tournament_name_ru }, lang);
  const round = item.round_name ?? item.extra.round;
  return {
    uid: entryId(match),
    sequence: match.schedule_changes,
    start: item.scheduled_start,
    allDay: item.time_tbd,
    minutes: usualMinutes(item.sport),
    changed: item.updated_at,
    status: CALENDAR_STATUS[item.status_detail] ?? 'CONFIRMED',
    summary: summarize(item, lang),
    description: `${[`${tournament} ${item.extra.season}`, round && roundText(round, lang)].filter(Boolean).join(', ')}\n${url}`,
    location: item.venue,
    url,
  };
}

const CALENDAR_STATUS: Partial<Record<ShownStatusDetail, Status>> = { cancelled: 'CANCELLED', postponed: 'TENTATIVE' };
/** Status details that the score does not show. */
const NOTED: ReadonlySet<ShownStatusDetail> = new Set([
  'delayed',
  'postponed',
  'suspended',
  'interrupted',
  'after_extra_time',
  'awarded',
  'walkover',
  'retired',
  'abandoned',
  'cancelled',
]);
const WITHOUT_SCORE: ReadonlySet<ShownStatusDetail> = new Set(['abandoned', 'cancelled']);

/** Returns `Home – Away`, or `Home 2–1 Away` after the match. A shoot-out or an unusual status follows in brackets. */
function summarize(item: MatchItem, lang: Lang): string {
  const [home, away] = [sideOf(item, 'home'), sideOf(item, 'away')];
  const isOver = item.status === 'finished' && !WITHOUT_SCORE.has(item.status_detail);
  const hasScore = isOver && home.score !== null && away.score !== null;
  const middle = hasScore ? `${scoreText(item, 'home', lang)}–${scoreText(item, 'away', lang)}` : '–';
  const kicks = isOver ? shootOut(item) : undefined;
  const noted = NOTED.has(item.status_detail) ? statusText(item, lang) : null;
  const note = kicks ? `${kicks.home}–${kicks.away} ${shootOutText(item.sport, lang)}` : noted;
  const played = `${nameOf(home, lang)} ${middle} ${nameOf(away, lang)}`;
  return note === null ? played : `${played} (${note})`;
}

function formerEntry(fixture: FormerFixture, lang: Lang): Entry {
  const home = nameOf({ name: fixture.home, name_ru: fixture.home_ru }, lang);
  const away = nameOf({ name: fixture.away, name_ru: fixture.away_ru }, lang);
  return {
    uid: entryId(fixture),
    sequence: fixture.schedule_changes,
    start: fixture.scheduled_start,
    allDay: fixture.time_tbd,
    minutes: usualMinutes(fixture.sport),
    changed: fixture.left_at,
    status: 'CANCELLED',
    summary: `${home} – ${away} (${TEXTS[lang].calendars.cancelled})`,
    description: nameOf({ name: fixture.tournament, name_ru: fixture.tournament_ru }, lang),
    location: null,
    url: null,
  };
}
