/** `/v1/tournament/{id}/leaders`: the best players of a season by one figure. */
import type { z } from 'zod';
import { COUNTED } from '../competitions/queries.ts';
import type { Queryable } from '../db/postgres.ts';
import type { PlayerFigures } from './figures.ts';
import { playerProfiles, teamNames } from './names.ts';
import { grouped, listPlayerSeasons, type PlayerSeason } from './player-seasons.ts';
import type { leader } from './schema.ts';
import { listSideMatches } from './side-matches.ts';
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

/** Sums of several figures. */
const SUMS: Partial<Record<Stat, readonly (keyof PlayerFigures)[]>> = {
  goals_and_assists: ['goals', 'assists'],
  cards: ['yellow_cards', 'red_cards'],
};
const figuresOf = (stat: Stat) => SUMS[stat] ?? [stat as keyof PlayerFigures];

export interface Leaders {
  /** With equal values: in fewer matches, then by name. */
  leaders: Leader[];
  /** Whether the season has a finished match. */
  hasResults: boolean;
}

/** Returns the players with the highest values above 0; a player whose value is unknown is left out. */
export async function readLeaders(db: Queryable, seasonId: number, stat: Stat, limit: number): Promise<Leaders> {
  const matches = await listSideMatches(db, { seasonIds: [seasonId] });
  const players = await listPlayerSeasons(db, matches);
  const totals = [...grouped(players, ({ appearances }) => appearances[0]!.key).values()].flatMap((own) => {
    const value = readValue(own, stat);
    return value === null || value === 0 ? [] : [{ own, value, matches: addFigure(own, 'matches') }];
  });
  const ranked = totals.sort((a, b) => b.value - a.value || (a.matches ?? 0) - (b.matches ?? 0)).slice(0, limit);
  return { leaders: await named(db, ranked, totals), hasResults: matches.length > 0 };
}

/** What a player of the season must have before the figure can be known and above 0. */
const NEEDED: Partial<Record<Stat, string>> = {
  goals: 'p.goals > 0',
  assists: 'p.assists > 0',
  // A season without any assist does not tell them.
  goals_and_assists: 'p.assists > 0',
  penalties: 'p.penalties > 0',
  yellow_cards: 'p.yellow_cards > 0',
  red_cards: 'p.red_cards > 0',
  cards: 'p.yellow_cards + p.red_cards > 0',
  matches: 'p.appeared',
  starts: 'p.appeared',
  minutes: 'p.appeared',
  clean_sheets: 'p.appeared',
};

/**
 * Returns the seasons of a tournament that may have leaders by the figure, newest first: `readLeaders` decides, since a
 * team with a gap in one match has no figure at all.
 */
export async function seasonsWithPlayers(db: Queryable, tournamentId: number, stat: Stat): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `SELECT s.id FROM season_dates s WHERE s.tournament_id = $1 AND EXISTS (
       SELECT FROM match m JOIN match_player p ON p.match_id = m.id
       WHERE m.season_id = s.id AND ${COUNTED} AND ${NEEDED[stat] ?? 'true'})
     ORDER BY s.sorted_by DESC, s.id DESC`,
    [tournamentId],
  );
  return rows.map(({ id }) => id);
}

function readValue(own: readonly PlayerSeason[], stat: Stat): number | null {
  const values = figuresOf(stat).map((figure) => addFigure(own, figure));
  return values.includes(null) ? null : values.reduce<number>((total, value) => total + value!, 0);
}

interface Total {
  own: PlayerSeason[];
  value: number;
  matches: number | null;
}

async function named(db: Queryable, page: readonly Total[], all: readonly Total[]): Promise<Leader[]> {
  const last = page.map(
    ({ own }) =>
      own
        .flatMap(({ appearances }) => appearances)
        .toSorted(byStart)
        .at(-1)!,
  );
  const [profiles, teams] = await Promise.all([
    playerProfiles(
      db,
      last.map(({ participant_id }) => participant_id),
    ),
    teamNames(
      db,
      last.map(({ match }) => ({ team_id: match.team_id, at: match.start })),
    ),
  ]);
  return page.map(({ value, matches }, index) => {
    const { participant_id, player_name, match } = last[index]!;
    const profile = profiles.get(participant_id);
    return {
      rank: 1 + all.filter((other) => other.value > value).length,
      participant_id,
      player_name: profile?.name ?? player_name,
      player_name_ru: profile?.name_ru ?? null,
      team_id: match.team_id,
      ...teams[index]!,
      value,
      matches,
    };
  });
}

const byStart = (a: PlayerSeason['appearances'][number], b: PlayerSeason['appearances'][number]) =>
  a.match.start - b.match.start;
