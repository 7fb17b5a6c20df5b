/**
 * Moves all matches of a participant to one that turned out to be the same, or moves them back. Works in small
 * transactions. After an interruption, the matches moved so far stay moved, and the next call continues from there.
 */

import type { Queryable } from '../../db/postgres.ts';
import { moveMatchIds } from '../../identity/index.ts';
import { wireTime } from '../../wire/time.ts';
import { comparePlaces, parseLead } from '../lead/choose-leader.ts';
import { type BlockChanges, noBlockChanges } from '../merge/match-blocks.ts';
import { type MatchChange, matchDeletion, storedMatchChange } from '../merge/match-change.ts';
import { changedPlayers, listStoredPlayers, withPlayerIds } from '../merge/players.ts';
import { type NamedPlayer, PLAYER_BLOCKS } from '../resolve/given-players.ts';
import { type BlockRow, loadBlocks, type StoredBlocks } from '../stored/blocks.ts';
import { readCovered } from '../stored/correction-overlay.ts';
import type { MatchState } from '../stored/match-state.ts';
import type { Provenance, ProvenanceDraft } from '../stored/provenance.ts';
import { lockMatches, type StoredMatch } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { changeInSlices, commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';

export interface MovedMatch {
  id: number;
  /** The side on which the new participant replaces the former one. Null for a player in the match. */
  side: 'home' | 'away' | null;
  /** The id of a match that turned out to be the same and was merged into this one. */
  merged?: number;
}

export interface Move {
  from: number;
  into: number;
  /** The matches to move. If absent, all matches are moved, and matches that turn out to be the same are merged. */
  only?: readonly MovedMatch[];
  /** Called within each transaction to record the matches that it has moved. */
  moved: (client: Queryable, matches: readonly MovedMatch[]) => Promise<void>;
}

/** Matches moved in one transaction. */
const SLICE = 50;
/** Maximum number of days between two sources' starts of the same match, as in find-matches.ts. */
const SAME_MATCH_DAYS = 2;

/** @returns the number of matches that have changed */
export async function moveMatches(deps: MatchDeps, move: Move): Promise<number> {
  const sides = move.only?.filter(({ side }) => side !== null).map(({ id }) => id);
  const asSide = await changeInSlices(deps, sides ?? (await matchesOfSide(deps.pool, move.from)), {
    size: SLICE,
    events: true,
    work: (client, ids, now) => moveSides(client, ids, move, now),
  });
  const lists = move.only?.filter(({ side }) => side === null).map(({ id }) => id);
  const inLists = await changeInSlices(deps, lists ?? (await matchesWithPlayer(deps.pool, move.from)), {
    size: SLICE,
    events: true,
    work: (client, ids, now) => movePlayer(client, ids, move, now),
  });
  return asSide + inLists;
}

async function matchesOfSide(db: Queryable, id: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'SELECT id FROM match WHERE home_id = $1 OR away_id = $1 ORDER BY id',
    [id],
  );
  return rows.map((row) => row.id);
}

async function matchesWithPlayer(db: Queryable, id: number): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    'SELECT DISTINCT match_id AS id FROM match_player WHERE participant_id = $1 ORDER BY 1',
    [id],
  );
  return rows.map((row) => row.id);
}

// ---- as a side

async function moveSides(client: Queryable, ids: readonly number[], move: Move, now: number): Promise<number[]> {
  const { from, into } = move;
  const twins = move.only === undefined ? await findTwins(client, ids, from, into) : new Map<number, number>();
  const locked = await lockMatches(client, [...ids, ...twins.values()]);
  const changes: MatchChange[] = [];
  const moved: MovedMatch[] = [];
  for (const id of ids) {
    const match = locked.get(id);
    if (match === undefined || (match.home_id !== from && match.away_id !== from)) continue;
    const side = match.home_id === from ? 'home' : 'away';
    const after = { ...match, [`${side}_id`]: into };
    // Skips matches between the two participants, because no participant can play against itself.
    if (after.home_id === after.away_id) continue;
    const twin = locked.get(twins.get(id) ?? 0);
    if (twin === undefined) {
      changes.push(storedMatchChange(match, { [`${side}_id`]: into }));
      moved.push({ id, side });
      continue;
    }
    locked.delete(twin.id);
    const [stays, goes] = orderSame(match, twin);
    const kept = stays === match ? after : stays;
    changes.push(...(await mergeMatches(client, stays, kept, goes, now)));
    moved.push({ id: stays.id, side, merged: goes.id });
  }
  if (changes.length === 0) return [];
  await move.moved(client, moved);
  return shownMatches(await commitMatchChanges(client, changes, now));
}

