/** Applies match updates within one transaction: resolve, lock, compare, write. */
import { type EntitySession, referenceFaults } from '../identity/entities.ts';
import { isIdentified } from '../identity/identity.ts';
import { type ParticipantDescriptor, resolveParticipants } from '../identity/resolve-participants.ts';
import { resolveSeason, resolveTournament } from '../identity/resolve-tournaments.ts';
import { resolveVenue } from '../identity/resolve-venues.ts';
import type { Fault } from '../wire/fault.ts';
import type { MatchUpdate } from '../wire/feed-update.ts';
import { eachPlayer, type PlayerRef } from './blocks.ts';
import type { Outcome } from './contract.ts';
import { comparedBlocks } from './match-blocks.ts';
import { type MatchApplyOptions, MatchPlan, type Prepared } from './match-plan.ts';
import { deletions, lockForInsertion, matchesByPairing, noteDeletion, type Pairing } from './pairing.ts';
import { keepPending, pairingTournaments, takePending } from './pending.ts';
import { mayWrite } from './provenance.ts';
import * as store from './store.ts';

/** Two updates of one batch turn out to be about one match, or to rename somebody at different times: they must be applied one after the other. */
export class Entangled extends Error {}

/** @throws {Entangled} */
export async function applyMatchUpdates(
  session: EntitySession,
  updates: MatchUpdate[],
  options: MatchApplyOptions,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = updates.map((update) => {
    const errors = faultsOf(session, update);
    return errors.length > 0 ? { outcome: 'rejected', errors } : { outcome: 'unchanged' };
  });
  const sound = updates
    .map((update, index) => ({ update, index }))
    .filter(({ index }) => outcomes[index]!.outcome !== 'rejected');
  const plan = new MatchPlan(options);
  for (const { update, index } of sound.filter(({ update: { match } }) => match.deleted))
    outcomes[index] = await removeMatch(session, update, plan);
  const living = sound.filter(({ update: { match } }) => !match.deleted);
  const prepared = await resolveReferences(
    session,
    living.map(({ update }) => update),
  );
  const { stored, known, late } = await findMatches(session, prepared);
  const blocks = await store.loadBlocks(
    session.client,
    [...stored.values()].map((match) => match.id),
    [...new Set(prepared.flatMap(({ update }) => comparedBlocks(update)))],
  );
  const undated = prepared.filter(({ update }) => !options.events && update.match.scheduled_start === undefined);
  const paired = await pairingTournaments(session.client, [...new Set(undated.map(({ refs }) => refs.tournament_id))]);
  const pending: Prepared[] = [];
  for (const [position, entry] of prepared.entries()) {
    if (late.has(position)) continue;
    const before = stored.get(position) ?? null;
    if (before === null && undated.includes(entry) && paired.has(entry.refs.tournament_id)) {
      pending.push(entry);
      outcomes[living[position]!.index] = { outcome: 'pending' };
      continue;
    }
    const held = (before && blocks.get(before.id)) ?? new Map();
    outcomes[living[position]!.index] = plan.add(entry, before, held, known.has(position));
  }
  await plan.write(session);
  await keepPending(session.client, pending);
  for (const update of await takePending(session.client, plan.made())) await applyPending(session, update, options);
  return outcomes;
}

/** History that has waited for a match that is there now; a fault in it does not keep the match from being made. */
async function applyPending(session: EntitySession, update: MatchUpdate, options: MatchApplyOptions): Promise<void> {
  const { client } = session;
  await client.query('SAVEPOINT pending');
  const [result] = await applyMatchUpdates(session, [update], { ...options, events: false });
  if (result!.outcome !== 'rejected') return;
  await client.query('ROLLBACK TO SAVEPOINT pending');
  await store.rejectUpdate(client, options.now, update.provider, JSON.stringify(update), result!.errors);
}

/** What the schema cannot know: sports, countries, players whom nothing tells from others. */
function faultsOf({ cache }: EntitySession, update: MatchUpdate): Fault[] {
  const { match } = update;
  const named = [
    { path: 'match', sport: match.sport },
    { path: 'match.tournament', country: match.tournament.country },
    { path: 'match.home', country: match.home.country },
    { path: 'match.away', country: match.away.country },
    ...(match.venue ? [{ path: 'match.venue', country: match.venue.country }] : []),
  ];
  eachPlayer(update, ({ country }, block, index, role) => {
    if (country !== undefined) named.push({ path: `match.${block}.${index}.${role}`, country });
  });
  const faults = referenceFaults(cache, named);
  for (const side of ['home', 'away'] as const) {
    if (match[side].type === 'player' && !isIdentified(match[side])) {
      faults.push({
        path: `match.${side}.id`,
        code: 'unidentified',
        detail: 'a player needs an id to be told from others',
      });
    }
  }
  return faults;
}

