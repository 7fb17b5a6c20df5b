/** Fills a test database as a provider does, and queries it as a client does. */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import { applyUpdates } from '../../src/apply/apply.ts';
import type { ApplyResult } from '../../src/apply/update-outcomes.ts';
import type { Deps, Route } from '../../src/deps.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { type FeedUpdateInput, feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';

type MatchInput = MatchUpdateInput['match'];
type ParticipantInput = Extract<FeedUpdateInput, { kind: 'participant' }>['participant'];
type TournamentInput = Extract<FeedUpdateInput, { kind: 'tournament' }>['tournament'];

export interface Fed {
  db: TestDatabase;
  app: TestApp;
  /** The service's current time in milliseconds. */
  now: number;
  matches(...matches: MatchInput[]): Promise<ApplyResult[]>;
  participants(...participants: ParticipantInput[]): Promise<ApplyResult[]>;
  tournaments(...tournaments: TournamentInput[]): Promise<ApplyResult[]>;
  tournamentId(name: string): Promise<number>;
  participantId(name: string): Promise<number>;
  /** Tells the caches that any match may have changed. */
  changed(): void;
  close(): Promise<void>;
}

/** @param routes the routes to serve */
export async function startFed(routes: readonly Route[], now = '2024-06-01T12:00:00Z'): Promise<Fed> {
  const db = await createTestDatabase();
  const fed = { now: Date.parse(now) } as Fed;
  const clock = { now: () => fed.now };
  const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });
  const listeners = new Set<(changed: readonly number[] | 'all') => void>();
  const changes = {
    publish(ids: readonly number[] | 'all') {
      for (const listener of listeners) listener(ids);
    },
    subscribe: (listener: (changed: readonly number[] | 'all') => void) => listeners.add(listener),
  };
  // The catalogue's and competitions' routes need no further settings.
  const config = { ...testConfig, publicSite: true };
  const caches = createReplyCaches(changes);
  const deps = { config, clock, logger, pool: db.pool, reads: db.pool, changes, caches } as unknown as Deps & {
    config: typeof testConfig;
  };
  const app = await startApp(routes, deps as Deps);
  const entities = new EntityCache();
  let observed = Date.parse('2024-01-01T00:00:00Z');
  const apply = async (updates: object[]) => {
    observed += 1_000;
    const envelope = { schema: 1, provider: 'tests', observed_at: new Date(observed).toISOString() };
    const parsed = updates.map((update) => feedUpdate.parse({ ...envelope, ...update }));
    const results = await applyUpdates({ pool: db.pool, clock, changes, entities }, parsed, {
      events: false,
    });
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === 'rejected'),
      [],
      'the test data is rejected',
    );
    return results;
  };
  const idOf = async (table: 'tournament' | 'participant', name: string) => {
    const { rows } = await db.pool.query<{ id: number }>(`SELECT id FROM ${table} WHERE name = $1`, [name]);
    assert.equal(rows.length, 1, `${rows.length} of ${name}`);
    return rows[0]!.id;
  };
  return Object.assign(fed, {
    db,
    app,
    matches: (...matches: MatchInput[]) => apply(matches.map((match) => ({ kind: 'match', match }))),
    participants: (...list: ParticipantInput[]) =>
      apply(list.map((participant) => ({ kind: 'participant', participant }))),
    tournaments: (...list: TournamentInput[]) => apply(list.map((tournament) => ({ kind: 'tournament', tournament }))),
    tournamentId: (name: string) => idOf('tournament', name),
    participantId: (name: string) => idOf('participant', name),
    changed: () => changes.publish('all'),
    close: async () => {
      await app.close();
      await db.drop();
    },
  });
}
