/**
 * Derives a player's part in a match from line-ups and incidents: minutes, goals and cards, and whether the player started.
 * Pure.
 */
import type { z } from 'zod';
import { foldName } from '../db/fold-name.ts';
import { findSport } from '../sports/sports.ts';
import { cardCounts, countedCards } from '../wire/card-counts.ts';
import type { Blocks, Incident } from '../wire/match.ts';
import type { playerPart as schema } from './schema.ts';

/** `started` is null if no source has the line-up, and no incident shows whether the player started. */
export type PlayerPart = z.infer<typeof schema>;

/** The player's row in match_player, with the cards that are shown. */
export interface PlayerTotals extends Omit<PlayerPart, 'started' | 'minutes' | 'own_goals'> {
  player_name: string;
}

/**
 * Incident kinds whose presence means that the source also reports substitutions. A source with only goals may not report
 * them. An empty incident list, however, means that nobody was substituted.
 */
const REPORTED_WITH_SUBSTITUTIONS = new Set(['subst', 'card']);

const reportsSubstitutions = (incidents: readonly Incident[]): boolean =>
  incidents.length === 0 || incidents.some(({ kind }) => REPORTED_WITH_SUBSTITUTIONS.has(kind));

/** Returns the minutes of a player who plays from start to end. Null for a sport in which players may leave and return. */
export function wholeMatchMinutes(sport: string, hadExtraTime: boolean): number | null {
  const minutes = findSport(sport)?.playerMinutes;
  if (minutes === undefined) return null;
  return hadExtraTime ? minutes.withExtraTime : minutes.regular;
}

/** A player in a match, with the match's data. */
export interface PlayerInMatch {
  /** Player id. */
  id: number;
  totals: PlayerTotals;
  /** The sport, which decides how cards count. */
  sport: string;
  /** The match's incidents. Null if none are stored. */
  known: readonly Incident[] | null;
  lineups: NonNullable<Blocks['lineups']>;
  /** See `wholeMatchMinutes`. Also null before the match has ended, because its length is not known yet. */
  wholeMatch: number | null;
}

export function playerPart({ id, totals: named, sport, known, lineups, wholeMatch }: PlayerInMatch): PlayerPart {
  const { player_name, ...totals } = named;
  const incidents = known ?? [];
  const names = new Set([foldName(player_name)]);
  for (const entry of lineups) if (entry.player_participant_id === id) names.add(foldName(entry.player_name));
  for (const { player_participant_id, player_name: name } of incidents)
    if (player_participant_id === id && name !== null) names.add(foldName(name));
  const isPlayer = (name: unknown) => typeof name === 'string' && names.has(foldName(name));
  const own = incidents.filter((one) => one.side === totals.side);
  const on = own.find(({ kind, player_participant_id }) => kind === 'subst' && player_participant_id === id);
  const off = own.find(({ kind, payload }) => kind === 'subst' && isPlayer(payload.player_out));
  const cards = own.filter(({ kind, player_participant_id }) => kind === 'card' && player_participant_id === id);
  const [sentOff] = [...cardCounts(cards, sport)].find(([, counts]) => counts === 'red_cards') ?? [];
  const entry = lineups.find((one) => one.player_participant_id === id);
  const startedByLineup = entry === undefined ? null : !entry.is_substitute;
  const started = startedByLineup ?? (on !== undefined ? false : off !== undefined ? true : null);
  const own_goals = incidents.filter(
    ({ kind, player_participant_id, payload }) =>
      kind === 'goal' && payload.goal_type === 'own_goal' && player_participant_id === id,
  ).length;
  const from = started ? 0 : (on?.minute ?? null);
  const ends = [off, sentOff].filter((one) => one !== undefined);
  const left = ends.map(({ minute }) => minute).filter((minute) => minute !== null);
  const isKnown =
    wholeMatch !== null &&
    from !== null &&
    left.length === ends.length &&
    known !== null &&
    reportsSubstitutions(known);
  const minutes = isKnown && totals.appeared ? Math.max(0, Math.min(wholeMatch, ...left) - from) : null;
  return { ...totals, ...countedCards(totals, sport), started, minutes, own_goals };
}
