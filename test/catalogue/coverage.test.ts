import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type BlockCounts,
  coverableBlocks,
  measureCoverage,
  type SeasonCounts,
} from '../../src/catalogue/coverage/measure-coverage.ts';
import { coverageLease } from '../../src/catalogue/coverage/queries.ts';
import { CoverageRefresh } from '../../src/catalogue/coverage/refresh.ts';
import { listTournaments } from '../../src/catalogue/queries.ts';
import type { Coverage } from '../../src/catalogue/schema.ts';
import { tournament as tournamentSchema } from '../../src/catalogue/schema.ts';
import { LeaseLost } from '../../src/db/lease.ts';
import { relayLease } from '../../src/events/relay-lease.ts';
import { coverage as coverageJob } from '../../src/jobs/coverage.ts';
import { assignChangeCursors } from '../../src/relay/change-cursors.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';

const AT = '2026-03-01T12:00:00Z';
const season = (played: number, blocks: SeasonCounts['blocks'] = {}, due = played): SeasonCounts => ({
  due,
  played,
  blocks,
});

describe('a tournament’s coverage', () => {
  const of = (seasons: SeasonCounts[], sport = 'football') => measureCoverage(sport, seasons, AT);

  it('is not given if the tournament has no matches', () => {
    for (const seasons of [[], [season(0)]]) {
      const { depth, matches, measured_at, blocks } = of(seasons);
      assert.deepEqual([depth, matches, measured_at], ['none', 0, AT]);
      assert.deepEqual(Object.keys(blocks), coverableBlocks('football'));
      for (const block of Object.values(blocks))
        assert.deepEqual(block, { level: 'none', pct: 0, full_pct: 0, since: null });
    }
  });

  it('counts matches from the first season in which half of them have the block', () => {
    const seasons = [
      season(100, { lineups: [3, 3, '2015-08-08'] }),
      season(100, { lineups: [50, 40, '2016-08-13'] }),
      season(100, { lineups: [100, 100, '2017-08-11'] }),
      season(50, { lineups: [10, 10, '2018-08-10'] }),
    ];
    assert.deepEqual(of(seasons).blocks.lineups, { level: 'partial', pct: 64, full_pct: 60, since: '2016-08-13' });
    const few = [
      season(100),
      season(100, { lineups: [2, 2, '2016-09-01'] }),
      season(100, { lineups: [1, 0, '2017-09-01'] }),
    ];
    assert.deepEqual(of(few).blocks.lineups, { level: 'partial', pct: 1.5, full_pct: 1, since: '2016-09-01' });
  });

  it('counts a block as full from 95 % on, but shows 100 % and 0 % only if they are exact', () => {
    const level = (held: number, full: number, matches: number) => {
      const { level, pct, full_pct } = of([season(matches, { statistics: [held, full, '2024-01-01'] })]).blocks
        .statistics!;
      return [level, pct, full_pct];
    };
    assert.deepEqual(level(100, 95, 100), ['full', 100, 95]);
    assert.deepEqual(level(100, 94, 100), ['partial', 100, 94]);
    assert.deepEqual(level(9_999, 9_999, 10_000), ['full', 99.9, 99.9]);
    assert.deepEqual(level(1, 0, 10_000), ['partial', 0.1, 0]);
    // Percentages are rounded, not truncated. The level is computed before rounding.
    assert.deepEqual(level(2, 1, 3), ['partial', 66.7, 33.3]);
    assert.deepEqual(level(9_996, 9_496, 10_000), ['partial', 99.9, 95]);
  });

  it('counts results as a share of the matches that should have a result', () => {
    const blocks = { results: [8, 8, '2024-01-01'] as BlockCounts };
    assert.deepEqual(of([season(9, blocks, 10)]).blocks.results, {
      level: 'partial',
      pct: 80,
      full_pct: 80,
      since: '2024-01-01',
    });
  });

  it('has a depth that depends on incidents, statistics and line-ups', () => {
    const full: BlockCounts = [10, 10, '2024-01-01'];
    const depth = (blocks: SeasonCounts['blocks']) => of([season(10, blocks)]).depth;
    assert.equal(depth({ incidents: full, statistics: full, lineups: full }), 'full');
    assert.equal(depth({ incidents: full, statistics: full, lineups: [9, 9, '2024-01-01'] }), 'partial');
    assert.equal(depth({ odds: [1, 1, '2024-01-01'] }), 'partial');
    assert.equal(depth({ results: full, weather: full }), 'results');
  });

  it('includes shots only for football', () => {
    assert.ok(coverableBlocks('football').includes('shotmap'));
    assert.ok(!coverableBlocks('ice-hockey').includes('shotmap'));
  });

  it('has percentages between 0 and 100, and a block that no match has is 0', () => {
    const counts = fc.record({ played: fc.nat(500), held: fc.nat(500), full: fc.nat(500) });
    fc.assert(
      fc.property(fc.array(counts, { maxLength: 6 }), (list) => {
        const seasons = list.map(({ played, held, full }) => {
          const most = Math.min(held, played);
          return season(played, most > 0 ? { incidents: [most, Math.min(full, most), '2024-01-01'] } : {});
        });
        const { level, pct, full_pct, since } = of(seasons).blocks.incidents!;
        assert.ok(full_pct <= pct && pct <= 100 && pct >= 0);
        assert.equal(level === 'none', pct === 0);
        assert.equal(since === null, pct === 0);
      }),
    );
  });
});

