/** Writes match changes, whatever their cause. This is the last stage for updates, and the only writer of match data. */

import { PLANNED_ONCE, type Queryable, transaction } from '../../db/postgres.ts';
import { addPendingChanges, type PendingChange, writeOutbox } from '../../events/index.ts';
import { storeMatchIds } from '../../identity/index.ts';
import { type EnvelopeData, renderEnvelope } from '../../wire/envelope.ts';
import { wireTime } from '../../wire/time.ts';
import { deleteClaims, storeClaims } from '../lead/claims.ts';
import type { BlockChanges } from '../merge/match-blocks.ts';
import type { MatchChange } from '../merge/match-change.ts';
import { lockShown } from '../resolve/find-matches.ts';
import { deleteMentions, storeMentions } from '../resolve/player-mentions.ts';
import { deleteBlocks, relinkBlocks, writeBlocks } from '../stored/blocks.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import type { MatchDeps } from '../update-outcomes.ts';
import { storePrices } from './price-queue.ts';
import { renderCards, updateCardTimes } from './render-cards.ts';
import { changedStaff, storeStaff } from './store-staff.ts';
import * as store from './write-rows.ts';
import { keepFormerFixtures } from './write-rows.ts';

/** A written change. */
export interface Committed {
  readonly change: MatchChange;
  /** The match after the change. For a deletion, the match before it. Null if there is none. */
  readonly match: StoredMatch | null;
}
/** A change with the row that it writes. */
interface Written extends Committed {
  readonly match: StoredMatch;
}

const SHOWN: readonly MatchChange['effect'][] = ['insert', 'update', 'delete'];

/** Returns ids of matches in which clients see a change. */
export const shownMatches = (committed: readonly Committed[]): number[] =>
  committed.flatMap(({ change, match }) => (match !== null && SHOWN.includes(change.effect) ? [match.id] : []));

/**
 * Writes rows, blocks, cards, events and pending changes in a few statements for all matches, within the caller's transaction.
 * @param now ms
 */
export async function commitMatchChanges(
  client: Queryable,
  changes: readonly MatchChange[],
  now: number,
): Promise<Committed[]> {
  const at = wireTime(now);
  const newIds = (await store.newMatchIds(client, changes.filter(({ effect }) => effect === 'insert').length)).values();
  const committed = changes.map((change) => ({ change, match: written(change, newIds, at) }));
  const by = (effect: MatchChange['effect']) =>
    committed.filter((one): one is Written => one.change.effect === effect && one.match !== null);
  const inserts = by('insert');
  const updates = by('update');
  const deletions = by('delete');
  const hidden = by('hidden');
  const changed = [...inserts, ...updates];
  await keepFormerFixtures(client, idsOf([...updates.filter(hasLeft), ...deletions]), at);
  await writeRows(client, inserts, updates, hidden);
  await storeMatchIds(
    client,
    committed.flatMap(({ change, match }) =>
      match === null ? [] : change.references.map((reference) => ({ ...reference, id: match.id })),
    ),
  );
  await changeBlocks(client, [...changed, ...hidden]);
  await storeStaff(
    client,
    changed.flatMap(({ change, match }) => changedStaff(change, match)),
  );
  await updateCardTimes(client, idsOf(changed.filter(({ change }) => change.hasSameCard)));
  await renderCards(client, idsOf(changed.filter(({ change }) => !change.hasSameCard)));
  await storePrices(
    client,
    changed.flatMap(({ change, match }) => change.blocks.prices.map((price) => ({ ...price, match_id: match.id }))),
  );
  await writeEvents(client, [...changed, ...deletions], at);
  await addPendingChanges(client, [...changed, ...deletions].flatMap(pendingChanges));
  await writeClaims(client, changes, changed);
  await store.deleteMatches(client, idsOf(deletions));
  // Last, because the transaction locks the marked rows until it ends.
  await store.markSeasonTeams(
    client,
    [...changed, ...hidden, ...deletions].flatMap(({ change: { before }, match }) => [before, match]),
  );
  return committed;
}

const idsOf = (changes: readonly Written[]): number[] => changes.map(({ match }) => match.id);

/** Returns the new row. If clients see the change, the row has a new version, and each event has a sequence number. */
function written(change: MatchChange, newIds: Iterator<number, undefined>, at: string): StoredMatch | null {
  const { effect, before, after, blocks, events } = change;
  if (after === null || !SHOWN.includes(effect)) return after ?? before;
  return {
    ...after,
    id: before?.id ?? newIds.next().value ?? after.id,
    version: (before?.version ?? 0) + 1,
    sequence: (before?.sequence ?? 0) + events.length,
    updated_at: at,
    ...(blocks.changed.size > 0 && { detail_at: at }),
    ...(blocks.incidents !== null && { incident_seq: blocks.incidents.lastId }),
  };
}

/**
 * Returns the statements that begin a transaction.
 * @param events true if clients are waiting for the changes, unlike changes from an import
 */
export const settingsFor = (events: boolean): string[] =>
  events ? [PLANNED_ONCE] : [PLANNED_ONCE, 'SET LOCAL synchronous_commit = off'];

interface Slices {
  /** Matches per transaction. */
  size: number;
  /** Changes some matches. @returns the ids of matches in which clients see a change */
  work: (client: Queryable, ids: readonly number[], now: number) => Promise<number[]>;
  /** True if clients are waiting for the changes. */
  events: boolean;
  /** Called before each slice; it may throw to end the run. */
  pause?: () => Promise<unknown>;
}

