/** Makes, withdraws and lists operators' corrections to matches. Each change is one transaction with an audit log entry. */
import { isDeepStrictEqual } from 'node:util';
import { type Actor, audit } from '../accounts/index.ts';
import {
  applyCorrection,
  type CorrectedMatch,
  type Correction,
  type FieldGroup,
  type LineupPlayer,
  loadBlocks,
  lockMatches,
  type MatchDeps,
  type MatchState,
  parseList,
  playerSide,
  type StoredMatch,
} from '../apply/index.ts';
import { firstRow, type Queryable, retried, transaction, wireTimeSql } from '../db/postgres.ts';
import { invalidParameter, invalidParameters, Problem } from '../http/index.ts';
import type { Incident } from '../wire/match.ts';
import { wireTime } from '../wire/time.ts';
import { findScorer, findVenue } from './named-entities.ts';
import { type GivenCorrection, type ReadCorrection, readCorrection, reasonFault } from './parse-correction.ts';
import { sumCorrections } from './standing-corrections.ts';

/** Maximum number of corrections that may stand in one match. */
const MAX_STANDING = 100;

export interface StoredCorrection extends Correction {
  id: number;
  match_id: number;
  at: string;
  actor: string;
  reason: string;
  /** Null if the correction stands. */
  withdrawn_at: string | null;
  withdrawn_by: string | null;
}

export type CorrectionDeps = Pick<MatchDeps, 'pool' | 'clock' | 'changes'>;

const COLUMNS = `id, match_id, ${wireTimeSql('at')} AS at, actor, reason, fields, players,
  ${wireTimeSql('withdrawn_at')} AS withdrawn_at, withdrawn_by`;

/** Returns a match's corrections, newest first, even if the match has been deleted. */
export async function listCorrections(db: Queryable, matchId: number): Promise<StoredCorrection[]> {
  const { rows } = await db.query<StoredCorrection>(
    `SELECT ${COLUMNS} FROM match_correction WHERE match_id = $1 ORDER BY id DESC`,
    [matchId],
  );
  return rows;
}

export interface RecentCorrection extends StoredCorrection {
  /** The sides, such as `Arsenal v Everton`. Null if the match has been deleted. */
  match: string | null;
}

/** Returns one page of corrections for all matches, newest first. @param before id of the last correction on the previous page */
export async function recentCorrections(db: Queryable, limit: number, before?: number): Promise<RecentCorrection[]> {
  const { rows } = await db.query<RecentCorrection>(
    `SELECT c.*, home.name || ' v ' || away.name AS match FROM (
       SELECT ${COLUMNS} FROM match_correction WHERE $2::bigint IS NULL OR id < $2 ORDER BY id DESC LIMIT $1
     ) c LEFT JOIN match m ON m.id = c.match_id LEFT JOIN participant home ON home.id = m.home_id
     LEFT JOIN participant away ON away.id = m.away_id ORDER BY c.id DESC`,
    [limit, before ?? null],
  );
  return rows;
}

/** Returns a match's standing corrections, oldest first. */
async function standingCorrections(db: Queryable, matchId: number): Promise<StoredCorrection[]> {
  const { rows } = await db.query<StoredCorrection>(
    `SELECT ${COLUMNS} FROM match_correction WHERE match_id = $1 AND withdrawn_at IS NULL ORDER BY id`,
    [matchId],
  );
  return rows;
}

export interface Corrected {
  outcome: 'corrected' | 'unchanged';
  /** The correction's id. If the outcome is `unchanged`, the id of the newest standing correction. */
  id: number;
}

/**
 * Corrects a match until the correction is withdrawn.
 * @throws {Problem} not_found; invalid_parameter; conflict if too many corrections stand
 */
export async function correctMatch(
  deps: CorrectionDeps,
  matchId: number,
  given: GivenCorrection,
  actor: Actor,
): Promise<Corrected> {
  const { correction, errors } = readCorrection(given);
  if (errors.length > 0) throw invalidParameters(errors);
  return changeMatch<Corrected>(deps, async (client, now) => {
    const match = await lockMatch(client, matchId);
    const standing = await standingCorrections(client, matchId);
    const named = await namedCorrection(client, match, correction);
    const sum = sumCorrections([...standing, named]);
    const last = standing.at(-1);
    if (last !== undefined && isDeepStrictEqual(sum, sumCorrections(standing)))
      return { changed: [], result: { outcome: 'unchanged', id: last.id } };
    if (standing.length >= MAX_STANDING)
      throw new Problem('conflict', `Match ${matchId} has ${MAX_STANDING} corrections: withdraw some first.`);
    const done = await applyCorrection(client, match, sum, named.fields, now);
    if ('faults' in done) throw refusal(done.faults, last);
    const id = await insertCorrection(
      client,
      { match_id: matchId, actor: actor.name, reason: correction.reason, ...named },
      now,
    );
    await audit(client, deps.clock, {
      accountId: null,
      actor,
      action: 'correction.made',
      target: `match ${matchId}`,
      details: { correction: id, reason: correction.reason, ...difference(done, named) },
    });
    return { changed: done.changed, result: { outcome: 'corrected', id } };
  });
}

/**
 * Withdraws a correction. Each field that it named then shows the value of another standing correction or, if there is none
 * for the field, the best provider's current value.
 * @param reason may be empty
 * @param ofMatch if given, the correction must belong to this match
 * @throws {Problem} not_found; invalid_parameter; conflict if it has already been withdrawn
 */
