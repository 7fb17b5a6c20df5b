/**
 * Passes replies to a provider as the poller does. What the provider knows goes through JSON between two replies,
 * inputs are frozen, and each update is checked against the feed's schema.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { PlannedRequest, Provider, ProviderReply, ProviderUpdate, Reading } from '../../src/providers/provider.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type Card, type FeedBench, openFeedBench, types } from './feed.ts';

type Match = Extract<ProviderUpdate, { kind: 'match' }>['match'];

export interface ProviderRun {
  /** What the provider knows now. */
  known: unknown;
  /**
   * Reads a reply.
   * @param at an ISO time, by our clock
   * @returns the result; the test fails if the reply is unusable
   */
  read(path: string, body: unknown, at: string, more?: Partial<ProviderReply>): Reading<unknown>;
  /** Reads a reply that may be unusable, and ignores the error. */
  attempt(path: string, body: unknown, at: string): void;
  /**
   * Reads a reply that has to be unusable.
   * @returns the reason
   */
  refuse(path: string, body: unknown, at: string): string;
  /**
   * Reads a reply with updates about one match or none.
   * @returns the match
   */
  match(path: string, body: unknown, at: string, more?: Partial<ProviderReply>): Match | undefined;
  /** Returns the requests that the provider wants to send at a time. */
  requests(at: string): PlannedRequest[];
  /**
   * Returns `path every N s` for the requests at a time. Without `text`, returns only requests that are sent at least
   * once a minute, otherwise only those that contain the text.
   */
  plan(at: string, text?: string): string[];
  streams(at: string): string[];
}

export function runProvider(provider: Provider, scope: string | null = null): ProviderRun {
  const started = provider.start(scope);
  assert.notEqual(typeof started, 'string', String(started));
  const toReply = (path: string, body: unknown, at: string, more: Partial<ProviderReply> = {}) =>
    frozen({
      path,
      body: JSON.parse(JSON.stringify(body)),
      receivedAt: Date.parse(at),
      sourceTime: Date.parse(at),
      ...more,
    });
  const keep = (reading: Reading<unknown>, at: string) => {
    const kept: unknown = JSON.parse(JSON.stringify(reading.known));
    assert.deepEqual(kept, reading.known, 'the known state is not plain JSON');
    for (const update of reading.updates) feedUpdate.parse(toFeed(provider.name, update, at));
    run.known = kept;
  };
  const run: ProviderRun = {
    known: started,
    read(path, body, at, more) {
      const reading = provider.updates(toReply(path, body, at, more), frozen(run.known));
      assert.ok(typeof reading !== 'string', String(reading));
      keep(reading, at);
      return reading;
    },
    attempt(path, body, at) {
      const reading = provider.updates(toReply(path, body, at), frozen(run.known));
      if (typeof reading !== 'string') keep(reading, at);
    },
    refuse(path, body, at) {
      const reading = provider.updates(toReply(path, body, at), frozen(run.known));
      assert.ok(typeof reading === 'string', 'the reply was read');
      return reading;
    },
    match(path, body, at, more) {
      const { updates } = run.read(path, body, at, more);
      assert.ok(updates.length < 2, `${updates.length} updates`);
      return updates.length === 0 ? undefined : (updates[0] as { match: Match }).match;
    },
    requests: (at) => provider.requests(Date.parse(at), frozen(run.known)),
    plan: (at, text) =>
      run
        .requests(at)
        .filter(({ path, everyMs }) => (text === undefined ? everyMs <= 60_000 : path.includes(text)))
        .map(({ path, everyMs }) => `${path} every ${everyMs / 1_000} s`),
    streams: (at) => (provider.streams?.(Date.parse(at), frozen(run.known)) ?? []).map(({ path }) => path),
  };
  return run;
}

const toFeed = (provider: string, update: ProviderUpdate, at: string) => ({
  ...update,
  schema: 1 as const,
  provider,
  observed_at: new Date(at).toISOString(),
});

/** Freezes a plain JSON value at all depths. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** A recorded reply: path, body, ISO time. */
export type Step = readonly [path: string, body: unknown, at: string, more?: Partial<ProviderReply>];

/**
 * Passes replies to a provider and stores the result in a database.
 * @returns the events after each step, and a match's card by the provider's id
 */
export async function playProvider(provider: Provider, scope: string | null = null) {
  const bench: FeedBench = await openFeedBench();
  const run = runProvider(provider, scope);
  return {
    run,
    async events(...[path, body, at, more]: Step): Promise<string[]> {
      const { updates } = run.read(path, body, at, more);
      bench.now = Date.parse(at);
      const results = await bench.feed(...updates.map((update) => toFeed(provider.name, update, at)));
      for (const result of results) assert.match(result.outcome, /^(?:accepted|unchanged)$/u, JSON.stringify(result));
      return types(await bench.events());
    },
    async card(id: string): Promise<Card> {
      const { rows } = await bench.db.pool.query<{ entity_id: number }>(
        "SELECT entity_id FROM external_ref WHERE entity = 'match' AND provider = $1 AND external_id = $2",
        [provider.name, id],
      );
      assert.equal(rows.length, 1, `there is no match ${id}`);
      return bench.card(rows[0]!.entity_id);
    },
    close: () => bench.db.drop(),
  };
}

/**
 * Opens recorded replies in ../shared/datasets/providers.
 * @returns a function that reads one by its file name. If the recordings are missing, tests that call `skip` first are
 * skipped with a message.
 */
export function recordings(provider: string) {
  const folder = new URL(`../../../shared/datasets/providers/${provider}/`, import.meta.url);
  return {
    skip(this: Mocha.Context): void {
      if (existsSync(folder)) return;
      console.warn(`      SKIPPED: ${folder.pathname} is not there`);
      this.skip();
    },
    // biome-ignore lint/suspicious/noExplicitAny: a reply of any shape, which a test changes
    read: (name: string): any => JSON.parse(gunzipSync(readFileSync(new URL(name, folder))).toString()),
  };
}
