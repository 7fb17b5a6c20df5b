import assert from 'node:assert/strict';
import { Command } from 'commander';
import type { z } from 'zod';
import { backtestOutlook } from '../../src/analytics/backtest/outlook-backtest.ts';
import { storedMatches } from '../../src/analytics/history/stored-matches.ts';
import { addModelCommands } from '../../src/analytics/model-commands.ts';
import type { outlook as outlookSchema } from '../../src/analytics/outlook/schema.ts';
import { seasonOutlook } from '../../src/jobs/season-outlook.ts';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';
import { apiBench, match } from './api-bench.ts';

type Outlook = z.infer<typeof outlookSchema>;
const NOW = Date.parse('2024-06-01T12:00:00Z');
const SIDES = ['Ant', 'Bee', 'Cat', 'Dog'];

describe('outlooks', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics('2024-06-01T12:00:00Z');
  });
  after(() => service?.close());
  beforeEach(async () => {
    await service.clear();
    await service.db.pool.query('DELETE FROM job');
    await service.db.pool.query('DELETE FROM season_outlook');
    service.now = NOW;
  });
  const { load, league, get } = apiBench(() => service);

  const path = async (name: string, query = '') =>
    `/v1/tournament/${await service.idOf('tournament', name)}/outlook?${query}`;
  const outlook = async (name: string, query = '') => get<Outlook>(await path(name, query));
  /** Returns the newest season of a tournament, even before its first match. */
  const newest = async (name: string) => {
    const { rows } = await service.db.pool.query<{ id: number }>(
      'SELECT s.id FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = $1 ORDER BY s.season_label DESC LIMIT 1',
      [name],
    );
    return `season=${rows[0]!.id}`;
  };
  const side = (name: string, { sides }: Outlook, of: string) => sides.find((one) => one.name === `${name} ${of}`)!;
  const stored = async () =>
    (
      await service.db.pool.query<{ day: string; version: string; champion: number }>(
        "SELECT day::text, version, (outlook -> 'sides' -> 0 ->> 'champion')::float8 AS champion FROM season_outlook ORDER BY day",
      )
    ).rows;
  /**
   * Makes all home and away matches between four sides, with one round each week. The first `played` matches have a
   * score.
   */
  const rounds = (name: string, from: string, played: number, over: Partial<Match> = {}) => {
    const pairs = SIDES.flatMap((home) => SIDES.filter((away) => away !== home).map((away) => [home, away] as const));
    return pairs.map(([home, away], index) => {
      const day = new Date(Date.parse(from) + index * 3 * 86_400_000).toISOString().slice(0, 10);
      const score: [number, number] = [home === 'Ant' ? 2 : 1, away === 'Dog' ? 0 : 1];
      const id = `${name} ${over.season?.label} ${index}`;
      return match(name, day, home, away, index < played ? score : undefined, { id, ...over });
    });
  };
  const earlier = (name: string) => rounds(name, '2022-08-01', 12, { season: { label: '2022/23' } });

  it('a season in progress has probabilities that add up, and every request gets the same figures', async () => {
    await league('Run', { rules: { zones: [{ kind: 'relegation', first: -1, last: -1 }] } });
    await load(...earlier('Run'), ...rounds('Run', '2024-05-10', 7));
    const first = await outlook('Run');
    assert.deepEqual(first.fixtures, { played: 7, remaining: 5, unknown: 0 });
    assert.deepEqual([first.complete, first.simulations, first.sides.length], [true, 10_000, 4]);
    const total = (value: (one: Outlook['sides'][number]) => number) =>
      Math.round(first.sides.reduce((sum, one) => sum + value(one), 0) * 10_000) / 10_000;
    assert.equal(
      total(({ champion }) => champion!),
      1,
    );
    assert.equal(
      total(({ zones }) => zones[0]!.probability),
      1,
    );
    for (const { places, champion, zones } of first.sides) {
      assert.equal(Math.round(places.reduce((sum, share) => sum + share, 0) * 10_000), 10_000);
      assert.deepEqual([champion, zones[0]!.probability], [places[0], places[3]]);
    }
    await service.db.pool.query('DELETE FROM season_outlook');
    service.deps.changes.publish('all' as never, { events: false });
    const { computed_at: _, ...again } = await outlook('Run');
    const { computed_at: __, ...before } = first;
    assert.deepEqual(again, before);
  });

  it('a finished season has only probabilities 0 and 1, and stores no history', async () => {
    await league('End');
    await load(...earlier('End'));
    const ended = await outlook('End');
    assert.deepEqual([ended.simulations, ended.seed, ended.complete], [0, null, true]);
    assert.deepEqual(side('End', ended, 'Ant').places, [1, 0, 0, 0]);
    assert.deepEqual(
      ended.sides.map(({ champion }) => champion),
      [1, 0, 0, 0],
    );
    assert.deepEqual(await stored(), []);
  });

  it('a season that is over but lacks results gets a reason instead of figures', async () => {
    await league('Lost');
    await load(...earlier('Lost').slice(0, 11));
    const { sides, complete, reason } = await outlook('Lost');
    assert.deepEqual([sides, complete, reason], [[], false, 'incomplete']);
  });

  it('if half the fixtures are unknown, the previous season shows how many remain', async () => {
    await league('Half');
    const all = rounds('Half', '2024-05-20', 2);
    await load(...earlier('Half'), ...all.slice(0, 6));
    const found = await outlook('Half');
    assert.deepEqual([found.complete, found.fixtures], [false, { played: 2, remaining: 10, unknown: 6 }]);
    await load(...all);
    service.deps.changes.publish('all' as never, { events: false });
    assert.deepEqual((await outlook('Half')).fixtures, { played: 2, remaining: 10, unknown: 0 });
  });

  it('before the season begins, two sides without earlier matches have even chances except for the home advantage', async () => {
    await league('Two');
    await load(match('Two', '2023-05-01', 'Ant', 'Bee', [1, 1], { season: { label: '2022/23' } }));
    await load(match('Two', '2024-06-10', 'Ant', 'Bee'), match('Two', '2024-06-17', 'Bee', 'Ant'));
    const { sides, fixtures } = await outlook('Two', await newest('Two'));
    assert.deepEqual(fixtures, { played: 0, remaining: 2, unknown: 0 });
    for (const { champion } of sides) assert.ok(Math.abs(champion! - 0.5) < 0.05, `${champion}`);
  });

  it('a points deduction in the last round counts at once', async () => {
    await league('Cut');
    await load(...earlier('Cut'), ...rounds('Cut', '2024-04-20', 11));
    const before = side('Cut', await outlook('Cut'), 'Ant');
    assert.deepEqual([before.points, before.champion], [12, 1]);
    const seasons = [
      { label: '2023/24', points_adjustments: [{ participant: { name: 'Cut Ant', country: 'GB-ENG' }, points: -15 }] },
    ];
    await league('Cut', { seasons });
    service.deps.changes.publish('all' as never, { events: false });
    const after = side('Cut', await outlook('Cut'), 'Ant');
    assert.deepEqual([after.points, after.champion], [-3, 0]);
  });

  it('groups have places of their own and no champion', async () => {
    const inGroup = (group: string, from: string) =>
      SIDES.map((home, index) =>
        match('Cup', from, `${group}${home}`, `${group}${SIDES[(index + 1) % 4]}`, undefined, {
          group_name: `Group ${group}`,
        }),
      );
    await load(match('Cup', '2023-05-01', 'AAnt', 'BAnt', [1, 0], { season: { label: '2022/23' } }));
    await load(...inGroup('A', '2024-06-10'), ...inGroup('B', '2024-06-11'));
    const { sides, reason } = await outlook('Cup', await newest('Cup'));
    assert.equal(reason, undefined);
    assert.deepEqual([...new Set(sides.map(({ group }) => group))], ['Group A', 'Group B']);
    assert.ok(sides.every(({ champion, places }) => champion === null && places.length === 4));
  });

  it('a league whose leader goes on to play-offs has no champion by the table alone', async () => {
    await league('Final');
    await load(
      ...earlier('Final'),
      match('Final', '2022-10-01', 'Ant', 'Bee', [0, 1], { season: { label: '2022/23' }, round_name: 'Final' }),
      ...rounds('Final', '2024-05-20', 3),
    );
    assert.ok((await outlook('Final')).sides.every(({ champion }) => champion === null));
  });

  it('bad requests have clear errors, and a tournament without an outlook has a reason', async () => {
    await league('Odd');
    await load(...earlier('Odd'), match('Knock', '2024-06-10', 'Ant', 'Bee', undefined, { round_name: 'Final' }));
    await load(
      ...[0, 1].map((index) =>
        match('Throw', `2024-06-1${index}`, SIDES[index]!, SIDES[1 - index]!, undefined, {
          sport: 'handball',
          group_name: 'Group A',
        }),
      ),
    );
    await load(match('New', '2024-06-10', 'Ant', 'Bee', undefined, { group_name: 'Group A' }));
    const reason = async (name: string) => {
      const { sides, simulations, reason } = await outlook(name);
      assert.deepEqual([sides, simulations], [[], 0]);
      return reason;
    };
    assert.deepEqual(
      [await reason('Knock'), await reason('Throw'), await reason('New')],
      ['no_table', 'no_model', 'no_sample'],
    );
    const status = async (url: string) => (await service.app.ask(url)).status;
    assert.equal(await status('/v1/tournament/999999/outlook'), 404);
    assert.equal(await status(await path('Odd', 'season=999999')), 404);
    assert.equal(await status(await path('Odd', 'season=x')), 422);
    assert.equal(await status(await path('Odd', 'history=maybe')), 422);
  });

  it('the job computes a season again after a result, but computes past weeks only once', async () => {
    await league('Job');
    const all = rounds('Job', '2024-05-06', 9);
    await load(...earlier('Job'), ...all);
    const job = startTestJob(seasonOutlook, {
      pool: service.db.pool,
      clock: service.deps.clock,
      clickhouse: { ...service.deps.clickhouse, isOpen: () => true },
    });
    try {
      // Matches are on every third day from 6 May on. The last one in each week is on 12, 18 and 24 May, then on 27 and 30 May.
      const days = ['2024-05-12', '2024-05-18', '2024-05-24', '2024-06-01'];
      await until('all weeks', async () => (await stored()).length === days.length, 30_000);
      const first = await stored();
      assert.deepEqual(
        first.map(({ day }) => day),
        days,
      );
      const shown = await outlook('Job', 'history=true');
      assert.deepEqual(
        shown.history!.map(({ date }) => date),
        days,
      );
      assert.equal(shown.fixtures.played, 9);
      assert.deepEqual(
        shown.history!.at(-1)!.sides.map(({ champion }) => champion),
        shown.sides.map(({ champion }) => champion),
      );
      service.now = NOW + 2 * 86_400_000;
      const { id } = all[9]!;
      await load({ ...all[9]!, id, status: 'finished', score: { home: 0, away: 5 } } as Match);
      await until('the next day', async () => (await stored()).length === days.length + 1, 30_000);
      assert.deepEqual((await stored()).slice(0, -1), first);
      service.deps.changes.publish('all' as never, { events: false });
      assert.equal((await outlook('Job')).fixtures.played, 10);
    } finally {
      await job.stop();
    }
  });

  describe('measured on past seasons', () => {
    const season = (label: string, best: string, later = best) => {
      const matches = rounds('Past', `${label.slice(0, 4)}-08-01`, 12, { season: { label } });
      return matches.map((one, index) => {
        const winner = index < 3 ? best : later;
        const has = (side: Match['home']) => side.name === `Past ${winner}`;
        return { ...one, score: { home: has(one.home) ? 9 : 1, away: has(one.away) ? 9 : 1 } };
      });
    };
    const run = (seasons: number) =>
      backtestOutlook(service.db.pool, storedMatches(service.db.pool), { leagues: [['GB-ENG', 'Past']], seasons });

    it('outlooks are compared with a baseline that uses only ranks in earlier seasons', async () => {
      await league('Past', { rules: { zones: [{ kind: 'relegation', first: -1, last: -1 }] } });
      // Ant is ahead after its first home win, since matches have a fixed order. In the last season Dog overtakes it.
      await load(...season('2020/21', 'Ant'), ...season('2021/22', 'Ant'), ...season('2022/23', 'Ant', 'Dog'));
      const report = await run(1);
      assert.deepEqual(report.earlier_seasons, { fewest: 2, most: 2 });
      assert.deepEqual(
        report.leagues.map(({ name, from, to, seasons }) => [name, from, to, seasons]),
        [['Past', '2022/23', '2022/23', 1]],
      );
      const { champion, relegation } = report.all;
      assert.deepEqual([champion.sides, relegation.sides], [4, 4]);
      // In earlier seasons the leader always became champion. That is now wrong for two sides out of four.
      assert.equal(champion.rank, 0.5);
      assert.ok(champion.model > 0 && champion.model < 0.5, `${champion.model}`);
      assert.equal(
        champion.reliability.reduce((sum, { count }) => sum + count, 0),
        4,
      );
    });

    it('too few seasons cause an error that names the league', async () => {
      await league('Past');
      await load(...season('2020/21', 'Ant'));
      await assert.rejects(run(1), { message: 'Past has 1 finished seasons, fewer than 2' });
    });

    it('match files contain no seasons with rules, so the command refuses them', async () => {
      const program = new Command().exitOverride();
      const source = { tournaments: async () => [], matches: async () => [] };
      addModelCommands(
        program,
        (work) => work({ source }),
        () => {},
        undefined as never,
      );
      await assert.rejects(program.parseAsync(['backtest', '--outlook'], { from: 'user' }), {
        message: "--outlook needs an installation's seasons",
      });
    });
  });
});
