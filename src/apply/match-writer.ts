/** Writes what a batch of match updates changes, in a few statements for all its matches. */
import type { Queryable } from '../db/postgres.ts';
import type { EntitySession } from '../identity/entities.ts';
import { type EnvelopeData, renderEnvelope } from '../wire/envelope.ts';
import { deleteClaims, storeClaims } from './claims.ts';
import type { BlockChanges } from './match-blocks.ts';
import type { ChangedMatch, MatchApplyOptions, MatchWrites } from './match-plan.ts';
import { lockShown } from './pairing.ts';
import { storeMentions } from './player-mentions.ts';
import { renderCards, updateCardTimes } from './render-cards.ts';
import * as store from './store.ts';

/** @returns ids of the matches that have changed */
export async function writeMatches(
  { client }: EntitySession,
  writes: MatchWrites,
  options: MatchApplyOptions,
): Promise<number[]> {
  const { inserts, updates, deletions, references } = writes;
  const ids = await store.newMatchIds(client, inserts.length);
  for (const [index, { match }] of inserts.entries()) match.id = ids[index]!;
  const changed = [...inserts, ...updates];
  await writeRows(client, writes);
  await store.storeExternalIds(
    client,
    references.map(({ match, ...reference }) => ({ ...reference, id: match.id })),
  );
  await writeBlocks(client, changed, writes);
  await updateCardTimes(
    client,
    changed.filter(({ hasSameCard }) => hasSameCard).map(({ match }) => match.id),
  );
  await renderCards(
    client,
    changed.filter(({ hasSameCard }) => !hasSameCard).map(({ match }) => match.id),
  );
  await store.storePrices(
    client,
    changed.flatMap(({ match, blocks }) => blocks.prices.map((price) => ({ ...price, match_id: match.id }))),
  );
  if (options.events) await writeEvents(client, changed, deletions);
  await store.addPendingChanges(client, [...changed.flatMap(toPendingChanges), ...deletions.map(toTombstone)]);
  const final = changed.filter(({ match, before }) => match.finalized && before !== null && !before.finalized);
  await deleteClaims(client, writes.settledClaims);
  await storeClaims(client, writes.claims);
  await deleteClaims(
    client,
    final.map(({ match }) => ({ match_id: match.id, provider: null })),
  );
  const deleted = deletions.map(({ match }) => match.id);
  await store.deleteMatches(client, deleted);
  return [...changed.map(({ match }) => match.id), ...deleted];
}

async function writeRows(client: Queryable, { inserts, updates, unchanged }: MatchWrites): Promise<void> {
  // A card shows names that must not change between its rendering and the commit.
  await lockShown(
    client,
    updates.filter(({ match, before }) => showsOthers(match, before!)).map(({ match }) => match),
  );
  await store.insertMatches(
    client,
    inserts.map(({ match }) => match),
  );
  await store.updateVersions(
    client,
    updates.flatMap(({ match, changedProvenance }) =>
      changedProvenance === null ? [] : [{ match, changedProvenance }],
    ),
  );
  await store.updateMatches(
    client,
    updates.filter(({ changedProvenance }) => changedProvenance === null).map(({ match }) => match),
  );
  await store.updateProvenance(
    client,
    unchanged.map(({ match: { id }, provenance }) => ({ id, provenance })),
  );
}

async function writeBlocks(
  client: Queryable,
  changed: readonly ChangedMatch[],
  { unchanged }: MatchWrites,
): Promise<void> {
  const toRows = (match: store.StoredMatch, rows: BlockChanges['rows']) =>
    rows.map((row) => ({ ...row, match_id: match.id }));
  await store.writeBlocks(client, [
    ...changed.flatMap(({ match, blocks }) => toRows(match, blocks.rows)),
    ...unchanged.flatMap(({ match, blockRows }) => toRows(match, blockRows)),
  ]);
  await store.deleteBlocks(
    client,
    changed.flatMap(({ match, blocks }) => blocks.removed.map((block) => ({ match_id: match.id, block }))),
  );
  await storeMentions(
    client,
    [...changed.map(({ match, blocks }) => ({ match, mentions: blocks.mentions })), ...unchanged].flatMap(
      ({ match, mentions }) => mentions.map((mention) => ({ match_id: match.id, ...mention })),
    ),
  );
  await store.writePlayers(
    client,
    new Map(
      changed.filter(({ blocks }) => blocks.players !== null).map(({ match, blocks }) => [match.id, blocks.players!]),
    ),
  );
}

async function writeEvents(
  client: Queryable,
  changed: readonly ChangedMatch[],
  deletions: MatchWrites['deletions'],
): Promise<void> {
  const reported: Pick<ChangedMatch, 'match' | 'events' | 'occurredAt'>[] = [
    ...changed.filter(({ events }) => events.length > 0),
    ...deletions.map((deletion) => ({ ...deletion, events: [{ type: 'match.deleted' as const }] })),
  ];
  if (reported.length === 0) return;
  const shown = await store.envelopeMatches(
    client,
    reported.map(({ match }) => match.id),
  );
  const rows = reported.flatMap(({ match, events, occurredAt }) =>
    events.map(({ type, ...details }, index) => {
      const data: EnvelopeData = {
        schema: 1,
        sequence: match.sequence - events.length + index + 1,
        occurred_at: occurredAt,
        match: shown.get(match.id)!,
        ...details,
      };
      const { id: match_id, sport, tournament_id } = match;
      return { match_id, sport, tournament_id, type, envelope: renderEnvelope(type, data) };
    }),
  );
  await store.writeOutbox(client, rows);
}

/** Whether the match refers to other entities than before. */
const showsOthers = (match: store.StoredMatch, before: store.StoredMatch) =>
  (['tournament_id', 'home_id', 'away_id', 'venue_id'] as const).some((field) => match[field] !== before[field]);

function toPendingChanges({ match, before }: ChangedMatch): store.PendingChange[] {
  const change: store.PendingChange = { match_id: match.id, tombstone: null };
  if (before === null || (before.sport === match.sport && before.tournament_id === match.tournament_id))
    return [change];
  const { sport, tournament_id } = before;
  return [{ match_id: match.id, tombstone: { reason: 'moved', sport, tournament_id } }, change];
}

const toTombstone = ({ match: { id, sport, tournament_id } }: { match: store.StoredMatch }): store.PendingChange => ({
  match_id: id,
  tombstone: { reason: 'deleted', sport, tournament_id },
});
