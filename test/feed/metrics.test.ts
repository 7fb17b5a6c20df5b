import assert from 'node:assert/strict';
import { Registry } from 'prom-client';
import { createIngestMetrics, type IngestMetrics, NAMED_PROVIDERS } from '../../src/feed/metrics.ts';
import { readDocument, receiveDocument } from '../../src/feed/receive.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

describe('ingest metrics', function () {
  this.timeout(30_000);
  let bench: FeedBench;
  let registry: Registry;
  let metrics: IngestMetrics;

  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(() => {
    registry = new Registry();
    metrics = createIngestMetrics({
      registry,
      db: bench.db.pool,
      clock: bench.deps.clock,
      listed: ['live'],
      polled: ['polled'],
    });
    bench.nextMatch();
  });

  const send = async (...updates: unknown[]) =>
    receiveDocument({ ...bench.deps, metrics }, await readDocument(JSON.stringify(updates)));
  async function values(name: string): Promise<Record<string, number>> {
    const { values: all } = await registry.getSingleMetric(name)!.get();
    return Object.fromEntries(all.map(({ labels, value }) => [Object.values(labels).join(' '), value]));
  }

  it('count updates by provider and outcome, and rejected ones by code', async () => {
    const update = bench.update({ status: 'live', score: { home: 1, away: 0 } });
    await send(update, update);
    await send({ ...bench.update({ home: 5 as never }), nonsense: 1 }, 'text');
    assert.deepEqual(await values('touchline_ingest_updates_total'), {
      'live accepted': 1,
      'live unchanged': 1,
      'live rejected': 1,
      'other rejected': 1,
    });
    assert.deepEqual(await values('touchline_ingest_rejections_total'), { invalid_type: 2, unknown_field: 1 });
  });

  it('report when a provider last sent anything, and how old its update was', async () => {
    const update = bench.update();
    bench.now += 4_000;
    await send(update);
    assert.deepEqual(await values('touchline_ingest_last_update_timestamp_seconds'), { live: bench.now / 1_000 });
    const text = await registry.metrics();
    assert.match(text, /update_age_seconds_bucket\{le="2",provider="live"\} 0\n/);
    assert.match(text, /update_age_seconds_bucket\{le="5",provider="live"\} 1\n/);
    // A rejected update does not prove that a provider works.
    bench.now += 60_000;
    await send({ ...bench.update(), nonsense: 1 });
    assert.deepEqual(await values('touchline_ingest_last_update_timestamp_seconds'), { live: bench.now / 1_000 - 61 });
  });

  it('count live matches for each provider that reported the start', async () => {
    await bench.accept({ status: 'live', scheduled_start: new Date(bench.now).toISOString() });
    await bench.feed(bench.update({ id: bench.other() }, { provider: 'fixtures' }));
    const { live, ...others } = await values('touchline_ingest_live_matches');
    assert.ok(live! >= 1);
    assert.deepEqual(others, {}, 'who only has the fixture reports nothing live');
    await bench.feed(bench.update({ status: 'live', id: bench.other() }, { provider: 'polled' }));
    assert.deepEqual(
      Object.keys(await values('touchline_ingest_live_matches')),
      ['live'],
      'polled sources use no feed',
    );
    bench.now += 49 * 3_600_000;
    assert.deepEqual(await values('touchline_ingest_live_matches'), {}, 'nor does a match of yesterday tell anything');
  });

  it('have series for a limited number of providers, whatever names these send', async () => {
    for (let index = 0; index < NAMED_PROVIDERS + 5; index += 1) {
      metrics.rejected(`rejected-${index}`, ['required']);
      metrics.taken({ provider: `p${index}`, observed_at: new Date(bench.now).toISOString() }, 'accepted');
    }
    metrics.taken({ provider: 'live', observed_at: new Date(bench.now).toISOString() }, 'accepted');
    const heard = Object.keys(await values('touchline_ingest_last_update_timestamp_seconds'));
    assert.equal(NAMED_PROVIDERS, 20);
    assert.equal(heard.length, NAMED_PROVIDERS + 1);
    assert.ok(heard.includes('live') && heard.includes('other') && !heard.some((name) => name.startsWith('rejected')));
    assert.equal((await values('touchline_ingest_updates_total'))['other accepted'], 6);
  });

  it('count live matches by the time since the leading provider last sent anything', async () => {
    const ages = () => values('touchline_ingest_live_match_ages');
    const before = await ages();
    const scheduled_start = new Date(bench.now).toISOString();
    const update = bench.update({ status: 'live', scheduled_start, score: { home: 0, away: 0 } });
    await send(update);
    const added = async () => {
      const now = await ages();
      return Object.fromEntries(Object.entries(now).map(([le, value]) => [le, value - before[le]!]));
    };
    assert.deepEqual(await added(), { 30: 1, 60: 1, 120: 1, 300: 1, '+Inf': 1 });
    // An update that brings no news also proves that the provider works.
    bench.now += 50_000;
    await send(update);
    assert.equal((await ages())['30']! >= 1, true);
    bench.now += 61_000;
    const { 60: minute, 120: two } = await ages();
    assert.equal(two! - minute! >= 1, true);
    // An update by a different provider does not count while this provider leads.
    await send({ ...update, provider: 'second', observed_at: new Date(bench.now).toISOString() });
    assert.equal((await ages())['60'], minute);
  });
});
