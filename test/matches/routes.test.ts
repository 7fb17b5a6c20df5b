import assert from 'node:assert/strict';
import type { z } from 'zod';
import { markAwaitingData } from '../../src/apply/upkeep/mark-awaiting-data.ts';
import { participantEvents } from '../../src/catalogue/participant-events.ts';
import { BLOCK_NAMES, FIELD_BLOCKS, type matchDetail, type matchItem } from '../../src/wire/match.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { type FeedApp, startFeedApp } from '../support/feed-app.ts';
import type { ProblemReply } from '../support/http.ts';

type Item = z.infer<typeof matchItem>;
interface Page {
  count: number;
  total: number;
  events: Item[];
  next_after: string | null;
}
interface Live {
  count: number;
  events: Item[];
  as_of: string | null;
}

const league = (id: string, name: string, country = 'GB-ENG') => ({ id, name, country });

describe('matches over REST', () => {
  let bench: FeedBench;
  let service: FeedApp;
  /** Our ids by the matches' names in this test. */
  const ids: Record<string, number> = {};

  before(async () => {
    bench = await openFeedBench();
    service = await startFeedApp(bench);
    const envelope = { schema: 1 as const, provider: 'live', observed_at: new Date(bench.now).toISOString() };
    for (const [id, name, more] of [
      ['top', 'Top League', { importance: 90 }],
      ['mid', 'Middle League', { importance: 50 }],
      ['low', 'Low League', { importance: 49 }],
      ['youth', 'Youth League', { importance: 95, youth: true }],
      ['amateur', 'Amateur League', { importance: 96, amateur: true }],
    ] as const) {
      await bench.feed({
        ...envelope,
        kind: 'tournament',
        tournament: { ...league(id, name), sport: 'football', ...more },
      });
    }
    const matches: Record<string, MatchFields> = {
      early: { tournament: league('low', 'Low League'), scheduled_start: '2024-05-01T00:00:00Z' },
      mid: { tournament: league('mid', 'Middle League'), scheduled_start: '2024-05-01T10:00:00Z' },
      top: { tournament: league('top', 'Top League'), scheduled_start: '2024-05-01T12:00:00Z' },
      twin: { tournament: league('top', 'Top League'), scheduled_start: '2024-05-01T12:00:00Z' },
      youth: { tournament: league('youth', 'Youth League'), scheduled_start: '2024-05-01T13:00:00Z' },
      amateur: { tournament: league('amateur', 'Amateur League'), scheduled_start: '2024-05-01T13:30:00Z' },
      final: { tournament: league('low', 'Low League'), importance: 99, scheduled_start: '2024-05-01T14:00:00Z' },
      late: { tournament: league('low', 'Low League'), scheduled_start: '2024-05-01T23:59:59Z' },
      next: { tournament: league('low', 'Low League'), scheduled_start: '2024-05-02T00:00:00Z' },
      live: { tournament: league('top', 'Top League'), scheduled_start: '2024-05-03T12:00:00Z', status: 'live' },
      hockey: { sport: 'ice-hockey', tournament: league('ih', 'Ice League'), scheduled_start: '2024-05-03T11:00:00Z', status: 'live' },
      over: { tournament: league('top', 'Top League'), scheduled_start: '2024-05-04T12:00:00Z', status: 'finished', score: { home: 1, away: 2 } },
    }; // biome-ignore format: a table
    for (const [name, fields] of Object.entries(matches)) {
      bench.nextMatch();
      ids[name] = await bench.accept(fields);
    }
  });
  after(async () => {
    await service.close();
    await bench.db.drop();
  });

  const names = (events: readonly Item[]) => events.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id));
  const list = async (query: string): Promise<(string | undefined)[]> => {
    const { status, json } = await service.get<Page>(`/v1/events${query}`);
    assert.equal(status, 200, query);
    assert.equal(json.count, json.events.length);
    return names(json.events);
  };
  const tournament = async (name: string): Promise<number> =>
    (await bench.db.pool.query('SELECT id FROM tournament WHERE name = $1', [name])).rows[0].id;

  describe('/v1/events', () => {
    const may1 = ['early', 'mid', 'top', 'twin', 'youth', 'amateur', 'final', 'late'];
    const all = [...may1, 'next', 'hockey', 'live', 'over'];

    it('the list is ordered by start, then id', async () => {
      assert.deepEqual(await list(''), all);
    });

    const filters: [query: string, expected: string[]][] = [
      ['?date=2024-05-01', may1],
      ['?date=2024-05-02', ['next']],
      ['?date=2024-05-05', []],
      ['?sport=ice-hockey', ['hockey']],
      ['?sport=tennis', []],
      ['?status=live', ['hockey', 'live']],
      ['?status=finished', ['over']],
      ['?status=scheduled', [...may1, 'next']],
      ['?top=true', ['mid', 'top', 'twin', 'final', 'live', 'over']],
      ['?top=1&date=2024-05-01', ['final', 'top', 'twin', 'mid']],
      ['?top=0&date=2024-05-01', may1],
      ['?top=false', all],
      ['?min_importance=90', ['top', 'twin', 'youth', 'amateur', 'final', 'live', 'over']],
      ['?min_importance=100', []],
      ['?min_importance=0', all],
      ['?from=2024-05-01T12:00:00Z&to=2024-05-01T14:00:00Z', ['top', 'twin', 'youth', 'amateur']],
      ['?from=2024-05-01T15:00:00%2B03:00&to=2024-05-01T16:00:00%2B03:00', ['top', 'twin']],
      ['?from=2024-05-02', ['next', 'hockey', 'live', 'over']],
      ['?to=2024-05-01T00:00:00Z', []],
      ['?date=2024-05-01&status=live', []],
      ['?limit=2&offset=1', ['mid', 'top']],
      ['?limit=1000', all],
      ['?offset=12', []],
      [`?offset=${Number.MAX_SAFE_INTEGER}`, []],
      ['?date=2024-05-01&top=true&limit=2&offset=1', ['top', 'twin']],
      ['?unknown=1&limit=1', ['early']],
      ['?sport=ice-hockey,tennis', ['hockey']],
      ['?sport=ice-hockey,football&status=live', ['hockey', 'live']],
      ['?country=GB-ENG', all],
      ['?country=FR', []],
      // In Tokyo the day begins at 15:00 UTC on the day before, and in Los Angeles at 07:00 UTC.
      ['?date=2024-05-02&tz=Asia/Tokyo', ['late', 'next']],
      ['?date=2024-05-01&tz=America/Los_Angeles', [...may1.slice(1), 'next']],
      ['?date=2024-05-01&tz=utc', may1],
      ['?date=2024-05-02&tz=asia/tokyo', ['late', 'next']],
      ['?tz=Asia/Tokyo&status=finished', ['over']],
      ['?updated_since=2000-01-01&status=finished', ['over']],
      ['?updated_since=2200-01-01', []],
      ['?order=asc', all],
      ['?order=desc', all.toReversed()],
      ['?order=desc&limit=2&offset=1', ['live', 'hockey']],
      ['?order=desc&top=1&date=2024-05-01', ['final', 'twin', 'top', 'mid']],
    ];
    for (const [query, expected] of filters) {
      it(`the list ${query || 'without filters'} has ${expected.join(', ') || 'nothing'}`, async () => {
        assert.deepEqual(await list(query), expected);
      });
    }

    it('a time zone’s old and new names mean the same day', async () => {
      for (const [old, renamed] of [
        ['Europe/Kiev', 'Europe/Kyiv'],
        ['Asia/Calcutta', 'Asia/Kolkata'],
        ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
      ])
        for (const day of ['2024-05-01', '2024-05-02'])
          assert.deepEqual(await list(`?date=${day}&tz=${renamed}`), await list(`?date=${day}&tz=${old}`), renamed);
      assert.deepEqual(await list('?date=2024-05-02&tz=Asia/Ho_Chi_Minh'), ['late', 'next']);
    });

    it('the list can be filtered by tournament and by participant, at home and away', async () => {
      assert.deepEqual(await list(`?tournament=${await tournament('Top League')}`), ['top', 'twin', 'live', 'over']);
      const { json } = await service.get<Page>('/v1/events?limit=1');
      const [home, away] = json.events[0]!.participants;
      assert.deepEqual(await list(`?participant=${home!.participant_id}`), ['early']);
      assert.deepEqual(await list(`?participant=${away!.participant_id}`), ['early']);
      assert.deepEqual(await list('?tournament=999999'), []);
      assert.deepEqual(await list(`?participant=${Number.MAX_SAFE_INTEGER}`), []);
    });

    it('the list can be filtered by ids, by several tournaments and participants, by season and round', async () => {
      const [top, low] = [await tournament('Top League'), await tournament('Low League')];
      assert.deepEqual(await list(`?ids=${ids.over},${ids.early},${ids.over},${Number.MAX_SAFE_INTEGER}`), [
        'early',
        'over',
      ]);
      assert.deepEqual(await list(`?ids=${ids.hockey}&sport=football`), []);
      assert.deepEqual(await list(`?tournament=${top},${low}&status=scheduled&order=desc&limit=3`), [
        'next',
        'late',
        'final',
      ]);
      const { json } = await service.get<Page>(`/v1/events?ids=${ids.early},${ids.mid}`);
      const sides = json.events.map(({ participants }) => participants[0]!.participant_id);
      assert.deepEqual(await list(`?participant=${sides.join()}`), ['early', 'mid']);
      const { rows } = await bench.db.pool.query<{ season_id: number }>('SELECT season_id FROM match WHERE id = $1', [
        ids.top,
      ]);
      assert.deepEqual(await list(`?season=${rows[0]!.season_id}`), ['top', 'twin', 'live', 'over']);
      assert.deepEqual(await list(`?season=${rows[0]!.season_id}&tournament=${low}`), []);
      await bench.db.pool.query('UPDATE match SET round_num = 13 WHERE id = $1', [ids.top]);
      await bench.db.pool.query("UPDATE match SET round_name = 'Final' WHERE id = $1", [ids.twin]);
      assert.deepEqual(await list(`?tournament=${top}&round=13`), ['top']);
      assert.deepEqual(await list(`?season=${rows[0]!.season_id}&round=final`), ['twin']);
      assert.deepEqual(await list(`?tournament=${top}&round=nobody%20has%20it`), []);
    });

    it('a filter with a meaningless value gets an error that names the filter', async () => {
      for (const [query, parameter, detail] of [
        [`ids=${Array.from({ length: 101 }, (_, at) => at + 1)}`, 'ids', /at most 100/],
        ['ids=', 'ids', /integer/],
        ['ids=1,x', 'ids', /integer/],
        ['sport=football,chess', 'sport', /one of/],
        ['tz=Mars/Olympus&date=2024-05-01', 'tz', /Europe\/Berlin/],
        ['tz=%2B01:00', 'tz', /Europe\/Berlin/],
        ['tz=', 'tz', /Europe\/Berlin/],
        ['order=up', 'order', /asc, desc/],
        ['country=Atlantis', 'country', /ISO 3166-1/],
        ['round=', 'round', /1 to 80/],
        ['updated_since=yesterday', 'updated_since', /time with its zone/],
      ] as const) {
        const { status, json } = await service.get<{ errors: { parameter: string; detail: string }[] }>(
          `/v1/events?${query}`,
        );
        assert.equal(status, 422, query);
        assert.equal(json.errors[0]!.parameter, parameter, query);
        assert.match(json.errors[0]!.detail, detail, query);
      }
    });

    it('the list has the number of matches on the page and the total for the filters', async () => {
      for (const [query, count, total] of [
        ['?limit=5', 5, 12],
        ['?limit=5&offset=10', 2, 12],
        ['?offset=50', 0, 12],
        ['?top=true&limit=1', 1, 6],
        ['?sport=tennis', 0, 0],
      ] as const) {
        const { json } = await service.get<Page>(`/v1/events${query}`);
        assert.deepEqual([json.count, json.total], [count, total], query);
      }
    });

    const walk = async (query: string, size: number) => {
      const found: (string | undefined)[] = [];
      let after: string | null = '';
      for (let page = 0; after !== null; page += 1) {
        const path: string = `/v1/events?${query}&limit=${size}&after=${encodeURIComponent(after)}`;
        const { json }: { json: Page } = await service.get<Page>(path);
        found.push(...names(json.events));
        assert.ok(page < 30, 'the walk does not end');
        after = json.next_after;
      }
      return found;
    };

    it('the pages linked by next_after add up to the whole list, in every order', async () => {
      for (const size of [1, 2, 5, 6, 12, 1_000]) assert.deepEqual(await walk('', size), all, `by ${size}`);
      for (const size of [1, 3])
        assert.deepEqual(await walk('date=2024-05-01&top=true', size), ['final', 'top', 'twin', 'mid'], `by ${size}`);
      for (const size of [1, 2, 5]) assert.deepEqual(await walk('order=desc', size), all.toReversed(), `by ${size}`);
      const { json } = await service.get<Page>('/v1/events?order=desc&limit=2');
      const { status } = await service.get(`/v1/events?after=${json.next_after}`);
      assert.equal(status, 422, 'a position of the other order');
      assert.deepEqual(await walk('top=true&min_importance=60', 2), ['top', 'twin', 'final', 'live', 'over']);
      assert.deepEqual(await walk('sport=tennis', 1), []);
    });

    it('scheduled matches that await data come after upcoming matches, on one page or across pages', async () => {
      const setAwaiting = async (names: string[], awaiting: boolean) => {
        const changed = names.map((name) => ids[name]!);
        await bench.db.pool.query('UPDATE match SET awaiting_data = $2 WHERE id = ANY ($1)', [changed, awaiting]);
        service.changes.publish(changed);
      };
      const past = ['early', 'twin'];
      await setAwaiting(past, true);
      try {
        const expected = [...may1.filter((name) => !past.includes(name)), 'next', ...past];
        assert.deepEqual(await list('?status=scheduled'), expected);
        for (const size of [1, 2, 3, 8, 9])
          assert.deepEqual(await walk('status=scheduled', size), expected, `by ${size}`);
        assert.deepEqual(await list('?status=scheduled&status_detail=awaiting_data'), past);
        assert.deepEqual(await list('?status=scheduled&date=2024-05-01&top=true'), ['final', 'top', 'twin', 'mid']);
        assert.deepEqual((await list('')).slice(0, 1), ['early'], 'other lists are in order of time');
        const { json } = await service.get<Page>('/v1/events?limit=1');
        const { status } = await service.get(`/v1/events?status=scheduled&after=${json.next_after}`);
        assert.equal(status, 422);
      } finally {
        await setAwaiting(past, false);
      }
    });

    it('pages linked by next_after repeat and skip no match while matches are inserted', async () => {
      const day = (hour: number) => `2025-03-01T${String(hour).padStart(2, '0')}:00:00Z`;
      const insert = (start: string) => {
        bench.nextMatch();
        return bench.accept({ tournament: league('walk', 'Walk League'), scheduled_start: start });
      };
      const there = [await insert(day(10)), await insert(day(12)), await insert(day(14))];
      const found: number[] = [];
      const inserted: number[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const { json }: { json: Page } = await service.get<Page>(`/v1/events?date=2025-03-01&limit=1&after=${after}`);
        found.push(...json.events.map(({ id }) => id));
        after = json.next_after;
        // Inserts matches before those that were read, and one after them. With offsets, the next page would repeat a match.
        if (inserted.length < 3) inserted.push(await insert(day(inserted.length)));
        if (found.length === 2) there.push(await insert(day(20)));
      }
      assert.deepEqual(found, there);
      await bench.db.pool.query("DELETE FROM match WHERE scheduled_start::date = '2025-03-01'");
    });

    it('a list has no next_after on its last page', async () => {
      for (const [query, hasNext] of [
        ['?limit=11', true],
        ['?limit=12', false],
        ['?limit=2&offset=9', true],
        ['?limit=2&offset=10', false],
        ['?limit=2&offset=50', false],
      ] as const) {
        const { json } = await service.get<Page>(`/v1/events${query}`);
        assert.equal(json.next_after !== null, hasNext, query);
      }
    });

    it('a next_after from a list in a different order is refused', async () => {
      const { json } = await service.get<Page>('/v1/events?limit=1');
      const { json: byImportance } = await service.get<Page>('/v1/events?limit=1&date=2024-05-01&top=true');
      const other = encodeURIComponent(byImportance.next_after!);
      for (const query of ['?after=x', '?after=1_2_3_4', '?after=1_', '?after=1e3_1', `?after=${other}`, `?date=2024-05-01&top=true&after=${json.next_after}`]) {
        const { status, json: problem } = await service.get<ProblemReply>(`/v1/events${query}`);
        assert.deepEqual([status, problem.code], [422, 'invalid_cursor'], query);
      } // biome-ignore format: a table
      for (const after of ['99999999999999999_999999999999999', '-99999999999999999_1'])
        assert.equal((await service.get(`/v1/events?after=${after}`)).status, 200, after);
    });

    const invalid: [query: string, parameter: string, code: string][] = [
      [`?offset=1&after=1_1`, 'offset', 'conflict'],
      ['?limit=0', 'limit', 'too_small'],
      ['?limit=-1', 'limit', 'too_small'],
      ['?limit=1001', 'limit', 'too_big'],
      ['?limit=abc', 'limit', 'invalid_format'],
      ['?limit=', 'limit', 'invalid_format'],
      ['?limit=1.5', 'limit', 'invalid_format'],
      ['?limit=1&limit=2', 'limit', 'repeated'],
      ['?offset=-1', 'offset', 'too_small'],
      [`?offset=${2n ** 53n}`, 'offset', 'too_big'],
      ['?date=2024-02-30', 'date', 'invalid_format'],
      ['?date=2024-5-1', 'date', 'invalid_format'],
      ['?date=today', 'date', 'invalid_format'],
      ['?sport=quidditch', 'sport', ''],
      ['?sport=', 'sport', ''],
      ['?status=over', 'status', 'invalid_value'],
      ['?top=yes', 'top', 'invalid_value'],
      ['?min_importance=101', 'min_importance', 'too_big'],
      ['?min_importance=-1', 'min_importance', 'too_small'],
      ['?tournament=0', 'tournament', 'too_small'],
      ['?participant=x', 'participant', 'invalid_format'],
      ['?from=yesterday', 'from', 'custom'],
      ['?from=2024-05-02&to=2024-05-01', 'to', 'invalid_range'],
      ['?from=2024-05-02&to=2024-05-02', 'to', 'invalid_range'],
      ['?sport=foot%00ball', 'sport', 'invalid_text'],
    ];
    for (const [query, parameter, code] of invalid) {
      it(`the list ${query} is 422`, async () => {
        const { status, json } = await service.get(`/v1/events${query}`);
        assert.equal(status, 422);
        assert.equal(json.code, 'invalid_parameter');
        const [fault] = json.errors!;
        assert.equal(fault!.parameter, parameter);
        if (code !== '')
          assert.ok(
            json.errors!.some((one) => one.code === code),
            JSON.stringify(json.errors),
          );
        if (parameter === 'sport' && query === '?sport=quidditch') assert.match(fault!.detail, /football/);
      });
    }

    it('unknown parameters are refused if the request asks for strict handling', async () => {
      const { status, json } = await service.app.ask<ProblemReply>('/v1/events?colour=red', {
        headers: { Prefer: 'handling=strict' },
      });
      assert.deepEqual([status, json.errors![0]!.parameter], [422, 'colour']);
    });

    it('a list may be cached for 5 s if it has a live match, and otherwise for 60 s', async () => {
      const age = async (query: string) => (await service.get(`/v1/events${query}`)).headers.get('cache-control');
      assert.match((await age('?status=live'))!, /max-age=5\b/);
      assert.match((await age('?date=2024-05-01'))!, /max-age=60\b/);
    });
  });

  describe('/v1/events/live', () => {
    it('the live list has the matches in progress, and the time of the newest change', async () => {
      const { json } = await service.get<Live>('/v1/events/live');
      assert.deepEqual([names(json.events), json.count], [['hockey', 'live'], 2]);
      const newest = json.events.map(({ updated_at }) => updated_at).sort();
      assert.equal(json.as_of, newest.at(-1));
    });

    it('the live list can be filtered by sport and tournament, and limited', async () => {
      const live = async (query: string) => names((await service.get<Live>(`/v1/events/live${query}`)).json.events);
      assert.deepEqual(await live('?sport=football'), ['live']);
      assert.deepEqual(await live(`?tournament=${await tournament('Top League')}`), ['live']);
      assert.deepEqual(await live('?limit=1'), ['hockey']);
      const { json } = await service.get<Live>('/v1/events/live?sport=tennis');
      assert.deepEqual([json.count, json.as_of], [0, null]);
      for (const query of ['?limit=0', '?limit=1001', '?sport=x', '?tournament=-1'])
        assert.equal((await service.get(`/v1/events/live${query}`)).status, 422, query);
    });
  });

  describe('matches that await data', () => {
    before(async () => {
      // Three days later, only one of the matches in progress still gets updates.
      bench.now = Date.parse('2024-05-06T12:00:00Z');
      bench.nextMatch();
      ids.future = await bench.accept({ scheduled_start: '2024-05-09T12:00:00Z' });
      bench.nextMatch();
      ids.playing = await bench.accept({ scheduled_start: '2024-05-06T11:00:00Z', status: 'live' });
      await markAwaitingData(bench.deps);
    });

    it('keep their status and are selected by status_detail', async () => {
      const awaiting = ['early', 'mid', 'top', 'twin', 'youth', 'amateur', 'final', 'late', 'next', 'hockey', 'live'];
      assert.deepEqual(await list('?limit=99&status_detail=awaiting_data'), awaiting);
      assert.deepEqual(await list('?limit=99&status_detail=awaiting_data&status=scheduled'), awaiting.slice(0, 9));
      assert.deepEqual(await list('?limit=99&status_detail=awaiting_data&status=live'), ['hockey', 'live']);
      assert.deepEqual(await list('?limit=99&status_detail=awaiting_data&status=finished'), []);
      assert.deepEqual(await list('?status=scheduled&limit=99'), ['future', ...awaiting.slice(0, 9)]);
      assert.deepEqual(await list('?status=live&limit=99'), ['hockey', 'live', 'playing']);
      assert.deepEqual(await list('?limit=99&status_detail=not_started'), ['future']);
      assert.deepEqual(await list('?limit=99&status_detail=in_play'), ['playing']);
      assert.deepEqual(await list('?limit=99&status_detail=ended'), ['over']);
      assert.equal((await service.get('/v1/events?status_detail=over')).status, 422);
    });

    it('are not in the live list', async () => {
      const { json } = await service.get<Live>('/v1/events/live?limit=999');
      assert.deepEqual(names(json.events), ['playing']);
    });
  });

  describe('/v1/event/{id}', () => {
    let full: number;
    before(async () => {
      bench.nextMatch();
      full = await bench.accept({
        ...FOOTBALL_GIVEN,
        scheduled_start: '2023-01-01T12:00:00Z',
        status: 'finished',
        score: { home: 1, away: 0 },
        referee: 'R',
      });
    });

    it('a card has all blocks or the requested ones, and always the match fields', async () => {
      const whole = (await service.get<z.infer<typeof matchDetail>>(`/v1/event/${full}`)).json;
      const stored = BLOCK_NAMES.filter((block) => block in whole);
      assert.equal(stored.length, 16);
      for (const blocks of [['incidents'], ['statistics', 'incidents'], ['fight'], [...FIELD_BLOCKS], stored]) {
        const { json } = await service.get<z.infer<typeof matchDetail>>(`/v1/event/${full}?blocks=${blocks.join()}`);
        const expected = Object.fromEntries(
          Object.entries(whole).filter(
            ([key]) => !(BLOCK_NAMES as string[]).includes(key) || (blocks as string[]).includes(key),
          ),
        );
        assert.deepEqual(json, expected, blocks.join());
        assert.deepEqual(Object.keys(json), Object.keys(expected), 'in the same order');
      }
    });

    it('an unknown block and an invalid id are 422, and an unknown match is 404', async () => {
      for (const blocks of ['colour', 'incidents,colour', '', ',', 'incidents,,odds']) {
        const { status, json } = await service.get(`/v1/event/${full}?blocks=${blocks}`);
        assert.equal(status, 422, blocks);
        assert.ok(json.errors![0]!.parameter.startsWith('blocks'));
      }
      for (const id of ['0', '-1', 'abc', '1.5', String(2n ** 53n), String(2n ** 63n), '%00', '01'])
        assert.ok([400, 422].includes((await service.get(`/v1/event/${id}`)).status), id);
      for (const id of ['999999', String(Number.MAX_SAFE_INTEGER)]) {
        const { status, json } = await service.get(`/v1/event/${id}`);
        assert.deepEqual([status, json.code], [404, 'not_found']);
      }
    });

    it('a card has an entity tag made from version and blocks, and a request with that tag gets 304', async () => {
      const path = `/v1/event/${full}`;
      const tag = async (query = '') => (await service.get(`${path}${query}`)).headers.get('etag')!;
      const first = await tag();
      assert.match(first, /^W\/"/);
      assert.notEqual(await tag('?blocks=odds'), first);
      assert.equal(await tag('?blocks=odds,incidents'), await tag('?blocks=incidents,odds,odds'));
      const known = await service.app.ask(path, { headers: { 'If-None-Match': first } });
      assert.deepEqual([known.status, known.text], [304, '']);
      await service.post(bench.update({ referee: 'Another' }));
      const changed = await service.app.ask(path, { headers: { 'If-None-Match': first } });
      assert.equal(changed.status, 200);
      assert.notEqual(await tag(), first);
    });

    it('a card may be cached for 5 s if live, for an hour if final, and otherwise for 60 s', async () => {
      const age = async (id: number) => (await service.get(`/v1/event/${id}`)).headers.get('cache-control')!;
      assert.match(await age(ids.live!), /max-age=5\b/);
      assert.match(await age(ids.early!), /max-age=60\b/);
      assert.match(await age(full), /max-age=60\b/);
      await service.post(bench.update({ finalized: true }));
      assert.match(await age(full), /max-age=3600\b/);
    });

    it('a deleted match’s card is 404', async () => {
      bench.nextMatch();
      const id = await bench.accept();
      assert.equal((await service.get(`/v1/event/${id}`)).status, 200);
      assert.equal((await service.post(bench.update({ deleted: true }))).status, 200);
      assert.equal((await service.get(`/v1/event/${id}`)).status, 404);
    });

    it('HEAD on a card gets the same reply as GET without a body, and requires a key', async () => {
      const head = await service.app.ask(`/v1/event/${full}`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.ok(head.headers.get('etag'));
      assert.equal((await service.app.ask(`/v1/event/${full}`, { key: null })).status, 401);
    });
  });

  describe('matches with the same start', () => {
    const START = '2024-06-01T12:00:00Z';
    let same: number[];
    let filter: string;
    let participant: number;
    before(async () => {
      const home = { id: 'busy', name: 'Busy', country: 'GB-ENG' };
      const fields: MatchFields = { tournament: league('tie', 'Tie League'), status: 'live', scheduled_start: START };
      const updates = Array.from({ length: 6 }, () => {
        bench.nextMatch();
        return bench.update({ ...fields, home });
      });
      const results = await bench.feed(...updates);
      same = results.map(({ matchId }) => matchId!);
      // Moves these matches away and back, so that they are stored behind the rest.
      for (const moved of [updates[0]!, updates[3]!]) {
        for (const scheduled_start of ['2024-06-02T12:00:00Z', START]) {
          const { observed_at } = bench.update();
          await bench.feed({ ...moved, observed_at, match: { ...moved.match, scheduled_start } });
        }
      }
      // Drops indexes that return ids in order, which would hide a missing order in the list.
      await bench.db.pool.query('DROP INDEX match_start, match_tournament_start, match_season_start, match_live');
      filter = `tournament=${await tournament('Tie League')}`;
      const { json } = await service.get<Page>(`/v1/events?${filter}`);
      participant = json.events[0]!.participants.find(({ side }) => side === 'home')!.participant_id!;
    });
    const pages = async (path: string, size: number) => {
      const found: number[] = [];
      for (let offset = 0; offset < same.length; offset += size) {
        const { json } = await service.get<Page>(`${path}&limit=${size}&offset=${offset}`);
        found.push(...json.events.map(({ id }) => id));
      }
      return found;
    };

    it('matches with the same start are listed by id, each once, with any page size', async () => {
      for (const size of [1, 2, 4]) assert.deepEqual(await pages(`/v1/events?${filter}`, size), same, `by ${size}`);
    });

    it('matches with the same start are paged by next_after, each once', async () => {
      const found: number[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const { json }: { json: Page } = await service.get<Page>(`/v1/events?${filter}&limit=2&after=${after}`);
        found.push(...json.events.map(({ id }) => id));
        after = json.next_after;
      }
      assert.deepEqual(found, same);
    });

    it('matches with the same start are listed by id among a day’s most important matches', async () => {
      const query = `${filter}&date=2024-06-01&top=true`;
      await bench.db.pool.query("UPDATE tournament SET importance = 60 WHERE name = 'Tie League'");
      for (const size of [1, 4]) assert.deepEqual(await pages(`/v1/events?${query}`, size), same, `by ${size}`);
    });

    it('matches with the same start are ordered by id in the live list', async () => {
      const { json } = await service.get<Live>(`/v1/events/live?${filter}`);
      assert.deepEqual(
        json.events.map(({ id }) => id),
        same,
      );
    });

    it('matches with the same start are listed by id in a participant’s list', async () => {
      const list = async (when: 'upcoming' | 'past' | 'all') => {
        const found: number[] = [];
        for (let offset = 0; offset < same.length; offset += 1) {
          const read = await participantEvents(bench.db.pool, new Date(START), {
            participantId: participant,
            when,
            limit: 1,
            offset,
          });
          found.push(...(JSON.parse(read!.body) as Page).events.map(({ id }) => id));
        }
        return found;
      };
      assert.deepEqual(await list('upcoming'), same);
      assert.deepEqual(await list('all'), same.toReversed());
    });
  });
});