/**
 * Returns, for each match of `from`, the match of `into` that is the same match: season and sides are equal, and the starts
 * close together.
 */
async function findTwins(
  client: Queryable,
  ids: readonly number[],
  from: number,
  into: number,
): Promise<Map<number, number>> {
  const { rows } = await client.query<{ id: number; twin: number }>(
    `SELECT DISTINCT ON (m.id) m.id, t.id AS twin FROM match m
     JOIN match t ON t.season_id = m.season_id AND t.id <> m.id
       AND t.home_id = CASE m.home_id WHEN $2 THEN $3 ELSE m.home_id END AND t.away_id = CASE m.away_id WHEN $2 THEN $3 ELSE m.away_id END
     JOIN tournament o ON o.id = m.tournament_id
     WHERE m.id = ANY ($1) AND (o.single_home_fixture OR abs(extract(epoch FROM t.scheduled_start - m.scheduled_start)) <= $4 * 86400)
       AND NOT EXISTS (SELECT FROM external_ref a JOIN external_ref b ON b.entity = 'match' AND b.entity_id = t.id AND b.provider = a.provider
         WHERE a.entity = 'match' AND a.entity_id = m.id)
     ORDER BY m.id, abs(extract(epoch FROM t.scheduled_start - m.scheduled_start)), t.id`,
    [ids, from, into, SAME_MATCH_DAYS],
  );
  return new Map(rows.map((row) => [row.id, row.twin]));
}

/** Returns the changes that merge the match `goes` into the match `stays`. @param kept the match `stays`, with its new sides */
async function mergeMatches(
  client: Queryable,
  stays: StoredMatch,
  kept: StoredMatch,
  goes: StoredMatch,
  now: number,
): Promise<MatchChange[]> {
  const stored = await loadBlocks(client, [stays.id, goes.id], await blockNames(client, goes.id));
  const own: StoredBlocks = stored.get(stays.id) ?? new Map();
  const given: StoredBlocks = stored.get(goes.id) ?? new Map();
  const added = [...given.values()].filter(({ block }) => !own.has(block) && goes.provenance[block] !== undefined);
  const filled = filledFields(stays, goes);
  const provenance: ProvenanceDraft = { ...filled.provenance };
  for (const { block } of added) {
    const owner = goes.provenance[block];
    if (owner !== undefined) provenance[block] = owner;
  }
  await moveMatchIds(client, { from: goes.id, into: stays.id });
  const { home_id, away_id } = kept;
  const mentions = await mentionsIn(
    client,
    goes.id,
    added.map(({ block }) => block),
  );
  const blocks = { ...addedBlocks(stays.sport, own, added), mentions };
  const incident_seq = Math.max(stays.incident_seq, goes.incident_seq);
  const change = storedMatchChange(stays, { ...filled, provenance, home_id, away_id, incident_seq }, { blocks });
  const reported = { events: [{ type: 'match.deleted' as const }], occurredAt: wireTime(now) };
  return [change, { ...matchDeletion(goes, reported), mergedInto: stays.id }];
}

/** Returns the names without an id in some of a match's blocks. */
async function mentionsIn(client: Queryable, id: number, blocks: readonly string[]): Promise<NamedPlayer[]> {
  const { rows } = await client.query<NamedPlayer>(
    'SELECT block, side, name, goals, played, participant_id FROM player_mention WHERE match_id = $1 AND block = ANY ($2)',
    [id, blocks],
  );
  return rows;
}

