/**
 * Links player names that came without birth date and id to participants, and coaches to the people that they are. Each run decides from all data which player each
 * name means. It then writes the differences into blocks, player rows and cards, in small transactions and without events.
 * After an interruption, what was written stays, and the next run continues from there.
 */
import type pg from 'pg';
import { type Queryable, transaction } from '../../db/postgres.ts';
import {
  decidedPlayers,
  ensureNamed,
  type Figure,
  type Links,
  linkFigures,
  loadNamed,
  loadPersons,
  type StoredMention,
  settleNamed,
} from '../../identity/index.ts';
import { createPause } from '../../runtime/pause.ts';
import { hasOwnBlock } from '../merge/expected-goals.ts';
import { noBlockChanges } from '../merge/match-blocks.ts';
import { type MatchChange, storedMatchChange } from '../merge/match-change.ts';
import { changedPlayers, listStoredPlayers, withPlayerIds } from '../merge/players.ts';
import { PLAYER_BLOCKS } from '../resolve/given-players.ts';
import { type BlockRow, loadBlocks } from '../stored/blocks.ts';
import type { Provenance } from '../stored/provenance.ts';
import { lockMatches } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { changeInSlices, commitMatchChanges, shownMatches } from '../write/commit-match-changes.ts';
import { fillStaff, joinStaff } from './link-staff.ts';
import { markStoredCoaches } from './mark-coaches.ts';

export interface LinkSummary {
  /** Number of distinct names, counted per team. */
  figures: number;
  /** Names that are linked to a player with a birth date or an id. */
  linked: number;
  doubtful: Links['doubtful'];
  /** Changed matches. */
  matches: number;
  /** Matches in which cards turned out to be coaches' cards. */
  coaches: number;
  /** Participants known only by name that have been joined to a person. */
  joined: number;
  /** Participants known only by name that have been deleted, because the name no longer occurs in any match. */
  deleted: number;
}

/** Matches written in one transaction. */
const SLICE = 200;
/** Participants created in one statement. */
const NAMED_AT_ONCE = 2_000;
/** Advisory lock, so that only one process links at a time. The number is arbitrary. */
const LOCK = 7_301_115;

/**
 * Links all player names.
 * @param pause is called between small steps; it may throw to end the run
 * @returns null if another process is linking
 */
export async function linkPlayers(
  deps: MatchDeps,
  pause: () => Promise<unknown> = createPause(),
): Promise<LinkSummary | null> {
  const holder = await deps.pool.connect();
  try {
    const { rows } = await holder.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [LOCK]);
    if (!rows[0]?.held) return null;
    try {
      return await linkAll(deps, pause);
    } finally {
      await holder.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    }
  } finally {
    holder.release();
  }
}

/** True if any name is not linked yet. */
export async function hasUnlinkedNames(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM player_mention WHERE participant_id IS NULL) AS found',
  );
  return rows[0]?.found ?? false;
}

async function linkAll(deps: MatchDeps, pause: () => Promise<unknown>): Promise<LinkSummary> {
  await fillStaff(deps, pause);
  const stored = await loadNamed(deps.pool, pause);
  const coaches = await markStoredCoaches(deps, stored, pause);
  const named = coaches === 0 ? stored : await loadNamed(deps.pool, pause);
  const persons = named.length === 0 ? [] : await loadPersons(deps.pool);
  const { figures, links, doubtful } = await linkFigures(persons, named, decidedPlayers(), pause);
  const own = figures.filter(({ key }) => !links.has(key));
  const ids = new Map<string, number>();
  for (let at = 0; at < own.length; at += NAMED_AT_ONCE)
    for (const [key, id] of await transaction(deps.pool, (client) =>
      ensureNamed(client, own.slice(at, at + NAMED_AT_ONCE)),
    ))
      ids.set(key, id);
  const meant = ({ key }: Figure): number => links.get(key)?.person ?? ids.get(key)!;
  const targets = new Map<number, Target[]>();
  for (const figure of figures) addTargets(targets, figure, meant(figure));
  const linkedIds = [...targets.keys()].sort((a, b) => a - b);
  const linkSlice = (client: Queryable, matchIds: readonly number[], now: number) =>
    writeSlice(
      client,
      matchIds.flatMap((id) => targets.get(id) ?? []),
      now,
    );
  const matches = await changeInSlices(deps, linkedIds, { size: SLICE, events: false, work: linkSlice, pause });
  const joins = figures.flatMap((figure) =>
    [...(links.has(figure.key) ? [figure.key] : []), ...figure.formerKeys].map((key) => ({
      kind: figure.kind,
      key,
      person: meant(figure),
    })),
  );
  const settled = await transaction(deps.pool, (client) => settleNamed(client, joins, [...ids.values()]));
  await joinStaff(deps, pause);
  return { figures: figures.length, linked: links.size, doubtful, matches, coaches, ...settled };
}

