/** Reads injured and suspended players of teams, from the newest cards that list them. */
import type { z } from 'zod';
import { foldName } from '../db/fold-name.ts';
import { prepared, type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { MatchAccess } from '../wire/access.ts';
import { grouped } from '../wire/grouped.ts';
import type { Blocks } from '../wire/match.ts';
import type { missing } from './schema.ts';

export type Missing = Pick<z.infer<typeof missing>, 'cards' | 'missing'>;
type Entry = Omit<NonNullable<Blocks['missing_players']>[number], 'player_participant_id'>;

interface CardRow {
  event_id: number;
  team_id: number;
  side: 'home' | 'away';
  scheduled_start: string;
  updated_at: string;
  json: string;
}

/** SQL for the next match whose card lists missing players or, if there is none, the last such match. */
const NEWEST_CARDS = prepared(
  'newest cards with missing players',
  `SELECT c.* FROM unnest($1::bigint[]) WITH ORDINALITY t (id, position) CROSS JOIN LATERAL (
    SELECT m.id AS event_id, t.id AS team_id, CASE m.home_id WHEN t.id THEN 'home' ELSE 'away' END AS side,
      ${wireTimeSql('m.scheduled_start')} AS scheduled_start, ${wireTimeSql('m.updated_at')} AS updated_at, b.json
    FROM match m JOIN match_block b ON b.match_id = m.id AND b.block = 'missing_players'
    WHERE (m.home_id = t.id OR m.away_id = t.id) AND ($3::text[] IS NULL OR m.sport = ANY ($3) OR m.tournament_id = ANY ($4::bigint[]))
    ORDER BY m.status = 'finished' OR m.scheduled_start < $2::timestamptz - interval '1 day',
      abs(extract(epoch FROM m.scheduled_start - $2::timestamptz)), m.id
    LIMIT 1
  ) c ORDER BY t.position`,
);

const TEAMS_OF_PLAYER = prepared(
  'recent teams of a player',
  `SELECT CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS team_id
  FROM match_player p JOIN match m ON m.id = p.match_id WHERE p.participant_id = $1 AND m.scheduled_start > $2::timestamptz - interval '400 days'
  GROUP BY 1 ORDER BY max(m.scheduled_start) DESC`,
);

const TEAM_PLAYERS = prepared(
  'names of recent squads',
  `SELECT DISTINCT t.id AS team_id, g.id, n.name
  FROM unnest($1::bigint[]) t (id)
    CROSS JOIN LATERAL (
      SELECT h.id, 'home' AS side FROM match h WHERE h.home_id = t.id AND h.scheduled_start > $2::timestamptz - interval '2 years'
      UNION ALL SELECT a.id, 'away' FROM match a WHERE a.away_id = t.id AND a.scheduled_start > $2::timestamptz - interval '2 years') m
    JOIN match_player p ON p.match_id = m.id AND p.side = m.side
    JOIN participant g ON g.id = p.participant_id
    CROSS JOIN LATERAL (
      SELECT p.player_name AS name UNION SELECT g.name UNION SELECT a.name FROM participant_alias a WHERE a.participant_id = g.id) n`,
);

/** SQL for the same cards of each team in a season. */
const NEWEST_OF_SEASON = prepared(
  'newest cards with missing players in a season',
  `SELECT DISTINCT ON (t.id) m.id AS event_id, t.id AS team_id, t.side,
     ${wireTimeSql('m.scheduled_start')} AS scheduled_start, ${wireTimeSql('m.updated_at')} AS updated_at, b.json
   FROM match m JOIN match_block b ON b.match_id = m.id AND b.block = 'missing_players'
     CROSS JOIN LATERAL (VALUES (m.home_id, 'home'), (m.away_id, 'away')) t (id, side)
   WHERE m.season_id = $1
   ORDER BY t.id, m.status = 'finished' OR m.scheduled_start < $2::timestamptz - interval '1 day',
     abs(extract(epoch FROM m.scheduled_start - $2::timestamptz)), m.id`,
);

/**
 * Returns a team's missing players. For a player, returns the player's entries on the cards of the teams that the player
 * appeared for in the last 400 days.
 * @param now the service's time
 */
export async function readMissing(
  db: Queryable,
  { id, type }: { id: number; type: string },
  now: Date,
  access: MatchAccess | null,
): Promise<Missing> {
  const teams =
    type === 'team'
      ? [id]
      : (await db.query<{ team_id: number }>(TEAMS_OF_PLAYER([id, now]))).rows.map(({ team_id }) => team_id);
  const within = [access?.sports ?? null, access?.tournaments ?? null];
  const { rows } = await db.query<CardRow>(NEWEST_CARDS([teams, now, ...within]));
  const found = await readEntries(db, rows, now);
  if (type === 'team') return found;
  return { ...found, missing: found.missing.filter(({ player_participant_id }) => player_participant_id === id) };
}

/** Returns the missing players of all teams that play in a season. @param now the service's time */
export async function readMissingOfSeason(db: Queryable, seasonId: number, now: Date): Promise<Missing> {
  return readEntries(db, (await db.query<CardRow>(NEWEST_OF_SEASON([seasonId, now]))).rows, now);
}

async function readEntries(db: Queryable, cards: readonly CardRow[], now: Date): Promise<Missing> {
  const listing = cards.filter((card) => ownEntries(card).length > 0).map(({ team_id }) => team_id);
  const { rows: players } =
    listing.length > 0 ? await db.query<PlayerName>(TEAM_PLAYERS([listing, now])) : { rows: [] };
  const byTeam = grouped(players, ({ team_id }) => team_id);
  return {
    cards: cards.map(({ event_id, team_id, scheduled_start, updated_at }) => {
      return { event_id, team_id, scheduled_start, updated_at };
    }),
    missing: cards.flatMap((card) => linkEntries(card, byTeam.get(card.team_id) ?? [])),
  };
}

export type MissingPlayer = Missing['missing'][number];
/** A team's newest card that lists missing players. */
export type MissingCard = CardRow;
interface PlayerName {
  team_id: number;
  id: number;
  name: string;
}

/** Reads the card; null without one. */
export const missingCardRead = (teamId: number, now: Date): Read<MissingCard | null> => ({
  statement: NEWEST_CARDS([[teamId], now, null, null]),
  toValue: (rows: MissingCard[]) => rows[0] ?? null,
});

/** Reads the players whom a card lists. @param card null for an empty list */
export const missingPlayersRead = (card: MissingCard | null, now: Date): Read<MissingPlayer[]> => ({
  statement: TEAM_PLAYERS([card === null ? [] : [card.team_id], now]),
  toValue: (players: PlayerName[]) => (card === null ? [] : linkEntries(card, players)),
});

const ownEntries = ({ json, side }: CardRow) => (JSON.parse(json) as Entry[]).filter((entry) => entry.side === side);

/** Returns the entries for the card's team, each with the player's id if exactly one player in the team has the name. */
function linkEntries(card: CardRow, rows: readonly PlayerName[]): MissingPlayer[] {
  const { event_id, team_id } = card;
  const entries = ownEntries(card);
  const idsByName = new Map<string, Set<number>>();
  for (const { id, name } of rows) {
    const key = foldName(name);
    idsByName.set(key, (idsByName.get(key) ?? new Set()).add(id));
  }
  return entries.map(({ side: _, ...entry }) => {
    const [only = null, another] = idsByName.get(foldName(entry.player_name)) ?? [];
    return { event_id, team_id, player_participant_id: another === undefined ? only : null, ...entry };
  });
}
