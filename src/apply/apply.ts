/**
 * The one way in: lays feed updates over what is stored, finds the differences, and writes state, cards, touches and, for live
 * updates, events, in one transaction. Feeds apply together what comes together; imports hundreds, without events.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { PLANNED_ONCE, type Queryable, transaction } from '../db/postgres.ts';
import {
  commitEntities,
  type EntitySession,
  entityCache,
  entitySession,
  forgetEntities,
  Late,
} from '../identity/entities.ts';
import { BUILT_IN } from '../identity/precedence.ts';
import type { Fault } from '../wire/fault.ts';
import type { FeedUpdate, MatchUpdate, ParticipantUpdate } from '../wire/feed-update.ts';
import { drainCardRefresh, queueRefresh } from './card-refresh.ts';
import { applyParticipantUpdates, applyTournamentUpdate, applyVenueUpdate } from './catalogue-updates.ts';
import type { ApplyDeps, ApplyOptions, ApplyResult } from './contract.ts';
import type { MatchApplyOptions } from './match-plan.ts';
import { applyMatchUpdates, Entangled } from './match-updates.ts';

type Outcome = Omit<ApplyResult, 'index'>;

/**
 * Matches of a feed in one transaction, so that they share its statements (measured beside other work, one block of a 40 KB card
 * each: 2.8 ms of Node's and 2.4 of Postgres' processor for one alone, 1.7 and 0.9 for each of eight).
 */
const LIVE_BATCH = 32;
/** A feed's clock may be this far ahead of ours; what claims to be later would outdo every true update after it. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
const IN_FUTURE: Fault = { path: 'observed_at', code: 'in_future', detail: 'must not be later than now' };

/** Applies updates in order; each stands alone: a rejected one stops no other. Updates of one match are never mixed in one transaction. */
export async function applyUpdates(
  deps: ApplyDeps,
  updates: readonly FeedUpdate[],
  options: ApplyOptions,
): Promise<ApplyResult[]> {
  const results: ApplyResult[] = [];
  const latest = deps.clock.now() + CLOCK_TOLERANCE_MS;
  const fromFuture = ({ observed_at }: FeedUpdate) => options.events && Date.parse(observed_at) > latest;
  for (const [index, update] of updates.entries())
    if (fromFuture(update)) results.push({ index, outcome: 'rejected', errors: [IN_FUTURE] });
  const sound = [...updates.entries()].filter(([, update]) => !fromFuture(update));
  for (const batch of batches(sound, options)) {
    const outcomes = await applyBatch(
      deps,
      batch.map(({ update }) => update),
      options,
    );
    batch.forEach(({ index }, position) => {
      results.push({ index, ...outcomes[position]! });
    });
  }
  return results.sort((a, b) => a.index - b.index);
}

interface Indexed {
  index: number;
  update: FeedUpdate;
}

/** Runs of updates that one transaction can take: alike in kind, no match twice; of feeds matches alone. */
function* batches(updates: Iterable<[number, FeedUpdate]>, { events }: ApplyOptions): Generator<Indexed[]> {
  let batch: Indexed[] = [];
  let seen = new Set<string>();
  for (const [index, update] of updates) {
    const key =
      update.kind === 'match'
        ? matchKey(update)
        : update.kind === 'participant'
          ? participantName(update)
          : [`${index}`];
    const fits =
      batch.length > 0 &&
      batch[0]!.update.kind === update.kind &&
      (!events || (update.kind === 'match' && batch.length < LIVE_BATCH)) &&
      !key.some((part) => seen.has(part));
    if (!fits && batch.length > 0) {
      yield batch;
      batch = [];
      seen = new Set();
    }
    batch.push({ index, update });
    for (const part of key) seen.add(part);
  }
  if (batch.length > 0) yield batch;
}

/** Two updates that share one of these may be about the same match. */
const matchKey = ({ provider, match }: MatchUpdate): string[] => [
  `id|${provider}|${match.id}`,
  `pair|${match.tournament.name}|${match.season.label}|${match.home.name}|${match.away.name}`,
];
const participantName = ({ provider, participant }: Extract<FeedUpdate, { kind: 'participant' }>): string[] => [
  `${participant.name}`,
  ...(participant.id === undefined ? [] : [`${provider}|${participant.id}`]),
];

