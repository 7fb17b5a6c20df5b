/** Computes season figures of teams and players from their matches, and stores them as rows. */
import { COUNTED } from '../competitions/index.ts';
import { prepared, type Queryable } from '../db/postgres.ts';
import { grouped } from '../wire/grouped.ts';
import { type Appearance, listAppearances } from './appearances.ts';
import { addAppearances, addMatches, type PlayerSums, type TeamSums } from './figures.ts';
import { listSideMatches, type SideMatch } from './side-matches.ts';

/** Values in the order of their first matches, each with the number of matches that have it. */
export type ValueCounts = [value: string, matches: number][];

export interface SeasonTeam {
  season_id: number;
  team_id: number;
}
export interface TeamRow extends SeasonTeam, TeamSums {
  revision: number;
  fingerprint: number;
  /** When the last counted match started, in seconds since 1970. Null without one. */
  last_start: number | null;
}
export interface PlayerRow extends SeasonTeam, PlayerSums {
  player_key: string;
  participant_id: number | null;
  player_name: string;
  last_start: number;
  shirt_numbers: ValueCounts;
  positions: ValueCounts;
}

const keyOf = ({ season_id, team_id }: SeasonTeam) => `${season_id} ${team_id}`;

/** A team whose figures are stale. */
export interface StaleTeam extends SeasonTeam {
  /** The team's revision in the snapshot that the client reads. */
  revision: number;
}

/**
 * Computes and stores the figures of teams and their players.
 * @param client in a transaction that reads one snapshot
 */
export async function storeTeamFigures(client: Queryable, stale: readonly StaleTeam[]): Promise<void> {
  if (stale.length === 0) return;
  const seasonIds = [...new Set(stale.map(({ season_id }) => season_id))];
  const teamIds = [...new Set(stale.map(({ team_id }) => team_id))];
  const wanted = new Set(stale.map(keyOf));
  // For many teams in few seasons, filtering by season alone is faster.
  const found = await listSideMatches(
    client,
    seasonIds.length < teamIds.length ? { seasonIds } : { seasonIds, teamIds },
  );
  const matches = found.filter((match) => wanted.has(keyOf(match)));
  const appearances = grouped(await listAppearances(client, matches), ({ match }) => keyOf(match));
  const byTeam = grouped(matches, keyOf);
  const of = <T>(list: Map<string, T[]>, team: SeasonTeam): T[] => list.get(keyOf(team)) ?? [];
  const teams = stale
    .map((team) =>
      teamRow(
        team,
        of(byTeam, team).filter(({ counts }) => counts),
        of(appearances, team).filter(({ match }) => match.counts),
      ),
    )
    .sort((a, b) => a.season_id - b.season_id || a.team_id - b.team_id);
  const players = teams.flatMap((team) =>
    [...grouped(of(appearances, team), ({ player_key }) => player_key).values()].map((own) => playerRow(team, own)),
  );
  // This comes first, because it locks the rows. Of two transactions that store the same teams, the second one fails and begins again.
  await client.query(STORE_TEAMS([JSON.stringify(teams)]));
  await client.query(DELETE_PLAYERS([teams.map(({ season_id }) => season_id), teams.map(({ team_id }) => team_id)]));
  if (players.length > 0) await client.query(STORE_PLAYERS([JSON.stringify(players)]));
}

function teamRow(
  { season_id, team_id, revision }: StaleTeam,
  matches: readonly SideMatch[],
  appearances: readonly Appearance[],
): TeamRow {
  const fingerprint = matches.reduce((sum, { match_id, version }) => sum + match_id * version, 0);
  return {
    season_id,
    team_id,
    revision,
    fingerprint,
    last_start: matches.at(-1)?.start ?? null,
    ...addMatches(matches, appearances),
  };
}

/** @param own one player's appearances for the team, in match order */
function playerRow({ season_id, team_id }: SeasonTeam, own: readonly [Appearance, ...Appearance[]]): PlayerRow {
  const last = own.at(-1) ?? own[0];
  return {
    season_id,
    team_id,
    player_key: last.player_key,
    participant_id: last.participant_id,
    player_name: last.player_name,
    last_start: last.match.start,
    shirt_numbers: countValues(own.map(({ shirt_number }) => shirt_number)),
    positions: countValues(own.map(({ position }) => position)),
    ...addAppearances(own),
  };
}

function countValues(values: readonly (string | null)[]): ValueCounts {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts];
}

const TEAM_COLUMNS = [
  'revision', 'fingerprint', 'last_start', 'has_lineups', 'has_scorers', 'is_detailed', 'matches', 'wins', 'draws', 'losses', 'goals', 'goals_against',
  'penalties', 'own_goals', 'assists', 'yellow_cards', 'red_cards', 'clean_sheets',
] as const satisfies readonly (keyof TeamRow)[]; // biome-ignore format: a list
const PLAYER_COLUMNS = [
  'season_id', 'team_id', 'player_key', 'participant_id', 'player_name', 'last_start', 'matches', 'starts', 'minutes', 'goals', 'penalties', 'own_goals',
  'assists', 'yellow_cards', 'red_cards', 'clean_sheets', 'is_goalkeeper', 'shirt_numbers', 'positions', 'own_sums',
] as const satisfies readonly (keyof PlayerRow)[]; // biome-ignore format: a list

const STORE_TEAMS = prepared(
  'store team figures',
  `INSERT INTO team_figures (season_id, team_id, ${TEAM_COLUMNS.join(', ')})
   SELECT season_id, team_id, ${TEAM_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::team_figures, $1)
   ON CONFLICT (season_id, team_id) DO UPDATE SET ${TEAM_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`,
);
const DELETE_PLAYERS = prepared(
  'delete player figures',
  `DELETE FROM player_figures p USING unnest($1::bigint[], $2::bigint[]) r (season_id, team_id)
   WHERE p.season_id = r.season_id AND p.team_id = r.team_id`,
);
const STORE_PLAYERS = prepared(
  'store player figures',
  `INSERT INTO player_figures (${PLAYER_COLUMNS.join(', ')})
   SELECT ${PLAYER_COLUMNS.join(', ')} FROM json_populate_recordset(NULL::player_figures, $1)`,
);
const STORE_KNOWLEDGE = prepared(
  'store season figures',
  `INSERT INTO season_figures (season_id, revision, assists, penalties)
   SELECT s.id, (SELECT revision FROM season_revision WHERE season_id = s.id),
     coalesce(bool_or(p.assists > 0), false), coalesce(bool_or(p.penalties > 0), false)
   FROM unnest($1::bigint[]) s (id) LEFT JOIN match m ON m.season_id = s.id AND ${COUNTED} LEFT JOIN match_player p ON p.match_id = m.id
   GROUP BY s.id ORDER BY s.id
   ON CONFLICT (season_id) DO UPDATE SET revision = excluded.revision, assists = excluded.assists, penalties = excluded.penalties`,
);

/** Stores which figures are known in these seasons. */
export async function storeKnowledge(client: Queryable, seasonIds: readonly number[]): Promise<void> {
  if (seasonIds.length > 0) await client.query(STORE_KNOWLEDGE([seasonIds]));
}
