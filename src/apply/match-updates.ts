/** Applies match updates within one transaction: validate, resolve references, find and lock matches, compare, write. */
import { type EntitySession, referenceFaults } from '../identity/entities.ts';
import { isIdentified } from '../identity/identity.ts';
import { type ParticipantDescriptor, resolveParticipants } from '../identity/resolve-participants.ts';
import { resolveSeason, resolveTournament } from '../identity/resolve-tournaments.ts';
import { resolveVenue } from '../identity/resolve-venues.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { type BatchOutcomes, type Outcome, rejected } from './batch-result.ts';
import { deleteClaims } from './claims.ts';
import { followsFromIncidents } from './derived-score.ts';
import { findMatches } from './find-matches.ts';
import { isSilent, type LeadPlan, ledBy, parseLead } from './lead.ts';
import { comparedBlocks } from './match-blocks.ts';
import { type MatchApplyOptions, MatchPlan, type PlannedOutcome, type Prepared } from './match-plan.ts';
import { writeMatches } from './match-writer.ts';
import { recordDeletion } from './pairing.ts';
import { storePendingUpdates, takePendingUpdates, tournamentsWithPairings } from './pending-updates.ts';
import { planLeads } from './plan-leads.ts';
import { withLinkedPlayers } from './player-mentions.ts';
import { mayWrite } from './provenance.ts';
import * as store from './store.ts';
import { givenPlayers, type PlayerRef } from './wire-blocks.ts';