async function removeMatch(session: EntitySession, update: MatchUpdate, plan: MatchPlan): Promise<Outcome> {
  const { client } = session;
  const { provider, match } = update;
  const observedAt = Date.parse(update.observed_at);
  const id = (await store.matchesByExternalId(client, provider, [match.id])).get(match.id);
  const before = id === undefined ? undefined : (await store.lockMatches(client, [id])).get(id);
  if (before !== undefined && !mayWrite(session.precedence, before.provenance.sides, provider, observedAt, 'sides'))
    return { outcome: 'unchanged', matchId: before.id };
  await noteDeletion(client, provider, match.id, observedAt);
  return before === undefined ? { outcome: 'unchanged' } : plan.remove(update, before);
}

async function resolveReferences(session: EntitySession, updates: MatchUpdate[]): Promise<Prepared[]> {
  const described = updates.map((update) => {
    const { provider, match } = update;
    const common = { provider, sport: match.sport, gender: match.tournament.gender };
    const side = (ref: MatchUpdate['match']['home']): ParticipantDescriptor => ({ ...common, ...ref });
    const player = (ref: PlayerRef): ParticipantDescriptor => ({ ...common, type: 'player', ...ref });
    const players = new Map<PlayerRef, ParticipantDescriptor>();
    eachPlayer(update, (ref) => players.set(ref, player(ref)));
    return { update, home: side(match.home), away: side(match.away), players };
  });
  const ids = await resolveParticipants(
    session,
    described.flatMap(({ home, away, players }) => [home, away, ...players.values()]),
  );
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
  return prepared;
}

interface Found {
  /** The stored matches, locked, by position. */
  stored: Map<number, store.StoredMatch>;
  /** Positions whose provider's id is remembered. */
  known: Set<number>;
  /** Positions of updates that are older than their provider's word that there is no such match. */
  late: Set<number>;
}

/** @throws {Entangled} */
async function findMatches(session: EntitySession, prepared: Prepared[]): Promise<Found> {
  const { client } = session;
  const found = new Map<number, number>();
  const known = new Set<number>();
  const late = new Set<number>();
  const open = () => [...prepared.entries()].filter(([position]) => !found.has(position) && !late.has(position));
  const lookById = async () => {
    for (const [provider, group] of groupBy(open(), ([, { update }]) => update.provider)) {
      const ids = await store.matchesByExternalId(
        client,
        provider,
        group.map(([, { update }]) => update.match.id),
      );
      for (const [position, { update }] of group) {
        const id = ids.get(update.match.id);
        if (id === undefined) continue;
        found.set(position, id);
        known.add(position);
      }
    }
  };
  await lookById();
  if (open().length > 0) {
    for (const [position, at] of await deletions(client, open().map(pairing)))
      if (Date.parse(prepared[position]!.update.observed_at) <= at) late.add(position);
    // From here to the commit nobody else makes a match of these seasons, nor renames what the new ones show.
    await lockForInsertion(
      client,
      open().map(([, { refs }]) => refs),
    );
    await lookById();
    for (const [position, id] of await matchesByPairing(client, open().map(pairing))) found.set(position, id);
  }
  checkApart([...found.values()]);
  checkApart(open().map(([, { refs }]) => `${refs.season_id} ${refs.home_id} ${refs.away_id}`));
  const locked = await store.lockMatches(client, [...found.values()]);
  const stored = new Map<number, store.StoredMatch>();
  for (const [position, id] of found) {
    const match = locked.get(id);
    if (match !== undefined) stored.set(position, match);
    else known.delete(position);
  }
  return { stored, known, late };
}

const pairing = ([index, { update, refs }]: [number, Prepared]): Pairing => ({
  index,
  provider: update.provider,
  external_id: update.match.id,
  ...refs,
  scheduled_start: update.match.scheduled_start ?? null,
});

function checkApart(keys: readonly (string | number)[]): void {
  if (new Set(keys).size < keys.length) throw new Entangled();
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
