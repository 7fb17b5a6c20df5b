/**
 * The one way in: lays feed updates over what is stored, finds the differences, and writes state, cards, touches and, for live
 * updates, events, in one transaction. Feeds apply one update at a time; imports hundreds, without events.
 */
import type pg from 'pg';
import { transaction } from '../db/postgres.ts';
import type { Clock } from '../clock.ts';
import type { MatchChanges } from '../matches/changes.ts';
import { applyParticipantUpdates, applyTournamentUpdate, applyVenueUpdate } from './catalogue-updates.ts';
import { commitEntities, type EntitySession, entityCache, entitySession } from './entities.ts';
import type { FeedUpdate, MatchUpdate, ParticipantUpdate } from './feed.ts';
import { applyMatchUpdates, type MatchApplyOptions } from './match-updates.ts';
import { drainCardRefresh } from './refresh.ts';
import type { Fault } from './state.ts';
import { queueRefresh } from './store.ts';

export interface ApplyDeps {
  pool: pg.Pool;
  clock: Clock;
  changes: Pick<MatchChanges, 'publish'>;
}

export interface ApplyResult {
  index: number;
  outcome: 'accepted' | 'unchanged' | 'rejected';
  matchId?: number;
  errors?: Fault[];
}

export interface ApplyOptions {
  /** Whether differences become events (feeds, pollers, play) or only move the sync cursor (imports of history). */
  events: boolean;
}

type Outcome = Omit<ApplyResult, 'index'>;

/** Applies updates in order; each stands alone: a rejected one stops no other. Updates of one match are never mixed in one transaction. */
export async function applyUpdates(
  deps: ApplyDeps,
  updates: readonly FeedUpdate[],
  options: ApplyOptions,
): Promise<ApplyResult[]> {
  const results: ApplyResult[] = [];
  for (const batch of batches(updates, options)) {
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

/** Runs of updates that one transaction can take: alike in kind, no match twice, one at a time where events are made. */
function* batches(updates: readonly FeedUpdate[], { events }: ApplyOptions): Generator<Indexed[]> {
  let batch: Indexed[] = [];
  let seen = new Set<string>();
  for (const [index, update] of updates.entries()) {
    const key =
      update.kind === 'match'
        ? matchKey(update)
        : update.kind === 'participant'
          ? participantName(update)
          : [`${index}`];
    const fits =
      batch.length > 0 && !events && batch[0]!.update.kind === update.kind && !key.some((part) => seen.has(part));
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
    return await applyTogether(deps, updates, options);
  } catch (error) {
    const errors = faultsOf(error);
    if (errors === null) throw error;
    if (updates.length === 1) return [{ outcome: 'rejected', errors }];
    // One of them is bad: each alone, so that it is rejected whole and the others go on.
    const outcomes: Outcome[] = [];
    for (const update of updates) outcomes.push(...(await applyBatch(deps, [update], options)));
    return outcomes;
  }
}

/** Rolls the transaction back: a rejected update leaves nothing behind, not even the entities that it named. */
class Rejected extends Error {
  constructor(readonly faults: Fault[]) {
    super('rejected');
  }
}

/** Faults of the data, found by us or by Postgres (class 22: bad values; 23: constraints); null for every other error. */
function faultsOf(error: unknown): Fault[] | null {
  if (error instanceof Rejected) return error.faults;
  const { code, message } = error as { code?: string; message: string };
  return code?.startsWith('22') || code?.startsWith('23')
    ? [{ path: '', code: 'refused_by_store', detail: message }]
    : null;
}

async function applyTogether(deps: ApplyDeps, updates: FeedUpdate[], options: ApplyOptions): Promise<Outcome[]> {
  const cache = await entityCache(deps.pool);
  let session!: EntitySession;
  const changed: number[] = [];
  let refreshes = 0;
  const outcomes = await transaction(deps.pool, async (client) => {
    if (!options.events) await client.query('SET LOCAL synchronous_commit = off');
    session = entitySession(client, cache);
    const found = await applyAlike(session, updates, { ...options, now: deps.clock.now(), changed });
    const refused = found.find(({ outcome }) => outcome === 'rejected');
    if (refused !== undefined) throw new Rejected(refused.errors ?? []);
    refreshes = await queueRefresh(client, session.renamed);
    return found;
  });
  commitEntities(session);
  deps.changes.publish(changed);
  if (refreshes > 0) await drainCardRefresh(deps);
  return outcomes;
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
