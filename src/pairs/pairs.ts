/** Lists, decides and reopens pairs of participants that may be the same. Each decision is in the audit log. */

import { type Actor, audit } from '../accounts/index.ts';
import { type MatchDeps, type MovedMatch, moveMatches, refreshStaff } from '../apply/index.ts';
import type { MatchChanges } from '../db/notices.ts';
import { firstRow, type Queryable, transaction, wireTimeSql } from '../db/postgres.ts';
import { invalidParameter, Problem } from '../http/index.ts';
import { joinPersons, type MovedAlias, moveAliases, moveAliasesBack, splitPersons } from '../identity/index.ts';
import type { ParticipantType } from '../wire/match.ts';
import { wireTime } from '../wire/time.ts';
import { type Evidence, readEvidence } from './evidence.ts';

export interface PairsDeps extends Pick<MatchDeps, 'pool' | 'clock'> {
  changes: Pick<MatchChanges, 'publish' | 'publishJoined'>;
}

export type Decision = 'same' | 'different';

interface Side {
  id: number;
  name: string;
  country: string | null;
  /** YYYY-MM-DD */
  birth_date: string | null;
  names: string[];
  providers: string[];
  matches: number;
  first: string | null;
  last: string | null;
}

export interface Pair {
  id: number;
  type: ParticipantType;
  sport: string;
  gender: string;
  likeness: number;
  found_at: string;
  decision: Decision | null;
  decided_at: string | null;
  decided_by: string | null;
  reason: string | null;
  known: Side;
  other: Side;
}

/** Names and matches that a decision moved to the known participant. */
interface Moved {
  matches?: MovedMatch[];
  aliases?: MovedAlias[];
  /** Participants that had already been joined to the duplicate. */
  joined?: number[];
}

/** Maximum length of a reason, in characters. */
const MAX_REASON = 500;

const SIDE = (id: string) => `(SELECT row_to_json(s) FROM (
  SELECT p.id, p.name, p.country, p.birth_date::text,
    ARRAY(SELECT DISTINCT a.name FROM participant_alias a WHERE a.participant_id = p.id ORDER BY 1 LIMIT 12) AS names,
    ARRAY(SELECT a.provider FROM participant_alias a WHERE a.participant_id = p.id
      UNION SELECT r.provider FROM external_ref r WHERE r.entity = p.type AND r.entity_id = p.id ORDER BY 1) AS providers,
    m.matches, m.first, m.last
  FROM participant p CROSS JOIN LATERAL (
    SELECT count(*)::int AS matches, min(scheduled_start)::date::text AS first, max(scheduled_start)::date::text AS last FROM (
      SELECT scheduled_start FROM match WHERE home_id = p.id OR away_id = p.id
      UNION ALL SELECT m.scheduled_start FROM match_player l JOIN match m ON m.id = l.match_id WHERE l.participant_id = p.id
      UNION ALL SELECT m.scheduled_start FROM match_staff l JOIN match m ON m.id = l.match_id WHERE l.participant_id = p.id) played) m
  WHERE p.id = ${id}) s)`;

const SELECT = `SELECT x.id, k.type, k.sport, k.gender, x.likeness, ${wireTimeSql('x.found_at')} AS found_at, x.decision,
    ${wireTimeSql('x.decided_at')} AS decided_at, x.decided_by, x.reason, ${SIDE('x.known_id')} AS known, ${SIDE('x.other_id')} AS other
  FROM participant_pair x JOIN participant k ON k.id = x.known_id`;

