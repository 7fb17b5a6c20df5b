/** Reads one stored match, with list item and blocks, and other data for the match page. */
import type { Queryable } from '../db/postgres.ts';
import { shownBlockSql } from '../db/shown-blocks.ts';
import { type ColouredTeam, teamColours } from '../identity/index.ts';
import { SPORTS } from '../sports/sports.ts';
import type { BlockName, Blocks } from '../wire/match.ts';
import type { TeamColours } from '../wire/team-colours.ts';
import { refereeIdsSql } from './card-sql.ts';
import { type ListedMatch, readItem } from './match-item.ts';

/** Members of a card that are not in the list item. */
export interface MatchDetail {
  venue_city: string | null;
  venue_capacity: number | null;
  referee: string | null;
  attendance: number | null;
  venue_id: number | null;
  /** In the order of the names in `referee`. */
  referee_ids: number[];
  meta: { sources: string[] };
}

/** The listed colours of both sides. Null for a side that is not listed. */
export interface MatchColours {
  home: TeamColours | null;
  away: TeamColours | null;
}

export interface StoredMatch extends ListedMatch {
  version: number;
  detail: MatchDetail;
  /** The requested blocks, as far as the match has them. */
  blocks: Blocks;
  /** Both sides' expected goals in 90 minutes, if they were computed for the present sides. Null if none are stored. */
  rates: { home: number; away: number } | null;
  colours: MatchColours;
  /** Whether the sides are teams, and not players as in tennis. */
  of_teams: boolean;
}

const teamSql = (side: string) =>
  `json_build_object('sport', ${side}.sport, 'gender', ${side}.gender, 'key', ${side}.key)`;
/** Identifies both sides in the list of colours. */
const SIDES_SQL = `${teamSql('h')} AS home, ${teamSql('a')} AS away`;
const SIDES_JOINS = 'JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id';

interface Sides {
  home: ColouredTeam;
  away: ColouredTeam;
}
const findColours = ({ home, away }: Sides): MatchColours => ({ home: teamColours(home), away: teamColours(away) });

interface Row extends Sides, Pick<StoredMatch, 'version' | 'tournament_name_ru' | 'rates' | 'of_teams'> {
  item: string;
  /** JSON text of the members, without the enclosing braces. */
  detail: string;
  venue_id: number | null;
  referee_ids: number[] | null;
  blocks: Record<string, string>;
}

const readBlocks = (stored: Record<string, string>): Blocks =>
  Object.fromEntries(Object.entries(stored).map(([block, json]) => [block, JSON.parse(json)]));

/** Player figures are a large block, and only pages of sports with a box score show them. */
const BOX_SCORE_SPORTS = SPORTS.filter(({ boxScore }) => boxScore !== undefined).map(({ slug }) => slug);

/** Returns a match with the requested blocks. Null for an unknown id. */
export async function findStoredMatch(
  db: Queryable,
  id: number,
  blocks: readonly BlockName[],
): Promise<StoredMatch | null> {
  const { rows } = await db.query<Row>({
    name: 'stored match',
    text: `SELECT m.version, c.item, c.detail, m.venue_id, (${refereeIdsSql('m.id')}) AS referee_ids, t.name_ru AS tournament_name_ru, h.type = 'team' AS of_teams,
       coalesce((SELECT json_object_agg(b.block, ${shownBlockSql('b')}) FROM match_block b WHERE b.match_id = m.id AND b.block = ANY ($2)
         AND (b.block <> 'player_stats' OR m.sport = ANY ($3))), '{}') AS blocks,
       (SELECT json_build_object('home', r.expected_home, 'away', r.expected_away) FROM match_rates r
         WHERE (r.match_id, r.tournament_id, r.home_id, r.away_id) = (m.id, m.tournament_id, m.home_id, m.away_id)) AS rates, ${SIDES_SQL}
     FROM match m JOIN tournament t ON t.id = m.tournament_id JOIN match_card c ON c.match_id = m.id ${SIDES_JOINS} WHERE m.id = $1`,
    values: [id, blocks, BOX_SCORE_SPORTS],
  });
  const [row] = rows;
  if (row === undefined) return null;
  const { home, away, item, detail, venue_id, referee_ids, blocks: stored, ...rest } = row;
  return {
    ...rest,
    item: readItem(item),
    detail: { ...JSON.parse(`{${detail}}`), venue_id, referee_ids: referee_ids ?? [] },
    blocks: readBlocks(stored),
    colours: findColours({ home, away }),
  };
}

export interface MatchMomentum {
  version: number;
  sport: string;
  momentum: NonNullable<Blocks['momentum']>;
  incidents: NonNullable<Blocks['incidents']>;
  colours: MatchColours;
}

/** Returns the data for the momentum picture. Null if the match is unknown or has no momentum. */
export async function findMomentum(db: Queryable, id: number): Promise<MatchMomentum | null> {
  const { rows } = await db.query<
    Sides & { version: number; sport: string; momentum: string; incidents: string | null }
  >(
    `SELECT m.version, m.sport, b.json AS momentum, i.json AS incidents, ${SIDES_SQL} FROM match m ${SIDES_JOINS}
     JOIN match_block b ON b.match_id = m.id AND b.block = 'momentum'
     LEFT JOIN match_block i ON i.match_id = m.id AND i.block = 'incidents' WHERE m.id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { version, sport, momentum, incidents } = row;
  return {
    version,
    sport,
    momentum: JSON.parse(momentum),
    incidents: JSON.parse(incidents ?? '[]'),
    colours: findColours(row),
  };
}

/** Returns a match's version. Null for an unknown id. */
export async function findMatchVersion(db: Queryable, id: number): Promise<number | null> {
  const { rows } = await db.query<{ version: number }>({
    name: 'version of a match',
    text: 'SELECT version FROM match WHERE id = $1',
    values: [id],
  });
  return rows[0]?.version ?? null;
}
