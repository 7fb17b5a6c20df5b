/** Decides about entries that need no comparison of names: a reviewed file or one of their ids says what they mean. */
import type { Queryable } from '../db/postgres.ts';
import { LISTED } from '../identity/external-ids.ts';
import { type Decision, inDoubt, linked } from './decision.ts';
import type { RegisterEntity } from './entries.ts';
import { type ReviewedEntry, reviewedEntries } from './reviewed.ts';

type ByEntity = Record<RegisterEntity, Decision[]>;

/** An entry that is reviewed to be nothing of ours gets the reason without a candidate. */
export async function decideKnown(db: Queryable, register: string): Promise<ByEntity> {
  const decisions: ByEntity = { tournament: [], team: [], player: [] };
  const decided = new Set<string>();
  const take = (entity: RegisterEntity, decision: Decision) => {
    const key = `${entity} ${decision.register_id}`;
    if (!decided.has(key)) decisions[entity].push(decision);
    decided.add(key);
  };
  for (const { entity, register_id, ours } of await readReviewed(db, register, reviewedEntries()))
    take(entity, ours === null ? inDoubt(register_id, 'reviewed', []) : linked(register_id, ours, 'reviewed'));
  for (const { entity, register_id, ours } of await readKnownIds(db, register)) {
    const [only, other] = ours;
    take(
      entity,
      other === undefined ? linked(register_id, only!, 'known_id') : inDoubt(register_id, 'several_of_ours', ours),
    );
  }
  return decisions;
}

interface ReviewedRow {
  entity: RegisterEntity;
  register_id: string;
  ours: number | null;
}

/** Leaves out reviewed entries whose entity the catalogue does not have yet. */
async function readReviewed(
  db: Queryable,
  register: string,
  reviewed: readonly ReviewedEntry[],
): Promise<ReviewedRow[]> {
  const given = reviewed.map(({ ours, ...entry }) => ({ ...entry, ...ours, is_none: ours === null }));
  const { rows } = await db.query<ReviewedRow>(
    `SELECT e.entity, e.register_id, coalesce(p.person_id, p.id, t.id) AS ours
     FROM json_to_recordset($2) AS r (entity text, wikidata text, sport text, gender text, country text, key text, is_none boolean)
     JOIN register_entry e ON e.register = $1 AND e.entity = r.entity AND e.ids ->> 'wikidata' = r.wikidata
     LEFT JOIN participant p ON r.entity = 'team' AND (p.type, p.sport, p.gender, p.key) = ('team', r.sport, r.gender, r.key)
     LEFT JOIN tournament t ON r.entity = 'tournament' AND (t.sport, t.country, t.gender, t.key) = (r.sport, r.country, r.gender, r.key)
     WHERE r.is_none OR p.id IS NOT NULL OR t.id IS NOT NULL`,
    [register, JSON.stringify(given)],
  );
  return rows;
}

/** Finds entries with an id that a provider itself, or a reviewed file, has given to one of ours. */
async function readKnownIds(
  db: Queryable,
  register: string,
): Promise<{ entity: RegisterEntity; register_id: string; ours: number[] }[]> {
  const { rows } = await db.query<{ entity: RegisterEntity; register_id: string; ours: number[] }>(
    `WITH known AS MATERIALIZED (
       SELECT r.entity, r.provider, r.external_id, coalesce(p.person_id, r.entity_id) AS ours
       FROM external_ref r LEFT JOIN participant p ON r.entity IN ('team', 'player') AND p.id = r.entity_id
       WHERE (r.register IS NULL OR r.register = $2) AND r.entity IN ('tournament', 'team', 'player')),
     own AS MATERIALIZED (
       SELECT e.entity, e.register_id, i.key AS provider, i.value AS external_id FROM register_entry e CROSS JOIN jsonb_each_text(e.ids) i
       WHERE e.register = $1 AND e.ids ?| (SELECT array_agg(DISTINCT provider) FROM known))
     SELECT own.entity, own.register_id, array_agg(DISTINCT known.ours ORDER BY known.ours) AS ours
     FROM own JOIN known USING (entity, provider, external_id) GROUP BY 1, 2 ORDER BY 1, 2`,
    [register, LISTED],
  );
  return rows;
}
