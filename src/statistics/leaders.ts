/** `/v1/tournament/{id}/leaders` returns a season's best players by one figure. */
import type pg from 'pg';
import type { z } from 'zod';
import { COUNTED } from '../competitions/index.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import { grouped } from '../wire/grouped.ts';
import { type PlayerFigures, sumOrNull } from './figures.ts';
import { playerProfiles, teamNamesRead, withTeamNames } from './row-names.ts';
import type { leader } from './schema.ts';
import { type PlayerSeason, readSeasonTeams, seasonTeamsRead, type TeamSeason } from './season-figures.ts';
import { addFigure } from './squad.ts';

export type Leader = z.infer<typeof leader>;

export const STATS = [
  'goals',
  'assists',
  'goals_and_assists',
  'penalties',
  'own_goals',
  'yellow_cards',
  'red_cards',
  'cards',
  'clean_sheets',
  'matches',
  'starts',
  'minutes',
] as const;
export type Stat = (typeof STATS)[number];

/** Returns the figures whose sum ranks the players. */
function figuresOf(stat: Stat): readonly (keyof PlayerFigures)[] {
  if (stat === 'goals_and_assists') return ['goals', 'assists'];
  return stat === 'cards' ? ['yellow_cards', 'red_cards'] : [stat];
}

/** A player's values in a season. Values that are unknown or 0 are left out. */
interface SeasonPlayer extends Omit<Leader, 'rank' | 'value'> {
  values: Partial<Record<Stat, number>>;
}

/** The data from which all lists of leaders are made. */
export interface SeasonPlayers {
  players: SeasonPlayer[];
  /** True if the season has a finished match. */
  hasResults: boolean;
}

export async function readSeasonPlayers(pool: pg.Pool, seasonId: number): Promise<SeasonPlayers> {
  const teams = await readSeasonTeams(pool, seasonId);
  return { players: await withNames(pool, sumPlayers(teams)), hasResults: teams.length > 0 };
}

/** Adds up each player's figures over the teams. Players without a value are left out. */
function sumPlayers(teams: readonly TeamSeason[]): Total[] {
  const players = teams.flatMap((team) => team.players);
  return [...grouped(players, ({ key }) => key).values()].flatMap((own) => {
    const values = readValues(own);
    return Object.keys(values).length === 0 ? [] : [{ own, values, matches: addFigure(own, 'matches') }];
  });
}

interface LeaderNames {
  id: number;
  name: string;
  name_ru: string | null;
}
/** A season's players before they are ranked, with names but without teams. */
type NamedPlayer = Omit<SeasonPlayer, 'team_name' | 'team_name_ru'> & { at: number };

const NAMES = prepared(
  'names of the players in a season',
  `SELECT p.id, p.name, p.name_ru FROM participant p
   WHERE p.id = ANY (ARRAY(SELECT participant_id FROM player_figures WHERE season_id = $1 AND participant_id IS NOT NULL))`,
);

/** The reads from which `topPlayers` ranks a season's players. Use them within `withFreshFigures`. @param seasonId null for none */
export const seasonPlayersReads = (seasonId: number | null) => ({
  totals: seasonTeamsRead(seasonId, sumPlayers),
  players: {
    statement: NAMES([seasonId]),
    toValue: (rows: LeaderNames[]) => new Map<number | null, LeaderNames>(rows.map((row) => [row.id, row])),
  },
});

/** Returns the players with the highest values, in the order of `rankLeaders`. */
export const topPlayers = (
  totals: readonly Total[],
  names: ReadonlyMap<number | null, LeaderNames>,
  stat: Stat,
  limit: number,
) =>
  rank(
    totals.map((total) => nameTotal(total, names)),
    stat,
    limit,
  );

/** Adds the teams' names. */
export const leadersRead = (players: ReturnType<typeof topPlayers>): Read<Leader[]> =>
  teamNamesRead(players, (named) => named.map(({ at: _, ...leader }) => leader));

function nameTotal(
  { own, ...total }: Total,
  names: ReadonlyMap<number | null, Pick<LeaderNames, 'name' | 'name_ru'>>,
): NamedPlayer {
  const { participant_id, player_name, team_id, last_start } = own.reduce((a, b) =>
    b.last_start > a.last_start ? b : a,
  );
  const known = names.get(participant_id);
  return {
    participant_id,
    player_name: known?.name ?? player_name,
    player_name_ru: known?.name_ru ?? null,
    team_id,
    at: last_start,
    ...total,
  };
}

