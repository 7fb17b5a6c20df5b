/** `/v1/participant/{id}/squad`: the players of a team in a season. */
import type { z } from 'zod';
import type { Queryable } from '../db/postgres.ts';
import { LINE_OF_POSITION } from '../db/shown-blocks.ts';
import { isWithin, type MatchAccess } from '../wire/access.ts';
import type { Appearance } from './appearances.ts';
import type { PlayerFigures } from './figures.ts';
import { playerProfiles, seasonNames } from './names.ts';
import { grouped, listPlayerSeasons, type PlayerSeason } from './player-seasons.ts';
import type { squadPlayer } from './schema.ts';
import { listSideMatches } from './side-matches.ts';

export type SquadPlayer = z.infer<typeof squadPlayer>;

export interface Squad {
  /** Null if no players of the team are known. */
  season_label: string | null;
  /** Seasons of which players are known, newest first. */
  season_labels: string[];
  squad: SquadPlayer[];
}

const SEASONS = `
  SELECT s.season_label, array_agg(DISTINCT s.id) AS ids FROM match m JOIN season s ON s.id = m.season_id
  WHERE (m.home_id = $1 OR m.away_id = $1) AND EXISTS (
    SELECT FROM match_player p WHERE p.match_id = m.id AND p.side = CASE m.home_id WHEN $1 THEN 'home' ELSE 'away' END)
  GROUP BY 1 ORDER BY max(m.scheduled_start) DESC, 1 DESC`;

/**
 * Returns the players who were in a line-up, scored or were carded in the finished matches of a season, over all
 * competitions with its label.
 * @param label default: the newest season of which players are known
 * @returns null if no players of that season are known
 */
export async function readSquad(
  db: Queryable,
  teamId: number,
  label: string | undefined,
  access: MatchAccess | null,
): Promise<Squad | null> {
  const { rows } = await db.query<{ season_label: string; ids: number[] }>(SEASONS, [teamId]);
  const season_labels = rows.map(({ season_label }) => season_label);
  const season = label === undefined ? rows[0] : rows.find(({ season_label }) => season_label === label);
  if (season === undefined) return label === undefined ? { season_label: null, season_labels, squad: [] } : null;
  const seasons = await seasonNames(db, season.ids);
  const seasonIds = season.ids.filter((id) => {
    const { sport, tournament_id } = seasons.get(id)!;
    return isWithin(access, sport, tournament_id);
  });
  const players = await listPlayerSeasons(db, await listSideMatches(db, { teamIds: [teamId], seasonIds }));
  const profiles = await playerProfiles(
    db,
    players.map(({ appearances }) => appearances[0]!.participant_id),
  );
  const squad = [...grouped(players, ({ appearances }) => appearances[0]!.key).values()].map((own) => {
    const appearances = own.flatMap((one) => one.appearances);
    const { participant_id, player_name } = appearances.at(-1)!;
    const profile = profiles.get(participant_id);
    return {
      participant_id,
      player_name: profile?.name ?? player_name,
      player_name_ru: profile?.name_ru ?? null,
      birth_date: profile?.birth_date ?? null,
      country: profile?.country ?? null,
      shirt_number: mostFrequent(appearances, ({ shirt_number }) => shirt_number),
      position: mostFrequent(appearances, ({ position }) => position),
      ...addFigures(own),
    };
  });
  return { season_label: season.season_label, season_labels, squad: squad.sort(byPosition) };
}

/** Returns the value of most appearances, of equally frequent ones the newest; null if none is known. */
function mostFrequent(
  appearances: readonly Appearance[],
  readValue: (one: Appearance) => string | null,
): string | null {
  const counts = new Map<string, number>();
  for (const one of appearances) {
    const value = readValue(one);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].findLast(([, count]) => count === most)?.[0] ?? null;
}

const SHOWN = [
  'matches',
  'starts',
  'minutes',
  'goals',
  'assists',
  'yellow_cards',
  'red_cards',
  'clean_sheets',
] as const;
type Shown = (typeof SHOWN)[number];

/** Adds up the figures of several competitions: a sum is unknown if it is unknown in one of them. */
const addFigures = (seasons: readonly PlayerSeason[]): Pick<PlayerFigures, Shown> =>
  Object.fromEntries(SHOWN.map((name) => [name, addFigure(seasons, name)])) as Pick<PlayerFigures, Shown>;

export const addFigure = (seasons: readonly PlayerSeason[], name: keyof PlayerFigures): number | null =>
  seasons.reduce<number | null>((total, { figures }) => {
    const value = figures[name];
    return total === null || value === null ? null : total + value;
  }, 0);

const UNKNOWN_LINE = 9;
const lineOf = ({ position }: SquadPlayer) => LINE_OF_POSITION.get(position?.toLowerCase() ?? '') ?? UNKNOWN_LINE;
const numberOf = ({ shirt_number }: SquadPlayer) => Number(shirt_number ?? Number.POSITIVE_INFINITY);
const compare = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);
/** By line of the team, then number, then name. */
const byPosition = (a: SquadPlayer, b: SquadPlayer) =>
  compare(lineOf(a), lineOf(b)) ||
  compare(numberOf(a), numberOf(b)) ||
  a.player_name.localeCompare(b.player_name, 'en');
