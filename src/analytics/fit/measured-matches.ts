/** Past matches in which the minute of each goal and sending-off is known. The rates come from earlier days' matches. */
import { type BySide, countTurns, REGULAR_MINUTES, readTurns, type Turn } from '../../in-play/index.ts';
import type { Incident } from '../../wire/match.ts';
import { WINDOW_DAYS } from '../calibrated/columns.ts';
import type { SportParameters } from '../calibrated/parameters.ts';
import type { HistoryMatch, Period } from '../history/match-source.ts';
import { expectedOn } from '../live/expected-before-match.ts';
import { matchDays } from '../samples/match-days.ts';

/** A goal or a sending-off in regular time. */
export interface TimedTurn {
  kind: Turn['kind'];
  side: Turn['side'];
  /** From 1 to 90; added time belongs to the last minute in its half. */
  minute: number;
}

export interface MeasuredMatch {
  /** Seconds since 1970. */
  start: number;
  /** Expected goals before the match. */
  rates: BySide;
  /** Ordered by minute. */
  turns: TimedTurn[];
}

/**
 * Returns matches in the period. A match counts only if the source reports cards or substitutions, the goals add up to the score, and the
 * minute of each goal and sending-off is known.
 * @param matches one tournament's matches, all seasons, in any order
 * @param incidents by match id
 */
export function measuredMatches(
  matches: readonly HistoryMatch[],
  incidents: ReadonlyMap<number, readonly Incident[]>,
  { from, to }: Period,
  sport: SportParameters,
): MeasuredMatch[] {
  const measured: MeasuredMatch[] = [];
  for (const day of matchDays(matches)) {
    const wanted = day.matches.flatMap((match) => {
      if (match.start < from || match.start >= to) return [];
      const turns = timedTurns(match, incidents.get(match.id) ?? []);
      return turns === null ? [] : [{ match, turns }];
    });
    if (wanted.length === 0) continue;
    const expected = expectedOn(day.earlier(WINDOW_DAYS), day.start, sport);
    for (const { match, turns } of wanted)
      measured.push({ start: match.start, rates: expected(match).expected, turns });
  }
  return measured;
}

function timedTurns(match: HistoryMatch, incidents: readonly Incident[]): TimedTurn[] | null {
  if (!incidents.some(({ kind }) => kind === 'card' || kind === 'subst')) return null;
  const turns = readTurns(incidents);
  const goals = countTurns(turns, 'goal');
  if (goals.home !== match.home_score || goals.away !== match.away_score) return null;
  if (turns.some(({ minute }) => minute === null)) return null;
  return turns
    .filter(({ isExtra }) => !isExtra)
    .map(({ kind, side, minute }) => ({ kind, side, minute: Math.min(Math.max(minute!, 1), REGULAR_MINUTES) }))
    .sort((a, b) => a.minute - b.minute);
}
