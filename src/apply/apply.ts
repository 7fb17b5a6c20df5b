/**
 * Applies feed updates. Each update is merged into the stored match. In the same transaction, the differences are written to
 * the match's state and cards, and become pending changes and, for live updates, events. A feed's updates share a transaction
 * where possible. An import applies hundreds of updates at a time, without events.
 */
import { type Queryable, retried, transaction } from '../db/postgres.ts';
import {
  BatchConflict,
  commitEntities,
  type EntityLookup,
  entityLookup,
  hasRenames,
  OutdatedUpdate,
  rejected,
} from '../identity/entities.ts';
import { applyParticipantUpdates, applyTournamentUpdate, applyVenueUpdate } from '../identity/index.ts';
import { BUILT_IN } from '../identity/precedence.ts';
import { inSpan, isTracing, type SpanStart } from '../runtime/tracing.ts';
import type { Fault } from '../wire/fault.ts';
import type { FeedUpdate, MatchUpdate, ParticipantUpdate } from '../wire/feed-update.ts';
import { applyMatchUpdates } from './match-updates.ts';
import type {
  ApplyDeps,
  ApplyOptions,
  ApplyResult,
  BatchResults,
  MatchApplyOptions,
  UpdateResult,
} from './update-outcomes.ts';
import { drainCardRefresh, queueRefresh } from './write/card-refresh.ts';
import { settingsFor } from './write/commit-match-changes.ts';

/**
 * A feed's clock may be this far ahead of ours. If an update's time were further ahead, the update would win over every correct
 * later one.
 */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
const IN_FUTURE: Fault = { path: 'observed_at', code: 'in_future', detail: 'must not be in the future' };

/** Returns the fault if the update comes from the future. @param now ms */
export const timeFaults = ({ observed_at }: FeedUpdate, now: number): Fault[] =>
  Date.parse(observed_at) > now + CLOCK_TOLERANCE_MS ? [IN_FUTURE] : [];

