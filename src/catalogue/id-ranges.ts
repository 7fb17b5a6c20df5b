/** Lists everything that has a page, by ranges of ids. */
import { type Queryable, wireTimeSql } from '../db/postgres.ts';
import type { ParticipantType } from '../wire/match.ts';

interface Named {
  id: number;
  name: string;
}
interface NamedMatch extends Named {
  away: string;
  /** YYYY-MM-DDTHH:MM:SSZ */
  changed: string;
}
export const PAGE_KINDS = ['tournament', 'team', 'player', 'referee', 'coach', 'venue', 'match'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** Returns the largest id of one kind. 0 if there is none. */
export async function largestId(db: Queryable, kind: PageKind): Promise<number> {
  const from =
    kind === 'tournament' || kind === 'venue' || kind === 'match' ? kind : `participant WHERE type = '${kind}'`;
  const { rows } = await db.query<{ last: number | null }>(`SELECT max(id) AS last FROM ${from}`);
  return rows[0]?.last ?? 0;
}

/** @param first @param last ids, both included */
export async function tournamentsBetween(db: Queryable, first: number, last: number): Promise<Named[]> {
  const { rows } = await db.query<Named>('SELECT id, name FROM tournament WHERE id BETWEEN $1 AND $2 ORDER BY id', [
    first,
    last,
  ]);
  return rows;
}

export async function participantsBetween(
  db: Queryable,
  type: ParticipantType,
  first: number,
  last: number,
): Promise<Named[]> {
  const { rows } = await db.query<Named>(
    'SELECT id, name FROM participant WHERE type = $1 AND person_id IS NULL AND id BETWEEN $2 AND $3 ORDER BY id',
    [type, first, last],
  );
  return rows;
}

export async function venuesBetween(db: Queryable, first: number, last: number): Promise<Named[]> {
  const { rows } = await db.query<Named>('SELECT id, name FROM venue WHERE id BETWEEN $1 AND $2 ORDER BY id', [
    first,
    last,
  ]);
  return rows;
}

export async function matchesBetween(db: Queryable, first: number, last: number): Promise<NamedMatch[]> {
  const { rows } = await db.query<NamedMatch>(
    `SELECT m.id, h.name, a.name AS away, ${wireTimeSql('m.updated_at')} AS changed FROM match m
     JOIN participant h ON h.id = m.home_id JOIN participant a ON a.id = m.away_id
     WHERE m.id BETWEEN $1 AND $2 ORDER BY m.id`,
    [first, last],
  );
  return rows;
}