/** Returns one page of open pairs, the most similar first. */
export async function openPairs(db: Queryable, limit: number, offset = 0): Promise<Pair[]> {
  const { rows } = await db.query<Pair>(
    `${SELECT} JOIN participant o ON o.id = x.other_id
     WHERE x.decision IS NULL AND k.person_id IS NULL AND o.person_id IS NULL ORDER BY x.likeness DESC, x.id LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return rows;
}

/** Returns decided pairs, the newest decision first. */
export async function decidedPairs(db: Queryable, limit: number): Promise<Pair[]> {
  const { rows } = await db.query<Pair>(
    `${SELECT} WHERE x.decision IS NOT NULL ORDER BY x.decided_at DESC, x.id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

export async function findPair(db: Queryable, id: number): Promise<Pair & { evidence: Evidence }> {
  const { rows } = await db.query<Pair>(`${SELECT} WHERE x.id = $1`, [id]);
  const [pair] = rows;
  if (pair === undefined) throw unknownPair(id);
  return { ...pair, evidence: await readEvidence(db, pair.known.id, pair.other.id) };
}

const unknownPair = (id: number) => new Problem('not_found', `There is no pair ${id}.`);

/**
 * Adds a pair by hand, for an operator who knows that two names may stand for one participant.
 * @param known the id of the participant that stays if both are the same
 * @returns the pair's id
 * @throws {Problem} not_found; conflict if the two cannot be the same, or are a pair already
 */
export async function addPair({ pool, clock }: PairsDeps, known: number, other: number): Promise<number> {
  const { rows } = await pool.query<{ id: number; type: ParticipantType; sport: string; person_id: number | null }>(
    'SELECT id, type, sport, person_id FROM participant WHERE id = ANY ($1)',
    [[known, other]],
  );
  const [first, second] = [known, other].map((id) => {
    const found = rows.find((row) => row.id === id);
    if (found === undefined) throw new Problem('not_found', `There is no participant ${id}.`);
    if (found.person_id !== null) throw new Problem('conflict', `${id} is participant ${found.person_id} now.`);
    return found;
  });
  const areAlike = first!.sport === second!.sport && (first!.type === 'team') === (second!.type === 'team');
  if (known === other || !areAlike)
    throw new Problem('conflict', `${known} and ${other} cannot be the same: ${first!.type}, ${second!.type}.`);
  const pair = await pool.query<{ id: number }>(
    `INSERT INTO participant_pair (known_id, other_id, likeness, found_at) SELECT $1, $2, 1, $3
     WHERE NOT EXISTS (SELECT FROM participant_pair WHERE known_id = $2 AND other_id = $1) ON CONFLICT DO NOTHING RETURNING id`,
    [known, other, wireTime(clock.now())],
  );
  if (pair.rows[0] === undefined) throw new Problem('conflict', `${known} and ${other} are a pair already.`);
  return pair.rows[0].id;
}

interface Row {
  id: number;
  known_id: number;
  other_id: number;
  decision: Decision | null;
  decided_by: string | null;
  moved: Moved;
}

async function lockPair(client: Queryable, id: number): Promise<Row> {
  const { rows } = await client.query<Row>(
    'SELECT id, known_id, other_id, decision, decided_by, moved FROM participant_pair WHERE id = $1 FOR UPDATE',
    [id],
  );
  if (rows[0] === undefined) throw unknownPair(id);
  return rows[0];
}

/**
 * Decides a pair. If the decision is that both are the same, the known participant takes over the duplicate's names, ids and
 * matches. The duplicate's id stays valid and leads to the known participant.
 * @throws {Problem} not_found; invalid_parameter; conflict if the pair is decided, or the two cannot be the same
 */
export async function decidePair(
  deps: PairsDeps,
  id: number,
  decision: Decision,
  actor: Actor,
  reason = '',
): Promise<void> {
  if ([...reason].length > MAX_REASON)
    throw invalidParameter('reason', 'too_big', `must have at most ${MAX_REASON} characters`);
  const { pool, clock, changes } = deps;
  const pair = await transaction(pool, async (client) => {
    const row = await lockPair(client, id);
    if (row.decision === null && row.moved.matches !== undefined)
      throw new Problem('conflict', `Pair ${id} is being reopened: try again in a minute.`);
    if (row.decision !== null)
      throw new Problem('conflict', `Pair ${id} is already decided: ${row.decision}, by ${row.decided_by}.`);
    if (decision === 'same') await joinParticipants(client, row);
    await client.query(
      "UPDATE participant_pair SET decision = $2, decided_at = $3, decided_by = $4, reason = nullif($5, '') WHERE id = $1",
      [id, decision, wireTime(clock.now()), actor.name, reason],
    );
    await audit(client, clock, {
      accountId: null,
      actor,
      action: 'pair.decided',
      target: `pair ${id}`,
      details: { decision, known: row.known_id, other: row.other_id, ...(reason !== '' && { reason }) },
    });
    return row;
  });
  if (decision !== 'same') return;
  changes.publishJoined();
  await finishMove(deps, pair);
  await refreshStaff(deps, [pair.other_id]);
}

/** Joins a pair's duplicate to the known participant. The duplicate's matches are moved separately. */
async function joinParticipants(client: Queryable, { id, known_id, other_id }: Row): Promise<void> {
  const { rows } = await client.query<{ id: number; type: ParticipantType; name: string; person_id: number | null }>(
    'SELECT id, type, name, person_id FROM participant WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    [[known_id, other_id]],
  );
  const gone = rows.find(({ person_id }) => person_id !== null);
  if (gone !== undefined)
    throw new Problem(
      'conflict',
      `${gone.name} (${gone.id}) is participant ${gone.person_id} now: decide about participant ${gone.person_id}.`,
    );
  const { met } = await readEvidence(client, known_id, other_id);
  // A player may have coached the team in the same match.
  const haveSameRole = new Set(rows.map(({ type }) => type)).size === 1;
  if (met > 0 && haveSameRole) throw new Problem('conflict', `They have played in the same match, so they are two.`);
  await refuseCorrected(client, other_id);
  const joined = await joinPersons(client, known_id, other_id);
  const aliases = await moveAliases(client, known_id, other_id);
  const moved: Moved = {
    aliases,
    joined: joined.filter((one) => one !== other_id),
    matches: [],
  };
  await client.query('UPDATE participant_pair SET moved = $2 WHERE id = $1', [id, JSON.stringify(moved)]);
}

/**
 * Refuses a decision if the duplicate is a side in a match with corrections by hand. The corrections would be lost if that
 * match turned out to be a duplicate, too.
 */
async function refuseCorrected(client: Queryable, id: number): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    "SELECT id FROM match WHERE (home_id = $1 OR away_id = $1) AND provenance ? 'correction' ORDER BY id LIMIT 1",
    [id],
  );
  if (rows[0] !== undefined)
    throw new Problem('conflict', `Match ${rows[0].id} has corrections by hand: withdraw them first.`);
}

