import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readLoaderProgress } from '../../src/analytics/loader/current-copy.ts';
import { startLoader } from '../../src/analytics/loader/loader.ts';
import type { LoaderStep } from '../../src/analytics/loader/loader-step.ts';
import { ClickHouseUnavailable } from '../../src/db/clickhouse.ts';
import { LeaseLost } from '../../src/db/lease.ts';
import { type Analytics, type Call, faulty, type Match, startAnalytics } from '../support/analytics.ts';
import { until } from '../support/until.ts';
import { assertLoaded } from './stored-history.ts';

const LEAGUE = { name: 'First League', country: 'GB-ENG' };
const side = (name: string) => ({ name, country: 'GB-ENG' });
const played = (id: string, over: Partial<Match> = {}): Match => ({
  id,
  sport: 'football',
  tournament: LEAGUE,
  season: { label: '2023/24' },
  home: side(`Home ${id}`),
  away: side(`Away ${id}`),
  scheduled_start: '2024-05-01T14:00:00Z',
  status: 'finished',
  score: { home: 2, away: 1 },
  ...over,
});

describe('the loader', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  beforeEach(() => service.clear());

  const count = () => assertLoaded(service);
  const sql = (text: string, values: unknown[] = []) => service.db.pool.query(text, values);

  it('reports progress, and analytics requests get 503 with Retry-After until it has finished', async () => {
    const [id] = await service.matches(played('a'), played('b'), played('c', { status: 'scheduled', score: null }));
    await sql('UPDATE analytics_loader SET caught_up_at = NULL');
    await service.assignCursors();
    const progress = async () => {
      const { has_leader: _, ...rest } = await readLoaderProgress(service.db.pool);
      return rest;
    };
    assert.deepEqual(await progress(), { is_loaded: false, matches_loaded: 0, matches: 3, next: null });
    const { status, json, headers } = await service.app.ask(`/v1/event/${id}/analytics`);
    assert.deepEqual([status, json.detail], [503, 'The history of matches is being loaded.']);
    assert.match(headers.get('retry-after')!, /^[1-9]\d*$/);
    await sql(
      `UPDATE analytics_loader SET loaded_cursor = (SELECT change_cursor FROM match_change ORDER BY change_cursor LIMIT 1),
         next_era = era + 1, next_cursor = (SELECT max(change_cursor) FROM match_change)`,
    );
    const next = { matches_loaded: 3, matches: 3 };
    assert.deepEqual(await progress(), { is_loaded: false, matches_loaded: 1, matches: 3, next });
    await sql('UPDATE analytics_loader SET loaded_cursor = 0, next_era = NULL, next_cursor = 0');
    await service.settle();
    assert.deepEqual(await progress(), { is_loaded: true, matches_loaded: 3, matches: 3, next: null });
    assert.equal((await service.app.ask(`/v1/event/${id}/analytics`)).status, 200);
  });

  describe('match selection', () => {
    it('a finished match is loaded once for each side, and an unfinished match is not loaded', async () => {
      await service.matches(
        played('a'),
        played('b', { status_detail: 'after_extra_time' }),
        played('c', { score: { home: 0, away: 0 } }),
        played('scheduled', { status: 'scheduled', score: null }),
        played('live', { status: 'live' }),
        played('cancelled', { status_detail: 'cancelled', score: null }),
        played('abandoned', { status_detail: 'abandoned' }),
        // These matches count only in standings.
        played('awarded', { status_detail: 'awarded' }),
        played('walkover', { status_detail: 'walkover' }),
        played('without', { score: null }),
        // Midnight means that the kick-off time is unknown.
        played('tbd', { scheduled_start: '2024-05-02T00:00:00Z', time_tbd: true }),
      );
      await service.settle();
      assert.equal(await count(), 4);
      const rows = await service.rows<{ n: number }>('SELECT count() AS n FROM side_match FINAL');
      assert.equal(rows[0]!.n, 8);
    });

    it('a match counts as neutral by the venue’s country, or by the source’s flag if that country is unknown', async () => {
      const cup = { tournament: { name: 'World Cup', country: 'INT' }, home: { name: 'Ghana', country: 'INT' } };
      const venue = (country: string) => ({ name: `Stadium of ${country}`, city: 'City', country });
      const ids = await service.matches(
        played('league'),
        played('league final', { neutral: true }),
        played('abroad', { ...cup, venue: venue('QA') }),
        played('at home', { ...cup, venue: venue('GH'), neutral: true }),
        played('flagged', { ...cup, neutral: true }),
        played('unknown', cup),
      );
      await service.settle();
      const rows = await service.rows<{ match_id: string; neutral: number }>(
        'SELECT match_id, neutral FROM played_match FINAL',
      );
      const neutral = new Map(rows.map((row) => [Number(row.match_id), row.neutral]));
      assert.deepEqual(
        ids.map((id) => neutral.get(id!)),
        [0, 1, 1, 0, 1, 0],
      );
    });

    it('a match between a side and itself is not counted', async () => {
      const [id] = await service.matches(played('a'), played('b'));
      // The feed rejects this match.
      const [refused] = await service.feed([
        { kind: 'match', match: played('self', { home: side('X'), away: side('X') }) },
      ]);
      assert.equal(refused!.outcome, 'rejected');
      await sql('UPDATE match SET away_id = home_id WHERE id = $1', [id]);
      await service.touch(id!);
      await service.settle();
      assert.equal(await count(), 1);
    });

    it('a loaded match has the result, the goals and the known cards', async () => {
      const figure = (stat_name: string, home: number, away: number) => ({
        period: 'ALL',
        group_name: null,
        stat_name,
        home_value: home,
        away_value: away,
        home_text: null,
        away_text: null,
      });
      const [plain, cards, incidents, goalsOnly, cardFree, tie, hockey] = await service.matches(
        played('plain'),
        played('cards', {
          statistics: [figure('Yellow cards', 3, 1), figure('Red cards', 1, 0), figure('Shots on target', 7, 0)],
        }),
        played('incidents', {
          incidents: [
            { kind: 'card', side: 'home', minute: 10 },
            { kind: 'card', side: 'home', minute: 20 },
            { kind: 'goal', side: 'home', minute: 30 },
          ],
        }),
        played('goals', { incidents: [{ kind: 'goal', side: 'home', minute: 30 }] }),
        played('card-free', { incidents: [{ kind: 'subst', side: 'home', minute: 60 }] }),
        // The second leg of a tie that was level after both legs.
        played('tie', {
          status_detail: 'after_penalties',
          period_scores: [
            { period: '1H', home: 1, away: 0 },
            { period: '2H', home: 1, away: 1 },
            { period: 'PEN', home: 3, away: 4 },
          ],
        }),
        played('hockey', {
          sport: 'ice-hockey',
          tournament: { name: 'Ice League', country: 'CH' },
          score: { home: 2, away: 2 },
          period_scores: [
            { period: 'P1', home: 2, away: 2 },
            { period: 'SO', home: 0, away: 1 },
          ],
        }),
      );
      await service.settle();
      assert.equal(await count(), 7);
      const rows = await service.rows<Record<string, unknown>>(
        'SELECT match_id, winner, overtime, home_goals, away_goals, home_shots, away_shots, home_cards, away_cards FROM played_match FINAL ORDER BY match_id',
      );
      assert.deepEqual(
        rows.map(({ match_id, ...row }) => [match_id, ...Object.values(row)]),
        [
          [plain, 'home', 0, 2, 1, null, null, null, null],
          [cards, 'home', 0, 2, 1, 7, 0, 4, 1],
          [incidents, 'home', 0, 2, 1, null, null, 2, 0],
          [goalsOnly, 'home', 0, 2, 1, null, null, null, null],
          [cardFree, 'home', 0, 2, 1, null, null, 0, 0],
          [tie, 'home', 1, 2, 1, null, null, null, null],
          [hockey, 'away', 2, 2, 2, null, null, null, null],
        ],
      );
    });
  });

  describe('changes', () => {
    /** Changes by name. Each is applied to a different match. */
    const CHANGES: Record<string, (serial: string, id: number) => Promise<unknown>> = {
      'a correction': (serial) => service.matches(played(serial, { score: { home: 0, away: 5 } })),
      'a score withdrawn': (_, id) => sql('UPDATE match SET home_score = NULL, away_score = NULL WHERE id = $1', [id]),
      'live again': (serial) => service.matches(played(serial, { status: 'live' })),
      cancelled: (serial) => service.matches(played(serial, { status_detail: 'cancelled', score: null })),
      awarded: (serial) => service.matches(played(serial, { status_detail: 'awarded', score: { home: 3, away: 0 } })),
      'moved to another day': (serial) => service.matches(played(serial, { scheduled_start: '2024-05-09T14:00:00Z' })),
      'moved to another season': (serial) => service.matches(played(serial, { season: { label: '2024/25' } })),
      'moved to another tournament': (serial) =>
        service.matches(played(serial, { tournament: { name: 'The Cup', country: 'GB-ENG' } })),
      'sides exchanged': (_, id) => sql('UPDATE match SET home_id = away_id, away_id = home_id WHERE id = $1', [id]),
      'a side replaced': (serial) => service.matches(played(serial, { away: side('Somebody Else') })),
    };

    it('a change to a loaded match is loaded, and so is the change that reverts it', async () => {
      const ids = await service.matches(...Object.keys(CHANGES).map((_, index) => played(`c${index}`)), played('gone'));
      await service.settle();
      assert.equal(await count(), 11);
      const state = async () =>
        (await sql('SELECT id, row_to_json(m)::text AS row FROM match m ORDER BY id')).rows as {
          id: number;
          row: string;
        }[];
      const before = await state();
      for (const [index, change] of Object.values(CHANGES).entries()) await change(`c${index}`, ids[index]!);
      await service.matches(played('gone', { deleted: true }));
      const changed = ids.slice(0, -1);
      await service.touch(...changed);
      const after = await state();
      for (const [index, name] of Object.keys(CHANGES).entries())
        assert.notEqual(after[index]!.row, before[index]!.row, `${name}: nothing has changed`);
      await service.settle();
      assert.equal(await count(), 6);
      // Restores the earlier state, so that the keys of deleted rows are needed again.
      await sql(
        `UPDATE match m SET status = b.status, status_detail = b.status_detail, home_score = b.home_score, away_score = b.away_score,
           scheduled_start = b.scheduled_start, tournament_id = b.tournament_id, season_id = b.season_id, home_id = b.home_id, away_id = b.away_id
         FROM json_populate_recordset(NULL::match, $1) b WHERE b.id = m.id`,
        [`[${before.map(({ row }) => row).join(',')}]`],
      );
      await service.touch(...changed);
      await service.settle();
      assert.equal(await count(), 10);
    });

    it('two merged teams share one history', async () => {
      const ids = await service.matches(
        played('a', { home: side('Old Name') }),
        played('b', { home: side('New Name'), scheduled_start: '2024-05-08T14:00:00Z' }),
      );
      await service.settle();
      const [from, into] = [
        await service.idOf('participant', 'Old Name'),
        await service.idOf('participant', 'New Name'),
      ];
      await sql('UPDATE match SET home_id = $2 WHERE home_id = $1', [from, into]);
      await service.touch(ids[0]!);
      await service.settle();
      assert.equal(await count(), 2);
      const sides = await service.rows<{ n: number }>(
        `SELECT countIf(side_id = ${from}) AS former, countIf(side_id = ${into}) AS n FROM side_match FINAL`,
      );
      assert.deepEqual(sides, [{ former: 0, n: 2 }]);
    });

    it('two merged matches count once', async () => {
      const [from, into] = await service.matches(played('a'), played('b'));
      await service.settle();
      await sql('DELETE FROM match WHERE id = $1', [from]);
      await sql('INSERT INTO match_touch (match_id, tombstone) VALUES ($1, $2)', [
        from,
        JSON.stringify({ reason: 'merged', sport: 'football', tournament_id: 1, merged_into: into }),
      ]);
      await service.settle();
      assert.equal(await count(), 1);
    });

    it('a renamed team counts once, under its name in Postgres', async () => {
      const home = { id: 'h', ...side('Old Town') };
      const [id] = await service.matches(
        played('a', { home }),
        played('b', { home, scheduled_start: '2024-05-20T14:00:00Z' }),
      );
      await service.settle();
      const card = () =>
        service.app.ask<{ home: { name: string; form: { overall: { matches: number } } } }>(
          `/v1/event/${id! + 1}/analytics`,
        );
      const first = (await card()).json;
      assert.deepEqual([first.home.name, first.home.form.overall.matches], ['Old Town', 1]);
      await service.feed(
        [{ kind: 'participant', participant: { id: 'h', type: 'team', sport: 'football', ...side('New Town') } }],
        {
          events: true,
        },
      );
      await service.settle();
      assert.equal(await count(), 2);
      service.deps.changes.publish([id! + 1]);
      const second = (await card()).json;
      assert.deepEqual([second.home.name, second.home.form.overall.matches], ['New Town', 1]);
    });
  });

  describe('interruptions', () => {
    /** Makes the store fail once, before or after it executes the first matching call. */
    const failOnce = (when: 'before' | 'after', isMeant: (call: Call) => boolean) => {
      service.faults[when] = (call) => {
        if (!isMeant(call)) return;
        service.faults[when] = undefined;
        throw new ClickHouseUnavailable('killed');
      };
    };
    const KILLS: [string, 'before' | 'after', string][] = [
      ['before the keys', 'before', 'match_key'],
      ['between keys and rows', 'after', 'match_key'],
      ['between rows and position', 'after', 'played_match'],
      ['after the position', 'after', 'loader_position'],
    ];
    for (const [name, when, table] of KILLS)
      it(`a loader that is killed twice ${name} continues correctly even if the match changes meanwhile`, async () => {
        await service.matches(played('a'), played('b'));
        await service.settle();
        for (const start of ['2024-05-02', '2024-05-03', '2024-05-04']) {
          await service.matches(played('a', { scheduled_start: `${start}T14:00:00Z`, away: side(`Away at ${start}`) }));
          await service.assignCursors();
          if (start === '2024-05-04') break;
          failOnce(when, ({ kind, text }) => kind === 'insert' && text === table);
          await assert.rejects(service.load(), /killed/);
        }
        await service.load();
        assert.equal(await count(), 2);
        // Changes the match back to its original state.
        await service.matches(played('a'));
        await service.settle();
        assert.equal(await count(), 2);
      });

    it('the copy is the same as in Postgres after random changes and random failures', async function () {
      this.timeout(120_000);
      const operation = fc.record({
        id: fc.integer({ min: 0, max: 5 }),
        change: fc.constantFrom('score', 'day', 'season', 'cup', 'sides', 'live', 'withdrawn', 'deleted'),
        value: fc.integer({ min: 0, max: 3 }),
        failsAt: fc.option(fc.record({ call: fc.integer({ min: 0, max: 6 }), isDone: fc.boolean() }), { freq: 2 }),
      });
      const matchOf = ({ id, change, value }: { id: number; change: string; value: number }): Match =>
        played(`r${id}`, {
          score: { home: value, away: 1 },
          ...(change === 'day' && { scheduled_start: `2024-05-0${1 + value}T14:00:00Z` }),
          ...(change === 'season' && { season: { label: `202${value}/2${value + 1}` } }),
          ...(change === 'cup' && { tournament: { name: `Cup ${value}`, country: 'GB-ENG' } }),
          ...(change === 'sides' && { home: side(`Side ${value}`), away: side(`Side ${value + 1}`) }),
          ...(change === 'live' && { status: 'live' }),
          ...(change === 'withdrawn' && { status_detail: 'cancelled', score: null }),
          ...(change === 'deleted' && { deleted: true }),
        });
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 10 }), async (operations) => {
          await service.clear();
          for (const one of operations) {
            await service.feed([{ kind: 'match', match: matchOf(one) }]);
            await service.assignCursors();
            let calls = 0;
            const { failsAt } = one;
            if (failsAt !== null)
              service.faults[failsAt.isDone ? 'after' : 'before'] = () => {
                if (calls++ === failsAt.call) throw new ClickHouseUnavailable('at random');
              };
            await service.load().catch((error) => assert.match(error.message, /at random/));
            service.faults.before = undefined;
            service.faults.after = undefined;
          }
          await service.load();
          await count();
        }),
        { seed: 20_240_501, numRuns: 8 },
      );
    });

    it('a paused loader writes no rows after a second loader has taken over', async () => {
      await service.matches(played('a'));
      await service.assignCursors();
      let resume: () => void = () => {};
      const paused = new Promise<void>((resolve) => {
        resume = resolve;
      });
      const inserted: string[] = [];
      const reached = new Promise<LoaderStep>((resolve, reject) => {
        const store = faulty(service.clickhouse, {
          // At this point the loader has stored the keys but not the rows.
          after: async ({ text }) => {
            if (text !== 'match_key') return;
            resolve(former);
            await paused;
          },
          before: ({ kind, text }) => kind === 'insert' && inserted.push(text),
        });
        let former: LoaderStep;
        void service.newLoader(store).then((step) => {
          former = step;
          running = step.run();
          running.catch(() => {});
        }, reject);
      });
      let running: Promise<unknown> = Promise.resolve();
      await reached;
      await service.matches(played('a', { scheduled_start: '2024-05-02T14:00:00Z', score: { home: 5, away: 5 } }));
      await service.settle();
      resume();
      await assert.rejects(running, LeaseLost);
      assert.deepEqual(inserted, ['match_key']);
      assert.equal(await count(), 1);
    });

    it('a second loader takes over when the first one stops', async () => {
      const holder = async () => (await sql('SELECT holder, generation FROM analytics_loader')).rows[0];
      const first = await service.run();
      await until('the first one leads', async () => (await holder()).holder !== null);
      const { deps } = service;
      const second = startLoader({
        pool: deps.pool,
        clickhouse: service.clickhouse,
        logger: deps.logger,
        onChange: (listener) => deps.changes.subscribe(listener),
      });
      try {
        await service.matches(played('a'));
        await service.loaded();
        const former = await holder();
        await first.loader.stop();
        await until('another one leads', async () => {
          const { holder: current, generation } = await holder();
          return generation > former.generation && current !== null && current !== former.holder;
        });
        await service.matches(played('b'));
        await service.loaded();
        assert.equal(await count(), 2);
      } finally {
        await second.stop();
        await first.stop();
      }
    });
  });
});
