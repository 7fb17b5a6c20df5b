/** Reads a player's or team's transfers. Sources list some of them, and the rest are derived from line-ups. */
import type { z } from 'zod';
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import { type Read, readAll } from '../db/reads.ts';
import { grouped } from '../wire/grouped.ts';
import { type DerivedMove, derivedMoves, type ListedMove, type Stint } from './moves-from-lineups.ts';
import type { transfers } from './schema.ts';

type Transfers = z.infer<typeof transfers>;
export type Transfer = Transfers['transfers'][number];

/** A transfer without participants' names. */
interface Move extends ListedMove, Pick<Transfer, 'date_precision' | 'season'> {
  player_id: number;
  type: Transfer['type'];
  from_name: string | null;
  loan_until: string | null;
  fee: number | null;
  fee_currency: string | null;
  derived: boolean;
}

export interface TransferSubject {
  id: number;
  type: 'player' | 'team';
}

const LISTED = `SELECT player_id, date::text, type, from_id, to_id, from_name, to_name, loan_until::text, fee::float8, fee_currency,
    'day' AS date_precision, NULL AS season, false AS derived FROM transfer`;

/** SQL condition for clubs. It excludes national and regional teams, and youth teams. */
const CLUB = `split_part(club.key, '|', 2) NOT LIKE 'national team %' AND club.country IS DISTINCT FROM 'INT' AND club.name !~ '\\mU-?\\d\\d\\M'`;

/** Players who have appeared for a club. OFFSET 0 makes Postgres read the players match by match, instead of reading all line-ups. */
const PLAYERS = `SELECT DISTINCT appearance.player_id AS id
   FROM participant club
     CROSS JOIN LATERAL (
       SELECT id, 'home' AS side FROM match WHERE home_id = club.id UNION ALL SELECT id, 'away' FROM match WHERE away_id = club.id
     ) m
     CROSS JOIN LATERAL (
       SELECT p.participant_id AS player_id FROM match_player p
       WHERE p.match_id = m.id AND p.side = m.side AND p.appeared AND p.participant_id IS NOT NULL OFFSET 0
     ) appearance
   WHERE club.id = $1 AND ${CLUB}`;

/**
 * Makes one row from consecutive appearances for a club, for players with at least two such rows. The others have not moved. Only the
 * first and last appearance of each row are kept, and these follow each other. Each club is checked only once, because a player has many
 * appearances for it.
 * @param players SQL for the players' ids
 */
const stintsSql = (players: string) => `WITH appearance AS MATERIALIZED (
    SELECT p.participant_id AS player_id, CASE p.side WHEN 'home' THEN m.home_id ELSE m.away_id END AS club_id,
      (m.scheduled_start AT TIME ZONE 'UTC')::date AS day, m.id
    FROM match_player p JOIN match m ON m.id = p.match_id
    WHERE p.participant_id = ANY (${players}) AND p.appeared
      AND m.status <> 'scheduled' AND m.status_detail NOT IN ('cancelled', 'walkover')
      AND m.tournament_id NOT IN (SELECT id FROM tournament WHERE youth)
  ), club AS MATERIALIZED (
    SELECT id, name FROM participant club WHERE id = ANY (ARRAY(SELECT DISTINCT club_id FROM appearance)) AND ${CLUB}
  ), neighbour AS (
    SELECT player_id, club_id, day, id, lag(club_id) OVER own AS before, lead(club_id) OVER own AS after
    FROM appearance WHERE club_id IN (SELECT id FROM club) WINDOW own AS (PARTITION BY player_id ORDER BY day, id)
  ), bound AS (
    SELECT player_id, club_id, day AS first, id AS match_id, before IS DISTINCT FROM club_id AS is_first,
      CASE WHEN after IS DISTINCT FROM club_id THEN day ELSE lead(day) OVER own END AS last
    FROM neighbour WHERE before IS DISTINCT FROM club_id OR after IS DISTINCT FROM club_id
    WINDOW own AS (PARTITION BY player_id ORDER BY day, id)
  ), stint AS (
    SELECT *, count(*) OVER (PARTITION BY player_id) AS stints FROM bound WHERE is_first
  )
  SELECT stint.player_id, stint.club_id, club.name AS club, stint.first::text, stint.last::text, s.season_label AS season,
    EXISTS (SELECT FROM match_block b WHERE b.match_id = m.id AND b.block = 'lineups' AND b.json <> '[]') AS "isDated"
  FROM stint JOIN club ON club.id = stint.club_id JOIN match m ON m.id = stint.match_id JOIN season s ON s.id = m.season_id
  WHERE stint.stints > 1
  ORDER BY stint.player_id, stint.first, stint.last`;

/** Reads the moves that sources list, and the stints from which the rest are derived. */
const movesStatement = (name: string, players: string, listed: string) =>
  prepared(
    name,
    `WITH player AS MATERIALIZED (${players})
     SELECT (SELECT coalesce(json_agg(l), '[]') FROM (${LISTED} WHERE ${listed}) l) AS listed,
       (SELECT coalesce(json_agg(s), '[]') FROM (${stintsSql('ARRAY(SELECT id FROM player)')}) s) AS stints,
       (SELECT coalesce(json_agg(l), '[]') FROM (${LISTED} WHERE player_id = ANY (ARRAY(SELECT id FROM player))) l) AS listed_of_players`,
  );