interface Target {
  match_id: number;
  block: string;
  side: string;
  name: string;
  participant_id: number;
}

/** Adds the mentions of a name that now means another participant. */
function addTargets(targets: Map<number, Target[]>, { mentions }: Figure, participant_id: number): void {
  for (const { match_id, block, side, name, linked } of mentions as readonly StoredMention[]) {
    if (linked === participant_id) continue;
    const list = targets.get(match_id);
    const target = { match_id, block, side, name, participant_id };
    if (list === undefined) targets.set(match_id, [target]);
    else list.push(target);
  }
}

async function writeSlice(client: Queryable, targets: readonly Target[], now: number): Promise<number[]> {
  const ids = [...new Set(targets.map(({ match_id }) => match_id))];
  const matches = await lockMatches(client, ids);
  // If an update has removed the name in the meantime, the row no longer exists.
  const { rows } = await client.query<Target>(
    `WITH target AS (
       SELECT * FROM json_to_recordset($1) AS t (match_id bigint, block text, side text, name text, participant_id bigint)
     ), written AS (
       UPDATE player_mention r SET participant_id = t.participant_id FROM target t
       WHERE r.match_id = t.match_id AND r.block = t.block AND r.side = t.side AND r.name = t.name
       RETURNING r.match_id, r.block, r.side, r.name, r.participant_id
     ) SELECT * FROM written`,
    [JSON.stringify(targets)],
  );
  const links = new Map<number, Target[]>();
  for (const row of rows) links.set(row.match_id, [...(links.get(row.match_id) ?? []), row]);
  const stored = await loadBlocks(client, ids, PLAYER_BLOCKS);
  const changes: MatchChange[] = [];
  for (const [id, linked] of links) {
    const [before, match] = [stored.get(id), matches.get(id)];
    if (before === undefined || match === undefined) continue;
    const linkedRow = (row: BlockRow) => ({ ...row, json: withLinks(row, linked, match.provenance) });
    const after = new Map([...before].map(([block, row]) => [block, linkedRow(row)]));
    const relinked = [...after.values()].filter(({ block, json }) => json !== before.get(block)!.json);
    if (relinked.length === 0) continue;
    const changed = new Set(relinked.map(({ block }) => block));
    const players = changedPlayers(listStoredPlayers(before, match.sport), listStoredPlayers(after, match.sport));
    const blocks = { ...noBlockChanges(), relinked, changed, players };
    changes.push(storedMatchChange(match, {}, { blocks, hasSameCard: true }));
  }
  return shownMatches(await commitMatchChanges(client, changes, now));
}

/** Returns a block's JSON with the participants' ids added to linked names. */
function withLinks({ block, json }: BlockRow, linked: readonly Target[], provenance: Provenance): string {
  // In a player list that we have computed, the names come from the shots.
  const from = block === 'player_stats' && hasOwnBlock(provenance, block) ? 'shotmap' : block;
  const ids = new Map(
    linked
      .filter((one) => one.block === from)
      .map(({ side, name, participant_id }) => [`${side}|${name}`, participant_id]),
  );
  if (ids.size === 0) return json;
  return withPlayerIds({ block, json }, ({ side, name, id }) => ids.get(`${side}|${name}`) ?? id);
}