/**
 * Changes matches in small transactions. After an interruption, committed changes stay.
 * @returns how many matches changed
 */
export async function changeInSlices(
  { pool, clock, changes }: MatchDeps,
  ids: readonly number[],
  { size, events, work, pause }: Slices,
): Promise<number> {
  let total = 0;
  for (let at = 0; at < ids.length; at += size) {
    await pause?.();
    const slice = ids.slice(at, at + size);
    const changed = await transaction(pool, (client) => work(client, slice, clock.now()), settingsFor(events));
    changes.publish(changed, { events });
    total += changed.length;
  }
  return total;
}

async function writeRows(
  client: Queryable,
  inserts: readonly Written[],
  updates: readonly Written[],
  hidden: readonly Written[],
): Promise<void> {
  const rows = (changes: readonly Written[]) => changes.map(({ match }) => match);
  // A card shows entities' names, which must not change between rendering and commit.
  await lockShown(client, rows(updates.filter(showsOthers)));
  await store.insertMatches(client, rows(inserts));
  await store.updateVersions(
    client,
    updates.flatMap(({ change: { changedProvenance }, match }) =>
      changedProvenance === null ? [] : [{ match, changedProvenance }],
    ),
  );
  await store.updateMatches(client, rows(updates.filter(({ change }) => change.changedProvenance === null)));
  await store.updateProvenance(client, rows(hidden));
}

async function changeBlocks(client: Queryable, changes: readonly Written[]): Promise<void> {
  const byMatch = <T extends object>(part: (blocks: BlockChanges) => readonly T[]) =>
    changes.flatMap(({ change, match }) => part(change.blocks).map((row) => ({ ...row, match_id: match.id })));
  await writeBlocks(
    client,
    byMatch(({ rows }) => rows),
  );
  await relinkBlocks(
    client,
    byMatch(({ relinked }) => relinked),
  );
  await deleteBlocks(
    client,
    byMatch(({ removed }) => removed.map((block) => ({ block }))),
  );
  await deleteMentions(
    client,
    byMatch(({ removedMentions }) => removedMentions),
  );
  await storeMentions(
    client,
    byMatch(({ mentions }) => mentions),
  );
  await store.writePlayers(
    client,
    new Map(
      changes.flatMap(({ change: { blocks }, match }) => (blocks.players === null ? [] : [[match.id, blocks.players]])),
    ),
  );
}

async function writeEvents(client: Queryable, changes: readonly Written[], now: string): Promise<void> {
  const reported = changes.filter(({ change }) => change.events.length > 0);
  if (reported.length === 0) return;
  const shown = await store.envelopeMatches(client, idsOf(reported));
  const rows = reported.flatMap(({ change: { events, occurredAt, winProbability }, match }) =>
    events.map(({ type, ...details }, index) => {
      const data: EnvelopeData = {
        schema: 1,
        sequence: match.sequence - events.length + index + 1,
        occurred_at: occurredAt ?? now,
        match: shown.get(match.id)!,
        ...(winProbability && { win_probability: winProbability }),
        ...details,
      };
      const { id: match_id, sport, tournament_id } = match;
      return { match_id, sport, tournament_id, type, envelope: renderEnvelope(type, data) };
    }),
  );
  await writeOutbox(client, rows);
}

/** Stores claims from providers that do not lead. Deletes claims if the provider now leads or the match is now final. */
async function writeClaims(
  client: Queryable,
  changes: readonly MatchChange[],
  changed: readonly Written[],
): Promise<void> {
  await deleteClaims(
    client,
    changes.flatMap(({ before, settledClaims }) =>
      settledClaims.map((provider) => ({ match_id: before!.id, provider })),
    ),
  );
  await storeClaims(
    client,
    changes.flatMap(({ claims }) => claims),
  );
  const final = changed.filter(
    ({ change: { before }, match }) => match.finalized && before !== null && !before.finalized,
  );
  await deleteClaims(
    client,
    idsOf(final).map((match_id) => ({ match_id, provider: null })),
  );
}

/** True if the match refers to other entities than before. */
const showsOthers = ({ change: { before }, match }: Written) =>
  (['tournament_id', 'home_id', 'away_id', 'venue_id'] as const).some((field) => match[field] !== before?.[field]);

/** True if the match has left one of the match lists that it was in before (each side's and the tournament's). */
const hasLeft = ({ change: { before }, match }: Written) =>
  (['tournament_id', 'home_id', 'away_id'] as const).some((field) => match[field] !== before?.[field]);

function pendingChanges({ change: { effect, before, mergedInto }, match }: Written): PendingChange[] {
  const { id: match_id, sport, tournament_id } = before ?? match;
  const change: PendingChange = { match_id: match.id, tombstone: null };
  const leaves = (reason: 'deleted' | 'moved') => ({ match_id, tombstone: { reason, sport, tournament_id } });
  if (effect === 'delete' && mergedInto !== undefined)
    return [{ match_id, tombstone: { reason: 'merged', sport, tournament_id, merged_into: mergedInto } }];
  if (effect === 'delete') return [leaves('deleted')];
  return sport === match.sport && tournament_id === match.tournament_id ? [change] : [leaves('moved'), change];
}
