import assert from 'node:assert/strict';
import { transaction } from '../../src/db/postgres.ts';
import { addPendingChanges } from '../../src/events/pending-changes.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { BLOCK_NAMES } from '../../src/wire/match.ts';
import { createKey } from '../support/accounts.ts';
import type { ProblemReply } from '../support/http.ts';
import { createHarness, type Harness, type Match, type Page } from './sync-harness.ts';

const LEAGUE = { name: 'First League', country: 'GB-ENG' };
const CUP = { name: 'The Cup', country: 'GB-ENG' };

const fixture = (serial: number, over: Partial<Match> = {}): Match => ({
  id: `m${serial}`,
  sport: 'football',
  tournament: LEAGUE,
  season: { label: '2023/24' },
  home: { name: `Home ${serial}`, country: 'GB-ENG' },
  away: { name: `Away ${serial}`, country: 'GB-ENG' },
  scheduled_start: '2024-05-01T14:00:00Z',
  ...over,
});
const playing = (serial: number, home: number, away: number, over: Partial<Match> = {}) =>
  fixture(serial, { status: 'live', score: { home, away }, ...over });

const ids = (pages: readonly Page[]) => pages.flatMap(({ events }) => events.map(({ id }) => id));
const gone = (pages: readonly Page[]) => pages.flatMap(({ deleted }) => deleted);
const lastCursor = (pages: readonly Page[]) => pages.at(-1)!.next_cursor;