describe('measuring the coverage', () => {
  let bench: FeedBench;
  let refresh: CoverageRefresh;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.db.pool.query(
      `DELETE FROM match; DELETE FROM external_ref WHERE entity = 'match'; TRUNCATE match_touch, match_change, match_tombstone, season_coverage, tournament_coverage;
       DELETE FROM coverage_refresh; INSERT INTO coverage_refresh DEFAULT VALUES`,
    );
    bench.now = Date.parse('2024-06-01T12:00:00Z');
    await lead();
    bench.nextMatch();
  });

  async function lead() {
    await bench.db.pool.query("UPDATE coverage_refresh SET expires_at = '-infinity'");
    refresh = new CoverageRefresh(bench.deps, (await coverageLease.take(bench.db.pool, 'test'))!, () => bench.now);
  }
  /** Assigns change cursors, as the relay does. */
  async function stamp() {
    const { pool } = bench.db;
    await pool.query("UPDATE relay SET expires_at = '-infinity'");
    const generation = (await relayLease.take(pool, 'test'))!;
    while ((await assignChangeCursors(pool, generation)) > 0);
  }
  /**
   * Measures coverage after changes have stopped.
   * @returns the number of steps
   */
  async function measure(quietMs = 5_000): Promise<number> {
    await stamp();
    let steps = (await refresh.step()) ? 1 : 0;
    bench.now += quietMs;
    steps += 1;
    while (await refresh.step()) steps += 1;
    return steps;
  }
  const shown = async (name = 'First League') => {
    const { tournaments } = await listTournaments(bench.db.pool, { limit: 100, offset: 0 });
    const list = tournamentSchema.array().parse(JSON.parse(`[${tournaments}]`));
    return list.find((one) => one.name === name)!;
  };
  const coverage = async () => (await shown()).coverage as Coverage;
  const finished: MatchFields = { status: 'finished', score: { home: 1, away: 0 } };
  const play = async (count: number, fields: MatchFields = finished) => {
    const ids: number[] = [];
    for (let index = 0; index < count; index += 1) {
      bench.nextMatch();
      ids.push(await bench.accept(fields));
    }
    return ids;
  };

  it('a tournament that was not measured yet has a match count and no coverage', async () => {
    await play(2);
    const { events, coverage } = await shown();
    assert.deepEqual([events, coverage], [2, null]);
  });

  it('coverage counts a block in a match as the card reports it', async () => {
    await play(3);
    await play(1, {
      ...FOOTBALL_GIVEN,
      ...finished,
      incidents: [{ kind: 'goal', minute: 3, side: 'home' }],
    } as MatchFields);
    await play(1, { ...finished, incidents: [], scheduled_start: '2024-04-01T14:00:00Z' });
    await play(1, { status: 'finished', status_detail: 'cancelled' });
    await play(1, { scheduled_start: '2024-09-01T14:00:00Z' });
    await measure();
    const { events, coverage } = await shown();
    assert.deepEqual(
      [events, coverage!.matches, coverage!.depth, coverage!.measured_at],
      [7, 5, 'partial', new Date(bench.now).toISOString().replace('.000', '')],
    );
    const { results, incidents, statistics, weather, lineups } = coverage!.blocks;
    assert.deepEqual(results, { level: 'full', pct: 100, full_pct: 100, since: '2024-04-01' });
    assert.deepEqual(incidents, { level: 'partial', pct: 20, full_pct: 20, since: '2024-05-01' });
    assert.deepEqual(
      [statistics!.pct, weather!.pct, lineups!.pct > 0, coverage!.blocks.highlights!.level],
      [20, 20, true, 'partial'],
    );
  });

  it('text in a card is not counted even if it looks like a completeness value', async () => {
    await play(1, {
      ...finished,
      referee: '"incidents":"full"',
      statistics: FOOTBALL_GIVEN.statistics,
      incidents: [{ kind: 'card', side: 'home' }],
    } as MatchFields);
    await measure();
    assert.equal((await coverage()).blocks.incidents!.full_pct, 0);
  });

  it('an overdue fixture lowers result coverage in the next nightly run', async () => {
    await play(1);
    await play(1, { scheduled_start: '2024-06-01T20:00:00Z' });
    await measure();
    assert.equal((await coverage()).blocks.results!.pct, 100);
    bench.now = Date.parse('2024-06-03T02:59:00Z');
    assert.equal(await measure(), 1);
    assert.equal((await coverage()).blocks.results!.pct, 100);
    bench.now = Date.parse('2024-06-03T03:00:00Z');
    assert.ok((await measure()) > 1);
    assert.equal((await coverage()).blocks.results!.pct, 50);
  });

  it('only the changed season is measured again, and only once changes have stopped', async () => {
    await play(1);
    await play(1, { ...finished, season: { label: '2022/23' }, scheduled_start: '2023-05-01T14:00:00Z' });
    await measure();
    await bench.db.pool.query(
      "UPDATE season_coverage SET events = 100 FROM season s WHERE s.id = season_id AND season_label = '2022/23'",
    );
    await play(1);
    await measure(4_900);
    assert.equal((await shown()).events, 2);
    bench.now += 200;
    await measure(0);
    assert.equal((await shown()).events, 102);
  });

  it('changes that never stop are measured every five minutes', async () => {
    await play(1);
    await measure();
    const measuredAt: number[] = [];
    const begun = bench.now;
    for (let second = 0; second < 700; second += 4) {
      if (second % 20 === 0) {
        bench.nextMatch();
        await bench.accept(finished);
      } else await bench.db.pool.query('UPDATE relay SET change_seq = change_seq + 1');
      bench.now = begun + second * 1_000;
      const { events } = await shown();
      await measure(0);
      if ((await shown()).events > events) measuredAt.push(Math.floor(second / 30) * 30);
    }
    assert.deepEqual(measuredAt, [300, 600]);
  });

  it('a tournament without a match is measured too', async () => {
    const add = (name: string) =>
      bench.db.pool.query("INSERT INTO tournament (sport, country, name, key) VALUES ('football', 'IT', $1, $1)", [
        name,
      ]);
    await add('serie x');
    await measure();
    assert.equal((await shown('serie x')).coverage!.depth, 'none');
    await add('serie y');
    bench.now += 60_000;
    await measure();
    assert.equal((await shown('serie y')).coverage!.depth, 'none');
  });

  it('a match that is deleted or moves to another tournament no longer counts', async () => {
    await play(2);
    await measure();
    await bench.accept({ ...finished, tournament: { id: 'l2', name: 'Second League', country: 'GB-ENG' } });
    bench.now += 60_000;
    await measure();
    assert.deepEqual([(await shown()).events, (await shown('Second League')).events], [1, 1]);
  });

  it('many seasons are measured in several steps, and a process that takes over in between measures all of them again', async () => {
    for (let year = 1900; year < 1975; year += 1)
      await play(1, { ...finished, season: { label: String(year) }, scheduled_start: `${year}-05-01T14:00:00Z` });
    await stamp();
    assert.equal(await refresh.step(), true);
    assert.equal((await shown()).coverage, null);
    const former = refresh;
    await lead();
    await assert.rejects(former.step(), LeaseLost);
    await measure();
    const { events, coverage } = await shown();
    assert.deepEqual([events, coverage!.blocks.results!.since], [75, '1900-05-01']);
  });

  it('a restored backup leads to a full measurement', async () => {
    await play(1);
    await measure();
    await bench.db.pool.query(
      'UPDATE coverage_refresh SET measured_cursor = 1000000000; UPDATE season_coverage SET events = 50',
    );
    await measure();
    assert.equal((await shown()).events, 1);
  });

  it('only one of two processes measures coverage', async () => {
    await bench.db.pool.query("UPDATE coverage_refresh SET expires_at = '-infinity'");
    await play(1);
    await stamp();
    const start = () => startTestJob(coverageJob, bench.deps);
    const loops = [start(), start()];
    await until('it is measured', async () => (await shown()).coverage !== null);
    await Promise.all(loops.map((loop) => loop.stop()));
    const { rows } = await bench.db.pool.query('SELECT holder FROM coverage_refresh');
    assert.deepEqual(rows, [{ holder: null }]);
  });
});
