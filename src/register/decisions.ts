/** Stores what was decided about the entries of a register. */
import type { Queryable } from '../db/postgres.ts';
import { LISTED } from '../identity/external-ids.ts';
import type { Decision } from './decision.ts';
import type { RegisterEntity } from './entries.ts';

/** Persons born after the day `from` and until the day `to`. YYYY-MM-DD, or -infinity and infinity. */
export interface BirthDates {
  from: string;
  to: string;
}

/** The entries that a call decides about: an SQL condition with the dates as $4 and $5. */
interface Part {
  condition: string;
  dates: BirthDates;
}
const NO_DATES: BirthDates = { from: '-infinity', to: 'infinity' };
export const ALL: Part = { condition: '$4::date <= $5::date', dates: NO_DATES };
export const UNDATED: Part = { condition: 'e.since IS NULL AND $4::date <= $5::date', dates: NO_DATES };
export const bornBetween = (dates: BirthDates): Part => ({
  condition: 'e.since > $4::date AND e.since <= $5::date',
  dates,
});

/** Stores the decisions about a part of the entries. An entry without a decision loses the one that it had. */
export async function storeDecisions(
  db: Queryable,
  register: string,
  entity: RegisterEntity,
  { condition, dates }: Part,
  decisions: readonly Decision[],
): Promise<void> {
  await db.query(
    `WITH decided AS (
       SELECT * FROM json_to_recordset($3) AS d (register_id text, entity_id bigint, reason text, candidates json)),
     wanted AS (
       SELECT e.register_id, d.entity_id, d.reason,
         ARRAY(SELECT json_array_elements_text(d.candidates)::bigint ORDER BY 1) AS candidates
       FROM register_entry e LEFT JOIN decided d USING (register_id)
       WHERE e.register = $1 AND e.entity = $2 AND ${condition} AND (d.register_id IS NOT NULL OR e.reason IS NOT NULL))
     UPDATE register_entry e SET entity_id = w.entity_id, reason = w.reason, candidates = w.candidates FROM wanted w
     WHERE e.register = $1 AND e.entity = $2 AND e.register_id = w.register_id
       AND (e.entity_id, e.reason, e.candidates) IS DISTINCT FROM (w.entity_id, w.reason, w.candidates)`,
    [register, entity, JSON.stringify(decisions), dates.from, dates.to],
  );
}

/**
 * Notes for each linked entry which other entities of ours claim one of its ids: through another linked entry, or because the
 * provider itself, or a reviewed file, has given the id. An operator decides whether they are one entity.
 */
export async function noteClaims(db: Queryable, register: string): Promise<void> {
  await db.query(
    `WITH own AS MATERIALIZED (
       SELECT e.entity, e.register_id, e.entity_id, i.key AS provider, i.value AS external_id
       FROM register_entry e CROSS JOIN jsonb_each_text(e.ids) i WHERE e.register = $1 AND e.entity_id IS NOT NULL),
     claims AS (
       SELECT a.entity, a.register_id, a.entity_id, b.entity_id AS other FROM own a
         JOIN own b ON (b.entity, b.provider, b.external_id) = (a.entity, a.provider, a.external_id) AND b.entity_id <> a.entity_id
       UNION SELECT a.entity, a.register_id, a.entity_id, coalesce(p.person_id, r.entity_id) FROM own a
         JOIN external_ref r ON (r.entity, r.provider, r.external_id) = (a.entity, a.provider, a.external_id) AND (r.register IS NULL OR r.register = $2)
         LEFT JOIN participant p ON r.entity IN ('team', 'player') AND p.id = r.entity_id
       WHERE coalesce(p.person_id, r.entity_id) <> a.entity_id)
     UPDATE register_entry e SET reason = 'claimed_id', candidates = c.candidates FROM (
       SELECT entity, register_id, array_agg(DISTINCT o ORDER BY o) AS candidates
       FROM claims CROSS JOIN LATERAL unnest(ARRAY[entity_id, other]) o GROUP BY 1, 2) c
     WHERE e.register = $1 AND e.entity = c.entity AND e.register_id = c.register_id
       AND (e.reason, e.candidates) IS DISTINCT FROM ('claimed_id', c.candidates)`,
    [register, LISTED],
  );
}