describe('GET /v1/sync', () => {
  let harness: Harness;
  before(async () => {
    harness = await createHarness();
  });
  after(() => harness.close());
  beforeEach(() => harness.clear());

  async function add(...serials: number[]): Promise<number[]> {
    const results = await harness.feed(
      serials.map((serial) => fixture(serial)),
      { events: false },
    );
    await harness.settle();
    return results.map(({ matchId }) => matchId!);
  }
  const failure = async (parameters: string): Promise<[number, string]> => {
    const { status, json } = await harness.app.ask<ProblemReply>(`/v1/sync?${parameters}`);
    return [status, json.code];
  };
  /** Adds a pending change, as the maintenance of names does. The card is not rendered, because it does not differ. */
  const addChange = (id: number) => addPendingChanges(harness.db.pool, [{ match_id: id, tombstone: null }]);

  for (const [count, pages] of [
    [0, 1],
    [1, 1],
    [500, 1],
    [501, 2],
    [5_000, 10],
  ] as const) {
    it(`sync gives ${count} matches in ${pages} pages of 500, each once, and then none`, async () => {
      await add(...Array.from({ length: count }, (_, index) => index));
      const pass = await harness.pass(null, 'limit=500');
      assert.equal(pass.length, pages);
      assert.equal(new Set(ids(pass)).size, count);
      assert.equal(ids(pass).length, count);
      for (const page of pass.slice(0, -1)) assert.equal(page.count, 500);
      const again = await harness.pass(lastCursor(pass), 'limit=500');
      assert.deepEqual([again.length, again[0]!.count, again[0]!.deleted], [1, 0, []]);
    });
  }

  it('a later sync gives only the changes', async () => {
    const [, second] = await add(1, 2, 3);
    let cursor = lastCursor(await harness.pass(null));
    await harness.feed([playing(2, 1, 0)]);
    await harness.settle();
    const changed = await harness.pass(cursor);
    assert.deepEqual(ids(changed), [second]);
    assert.equal(changed[0]!.events[0]!.participants[0]!.score, 1);
    cursor = lastCursor(changed);
    assert.deepEqual(ids(await harness.pass(cursor)), []);
    const [fourth] = await add(4);
    assert.deepEqual(ids(await harness.pass(cursor)), [fourth]);
    assert.deepEqual(ids(await harness.pass(cursor)), [fourth], 'the same cursor asked again gives the same');
  });

  it('a cursor may be used with a new limit', async () => {
    const all = await add(1, 2, 3, 4, 5);
    const one = await harness.sync(null, 'limit=1');
    const rest = await harness.pass(one.next_cursor, 'limit=3');
    assert.deepEqual([...ids([one]), ...ids(rest)], all);
    assert.deepEqual(
      [one, ...rest].map((page) => page.has_more),
      [true, true, false],
    );
  });

  it('sync gives the same bytes as the card', async () => {
    const [id] = await add(1);
    await harness.feed([
      playing(1, 1, 0, {
        home: { name: 'Home 1', name_ru: 'Хозяева', country: 'GB-ENG' },
        incidents: [
          { id: 'i1', minute: 3, kind: 'goal', side: 'home', payload: { z: 1, a: 'Ё"\\\u2028', n: 9007199254740991 } },
        ],
        votes: { vote: { vote1: 1, voteX: null, vote2: 3 } },
        odds: [],
      }),
    ]);
    await harness.settle();
    for (const parameters of ['', 'blocks=votes,incidents', 'blocks=odds', 'blocks=referee']) {
      const card = await harness.app.ask(`/v1/event/${id}?${parameters}`);
      const page = await harness.app.ask(`/v1/sync?${parameters}`);
      assert.ok(page.text.includes(`"events":[${card.text}],"deleted":[]`), parameters);
    }
  });

  describe('with a match that was deleted', () => {
    it('a deleted match is listed as deleted', async () => {
      const [first, second] = await add(1, 2);
      const cursor = lastCursor(await harness.pass(null));
      await harness.feed([fixture(1, { deleted: true })]);
      await harness.settle();
      const pass = await harness.pass(cursor);
      assert.deepEqual(gone(pass), [{ id: first, reason: 'deleted', merged_into: null }]);
      assert.deepEqual(ids(pass), []);
      const fresh = await harness.pass(null);
      assert.deepEqual([ids(fresh), gone(fresh)], [[second], gone(pass)]);
    });

    it('a merged match is listed with the match that replaced it', async () => {
      const [first, second] = (await add(1, 2)) as [number, number];
      const cursor = lastCursor(await harness.pass(null));
      await harness.db.pool.query('DELETE FROM match WHERE id = $1', [first]);
      const { rows } = await harness.db.pool.query<{ id: number }>('SELECT id FROM tournament');
      const where = { sport: 'football', tournament_id: rows[0]!.id };
      await addPendingChanges(harness.db.pool, [
        { match_id: first, tombstone: { reason: 'merged', ...where, merged_into: second } },
      ]);
      await harness.settle();
      assert.deepEqual(gone(await harness.pass(cursor)), [{ id: first, reason: 'merged', merged_into: second }]);
    });

    it('deleted matches count towards a page’s limit', async () => {
      await add(1, 2, 3, 4, 5, 6);
      for (const serial of [2, 4, 6]) await harness.feed([fixture(serial, { deleted: true })]);
      await harness.settle();
      const pass = await harness.pass(null, 'limit=2');
      assert.deepEqual(
        pass.map(({ events, deleted }) => events.length + deleted.length),
        [2, 2, 2],
      );
      assert.equal(gone(pass).length, 3);
    });

    it('a match deleted from one tournament is not listed in the sync for another tournament', async () => {
      await add(1);
      await harness.feed([fixture(2, { tournament: CUP })]);
      await harness.settle();
      const { rows } = await harness.db.pool.query<{ id: number }>("SELECT id FROM tournament WHERE name = 'The Cup'");
      const filter = `tournament=${rows[0]!.id}`;
      const cursor = lastCursor(await harness.pass(null, filter));
      await harness.feed([fixture(1, { deleted: true })]);
      await harness.settle();
      assert.deepEqual(gone(await harness.pass(cursor, filter)), []);
    });
  });

  describe('filters', () => {
    let league: number;
    let cup: number;
    let match: number;
    beforeEach(async () => {
      const results = await harness.feed([
        fixture(1),
        fixture(2, { tournament: CUP }),
        fixture(3, { sport: 'basketball', tournament: { name: 'Hoops', country: 'GB-ENG' } }),
      ]);
      match = results[0]!.matchId!;
      await harness.settle();
      const { rows } = await harness.db.pool.query<{ id: number; name: string }>('SELECT id, name FROM tournament');
      const named = (name: string) => rows.find((row) => row.name === name)!.id;
      [league, cup] = [named(LEAGUE.name), named(CUP.name)];
    });
    const shown = async (cursor: string | null, filter: string) => {
      const pass = await harness.pass(cursor, filter);
      return { cursor: lastCursor(pass), ids: ids(pass), gone: gone(pass) };
    };

    it('filters select a sport, a tournament, and the last update time', async () => {
      assert.equal((await shown(null, 'sport=football')).ids.length, 2);
      assert.equal((await shown(null, 'sport=darts')).ids.length, 0);
      assert.deepEqual((await shown(null, `tournament=${league}`)).ids, [match]);
      assert.deepEqual((await shown(null, `tournament=${league}&sport=football`)).ids, [match]);
      assert.deepEqual((await shown(null, `tournament=${league}&sport=darts`)).ids, []);
      assert.deepEqual((await shown(null, 'tournament=999999')).ids, []);
      const { updated_at } = (await harness.sync(null, `tournament=${league}`)).events[0]!;
      assert.equal((await shown(null, `updated_since=${updated_at}`)).ids.length, 3);
      const later = new Date(Date.parse(updated_at) + 1_000).toISOString();
      const since = await shown(null, `updated_since=${later}`);
      assert.deepEqual(since.ids, []);
      await harness.feed([playing(1, 0, 0)]);
      await harness.settle();
      assert.deepEqual((await shown(since.cursor, `updated_since=${later}`)).ids, [match]);
      assert.deepEqual((await shown(null, `updated_since=${later}`)).ids, [match]);
    });

    it('a match that moves is listed as deleted by the filter that it leaves, and given by the filter that it enters', async () => {
      const before = { league: await shown(null, `tournament=${league}`), cup: await shown(null, `tournament=${cup}`) };
      const football = await shown(null, 'sport=football');
      const all = await shown(null, '');
      await harness.feed([fixture(1, { tournament: CUP })]);
      await harness.settle();
      const moved = [{ id: match, reason: 'moved', merged_into: null }];
      const left = await shown(before.league.cursor, `tournament=${league}`);
      assert.deepEqual([left.ids, left.gone], [[], moved]);
      const entered = await shown(before.cup.cursor, `tournament=${cup}`);
      assert.deepEqual([entered.ids, entered.gone], [[match], []]);
      const within = await shown(football.cursor, 'sport=football');
      assert.deepEqual([within.ids, within.gone], [[match], []]);
      const whole = await shown(all.cursor, '');
      assert.deepEqual([whole.ids, whole.gone], [[match], []]);

      await harness.feed([fixture(1)]);
      await harness.settle();
      const back = await shown(left.cursor, `tournament=${league}`);
      assert.deepEqual([back.ids, back.gone], [[match], []]);
      const both = await shown(before.league.cursor, `tournament=${league}`);
      assert.deepEqual([both.ids, both.gone], [[match], []], 'there and back between two visits is a change');
      const cupLeft = await shown(entered.cursor, `tournament=${cup}`);
      assert.deepEqual([cupLeft.ids, cupLeft.gone], [[], moved]);
      await harness.feed([fixture(1, { deleted: true })]);
      await harness.settle();
      const ended = await shown(back.cursor, `tournament=${league}`);
      assert.deepEqual(ended.gone, [{ id: match, reason: 'deleted', merged_into: null }]);
    });

    it('a moved match is listed as deleted only after it has a change cursor', async () => {
      await harness.feed([fixture(1, { tournament: CUP })]);
      const now = await shown(null, `tournament=${league}`);
      assert.deepEqual([now.ids, now.gone], [[], []]);
      await harness.settle();
      assert.equal((await shown(now.cursor, `tournament=${league}`)).gone.length, 1);
    });

    it('a cursor works only with the same filters', async () => {
      const { next_cursor } = await harness.sync(null, `limit=1&tournament=${league}&sport=football&blocks=odds,votes`);
      const with_ = (parameters: string) => failure(`cursor=${next_cursor}&${parameters}`);
      const same = await harness.app.ask(
        `/v1/sync?blocks=votes,odds&sport=football&cursor=${next_cursor}&tournament=${league}&limit=7`,
      );
      assert.equal(same.status, 200);
      for (const other of [
        '',
        `tournament=${league}&sport=football`,
        `tournament=${league}&blocks=odds,votes`,
        `tournament=${league}&sport=football&blocks=odds`,
        `tournament=${cup}&sport=football&blocks=odds,votes`,
        `tournament=${league}&sport=football&blocks=odds,votes&updated_since=2024-01-01`,
      ])
        assert.deepEqual(await with_(other), [422, 'cursor_filter_mismatch'], other);
    });
  });

  describe('a cursor', () => {
    it('a damaged, forged or malformed cursor is refused', async () => {
      await add(1, 2);
      const { next_cursor } = await harness.sync(null, 'limit=1');
      const damaged = [...next_cursor].map((character, index) => {
        const other = character === 'A' ? 'B' : 'A';
        return next_cursor.slice(0, index) + other + next_cursor.slice(index + 1);
      });
      const nonsense = ['0', '7', '-1', '9007199254740993', 'abc', '.', 'a.b', 'null', '%D0%96', `${next_cursor}.`];
      const cut = [next_cursor.slice(1), next_cursor.slice(0, -1), `${next_cursor}A`];
      for (const cursor of [...damaged, ...nonsense, ...cut])
        assert.deepEqual(await failure(`limit=1&cursor=${cursor}`), [422, 'invalid_cursor'], cursor);
    });

    it('an empty cursor starts a pass, and so does a missing cursor', async () => {
      await add(1, 2);
      const { status, json } = await harness.app.ask('/v1/sync?limit=1&cursor=');
      assert.equal(status, 200);
      assert.deepEqual(json, await harness.sync(null, 'limit=1'));
    });

    it('a cursor from before a restore, beyond the restored database, starts a new pass', async () => {
      const [first, second, third] = (await add(1, 2, 3)) as [number, number, number];
      const { pool } = harness.db;
      const before = await harness.sync(null, 'limit=1');
      const after = lastCursor(await harness.pass(null));
      await pool.query('DELETE FROM match_change WHERE match_id = $1', [third]);
      await pool.query('UPDATE relay SET change_seq = change_seq - 1');
      for (const cursor of [before.next_cursor, after]) {
        const pass = await harness.pass(cursor);
        assert.deepEqual(ids(pass), [first, second]);
      }
      const { next_cursor } = await harness.sync(after);
      await addChange(third);
      await harness.settle();
      assert.deepEqual(ids(await harness.pass(next_cursor)), [third]);
    });
  });

  describe('while matches change', () => {
    it('a pass gives the newest state of a match that changes before its page is reached', async () => {
      const [first, second, third] = await add(1, 2, 3);
      const page = await harness.sync(null, 'limit=1');
      assert.deepEqual(ids([page]), [first]);
      await harness.feed([playing(3, 2, 1)]);
      await harness.settle();
      const rest = await harness.pass(page.next_cursor, 'limit=1');
      assert.deepEqual(ids(rest), [second, third]);
      assert.equal(ids(rest).length, 2);
      assert.equal(rest.flatMap(({ events }) => events)[1]!.participants[0]!.score, 2);
      assert.equal(rest[0]!.stream_cursor, page.stream_cursor);
    });

    it('a pass gives the newest state of a match that changes after its page was read ahead', async () => {
      const [, , third] = await add(1, 2, 3, 4, 5);
      const first = await harness.sync(null, 'limit=1');
      const second = await harness.sync(first.next_cursor, 'limit=1');
      const { hits, misses } = harness.ahead();
      await harness.feed([playing(3, 2, 1)]);
      const page = await harness.sync(second.next_cursor, 'limit=1');
      assert.deepEqual(ids([page]), [third]);
      assert.equal(page.events[0]!.participants[0]!.score, 2);
      assert.deepEqual(harness.ahead(), { hits, misses: misses + 1 });
    });

    it('a page that was read ahead has the same bytes, and a later pass and other filters do not get it', async () => {
      await add(1, 2, 3, 4, 5, 6);
      const path = (cursor: string, more = '') => `/v1/sync?limit=1&cursor=${cursor}${more}`;
      const first = await harness.sync(null, 'limit=1');
      const second = await harness.sync(first.next_cursor, 'limit=1');
      const { hits, misses } = harness.ahead();
      assert.equal((await harness.app.ask(path(second.next_cursor, '&blocks=odds'))).status, 422);
      const ahead = await harness.app.ask<Page>(path(second.next_cursor));
      const again = await harness.app.ask(path(second.next_cursor));
      assert.deepEqual([ahead.text, ahead.headers.get('etag')], [again.text, again.headers.get('etag')]);
      assert.deepEqual(harness.ahead(), { hits: hits + 1, misses });
      const rest = await harness.pass(ahead.json.next_cursor, 'limit=1');
      assert.equal(ids([first, second, ahead.json, ...rest]).length, 6);
    });

    it('a pass whose last page was read ahead has the changes since its first page', async () => {
      const [first, second, third] = await add(1, 2, 3);
      const pages = [await harness.sync(null, 'limit=1')];
      pages.push(await harness.sync(pages[0]!.next_cursor, 'limit=1'));
      await harness.db.pool.query('UPDATE match SET attendance = 5, version = version + 1 WHERE id = $1', [first]);
      await addChange(first!);
      await harness.settle();
      pages.push(...(await harness.pass(pages[1]!.next_cursor, 'limit=1')));
      assert.deepEqual(ids(pages), [first, second, third, first]);
    });

    it('a pass lists a match as deleted if it is deleted before its page is reached', async () => {
      const [first, second, third] = await add(1, 2, 3);
      const page = await harness.sync(null, 'limit=1');
      await harness.feed([fixture(3, { deleted: true })]);
      await harness.settle();
      const rest = await harness.pass(page.next_cursor, 'limit=1');
      assert.deepEqual(ids([page, ...rest]), [first, second]);
      assert.deepEqual(gone(rest), [{ id: third, reason: 'deleted', merged_into: null }]);
    });

    it('a later page gives a match once if it left the filters and came back', async () => {
      const [first, second, third, fourth] = await add(1, 2, 3, 4);
      const { rows } = await harness.db.pool.query<{ id: number }>('SELECT id FROM tournament WHERE name = $1', [
        LEAGUE.name,
      ]);
      const filter = `limit=1&tournament=${rows[0]!.id}`;
      const page = await harness.sync(null, filter);
      assert.deepEqual(ids([page]), [first]);
      for (const serial of [3, 4]) await harness.feed([fixture(serial, { tournament: CUP })]);
      await harness.settle();
      await harness.feed([fixture(3)]);
      await harness.settle();
      const entries = await harness.db.pool.query(
        `SELECT (SELECT count(*)::int FROM match_change WHERE match_id = $1) AS changes,
           (SELECT count(*)::int FROM match_tombstone WHERE match_id = $1 AND tournament_id = $2) AS tombstones`,
        [third, rows[0]!.id],
      );
      assert.deepEqual(entries.rows, [{ changes: 1, tombstones: 1 }], 'both are in the tail');
      const rest = await harness.pass(page.next_cursor, filter);
      assert.deepEqual(ids(rest), [second, third]);
      assert.deepEqual(gone(rest), [{ id: fourth, reason: 'moved', merged_into: null }]);
      for (const { events, deleted } of rest) assert.ok(events.length + deleted.length <= 1, 'within the limit');
    });

    it('a later page lists a match that moved and was then deleted, but only with the later reason', async () => {
      const [first] = await add(1, 2);
      const filter = 'limit=1&sport=football';
      const page = await harness.sync(null, filter);
      assert.deepEqual(ids([page]), [first]);
      await harness.feed([fixture(2, { tournament: CUP })]);
      await harness.settle();
      await harness.feed([fixture(2, { tournament: CUP, deleted: true })]);
      await harness.settle();
      const { rows } = await harness.db.pool.query<{ match_id: number; reason: string }>(
        'SELECT match_id, reason FROM match_tombstone ORDER BY change_cursor',
      );
      assert.deepEqual(
        rows.map(({ reason }) => reason),
        ['moved', 'deleted'],
        'both are in the tail',
      );
      const rest = await harness.pass(page.next_cursor, filter);
      assert.deepEqual(gone(rest), [{ id: rows[0]!.match_id, reason: 'deleted', merged_into: null }]);
    });

    it('a pass ends even if matches change and are created all the time', async () => {
      const all = await add(...Array.from({ length: 12 }, (_, index) => index));
      const seen: number[] = [];
      let cursor: string | null = null;
      let serial = 100;
      for (let page = 0; ; page += 1) {
        assert.ok(page < 40, 'it does not end');
        const { events, next_cursor, has_more } = await harness.sync(cursor, 'limit=1');
        seen.push(...events.map(({ id }) => id));
        if (!has_more) break;
        cursor = next_cursor;
        for (const id of all) await addChange(id);
        serial += 1;
        await harness.feed([fixture(serial)], { events: false });
        await harness.settle();
      }
      assert.deepEqual([...new Set(seen)].filter((id) => all.includes(id)).sort(), [...all].sort());
    });

    it('a page has at most 16 MiB of cards, or a single card that is larger', async () => {
      const all = await add(1, 2, 3);
      await harness.db.pool.query(
        `INSERT INTO match_block SELECT id, 'highlights', '[{"title":"' || repeat('x', CASE WHEN id = $1 THEN 17000000 ELSE 9000000 END)
           || '","url":"https://example.com/","thumbnail":null}]' FROM match`,
        [all[2]],
      );
      const pass = await harness.pass(null);
      assert.deepEqual(
        pass.map(({ count }) => count),
        [1, 1, 1],
      );
      assert.deepEqual(ids(pass), all);
      const short = await harness.pass(null, 'blocks=odds');
      assert.deepEqual([ids(short), short.length], [all, 1]);
    });
  });

  describe('stream_cursor', () => {
    it('stays before events whose changes have no change cursor yet', async () => {
      await harness.feed([fixture(1)]);
      await harness.settle();
      const first = await harness.sync(null);
      assert.equal(first.stream_cursor, 1);
      await harness.feed([playing(1, 1, 0)]);
      assert.ok((await harness.move()) > 0);
      const before = await harness.sync(first.next_cursor);
      assert.equal(before.count, 0);
      assert.equal(before.stream_cursor, 1, 'the change is neither in the pass nor behind the stream');
      const { events } = await harness.replay(before.stream_cursor);
      assert.ok(events.length > 0);
      await harness.assignCursors();
      const after = await harness.sync(before.next_cursor);
      assert.equal(after.count, 1);
      assert.equal(after.stream_cursor, 1 + events.length);
    });

    it('waits while more changes are pending than one batch can assign change cursors to', async () => {
      await harness.feed([fixture(1)]);
      await harness.settle();
      const [{ rows }] = [await harness.db.pool.query<{ id: number }>('SELECT id FROM match')];
      await addPendingChanges(
        harness.db.pool,
        Array.from({ length: 500 }, () => ({ match_id: rows[0]!.id, tombstone: null })),
      );
      await harness.feed([playing(1, 1, 0)]);
      await harness.move();
      assert.equal(await harness.assignCursors(), 500);
      assert.equal((await harness.sync(null)).stream_cursor, 1);
      assert.equal(await harness.assignCursors(), 1);
      assert.ok((await harness.sync(null)).stream_cursor > 1);
    });

    it('advances past events whose changes were in a full batch', async () => {
      await harness.feed([fixture(1)]);
      const { rows } = await harness.db.pool.query<{ id: number }>('SELECT id FROM match');
      await addPendingChanges(
        harness.db.pool,
        Array.from({ length: 499 }, () => ({ match_id: rows[0]!.id, tombstone: null })),
      );
      await harness.move();
      assert.equal(await harness.assignCursors(), 500);
      assert.equal(await harness.assignCursors(), 0);
      assert.equal((await harness.sync(null)).stream_cursor, 1);
    });
  });

  it('invalid sync parameters are 422', async () => {
    for (const parameters of [
      'limit=0',
      'limit=501',
      'limit=-1',
      'limit=abc',
      'sport=quidditch',
      'tournament=0',
      'updated_since=yesterday',
      'blocks=secrets',
    ])
      assert.deepEqual(await failure(parameters), [422, 'invalid_parameter'], parameters);
    assert.equal((await harness.app.ask('/v1/sync?blocks=weather,meta')).status, 200);
    assert.equal((await harness.app.ask(`/v1/sync?blocks=${BLOCK_NAMES.join()}`)).status, 200);
  });

  it('sync is part of every plan, and open to publishable keys in the header', async () => {
    await add(1);
    for (const [plan, publishable] of [
      ['free', false],
      ['trial', true],
    ] as const) {
      const { key } = await createKey(harness.db.pool, systemClock, {
        email: `${plan}@example.com`,
        plan,
        ...(publishable && { kind: 'pk' as const }),
      });
      const { status, json } = await harness.app.ask<Page>('/v1/sync', { key });
      assert.deepEqual([status, json.count], [200, 1], plan);
      assert.equal((await harness.app.ask(`/v1/sync?key=${key}`, { key: null })).status, 401);
    }
  });

  it('sync answers 304 until a match changes', async () => {
    await add(1);
    const path = `/v1/sync?cursor=${lastCursor(await harness.pass(null))}`;
    const first = await harness.app.ask(path);
    const etag = first.headers.get('etag')!;
    assert.match(etag, /^W\//);
    const headers = { 'If-None-Match': etag };
    assert.equal((await harness.app.ask(path, { headers })).status, 304);
    await harness.feed([playing(1, 1, 0)]);
    await harness.settle();
    const second = await harness.app.ask(path, { headers });
    assert.equal(second.status, 200);
    await harness.feed([playing(1, 2, 0)]);
    await harness.settle();
    const third = await harness.app.ask(path, { headers: { 'If-None-Match': second.headers.get('etag')! } });
    assert.equal(third.status, 200, 'the same matches with other cards');
  });

  it('sync gives a change once its transaction has committed, however long that takes', async () => {
    const [early, late] = (await add(1, 2)) as [number, number];
    let cursor = lastCursor(await harness.pass(null));
    await transaction(harness.db.pool, async (client) => {
      await addPendingChanges(client, [{ match_id: late, tombstone: null }]);
      await addChange(early);
      await harness.settle();
      const pass = await harness.pass(cursor);
      assert.deepEqual(ids(pass), [early]);
      cursor = lastCursor(pass);
    });
    await harness.settle();
    assert.deepEqual(ids(await harness.pass(cursor)), [late]);
  });
});
