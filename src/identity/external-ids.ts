/** Providers' ids for our entities. */
import { prepared, type Queryable } from '../db/postgres.ts';
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
/** Leaves out matches and tournaments that the plan does not include. */
const WITHIN = `($4::text[] IS NULL OR r.entity NOT IN ('match', 'tournament') OR EXISTS (
  SELECT FROM match m WHERE r.entity = 'match' AND m.id = r.entity_id AND (m.sport = ANY ($4) OR m.tournament_id = ANY ($5::bigint[]))
  UNION ALL SELECT FROM tournament t WHERE r.entity = 'tournament' AND t.id = r.entity_id AND (t.sport = ANY ($4) OR t.id = ANY ($5::bigint[]))))`;

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
