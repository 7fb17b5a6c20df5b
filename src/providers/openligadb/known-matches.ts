/** The knowledge of the poller about a league of OpenLigaDB, as plain JSON. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../wire/time.ts';

export interface KnownMatch {
  /** The source's id, which changes if a user deletes the match and enters it again. */
  id: number;
  /** ms; null: unknown */
  start: number | null;
  group: number;
  /** The source's time of the last change, as it writes it. */
  updated: string | null;
  state: 'scheduled' | 'live' | 'finished';
  /** Whether anything but the time says that it has begun. */
  hasEvidence?: boolean;
  /** The score that was reported last, as "2:1". */
  score?: string;
  /** The goals that were listed when it was reported. */
  goals?: string[];
  /** A lower score without a deleted goal, and when it was seen first. */
  fallen?: { score: string; at: number };
  /** A result that lags behind a deleted goal. */
  lagging?: string;
  /** The final result as it was seen last, and when: it has to be the same in the next reply. */
  ending?: { result: string; at: number };
}

export interface Known {
  league: string;
  /** The season of the scope `bl1/2024`. */
  fixedSeason: number | null;
  /** Seasons, by their first year, of which a reply had matches. */
  seasons: number[];
  /** The present matchday as the source says. */
  currentGroup: number | null;
  /** Last change of a matchday, by `season/group`. */
  changes: Record<string, string>;
  /** By season and sides, see `matchKey`. */
  matches: Record<string, KnownMatch>;
}

/** A match without a goal or a result is believed to be under way for this long after its start. */
const UNCONFIRMED_MS = 150 * MINUTE_MS;
/** A match with extra time, a shoot-out and an interruption is over. */
const LONGEST_MS = 5 * HOUR_MS;
/** Before its start a match is polled as if it were live. */
const EARLY_MS = 10 * MINUTE_MS;
/** Corrections come mostly within this time after the start. */
const CORRECTIONS_MS = 2 * DAY_MS;

/** Whether a match may be under way at `now`. */
export const mayBeLive = ({ start, hasEvidence }: KnownMatch, now: number): boolean =>
  start !== null && now >= start && now < start + (hasEvidence ? LONGEST_MS : UNCONFIRMED_MS);

/** Whether the source should be asked about it every 20 seconds. */
export const isInWindow = (match: KnownMatch, now: number): boolean =>
  match.state !== 'finished' && match.start !== null && now >= match.start - EARLY_MS && now < match.start + LONGEST_MS;

/** Whether it ended lately, or should have. */
export const isRecent = ({ start }: KnownMatch, now: number): boolean =>
  start !== null && now >= start && now < start + CORRECTIONS_MS;

/** The season by the calendar: from July on, the one that begins this year. */
export function seasonAt(now: number): number {
  const date = new Date(now);
  return date.getUTCMonth() >= 6 ? date.getUTCFullYear() : date.getUTCFullYear() - 1;
}