/** Applies updates in order. A rejected update does not affect the others. Updates for the same match never share a transaction. */
export async function applyUpdates(
  deps: ApplyDeps,
  updates: readonly FeedUpdate[],
  options: ApplyOptions,
): Promise<ApplyResult[]> {
  const results: ApplyResult[] = [];
  const now = deps.clock.now();
  const faults = (update: FeedUpdate) => (options.events ? timeFaults(update, now) : []);
  for (const [index, update] of updates.entries())
    if (faults(update).length > 0) results.push({ index, ...rejected(faults(update)) });
  const timely = [...updates.entries()].filter(([, update]) => faults(update).length === 0);
  for (const batch of batches(timely, options)) {
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

async function applyBatch(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<UpdateResult[]> {
  let result: BatchResults;
  try {
    result = await applyWithRetries(deps, updates, options);
  } catch (error) {
    if (error instanceof OutdatedUpdate) return updates.map(() => ({ outcome: 'unchanged' }));
    if (error instanceof BatchConflict) return applyInParts(deps, updates, options);
    const refusal = refusalByStore(error);
    if (refusal === null) throw error;
    return updates.length === 1 ? [rejected([refusal])] : applyInParts(deps, updates, options);
  }
  return isCommitted(result) || updates.length === 1
    ? result.outcomes
    : applyValidOnes(deps, updates, result.outcomes, options);
}

/** Applies a batch again after the rollback, without the rejected updates. */
async function applyValidOnes(
  deps: ApplyDeps,
  updates: FeedUpdate[],
  outcomes: readonly UpdateResult[],
  options: ApplyOptions,
): Promise<UpdateResult[]> {
  const valid = updates.filter((_, index) => outcomes[index]?.outcome !== 'rejected');
  const applied = (valid.length === 0 ? [] : await applyBatch(deps, valid, options)).values();
  return outcomes.map((outcome) => (outcome.outcome === 'rejected' ? outcome : (applied.next().value ?? outcome)));
}

/** Applies live updates one by one. Halves the batch of an import, because only a few of the many updates conflict. */
async function applyInParts(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<UpdateResult[]> {
  if (updates.length === 1) throw new Error('a single update cannot conflict with another');
  const size = options.events ? 1 : Math.ceil(updates.length / 2);
  const outcomes: UpdateResult[] = [];
  for (let start = 0; start < updates.length; start += size)
    outcomes.push(...(await applyBatch(deps, updates.slice(start, start + size), options)));
  return outcomes;
}

/**
 * Returns a Postgres error as a fault if the data caused it (class 22: bad values, 23: constraints). Returns null for any
 * other error.
 */
function refusalByStore(error: unknown): Fault | null {
  const { code, message } = error as { code?: string; message: string };
  return code?.startsWith('22') || code?.startsWith('23')
    ? { path: '', code: 'refused_by_store', detail: message }
    : null;
}

const FOREIGN_KEY_VIOLATION = '23503';

const applyWithRetries = (deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<BatchResults> =>
  retried(
    () => applyInTransaction(deps, updates, options),
    (code) => {
      if (code === FOREIGN_KEY_VIOLATION) deps.entities.clear();
    },
  );

/** Commits the batch only if every update can be written; see `isCommitted`. */
async function applyInTransaction(
  deps: ApplyDeps,
  updates: FeedUpdate[],
  options: ApplyOptions,
): Promise<BatchResults> {
  const precedence = deps.config?.precedence ?? BUILT_IN;
  const known = await deps.entities.load(deps.pool, precedence);
  const observedAt = options.events ? commonObservedAt(updates) : null;
  const work = async (client: Queryable) => {
    const lookup = entityLookup(client, known, observedAt, precedence);
    const result = await applyOneKind(lookup, updates, { ...options, now: deps.clock.now() });
    const refreshes =
      isCommitted(result) && hasRenames(lookup) ? await queueRefresh(client, lookup.renamed, lookup.renamedIn) : 0;
    return { lookup, result, refreshes };
  };
  const apply = () => transaction(deps.pool, work, settingsFor(options.events), (done) => isCommitted(done.result));
  const { lookup, result, refreshes } = await (isTracing() ? inSpan(...transactionSpan(updates), apply) : apply());
  if (!isCommitted(result)) return result;
  commitEntities(lookup);
  deps.changes.publish(result.changedMatches, { events: options.events });
  if (refreshes > 0) await drainCardRefresh(deps);
  return result;
}

const transactionSpan = (updates: readonly FeedUpdate[]): [string, SpanStart] => [
  `apply ${updates[0]?.kind}`,
  { attributes: { 'db.system.name': 'postgresql', 'touchline.updates': updates.length } },
];

/** Returns the time at which a feed observed the updates, in ms, or `various` if the times differ. */
function commonObservedAt([first, ...others]: readonly FeedUpdate[]): number | 'various' {
  const { observed_at } = first!;
  return others.every((other) => other.observed_at === observed_at) ? Date.parse(observed_at) : 'various';
}

/** Applies updates of one kind within a transaction. */
async function applyOneKind(
  lookup: EntityLookup,
  updates: FeedUpdate[],
  options: MatchApplyOptions & ApplyOptions,
): Promise<BatchResults> {
  const matches = updates.filter((update) => update.kind === 'match');
  if (matches.length > 0) return applyMatchUpdates(lookup, matches, options);
  const participants = updates.filter((update) => update.kind === 'participant');
  const outcomes: UpdateResult[] =
    participants.length > 0 ? await applyParticipantUpdates(lookup, participants, options) : [];
  for (const update of updates) {
    if (update.kind === 'tournament') outcomes.push(await applyTournamentUpdate(lookup, update));
    if (update.kind === 'venue') outcomes.push(await applyVenueUpdate(lookup, update));
  }
  return { outcomes, changedMatches: [] };
}

/** True if the batch is committed. One rejected update rolls the whole batch back, including the entities that the batch created. */
const isCommitted = ({ outcomes }: BatchResults): boolean => outcomes.every(({ outcome }) => outcome !== 'rejected');

/**
 * Maximum number of one feed's matches in a transaction. Matches in a transaction share its statements. Measured with a
 * change to one block of a 40 KB card for each match, while the machine did other work: a match alone takes 2.8 ms of CPU in
 * Node and 2.4 in Postgres; in a batch of eight, each match takes 1.7 and 0.9.
 */
const LIVE_BATCH = 32;

interface IndexedUpdate {
  index: number;
  update: FeedUpdate;
}

/** Groups updates into batches of one kind. No match or participant occurs twice in a batch. */
function batches(
  updates: readonly [index: number, update: FeedUpdate][],
  { events }: ApplyOptions,
): Iterable<IndexedUpdate[]> {
  return events ? liveBatches(updates) : importBatches(updates);
}

/** Groups consecutive updates. Only match updates share a batch. */
function* liveBatches(updates: readonly [index: number, update: FeedUpdate][]): Generator<IndexedUpdate[]> {
  let batch: IndexedUpdate[] = [];
  let seen = new Set<string>();
  for (const [index, update] of updates) {
    const keys = conflictKeys(update, index);
    const fits =
      batch[0]?.update.kind === 'match' &&
      update.kind === 'match' &&
      batch.length < LIVE_BATCH &&
      !keys.some((key) => seen.has(key));
    if (!fits && batch.length > 0) {
      yield batch;
      batch = [];
      seen = new Set();
    }
    batch.push({ index, update });
    for (const key of keys) seen.add(key);
  }
  if (batch.length > 0) yield batch;
}

/**
 * Groups consecutive updates of the same kind into as few batches as possible. If two sides meet a second time, only that
 * match moves to the next batch, and the current batch continues. Updates that share a key keep their order.
 */
function importBatches(updates: readonly [index: number, update: FeedUpdate][]): IndexedUpdate[][] {
  const found: IndexedUpdate[][] = [];
  let kind: FeedUpdate['kind'] | undefined;
  let first = 0;
  let next = new Map<string, number>();
  for (const [index, update] of updates) {
    if (update.kind !== kind) {
      kind = update.kind;
      first = found.length;
      next = new Map();
    }
    const keys = conflictKeys(update, index);
    const at = Math.max(...keys.map((key) => next.get(key) ?? first));
    found[at] ??= [];
    found[at].push({ index, update });
    for (const key of keys) next.set(key, at + 1);
  }
  return found;
}

/** Returns an update's conflict keys. Two updates that share a key may be about the same match or participant. */
function conflictKeys(update: FeedUpdate, index: number): string[] {
  if (update.kind === 'match') return matchKeys(update);
  return update.kind === 'participant' ? participantKeys(update) : [`${index}`];
}

const matchKeys = ({ provider, match }: MatchUpdate): string[] => [
  `id|${provider}|${match.id}`,
  `pair|${match.tournament.name}|${match.season.label}|${match.home.name}|${match.away.name}`,
];

const participantKeys = ({ provider, participant }: ParticipantUpdate): string[] => [
  `${participant.name}`,
  ...(participant.id === undefined ? [] : [`${provider}|${participant.id}`]),
];