export async function withdrawCorrection(
  deps: CorrectionDeps,
  id: number,
  actor: Actor,
  reason = '',
  ofMatch?: number,
): Promise<StoredCorrection> {
  const fault = reason.trim() === '' ? null : reasonFault(reason.trim());
  if (fault !== null) throw invalidParameter('reason', 'invalid_value', fault);
  const { rows } = await deps.pool.query<{ match_id: number }>('SELECT match_id FROM match_correction WHERE id = $1', [
    id,
  ]);
  const matchId = rows[0]?.match_id;
  if (matchId === undefined || (ofMatch !== undefined && ofMatch !== matchId))
    throw new Problem(
      'not_found',
      `There is no correction ${id}${ofMatch === undefined ? '' : ` of match ${ofMatch}`}.`,
    );
  return changeMatch<StoredCorrection>(deps, async (client, now) => {
    // The match is locked first, so that two withdrawals of one correction wait for each other.
    const match = (await lockMatches(client, [matchId])).get(matchId);
    const standing = await standingCorrections(client, matchId);
    const withdrawn = standing.find((one) => one.id === id);
    if (withdrawn === undefined) throw await withdrawnAlready(client, id);
    const rest = sumCorrections(standing.filter((one) => one !== withdrawn));
    const done = match && (await applyCorrection(client, match, rest, null, now));
    if (done && 'faults' in done) throw refusal(done.faults, undefined);
    const { rowCount } = await client.query(
      'UPDATE match_correction SET withdrawn_at = $2, withdrawn_by = $3 WHERE id = $1 AND withdrawn_at IS NULL',
      [id, wireTime(now), actor.name],
    );
    // A deleted match cannot be locked, so a concurrent withdrawal is noticed only here.
    if (rowCount === 0) throw await withdrawnAlready(client, id);
    await audit(client, deps.clock, {
      accountId: null,
      actor,
      action: 'correction.withdrawn',
      target: `match ${matchId}`,
      details: {
        correction: id,
        ...(reason.trim() !== '' && { reason: reason.trim() }),
        ...(done && difference(done, withdrawn)),
      },
    });
    return { changed: done?.changed ?? [], result: withdrawn };
  });
}

/** Runs a change in one transaction, and retries it if a concurrent transaction made it fail. Publishes the changed matches. */
async function changeMatch<T>(
  { pool, clock, changes }: CorrectionDeps,
  work: (client: Queryable, now: number) => Promise<{ changed: number[]; result: T }>,
): Promise<T> {
  const { changed, result } = await retried(() => transaction(pool, (client) => work(client, clock.now())));
  if (changed.length > 0) changes.publish(changed);
  return result;
}

async function lockMatch(client: Queryable, id: number): Promise<StoredMatch> {
  const match = (await lockMatches(client, [id])).get(id);
  if (match !== undefined) return match;
  const { rows } = await client.query<{ reason: string; merged_into: number | null }>(
    'SELECT reason, merged_into FROM match_tombstone WHERE match_id = $1 ORDER BY change_cursor DESC LIMIT 1',
    [id],
  );
  const [gone] = rows;
  if (gone?.merged_into)
    throw new Problem(
      'not_found',
      `Match ${id} was merged into match ${gone.merged_into}: correct match ${gone.merged_into} instead.`,
    );
  throw new Problem('not_found', gone === undefined ? `There is no match ${id}.` : `Match ${id} was deleted.`);
}

/** Returns the correction with the ids of the named venue and scorer. */
async function namedCorrection(
  client: Queryable,
  match: StoredMatch,
  { fields, venue, scorer }: ReadCorrection,
): Promise<Correction> {
  const withVenue = venue === null ? fields : { ...fields, venue_id: await findVenue(client, venue) };
  if (scorer === null) return { fields: withVenue, players: {} };
  const blocks = (await loadBlocks(client, [match.id], ['incidents', 'lineups'])).get(match.id);
  const incidents = parseList<Incident>(blocks?.get('incidents'));
  const lineups = parseList<LineupPlayer>(blocks?.get('lineups'));
  return { fields: withVenue, players: findScorer(incidents, lineups, scorer, playerSide) };
}

async function insertCorrection(
  client: Queryable,
  { match_id, actor, reason, fields, players }: Omit<StoredCorrection, 'id' | 'at' | 'withdrawn_at' | 'withdrawn_by'>,
  now: number,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO match_correction (match_id, at, actor, reason, fields, players) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [match_id, wireTime(now), actor, reason, JSON.stringify(fields), JSON.stringify(players)],
  );
  return firstRow(rows).id;
}

/** Returns the corrected fields as they were shown before, and as they are shown now. */
function difference({ before, after }: CorrectedMatch, { fields, players }: Correction) {
  const values = (state: MatchState) =>
    Object.fromEntries((Object.keys(fields) as (keyof FieldGroup)[]).map((field) => [field, state[field]]));
  return { before: values(before), after: values(after), ...(Object.keys(players).length > 0 && { scorers: players }) };
}

/**
 * Returns the error for a correction whose result is invalid.
 * @param last the newest standing correction, which may have caused the fault
 */
function refusal(
  faults: readonly { path: string; code: string; detail: string }[],
  last: StoredCorrection | undefined,
): Problem {
  const errors = faults.map(({ path, code, detail }) => ({
    parameter: path.replace(/^match\./, ''),
    code,
    detail: last === undefined ? detail : `${detail} (correction ${last.id} stands)`,
  }));
  return invalidParameters(errors);
}

async function withdrawnAlready(client: Queryable, id: number): Promise<Problem> {
  const { rows } = await client.query<StoredCorrection>(`SELECT ${COLUMNS} FROM match_correction WHERE id = $1`, [id]);
  const { withdrawn_at, withdrawn_by } = firstRow(rows);
  return new Problem('conflict', `Correction ${id} was withdrawn by ${withdrawn_by} at ${withdrawn_at}.`);
}
