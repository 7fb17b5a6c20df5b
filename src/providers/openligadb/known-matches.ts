/** What the poller knows about an OpenLigaDB league, as plain JSON. */
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../wire/time.ts';

export interface KnownMatch {
  /** The source's id, which changes if a user deletes the match and enters it again. */
  id: number;
  /** In ms. Null if unknown. */
  start: number | null;
  group: number;
  /** When the source last changed the match, in the source's notation. */
  updated: string | null;
  state: 'scheduled' | 'live' | 'finished';
  /** True if there is evidence, apart from the time, that the match has begun. */
  hasEvidence?: boolean;
  /** The score that was reported last, such as "2:1". */
  score?: string;
  /** The goals that were listed with that score. */
  goals?: string[];
  /**
   * A score lower than the one that was reported last, although no goal was deleted, and when it was first seen (ms).
   */
  fallen?: { score: string; at: number };
  /** A result that still counts a deleted goal. */
  lagging?: string;
  /**
   * The final result, and when it was first seen (ms). A later reply has to repeat it before the match counts as over.
   */
  ending?: { result: string; at: number };
}

export interface Known {
  league: string;
  /** The season in a scope such as `bl1/2024`. */
  fixedSeason: number | null;
  /** Seasons, by first year, for which a reply had matches. */
  seasons: number[];
  /** The source's present matchday. */
  currentGroup: number | null;
  /** When each matchday last changed, by `season/group`. */
  changes: Record<string, string>;
  /** Matches by season and sides; see `matchKey`. */
  matches: Record<string, KnownMatch>;
}

/** For this long after the start, a match without a goal or a result is believed to be under way. */
const UNCONFIRMED_MS = 150 * MINUTE_MS;
/** After this time, even a match with extra time, a shoot-out and an interruption is over. */
const LONGEST_MS = 5 * HOUR_MS;
/** From this long before the start, a match is polled as if it were live. */
const EARLY_MS = 10 * MINUTE_MS;
/** Most corrections come within this time after a match's start. */
const CORRECTIONS_MS = 2 * DAY_MS;

/** Whether a match may be under way at `now`. */
export const mayBeLive = ({ start, hasEvidence }: KnownMatch, now: number): boolean =>
  start !== null && now >= start && now < start + (hasEvidence ? LONGEST_MS : UNCONFIRMED_MS);

/** Whether the source should be asked about the match every 20 seconds. */
export const isInWindow = (match: KnownMatch, now: number): boolean =>
  match.state !== 'finished' && match.start !== null && now >= match.start - EARLY_MS && now < match.start + LONGEST_MS;

/** True if the match began so recently that corrections may still come. */
export const isRecent = ({ start }: KnownMatch, now: number): boolean =>
  start !== null && now >= start && now < start + CORRECTIONS_MS;

/** Returns the season by the calendar. From July on, this is the season that begins this year. */
export function seasonAt(now: number): number {
  const date = new Date(now);
  return date.getUTCMonth() >= 6 ? date.getUTCFullYear() : date.getUTCFullYear() - 1;
}
