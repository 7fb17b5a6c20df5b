/** Tests the win probability of Twenty20 matches: resources, decided states, revised targets, ties, and real matches by ball. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { backtestInnings } from '../../src/analytics/backtest/innings-backtest.ts';
import { fitInnings } from '../../src/analytics/fit/fit-innings.ts';
import type { MeasuredInnings } from '../../src/analytics/fit/read-innings.ts';
import { cricsheet } from '../../src/importers/cricsheet/cricsheet.ts';
import { expectedRuns, homeChance, type InningsState } from '../../src/in-play/innings-chances.ts';
import { type InningsMatch, inFirst, presentState, twenty20 } from '../../src/in-play/innings-match.ts';
import { inningsParameters } from '../../src/in-play/innings-parameters.ts';
import { inningsChances, inningsStates, inningsTimeline } from '../../src/in-play/innings-timeline.ts';
import { resources } from '../../src/in-play/resources.ts';
import type { MatchInput } from '../../src/wire/feed-update.ts';
import type { Innings } from '../../src/wire/innings.ts';

const ARCHIVE = fileURLToPath(new URL('../../../shared/datasets/ipl-cricsheet', import.meta.url));
const parameters = inningsParameters();
const EVEN = { home: 160, away: 160 };

const innings = (batting: 'home' | 'away', runs: number, overs: string, more: Partial<Innings> = {}): Innings => ({
  period: batting === 'home' ? 'I1' : 'I2',
  batting,
  runs,
  wickets: 2,
  overs,
  balls_per_over: 6,
  all_out: false,
  declared: false,
  forfeited: false,
  max_overs: '20',
  target: null,
  extras: { byes: 0, leg_byes: 0, wides: 0, no_balls: 0, penalty: 0 },
  batters: [],
  bowlers: [],
  fall_of_wickets: [],
  by_over: [],
  ...more,
});
const match = (own: readonly Innings[], more: Partial<InningsMatch> = {}): InningsMatch => ({
  status: 'live',
  status_detail: 'in_play',
  home_score: own.find(({ batting }) => batting === 'home')?.runs ?? 0,
  away_score: own.find(({ batting }) => batting === 'away')?.runs ?? 0,
  given_winner: null,
  period_scores: [],
  innings: own,
  ...more,
});
const homeNow = (one: InningsMatch) => inningsChances(one, EVEN, parameters)!.home;

describe('resources of an innings', () => {
  it('are 1 before it, 0 after it, and never grow when a ball or a wicket is gone', () => {
    assert.equal(resources({ balls: 120, wickets: 10 }, parameters), 1);
    assert.equal(resources({ balls: 0, wickets: 10 }, parameters), 0);
    assert.equal(resources({ balls: 60, wickets: 0 }, parameters), 0);
    for (let balls = 1; balls <= 120; balls++)
      for (let wickets = 1; wickets <= 10; wickets++) {
        const now = resources({ balls, wickets }, parameters);
        assert.ok(now >= resources({ balls: balls - 1, wickets }, parameters), `${balls} ${wickets}`);
        assert.ok(now > resources({ balls, wickets: wickets - 1 }, parameters), `${balls} ${wickets}`);
      }
  });
});

describe('the win probability of a Twenty20 match', () => {
  const state = fc.record({
    first: fc.constantFrom('home' as const, 'away' as const),
    runs: fc.record({ first: fc.nat(280), second: fc.nat(280) }),
    left: fc.record({
      first: fc.constant({ balls: 0, wickets: 0 }),
      second: fc.record({ balls: fc.integer({ min: 1, max: 120 }), wickets: fc.integer({ min: 1, max: 10 }) }),
    }),
  });

  it('is between 0 and 1, and grows with each run of the side', () => {
    fc.assert(
      fc.property(state, (now: InningsState) => {
        const chance = homeChance(now, EVEN, parameters);
        const more = homeChance({ ...now, runs: { ...now.runs, first: now.runs.first + 1 } }, EVEN, parameters);
        assert.ok(chance >= 0 && chance <= 1);
        assert.ok(now.first === 'home' ? more >= chance : more <= chance);
      }),
    );
  });

  it('is the same for both sides if they are turned round', () => {
    fc.assert(
      fc.property(state, (now: InningsState) => {
        const turned = homeChance({ ...now, first: now.first === 'home' ? 'away' : 'home' }, EVEN, parameters);
        assert.ok(Math.abs(homeChance(now, EVEN, parameters) + turned - 1) < 1e-9);
      }),
    );
  });

  it('gives the better rated side about the chance of the ratings before the first ball', () => {
    const both = twenty20([innings('home', 0, '0')])!;
    const start = inFirst(both, { runs: 0, wickets: 0, balls: 0 });
    const level = homeChance(start, expectedRuns(160, 0, parameters), parameters);
    const better = homeChance(start, expectedRuns(160, 100, parameters), parameters);
    const logOdds = (chance: number) => Math.log(chance / (1 - chance));
    assert.ok(Math.abs(logOdds(better) - logOdds(level) - (100 * Math.LN10) / 400) < 1e-9);
  });

  it('is certain once the target is reached, or once the innings is over', () => {
    const first = innings('home', 150, '20');
    assert.equal(homeNow(match([first, innings('away', 151, '15.2')])), 0);
    assert.equal(homeNow(match([first, innings('away', 140, '20')])), 1);
    assert.equal(homeNow(match([first, innings('away', 99, '14', { wickets: 10, all_out: true })])), 1);
    assert.equal(homeNow(match([first, innings('away', 99, '14', { wickets: 8, all_out: true })])), 1);
  });

  it('is even after a tie and in the super over, and then belongs to the winner', () => {
    const tied = [innings('home', 150, '20'), innings('away', 150, '20')];
    assert.equal(homeNow(match(tied)), 0.5);
    const SO = { period: 'SO', home: 11, away: 9 };
    assert.equal(homeNow(match(tied, { period_scores: [SO] })), 0.5);
    const over = { status: 'finished', status_detail: 'after_extra_time' } as const;
    assert.deepEqual(inningsChances(match(tied, { ...over, period_scores: [SO] }), EVEN, parameters), {
      home: 1,
      draw: 0,
      away: 0,
    });
    assert.equal(inningsChances(match(tied, { ...over, status_detail: 'ended' }), EVEN, parameters)!.draw, 1);
  });

  it('takes the target and the overs of a revised target', () => {
    const first = innings('home', 180, '20');
    const target = { runs: 60, overs: '6', method: 'D/L' };
    const chase = (runs: number) => match([first, innings('away', runs, '5', { target, max_overs: '6' })]);
    assert.ok(homeNow(chase(58)) < 0.1);
    assert.ok(homeNow(chase(25)) > 0.95);
    assert.equal(homeNow(chase(60)), 0);
    const won = match([first, innings('away', 61, '5.4', { target, max_overs: '6' })], {
      status: 'finished',
      status_detail: 'ended',
      given_winner: 'away',
    });
    assert.equal(homeNow(won), 0);
  });

  it('does not exist without a result, before the first ball, without a limit of overs, and in longer games', () => {
    const first = innings('home', 150, '20');
    const none = (one: InningsMatch) => {
      assert.equal(inningsChances(one, EVEN, parameters), null);
      assert.deepEqual(inningsTimeline(one, EVEN, parameters), []);
    };
    none(match([first], { status: 'finished', status_detail: 'abandoned' }));
    none(match([first], { status: 'finished', status_detail: 'ended', home_score: null, away_score: null }));
    none(match([], {}));
    none(match([first], { status: 'scheduled', status_detail: 'not_started' }));
    none(match([{ ...first, max_overs: null }]));
    none(match([{ ...first, max_overs: '50' }]));
    none(match([{ ...first, balls_per_over: 5 }]));
    none(match([first, innings('away', 90, '30'), { ...first, period: 'I3' }]));
  });

  it('follows the scores of the periods if these are newer than the scorecard', () => {
    const first = innings('home', 60, '8');
    const I1 = (runs: number, wickets: number, overs: string) => ({
      period: 'I1',
      home: runs,
      away: 0,
      innings: { batting: 'home' as const, wickets, overs },
    });
    const newer = presentState(match([first], { period_scores: [I1(75, 3, '9.1')] })) as InningsState;
    assert.deepEqual([newer.runs.first, newer.left.first], [75, { balls: 65, wickets: 7 }]);
    const I2 = { period: 'I2', home: 0, away: 20, innings: { batting: 'away' as const, wickets: 1, overs: '2' } };
    const chase = presentState(match([first], { period_scores: [I1(160, 6, '20'), I2] })) as InningsState;
    assert.deepEqual(
      [chase.runs, chase.left.second],
      [
        { first: 160, second: 20 },
        { balls: 108, wickets: 9 },
      ],
    );
  });

  it('has a point for each ball, wides included, and for each over whose deliveries are not known', () => {
    const by_over: Innings['by_over'] = [
      {
        runs: 3,
        wickets: 1,
        deliveries: [{ runs: 1 }, { runs: 1, extra: 'wide' }, { runs: 0, wickets: 1 }, { runs: 1 }],
      },
      { runs: 9, wickets: 0 },
    ];
    const first = innings('home', 17, '2', { wickets: 1, by_over });
    const points = inningsTimeline(match([first]), EVEN, parameters);
    assert.deepEqual(
      points.map(({ overs, runs, wickets, reason }) => `${overs} ${runs}/${wickets} ${reason}`),
      ['0 0/0 start', '0.1 6/0 ball', '0.1 7/0 ball', '0.2 7/1 wicket', '0.3 8/1 ball', '2 17/1 over', '2 17/1 now'],
    );
  });
});

describe('the win probability of real matches', function () {
  this.timeout(120_000);
  const matches: MatchInput[] = [];
  before(async function () {
    if (!existsSync(ARCHIVE)) {
      console.warn(`      SKIPPED: ${ARCHIVE} is not there`);
      this.skip();
    }
    for await (const item of cricsheet.read(ARCHIVE))
      if (item.kind === 'update' && item.update.kind === 'match') matches.push(item.update.match as MatchInput);
  });

  /** Gives each match the mean of the last 60 full first innings of earlier days. */
  function measured(from: string, to: string): MeasuredInnings[] {
    const all = readAll().sort((a, b) => a.start - b.start);
    return all
      .map((one) => {
        const earlier = all
          .filter(({ start }) => start < one.start)
          .flatMap(({ total }) => total ?? [])
          .slice(-60);
        return {
          ...one,
          level: earlier.reduce((sum, total) => sum + total, 0) / earlier.length,
          innings: earlier.length,
        };
      })
      .filter(({ start }) => start >= Date.parse(from) / 1000 && start <= Date.parse(to) / 1000);
  }
  const readAll = (): MeasuredInnings[] =>
    matches.flatMap((one, index): MeasuredInnings[] => {
      const both = twenty20((one.innings ?? []) as Innings[]);
      const day = one.scheduled_start!.slice(0, 10);
      const home = one.score?.home ?? 0;
      const away = one.score?.away ?? 0;
      const winner = one.winner ?? (home > away ? 'home' : home < away ? 'away' : 'draw');
      if (both === null || winner === 'draw' || one.status_detail === 'abandoned') return [];
      const { first } = both;
      return [
        {
          match_id: index,
          start: Date.parse(day) / 1000,
          level: null,
          innings: 0,
          difference: 0,
          tournament: 'IPL',
          first: first.batting,
          firstWon: winner === first.batting,
          total: first.all_out || first.overs === '20' ? first.runs : null,
          before: inFirst(both, { runs: 0, wickets: 0, balls: 0 }),
          states: inningsStates(both).map(({ state }) => state),
        },
      ];
    });

  it('ends with the winner in every match, and never breaks', () => {
    let lines = 0;
    for (const one of matches) {
      const points = inningsTimeline(
        {
          status: 'finished',
          status_detail: one.status_detail!,
          home_score: one.score?.home ?? null,
          away_score: one.score?.away ?? null,
          given_winner: one.winner ?? null,
          period_scores: one.period_scores as InningsMatch['period_scores'],
          innings: (one.innings ?? []) as Innings[],
        },
        EVEN,
        parameters,
      );
      if (points.length === 0) continue;
      lines++;
      const last = points.at(-1)!;
      assert.equal(Math.max(last.homeWin, last.awayWin), 100, one.id);
      for (const { homeWin, awayWin } of points) assert.ok(homeWin >= 0 && homeWin + awayWin <= 100.01, one.id);
      if (one.status_detail !== 'ended' || one.innings!.some(({ target }) => target?.method)) continue;
      // Before the last point, the states of the balls show the same winner.
      const before = points.at(-2)!;
      assert.deepEqual([before.homeWin, before.awayWin], [last.homeWin, last.awayWin], one.id);
    }
    assert.ok(lines > 1_200, String(lines));
  });

  it('fits the resources to earlier seasons, and is better by ball on later ones than even chances', () => {
    const fitted = fitInnings(measured('2009-01-01', '2016-12-31'));
    assert.ok(fitted.wicket_shares.every((share, index, all) => index === 0 || share > all[index - 1]!));
    assert.ok(fitted.level > 150 && fitted.level < 170, String(fitted.level));
    const report = backtestInnings(measured('2017-01-01', '2026-12-31'), 0, { ...parameters, ...fitted });
    const all = report.parts.find(({ part }) => part === 'all')!;
    assert.ok(all.forecasts > 150_000, String(all.forecasts));
    assert.ok(all.scores.model.log_loss < 0.58, String(all.scores.model.log_loss));
    assert.ok(Math.abs(all.scores.even.log_loss - Math.LN2) < 1e-9);
    const second = report.parts.find(({ part }) => part === 'second')!;
    assert.ok(second.scores.model.log_loss < 0.47, String(second.scores.model.log_loss));
    assert.equal(report.calibration!.reliability.length, 10);
    assert.ok(report.calibration!.calibration_error < 0.08, String(report.calibration!.calibration_error));
  });
});
