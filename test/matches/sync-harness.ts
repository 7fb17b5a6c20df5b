/** Sync on a test database, with apply, REST, and a relay that runs step by step. A client stores what it reads. */

import assert from 'node:assert/strict';
import { pino } from 'pino';
import { applyUpdates } from '../../src/apply/apply.ts';
import type { ApplyResult } from '../../src/apply/update-outcomes.ts';
import type { Changed } from '../../src/db/notices.ts';
import { openPostgresLog } from '../../src/events/postgres-log.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { readCard } from '../../src/matches/read-card.ts';
import { routes as matchRoutes } from '../../src/matches/routes.ts';
import { assignChangeCursors } from '../../src/relay/change-cursors.ts';
import { startRelay } from '../../src/relay/relay.ts';
import type { StreamDeps } from '../../src/stream/deps.ts';
import { createStreamMetrics } from '../../src/stream/metrics.ts';
import { routes as streamRoutes } from '../../src/stream/routes.ts';
import { type FeedUpdateInput, feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import type { Card } from '../support/feed.ts';
import { startApp, type TestApp, testConfig } from '../support/http.ts';

export type Match = MatchUpdateInput['match'];

export interface Page {
  count: number;
  events: Card[];
  deleted: { id: number; reason: string; merged_into: number | null }[];
  next_cursor: string;
  has_more: boolean;
  stream_cursor: number;
}
export interface Replayed {
  events: { cursor: number; id: string; type: string; data: Envelope }[];
  next_cursor: number;
  has_more: boolean;
}
interface Envelope {
  match: { id: number; status: string; status_detail: string; home: Side; away: Side };
  incident?: { id: number; action: string };
}
interface Side {
  id: number;
  score: number | null;
}

export interface Harness {
  db: TestDatabase;
  app: TestApp;
  /** Feeds match updates: with events, as a live feed does, or without, as an import does. */
  feed(matches: readonly Match[], options?: { events: boolean }): Promise<ApplyResult[]>;
  /**
   * Runs the relay's two steps once.
   * @returns the number of rows that they took
   */
  move(): Promise<number>;
  assignCursors(): Promise<number>;
  /** Runs the relay until no event and no change is pending. */
  settle(): Promise<void>;
  /**
   * Starts the service's relay in the background.
   * @returns a function that stops it
   */
  relay(): Promise<() => Promise<void>>;
  /** Deletes all matches and events. */
  clear(): Promise<void>;
  /** Reads one page. */
  sync(cursor: string | null, parameters?: string): Promise<Page>;
  /** Reads pages until there are no more. */
  pass(cursor: string | null, parameters?: string): Promise<Page[]>;
  replay(since: number, parameters?: string): Promise<Replayed>;
  /** Sends a notice that matches have changed. */
  notice(changed: Changed): void;
  /** Counts pages that were read ahead: those that were used, and those that were dropped when a client asked for them. */
  ahead(): { hits: number; misses: number };
  /** Returns every match's card, as the service serves it. */
  cards(): Promise<Map<number, string>>;
  close(): Promise<void>;
}

export async function createHarness(): Promise<Harness> {
  const db = await createTestDatabase();
  let now = Date.parse('2024-05-01T12:00:00Z');
  const clock = { now: () => now };
  const entities = new EntityCache();
  const eventLog = openPostgresLog(db.pool);
  const logger = pino({ level: 'silent' });
  const listeners = new Set<(changed: Changed) => void>();
  const changes = {
    publish: (ids: readonly number[]) => {
      for (const listener of listeners) listener(ids);
    },
    subscribe: (listener: (changed: Changed) => void) => listeners.add(listener),
    close: async () => {},
  };
  // Sync, replay and cards use no other members.
  const hub = { metrics: createStreamMetrics(), lastDue: async () => Number.POSITIVE_INFINITY };
  const stores = {
    pool: db.pool,
    reads: db.pool,
    plans: BUILT_IN_PLANS,
    eventLog,
    changes,
    caches: createReplyCaches(changes),
  };
  const deps = { config: testConfig, clock, logger, ...stores, hub } as unknown as StreamDeps;
  const app = await startApp([...matchRoutes, ...streamRoutes], deps);
  const lease = (await relayLease.take(db.pool, 'test'))!;
  const harness: Harness = {
    db,
    app,
    async feed(matches, options = { events: true }) {
      now += 1_000;
      const envelope = {
        schema: 1,
        kind: 'match',
        provider: 'live',
        observed_at: new Date(now).toISOString(),
      } as const;
      const updates = matches.map((match) => feedUpdate.parse({ ...envelope, match } satisfies FeedUpdateInput));
      const results = await applyUpdates({ pool: db.pool, clock, changes, entities }, updates, options);
      assert.deepEqual(
        results.filter(({ outcome }) => outcome === 'rejected'),
        [],
      );
      return results;
    },
    move: () => eventLog.move(lease),
    assignCursors: () => assignChangeCursors(db.pool, lease),
    async settle() {
      while ((await harness.move()) > 0);
      while ((await harness.assignCursors()) > 0);
    },
    async relay() {
      await relayLease.release(db.pool, lease);
      const relay = startRelay({ pool: db.pool, log: eventLog, clock, logger, onChange: () => () => {} });
      return () => relay.stop();
    },
    async clear() {
      await db.pool.query(
        'TRUNCATE match, match_change, match_tombstone, match_touch, match_deletion, outbox, event_log CASCADE',
      );
      await db.pool.query('UPDATE relay SET last_offset = 0, change_seq = 0, stamped_cursor = 0');
      await db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
    },
    async sync(cursor, parameters = '') {
      const from = cursor === null ? '' : `&cursor=${cursor}`;
      const { status, json, text } = await app.ask<Page>(`/v1/sync?${parameters}${from}`);
      assert.equal(status, 200, text);
      assert.equal(json.count, json.events.length);
      return json;
    },
    async pass(cursor, parameters) {
      const pages: Page[] = [];
      for (let next = cursor; ; ) {
        const page = await harness.sync(next, parameters);
        pages.push(page);
        if (!page.has_more) break;
        next = page.next_cursor;
      }
      assert.equal(new Set(pages.map((page) => page.stream_cursor)).size, 1, 'stream_cursor is the same on all pages');
      return pages;
    },
    async replay(since, parameters = '') {
      const { status, json, text } = await app.ask<Replayed>(`/v1/stream/replay?since=${since}&${parameters}`);
      assert.equal(status, 200, text);
      return json;
    },
    notice(changed) {
      for (const listener of listeners) listener(changed);
    },
    ahead() {
      const { hits, misses } = stores.caches.ahead.statistics();
      return { hits, misses };
    },
    async cards() {
      const { rows } = await db.pool.query<{ id: number }>('SELECT id FROM match ORDER BY id');
      const cards = new Map<number, string>();
      for (const { id } of rows) cards.set(id, String((await readCard(db.pool, id, null))!.card));
      return cards;
    },
    async close() {
      await app.close();
      await eventLog.close();
      await db.drop();
    },
  };
  return harness;
}

/** Two leagues between which a match may move. */
export const LEAGUES = ['First League', 'Second League'];

/** A match's state as its provider knows it. It changes as in a real match. */
export interface MatchState {
  serial: number;
  status: number;
  score: [number, number];
  incidents: { id: string; minute: number }[];
  league: number;
  referee: string;
}
const STATUSES = ['scheduled', 'live', 'finished'] as const;

export const newMatch = (serial: number): MatchState => ({
  serial,
  status: 0,
  score: [0, 0],
  incidents: [],
  league: 0,
  referee: 'R',
});

export const updateOf = ({ serial, status, score, incidents, league, referee }: MatchState): Match => ({
  id: `m${serial}`,
  sport: 'football',
  tournament: { name: LEAGUES[league]!, country: 'GB-ENG' },
  season: { label: '2023/24' },
  home: { name: `Home ${serial}`, country: 'GB-ENG' },
  away: { name: `Away ${serial}`, country: 'GB-ENG' },
  scheduled_start: '2024-05-01T14:00:00Z',
  status: STATUSES[status]!,
  ...(status > 0 && { score: { home: score[0], away: score[1] } }),
  referee,
  incidents: incidents.map(({ id, minute }) => ({
    id,
    minute,
    kind: 'goal',
    side: 'home',
    player: { name: 'Ёж "9"' },
  })),
});

/** A match's state in a client that follows sync and the stream. */
export interface Known {
  status: string;
  status_detail: string;
  home: number | null;
  away: number | null;
  incidents: Map<number, unknown>;
}

export function knownOf(card: Card): Known {
  const score = (side: string) => card.participants.find((one) => one.side === side)!.score;
  return {
    status: card.status,
    status_detail: card.status_detail,
    home: score('home'),
    away: score('away'),
    incidents: new Map((card.incidents ?? []).map((incident) => [incident.id, incident])),
  };
}

export interface Client {
  matches: Map<number, Known>;
  /** Cards that the client has from sync. */
  cards: Map<number, string>;
  take(page: Page): void;
  follow(page: Replayed): void;
}

export function newClient(): Client {
  const client: Client = {
    matches: new Map(),
    cards: new Map(),
    take({ events, deleted }) {
      for (const card of events) {
        client.matches.set(card.id, knownOf(card));
        client.cards.set(card.id, JSON.stringify(card));
      }
      for (const { id } of deleted) {
        client.matches.delete(id);
        client.cards.delete(id);
      }
    },
    follow({ events }) {
      for (const { type, data } of events) {
        const { id, status, status_detail, home, away } = data.match;
        if (type === 'match.deleted') {
          client.matches.delete(id);
          continue;
        }
        const incidents = client.matches.get(id)?.incidents ?? new Map<number, unknown>();
        if (data.incident !== undefined) {
          const { action, ...incident } = data.incident;
          if (action === 'delete') incidents.delete(incident.id);
          else incidents.set(incident.id, incident);
        }
        client.matches.set(id, { status, status_detail, home: home.score, away: away.score, incidents });
      }
    },
  };
  return client;
}
