/**
 * Finds pairs of participants that may be the same: the names are similar, at least one of the two is known only from live
 * sources, and they have not played at the same time. An operator decides.
 */
import type pg from 'pg';
import { firstRow, type Queryable, transaction } from '../db/postgres.ts';
import { IS_NAMED_ONLY } from '../identity/entity-keys.ts';
import type { Precedence } from '../identity/precedence.ts';
import type { ParticipantType } from '../wire/match.ts';
import { wireTime } from '../wire/time.ts';
import { haveClashed } from './evidence.ts';
import { areAlike, likeness } from './likeness.ts';

export interface PairDeps {
  pool: pg.Pool;
  clock: { now(): number };
  config: { precedence: Precedence };
}

/** Participants compared in one transaction. */
const SLICE = 50;
/** How many ids below the last compared id are compared again, because a lower id may be committed after a higher one. */
const AGAIN = 50;
/** Minimum trigram similarity between two names for a comparison. */
const SIMILARITY = 0.35;
/** Maximum number of pairs for one participant. Only the most similar ones are stored. */
const MOST = 5;
/** Provider id for names that we give to participants ourselves. Such names say nothing about the source. */
const OWN = 'touchline';

interface Candidate {
  id: number;
  other: number;
  type: ParticipantType;
  names: string[];
  other_names: string[];
  birth_date: string | null;
  other_birth_date: string | null;
  other_is_live: boolean;
}

/**
 * Returns SQL that is true if only live sources have named a participant.
 * @param p table alias
 * @param history parameter with the history sources
 */
const isLiveOnly = (p: string, history: string) =>
  `NOT EXISTS (SELECT FROM participant_alias h WHERE h.participant_id = ${p}.id AND h.provider = ANY (${history}))`;

/** Selects participants that are known only from live sources. If $3 is true, only those with an id above $2. */
const LIVE_ONLY = `SELECT p.id, p.id > $2 AS is_new FROM participant p
  WHERE p.person_id IS NULL AND NOT p.${IS_NAMED_ONLY} AND (p.id > $2 OR NOT $3)
    AND EXISTS (SELECT FROM participant_alias a WHERE a.participant_id = p.id) AND ${isLiveOnly('p', '$1')} ORDER BY p.id`;

const NAMES = (p: string) =>
  `ARRAY(SELECT DISTINCT n.key FROM participant_alias n WHERE n.participant_id = ${p}.id ORDER BY 1 LIMIT 50)`;

const IS_NATION = (p: string) => `${p}.key LIKE '%|national team %'`;

/**
 * Selects pairs of a participant in $1 and any participant of the same kind with a similar name, if at least one of the two
 * is new (id above $2). A pair is excluded if the countries differ (a missing country does not count), or if one provider has
 * an id for each.
 */
const CANDIDATES = `SELECT p.id, q.id AS other, p.type, ${NAMES('p')} AS names, ${NAMES('q')} AS other_names, p.birth_date::text,
    q.birth_date::text AS other_birth_date, ${isLiveOnly('q', '$3')} AS other_is_live
  FROM participant p
  CROSS JOIN LATERAL (SELECT DISTINCT b.participant_id FROM participant_alias a JOIN participant_alias b ON b.sound % a.sound
    WHERE a.participant_id = p.id AND b.participant_id <> p.id) alike
  JOIN participant q ON q.id = alike.participant_id AND q.type = p.type AND q.sport = p.sport AND q.gender = p.gender
    AND q.person_id IS NULL AND NOT q.${IS_NAMED_ONLY} AND (${IS_NATION('p')}) = (${IS_NATION('q')})
    AND (p.country = q.country OR p.country IS NULL OR q.country IS NULL OR p.country = 'INT' OR q.country = 'INT')
  WHERE p.id = ANY ($1) AND (p.id > $2 OR q.id > $2) AND NOT EXISTS (
    SELECT FROM external_ref a JOIN external_ref b ON b.entity = a.entity AND b.provider = a.provider
    WHERE a.entity = p.type AND a.entity_id = p.id AND b.entity_id = q.id)`;

/**
 * Compares the participants that have been added since the last call.
 * @param pause called between pieces of work; it may throw to end the run
 * @returns how many pairs are new; null if there was nothing to compare
 */
export async function findPairs(
  deps: PairDeps,
  pause: () => Promise<unknown> = async () => undefined,
): Promise<number | null> {
  const { pool, config } = deps;
  const history = config.precedence.history.filter((provider) => provider !== OWN);
  const { rows } = await pool.query<{ compared: number; last: number }>(
    'SELECT compared_id AS compared, coalesce((SELECT max(id) FROM participant), 0) AS last FROM participant_pair_search',
  );
  const { compared, last } = firstRow(rows);
  if (compared >= last) return null;
  const since = Math.max(0, compared - AGAIN);
  const added = await pool.query<{ hasHistory: boolean }>(
    `SELECT EXISTS (SELECT FROM participant p WHERE p.id > $1 AND NOT p.${IS_NAMED_ONLY} AND NOT (${isLiveOnly('p', '$2')})) AS "hasHistory"`,
    [since, history],
  );
  const live = await pool.query<{ id: number }>(LIVE_ONLY, [history, since, !firstRow(added.rows).hasHistory]);
  let count = 0;
  for (let at = 0; at < live.rows.length; at += SLICE) {
    await pause();
    const ids = live.rows.slice(at, at + SLICE).map(({ id }) => id);
    count += await transaction(pool, (client) => compareSome(client, ids, since, history, deps.clock.now()), [
      `SET LOCAL pg_trgm.similarity_threshold = ${SIMILARITY}`,
    ]);
  }
  await pool.query('UPDATE participant_pair_search SET compared_id = greatest(compared_id, $1)', [last]);
  return count;
}

async function compareSome(
  client: Queryable,
  ids: readonly number[],
  since: number,
  history: readonly string[],
  now: number,
): Promise<number> {
  const { rows } = await client.query<Candidate>(CANDIDATES, [ids, since, history]);
  const best = new Map<number, { pair: [known: number, other: number]; score: number }[]>();
  for (const row of rows) {
    if (!areAlike(row.type, person(row.names, row.birth_date), person(row.other_names, row.other_birth_date))) continue;
    const score = likeness(row.names, row.other_names);
    best.set(row.id, [...(best.get(row.id) ?? []), { pair: ordered(row), score }]);
  }
  let count = 0;
  for (const list of best.values())
    for (const { pair, score } of list.sort((a, b) => b.score - a.score).slice(0, MOST)) {
      if (await haveClashed(client, ...pair)) continue;
      count += await addPair(client, pair, score, now);
    }
  return count;
}

const person = (names: readonly string[], birthDate: string | null) => ({ names, birthDate });

/**
 * Returns the participant that stays if both are the same. This is the one that a history source has named or, if there is
 * none, the older one.
 */
const ordered = ({ id, other, other_is_live }: Candidate): [known: number, other: number] =>
  other_is_live ? [Math.min(id, other), Math.max(id, other)] : [other, id];

/** Adds a pair unless it is already stored, in either order. @returns 1 if the pair is new */
export async function addPair(
  client: Queryable,
  [known, other]: readonly [number, number],
  score: number,
  now: number,
): Promise<number> {
  const { rowCount } = await client.query(
    `INSERT INTO participant_pair (known_id, other_id, likeness, found_at) SELECT $1, $2, $3, $4
     WHERE NOT EXISTS (SELECT FROM participant_pair WHERE known_id = $2 AND other_id = $1) ON CONFLICT DO NOTHING`,
    [known, other, score, wireTime(now)],
  );
  return rowCount ?? 0;
}
