/** Applies match updates within one transaction: validate, resolve references, find and lock matches, lead, merge, write. */
import type { Queryable } from '../db/postgres.ts';
import { type EntitySession, referenceFaults } from '../identity/entities.ts';
import { isIdentified } from '../identity/identity.ts';
import { type ParticipantDescriptor, resolveParticipants } from '../identity/resolve-participants.ts';
import { resolveSeason, resolveTournament } from '../identity/resolve-tournaments.ts';
import { resolveVenue } from '../identity/resolve-venues.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { wireTime } from '../wire/time.ts';
import { type BatchOutcomes, type Outcome, rejected } from './batch-result.ts';
import type { MatchApplyOptions } from './interface.ts';
import { deleteClaims } from './lead/claims.ts';
import { isSilent, leadOf, ledBy } from './lead/lead.ts';
import { planLeads } from './lead/plan-leads.ts';
import { type MatchChange, matchDeletion, type UpdateChange, updateChange } from './match-change.ts';
import { followsFromIncidents } from './merge/derived-score.ts';
import { comparedBlocks } from './merge/match-blocks.ts';
import { mergeMatch } from './merge/merge-match.ts';
import { givenPlayers, type PlayerRef } from './merge/wire-blocks.ts';
import { mayWrite } from './provenance.ts';
import { findMatches } from './resolve/find-matches.ts';
import { recordDeletion } from './resolve/pairing.ts';
import { storePendingUpdates, takePendingUpdates, tournamentsWithPairings } from './resolve/pending-updates.ts';
import { linkPlayers } from './resolve/player-mentions.ts';
import { commitMatchChanges } from './write/commit-match-changes.ts';
import type { StoredMatch } from './write/store.ts';
import * as store from './write/store.ts';

