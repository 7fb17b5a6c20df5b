/** The lists and the profile that referees and coaches have in common. */
import type { z } from 'zod';
import { foldName } from '../db/fold-name.ts';
import { firstRow, prepared, type Queryable } from '../db/postgres.ts';
import type { StaffRole } from '../identity/index.ts';
import type { MatchAccess } from '../wire/access.ts';
import { withinSql, withinValues } from './listed-events.ts';
import type { refereeDetail, refereeList } from './schema.ts';

export type StaffItem = z.infer<typeof refereeList>['referees'][number];
export type Profile = Pick<
  z.infer<typeof refereeDetail>,
  'id' | 'sport' | 'name_i18n' | 'country' | 'roles' | 'aliases' | 'former_names'
>;

export interface StaffFilter {
  role: StaffRole;
  q?: string | undefined;
  sport?: string | undefined;
  country?: string | undefined;
  limit: number;
  offset: number;
}

const NAME_I18N = "json_strip_nulls(json_build_object('en', p.name, 'ru', p.name_ru)) AS name_i18n";

/**
 * SQL that joins the participant with an id. OFFSET 0 makes Postgres look up each one by its id. Otherwise it would read the whole
 * table, because it expects more people than there are.
 */
const EACH = (alias: string, id: string) =>
  `CROSS JOIN LATERAL (SELECT * FROM participant WHERE id = ${id} OFFSET 0) ${alias}`;

/** Someone who has been joined to another person counts as that person. */
const STAFF = prepared(
  'staff',
  `WITH person AS MATERIALIZED (
     SELECT coalesce(g.person_id, g.id) AS id, sum(s.events)::int AS events
     FROM (SELECT participant_id, count(*) AS events FROM match_staff WHERE role = $1 GROUP BY participant_id) s
     ${EACH('g', 's.participant_id')} GROUP BY 1
   ), found AS MATERIALIZED (
     SELECT p.id, p.sport, ${NAME_I18N}, p.country, person.events, p.name FROM person ${EACH('p', 'person.id')}
     WHERE ($2::text IS NULL OR p.sport = $2) AND ($3::text IS NULL OR p.country = $3) AND ($4::text[] IS NULL OR EXISTS (
       SELECT FROM (SELECT a.sound FROM participant_alias a WHERE a.participant_id = p.id
         UNION ALL SELECT a.sound FROM participant_search_alias a WHERE a.participant_id = p.id) n
       WHERE n.sound LIKE ALL (SELECT '% ' || sound_of(word) || '%' FROM unnest($4) word)))
   ), page AS (SELECT * FROM found ORDER BY events DESC, name, id LIMIT $5 OFFSET $6)
   SELECT (SELECT count(*)::int FROM found) AS total, coalesce((
     SELECT json_agg(json_build_object('id', id, 'sport', sport, 'name_i18n', name_i18n, 'country', country, 'events', events)
       ORDER BY events DESC, name, id) FROM page), '[]') AS people`,
);

/** Lists referees or coaches, most matches first. */
export async function listStaff(
  db: Queryable,
  { role, q, sport, country, limit, offset }: StaffFilter,
): Promise<{ total: number; people: StaffItem[] }> {
  const words = q === undefined ? null : foldName(q).split(' ');
  // A query without a letter or digit finds nothing.
  if (words?.[0] === '') return { total: 0, people: [] };
  const { rows } = await db.query<{ total: number; people: StaffItem[] }>(
    STAFF([role, sport ?? null, country ?? null, words, limit, offset]),
  );
  return firstRow(rows);
}

/** The rows of `match_staff` that stand for a person, whose id is $1. */
const STAFF_ROWS = `match_staff s JOIN participant g ON g.id = s.participant_id AND (g.id = $1 OR g.person_id = $1)`;

const VERSION = prepared(
  'version of staff',
  `SELECT p.id, concat_ws(':', p.xmin, (SELECT count(*) FROM participant_alias a WHERE a.participant_id = p.id),
     own.matches, own.versions) AS version
   FROM participant g JOIN participant p ON p.id = coalesce(g.person_id, g.id) CROSS JOIN LATERAL (
     SELECT count(*) AS matches, sum(m.version) AS versions
     FROM (SELECT p.id UNION ALL SELECT o.id FROM participant o WHERE o.person_id = p.id) one
       JOIN match_staff s ON s.participant_id = one.id AND s.role = $2 JOIN match m ON m.id = s.match_id) own
   WHERE g.id = $1 AND own.matches > 0`,
);

/**
 * Returns the person that an id stands for, and a version of what the catalogue knows about the person. Null if nobody with that
 * id has had the role in a match.
 */
export async function staffVersion(
  db: Queryable,
  role: StaffRole,
  id: number,
): Promise<{ id: number; version: string } | null> {
  return (await db.query<{ id: number; version: string }>(VERSION([id, role]))).rows[0] ?? null;
}

const PROFILE = prepared(
  'profile of staff',
  `SELECT p.id, p.sport, ${NAME_I18N}, p.country, former_names(p.id), (
     SELECT coalesce(json_agg(r.role ORDER BY r.role), '[]') FROM (
       SELECT s.role FROM ${STAFF_ROWS} UNION SELECT 'player' WHERE p.type = 'player') r) AS roles, (
     SELECT coalesce(json_agg(a.name ORDER BY a.name), '[]') FROM (
       SELECT name FROM participant_alias WHERE participant_id = p.id
       UNION SELECT name FROM participant_search_alias WHERE participant_id = p.id) a
     WHERE a.name <> p.name AND a.name IS DISTINCT FROM p.name_ru) AS aliases
   FROM participant p WHERE p.id = $1`,
);

/** Returns a person's profile. @param id as `staffVersion` returns it */
export async function readProfile(db: Queryable, id: number): Promise<Profile> {
  return firstRow((await db.query<Profile>(PROFILE([id]))).rows);
}

/** SQL for the matches of a person in a role, within the plan. Parameters: see `ownValues`. */
export const OWN_MATCHES = `SELECT m.id, m.scheduled_start, m.status = 'finished' AS is_over, s.side
  FROM ${STAFF_ROWS} JOIN match m ON m.id = s.match_id WHERE s.role = $2 AND ${withinSql(3)}`;
export const ownValues = (role: StaffRole, id: number, access: MatchAccess | null) => [
  id,
  role,
  ...withinValues(access),
];
