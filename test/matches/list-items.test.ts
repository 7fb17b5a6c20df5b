/** Tests that lists whose items come from memory equal lists that are read whole, whatever changes in the meantime. */
import assert from 'node:assert/strict';
import type { Changed } from '../../src/db/notices.ts';
import { createItemCache, type ItemCache } from '../../src/http/item-cache.ts';
import type { EventFilters } from '../../src/matches/filters.ts';
import { joinItems } from '../../src/matches/list-items.ts';
import { type EventRange, listEvents, listLive, pageStatement } from '../../src/matches/queries.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';

const MATCHES = 40;
const ALL = { limit: 100, offset: 0 };

describe('lists from memory', () => {
  let bench: FeedBench;
  const ids: number[] = [];
  before(async () => {
    bench = await openFeedBench();
    for (let n = 0; n < MATCHES; n += 1) {
      bench.nextMatch();
      ids.push(await bench.accept({ status: n % 4 === 0 ? 'live' : 'scheduled', sport: n % 2 ? 'football' : 'rugby' }));
    }
  });
  after(() => bench.db.drop());

  /**
   * Returns a source of lists with an empty cache, which records the names of its statements and the values of those that
   * read items.
   */
  function openSource(beforeItems: () => Promise<unknown> = async () => {}) {
    let publish: (changed: Changed) => void = () => {};
    const items: ItemCache = createItemCache({
      subscribe: (listener) => {
        publish = listener;
      },
    });
    const names: string[] = [];
    const read: number[][] = [];
    const query = async (config: { name: string; text: string; values: [number[]] }) => {
      names.push(config.name === 'list items' ? 'items' : 'list');
      if (config.name === 'list items') {
        read.push(config.values[0].map(Number));
        await beforeItems();
      }
      return bench.db.pool.query(config);
    };
    const pool = { query } as unknown as FeedBench['db']['pool'];
    return { pool, caches: { items }, names, read, publish: (changed: Changed) => publish(changed) };
  }
  type Source = ReturnType<typeof openSource>;
  const list = async (source: Source, filters: EventFilters, range: EventRange = ALL) => {
    const page = (await listEvents(source, filters, pageStatement(filters, range, null)))!;
    return { ...page, items: JSON.parse(String(joinItems('[', page.items, ']'))) as { id: number }[] };
  };
  const change = (id: number) =>
    bench.db.pool.query(
      `WITH changed AS (UPDATE match SET version = version + 1 WHERE id = $1 RETURNING id, version)
       UPDATE match_card c SET item = regexp_replace(c.item, '}$', ',"n":' || changed.version || '}')
       FROM changed WHERE c.match_id = changed.id`,
      [id],
    );

  const FILTERS: EventFilters[] = [
    {},
    { order: 'desc' },
    { sport: ['rugby'] },
    { sport: ['rugby', 'football'], status: 'scheduled' },
    { status: 'live', date: '2024-05-01', tz: 'Europe/Moscow' },
    { from: '2024-05-01T00:00:00Z', to: '2024-05-02T00:00:00Z', updated_since: '2024-01-01T00:00:00Z' },
    { min_importance: 0, country: 'GB-ENG', round: 'Final' },
    { access: { sports: ['rugby'], tournaments: [] } },
    { access: { sports: [], tournaments: [2] } },
    { access: { sports: ['rugby'], tournaments: [2] } },
    { access: { sports: [], tournaments: [] } },
  ];

  it('reads lists that differ only in values with one statement, and all items with another', async () => {
    const source = openSource();
    const ranges = Array.from({ length: 8 }, (_, offset) => ({ limit: 5, offset }));
    const together = await Promise.all(ranges.map((range) => list(source, {}, range)));
    assert.deepEqual(source.names, ['list', 'items']);
    for (const [index, page] of together.entries()) assert.deepEqual(page, await list(openSource(), {}, ranges[index]));
    assert.deepEqual(
      together.map(({ items }) => items.map(({ id }) => id)),
      ranges.map(({ offset }) => ids.slice(offset, offset + 5)),
    );
  });

  it('reads at most eight lists with one statement, and deep pages one by one', async () => {
    const shallow = openSource();
    await Promise.all(Array.from({ length: 9 }, (_, offset) => list(shallow, {}, { limit: 5, offset })));
    assert.equal(shallow.names.filter((name) => name === 'list').length, 2);
    const deep = openSource();
    await Promise.all([0, 1, 2].map((offset) => list(deep, {}, { limit: 1_000, offset })));
    assert.equal(deep.names.filter((name) => name === 'list').length, 3);
  });

  it('returns the same for every filter, whether items are known or not', async () => {
    const source = openSource();
    await list(source, {});
    const known = await Promise.all(FILTERS.map((filters) => list(source, filters)));
    assert.equal(source.names.filter((name) => name === 'items').length, 1);
    for (const [index, filters] of FILTERS.entries()) assert.deepEqual(known[index], await list(openSource(), filters));
    const counts = known.map(({ items }) => items.length);
    assert.deepEqual(counts, [40, 40, 20, 30, 10, 40, 0, 20, 20, 40, 0]);
  });

  it('reads only a changed item again', async () => {
    const source = openSource();
    await list(source, {});
    await change(ids[3]!);
    const { items } = await list(source, {});
    assert.deepEqual(source.read, [ids, [ids[3]]]);
    assert.ok('n' in items[3]!);
  });

  it('returns one state if a match changes, or is deleted, between the two statements', async () => {
    for (const meanwhile of [
      () => change(ids[0]!),
      () =>
        bench.db.pool.query('UPDATE match SET status = $2, version = version + 1 WHERE id = $1', [ids[4], 'scheduled']),
      () => bench.db.pool.query('DELETE FROM match WHERE id = $1', [ids[8]]),
    ]) {
      let isFirst = true;
      const source = openSource(async () => {
        if (isFirst) await meanwhile();
        isFirst = false;
      });
      const filters: EventFilters = { status: 'live' };
      const page = await list(source, filters);
      assert.deepEqual(source.names, ['list', 'items', 'list']);
      assert.deepEqual(page, await list(openSource(), filters));
      await list(source, filters);
      assert.equal(source.read.length, 1, 'the items are in memory now');
    }
  });

  it('never mixes two states while 40 matches change together again and again', async () => {
    const { rows } = await bench.db.pool.query<{ id: number }>('SELECT id FROM match ORDER BY scheduled_start, id');
    const present = rows.map(({ id }) => id);
    let isRunning = true;
    let changes = 0;
    const changing = (async () => {
      while (isRunning) {
        changes += 1;
        await bench.db.pool.query(
          `WITH changed AS (UPDATE match SET version = $1 RETURNING id)
           UPDATE match_card c SET item = '{"id":' || c.match_id || ',"n":' || $1::int || '}' FROM changed WHERE c.match_id = changed.id`,
          [1_000_000 + changes],
        );
      }
    })();
    const source = openSource();
    const seen = new Set<number>();
    while (seen.size < 20) {
      const { items } = await list(source, {});
      const states = new Set(items.map((item) => (item as { n?: number }).n ?? 0));
      assert.deepEqual(
        items.map(({ id }) => id),
        present,
      );
      if (!states.has(0)) assert.equal(states.size, 1);
      for (const state of states) seen.add(state);
    }
    isRunning = false;
    await changing;
  });

  it('forgets all items if all matches may have changed, also those that are being read', async () => {
    const source = openSource(async () => source.publish('all'));
    await list(source, {});
    await list(source, {});
    assert.equal(source.read.length, 2);
    assert.equal(source.caches.items.statistics().bytes, 0);
  });

  it('fails only for a list with a value that Postgres refuses', async () => {
    const source = openSource();
    const zones = ['Europe/Moscow', 'Nowhere/Never', 'UTC'];
    const reads = await Promise.allSettled(zones.map((tz) => list(source, { date: '2024-05-01', tz })));
    assert.deepEqual(
      reads.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('returns null for the version that the caller has', async () => {
    const source = openSource();
    const page = pageStatement({}, ALL, null);
    const { version } = (await listEvents(source, {}, page))!;
    assert.equal(await listEvents(source, {}, page, version), null);
    const { version: live } = (await listLive(source, { limit: 100, blocks: null }))!;
    assert.equal(await listLive(source, { limit: 100, blocks: null }, live), null);
    await change(ids[0]!);
    assert.notEqual(await listEvents(source, {}, page, version), null);
    assert.notEqual(await listLive(source, { limit: 100, blocks: null }, live), null);
  });
});