/** @returns `conflict` where two of the updates turn out to be about one match, or rename an entity at different times */
export async function applyMatchUpdates(
  session: EntitySession,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<BatchOutcomes | 'conflict'> {
  const planned = updates.map((update): PlannedOutcome => {
    const errors = findFaults(session, update);
    return errors.length > 0 ? { outcome: 'rejected', errors } : { outcome: 'unchanged' };
  });
  const valid = updates
    .map((update, index) => ({ update, index }))
    .filter(({ index }) => planned[index]!.outcome !== 'rejected');
  const plan = new MatchPlan(session.precedence, options);
  for (const { update, index } of valid.filter(({ update: { match } }) => match.deleted))
    planned[index] = await planDeletion(session, update, plan, options.now);
  const others = valid.filter(({ update: { match } }) => !match.deleted);
  const changes = await planChanges(
    session,
    others.map(({ update }) => update),
    plan,
    options,
  );
  if (changes === 'conflict') return 'conflict';
  for (const [position, { index }] of others.entries()) planned[index] = changes.planned[position]!;
  const changedMatches = await writeMatches(session, plan.writes, options);
  await storePendingUpdates(session.client, changes.pending);
  for (const update of await takePendingUpdates(session.client, plan.newMatches())) {
    const changed = await applyPendingUpdate(session, update, options);
    if (changed === 'conflict') return 'conflict';
    changedMatches.push(...changed);
  }
  return { outcomes: planned.map(toOutcome), changedMatches };
}

/** A new match has its id only after it was written. */
const toOutcome = (planned: PlannedOutcome): Outcome => {
  if (planned.outcome === 'rejected') return rejected(planned.errors);
  const { outcome, match } = planned;
  return match === undefined ? { outcome } : { outcome, matchId: match.id };
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
function findFaults({ cache }: EntitySession, update: MatchUpdate): Fault[] {
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

async function planDeletion(
  session: EntitySession,
  update: MatchUpdate,
  plan: MatchPlan,
  now: number,
): Promise<PlannedOutcome> {
  const { client } = session;
  const { provider, match } = update;
  const observedAt = Date.parse(update.observed_at);
  const id = (await store.matchesByExternalId(client, provider, [match.id])).get(match.id);
  const before = id === undefined ? undefined : (await store.lockMatches(client, [id])).get(id);
  if (before !== undefined) {
    const lead = parseLead(before.provenance);
    const precedence = lead && isSilent(lead, before, now) ? session.precedence : ledBy(session.precedence, lead);
    if (!mayWrite(precedence, before.provenance.sides, provider, observedAt, 'sides')) {
      await deleteClaims(client, [{ match_id: before.id, provider }]);
      return { outcome: 'unchanged', match: before };
    }
  }
  await recordDeletion(client, provider, match.id, observedAt);
  return before === undefined ? { outcome: 'unchanged' } : plan.delete(update, before);
}

/** Adds to `plan` what the updates, none of them a deletion, change. @returns their outcomes, and the updates that must wait for their match */
async function planChanges(
  session: EntitySession,
  updates: MatchUpdate[],
  plan: MatchPlan,
  options: MatchApplyOptions,
): Promise<{ planned: PlannedOutcome[]; pending: Prepared[] } | 'conflict'> {
  const prepared = await resolveReferences(session, updates);
  if (prepared === 'conflict') return 'conflict';
  const found = await findMatches(session, prepared);
  if (found === 'conflict') return 'conflict';
  const { stored, known, outdated } = found;
  const leads = await planLeads(session, prepared, stored, options);
  const led = await withTakeovers(session, prepared, leads);
  if (led === 'conflict') return 'conflict';
  const effective = await withLinkedPlayers(session.client, led, stored, options);
  const needsIncidents = [...stored].some(([position, { provenance }]) => {
    const precedence = ledBy(session.precedence, leads.get(position)?.lead ?? parseLead(provenance));
    return effective[position]!.update.match.score === null || followsFromIncidents(precedence, provenance);
  });
  const blocks = await store.loadBlocks(
    session.client,
    [...stored.values()].map((match) => match.id),
    [...new Set(effective.flatMap(({ update }) => comparedBlocks(update)).concat(needsIncidents ? 'incidents' : []))],
  );
  const undated = prepared.filter(({ update }) => !options.events && update.match.scheduled_start === undefined);
  const withPairings = await tournamentsWithPairings(session.client, [
    ...new Set(undated.map(({ refs }) => refs.tournament_id)),
  ]);
  const pending: Prepared[] = [];
  const planned = prepared.map((entry, position): PlannedOutcome => {
    if (outdated.has(position)) return { outcome: 'unchanged' };
    const before = stored.get(position) ?? null;
    if (before === null && options.areClaims) return { outcome: 'unchanged' };
    if (before === null && undated.includes(entry) && withPairings.has(entry.refs.tournament_id)) {
      pending.push(entry);
      return { outcome: 'pending' };
    }
    const storedBlocks = (before && blocks.get(before.id)) ?? new Map();
    const lead = leads.get(position);
    if (before !== null && lead !== undefined) plan.keepClaims(before, entry.update, lead, known.has(position));
    const isKnown = known.has(position) || lead?.takeover != null;
    return plan.change(effective[position]!, before, storedBlocks, isKnown, lead?.lead ?? null);
  });
  return { planned, pending };
}

/** The updates, with those in place of which a new leader's whole claim is applied. */
async function withTakeovers(
  session: EntitySession,
  prepared: readonly Prepared[],
  leads: ReadonlyMap<number, LeadPlan>,
): Promise<readonly Prepared[] | 'conflict'> {
  const takeovers = [...leads].flatMap(([position, { takeover }]) => (takeover ? [{ position, takeover }] : []));
  if (takeovers.length === 0) return prepared;
  const resolved = await resolveReferences(
    session,
    takeovers.map(({ takeover }) => takeover.update),
  );
  if (resolved === 'conflict') return 'conflict';
  return prepared.map((entry, position) => {
    const index = takeovers.findIndex((one) => one.position === position);
    return index === -1 ? entry : { ...resolved[index]!, times: takeovers[index]!.takeover.times };
  });
}

async function resolveReferences(session: EntitySession, updates: MatchUpdate[]): Promise<Prepared[] | 'conflict'> {
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
  const prepared: Prepared[] = [];
  for (const { update, home, away, players } of described) {
    const { provider, match } = update;
    const tournament_id = await resolveTournament(session, { provider, sport: match.sport, ...match.tournament });
    const season_id = await resolveSeason(session, tournament_id, match.season);
    const venue_id = match.venue ? await resolveVenue(session, { provider, ...match.venue }) : match.venue;
    prepared.push({
      update,
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
  return session.hasConflict ? 'conflict' : prepared;
}
