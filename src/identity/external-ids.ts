/** Providers' ids for our entities. */
import type pg from 'pg';
import { prepared, type Queryable, transaction } from '../db/postgres.ts';
import type { MatchAccess } from '../wire/access.ts';

export const ENTITIES = ['tournament', 'team', 'player', 'match', 'venue'] as const;
export type Entity = (typeof ENTITIES)[number];

export interface ExternalId {
  provider: string;
  external_id: string;
  id: number;
}

/** External ids, each with our id. If a participant was joined to a person, our id is the person's. */
const REFERENCES = `SELECT r.provider, r.external_id, coalesce(p.person_id, r.entity_id) AS id
  FROM external_ref r LEFT JOIN participant p ON r.entity IN ('team', 'player') AND p.id = r.entity_id`;
/**
 * Leaves out matches and tournaments that the plan does not include.
 * @param sports parameter with the sports that the plan includes @param tournaments parameter with the tournaments
 */
const isWithin = (
  sports: string,
  tournaments: string,
) => `(${sports}::text[] IS NULL OR r.entity NOT IN ('match', 'tournament') OR EXISTS (
  SELECT FROM match m WHERE r.entity = 'match' AND m.id = r.entity_id AND (m.sport = ANY (${sports}) OR m.tournament_id = ANY (${tournaments}::bigint[]))
  UNION ALL SELECT FROM tournament t
    WHERE r.entity = 'tournament' AND t.id = r.entity_id AND (t.sport = ANY (${sports}) OR t.id = ANY (${tournaments}::bigint[]))))`;
const WITHIN = isWithin('$4', '$5');

const BY_EXTERNAL = prepared(
  'by external ids',
  `${REFERENCES} WHERE r.entity = $1 AND r.provider = $2 AND r.external_id = ANY ($3::text[]) AND ${WITHIN} ORDER BY array_position($3::text[], r.external_id)`,
);
const BY_ID = prepared(
  'external ids',
  `${REFERENCES} WHERE r.entity = $1 AND ($2::text IS NULL OR r.provider = $2) AND ${WITHIN} AND r.entity_id IN (
     SELECT unnest($3::bigint[]) UNION SELECT o.id FROM participant o WHERE $1 IN ('team', 'player') AND o.person_id = ANY ($3::bigint[]))
   ORDER BY array_position($3::bigint[], coalesce(p.person_id, r.entity_id)), r.provider, r.external_id`,
);

const BY_MANY = prepared(
  'by ids of many providers',
  `SELECT w.at, coalesce(p.person_id, r.entity_id) AS id
   FROM json_to_recordset($1) AS w (at int, entity text, provider text, external_id text)
   JOIN external_ref r ON r.entity = w.entity AND r.provider = w.provider AND r.external_id = w.external_id
   LEFT JOIN participant p ON r.entity IN ('team', 'player') AND p.id = r.entity_id WHERE ${isWithin('$2', '$3')}`,
);

const within = (access: MatchAccess | null) => [access?.sports ?? null, access?.tournaments ?? null];

/** Returns our ids for a provider's ids, in the same order. Unknown ids are left out. */
export async function findByExternalIds(
  db: Queryable,
  entity: Entity,
  provider: string,
  externalIds: readonly string[],
  access: MatchAccess | null,
): Promise<ExternalId[]> {
  return (await db.query<ExternalId>(BY_EXTERNAL([entity, provider, externalIds, ...within(access)]))).rows;
}

/** An id at any provider. */
export interface ProviderId {
  entity: Entity;
  provider: string;
  external_id: string;
}

/** Returns our ids by the positions of the given ids. Unknown ids are left out. */
export async function findByProviderIds(
  db: Queryable,
  ids: readonly ProviderId[],
  access: MatchAccess | null,
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const given = JSON.stringify(ids.map((id, at) => ({ at, ...id })));
  const { rows } = await db.query<{ at: number; id: number }>(BY_MANY([given, ...within(access)]));
  return new Map(rows.map(({ at, id }) => [at, id]));
}