/**
 * Returns the players with the highest values above 0. A player whose value is unknown is left out. Equal values are ordered by
 * fewer matches, then by name.
 */
export const rankLeaders = ({ players }: SeasonPlayers, stat: Stat, limit: number): Leader[] =>
  rank(players, stat, limit);

function rank<P extends Pick<SeasonPlayer, 'values' | 'matches' | 'player_name'>>(
  players: readonly P[],
  stat: Stat,
  limit: number,
) {
  const ranked = players
    .flatMap(({ values, ...player }) => (values[stat] === undefined ? [] : [{ ...player, value: values[stat] }]))
    .sort(
      (a, b) =>
        b.value - a.value || (a.matches ?? 0) - (b.matches ?? 0) || a.player_name.localeCompare(b.player_name, 'en'),
    );
  const ranks = new Map<number, number>();
  for (const [index, { value }] of ranked.entries()) if (!ranks.has(value)) ranks.set(value, index + 1);
  return ranked.slice(0, limit).map((player) => ({ rank: ranks.get(player.value)!, ...player }));
}

/** SQL that requires line-ups. Players who are known only from goals would say nothing about players without goals. */
const IN_LINEUPS = `p.appeared AND EXISTS (
  SELECT FROM match_block b WHERE b.match_id = m.id AND b.block = 'lineups' AND b.json <> '[]')`;

/** SQL condition for each figure. If no player in a season meets it, the season has no leaders by this figure. */
const NEEDED: Partial<Record<Stat, string>> = {
  goals: 'p.goals > 0',
  assists: 'p.assists > 0',
  // In a season without any assist, assists are unknown, and so is the sum.
  goals_and_assists: 'p.assists > 0',
  penalties: 'p.penalties > 0',
  yellow_cards: 'p.yellow_cards > 0',
  red_cards: 'p.red_cards > 0',
  cards: 'p.yellow_cards + p.red_cards > 0',
  matches: IN_LINEUPS,
  starts: IN_LINEUPS,
  minutes: IN_LINEUPS,
  clean_sheets: IN_LINEUPS,
};

/** Maximum number of seasons that a request reads in addition to the requested season. */
const MOST_SEASONS = 3;

/**
 * Returns the tournament's newest three seasons that may have leaders by the figure. Whether they have leaders is known only
 * once the figures have been computed, since a figure is unknown if it is unknown in any of the team's matches.
 */
export async function seasonsWithPlayers(db: Queryable, tournamentId: number, stat: Stat): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: `seasons with players by ${stat}`,
    text: `SELECT s.id FROM season_dates s WHERE s.tournament_id = $1 AND EXISTS (
       SELECT FROM match m JOIN match_player p ON p.match_id = m.id
       WHERE m.season_id = s.id AND ${COUNTED} AND ${NEEDED[stat] ?? 'true'})
     ORDER BY s.sorted_by DESC, s.id DESC LIMIT ${MOST_SEASONS}`,
    values: [tournamentId],
  });
  return rows.map(({ id }) => id);
}

function readValues(own: readonly PlayerSeason[]): SeasonPlayer['values'] {
  const values: SeasonPlayer['values'] = {};
  for (const stat of STATS) {
    const value = sumOrNull(figuresOf(stat), (figure) => addFigure(own, figure)) ?? 0;
    if (value > 0) values[stat] = value;
  }
  return values;
}

interface Total extends Pick<SeasonPlayer, 'values' | 'matches'> {
  own: [PlayerSeason, ...PlayerSeason[]];
}

async function withNames(db: Queryable, totals: readonly Total[]): Promise<SeasonPlayer[]> {
  const ids = totals.flatMap(({ own }) => own.map(({ participant_id }) => participant_id));
  const profiles = await playerProfiles(db, ids);
  const named = await withTeamNames(
    db,
    totals.map((total) => nameTotal(total, profiles)),
  );
  // In the order in which replies list the members.
  return named.map(({ at: _, team_name, team_name_ru, values, matches, ...player }) => ({
    ...player,
    team_name,
    team_name_ru,
    values,
    matches,
  }));
}
