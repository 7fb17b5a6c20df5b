import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { followInPage, launchChromium } from '../../support/chromium.ts';
import { type Cluster, openCluster } from '../../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventWriter } from '../../support/events.ts';
import { canRunKafka, type Kafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { until } from '../../support/until.ts';

const PATIENCE_MS = 60_000;
/** Longer than requests to the broker take. */
const PAUSE_MS = 5_000;

after(stopSharedKafka);

describe('Chromium’s EventSource, with the event log on Kafka', function () {
  this.timeout(180_000);
  let browser: Browser;
  let db: TestDatabase;
  let kafka: Kafka;
  let cluster: Cluster;
  before(async function () {
    if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) this.skip();
    const launched = await launchChromium();
    if (launched === null) this.skip();
    browser = launched;
    db = await createTestDatabase();
    kafka = await sharedKafka();
    cluster = await openCluster({ db, maxStreams: 2, env: { KAFKA_BROKERS: kafka.broker } });
  });
  after(async () => {
    await browser?.close();
    await cluster?.close();
    await db?.drop();
  });

  it('survives a broker pause in the middle of a cut, and misses no event', async () => {
    const events = eventWriter();
    const page = await followInPage(browser, `${cluster.url}/v1/stream?key=${cluster.key}`);
    const has = (count: number) =>
      until(`it has ${count}`, async () => (await page.events()).length >= count, PATIENCE_MS);
    await until('it is connected', async () => (await page.opens()) === 1, PATIENCE_MS);
    const written = await events.write(db.pool, [{}, {}]);
    await has(2);
    await kafka.pause();
    try {
      written.push(...(await events.write(db.pool, [{ match: 2 }, { match: 3 }])));
      await sleep(PAUSE_MS / 2);
      cluster.line.cut();
      await sleep(PAUSE_MS / 2);
      assert.equal((await page.events()).length, 2);
    } finally {
      kafka.resume();
    }
    written.push(...(await events.write(db.pool, [{ match: 4 }])));
    await has(written.length);
    await sleep(500);
    // If the broker did not answer, the relay may append a batch again. The page then gets the same event twice, with the same bytes.
    assert.deepEqual([...new Set(await page.events())], written);
    assert.deepEqual(await page.gaps(), []);
    assert.equal(await page.closed(), false);
    assert.ok((await page.opens()) > 1);
  });
});
