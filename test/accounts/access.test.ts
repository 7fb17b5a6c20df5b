/**
 * Checks what an account sees whose plan includes only some sports and tournaments, over REST, sync and replay in a
 * whole service.
 */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { type Running, readRoleConfig, serve } from '../../src/main.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

const TOKEN = 'feed-token-of-the-tests';
const MATCHES = [
  ['football', 'First League'],
  ['football', 'Second League'],
  ['tennis', 'Open'],
  ['tennis', 'Masters'],
  ['handball', 'Cup'],
] as const;
/**
 * Plans. One of them includes all tennis and one tournament in a different sport, which is added when its id is known.
 */
const PLANS = (tournament: number) =>
  JSON.stringify({
    default: 'all',
    plans: [
      { name: 'all', title: 'All', stream: true, windows: { burst: 1_000, day: 100_000 } },
      { name: 'some', title: 'Some', stream: true, access: { sports: ['tennis'], tournaments: [tournament] } },
    ],
  });
/** Indexes in MATCHES of the matches that the plan includes. */
const INSIDE = [1, 2, 3];
const OUTSIDE = [0, 4];

interface Item {
  id: number;
  tournament_id: number;
}

describe('REST for a plan limited to some sports and tournaments', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let running: Running;
  let matches: Item[] = [];
  const keys = { all: '', some: '' };
  const config = (tournament: number) =>
    readRoleConfig(
      {
        DATABASE_URL: db.url,
        CLICKHOUSE_URL: 'http://127.0.0.1:1',
        SECRET_KEY: 'a-secret-key-of-the-tests',
        FEED_TOKEN: TOKEN,
        PORT: '0',
        ADMIN_PORT: '0',
        PLANS: PLANS(tournament),
      },
      'all',
    );
  async function start(tournament: number): Promise<void> {
    running = await serve(await config(tournament), pino({ level: 'silent' }), { role: 'all' });
  }
  const feed = (index: number, over: object = {}) =>
    fetch(`${running.address}/feed/v1/updates`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        schema: 1,
        kind: 'match',
        provider: 'live',
        observed_at: new Date().toISOString(),
        match: {
          id: `m${index}`,
          sport: MATCHES[index]![0],
          tournament: { id: `t${index}`, name: MATCHES[index]![1], country: 'INT' },
          season: { label: '2026' },
          home: { id: `h${MATCHES[index]![0]}`, name: `Home ${MATCHES[index]![0]}`, country: 'INT' },
          away: { id: `a${index}`, name: `Away ${index}`, country: 'INT' },
          scheduled_start: new Date(Date.now() - 600_000).toISOString(),
          status: 'live',
          score: { home: 0, away: 0 },
          ...over,
        },
      }),
    }).then(async (answer) => assert.deepEqual(((await answer.json()) as { rejected: object[] }).rejected, []));
  async function ask<T>(path: string, who: keyof typeof keys): Promise<{ status: number; json: T }> {
    const answer = await fetch(running.address + path, { headers: { 'X-API-Key': keys[who] } });
    return { status: answer.status, json: (await answer.json()) as T };
  }
  const settled = () =>
    until('the relay has moved every change', async () => {
      const { rows } = await db.pool.query(
        'SELECT NOT EXISTS (SELECT FROM outbox) AND NOT EXISTS (SELECT FROM match_touch) AS done',
      );
      return rows[0].done;
    });

  before(async () => {
    db = await createTestDatabase();
    await start(1);
    const plans = new OfferedPlans((await config(1)).plans);
    for (const who of ['all', 'some'] as const)
      keys[who] = (await createKey(db.pool, systemClock, { email: `${who}@example.com`, plan: who }, plans)).key;
    for (const index of MATCHES.keys()) await feed(index);
    await settled();
    const { rows } = await db.pool.query<Item>('SELECT id, tournament_id FROM match ORDER BY id');
    matches = rows;
    // Restarts with the tournament's id in the plans. The plans keep their names, so that accounts keep their plans.
    await running.stop();
    await start(matches[1]!.tournament_id);
  });
  after(async () => {
    await running?.stop();
    await db.drop();
  });

  const idsOf = (indices: readonly number[]) => indices.map((index) => matches[index]!.id).sort((a, b) => a - b);
  const sorted = (events: readonly Item[]) => events.map(({ id }) => id).sort((a, b) => a - b);

  it('match lists have only matches that the account’s plan allows, even if an account with another plan asked first', async () => {
    for (const path of ['/v1/events', '/v1/events/live', '/v1/events?limit=2']) {
      for (let round = 0; round < 2; round += 1) {
        const limited = path.includes('limit');
        const all = await ask<{ events: Item[]; total?: number }>(path, 'all');
        const some = await ask<{ events: Item[]; total?: number }>(path, 'some');
        if (!limited) assert.deepEqual(sorted(all.json.events), idsOf([0, 1, 2, 3, 4]), path);
        if (!limited) assert.deepEqual(sorted(some.json.events), idsOf(INSIDE), path);
        if (path.startsWith('/v1/events?')) assert.deepEqual([all.json.total, some.json.total], [5, 3]);
        assert.ok(some.json.events.every(({ id }) => idsOf(INSIDE).includes(id)));
      }
    }
    const filtered = await ask<{ events: Item[] }>('/v1/events?sport=football', 'some');
    assert.deepEqual(sorted(filtered.json.events), idsOf([1]));
    assert.deepEqual((await ask<{ events: Item[] }>('/v1/events/live?sport=handball', 'some')).json.events, []);
  });

  it('a match or tournament outside the plan gets 404 on every path, like an unknown one', async () => {
    for (const index of [...INSIDE, ...OUTSIDE]) {
      const { id, tournament_id } = matches[index]!;
      const isInside = INSIDE.includes(index);
      for (const path of [
        `/v1/event/${id}`,
        `/v1/event/${id}?blocks=incidents`,
        `/v1/event/${id}/weather`,
        `/v1/event/${id}/analytics`,
        `/v1/event/${id}/odds/history`,
        `/v1/tournament/${tournament_id}`,
        `/v1/tournament/${tournament_id}/seasons`,
        `/v1/tournament/${tournament_id}/standings`,
        `/v1/tournament/${tournament_id}/scorers`,
        `/v1/tournament/${tournament_id}/bracket`,
        `/v1/tournament/${tournament_id}/profile`,
      ]) {
        const all = await ask<{ detail: string }>(path, 'all');
        const some = await ask<{ detail: string }>(path, 'some');
        assert.notEqual(all.status, 404, path);
        assert.equal(some.status, isInside ? all.status : 404, path);
      }
      if (isInside) continue;
      const unknown = await ask<{ detail: string }>('/v1/event/9999999', 'some');
      const outside = await ask<{ detail: string }>(`/v1/event/${id}`, 'some');
      assert.equal(outside.json.detail, unknown.json.detail.replace('9999999', String(id)));
    }
  });

  it('the tournament list and a participant’s matches contain only what the plan allows', async () => {
    const tournaments = await ask<{ total: number; tournaments: Item[] }>('/v1/tournaments', 'some');
    const inside = INSIDE.map((index) => matches[index]!.tournament_id).sort((a, b) => a - b);
    assert.deepEqual(sorted(tournaments.json.tournaments), inside);
    assert.equal(tournaments.json.total, 3);
    assert.equal((await ask<{ total: number }>('/v1/tournaments', 'all')).json.total, 5);
    const found = await ask<{ tournaments: Item[] }>('/v1/tournaments?q=league', 'some');
    assert.deepEqual(sorted(found.json.tournaments), [matches[1]!.tournament_id]);
    const { rows } = await db.pool.query<{ home_id: number }>('SELECT home_id FROM match WHERE id = $1', [
      matches[1]!.id,
    ]);
    const path = `/v1/participant/${rows[0]!.home_id}/events`;
    assert.deepEqual(sorted((await ask<{ events: Item[] }>(path, 'all')).json.events), idsOf([0, 1]));
    assert.deepEqual(sorted((await ask<{ events: Item[] }>(path, 'some')).json.events), idsOf([1]));
  });

  it('sync returns the allowed matches and their later changes, and refuses a cursor from an account with different access', async () => {
    interface Page {
      events: Item[];
      deleted: object[];
      next_cursor: string;
    }
    const all = await ask<Page>('/v1/sync', 'all');
    const some = await ask<Page>('/v1/sync', 'some');
    assert.deepEqual(sorted(all.json.events), idsOf([0, 1, 2, 3, 4]));
    assert.deepEqual(sorted(some.json.events), idsOf(INSIDE));
    for (const index of [0, 1]) await feed(index, { score: { home: 1, away: 0 } });
    await settled();
    const next = await ask<Page>(`/v1/sync?cursor=${some.json.next_cursor}`, 'some');
    assert.deepEqual(sorted(next.json.events), idsOf([1]));
    const foreign = await ask<{ code: string }>(`/v1/sync?cursor=${all.json.next_cursor}`, 'some');
    assert.deepEqual([foreign.status, foreign.json.code], [422, 'cursor_filter_mismatch']);
  });

  it('the response that switches to a WebSocket states the account’s limits', async () => {
    const { ws, cut, next } = openWebSocket(`${running.address}/v1/stream/ws`, { 'X-API-Key': keys.all });
    const headers = new Promise<IncomingHttpHeaders>((resolve) =>
      ws.once('upgrade', (answer) => resolve(answer.headers)),
    );
    const { ratelimit, 'ratelimit-policy': policy } = await headers;
    assert.equal(policy, '"burst";q=1000;w=1, "day";q=100000;w=86400');
    // The bucket may be full again before the headers are written.
    assert.match(String(ratelimit), /^"burst";r=\d+;t=[01], "day";r=\d+;t=\d+$/);
    await next('connected');
    cut();
  });

  it('replay returns only events that the plan allows', async () => {
    const { json } = await ask<{ events: { data: { data: { match: Item } } }[] }>('/v1/stream/replay?since=0', 'some');
    assert.ok(json.events.length > 0);
    const text = JSON.stringify(json.events);
    for (const index of OUTSIDE) assert.ok(!text.includes(`Away ${index}`), MATCHES[index]![1]);
    for (const index of INSIDE) assert.ok(text.includes(`Away ${index}`), MATCHES[index]![1]);
  });
});
