/** Selects the events that fans are notified of, and writes the notifications. */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { LogRecord } from '../events/index.ts';
import type { Lang } from '../http/index.ts';
import { eventText } from '../site/event-text.ts';
import { findSport } from '../sports/sports.ts';
import { shownCard } from '../wire/card-counts.ts';
import type { EnvelopeData, envelope } from '../wire/envelope.ts';
import type { MatchEventType } from '../wire/event-types.ts';

type Envelope = Pick<z.infer<typeof envelope>, 'type' | 'data'>;

/** Bytes of a topic before base64url. RFC 8030 allows 32 characters. */
const TOPIC_BYTES = 24;

/** The payload for the service worker (service-worker.js). */
export interface Notification {
  title: string;
  body: string;
  /** A notification with the same tag is replaced. */
  tag: string;
  /** Whether a replacement makes a sound again. */
  renotify: boolean;
  /** The match's page, relative to the service's root. */
  path: string;
  lang: Lang;
}

/** One event that some fans are notified of. */
export interface News {
  cursor: number;
  /** When the event was committed, in ms since 1970. */
  at: number;
  /** The sides' ids. */
  sides: readonly [number, number];
  texts: Readonly<Record<Lang, Notification>>;
  /** The header `Topic`. A push service replaces an undelivered message with the same topic. */
  topic: string;
}

/** Events that a fan of every sport is notified of. */
const ALWAYS: ReadonlySet<string> = new Set<MatchEventType>([
  'match.started',
  'match.finished',
  'match.postponed',
  'match.rescheduled',
  'match.cancelled',
  'match.abandoned',
  'match.suspended',
  'match.resumed',
]);

/** Events that depend on the sport, and on the incident. */
const BY_SPORT: ReadonlySet<string> = new Set<MatchEventType>([
  'match.goal',
  'match.goal_cancelled',
  'match.incident_updated',
  'match.score_changed',
  'match.penalty_missed',
  'match.penalty_shootout',
  'match.card',
  'match.point',
  'match.set_ended',
  'match.wicket',
  'match.period_ended',
]);

/** Tells from the record alone that no fan is notified, so that most envelopes are not parsed. */
export const mayBeNews = ({ type }: Pick<LogRecord, 'type'>): boolean => ALWAYS.has(type) || BY_SPORT.has(type);

function isNotified(type: string, { match, incident }: EnvelopeData): boolean {
  if (ALWAYS.has(type)) return true;
  const sport = findSport(match.sport);
  const notified: readonly string[] = sport?.notified ?? [];
  if (type === 'match.period_ended') return match.status_detail === 'break' && notified.includes('break');
  if (type === 'match.score_changed') return notified.includes(sport?.score.countedBy ?? '');
  if (incident === undefined || !notified.includes(incident.kind)) return false;
  return incident.kind !== 'card' || shownCard(incident) === 'red_cards';
}

/** All events about one goal have the same tag, so that later news about the goal replaces the notification. */
const tagFor = (type: string, { match, sequence, incident }: EnvelopeData): string =>
  incident === undefined ? `${match.id}-${type}-${sequence}` : `${match.id}-incident-${incident.id}`;

/** Returns the news in a record; null if no fan is notified of it. */
export function readNews({ cursor, envelope: text, committedAt, appendedAt }: LogRecord): News | null {
  const { type, data } = JSON.parse(text) as Envelope;
  if (!isNotified(type, data)) return null;
  const tag = tagFor(type, data);
  const notification = (lang: Lang): Notification | null => {
    const shown = eventText({ type, data }, lang);
    const renotify = type !== 'match.incident_updated';
    return shown && { ...shown, tag, renotify, path: `match/${data.match.id}`, lang };
  };
  const [en, ru] = [notification('en'), notification('ru')];
  if (en === null || ru === null) return null;
  return {
    cursor,
    at: committedAt ?? appendedAt,
    sides: [data.match.home.id, data.match.away.id],
    texts: { en, ru },
    topic: createHash('sha256').update(tag).digest().subarray(0, TOPIC_BYTES).toString('base64url'),
  };
}
