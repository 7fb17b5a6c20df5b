import assert from 'node:assert/strict';
import { ClickHouseUnavailable } from '../../src/db/clickhouse.ts';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { FEED_TOKEN } from '../support/http.ts';

interface Change {
  at: string;
  market_name: string;
  choice_name: string;
  bookmaker: string | null;
  decimal_value: number;
  opening_decimal: number | null;
  movement: 'up' | 'down' | null;
  opening: boolean;
  closing: boolean;
  winning: boolean | null;
}
interface Page {
  event_id: number;
  count: number;
  changes: Change[];
  next_cursor: string | null;
}
type Odds = NonNullable<Match['odds']>;

const START = '2024-05-01T14:00:00Z';
const match = (id: string, odds: Odds, over: Partial<Match> = {}): Match => ({
  id,
  sport: 'football',
  tournament: { name: 'First League', country: 'GB-ENG' },
  season: { label: '2023/24' },
  home: { name: `Home ${id}`, country: 'GB-ENG' },
  away: { name: `Away ${id}`, country: 'GB-ENG' },
  scheduled_start: START,
  odds,
  ...over,
});
const price = (choice_name: string, decimal_value: number, over: Partial<Odds[number]> = {}): Odds[number] => ({
  market_name: '1x2',
  choice_name,
  decimal_value,
  bookmaker: 'Book A',
  ...over,
});

