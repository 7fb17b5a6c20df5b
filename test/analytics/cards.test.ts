import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { releaseCards } from '../../src/analytics/cards/fresh-window.ts';
import { computeProfile } from '../../src/analytics/cards/league-profile.ts';
import { computeLeagueTrends } from '../../src/analytics/cards/league-trends.ts';
import { CardRefresh } from '../../src/analytics/cards/refresh-cards.ts';
import { findParticipantSubject, findTournamentSubject } from '../../src/analytics/cards/subjects.ts';
import { computeSide } from '../../src/analytics/cards/team-trends.ts';
import { formatDate } from '../../src/analytics/samples/match-samples.ts';
import { ClickHouseUnavailable } from '../../src/db/clickhouse.ts';
import { analyticsCards } from '../../src/jobs/analytics-cards.ts';
import { type Analytics, startAnalytics } from '../support/analytics.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';
import { apiBench, match } from './api-bench.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2024-06-01T12:00:00Z');
const never = new AbortController().signal;

describe('stored analytics', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics('2024-06-01T12:00:00Z');
  });
  after(() => service?.close());
  beforeEach(async () => {
    await service.clear();
    await service.db.pool.query('DELETE FROM job');
    service.now = NOW;
  });
  const { load, league, card, trends, profile, get } = apiBench(() => service);

  const sql = async <R extends object>(text: string, values: unknown[] = []) =>
    (await service.db.pool.query(text, values)).rows as R[];
  const at = (ms: number) => new Date(NOW + ms).toISOString().replace('.000Z', 'Z');
  /** Makes the job's table look as if a process ran the job. */
  const jobRuns = () =>
    sql(
      `INSERT INTO job (name, added_at, expires_at) VALUES ('analytics_cards', now(), clock_timestamp() + interval '1 hour')
       ON CONFLICT (name) DO UPDATE SET expires_at = excluded.expires_at`,
    );
  /** Lets the job do everything that is due. */
  const refresh = async (job = new CardRefresh(service.deps)) => {
    await jobRuns();
    while (await job.step(never));
  };
  const stored = () =>
    sql<{ kind: string; subject_id: number; variant: string; kept: boolean }>(
      'SELECT kind, subject_id, variant, kept FROM analytics_card ORDER BY kind, subject_id, variant',
    );
  const kept = async (kind: string) =>
    (await stored()).filter((row) => row.kind === kind && row.kept).map(({ subject_id }) => subject_id);
  const formMatches = async (id: number, query = '') => (await card(id, query)).home.form.overall.matches;
  const noClickHouse = () => {
    service.faults.before = ({ kind }) => {
      if (kind === 'query') throw new ClickHouseUnavailable('cut off');
    };
  };
  const countQueries = () => {
    const asked: string[] = [];
    service.faults.before = ({ kind, text }) => void (kind === 'query' && asked.push(text));
    return asked;
  };
  const forgetReplies = () => service.deps.changes.publish('all' as never, { events: false });
  /** Requests a card whose reply is not in any cache. */
  const uncached = (id: number) => {
    forgetReplies();
    return service.app.ask<{ computed_at: string; home: { form: { overall: { matches: number } } }; code?: string }>(
      `/v1/event/${id}/analytics`,
    );
  };

  describe('without the job', () => {
    it('the first request computes a card with one database query, and later requests read the stored card in each language', async () => {
      const ids = await load(match('One', '2024-05-01', 'A', 'B', [2, 1]), match('One', '2024-06-02', 'A', 'B'));
      const queries = countQueries();
      const first = await card(ids[1]!);
      assert.equal(queries.length, 1);
      noClickHouse();
      service.now += 10 * 60_000;
      const russian = await card(ids[1]!, 'lang=ru&explain=true');
      assert.equal(russian.computed_at, first.computed_at);
      assert.deepEqual(russian.home.form.overall.explain!.event_ids, [ids[0]]);
      assert.equal((await service.app.ask(`/v1/event/${ids[0]}/analytics`)).status, 503, 'another one is not stored');
      assert.deepEqual(await stored(), [{ kind: 'match', subject_id: ids[1], variant: 'season', kept: false }]);
    });

    it('each combination of sample and match count has a card of its own', async () => {
      const [, next] = await load(match('Own', '2024-05-01', 'A', 'B', [2, 1]), match('Own', '2024-06-02', 'A', 'B'));
      for (const sample of ['season', 'window', 'all']) await card(next!, `sample=${sample}`);
      const [one, two] = [await trends('Own A', 'last=1'), await trends('Own A', 'last=2')];
      assert.deepEqual([one.recent.length, two.recent.length], [1, 1]);
      const season = (await sql<{ id: number }>('SELECT max(id)::int AS id FROM season'))[0]!.id;
      await profile('Own');
      await profile('Own', `season=${season}`);
      const side = await service.idOf('participant', 'Own A');
      const tournament = await service.idOf('tournament', 'Own');
      assert.deepEqual(
        (await stored()).map(({ kind, subject_id, variant }) => [kind, subject_id, variant]),
        [
          ['league', tournament, ''],
          ['league', tournament, String(season)],
          ['match', next, 'all'],
          ['match', next, 'season'],
          ['match', next, 'window'],
          ['side', side, '1'],
          ['side', side, '2'],
        ],
      );
    });

    it('a card whose sample changed is computed again at once', async () => {
      const [, next] = await load(match('Two', '2024-05-01', 'A', 'B', [2, 1]), match('Two', '2024-06-02', 'A', 'B'));
      assert.equal(await formMatches(next!), 1);
      await load(match('Two', '2024-05-08', 'B', 'A', [0, 0]));
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 2);
    });

    it('prices and names are current without recomputing the card', async () => {
      const [, next] = await load(match('Now', '2024-05-01', 'A', 'B', [2, 1]), match('Now', '2024-06-02', 'A', 'B'));
      const before = await card(next!);
      noClickHouse();
      await sql(`UPDATE tournament SET name_ru = 'Лига' WHERE id = $1`, [before.tournament.id]);
      await sql('UPDATE match SET version = version + 1 WHERE id = $1', [next]);
      forgetReplies();
      assert.equal((await card(next!)).tournament.name_ru, 'Лига');
    });

    it('a live match makes no card in the league stale, and neither do updates to that match', async () => {
      const live = (minute: number) =>
        match('Live', '2024-06-01T11:30:00Z', 'C', 'D', undefined, { id: 'live', status: 'live', minute } as never);
      const [, next] = await load(
        match('Live', '2024-05-01', 'A', 'B', [2, 1]),
        match('Live', '2024-06-02', 'A', 'B'),
        live(10),
      );
      await card(next!);
      const queries = countQueries();
      await load(live(11));
      forgetReplies();
      await card(next!);
      assert.deepEqual(
        queries.filter((text) => text.includes('groupArray')),
        [],
      );
    });

    it('a match that is marked as finished too early makes the cards stale once, not again with each later update', async () => {
      const early = match('Early', '2024-06-01T11:30:00Z', 'C', 'D', [1, 0], { id: 'early' });
      const live = (minute: number) => load({ ...early, status: 'live', minute, score: { home: 1, away: 0 } } as never);
      const [next] = await load(match('Elsewhere', '2024-06-02', 'A', 'B'), early);
      const versions = async () => {
        await uncached(next!);
        return (await sql<{ version: string }>('SELECT version FROM analytics_card'))[0]!.version;
      };
      const before = await versions();
      await live(80);
      const removed = await versions();
      assert.notEqual(removed, before);
      await live(81);
      await live(82);
      assert.equal(await versions(), removed);
    });

    it('simultaneous requests compute a card once', async () => {
      const [, next] = await load(match('Many', '2024-05-01', 'A', 'B', [2, 1]), match('Many', '2024-06-02', 'A', 'B'));
      const queries: string[] = [];
      service.faults.before = async ({ text }) => {
        queries.push(text);
        // By then, all requests have found that the card is missing.
        await sleep(500);
      };
      const replies = await Promise.all(
        ['en', 'ru'].flatMap((lang) => [true, false].map((explain) => card(next!, `lang=${lang}&explain=${explain}`))),
      );
      assert.equal(new Set(replies.map(({ computed_at }) => computed_at)).size, 1);
      assert.equal(queries.length, 1);
    });

    it('a card that is damaged or has the wrong version is computed again', async () => {
      const [, next] = await load(match('Bad', '2024-05-01', 'A', 'B', [2, 1]), match('Bad', '2024-06-02', 'A', 'B'));
      await card(next!);
      await sql("UPDATE analytics_card SET body = '\\x00'");
      assert.equal(await formMatches(next!, 'lang=ru'), 1);
      await sql("UPDATE analytics_card SET version = '0' || version");
      service.now += 1_000;
      const { computed_at } = await card(next!, 'explain=true');
      assert.equal(computed_at, at(1_000));
    });

    it('a match that moves to a new day while its card is computed gets the card for the new day', async () => {
      const [, , next] = await load(
        match('Move', '2024-05-01', 'A', 'B', [2, 1]),
        match('Move', '2024-05-20', 'B', 'A', [2, 1]),
        match('Move', '2024-06-02', 'A', 'B'),
      );
      service.faults.after = async ({ kind }) => {
        if (kind !== 'query') return;
        service.faults.after = undefined;
        await sql("UPDATE match SET scheduled_start = '2024-05-10T15:00:00Z', version = version + 1 WHERE id = $1", [
          next,
        ]);
      };
      assert.equal(await formMatches(next!), 2);
      assert.equal(await formMatches(next!, 'lang=ru'), 1);
    });
  });

  describe('with the job', () => {
    it('cards are stored for matches that start within 14 days, are live or ended within 3 days, and for their sides and league', async () => {
      const played = match('Win', '2024-05-01', 'A', 'B', [2, 1]);
      const ids = await load(
        played,
        match('Win', at(14 * DAY_MS - HOUR_MS), 'A', 'B'),
        match('Win', at(14 * DAY_MS + HOUR_MS), 'A', 'B'),
        match('Win', at(-3 * DAY_MS), 'A', 'B', [0, 0]),
        match('Win', at(-4 * DAY_MS), 'B', 'A', [0, 0]),
        match('Win', at(-10 * DAY_MS), 'C', 'D', undefined, { status: 'live' } as never),
        match('Other', '2024-05-01', 'A', 'B', [2, 1]),
      );
      await refresh();
      assert.deepEqual(
        await kept('match'),
        [ids[1]!, ids[3]!, ids[5]!].sort((a, b) => a - b),
      );
      const sides = await Promise.all(['A', 'B', 'C', 'D'].map((name) => service.idOf('participant', `Win ${name}`)));
      assert.deepEqual(
        await kept('side'),
        sides.sort((a, b) => a - b),
      );
      const tournament = await service.idOf('tournament', 'Win');
      // One profile is for 913 days, the second for the season.
      assert.deepEqual([await kept('league'), await kept('trends')], [[tournament, tournament], [tournament]]);
      noClickHouse();
      assert.equal(await formMatches(ids[1]!), 3);
      assert.equal((await trends('Win A')).recent.length, 3);
      assert.equal((await profile('Win')).matches, 3);
    });

    it('a card that the job stores equals the card that a request computes', async () => {
      await league('Same');
      const ids = await load(
        ...Array.from({ length: 30 }, (_, day) => {
          const [home, away] = [
            ['A', 'B'],
            ['C', 'D'],
            ['B', 'C'],
            ['D', 'A'],
            ['B', 'A'],
            ['C', 'A'],
          ][day % 6]!;
          return match('Same', at(-(40 - day) * DAY_MS), home!, away!, [day % 4, (day * 7) % 3]);
        }),
        match('Same', at(2 * DAY_MS), 'A', 'B'),
        match('Same', at(3 * DAY_MS), 'C', 'D'),
        match('Same', at(9 * DAY_MS), 'D', 'B'),
      );
      await refresh();
      const next = ids.slice(-3);
      const replies = async () => ({
        cards: await Promise.all(next.map((id) => card(id, 'explain=true'))),
        sides: await Promise.all(['A', 'B', 'C', 'D'].map((name) => trends(`Same ${name}`))),
        profile: await profile('Same'),
      });
      const ofJob = await replies();
      assert.equal(ofJob.cards[0]!.home.form.overall.matches, 20);
      await sql('DELETE FROM analytics_card');
      forgetReplies();
      assert.deepEqual(await replies(), ofJob);
    });

    it('a result refreshes the cards of all upcoming matches in the league, and a process that starts later need not refresh them', async () => {
      const round = match('Round', at(HOUR_MS), 'A', 'B');
      const ids = await load(
        match('Round', '2024-05-01', 'A', 'B', [2, 1]),
        round,
        match('Round', at(7 * DAY_MS), 'B', 'A'),
      );
      const stop = startTestJob(analyticsCards, {
        pool: service.db.pool,
        clock: service.deps.clock,
        clickhouse: { ...service.deps.clickhouse, isOpen: () => true },
      });
      try {
        const isFresh = async (since: number) => {
          const rows = await sql<{ fresh: boolean }>(
            `SELECT count(c) = 2 AND (SELECT bool_and(fingerprint IS NOT NULL AND stale_since IS NULL) FROM analytics_window) AS fresh
             FROM analytics_card c WHERE kind = 'match' AND kept AND computed_at >= $1`,
            [new Date(since)],
          );
          return rows[0]!.fresh;
        };
        await until('the cards are kept', () => isFresh(NOW));
        service.now += 2 * HOUR_MS;
        await load({ ...round, status: 'finished', score: { home: 1, away: 1 } });
        await until('the league is fresh again', () => isFresh(service.now));
      } finally {
        await stop.stop();
      }
      noClickHouse();
      assert.equal(await formMatches(ids[2]!), 2);
      const again = new CardRefresh(service.deps);
      assert.equal(await again.step(never), true, 'it checks the league once');
      assert.equal(await again.step(never), false);
    });

    it('a stale card is served for at most 60 seconds, with the time when it was computed, while a new card is computed in the background', async () => {
      const [, next] = await load(match('Old', '2024-05-01', 'A', 'B', [2, 1]), match('Old', '2024-06-02', 'A', 'B'));
      await refresh();
      service.now += 30_000;
      await load(match('Old', '2024-05-08', 'B', 'A', [0, 0]));
      const { json: stale } = await uncached(next!);
      assert.deepEqual([stale.computed_at, stale.home.form.overall.matches], [at(0), 1]);
      await until(
        'the background has computed it',
        async () => (await uncached(next!)).json.computed_at === at(30_000),
      );
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 2);

      await load(match('Old', '2024-05-15', 'B', 'A', [0, 0]));
      noClickHouse();
      await sql("UPDATE analytics_window SET stale_since = clock_timestamp() - interval '59 s'");
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 2);
      await sql("UPDATE analytics_window SET stale_since = clock_timestamp() - interval '61 s'");
      const late = await uncached(next!);
      assert.deepEqual([late.status, late.json.code], [503, 'unavailable']);
      service.faults.before = undefined;
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 3);
    });

    it('a card counts as stale as soon as the job sees a change, even if the job then fails', async () => {
      const [, next] = await load(match('Seen', '2024-05-01', 'A', 'B', [2, 1]), match('Seen', '2024-06-02', 'A', 'B'));
      const job = new CardRefresh(service.deps);
      await refresh(job);
      await load(match('Seen', '2024-05-08', 'B', 'A', [0, 0]));
      noClickHouse();
      await sleep(1_000);
      await assert.rejects(job.step(never), ClickHouseUnavailable);
      const since = () =>
        sql<{ stale_since: Date | null }>('SELECT stale_since FROM analytics_window').then(([row]) => row!.stale_since);
      const first = await since();
      assert.ok(first !== null && Math.abs(Date.now() - first.getTime()) < 60_000);
      await assert.rejects(job.step(never), ClickHouseUnavailable);
      assert.deepEqual(await since(), first, 'the first moment stays');
      service.faults.before = undefined;
      await refresh(job);
      assert.equal(await since(), null);
      assert.equal(await formMatches(next!), 2);
    });

    it('a job that has just started serves no stale card, because the card’s age is unknown', async () => {
      const [, next] = await load(match('New', '2024-05-01', 'A', 'B', [2, 1]), match('New', '2024-06-02', 'A', 'B'));
      await refresh();
      await load(match('New', '2024-05-08', 'B', 'A', [0, 0]));
      noClickHouse();
      await assert.rejects(new CardRefresh(service.deps).step(never), ClickHouseUnavailable);
      assert.equal((await uncached(next!)).status, 503);
    });

    it('a stale card for other sides or from another release is not served', async () => {
      const fixture = match('Swap', '2024-06-02', 'A', 'B');
      const [, next] = await load(match('Swap', '2024-05-01', 'A', 'C', [2, 1]), fixture);
      await refresh();
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 1);
      await sql('UPDATE match SET home_id = away_id, away_id = home_id, version = version + 1 WHERE id = $1', [next]);
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 0);
      await sql("UPDATE analytics_card SET version = '0' || version, body = '\\x00'");
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 0);
    });

    it('without a process that runs the job, no stale card is served', async () => {
      const [, next] = await load(match('Gone', '2024-05-01', 'A', 'B', [2, 1]), match('Gone', '2024-06-02', 'A', 'B'));
      await refresh();
      await load(match('Gone', '2024-05-08', 'B', 'A', [0, 0]));
      await sql("UPDATE job SET expires_at = clock_timestamp() - interval '1 s'");
      assert.equal((await uncached(next!)).json.home.form.overall.matches, 2);
    });

    it('a meeting in another tournament changes the card of the next one', async () => {
      await league('Cup');
      await league('All');
      const [, next] = await load(match('All', '2024-05-01', 'A', 'B', [2, 1]), match('All', '2024-06-02', 'A', 'B'));
      await refresh();
      const sides = { home: { name: 'All A', country: 'GB-ENG' }, away: { name: 'All B', country: 'GB-ENG' } };
      await load(match('Cup', '2024-05-20', 'A', 'B', [3, 0], sides));
      await refresh();
      assert.equal((await card(next!)).h2h.matches, 2);
    });

    it('a new day changes exactly the cards whose figures may differ', async () => {
      const decision = { participant: { name: 'Days A', country: 'GB-ENG' }, points: -3, decided_on: '2024-06-04' };
      await league('Days', { seasons: [{ label: '2023/24', points_adjustments: [decision] }] });
      await load(
        match('Days', at(-911 * DAY_MS), 'A', 'B', [4, 1], { season: { label: '2021/22' } }),
        match('Days', '2024-05-20', 'A', 'C', [1, 0]),
        match('Days', '2024-06-06', 'C', 'B'),
        match('Days', '2024-06-08', 'B', 'A', [0, 2]),
      );
      const side = await service.idOf('participant', 'Days A');
      const tournament = await service.idOf('tournament', 'Days');
      const { pool } = service.db;
      const cardsOn = async (day: string) => {
        const now = Date.parse(`${day}T12:00:00Z`);
        const team = (await findParticipantSubject(pool, side, { day, scope: 'season', variant: '10' }))!;
        const league = (await findTournamentSubject(pool, tournament, { day, kind: 'league' }))!;
        return {
          team: [team.version, await computeSide(service.deps, team, { last: 10, now, scope: 'season' })],
          league: [
            league.version,
            await computeProfile(service.deps, league, undefined, now),
            await computeLeagueTrends(service.deps, league, undefined, now),
          ],
        };
      };
      const changed: Record<'team' | 'league', string[]> = { team: [], league: [] };
      const days = (first: string, count: number) =>
        Array.from({ length: count }, (_, index) => formatDate(Date.parse(first) / 1_000 + (index * DAY_MS) / 1_000));
      for (const period of [days('2024-06-01', 12), days('2024-10-04', 4)]) {
        let yesterday = await cardsOn(period[0]!);
        for (const day of period.slice(1)) {
          const today = await cardsOn(day);
          for (const kind of ['team', 'league'] as const)
            if (today[kind][0] !== yesterday[kind][0]) changed[kind].push(day);
            else assert.deepEqual(today[kind], yesterday[kind], `${kind} on ${day}`);
          yesterday = today;
        }
      }
      assert.deepEqual(changed, {
        // The oldest match is 913 days ago, a decision takes effect, a match is due, and then lacks its result, the next one is played,
        // and in October the season is over.
        team: ['2024-06-03', '2024-06-04', '2024-06-06', '2024-06-07', '2024-06-08', '2024-06-09', '2024-10-06'],
        league: ['2024-06-03', '2024-06-08'],
      });
    });

    it('the job at rest computes the cards of sides and leagues without a match in the window, and those that are stale', async () => {
      for (const name of ['Past', 'Older']) await league(name);
      const names = Array.from({ length: 24 }, (_, index) => `T${index}`);
      await load(
        ...names.map((name, index) => match('Past', '2022-05-01', name, names[(index + 1) % 24]!, [index % 3, 1])),
        match('Older', '2021-05-01', 'A', 'B', [2, 1]),
      );
      const job = new CardRefresh(service.deps);
      await refresh(job);
      assert.deepEqual(await stored(), []);
      const count = async () =>
        (
          await sql<{ kind: string; n: number }>('SELECT kind, count(*) AS n FROM analytics_card GROUP BY 1 ORDER BY 1')
        ).map(({ kind, n }) => `${kind} ${n}`);
      await sql('UPDATE analytics_loader SET caught_up_at = NULL');
      await job.fill(never);
      assert.deepEqual(await stored(), [], 'the history is not loaded yet');
      await sql('UPDATE analytics_loader SET caught_up_at = now()');
      await job.fill(never);
      assert.deepEqual(await count(), ['league 2', 'side 20', 'trends 1'], 'at most 20 sides at a time');
      for (let step = 0; step < 3; step++) await job.fill(never);
      assert.deepEqual(await count(), ['league 4', 'side 26', 'trends 2']);
      assert.deepEqual(
        (await stored()).filter((row) => row.kept),
        [],
      );
      noClickHouse();
      assert.equal((await trends('Past T3')).form.overall.matches, 2);
      service.faults.before = undefined;
      // The walk is over. The next one begins hours later.
      await load(match('Older', '2021-05-08', 'B', 'A', [0, 1]));
      const asked = countQueries();
      await job.fill(never);
      assert.equal(asked.length, 0);
      const again = new CardRefresh(service.deps);
      for (let step = 0; step < 4; step++) await again.fill(never);
      noClickHouse();
      forgetReplies();
      assert.equal((await trends('Older A')).form.overall.matches, 2);
    });

    it('a profile names the last 913 days of the request without being computed again', async () => {
      await league('Window');
      await load(match('Window', '2024-05-01', 'A', 'B', [2, 1]));
      const { window_from, window_to, ...figures } = await profile('Window');
      assert.deepEqual([window_from, window_to], ['2021-12-02', '2024-06-01']);
      noClickHouse();
      service.now += DAY_MS;
      forgetReplies();
      assert.deepEqual(await profile('Window'), { ...figures, window_from: '2021-12-03', window_to: '2024-06-02' });
    });

    it('two sides that play in one league get cards, and so do sides in a league without a result', async () => {
      const ids = await load(match('Pair', at(DAY_MS), 'A', 'B'), match('Pair', at(8 * DAY_MS), 'B', 'A'));
      await refresh();
      assert.deepEqual(await kept('match'), ids);
      noClickHouse();
      assert.equal(await formMatches(ids[0]!), 0);
      assert.equal(
        (await get<{ recent: unknown[] }>(`/v1/participant/${await service.idOf('participant', 'Pair A')}/trends`))
          .recent.length,
        0,
      );
    });

    it('the job waits for the loader, so that it computes no card twice', async () => {
      await load(match('Wait', '2024-05-01', 'A', 'B', [2, 1]), match('Wait', '2024-06-02', 'A', 'B'));
      await service.matches(match('Wait', '2024-05-08', 'B', 'A', [0, 0]));
      await service.assignCursors();
      await jobRuns();
      assert.equal(await new CardRefresh(service.deps).step(never), false);
      await service.load();
      await refresh();
      assert.equal((await kept('match')).length, 1);
    });

    it('a card is no longer kept up to date once its match leaves the window, and is deleted after 7 days', async () => {
      const ids = await load(
        match('Out', '2024-05-01', 'A', 'B', [2, 1]),
        match('Out', '2024-06-02', 'A', 'B', [1, 0]),
      );
      await refresh();
      assert.deepEqual(await kept('match'), [ids[1]]);
      await releaseCards(service.db.pool, NOW + 5 * DAY_MS);
      assert.deepEqual(
        (await stored()).map(({ kept: isKept }) => isKept),
        Array(6).fill(false),
      );
      assert.deepEqual(await sql('SELECT * FROM analytics_window'), []);
      await releaseCards(service.db.pool, NOW + 7 * DAY_MS - 1_000);
      assert.equal((await stored()).length, 6);
      await releaseCards(service.db.pool, NOW + 7 * DAY_MS + 1_000);
      assert.equal((await stored()).length, 0);
    });
  });
});