async function blockNames(client: Queryable, id: number): Promise<string[]> {
  const { rows } = await client.query<{ block: string }>('SELECT block FROM match_block WHERE match_id = $1', [id]);
  return [...rows.map(({ block }) => block), 'incidents', 'lineups'];
}

function addedBlocks(sport: string, own: StoredBlocks, added: readonly BlockRow[]): BlockChanges {
  const blocks = noBlockChanges();
  if (added.length === 0) return blocks;
  blocks.rows = added.map(({ block, json, source }) => ({ block, json, source }));
  blocks.changed = new Set(added.map(({ block }) => block));
  const after = new Map([...own, ...added.map((row) => [row.block, row] as const)]);
  blocks.players = changedPlayers(listStoredPlayers(own, sport), listStoredPlayers(after, sport));
  return blocks;
}

// ---- as a player within a match

async function movePlayer(client: Queryable, ids: readonly number[], move: Move, now: number): Promise<number[]> {
  const { from, into } = move;
  const locked = await lockMatches(client, ids);
  const stored = await loadBlocks(client, ids, PLAYER_BLOCKS);
  const changes: MatchChange[] = [];
  for (const [id, match] of locked) {
    const before = stored.get(id) ?? new Map<string, BlockRow>();
    const after = new Map(
      [...before].map(([block, row]) => [
        block,
        { ...row, json: withPlayerIds(row, ({ id }) => (id === from ? into : id)) },
      ]),
    );
    const relinked = [...after.values()].filter(({ block, json }) => json !== before.get(block)!.json);
    if (relinked.length === 0) continue;
    const changed = new Set(relinked.map(({ block }) => block));
    const blocks = { ...noBlockChanges(), relinked, changed };
    blocks.players = changedPlayers(listStoredPlayers(before, match.sport), listStoredPlayers(after, match.sport));
    changes.push(storedMatchChange(match, {}, { blocks, hasSameCard: true }));
  }
  await client.query(
    'UPDATE player_mention SET participant_id = $3 WHERE match_id = ANY ($1) AND participant_id = $2',
    [ids, from, into],
  );
  if (changes.length === 0) return [];
  await move.moved(
    client,
    changes.map(({ before }) => ({ id: before!.id, side: null })),
  );
  return shownMatches(await commitMatchChanges(client, changes, now));
}

// ---- two stored matches that are the same: one stays, and takes over what it lacks

const PHASES = ['scheduled', 'live', 'finished'];

/**
 * Decides which of two matches stays. Preferred is a match with a correction, then the match that has progressed further,
 * then a match that a live provider updates.
 */
function orderSame(a: StoredMatch, b: StoredMatch): [stays: StoredMatch, goes: StoredMatch] {
  const place = (match: StoredMatch) => [
    readCovered(match.provenance) === null ? 1 : 0,
    -PHASES.indexOf(match.status),
    parseLead(match.provenance) === null ? 1 : 0,
    match.id,
  ];
  return comparePlaces(place(a), place(b)) < 0 ? [a, b] : [b, a];
}

/** Field groups that do not depend on a match's state. */
const FILLED = {
  round_num: ['round_num'],
  round_name: ['round_name'],
  group_name: ['group_name'],
  venue: ['venue_id'],
  referee: ['referee'],
  attendance: ['attendance'],
  neutral: ['neutral'],
  importance: ['importance'],
} as const satisfies Record<string, readonly (keyof MatchState)[]>;

/** Returns the fields that only the match to be deleted has, and the provenance of both matches. */
function filledFields(stays: StoredMatch, goes: StoredMatch): Partial<StoredMatch> & { provenance: Provenance } {
  const fields: Partial<StoredMatch> = {};
  const provenance: ProvenanceDraft = { ...stays.provenance };
  for (const [group, columns] of Object.entries(FILLED)) {
    const owner = goes.provenance[group];
    if (owner === undefined || stays.provenance[group] !== undefined) continue;
    provenance[group] = owner;
    for (const column of columns) Object.assign(fields, { [column]: goes[column] });
  }
  return { ...fields, provenance };
}
