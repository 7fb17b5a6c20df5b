/** Converts a Euroleague game to the reference part of a feed update: tournament, season, sides, round. Pure. */
import { splitLabel } from '../../identity/canonical-tournaments.ts';
import type { MatchInput } from '../../wire/feed-update.ts';
import type { CodedTeam } from '../team-codes.ts';
import { titleCase } from './player-name.ts';

export const EUROLEAGUE = 'euroleague';
const TOURNAMENT = { name: 'Euroleague', country: 'INT', gender: 'men' } as const;

/** Season phases by the source's codes, which may be padded with spaces ("R S "). */
export const PHASES = ['RS', 'TS', 'PI', 'PO', 'FF'] as const;
export type Phase = (typeof PHASES)[number];
export const readPhase = (code: string): Phase | undefined =>
  PHASES.find((phase) => phase === code.replace(/\s+/gu, ''));

/** The source's game id. */
export const gameId = (season: number, code: number) => `E${season}_${code}`;

type Round = Required<Pick<MatchInput, 'round_num' | 'round_name'>>;

/** Names a round in a phase with a table. @param number the round's number in the season */
export const tableRound = (phase: 'RS' | 'TS', number: number, ofPhase = number): Round => ({
  round_num: number,
  round_name: phase === 'TS' ? `Top 16, Matchday ${ofPhase}` : `Matchday ${ofPhase}`,
});

/** @param game the game's number in its series, if known */
export const playOffRound = (game?: number): Round => ({
  round_num: null,
  round_name: game === undefined ? 'Quarter-finals' : `Quarter-finals, Game ${game}`,
});
export const namedRound = (name: string): Round => ({ round_num: null, round_name: name });

/** Returns a game's round. Returns undefined for an unknown phase, so the stored round stays. */
export function phaseRound(phase: Phase | undefined, number: number | null | undefined): Round | undefined {
  if ((phase === 'RS' || phase === 'TS') && typeof number === 'number') return tableRound(phase, number);
  if (phase === 'PO') return playOffRound();
  if (phase === 'FF') return namedRound('Final Four');
  return phase === 'PI' ? namedRound('Play-in') : undefined;
}

export const readVenue = (name: string | null, capacity: number | null | undefined, { country }: CodedTeam) =>
  name ? { venue: { name: titleCase(name), country, ...(capacity && { capacity }) } } : {};

/** Returns the members that every update about a game has. */
export function gameReference(season: number, code: number, home: CodedTeam, away: CodedTeam) {
  return {
    id: gameId(season, code),
    sport: 'basketball',
    tournament: TOURNAMENT,
    season: { label: splitLabel(season) },
    home,
    away,
  };
}

/** Both sides score in a real game, so a side without points did not play. */
export const isForfeit = ({ home, away }: { home: number; away: number }) => (home === 0) !== (away === 0);