const MOVES = {
  team: movesStatement('moves of a team', PLAYERS, 'from_id = $1 OR to_id = $1'),
  player: movesStatement('moves of a player', 'SELECT $1::bigint AS id', 'player_id = $1'),
};

interface MovesRow {
  listed: Move[];
  stints: (Stint & { player_id: number })[];
  /** Listed moves of all players who have a stint. */
  listed_of_players: Move[];
}

/** Reads a participant's moves, newest first. */
export const movesRead = ({ id, type }: TransferSubject): Read<Move[]> => ({
  statement: MOVES[type]([id]),
  toValue: (rows: MovesRow[]) => allMoves(firstRow(rows), { id, type }),
});

function allMoves({ listed, stints, listed_of_players }: MovesRow, { id, type }: TransferSubject): Move[] {
  const known = grouped(listed_of_players, ({ player_id }) => player_id);
  const derived = [...grouped(stints, ({ player_id }) => player_id)].flatMap(([player, stays]) =>
    // A player with only one stint has not moved.
    stays.length > 1 ? derivedMoves(stays, known.get(player) ?? []).map((move) => toMove(player, move)) : [],
  );
  const own = type === 'player' ? derived : derived.filter(({ from_id, to_id }) => from_id === id || to_id === id);
  return [...listed, ...own].toSorted(inOrder);
}

async function findSubject(db: Queryable, id: number): Promise<TransferSubject | undefined> {
  const { rows } = await db.query<TransferSubject>(
    `SELECT id, type FROM participant WHERE type IN ('team', 'player')
      AND id = (SELECT coalesce(person_id, id) FROM participant WHERE id = $1)`,
    [id],
  );
  return rows[0];
}

const toMove = (player_id: number, move: DerivedMove): Move => ({
  ...move,
  player_id,
  type: 'other',
  to_name: null,
  loan_until: null,
  fee: null,
  fee_currency: null,
  derived: true,
});

/** Orders moves by date, newest first. */
const inOrder = (a: Move, b: Move): number =>
  (a.date < b.date ? 1 : a.date > b.date ? -1 : 0) || a.player_id - b.player_id || (a.to_id ?? 0) - (b.to_id ?? 0);

interface Names {
  name: string;
  name_ru: string | null;
}

const NAMES = prepared(
  'names on days',
  `SELECT w.id, w.date::text, n.name, n.name_ru FROM unnest($1::bigint[], $2::date[]) AS w (id, date)
   CROSS JOIN LATERAL names_at(w.id, w.date::timestamp AT TIME ZONE 'UTC') n`,
);

/** Reads the transfers that moves stand for, with the names that participants had on those days. */
export function transfersRead(moves: readonly Move[]): Read<Transfer[]> {
  const wanted = moves.flatMap(({ date, player_id, from_id, to_id }) =>
    [player_id, from_id, to_id].flatMap((id) => (id === null ? [] : [{ id, date }])),
  );
  return {
    statement: NAMES([wanted.map(({ id }) => id), wanted.map(({ date }) => date)]),
    toValue: (rows: (Names & { id: number; date: string })[]) => {
      const names = new Map(rows.map((row) => [`${row.id}|${row.date}`, row]));
      return moves.map((move) => toTransfer(move, (id) => names.get(`${id}|${move.date}`)));
    },
  };
}

function toTransfer(move: Move, nameOf: (id: number | null) => Names | undefined): Transfer {
  const [player, from, to] = [move.player_id, move.from_id, move.to_id].map(nameOf);
  return {
    date: move.date_precision === 'day' || move.date_precision === 'window' ? move.date : null,
    date_precision: move.date_precision,
    seen_on: move.derived ? move.date : null,
    season: move.season,
    type: move.type,
    player_id: move.player_id,
    player_name: player!.name,
    player_name_ru: player!.name_ru,
    from_team_id: move.from_id,
    from_team: from?.name ?? move.from_name,
    from_team_ru: from?.name_ru ?? null,
    to_team_id: move.to_id,
    to_team: to?.name ?? move.to_name,
    to_team_ru: to?.name_ru ?? null,
    loan_until: move.loan_until,
    fee: move.fee,
    fee_currency: move.fee_currency,
    derived: move.derived,
  };
}

/** @returns null for an unknown participant */
export async function findTransfers(
  db: Queryable,
  participantId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<Transfers | null> {
  const subject = await findSubject(db, participantId);
  if (subject === undefined) return null;
  const { moves } = await readAll(db, { moves: movesRead(subject) });
  const { transfers } = await readAll(db, {
    transfers: transfersRead(moves.slice(offset, offset + limit)),
  });
  return { participant_id: subject.id, type: subject.type, count: transfers.length, total: moves.length, transfers };
}
