/** Applies match updates within one transaction: validate, resolve references, find and lock matches, lead, merge, write. */

import type { Queryable } from '../db/postgres.ts';
import { FIGURE_BLOCKS } from '../expected-goals/own-figures.ts';
import type { EntityLookup, KnownEntities } from '../identity/entities.ts';
import { type MatchReferences, matchReferenceFaults, resolveMatchReferences } from '../identity/match-references.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { wireTime } from '../wire/time.ts';
import { type BatchResults, type MatchApplyOptions, rejected, type UpdateResult } from './interface.ts';
import { deleteClaims } from './lead/claims.ts';
import { isSilent, ledBy, parseLead } from './lead/lead.ts';
import { planLeads } from './lead/plan-leads.ts';
import { followsFromIncidents } from './merge/derived-score.ts';
import { comparedBlocks } from './merge/match-blocks.ts';
import { type MatchChange, matchDeletion, type UpdateChange, updateChange } from './merge/match-change.ts';
import { mergeMatch } from './merge/merge-match.ts';
import { concernsFigures } from './merge/own-figures.ts';
import { addWinProbabilities } from './merge/win-probability.ts';
import { storeRejections } from './rejections.ts';
import { cardedPlayers, findListedCoaches, resolveCarded } from './resolve/coach-cards.ts';
import { findMatches, recordDeletion } from './resolve/find-matches.ts';
import { givenPlayers } from './resolve/given-players.ts';
import { storePendingUpdates, takePendingUpdates, tournamentsWithPairings } from './resolve/pending-updates.ts';
import { linkPlayers } from './resolve/player-mentions.ts';
import { loadBlocksByMatch } from './stored/blocks.ts';
import { mayWrite } from './stored/provenance.ts';
import { scoreFaults } from './stored/score.ts';
import { lockMatches, matchesByExternalId, type StoredMatch } from './stored/stored-match.ts';
import { commitMatchChanges } from './write/commit-match-changes.ts';

/**
 * Applies updates of matches within one transaction.
 * @throws {BatchConflict} if two of the updates are about one match, or rename an entity at different times
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
  const valid = [...updates.entries()].filter(([index]) => outcomes[index]!.outcome !== 'rejected');
  const deletions: MatchChange[] = [];
  for (const [index, update] of valid.filter(([, { match }]) => match.deleted)) {
    const { before, deletion } = await planDeletion(lookup, update, options);
    if (before !== null)
      outcomes[index] = { outcome: deletion === null ? 'unchanged' : 'accepted', matchId: before.id };
    if (deletion !== null) deletions.push(deletion);
  }
  const given = valid.filter(([, { match }]) => !match.deleted);
  const changes = await planChanges(
    lookup,
    given.map(([, update]) => update),
    options,
  );
  const changedMatches = await commitMatchChanges(client, [...changes, ...deletions], options.now);
  for (const [position, [index]] of given.entries()) outcomes[index] = applied(changes[position]!);
  const pending = changes.filter(({ outcome }) => outcome === 'pending');
  if (pending.length > 0) await storePendingUpdates(client, pending);
  const created = changes.filter(({ effect }) => effect === 'insert').map(({ after }) => after!);
  const waiting = created.length > 0 ? await takePendingUpdates(client, created) : [];
  for (const update of waiting) changedMatches.push(...(await applyPendingUpdate(lookup, update, options)));
  return { outcomes, changedMatches };
}

const applied = ({ outcome, faults, after }: UpdateChange): UpdateResult => {
  if (outcome === 'rejected') return rejected(faults);
  return after === null ? { outcome } : { outcome, matchId: after.id };
};

/**
 * Applies an update of history that has waited for a match. The match has just been created; an error in the update does not undo
 * that.
 * @returns ids of the matches that have changed
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

/** Records that the provider has deleted the match, and plans its deletion if the provider may delete it. */
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

/** Plans the changes that updates other than deletions cause: resolve, lead, merge. */
async function planChanges(
  lookup: EntityLookup,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<UpdateChange[]> {
  const resolved = await resolveMatchReferences(lookup, updates.map(firstReferences));
  const changes = updates.map((update, position) => updateChange(update, resolved[position]!));
  await findMatches(lookup, changes);
  await planLeads(lookup, changes, options);
  await resolveTakeovers(lookup, changes);
  await linkPlayers(lookup.client, changes, options);
  await loadStoredBlocks(lookup, changes);
  await findListedCoaches(lookup.client, changes);
  await resolveCarded(lookup, changes);
  if (!options.events) await holdUndated(lookup.client, changes);
  for (const change of changes) {
    const isLate = change.isOutdated || (change.before === null && options.areClaims);
    if (!isLate && change.outcome !== 'pending') mergeMatch(lookup.precedence, change, options);
  }
  await addWinProbabilities(lookup.client, changes);
  return changes;
}

/** Resolves the references of the claims that replace updates, because their provider takes over the lead. */
async function resolveTakeovers(lookup: EntityLookup, changes: readonly UpdateChange[]): Promise<void> {
  const takeovers = changes.filter(({ update, sent }) => update !== sent);
  if (takeovers.length === 0) return;
  const resolved = await resolveMatchReferences(
    lookup,
    takeovers.map(({ update }) => firstReferences(update)),
  );
  for (const [index, change] of takeovers.entries()) Object.assign(change, resolved[index]);
}

/** Sets the stored blocks that the updates are compared with. */
async function loadStoredBlocks({ client, precedence }: EntityLookup, changes: readonly UpdateChange[]): Promise<void> {
  const needsIncidents = ({ update, lead }: UpdateChange, { provenance }: StoredMatch) =>
    update.match.score === null || followsFromIncidents(ledBy(precedence, lead ?? parseLead(provenance)), provenance);
  const wanted = changes.flatMap((change) => {
    const { update, before } = change;
    if (before === null) return [];
    const figures = concernsFigures(update, before) ? FIGURE_BLOCKS : [];
    const incidents = needsIncidents(change, before) ? ['incidents'] : [];
    return [[before.id, [...comparedBlocks(update), ...figures, ...incidents]] as const];
  });
  const blocks = await loadBlocksByMatch(client, wanted);
  for (const change of changes) change.storedBlocks = (change.before && blocks.get(change.before.id)) ?? new Map();
}

/** Lets updates without a date wait for their matches, if those do not exist and a pairing is enough to identify one. */
async function holdUndated(client: Queryable, changes: readonly UpdateChange[]): Promise<void> {
  const undated = changes.filter(({ sent }) => sent.match.scheduled_start === undefined);
  const withPairings = await tournamentsWithPairings(client, [
    ...new Set(undated.map(({ refs }) => refs.tournament_id)),
  ]);
  for (const change of undated)
    if (change.before === null && !change.isOutdated && withPairings.has(change.refs.tournament_id))
      change.outcome = 'pending';
}

/** Returns the faults that show without the stored match. */
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

/** Returns what is resolved before the match is known: see `resolveCarded` for the other players. */
function firstReferences(update: MatchUpdate): MatchReferences {
  const carded = cardedPlayers(update);
  return { update, players: givenPlayers(update).flatMap(({ ref }) => (carded.has(ref) ? [] : [ref])) };
}
