/** Applies match updates within one transaction, in stages: `Resolved` → `Led` → `Merged` → `Committed`. */
import { type EntityLookup, type KnownEntities, rejected } from '../identity/entities.ts';
import { matchReferenceFaults } from '../identity/index.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { scoreFaults } from '../wire/score-faults.ts';
import { wireTime } from '../wire/time.ts';
import { isSilent, ledBy, parseLead } from './lead/choose-leader.ts';
import { deleteClaims } from './lead/claims.ts';
import { leadUpdates } from './lead/lead-updates.ts';
import { type MatchChange, matchDeletion } from './merge/match-change.ts';
import type { Merged } from './merge/merge-match.ts';
import { mergeUpdates } from './merge/merge-updates.ts';
import { storeRejections } from './rejections.ts';
import { recordDeletion } from './resolve/find-matches.ts';
import { givenPlayers } from './resolve/given-players.ts';
import { storePendingUpdates, takePendingUpdates } from './resolve/pending-updates.ts';
import { resolveUpdates } from './resolve/resolve-updates.ts';
import { mayWrite } from './stored/provenance.ts';
import { lockMatches, matchesByExternalId, type StoredMatch } from './stored/stored-match.ts';
import type { BatchResults, MatchApplyOptions, UpdateResult } from './update-outcomes.ts';
import { type Committed, commitMatchChanges, shownMatches } from './write/commit-match-changes.ts';

/**
 * Applies match updates within one transaction.
 * @throws {BatchConflict} if two updates are about one match, or rename an entity at different times
 */
export async function applyMatchUpdates(
  lookup: EntityLookup,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<BatchResults> {
  const { client } = lookup;
  const outcomes = updates.map((update): UpdateResult => {
    const errors = matchFaults(lookup.known, update);
    return errors.length > 0 ? rejected(errors) : { outcome: 'unchanged' };
  });
  const valid = [...updates.entries()].filter(([index]) => outcomes[index]?.outcome !== 'rejected');
  const deletions: MatchChange[] = [];
  for (const [index, update] of valid.filter(([, { match }]) => match.deleted)) {
    const { before, deletion } = await planDeletion(lookup, update, options);
    if (before !== null)
      outcomes[index] = { outcome: deletion === null ? 'unchanged' : 'accepted', matchId: before.id };
    if (deletion !== null) deletions.push(deletion);
  }
  const given = valid.filter(([, { match }]) => !match.deleted);
  const resolved = await resolveUpdates(
    lookup,
    given.map(([, update]) => update),
    options,
  );
  const led = await leadUpdates(lookup, resolved, options);
  const merged = await mergeUpdates(lookup, led, options);
  const committed = await commitMatchChanges(client, [...merged, ...deletions], options.now);
  for (const [position, [index]] of given.entries())
    outcomes[index] = updateResult(merged[position]!, committed[position]!);
  const pending = resolved.filter(({ isPending }) => isPending);
  if (pending.length > 0) await storePendingUpdates(client, pending);
  const created = committed.flatMap(({ change, match }) => (change.effect === 'insert' && match ? [match] : []));
  const waiting = created.length > 0 ? await takePendingUpdates(client, created) : [];
  const changedMatches = shownMatches(committed);
  for (const update of waiting) changedMatches.push(...(await applyPendingUpdate(lookup, update, options)));
  return { outcomes, changedMatches };
}

const updateResult = ({ outcome, faults }: Merged, { match }: Committed): UpdateResult => {
  if (outcome === 'rejected') return rejected(faults);
  return match === null ? { outcome } : { outcome, matchId: match.id };
};

/**
 * Applies a history update that has waited for its match. The match has just been created, and stays even if the update has
 * an error.
 * @returns the ids of changed matches
 */
async function applyPendingUpdate(
  lookup: EntityLookup,
  update: MatchUpdate,
  options: MatchApplyOptions,
): Promise<number[]> {
  const { client } = lookup;
  await client.query('SAVEPOINT pending');
  const result = await applyMatchUpdates(lookup, [update], { ...options, events: false });
  const [outcome] = result.outcomes;
  if (outcome!.outcome !== 'rejected') return result.changedMatches;
  await client.query('ROLLBACK TO SAVEPOINT pending');
  const { provider } = update;
  const rejection = { provider, text: JSON.stringify(update), errors: outcome!.errors ?? [] };
  await storeRejections(client, options.now, [rejection]);
  return [];
}

/** Records that the provider has deleted the match, and plans the deletion if the provider may delete it. */
async function planDeletion(
  { client, precedence: base }: EntityLookup,
  { provider, observed_at, match }: MatchUpdate,
  { now, events }: MatchApplyOptions,
): Promise<{ before: StoredMatch | null; deletion: MatchChange | null }> {
  const observedAt = Date.parse(observed_at);
  const id = (await matchesByExternalId(client, provider, [match.id])).get(match.id);
  const before = (id !== undefined && (await lockMatches(client, [id])).get(id)) || null;
  if (before !== null) {
    const lead = parseLead(before.provenance);
    const precedence = lead && isSilent(lead, before, now) ? base : ledBy(base, lead);
    if (!mayWrite(precedence, before.provenance.sides, provider, observedAt, 'sides')) {
      await deleteClaims(client, [{ match_id: before.id, provider }]);
      return { before, deletion: null };
    }
  }
  await recordDeletion(client, provider, match.id, observedAt);
  const reported = { events: events ? [{ type: 'match.deleted' as const }] : [], occurredAt: wireTime(observedAt) };
  return { before, deletion: before && matchDeletion(before, reported) };
}

/** Returns the faults that can be found without the stored match. */
export const matchFaults = (known: Pick<KnownEntities, 'sports' | 'countries'>, update: MatchUpdate): Fault[] => [
  ...matchReferenceFaults(
    known,
    update,
    givenPlayers(update).flatMap(({ ref: { country }, block, index, role }) =>
      country === undefined ? [] : [{ country, path: `match.${block}.${index}.${role}` }],
    ),
  ),
  ...scoreFaults(update),
];