/** Moves the matches that the duplicate still has to the known participant. @returns how many were moved */
async function finishMove(
  deps: PairsDeps,
  { id, known_id, other_id }: Pick<Row, 'id' | 'known_id' | 'other_id'>,
): Promise<number> {
  return moveMatches(deps, {
    from: other_id,
    into: known_id,
    moved: async (client, matches) => {
      await client.query(
        "UPDATE participant_pair SET moved = jsonb_set(moved, '{matches}', coalesce(moved -> 'matches', '[]') || $2::jsonb) WHERE id = $1",
        [id, JSON.stringify(matches)],
      );
    },
  });
}

/**
 * Moves matches that are still with the wrong participant, because a move was interrupted or a process wrote them without
 * knowing the decision.
 * @returns how many were moved
 */
export async function finishMoves(deps: PairsDeps): Promise<number> {
  const { rows } = await deps.pool.query<Pick<Row, 'id' | 'known_id' | 'other_id'>>(
    `SELECT x.id, x.known_id, x.other_id FROM participant_pair x WHERE x.decision = 'same' AND (
       EXISTS (SELECT FROM match WHERE home_id = x.other_id) OR EXISTS (SELECT FROM match WHERE away_id = x.other_id)
       OR EXISTS (SELECT FROM match_player WHERE participant_id = x.other_id)) ORDER BY x.id`,
  );
  let total = 0;
  for (const row of rows) total += await finishMove(deps, row);
  const reopened = await deps.pool.query<{ id: number }>(
    "SELECT id FROM participant_pair WHERE decision IS NULL AND moved <> '{}' ORDER BY id",
  );
  for (const { id } of reopened.rows) total += await moveBack(deps, id);
  return total;
}

/**
 * Reopens a decided pair. The former duplicate gets its names, ids and matches back. A match that was merged into a match of
 * the known participant stays there.
 * @throws {Problem} not_found; conflict if the pair is open
 */
export async function reopenPair(deps: PairsDeps, id: number, actor: Actor): Promise<void> {
  const { pool, clock, changes } = deps;
  const pair = await transaction(pool, async (client) => {
    const row = await lockPair(client, id);
    if (row.decision === null) throw new Problem('conflict', `Pair ${id} is already open.`);
    if (row.decision === 'same') await splitParticipants(client, row);
    const back = (row.moved.matches ?? []).filter(({ merged }) => merged === undefined);
    await client.query(
      'UPDATE participant_pair SET decision = NULL, decided_at = NULL, decided_by = NULL, reason = NULL, moved = $2 WHERE id = $1',
      [id, JSON.stringify(back.length === 0 ? {} : { matches: back })],
    );
    await audit(client, clock, {
      accountId: null,
      actor,
      action: 'pair.reopened',
      target: `pair ${id}`,
      details: { decision: row.decision, known: row.known_id, other: row.other_id },
    });
    return row;
  });
  if (pair.decision !== 'same') return;
  changes.publishJoined();
  await moveBack(deps, pair.id);
  await refreshStaff(deps, [pair.other_id]);
}

/**
 * Moves a reopened pair's matches back to the former duplicate.
 * @returns how many were moved
 */
async function moveBack(deps: PairsDeps, id: number): Promise<number> {
  const { rows } = await deps.pool.query<Pick<Row, 'known_id' | 'other_id' | 'moved'>>(
    'SELECT known_id, other_id, moved FROM participant_pair WHERE id = $1',
    [id],
  );
  const { known_id, other_id, moved } = firstRow(rows);
  const count = await moveMatches(deps, {
    from: known_id,
    into: other_id,
    only: moved.matches ?? [],
    moved: async () => {},
  });
  await deps.pool.query("UPDATE participant_pair SET moved = '{}' WHERE id = $1 AND decision IS NULL", [id]);
  return count;
}

async function splitParticipants(client: Queryable, { known_id, other_id, moved }: Row): Promise<void> {
  const { aliases = [], joined = [] } = moved;
  await splitPersons(client, other_id, joined);
  await moveAliasesBack(client, known_id, other_id, aliases);
}
