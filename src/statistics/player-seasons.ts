/** Players' and teams' figures, each by season and team. */

import { prepared, type Queryable } from '../db/postgres.ts';
import { grouped } from '../wire/grouped.ts';
import { type Appearance, listAppearances } from './appearances.ts';
import { type PlayerFigures, playerFigures, type SeasonKnowledge, type TeamFigures, teamFigures } from './figures.ts';
import { listSideMatches, type SideMatch } from './side-matches.ts';

export interface PlayerSeason {
  season_id: number;
  team_id: number;
  /** In match order. */
  appearances: [Appearance, ...Appearance[]];
  figures: PlayerFigures;
}

const KNOWN = prepared(
  'knowledge of seasons',
  `SELECT s.id,
    EXISTS (SELECT FROM match m JOIN match_player p ON p.match_id = m.id WHERE m.season_id = s.id AND p.assists > 0) AS assists,
    EXISTS (SELECT FROM match m JOIN match_player p ON p.match_id = m.id WHERE m.season_id = s.id AND p.penalties > 0) AS penalties
  FROM season s WHERE s.id = ANY ($1)`,
);

const UNKNOWN: SeasonKnowledge = { assists: false, penalties: false };

/** Returns which figures sources report, by season. */
async function seasonKnowledge(
  db: Queryable,
  seasonIds: readonly number[],
): Promise<(seasonId: number) => SeasonKnowledge> {
  const ids = [...new Set(seasonIds)];
  if (ids.length === 0) return () => UNKNOWN;
  const { rows } = await db.query<SeasonKnowledge & { id: number }>(KNOWN([ids]));
  const known = new Map(rows.map((row) => [row.id, row]));
  return (seasonId) => known.get(seasonId) ?? UNKNOWN;
}

/**
 * Returns the seasons in which somebody has appeared. In all other seasons, Postgres would search each match for
 * players in vain (measured 8 ms for a club's seasons).
 */
const playedSeasons = (appearances: readonly Appearance[]) => appearances.map(({ match }) => match.season_id);

const seasonOfTeam = ({ season_id, team_id }: SideMatch) => `${season_id} ${team_id}`;

/** Returns the players in the matches, with figures for each season and team. */
export async function listPlayerSeasons(
  db: Queryable,
  matches: readonly SideMatch[],
  participantId?: number,
): Promise<PlayerSeason[]> {
  const appearances = await listAppearances(db, matches, participantId);
  const known = await seasonKnowledge(db, playedSeasons(appearances));
  const played = grouped(matches, seasonOfTeam);
  return [...grouped(appearances, ({ key, match }) => `${seasonOfTeam(match)} ${key}`).values()].map((own) => {
    const [{ match }] = own;
    const { season_id, team_id } = match;
    const figures = playerFigures(played.get(seasonOfTeam(match))!, own, known(season_id));
    return { season_id, team_id, appearances: own, figures };
  });
}

/**
 * Returns the figures, by season, for a player who was in the squad but did not appear.
 * @param matches one team's matches
 */
export async function figuresWithoutAppearance(
  db: Queryable,
  matches: readonly SideMatch[],
  seasonIds: readonly number[],
): Promise<Map<number, PlayerFigures>> {
  const known = await seasonKnowledge(db, seasonIds);
  return new Map(
    seasonIds.map((id) => [
      id,
      playerFigures(
        matches.filter(({ season_id }) => season_id === id),
        [],
        known(id),
      ),
    ]),
  );
}

/**
 * Returns a player's figures by season and team, newest first.
 * @param within only these seasons
 */
export async function playerSeasons(
  db: Queryable,
  participantId: number,
  within?: readonly number[],
): Promise<PlayerSeason[]> {
  const { rows } = await db.query<{ season_id: number; team_id: number }>(
    `SELECT DISTINCT m.season_id, CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id
     FROM match_player p JOIN match m ON m.id = p.match_id WHERE p.participant_id = $1 AND ($2::bigint[] IS NULL OR m.season_id = ANY ($2))`,
    [participantId, within ?? null],
  );
  const pairs = new Set(rows.map(({ season_id, team_id }) => `${season_id} ${team_id}`));
  const matches = await listSideMatches(db, {
    seasonIds: [...new Set(rows.map(({ season_id }) => season_id))],
    teamIds: [...new Set(rows.map(({ team_id }) => team_id))],
  });
  const own = matches.filter((match) => pairs.has(seasonOfTeam(match)));
  return newestFirst(await listPlayerSeasons(db, own, participantId));
}

export interface TeamSeason {
  season_id: number;
  team_id: number;
  /** Oldest first. */
  matches: SideMatch[];
  figures: TeamFigures;
}

/**
 * Returns a team's figures by season, newest first.
 * @param within only these seasons
 */
export async function teamSeasons(db: Queryable, teamId: number, within?: readonly number[]): Promise<TeamSeason[]> {
  const matches = await listSideMatches(db, { teamIds: [teamId], ...(within && { seasonIds: within }) });
  const appearances = await listAppearances(db, matches);
  const known = await seasonKnowledge(db, playedSeasons(appearances));
  const players = grouped(appearances, ({ match }) => seasonOfTeam(match));
  return [...grouped(matches, seasonOfTeam)]
    .map(([key, own]) => {
      const [{ season_id, team_id }] = own;
      return {
        season_id,
        team_id,
        matches: own,
        figures: teamFigures(own, players.get(key) ?? [], known(season_id)),
      };
    })
    .sort((a, b) => b.matches.at(-1)!.start - a.matches.at(-1)!.start || b.season_id - a.season_id);
}

const lastStart = ({ appearances }: PlayerSeason) => appearances.at(-1)!.match.start;
const newestFirst = (seasons: PlayerSeason[]) =>
  seasons.sort((a, b) => lastStart(b) - lastStart(a) || b.season_id - a.season_id || a.team_id - b.team_id);
