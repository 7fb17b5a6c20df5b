/** Tests the browser's EventSource when its stream is lost. */
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import { type Balancer, openBalancer } from '../support/balancer.ts';
import { followInPage, launchChromium, type PageSource } from '../support/chromium.ts';
import { openPostgresProxy, type PostgresProxy } from '../support/postgres-proxy.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** A browser waits for a second before it reconnects, and this machine may be busy. */
const PATIENCE_MS = 30_000;
/** Number of concurrent streams that an account may have. */
const SLOTS = 5;

describe('EventSource in Chromium', function () {
  this.timeout(90_000);
  let browser: Browser;
  before(async function () {
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
  });
  after(() => browser?.close());

  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
    for (const one of undo.splice(0).reverse()) await one();
  });

  async function start(options: ServiceOptions = {}): Promise<Service> {
    const service = await startService(options);
    undo.push(() => service.close());
    return service;
  }
  /** Starts a balancer, which gives the page a fixed address while the processes behind it change. */
  async function balance(...services: Service[]): Promise<Balancer & { ports: number[] }> {
    const ports = services.map(({ app }) => app.port);
    const balancer = await openBalancer(ports);
    undo.push(() => balancer.close());
    return { ...balancer, ports };
  }
  async function follow(balancer: Balancer, key: string, client?: string): Promise<PageSource> {
    const query = `key=${key}${client === undefined ? '' : `&client=${client}`}`;
    const page = await followInPage(browser, `${balancer.url}/v1/stream?${query}`);
    await opened(page, 1);
    return page;
  }
  const opened = (page: PageSource, times: number) =>
    until(`it is connected for the ${times}. time`, async () => (await page.opens()) >= times, PATIENCE_MS);
  const has = async (page: PageSource, written: readonly string[]) => {
    await until(
      `it has ${written.length} events`,
      async () => (await page.events()).length >= written.length,
      PATIENCE_MS,
    );
    assert.deepEqual(await page.events(), written);
  };

  it('EventSource reconnects to another process after a drain and misses no event', async () => {
    const going = await start();
    const staying = await start({ db: going.db });
    const balancer = await balance(going);
    const page = await follow(balancer, going.app.key);
    const written = await going.publish({});
    await has(page, written);
    balancer.ports[0] = staying.app.port;
    const drained = going.deps.hub.close(10_000);
    written.push(...(await going.publish({ match: 2 }, { match: 3 })));
    going.clock.advance(10_000);
    await drained;
    written.push(...(await staying.publish({ match: 4 })));
    await opened(page, 2);
    written.push(...(await staying.publish({ match: 5 })));
    await has(page, written);
    assert.deepEqual(await page.gaps(), []);
  });

  it('EventSource reconnects to a process that restarts, even after attempts without an answer', async () => {
    const first = await start();
    const balancer = await balance(first);
    const page = await follow(balancer, first.app.key);
    const written = await first.publish({});
    await has(page, written);
    await first.stop();
    const second = await start({ db: first.db });
    written.push(...(await second.publish({ match: 2 }, { match: 3 })));
    // The first attempts to reconnect get no answer.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    balancer.ports[0] = second.app.port;
    await opened(page, 2);
    written.push(...(await second.publish({ match: 4 })));
    await has(page, written);
  });

  it('EventSource with an expired cursor gets a gap event, stores that event’s cursor, and gets all later events', async () => {
    const first = await start();
    const balancer = await balance(first);
    const page = await follow(balancer, first.app.key);
    const written = await first.publish({}, {});
    await has(page, written);
    balancer.ports.length = 0;
    balancer.cut();
    await first.publish(...Array.from({ length: 10 }, () => ({})));
    await first.stop();
    await first.db.pool.query('UPDATE event_log_floor SET floor = 8');
    await first.db.pool.query('DELETE FROM event_log WHERE cursor <= 8');
    const second = await start({ db: first.db });
    balancer.ports.push(second.app.port);
    await until('it has the gap event', async () => (await page.gaps()).length > 0, PATIENCE_MS);
    assert.deepEqual(await page.gaps(), [
      { from: 2, to: 12, reason: 'expired', sync: `${balancer.url}/v1/sync`, id: '2' },
    ]);
    written.push(...(await second.publish({ match: 2 })));
    await has(page, written);
    assert.equal(await page.opens(), 2);
  });

  it('EventSource reconnects after an event log outage and misses no event', async () => {
    let proxy!: PostgresProxy;
    const service = await start({
      databaseUrl: async (url) => {
        proxy = await openPostgresProxy(url);
        undo.unshift(() => proxy.close());
        return proxy.url;
      },
    });
    const balancer = await balance(service);
    const page = await follow(balancer, service.app.key);
    const written = await service.publish({});
    await has(page, written);
    await proxy.down();
    balancer.cut();
    await opened(page, 2);
    await proxy.up();
    written.push(...(await service.publish({ match: 2 }, { match: 3 })));
    await has(page, written);
    assert.deepEqual(await page.gaps(), []);
  });

  describe('after five half-open connections', () => {
    async function loseAll(client?: string): Promise<{ service: Service; page: PageSource; written: string[] }> {
      const service = await start();
      const balancer = await balance(service);
      const page = await follow(balancer, service.app.key, client);
      const written: string[] = [];
      for (let lost = 1; lost <= SLOTS; lost += 1) {
        written.push(...(await service.publish({ match: lost })));
        await has(page, written);
        balancer.halve();
        if (lost < SLOTS) await opened(page, lost + 1);
      }
      return { service, page, written };
    }

    it('EventSource with a client name gets its previous slot', async () => {
      const { service, page, written } = await loseAll('page-of-the-test');
      await opened(page, SLOTS + 1);
      written.push(...(await service.publish({ match: 9 })));
      await has(page, written);
      await until('it has one slot', () => service.deps.hub.connections() === 1);
      assert.equal((await service.db.pool.query('SELECT FROM stream_lease')).rowCount, 1);
    });

    it('EventSource without a client name is refused', async () => {
      const { service, page } = await loseAll();
      await until('it has given up', () => page.closed(), PATIENCE_MS);
      assert.equal(await page.opens(), SLOTS);
      assert.equal(service.deps.hub.connections(), SLOTS);
    });
  });
});
