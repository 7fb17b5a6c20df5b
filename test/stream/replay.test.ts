import assert from 'node:assert/strict';
import { CursorExpired } from '../../src/events/event-log.ts';
import { EVERYTHING } from '../../src/events/filter.ts';
import { writeOutbox } from '../../src/events/outbox.ts';
import { readReplayPage } from '../../src/stream/replay-page.ts';
import { createKey } from '../support/accounts.ts';
import type { ProblemReply } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

interface Page {
  events: { cursor: number; id: string; type: string }[];
  next_cursor: number;
  has_more: boolean;
}

describe('GET /v1/stream/replay', () => {
  let service: Service;
  /** Position at the end of the log when the test begins. */
  let start: number;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(async () => {
    start = (await service.deps.eventLog.range()).head;
    await until('the hub has all', () => service.deps.hub.head() >= start);
  });

  const many = (count: number, sketch = {}) => Array.from({ length: count }, () => sketch);
  const ask = <T = Page>(parameters: string) => service.app.ask<T>(`/v1/stream/replay?${parameters}`);
  async function page(parameters: string): Promise<Page> {
    const { status, json, text } = await ask(parameters);
    assert.equal(status, 200, text);
    return json;
  }
  async function all(since: number, parameters: string): Promise<Page[]> {
    const pages: Page[] = [];
    for (let next = since, more = true; more; ) {
      const got = await page(`since=${next}&${parameters}`);
      pages.push(got);
      ({ next_cursor: next, has_more: more } = got);
    }
    return pages;
  }
  /** Returns cursors relative to the position where the test began. */
  const cursors = (pages: readonly Page[]) => pages.flatMap(({ events }) => events.map(({ cursor }) => cursor - start));
  const reached = ({ next_cursor }: Page) => next_cursor - start;
  /** Appends records to the log as the relay does. */
  async function append(count: number, columns: { type?: string; bytes?: number } = {}): Promise<void> {
    const { type = 'match.card', bytes = 10 } = columns;
    await service.db.pool.query(
      `WITH r AS (SELECT base + last_offset AS head FROM relay), added AS (
         INSERT INTO event_log SELECT r.head + n, 1, 'football', 7, $2, rpad('{"', $3::int, 'x'), now() FROM r, generate_series(1, $1::int) n)
       UPDATE relay SET last_offset = last_offset + $1`,
      [count, type, bytes],
    );
  }

  for (const [count, pages] of [
    [0, 1],
    [1, 1],
    [500, 1],
    [501, 2],
    [5_000, 10],
  ] as const) {
    it(`returns ${count} missed events in ${pages} pages of 500, each once, in order`, async () => {
      if (count > 0) await service.publish(...many(count));
      const got = await all(start, 'limit=500');
      assert.equal(got.length, pages);
      assert.deepEqual(
        cursors(got),
        Array.from({ length: count }, (_, index) => 1 + index),
      );
      assert.equal(reached(got.at(-1)!), count);
    });
  }

  it('returns the stored envelope bytes, as SSE and the WebSocket do', async () => {
    const head = `{"type":"match.goal","id":"evt_1_1","data":{"sequence":1,"schema":1`;
    const envelope = `${head},"occurred_at":"2026-03-01T12:00:00Z","match":{"id":1,"sport":"football","tournament_id":7,"tournament":"Лига \\u041b \u2028","season_label":"2025/26","status":"live","status_detail":"in_play","minute":1,"home":{"id":1,"name":"Ё \\"🎉\\" \\/","name_ru":null,"score":1},"away":{"id":2,"name":"B","name_ru":null,"score":0}},"previous":{"z":1,"a":{"2":1,"1":2},"big":9007199254740993123,"small":1e-7,"float":1.10}}}`;
    await writeOutbox(service.db.pool, [
      { match_id: 1, sport: 'football', tournament_id: 7, type: 'match.goal', envelope },
    ]);
    service.deps.changes.publish([1]);
    const stream = await openStream(`${service.app.url}/v1/stream?last_event_id=${start}`, {
      'X-API-Key': service.app.key,
    });
    const text = await stream.until('data: {"type":"match.goal"');
    stream.close();
    assert.ok(text.includes(`\ndata: ${envelope}\n\n`));
    const { bytes } = await ask(`since=${start}`);
    const socket = openWebSocket(`${service.app.url}/v1/stream/ws?key=${service.app.key}&cursor=${start}`);
    await socket.next('match.goal');
    socket.cut();
    assert.equal(socket.texts[1], `{"cursor":${start + 1},${envelope.slice(1)}`);
    const body = `{"events":[{"cursor":${start + 1},${envelope.slice(1)}],"next_cursor":${start + 1},"has_more":false}`;
    assert.equal(bytes.compare(Buffer.from(body)), 0, bytes.toString());
  });

  describe('a cursor', () => {
    const fault = async (since: string) => {
      const { status, json } = await ask<ProblemReply>(since);
      return [status, json.code, json.errors?.[0]?.parameter];
    };

    it('is refused if it is not an integer from 0 to 2^53-1', async () => {
      for (const since of [
        '-1',
        '9007199254740992',
        '9007199254740993',
        'abc',
        '1.5',
        '1e3',
        '',
        '007',
        '+1',
        'evt_1_1',
      ])
        assert.deepEqual(await fault(`since=${since}`), [422, 'invalid_parameter', 'since'], since);
      assert.deepEqual(await fault('limit=1'), [422, 'invalid_parameter', 'since']);
    });

    it('gets an empty page that leads to the log’s end if it is beyond the log', async () => {
      await service.publish({}, {}, {});
      const end = start + 3;
      for (const since of [end, end + 1, end + 999, Number.MAX_SAFE_INTEGER])
        assert.deepEqual(await page(`since=${since}`), { events: [], next_cursor: end, has_more: false });
    });
  });

  describe('with missing events or cursors in the log', () => {
    let shared: Service;
    beforeEach(async () => {
      shared = service;
      service = await startService();
      start = 0;
    });
    afterEach(async () => {
      await service.close();
      service = shared;
    });

    it('a cursor older than seven days gets 410 with the oldest stored cursor and the sync address', async () => {
      await service.publish(...many(5));
      service.clock.advance(7 * 24 * 3_600_000 + 60_000);
      service.deps.changes.publish([1]);
      const { pool } = service.db;
      await pool.query("UPDATE event_log SET appended_at = now() - interval '8 days' WHERE cursor <= 3");
      await pool.query('DELETE FROM event_log WHERE cursor <= 3');
      await pool.query('UPDATE event_log_floor SET floor = greatest(floor, 3)');
      const { json: first } = await ask<ProblemReply>('since=0');
      const oldest = Number(first.oldest_cursor);
      assert.ok(oldest >= 3 && oldest <= 5);
      for (const since of [0, 1, oldest - 1]) {
        const { status, json } = await ask<ProblemReply>(`since=${since}`);
        assert.deepEqual(
          [status, json.code, json.oldest_cursor, json.sync],
          [410, 'cursor_expired', oldest, `${service.app.url}/v1/sync`],
        );
      }
      assert.deepEqual(
        cursors([await page(`since=${oldest}`)]),
        [4, 5].filter((cursor) => cursor > oldest),
      );
    });

    it('a cursor expires if the records after it are dropped while a page is read', async () => {
      await service.publish({});
      const { eventLog } = service.deps;
      const log = {
        ...eventLog,
        read: async (...[cursor, limit]: Parameters<typeof eventLog.read>) => {
          await service.db.pool.query('UPDATE event_log_floor SET floor = 1');
          return eventLog.read(cursor, limit);
        },
      };
      await assert.rejects(readReplayPage(log, EVERYTHING, 0, 10), CursorExpired);
    });

    it('a cursor in a log hole continues after the hole', async () => {
      await service.publish({}, {});
      await service.db.pool.query('UPDATE relay SET base = base + 100');
      await service.publish({});
      assert.deepEqual(cursors(await all(0, 'limit=1')), [1, 2, 103]);
      assert.deepEqual(cursors(await all(50, 'limit=1')), [103]);
      await service.db.pool.query('UPDATE relay SET base = base + 100');
      assert.deepEqual(await page('since=103'), { events: [], next_cursor: 203, has_more: false });
    });
  });

  describe('filters', () => {
    it('apply as on the stream', async () => {
      await service.publish(
        { sport: 'football', tournament: 7, type: 'match.goal' },
        { sport: 'football', tournament: 8, type: 'match.card' },
        { sport: 'tennis', tournament: 9, type: 'match.point' },
        { sport: 'football', tournament: 7, type: 'match.finished' },
      );
      const filtered = async (filter: string) => {
        const got = await page(`since=${start}&${filter}`);
        assert.deepEqual([reached(got), got.has_more], [4, false], filter);
        return cursors([got]);
      };
      assert.deepEqual(await filtered('sport=football'), [1, 2, 4]);
      assert.deepEqual(await filtered('league=7,9'), [1, 3, 4]);
      assert.deepEqual(await filtered('event_type=match.goal,match.point'), [1, 3]);
      assert.deepEqual(await filtered('event_type=match.*&sport=tennis'), [3]);
      assert.deepEqual(await filtered('league=999'), []);
      assert.deepEqual(await filtered('where=data.match.tournament_id>=8,type=match.point'), [3]);
      for (const [filter, parameter] of [
        ['sport=quidditch', 'sport'],
        ['league=abc', 'league'],
        ['event_type=match.nothing', 'event_type'],
        ['where=data.match.tournament_id>=x', 'where'],
      ]) {
        const { status, json } = await ask<ProblemReply>(`since=0&${filter}`);
        assert.deepEqual([status, json.errors?.[0]?.parameter], [422, parameter]);
      }
    });

    it('end a page after 20,000 examined events, so that every page makes progress', async () => {
      await service.publish({ type: 'match.goal' });
      const others = 21_000;
      await append(others);
      await service.publish({ type: 'match.goal' });
      const first = await page(`since=${start}&event_type=match.goal&limit=2`);
      assert.deepEqual([cursors([first]), reached(first), first.has_more], [[1], 20_000, true]);
      const second = await page(`since=${first.next_cursor}&event_type=match.goal&limit=2`);
      assert.deepEqual([cursors([second]), reached(second), second.has_more], [[others + 2], others + 2, false]);
    });

    it('end a page after 8 MiB of examined envelopes', async () => {
      const each = 64 * 1024;
      await append(200, { bytes: each });
      await service.publish({ type: 'match.goal' });
      const pages = await all(start, 'event_type=match.goal');
      assert.deepEqual(
        pages.map((one) => [reached(one), one.has_more]),
        [
          [(8 * 1024 * 1024) / each, true],
          [201, false],
        ],
      );
      assert.deepEqual(cursors(pages), [201]);
    });

    it('give a full page’s last event as next_cursor, so that the next page starts after it', async () => {
      const types = ['goal', 'card', 'goal', 'card', 'goal', 'goal', 'card', 'goal'];
      await service.publish(...types.map((type) => ({ type: `match.${type}` as 'match.goal' | 'match.card' })));
      const first = await page(`since=${start}&event_type=match.goal&limit=3`);
      assert.deepEqual([cursors([first]), reached(first), first.has_more], [[1, 3, 5], 5, true]);
      const second = await page(`since=${first.next_cursor}&event_type=match.goal&limit=3`);
      assert.deepEqual([cursors([second]), reached(second), second.has_more], [[6, 8], 8, false]);
    });

    it('announce more events after a full page only if the log has more', async () => {
      await service.publish(...many(3, { type: 'match.goal' }), ...many(2, { type: 'match.card' }));
      const goals = await page(`since=${start}&event_type=match.goal&limit=3`);
      assert.deepEqual([goals.events.length, reached(goals), goals.has_more], [3, 3, true]);
      const rest = await page(`since=${start + 3}&event_type=match.goal&limit=3`);
      assert.deepEqual([rest.events, reached(rest), rest.has_more], [[], 5, false]);
      assert.equal((await page(`since=${start + 2}&event_type=match.card&limit=2`)).has_more, false);
    });
  });

  it('has 100 events on a page by default, and at most 500', async () => {
    await service.publish(...many(120));
    assert.equal((await page(`since=${start}`)).events.length, 100);
    for (const limit of ['0', '-1', '501', 'abc'])
      assert.equal((await ask(`since=0&limit=${limit}`)).status, 422, limit);
  });

  it('is available on plans with a stream, for publishable keys, and with the key in the query', async () => {
    await service.publish({});
    const keyOf = async (plan: 'starter' | 'pro', kind: 'sk' | 'pk') =>
      (await createKey(service.db.pool, service.clock, { email: `${plan}${kind}@example.com`, plan, kind })).key;
    const status = async (key: string) =>
      (await service.app.ask(`/v1/stream/replay?since=${start}&key=${key}`, { key: null })).status;
    assert.equal(await status(await keyOf('pro', 'sk')), 200);
    assert.equal(await status(await keyOf('pro', 'pk')), 200);
    assert.equal(await status(await keyOf('starter', 'sk')), 402);
    assert.equal((await service.app.ask('/v1/stream/replay?since=0', { key: null })).status, 401);
  });
});