/** @returns `conflict` if two of the updates turn out to be about one match, or rename an entity at different times */
export async function applyMatchUpdates(
  session: EntitySession,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<BatchOutcomes | 'conflict'> {
  const { client } = session;
  const outcomes = updates.map((update): Outcome => {
    const errors = faultsOf(session, update);
    return errors.length > 0 ? rejected(errors) : { outcome: 'unchanged' };
  });
  const valid = [...updates.entries()].filter(([index]) => outcomes[index]!.outcome !== 'rejected');
  const deletions: MatchChange[] = [];
  for (const [index, update] of valid.filter(([, { match }]) => match.deleted)) {
    const { before, deletion } = await planDeletion(session, update, options);
    if (before !== null)
      outcomes[index] = { outcome: deletion === null ? 'unchanged' : 'accepted', matchId: before.id };
    if (deletion !== null) deletions.push(deletion);
  }
  const given = valid.filter(([, { match }]) => !match.deleted);
  const changes = await planChanges(
    session,
    given.map(([, update]) => update),
    options,
  );
  if (changes === 'conflict') return 'conflict';
  const changedMatches = await commitMatchChanges(client, [...changes, ...deletions], options.now);
  for (const [position, [index]] of given.entries()) outcomes[index] = outcomeOf(changes[position]!);
  await storePendingUpdates(
    client,
    changes.filter(({ outcome }) => outcome === 'pending'),
  );
  const created = changes.filter(({ effect }) => effect === 'insert').map(({ after }) => after!);
  for (const update of await takePendingUpdates(client, created)) {
    const changed = await applyPendingUpdate(session, update, options);
    if (changed === 'conflict') return 'conflict';
    changedMatches.push(...changed);
  }
  return { outcomes, changedMatches };
}

const outcomeOf = ({ outcome, faults, after }: UpdateChange): Outcome => {
  if (outcome === 'rejected') return rejected(faults);
  return after === null ? { outcome } : { outcome, matchId: after.id };
};

/**
 * Applies an update of history that has waited for a match which has just been created; an error in it does not prevent that.
 * @returns ids of the matches that have changed
 */
async function applyPendingUpdate(
  session: EntitySession,
  update: MatchUpdate,
  options: MatchApplyOptions,
): Promise<number[] | 'conflict'> {
  const { client } = session;
  await client.query('SAVEPOINT pending');
  const result = await applyMatchUpdates(session, [update], { ...options, events: false });
  if (result === 'conflict') return 'conflict';
  const [outcome] = result.outcomes;
  if (outcome!.outcome !== 'rejected') return result.changedMatches;
  await client.query('ROLLBACK TO SAVEPOINT pending');
  const { provider } = update;
  const rejection = { provider, text: JSON.stringify(update), errors: outcome!.errors ?? [] };
  await store.storeRejections(client, options.now, [rejection]);
  return [];
}

/** What the schema cannot check: sports, countries, players that cannot be distinguished from others. */
function faultsOf({ cache }: EntitySession, update: MatchUpdate): Fault[] {
  const { match } = update;
  const named = [
    { path: 'match', sport: match.sport },
    { path: 'match.tournament', country: match.tournament.country },
    { path: 'match.home', country: match.home.country },
    { path: 'match.away', country: match.away.country },
    ...(match.venue ? [{ path: 'match.venue', country: match.venue.country }] : []),
  ];
  for (const { ref, block, index, role } of givenPlayers(update))
    if (ref.country !== undefined) named.push({ path: `match.${block}.${index}.${role}`, country: ref.country });
  const faults = referenceFaults(cache, named);
  for (const side of ['home', 'away'] as const) {
    if (match[side].type === 'player' && !isIdentified(match[side])) {
      faults.push({
        path: `match.${side}.id`,
        code: 'unidentified',
        detail: 'a player needs an id to be distinguished from others',
      });
    }
  }
  return faults;
}

/** Records that the provider has deleted the match, and plans its deletion if the provider may delete it. */
async function planDeletion(
  { client, precedence: base }: EntitySession,
  { provider, observed_at, match }: MatchUpdate,
  { now, events }: MatchApplyOptions,
): Promise<{ before: StoredMatch | null; deletion: MatchChange | null }> {
  const observedAt = Date.parse(observed_at);
  const id = (await store.matchesByExternalId(client, provider, [match.id])).get(match.id);
  const before = (id !== undefined && (await store.lockMatches(client, [id])).get(id)) || null;
  if (before !== null) {
    const lead = leadOf(before.provenance);
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

/** Plans the changes that updates cause, none of them a deletion: resolve, lead, merge. */
async function planChanges(
  session: EntitySession,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<UpdateChange[] | 'conflict'> {
  const resolved = await resolveReferences(session, updates);
  if (resolved === 'conflict') return 'conflict';
  const changes = updates.map((update, position) => updateChange(update, resolved[position]!));
  if ((await findMatches(session, changes)) === 'conflict') return 'conflict';
  await planLeads(session, changes, options);
  if ((await resolveTakeovers(session, changes)) === 'conflict') return 'conflict';
  await linkPlayers(session.client, changes, options);
  await loadStoredBlocks(session, changes);
  if (!options.events) await holdUndated(session.client, changes);
  for (const change of changes) {
    const isLate = change.isOutdated || (change.before === null && options.areClaims);
    if (!isLate && change.outcome !== 'pending') mergeMatch(session.precedence, change, options);
  }
  return changes;
}

/** Resolves the references of the updates that take the place of others, because a provider takes over the lead. */
async function resolveTakeovers(
  session: EntitySession,
  changes: readonly UpdateChange[],
): Promise<'conflict' | 'resolved'> {
  const takeovers = changes.filter(({ update, sent }) => update !== sent);
  if (takeovers.length === 0) return 'resolved';
  const resolved = await resolveReferences(
    session,
    takeovers.map(({ update }) => update),
  );
  if (resolved === 'conflict') return 'conflict';
  for (const [index, change] of takeovers.entries()) Object.assign(change, resolved[index]);
  return 'resolved';
}

/** Sets the stored blocks that the updates are compared with. */
async function loadStoredBlocks(
  { client, precedence }: EntitySession,
  changes: readonly UpdateChange[],
): Promise<void> {
  const needsIncidents = changes.some(({ before, lead, update }) => {
    if (before === null) return false;
    const { provenance } = before;
    return (
      update.match.score === null || followsFromIncidents(ledBy(precedence, lead ?? leadOf(provenance)), provenance)
    );
  });
  const names = changes.flatMap(({ update }) => comparedBlocks(update)).concat(needsIncidents ? 'incidents' : []);
  const blocks = await store.loadBlocks(
    client,
    changes.flatMap(({ before }) => before?.id ?? []),
    [...new Set(names)],
  );
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

type Resolved = Pick<UpdateChange, 'refs' | 'playerId'>;

async function resolveReferences(session: EntitySession, updates: MatchUpdate[]): Promise<Resolved[] | 'conflict'> {
  const described = updates.map((update) => {
    const { provider, match } = update;
    const common = { provider, sport: match.sport, gender: match.tournament.gender };
    const side = (ref: MatchUpdate['match']['home']): ParticipantDescriptor => ({ ...common, ...ref });
    const player = (ref: PlayerRef): ParticipantDescriptor => ({ ...common, type: 'player', ...ref });
    const players = new Map<PlayerRef, ParticipantDescriptor>();
    for (const { ref } of givenPlayers(update)) players.set(ref, player(ref));
    return { update, home: side(match.home), away: side(match.away), players };
  });
  const ids = await resolveParticipants(
    session,
    described.flatMap(({ home, away, players }) => [home, away, ...players.values()]),
  );
  if (session.hasConflict) return 'conflict';
  const resolved: Resolved[] = [];
  for (const { update, home, away, players } of described) {
    const { provider, match } = update;
    const tournament_id = await resolveTournament(session, { provider, sport: match.sport, ...match.tournament });
    const season_id = await resolveSeason(session, tournament_id, match.season);
    const venue_id = match.venue ? await resolveVenue(session, { provider, ...match.venue }) : match.venue;
    resolved.push({
      refs: {
        tournament_id,
        season_id,
        home_id: ids.get(home)!,
        away_id: ids.get(away)!,
        venue_id,
      },
      playerId: (ref) => ids.get(players.get(ref)!) ?? null,
    });
  }
  return session.hasConflict ? 'conflict' : resolved;
}