describe('GET /v1/event/{id}/odds/history', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());

  /** Feeds matches as observed `minutes` before the start. */
  const feedAt = async (minutes: number, ...matches: Match[]) => {
    const observed_at = new Date(Date.parse(START) - minutes * 60_000).toISOString();
    const results = await service.feed(matches.map((one) => ({ kind: 'match', observed_at, match: one })));
    return results.map(({ outcome, matchId }) => {
      assert.notEqual(outcome, 'rejected');
      return matchId!;
    });
  };
  const read = async (id: number, query = '') => {
    const { status, json } = await service.app.ask<Page>(`/v1/event/${id}/odds/history?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual([json.event_id, json.count], [id, json.changes.length]);
    return json;
  };
  const shown = ({ changes }: Page) =>
    changes.map(
      ({ at, bookmaker, choice_name, decimal_value, movement, opening, closing, winning }) =>
        `${(Date.parse(START) - Date.parse(at)) / 60_000} ${bookmaker} ${choice_name} ${decimal_value} ${movement ?? '-'}${opening ? ' opening' : ''}${closing ? ' closing' : ''}${winning === null ? '' : ` ${winning}`}`,
    );

  it('returns each price and each price change as a row, in the order observed', async () => {
    const [id] = await feedAt(60, match('a', [price('1', 2), price('2', 3.5)]));
    await service.settle();
    await feedAt(50, match('a', [price('1', 2), price('2', 3.5)]));
    // The prices change twice between two steps of the loader.
    await feedAt(40, match('a', [price('1', 2.1), price('2', 3.5)]));
    await feedAt(30, match('a', [price('1', 2.1), price('2', 3.4), price('X', 3)]));
    await feedAt(20, match('a', [price('1', 1.9), price('2', 3.4), price('X', 3)]));
    await service.settle();
    // Prices after the start of the match, and then its outcome.
    await feedAt(-30, match('a', [price('1', 1.2), price('2', 3.4), price('X', 3)], { status: 'live' }));
    const over = { winning: true };
    await feedAt(
      -120,
      match('a', [price('1', 1.2, over), price('2', 3.4, { winning: false }), price('X', 3)], {
        status: 'finished',
        score: { home: 1, away: 0 },
      }),
    );
    await service.settle();
    assert.deepEqual(shown(await read(id!)), [
      '60 Book A 1 2 - opening',
      '60 Book A 2 3.5 - opening',
      '40 Book A 1 2.1 up',
      '30 Book A 2 3.4 down closing',
      '30 Book A X 3 - opening closing',
      '20 Book A 1 1.9 down closing',
      '-30 Book A 1 1.2 down',
      '-120 Book A 1 1.2 - true',
      '-120 Book A 2 3.4 - false',
    ]);
    const { rows } = await service.db.pool.query('SELECT 1 FROM odds_change');
    assert.equal(rows.length, 0, 'what has been moved is not kept in Postgres');
  });

  it('shows how a price has moved since a known opening, and adds a row when a former price returns', async () => {
    const opened = (value: number) => price('1', value, { opening_decimal: 2.5 });
    const [id] = await feedAt(60, match('a', [opened(2)]));
    await feedAt(50, match('a', [opened(2.2)]));
    await feedAt(40, match('a', [opened(2)]));
    await service.settle();
    const page = await read(id!);
    assert.deepEqual(shown(page), ['60 Book A 1 2 down opening', '50 Book A 1 2.2 up', '40 Book A 1 2 down closing']);
    assert.deepEqual(
      page.changes.map(({ opening_decimal }) => opening_decimal),
      [2.5, 2.5, 2.5],
    );
  });

  it('distinguishes prices by market, choice and bookmaker, and filters by market and bookmaker', async () => {
    const odds = (value: number) => [
      price('1', value),
      price('1', value, { bookmaker: 'Бук "Б"\t\\' }),
      price('1', value, { bookmaker: null }),
      price('Over', value, { market_name: 'Total', market_group: '2.5' }),
      price('Over', value, { market_name: 'Total', market_group: '3.5' }),
    ];
    const [id] = await feedAt(60, match('a', odds(2)));
    await feedAt(50, match('a', [price('1', 3), ...odds(2).slice(1)]));
    await service.settle();
    const all = await read(id!);
    assert.equal(all.count, 6);
    assert.deepEqual(shown(all).at(-1), '50 Book A 1 3 up closing');
    assert.equal(all.changes.filter(({ closing }) => closing).length, 5);
    assert.deepEqual(shown(await read(id!, 'market=Total')), [
      '60 Book A Over 2 - opening closing',
      '60 Book A Over 2 - opening closing',
    ]);
    assert.deepEqual(shown(await read(id!, 'bookmaker=Book%20A&market=1x2')), [
      '60 Book A 1 2 - opening',
      '50 Book A 1 3 up closing',
    ]);
    const quoted = await read(id!, `bookmaker=${encodeURIComponent('Бук "Б"\t\\')}`);
    assert.deepEqual([quoted.count, quoted.changes[0]?.bookmaker], [1, 'Бук "Б"\t\\']);
    assert.equal((await read(id!, 'market=Nothing')).count, 0);
  });

  it('returns cursor pages that add up to the full list, with the same movement and opening for any page size', async () => {
    let [id] = [0];
    for (const minutes of [50, 40, 30, 20])
      [id] = (await feedAt(minutes, match('a', [price('1', 2 + minutes / 100), price('2', 3 + minutes / 100)]))) as [
        number,
      ];
    await service.settle();
    const whole = await read(id);
    assert.deepEqual([whole.count, whole.next_cursor], [8, null]);
    for (const limit of [1, 3, 7, 8]) {
      const pages: Page[] = [];
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next_cursor)
        pages.push(await read(id, `limit=${limit}&cursor=${encodeURIComponent(cursor)}`));
      assert.deepEqual(
        pages.flatMap(({ changes }) => changes),
        whole.changes,
        `limit ${limit}`,
      );
      assert.equal(pages.length, Math.ceil(8 / limit));
    }
  });

  it('refuses invalid parameters', async () => {
    const [id] = await feedAt(60, match('a', [price('1', 2)]));
    await service.settle();
    for (const [query, wrong] of [
      ['cursor=x', 'invalid_cursor'],
      ['cursor=1.2.3', 'invalid_cursor'],
      ['cursor=1.9999999999999999', 'invalid_cursor'],
      ['limit=0', 'limit'],
      ['limit=1001', 'limit'],
      ['market=', 'market'],
    ]) {
      const { status, json } = await service.app.ask(`/v1/event/${id}/odds/history?${query}`);
      assert.deepEqual([query, status, json.errors?.[0]?.parameter ?? json.code], [query, 422, wrong]);
    }
    const missing = await service.app.ask(`/v1/event/${id! + 1}/odds/history`);
    assert.deepEqual([missing.status, missing.json.code], [404, 'not_found']);
    const [without] = await feedAt(60, match('b', []));
    await service.settle();
    assert.deepEqual(await read(without!), { event_id: without, count: 0, changes: [], next_cursor: null });
  });

  it('never gets invalid odds, because the feed refuses them', async () => {
    const token = { Authorization: `Bearer ${FEED_TOKEN}` };
    for (const value of ['2.5', null, true]) {
      const body = {
        schema: 1,
        kind: 'match',
        provider: 'live',
        observed_at: '2024-05-01T12:00:00Z',
        match: match('a', [price('1', value as unknown as number)]),
      };
      const { status, json } = await service.app.ask('/feed/v1/updates', {
        method: 'POST',
        key: null,
        headers: token,
        body,
      });
      const [error] = json.errors!;
      assert.deepEqual([value, status, error!.parameter], [value, 422, 'match.odds.0.decimal_value']);
      assert.match(error!.detail, /expected number/);
    }
  });

  it('shows no price twice after a kill between insert and deletion', async () => {
    const [id] = await feedAt(60, match('a', [price('1', 2), price('2', 3)]));
    for (const value of [2.1, 2.2]) {
      service.faults.after = ({ kind, text }) => {
        if (kind === 'insert' && text === 'odds_change') throw new ClickHouseUnavailable('killed');
      };
      await assert.rejects(service.settle(), /killed/);
      service.faults.after = undefined;
      await feedAt(60 - value * 10, match('a', [price('1', value), price('2', 3)]));
    }
    await service.settle();
    const lines = shown(await read(id!));
    assert.deepEqual(lines, [
      '60 Book A 1 2 - opening',
      '60 Book A 2 3 - opening closing',
      '39 Book A 1 2.1 up',
      '38 Book A 1 2.2 up closing',
    ]);
  });

  for (const isKilled of [false, true])
    it(`shows both matches’ prices for a merged match${isKilled ? ', also after a kill' : ''}`, async () => {
      const [from] = await feedAt(60, match('a', [price('1', 2)]));
      const [into] = await feedAt(50, match('b', [price('1', 2.2)]));
      await service.settle();
      const { pool } = service.db;
      // Puts more rows before this one than the loader moves in a step, so that it still waits when the merge is read.
      await pool.query(
        `INSERT INTO odds_change (match_id, observed_at, provider, market_name, choice_name, decimal_value)
       SELECT 1000000, 0, 'tests', '1x2', '1', 2 FROM generate_series(1, 2500)`,
      );
      await feedAt(40, match('a', [price('1', 2.3)]));
      await pool.query('DELETE FROM match WHERE id = $1', [from]);
      const tombstone = JSON.stringify({ reason: 'merged', sport: 'football', tournament_id: 1, merged_into: into });
      await pool.query('INSERT INTO match_touch (match_id, tombstone) VALUES ($1, $2)', [from, tombstone]);
      await service.assignCursors();
      if (isKilled) {
        service.faults.before = ({ kind }) => {
          if (kind === 'command') throw new ClickHouseUnavailable('killed');
        };
        await assert.rejects(service.load(), /killed/);
        service.faults.before = undefined;
      }
      await service.load();
      assert.deepEqual(shown(await read(into!)), [
        '60 Book A 1 2 - opening',
        '50 Book A 1 2.2 up',
        '40 Book A 1 2.3 up closing',
      ]);
    });

  it('shows only prices that its own database wrote', async () => {
    const [id] = await feedAt(60, match('a', [price('1', 2)]));
    await service.settle();
    await service.db.pool.query('UPDATE analytics_loader SET database_id = gen_random_uuid(), loaded_cursor = 0');
    service.killLoader();
    await feedAt(50, match('a', [price('1', 2.2)]));
    await service.settle();
    assert.deepEqual(shown(await read(id!)), ['50 Book A 1 2.2 up opening closing']);
  });
});
