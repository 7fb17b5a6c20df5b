/** A season's bracket in the wire format. */
import type { z } from 'zod';
import type { Queryable } from '../../db/postgres.ts';
import { isOver } from '../missing-results.ts';
import type { SeasonRow } from '../queries.ts';
import { toTableRules } from '../standings.ts';
import { type BracketRound, type BracketRules, buildBracket, type Matchup } from './bracket.ts';
import { inferRounds } from './inferred-rounds.ts';
import { roundMatches, type SeasonMatch, type SideRow, seasonSides } from './queries.ts';
import { knockoutRound } from './round-names.ts';
import type { bracket } from './schema.ts';
import { nationalCode } from './team-codes.ts';

export type Bracket = z.infer<typeof bracket>;

/** @param now ms since 1970 */
export async function seasonBracket(db: Queryable, season: SeasonRow, now: number): Promise<Bracket> {
  const found = await seasonRounds(db, season, now);
  const { season_id } = season;
  const sides = found.sides.length > 0 ? await seasonSides(db, season_id!, found.sides) : new Map<number, SideRow>();
  return toBracket(season, found, sides);
}

/** Returns the rounds without reading the names of the sides. @param now ms since 1970 */
export async function seasonRounds(db: Queryable, season: SeasonRow, now: number): Promise<FoundRounds> {
  const { season_id } = season;
  return findRounds(season, season_id === null ? [] : await roundMatches(db, season_id), now);
}

/** A bracket without the names of its sides. */
export interface FoundRounds {
  rounds: BracketRound[];
  /** Ids of the known sides. */
  sides: number[];
  /** True if a match has no round. */
  lacksRound: boolean;
}

/** @param matches from `roundMatches` @param now ms since 1970 */
export function findRounds(season: SeasonRow, matches: readonly SeasonMatch[], now: number): FoundRounds {
  const over = isOver(matches, now);
  const named = over && matches.every(hasNoRound) ? inferRounds(matches) : matches;
  const rounds = buildBracket(named, bracketRules(season), over);
  const ids = new Set(rounds.flatMap(({ matchups }) => matchups.flatMap(({ sides }) => sides)));
  return { rounds, sides: [...ids].filter((id) => id !== null), lacksRound: matches.some(hasNoRound) };
}

export function toBracket(
  { tournament_id, tournament, season_id, season_label }: SeasonRow,
  { rounds, lacksRound }: FoundRounds,
  sides: ReadonlyMap<number, SideRow>,
): Bracket {
  return {
    tournament_id,
    tournament,
    season_id,
    season_label,
    rounds: rounds.map((one) => shownRound(one, sides)),
    ...(rounds.length === 0 && { reason: lacksRound ? 'no_rounds' : 'no_knockout' }),
  };
}

/** A match's round, as sources name it. */
export type RoundOfMatch = Pick<SeasonMatch, 'round_name' | 'round_num' | 'group'>;

const hasNoRound = ({ round_name, round_num, group }: RoundOfMatch) =>
  round_name === null && round_num === null && group === null;

/**
 * Returns false if a match is in no tie of the bracket, whatever the season's other matches are. Most league matches are not, because
 * their round is a matchday, and so the season need not be read.
 */
export function mayBeInTie(season: SeasonRow, match: RoundOfMatch): boolean {
  if (hasNoRound(match)) return true;
  const { round_name, group } = match;
  const round = round_name === null ? null : knockoutRound(round_name, group);
  return round !== null && !(round.numbered && bracketRules(season).isLeague);
}

function bracketRules(season: SeasonRow): BracketRules {
  const { table, league, ties } = toTableRules(season);
  return {
    sport: season.sport,
    isLeague: table && (league ?? season.tier !== null),
    isCup: !table,
    format: ties?.format ?? null,
    bestOf: ties?.best_of ?? null,
    rounds: ties?.rounds ?? {},
    awayGoals: ties?.away_goals ?? false,
  };
}

function shownRound({ round, matchups }: BracketRound, sides: ReadonlyMap<number, SideRow>): Bracket['rounds'][number] {
  return { name: round.name, matchups: matchups.map((one) => shownMatchup(one, sides)) };
}

function shownMatchup(
  one: Matchup,
  known: ReadonlyMap<number, SideRow>,
): Bracket['rounds'][number]['matchups'][number] {
  const { finished, result, score, sides, byes, winner, legs } = one;
  const shown = (side: number | null, bye: boolean) => shownTeam(side === null ? undefined : known.get(side), bye);
  return {
    finished,
    result,
    home_score: score === null ? null : String(score[0]),
    away_score: score === null ? null : String(score[1]),
    teams: [shown(sides[0], byes[0]), shown(sides[1], byes[1])],
    winner_id: winner,
    event_ids: legs.flatMap(({ event_id }) => event_id ?? []),
    legs: legs.map(({ event_id, score }) => ({
      event_id,
      home_score: score?.[0] ?? null,
      away_score: score?.[1] ?? null,
    })),
  };
}

function shownTeam(side: SideRow | undefined, bye: boolean) {
  if (side === undefined) return { participant_id: null, name: null, name_ru: null, code: null, bye };
  const { id, name, name_ru, country, code } = side;
  return { participant_id: id, name, name_ru, code: code ?? (country && nationalCode(name, country)), bye };
}
