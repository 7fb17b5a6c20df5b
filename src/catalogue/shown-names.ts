/** Returns names as pages show them, and the participant that an id stands for. */
import type { Queryable } from '../db/postgres.ts';
import type { ParticipantType } from '../wire/match.ts';

export interface Names {
  name: string;
  name_ru: string | null;
}

/** Returns country names by code. */
export async function countryNames(db: Queryable, codes: readonly string[]): Promise<Map<string, Names>> {
  const { rows } = await db.query<Names & { iso: string }>({
    name: 'country names',
    text: 'SELECT iso, name, name_ru FROM country WHERE iso = ANY ($1)',
    values: [codes],
  });
  return new Map(rows.map(({ iso, ...names }) => [iso, names]));
}

/** Returns the Russian names of tournaments by id, as far as they are known. */
export async function russianTournamentNames(db: Queryable, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await db.query<{ id: number; name_ru: string }>({
    name: 'Russian names of tournaments',
    text: 'SELECT id, name_ru FROM tournament WHERE id = ANY ($1) AND name_ru IS NOT NULL',
    values: [ids],
  });
  return new Map(rows.map(({ id, name_ru }) => [id, name_ru]));
}

/** Returns null for an unknown tournament. */
export async function findTournamentName(db: Queryable, id: number): Promise<Names | null> {
  const { rows } = await db.query<Names>({
    name: 'name of a tournament',
    text: 'SELECT name, name_ru FROM tournament WHERE id = $1',
    values: [id],
  });
  return rows[0] ?? null;
}

/** Returns a season's label. Null for an unknown season. */
export async function findSeasonLabel(db: Queryable, id: number): Promise<string | null> {
  const { rows } = await db.query<{ season_label: string }>({
    name: 'label of a season',
    text: 'SELECT season_label FROM season WHERE id = $1',
    values: [id],
  });
  return rows[0]?.season_label ?? null;
}

export interface Subject {
  /**
   * The id of the participant that is shown. It differs from the requested id if that id belongs to a name that has been
   * identified as this player, or to a team that has been merged into this one.
   */
  id: number;
  type: ParticipantType;
}

/** Returns the participant that an id stands for. Null for an unknown id. */
export async function findSubject(db: Queryable, id: number): Promise<Subject | null> {
  const { rows } = await db.query<Subject>({
    name: 'participant of an id',
    text: `SELECT p.id, p.type FROM participant g JOIN participant p ON p.id = coalesce(g.person_id, g.id)
      WHERE g.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}

/** Returns the participant that an id stands for, with the name at the given time. Null for an unknown id. */
export async function findParticipantName(db: Queryable, id: number, at: Date): Promise<(Subject & Names) | null> {
  const { rows } = await db.query<Subject & Names>({
    name: 'name of a participant',
    text: `SELECT p.type, p.id, n.name, n.name_ru FROM participant g
      JOIN participant p ON p.id = coalesce(g.person_id, g.id) CROSS JOIN LATERAL names_at(p.id, $2) n WHERE g.id = $1`,
    values: [id, at],
  });
  return rows[0] ?? null;
}

/** Returns player names by the requested id. If an id stands for another player, the name is that player's. */
export async function playerNames(db: Queryable, ids: readonly number[]): Promise<Map<number, Names>> {
  const { rows } = await db.query<Names & { id: number }>({
    name: 'names of players',
    text: `SELECT g.id, p.name, p.name_ru FROM participant g JOIN participant p ON p.id = coalesce(g.person_id, g.id)
     WHERE g.id = ANY ($1)`,
    values: [ids],
  });
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

/** A team or a tournament that a reader has marked. */
export interface MarkedSubject extends Names {
  kind: 'team' | 'tournament';
  id: number;
  /** The country's code. */
  country: string | null;
}

/**
 * Returns the marked teams and tournaments by name, tournaments first. Unknown ids are left out, and a team that has been
 * merged stands for the team that it was merged into.
 * @param at for names that have changed
 */
export async function markedSubjects(
  db: Queryable,
  { teams, tournaments }: { teams: readonly number[]; tournaments: readonly number[] },
  at: Date,
): Promise<MarkedSubject[]> {
  const { rows } = await db.query<MarkedSubject>({
    name: 'names of marked subjects',
    text: `SELECT 'tournament' AS kind, t.id, t.name, t.name_ru, t.country FROM tournament t WHERE t.id = ANY ($1)
      UNION SELECT 'team', p.id, n.name, n.name_ru, p.country FROM participant g
        JOIN participant p ON p.id = coalesce(g.person_id, g.id) CROSS JOIN LATERAL names_at(p.id, $3) n
        WHERE g.id = ANY ($2) AND p.type = 'team'
      ORDER BY 1 DESC, 3, 2`,
    values: [tournaments, teams, at],
  });
  return rows;
}