/** Returns one provider's ids, or all providers' ids, for our ids and in the same order. */
export async function listExternalIds(
  db: Queryable,
  entity: Entity,
  ids: readonly number[],
  provider?: string,
  access: MatchAccess | null = null,
): Promise<ExternalId[]> {
  return (await db.query<ExternalId>(BY_ID([entity, provider ?? null, ids, ...within(access)]))).rows;
}

/** Returns one entity's ids by provider. */
export async function externalIdsOf(db: Queryable, entity: Entity, id: number): Promise<Record<string, string[]>> {
  const byProvider: Record<string, string[]> = {};
  for (const { provider, external_id } of await listExternalIds(db, entity, [id]))
    byProvider[provider] = [...(byProvider[provider] ?? []), external_id];
  return byProvider;
}

/** The ids of a register's linked entries, except ids that several of ours claim. */
const LINKED_IDS = `SELECT e.entity, i.key AS provider, i.value AS external_id, min(e.entity_id) AS entity_id
  FROM register_entry e CROSS JOIN jsonb_each_text(e.ids) i WHERE e.register = $1 AND e.entity_id IS NOT NULL
  GROUP BY 1, 2, 3 HAVING count(DISTINCT e.entity_id) = 1`;

/**
 * Replaces the stored ids from a register by the ids of the linked entries. An id that a provider itself has given stays as it is.
 */
export async function replaceRegisterIds(pool: pg.Pool, register: string): Promise<void> {
  await transaction(pool, async (client) => {
    await client.query(
      `WITH linked AS MATERIALIZED (${LINKED_IDS})
       DELETE FROM external_ref r WHERE r.register = $1 AND NOT EXISTS (
         SELECT FROM linked l WHERE (l.entity, l.provider, l.external_id, l.entity_id) = (r.entity, r.provider, r.external_id, r.entity_id))`,
      [register],
    );
    await client.query(
      `INSERT INTO external_ref (entity, provider, external_id, entity_id, register)
       SELECT entity, provider, external_id, entity_id, $1 FROM (${LINKED_IDS}) l ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
      [register],
    );
  });
}

/** Stands in place of a register for ids from data/identity/outside-ids.csv. */
export const LISTED = 'listed';

/** A listed id of a team. */
export interface ListedId {
  sport: string;
  gender: string;
  /** The team's stored key. */
  key: string;
  provider: string;
  external_id: string;
}

/** Replaces the listed ids. An id that is stored already stays as it is. */
export async function replaceListedIds(db: Queryable, ids: readonly ListedId[]): Promise<void> {
  await db.query(
    `WITH listed AS MATERIALIZED (
       SELECT 'team' AS entity, l.provider, l.external_id, coalesce(p.person_id, p.id) AS entity_id
       FROM json_to_recordset($1) AS l (sport text, gender text, key text, provider text, external_id text)
       JOIN participant p ON (p.type, p.sport, p.gender, p.key) = ('team', l.sport, l.gender, l.key)),
     gone AS (
       DELETE FROM external_ref r WHERE r.register = $2 AND NOT EXISTS (
         SELECT FROM listed l WHERE (l.entity, l.provider, l.external_id, l.entity_id) = (r.entity, r.provider, r.external_id, r.entity_id)))
     INSERT INTO external_ref (entity, provider, external_id, entity_id, register)
     SELECT entity, provider, external_id, entity_id, $2 FROM listed ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
    [JSON.stringify(ids), LISTED],
  );
}

/** Returns the providers that have ids for entities of this type, ordered by name. */
export async function listProviders(db: Queryable, entity: Entity): Promise<string[]> {
  // Jumps from one provider to the next in the primary key, since a million matches have only a handful of providers.
  const { rows } = await db.query<{ provider: string }>(
    `WITH RECURSIVE known AS (
       (SELECT provider FROM external_ref WHERE entity = $1 ORDER BY provider LIMIT 1)
       UNION ALL
       SELECT (SELECT r.provider FROM external_ref r WHERE r.entity = $1 AND r.provider > known.provider ORDER BY r.provider LIMIT 1)
       FROM known WHERE known.provider IS NOT NULL
     ) SELECT provider FROM known WHERE provider IS NOT NULL`,
    [entity],
  );
  return rows.map(({ provider }) => provider);
}
