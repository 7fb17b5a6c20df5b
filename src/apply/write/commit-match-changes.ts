/** Writes the changes of matches, whatever has caused them: the only writer of match data. */

import type { Queryable } from '../../db/postgres.ts';
import { type EnvelopeData, renderEnvelope } from '../../wire/envelope.ts';
import { wireTime } from '../../wire/time.ts';
import { deleteClaims, storeClaims } from '../lead/claims.ts';
import type { MatchChange } from '../merge/match-change.ts';
import { lockShown } from '../resolve/find-matches.ts';
import { deleteMentions, storeMentions } from '../resolve/player-mentions.ts';
import { deleteBlocks, relinkBlocks, writeBlocks } from '../stored/blocks.ts';
import type { StoredMatch } from '../stored/stored-match.ts';
import { keepFormerFixtures } from './former-fixtures.ts';
import { renderCards, updateCardTimes } from './render-cards.ts';
import * as store from './write-rows.ts';

/** A change with the row that it writes. */
type Written = MatchChange & { after: StoredMatch };

/**
 * Writes rows, blocks, cards, events and pending changes in a few statements for all matches, within the caller's transaction.
 * @param now ms
 * @returns ids of the matches of which clients see a change
 */
export async function commitMatchChanges(
  client: Queryable,
  changes: readonly MatchChange[],
  now: number,
): Promise<number[]> {
  const by = (effect: MatchChange['effect']) => changes.filter((change) => change.effect === effect) as Written[];
  const inserts = by('insert');
  const updates = by('update');
  const deletions = by('delete');
  const hidden = by('hidden');
  const ids = await store.newMatchIds(client, inserts.length);
  for (const [index, { after }] of inserts.entries()) after.id = ids[index]!;
  const changed = [...inserts, ...updates];
  const at = wireTime(now);
  for (const change of [...changed, ...deletions]) setVersion(change, at);
  await keepFormerFixtures(client, idsOf([...updates.filter(hasLeft), ...deletions]), at);
  await writeRows(client, inserts, updates, hidden);
  await store.storeExternalIds(
    client,
    changes.flatMap(({ after, before, references }) =>
      references.map((reference) => ({ ...reference, id: (after ?? before)!.id })),
    ),
  );
  await changeBlocks(client, [...changed, ...hidden]);
  await updateCardTimes(client, idsOf(changed.filter(({ hasSameCard }) => hasSameCard)));
  await renderCards(client, idsOf(changed.filter(({ hasSameCard }) => !hasSameCard)));
  await store.storePrices(
    client,
    changed.flatMap(({ after, blocks }) => blocks.prices.map((price) => ({ ...price, match_id: after.id }))),
  );
  await writeEvents(client, [...changed, ...deletions], at);
  await store.addPendingChanges(client, [...changed, ...deletions].flatMap(pendingChanges));
  await writeClaims(client, changes, changed);
  await store.deleteMatches(client, idsOf(deletions));
  return idsOf([...changed, ...deletions]);
}

const idsOf = (changes: readonly Written[]): number[] => changes.map(({ after }) => after.id);

/** Gives a change that clients see its version, and each of its events a sequence number. */
function setVersion({ before, after, blocks, events }: Written, at: string): void {
  after.version = (before?.version ?? 0) + 1;
  after.sequence = (before?.sequence ?? 0) + events.length;
  after.updated_at = at;
  if (blocks.changed.size > 0) after.detail_at = at;
  if (blocks.incidents !== null) after.incident_seq = blocks.incidents.lastId;
}

async function writeRows(
  client: Queryable,
  inserts: readonly Written[],
  updates: readonly Written[],
  hidden: readonly Written[],
): Promise<void> {
  const rows = (changes: readonly Written[]) => changes.map(({ after }) => after);
  // A card shows names that must not change between its rendering and the commit.
  await lockShown(client, rows(updates.filter(showsOthers)));
  await store.insertMatches(client, rows(inserts));
  await store.updateVersions(
    client,
    updates.flatMap(({ after, changedProvenance }) =>
      changedProvenance === null ? [] : [{ match: after, changedProvenance }],
    ),
  );
  await store.updateMatches(client, rows(updates.filter(({ changedProvenance }) => changedProvenance === null)));
  await store.updateProvenance(client, rows(hidden));
}

async function changeBlocks(client: Queryable, changes: readonly Written[]): Promise<void> {
  const byMatch = <T extends object>(part: (change: Written) => readonly T[]) =>
    changes.flatMap((change) => part(change).map((row) => ({ ...row, match_id: change.after.id })));
  await writeBlocks(
    client,
    byMatch(({ blocks }) => blocks.rows),
  );
  await relinkBlocks(
    client,
    byMatch(({ blocks }) => blocks.relinked),
  );
  await deleteBlocks(
    client,
    byMatch(({ blocks }) => blocks.removed.map((block) => ({ block }))),
  );
  await deleteMentions(
    client,
    byMatch(({ blocks }) => blocks.removedMentions),
  );
  await storeMentions(
    client,
    byMatch(({ blocks }) => blocks.mentions),
  );
  await store.writePlayers(
    client,
    new Map(changes.flatMap(({ after, blocks }) => (blocks.players === null ? [] : [[after.id, blocks.players]]))),
  );
}

async function writeEvents(client: Queryable, changes: readonly Written[], now: string): Promise<void> {
  const reported = changes.filter(({ events }) => events.length > 0);
  if (reported.length === 0) return;
  const shown = await store.envelopeMatches(client, idsOf(reported));
  const rows = reported.flatMap(({ after, events, occurredAt, winProbability }) =>
    events.map(({ type, ...details }, index) => {
      const data: EnvelopeData = {
        schema: 1,
        sequence: after.sequence - events.length + index + 1,
        occurred_at: occurredAt ?? now,
        match: shown.get(after.id)!,
        ...(winProbability && { win_probability: winProbability }),
        ...details,
      };
      const { id: match_id, sport, tournament_id } = after;
      return { match_id, sport, tournament_id, type, envelope: renderEnvelope(type, data) };
    }),
  );
  await store.writeOutbox(client, rows);
}

/** Stores the claims of providers that do not lead; deletes the claims of new leaders and of matches that are final now. */
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
  const final = changed.filter(({ before, after }) => after.finalized && before !== null && !before.finalized);
  await deleteClaims(
    client,
    idsOf(final).map((match_id) => ({ match_id, provider: null })),
  );
}

/** Whether the match refers to other entities than before. */
const showsOthers = ({ before, after }: Written) =>
  (['tournament_id', 'home_id', 'away_id', 'venue_id'] as const).some((field) => after[field] !== before![field]);

/** Whether the match is no longer in a list of matches in which it was: that of a side, or of its tournament. */
const hasLeft = ({ before, after }: Written) =>
  (['tournament_id', 'home_id', 'away_id'] as const).some((field) => after[field] !== before![field]);

function pendingChanges({ effect, before, after, mergedInto }: Written): store.PendingChange[] {
  const { id: match_id, sport, tournament_id } = before ?? after;
  const change: store.PendingChange = { match_id: after.id, tombstone: null };
  const leaves = (reason: 'deleted' | 'moved') => ({ match_id, tombstone: { reason, sport, tournament_id } });
  if (effect === 'delete' && mergedInto !== undefined)
    return [{ match_id, tombstone: { reason: 'merged', sport, tournament_id, merged_into: mergedInto } }];
  if (effect === 'delete') return [leaves('deleted')];
  return sport === after.sport && tournament_id === after.tournament_id ? [change] : [leaves('moved'), change];
}
