/** `/v1/participant/{id}/missing` returns injured and suspended players from the newest cards that list them. */
import type { z } from 'zod';
import { foldName } from '../db/fold-name.ts';
import { prepared, type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { Read } from '../db/reads.ts';
import type { MatchAccess } from '../wire/access.ts';
import type { Blocks } from '../wire/match.ts';
import type { missing } from './schema.ts';

export type Missing = Omit<z.infer<typeof missing>, 'participant_id' | 'count'>;
type Entry = NonNullable<Blocks['missing_players']>[number];

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
  'names of a recent squad',
  `SELECT DISTINCT g.id, n.name
  FROM match m JOIN match_player p ON p.match_id = m.id AND p.side = CASE m.home_id WHEN $1 THEN 'home' ELSE 'away' END
    JOIN participant g ON g.id = p.participant_id
    CROSS JOIN LATERAL (
      SELECT p.player_name AS name UNION SELECT g.name UNION SELECT a.name FROM participant_alias a WHERE a.participant_id = g.id) n
  WHERE (m.home_id = $1 OR m.away_id = $1) AND m.scheduled_start > $2::timestamptz - interval '2 years'`,
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
  const lists = await Promise.all(rows.map((card) => readEntries(db, card, now)));
  const all = lists.flat();
  return {
    cards: rows.map(({ event_id, team_id, scheduled_start, updated_at }) => {
      return { event_id, team_id, scheduled_start, updated_at };
    }),
    missing: type === 'team' ? all : all.filter(({ player_participant_id }) => player_participant_id === id),
  };
}

export type MissingPlayer = Missing['missing'][number];
/** A team's newest card that lists missing players. */
export type MissingCard = CardRow;
interface PlayerName {
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
  statement: TEAM_PLAYERS([card?.team_id ?? null, now]),
  toValue: (players: PlayerName[]) => (card === null ? [] : linkEntries(card, players)),
});

const ownEntries = ({ json, side }: CardRow) => (JSON.parse(json) as Entry[]).filter((entry) => entry.side === side);

async function readEntries(db: Queryable, card: CardRow, now: Date): Promise<MissingPlayer[]> {
  if (ownEntries(card).length === 0) return [];
  const { rows } = await db.query<PlayerName>(TEAM_PLAYERS([card.team_id, now]));
  return linkEntries(card, rows);
}

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
