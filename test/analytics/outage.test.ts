import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { measureLoader } from '../../src/analytics/loader/loader-metrics.ts';
import { ClickHouseUnavailable, lateClickHouse } from '../../src/db/clickhouse.ts';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { type ClickHouseServer, clickhouseAt, startClickHouseServer } from '../support/clickhouse-server.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { until } from '../support/until.ts';
import { assertLoaded } from './stored-history.ts';

/** The client waits for 5 s at most. This is longer, but still detects a request that never ends. */
const PATIENCE_MS = 15_000;
const NOBODY = 1;

const fixture = (id: string, over: Partial<Match> = {}): Match => ({
  id,
  sport: 'football',
  tournament: { name: 'First League', country: 'GB-ENG' },
  season: { label: '2023/24' },
  home: { name: 'Home', country: 'GB-ENG' },
  away: { name: `Away ${id}`, country: 'GB-ENG' },
  scheduled_start: '2024-05-01T14:00:00Z',
  ...over,
});
const played = (id: string, over: Partial<Match> = {}) =>
  fixture(id, { status: 'finished', score: { home: 1, away: 0 }, ...over });

describe('analytics without ClickHouse', function () {
  this.timeout(60_000);
  let service: Analytics;
  let proxy: CuttingProxy;
  let silent: Server;
  let running: Awaited<ReturnType<Analytics['run']>>;
  let next: number;
  let replacement: ClickHouseServer | undefined;

  before(async () => {
    proxy = await startCuttingProxy(NOBODY);
    silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    service = await startAnalytics('2024-06-01T12:00:00Z', async () => {
      const clickhouse = lateClickHouse(clickhouseAt(proxy.url));
      clickhouse.open();
      return clickhouse;
    });
    measureLoader(service.db.pool, service.registry);
    running = await service.run();
    [next] = (await service.matches(fixture('next', { scheduled_start: '2024-06-02T14:00:00Z' }))) as [number];
  });
  after(async () => {
    await running?.stop();
    await service?.close();
    await replacement?.stop();
    await proxy?.close();
    silent?.close();
  });

  const portOf = ({ url }: ClickHouseServer) => Number(new URL(url).port);
  const leadTo = (port: number) => {
    proxy.leadTo(port);
    proxy.cut();
  };
  const metric = async (name: string) => {
    const line = (await service.registry.metrics())
      .split('\n')
      .find((one) => one.startsWith(`touchline_loader_${name} `));
    return Number(line!.split(' ')[1]);
  };
  let asked = 0;
  /** Requests a card that is not in the cache. */
  const ask = () =>
    service.app.ask(
      `/v1/event/${next}/analytics?explain=${asked++ % 2 === 0}&sample=all&lang=${asked % 4 < 2 ? 'en' : 'ru'}`,
    );
  const assertUnavailable = async () => {
    await service.db.pool.query('DELETE FROM analytics_card');
    const tournament = await service.idOf('tournament', 'First League');
    const participant = await service.idOf('participant', 'Home');
    for (const path of [
      `/v1/event/${next}/odds/history`,
      `/v1/participant/${participant}/trends?last=${1 + (asked++ % 50)}`,
      `/v1/tournament/${tournament}/profile`,
    ]) {
      const { status, json, headers } = await service.app.ask(path);
      assert.deepEqual([path, status, json.code], [path, 503, 'unavailable']);
      assert.ok(Number(headers.get('retry-after')) > 0, path);
    }
    const { status, json, headers } = await ask();
    assert.deepEqual([status, json.code], [503, 'unavailable']);
    assert.ok(Number(headers.get('retry-after')) > 0);
  };
  const assertEventsWork = async () => {
    const { status, json } = await service.app.ask<{ total: number }>(`/v1/events?limit=${1 + (asked++ % 1_000)}`);
    assert.equal(status, 200);
    const { rows } = await service.db.pool.query('SELECT count(*)::int AS n FROM match');
    assert.equal(json.total, rows[0].n);
  };
  const formMatches = async () => {
    const { status, json } = await ask();
    return (
      status === 200 &&
      (json as unknown as { home: { form: { overall: { matches: number } } } }).home.form.overall.matches
    );
  };
  const assertUp = async (matches: number) => {
    await service.loaded(PATIENCE_MS);
    await until(`${matches} matches are answered`, async () => (await formMatches()) === matches);
    assert.deepEqual([await metric('lag_changes'), await metric('lag_seconds')], [0, 0]);
  };

  it('a service starts without ClickHouse and begins loading when ClickHouse appears', async () => {
    await service.matches(played('a'));
    await assertUnavailable();
    await assertEventsWork();
    await until('the relay has assigned change cursors', async () => (await metric('lag_changes')) === 2);
    assert.ok(Number.isNaN(await metric('lag_seconds')), 'it never had anything');
    leadTo(portOf(service.server));
    await assertUp(1);
    assert.equal(await assertLoaded(service), 1);
  });

  it('matches that change during the outage are loaded afterwards', async () => {
    leadTo(NOBODY);
    assert.equal(await formMatches(), 1, 'a stored card needs no ClickHouse');
    await assertUnavailable();
    await service.matches(played('a', { score: { home: 2, away: 2 } }), played('b'));
    await assertEventsWork();
    await until(
      'the lag is seen',
      async () => (await metric('lag_changes')) === 2 && (await metric('lag_seconds')) > 0,
    );
    leadTo(portOf(service.server));
    await assertUp(2);
    assert.equal(await assertLoaded(service), 2);
  });

  it('a full disk stops the loader, but analytics and event requests still get replies', async () => {
    service.faults.before = ({ kind }) => {
      if (kind === 'insert') throw new ClickHouseUnavailable('NOT_ENOUGH_SPACE');
    };
    await service.matches(played('c'));
    await until('the lag is seen', async () => (await metric('lag_changes')) === 1);
    const { status } = await ask();
    assert.equal(status, 200);
    await assertEventsWork();
    service.faults.before = undefined;
    await assertUp(3);
    assert.equal(await assertLoaded(service), 3);
  });

  it('an empty server that replaces the old server gets all data', async () => {
    replacement = await startClickHouseServer();
    leadTo(portOf(replacement));
    await until('it is loaded', async () => (await formMatches()) === 3, PATIENCE_MS);
    leadTo(portOf(service.server));
  });

  it('a ClickHouse that does not answer counts as unavailable after 5 seconds, and delays only requests that need it', async function () {
    this.timeout(PATIENCE_MS);
    leadTo((silent.address() as { port: number }).port);
    // Analytics that have not changed come from the cache.
    const waiting = service.app.ask(`/v1/event/${next}/odds/history`);
    await assertEventsWork();
    const { status, json } = await waiting;
    assert.deepEqual([status, json.code], [503, 'unavailable']);
    leadTo(portOf(service.server));
  });
});