async function applyBatch(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<Outcome[]> {
  try {
    return await applyUndisturbed(deps, updates, options);
  } catch (error) {
    if (error instanceof Late) return updates.map(() => ({ outcome: 'unchanged' }));
    const errors = faultsOf(error);
    if (errors === null) throw error;
    if (updates.length === 1) return [{ outcome: 'rejected', errors }];
    return error instanceof Rejected
      ? applyRest(deps, updates, error.outcomes, options)
      : applyEach(deps, updates, options);
  }
}

/** The sound ones of a batch again, without those that were rejected. */
async function applyRest(
  deps: ApplyDeps,
  updates: FeedUpdate[],
  outcomes: readonly Outcome[],
  options: ApplyOptions,
): Promise<Outcome[]> {
  const sound = updates.filter((_, index) => outcomes[index]!.outcome !== 'rejected');
  const applied = sound.length === 0 ? [] : await applyBatch(deps, sound, options);
  let next = 0;
  return outcomes.map((outcome) => (outcome.outcome === 'rejected' ? outcome : applied[next++]!));
}

async function applyEach(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const update of updates) outcomes.push(...(await applyBatch(deps, [update], options)));
  return outcomes;
}

/** Rolls the transaction back: a rejected update leaves nothing behind, not even the entities that it named. */
class Rejected extends Error {
  readonly outcomes: readonly Outcome[];

  constructor(outcomes: readonly Outcome[]) {
    super('rejected');
    this.outcomes = outcomes;
  }
}

/** Faults of the data, found by us or by Postgres (class 22: bad values; 23: constraints); null for every other error. */
function faultsOf(error: unknown): Fault[] | null {
  if (error instanceof Rejected) return error.outcomes.flatMap(({ errors = [] }) => errors);
  if (error instanceof Entangled) return [];
  const { code, message } = error as { code?: string; message: string };
  return code?.startsWith('22') || code?.startsWith('23')
    ? [{ path: '', code: 'refused_by_store', detail: message }]
    : null;
}

/**
 * Ways in which another transaction can be in the way: a serialization failure, a deadlock, the same row made at the same
 * time, an entity that another process has merged away. Begun again, each goes well.
 */
const DISTURBED = new Set(['40001', '40P01', '23505', '23503']);
const ATTEMPTS = 6;
const PAUSE_MS = 20;

async function applyUndisturbed(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<Outcome[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await applyTogether(deps, updates, options);
    } catch (error) {
      const { code = '' } = error as { code?: string };
      if (!DISTURBED.has(code) || attempt === ATTEMPTS) throw error;
      if (code === '23503') forgetEntities(deps.pool);
      await sleep(PAUSE_MS * attempt * Math.random());
    }
  }
}

async function applyTogether(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<Outcome[]> {
  const precedence = deps.config?.precedence ?? BUILT_IN;
  const cache = await entityCache(deps.pool, precedence);
  let session!: EntitySession;
  const changed: number[] = [];
  let refreshes = 0;
  const work = async (client: Queryable) => {
    session = entitySession(client, cache, options.events ? () => timeOf(updates) : () => null, precedence);
    const found = await applyAlike(session, updates, { ...options, now: deps.clock.now(), changed, precedence });
    if (found.some(({ outcome }) => outcome === 'rejected')) throw new Rejected(found);
    refreshes = await queueRefresh(client, session.renamed);
    return found;
  };
  const settings = options.events ? [PLANNED_ONCE] : [PLANNED_ONCE, 'SET LOCAL synchronous_commit = off'];
  const outcomes = await transaction(deps.pool, work, settings);
  commitEntities(session);
  deps.changes.publish(changed);
  if (refreshes > 0) await drainCardRefresh(deps);
  return outcomes;
}

/**
 * When a feed saw what it says of the entities that it names.
 * @throws {Entangled} where that is not one time: names that change are judged by it
 */
function timeOf(updates: readonly FeedUpdate[]): number {
  const [{ observed_at }, ...others] = updates as [FeedUpdate, ...FeedUpdate[]];
  if (others.some((other) => other.observed_at !== observed_at)) throw new Entangled();
  return Date.parse(observed_at);
}

/** Updates of one kind, within a transaction. */
async function applyAlike(
  session: EntitySession,
  updates: FeedUpdate[],
  options: MatchApplyOptions,
): Promise<Outcome[]> {
  const kind = updates[0]!.kind;
  if (kind === 'match') return applyMatchUpdates(session, updates as MatchUpdate[], options);
  if (kind === 'participant') return applyParticipantUpdates(session, updates as ParticipantUpdate[]);
  const outcomes: Outcome[] = [];
  for (const update of updates) {
    if (update.kind === 'tournament') outcomes.push(await applyTournamentUpdate(session, update));
    if (update.kind === 'venue') outcomes.push(await applyVenueUpdate(session, update));
  }
  return outcomes;
}
