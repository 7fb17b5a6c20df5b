import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ratingBlock } from '../../src/analytics/cards/rating-block.ts';
import {
  MarginElo,
  type MarginMatch,
  marginFactor,
  marginResult,
  overtimeProbability,
  winProbabilities,
} from '../../src/analytics/elo/margin-elo.ts';
import type { MarginFixture } from '../../src/analytics/elo/margin-matches.ts';
import { marginRatings } from '../../src/analytics/elo/margin-ratings.ts';
import { findSport, SPORTS } from '../../src/sports/sports.ts';

const parameters = findSport('american-football')!.rating!;
const DAY = 86_400;
const match = (over: Partial<MarginMatch> = {}): MarginMatch => ({
  id: 1,
  start: 0,
  home_id: 1,
  away_id: 2,
  home_score: 21,
  away_score: 14,
  host: 'home',
  year: 2020,
  ...over,
});
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);

describe('Elo with victory margins', () => {
  it('moves points by the published formula, from the ratings before the day', () => {
    const elo = new MarginElo(parameters);
    elo.play([match(), match({ id: 2, home_id: 3, away_id: 1, home_score: 10, away_score: 10 })]);
    const surprise = 1 - 1 / (1 + 10 ** (-65 / 400));
    const won = (20 * surprise * Math.log(8) * 2.2) / (65 * 0.001 + 2.2);
    const drawn = 20 * (1 / (1 + 10 ** (-65 / 400)) - 0.5) * Math.log(2);
    near(elo.ratings.of(1)!, 1300 + won + drawn);
    near(elo.ratings.of(2)!, 1300 - won);
    near(elo.ratings.of(3)!, 1300 - drawn);
  });

  it('gives a favourite fewer points for the same margin, in both published forms', () => {
    for (const kind of ['log', 'power'] as const) {
      assert.ok(marginFactor(kind, 20, 300) < marginFactor(kind, 20, 0));
      assert.ok(marginFactor(kind, 20, -300) > marginFactor(kind, 20, 0));
      assert.ok(marginFactor(kind, 21, 0) > marginFactor(kind, 20, 0));
    }
    near(marginFactor('power', 10, 100), 13 ** 0.8 / 8.1);
    for (const kind of ['log', 'power'] as const)
      assert.equal(marginFactor(kind, 32_767, -9_999), marginFactor(kind, 32_767, -1_000));
  });

  it('moves a team a third of the way to the mean once between two seasons, and never within a season', () => {
    const elo = new MarginElo(parameters);
    elo.play([match()]);
    const rating = elo.ratings.of(1)!;
    near(elo.before(match()).home, rating);
    near(elo.before(match({ year: 2021 })).home, rating + (1505 - rating) / 3);
    // An older season continues beside the new one.
    elo.play([match({ year: 2021 })]);
    near(elo.before(match({ year: 2020 })).home, elo.ratings.of(1)!);
  });

  it('takes points from a side that also played on the day before, and counts them for the match', () => {
    const elo = new MarginElo({ ...parameters, backToBack: 30 });
    elo.play([match()]);
    const rests = [
      match({ start: DAY }),
      match({ start: DAY, away_id: 3 }),
      match({ start: DAY, home_id: 3 }),
      match({ start: 2 * DAY }),
    ];
    assert.deepEqual(
      rests.map((one) => elo.before(one).rest),
      [0, -30, 30, 0],
    );
    near(elo.difference(rests[1]!), elo.ratings.of(1)! - 1300 + 65 - 30);
  });

  it('lets the home advantage of a league follow its results, not those on neutral ground', () => {
    const elo = new MarginElo({ ...parameters, homeLearning: 10 });
    const surprise = 1 - 1 / (1 + 10 ** (-65 / 400));
    elo.play([match({ tournament_id: 1 }), match({ tournament_id: 2, home_id: 5, away_id: 6, host: null })]);
    const advantage = (tournament_id: number) =>
      elo.before(match({ tournament_id, home_id: 8, away_id: 9 })).home_advantage;
    near(advantage(1), 65 + 10 * surprise);
    near(advantage(2), 65);
    assert.equal(elo.before(match({ host: null })).home_advantage, 0);
  });

  it('moves a newcomer faster, also after more than two years, and starts a league’s first season at the mean', () => {
    const newcomer = { boost: 1, matches: 10 };
    const elo = new MarginElo({ ...parameters, newcomer });
    const usual = new MarginElo(parameters);
    for (const one of [elo, usual]) one.play([match({ host: null })]);
    near(elo.ratings.of(1)! - 1505, 2 * (usual.ratings.of(1)! - 1300));
    const before = elo.ratings.of(1)!;
    elo.play([match({ start: 9 * DAY, host: null, home_id: 3 })]);
    near(elo.ratings.of(2)! - (1505 - (before - 1505)), -(elo.ratings.of(3)! - 1505) * ((1 + Math.exp(-0.1)) / 2));
    near(elo.before(match({ year: 2021, home_id: 7 })).home, 1300);
    near(elo.before(match({ year: 2024, home_id: 7 })).home, 1300);
    elo.play([match({ year: 2024, home_id: 7, start: 1_500 * DAY })]);
    near(elo.before(match({ year: 2024, home_id: 8, start: 1_501 * DAY })).home, 1505);
  });

  it('counts the given winner if the score shows another, and no margin if the score has none', () => {
    const revised = { home_score: 180, away_score: 95 };
    assert.equal(marginResult(match({ ...revised, winner: 'away' }), { shootOut: 0.5 }), 0);
    assert.equal(marginResult(match({ ...revised, winner: 'draw' }), { shootOut: 0.5 }), 0.5);
    assert.equal(marginResult(match({ ...revised, winner: null }), {}), 1);
    assert.deepEqual([marginFactor('none', 1, 300), marginFactor('none', 120, -300)], [1, 1]);
  });

  it('counts a shoot-out as a share of a win, and forecasts overtime', () => {
    const level = { home_score: 2, away_score: 2 };
    assert.equal(marginResult(match({ ...level, winner: 'away' }), { shootOut: 0.5 }), 0.25);
    assert.equal(marginResult(match({ ...level, winner: 'home' }), { shootOut: 0.5 }), 0.75);
    assert.equal(marginResult(match({ ...level, winner: 'home' }), {}), 0.5);
    assert.equal(marginResult(match({ ...level, winner: 'draw' }), { shootOut: 0.5 }), 0.5);
    assert.equal(overtimeProbability(0, 0.24), 0.24);
    assert.ok(overtimeProbability(200, 0.24) < 0.2);
    const block = ratingBlock('ice-hockey', false, {
      home: 1500,
      away: 1500,
      home_matches: 9,
      away_matches: 9,
      home_advantage: 20,
      rest: -28,
    })!;
    assert.deepEqual(
      [block.difference, block.rest, block.home_advantage, block.probabilities.draw],
      [-8, -28, 20, null],
    );
    assert.ok(block.overtime! > 24 && block.overtime! < 24.5);
  });

  it('gives probabilities that add up to 1 and match the expected result, whatever the ratings', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -5000, max: 5000, noNaN: true }),
        fc.constantFrom(...SPORTS),
        (difference, { rating }) => {
          const { home, draw, away } = winProbabilities(difference, rating?.drawRate ?? 0);
          near(home + draw + away, 1);
          near(home + draw / 2, 1 / (1 + 10 ** (-difference / 400)));
          for (const chance of [home, draw, away]) assert.ok(chance >= 0 && chance <= 1);
        },
      ),
    );
  });

  it('moves points without adding any, so the total within a season is constant, whatever the results', () => {
    const result = fc.record({
      home_id: fc.integer({ min: 1, max: 4 }),
      away_id: fc.integer({ min: 5, max: 8 }),
      home_score: fc.nat(200),
      away_score: fc.nat(200),
      start: fc.nat(20).map((day) => day * DAY),
    });
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 40 }), (results) => {
        const elo = new MarginElo(parameters);
        for (const one of results) elo.play([match(one)]);
        const teams = [...elo.ratings.teams()];
        near(teams.reduce((sum, team) => sum + elo.ratings.of(team)! - 1300, 0) / 1000, 0);
      }),
    );
  });

  const fixture = (id: number, day: number, over: Partial<MarginFixture> = {}): MarginFixture => ({
    ...match({ id, start: Date.parse('2020-09-10') / 1000 + day * DAY }),
    tournament_id: 1,
    counts: true,
    ranks: true,
    ...over,
  });

  it('rates upcoming and awarded matches without counting them, and ranks active men’s teams only', async () => {
    const season = Array.from({ length: 12 }, (_, week) => fixture(week, week * 7));
    const women = Array.from({ length: 12 }, (_, week) =>
      fixture(100 + week, week * 7, { home_id: 11, away_id: 12, ranks: false }),
    );
    const awarded = fixture(50, 10, { counts: false, home_score: 0, away_score: 99 });
    const next = fixture(51, 90, { counts: false, home_score: 0, away_score: 0 });
    const rated = await marginRatings(parameters, [next, ...season, awarded, ...women], '2021-06-01', async () => {});
    assert.equal(rated.matches, 24);
    assert.equal(rated.before.size, 26);
    assert.equal(rated.before.get(51)!.home_matches, 12);
    assert.deepEqual(rated.before.get(50), rated.before.get(2));
    assert.deepEqual(
      rated.snapshots.map(({ published_at, ranked }) => [published_at, ranked.map((team) => team.participant_id)]),
      [['2020-11-30', [1, 2]]],
    );
    assert.deepEqual(
      await marginRatings(parameters, [next], '2021-06-01', async () => {}).then(({ snapshots }) => snapshots),
      [],
    );
  });

  it('adds ratings, home advantage and chances to the match card once each side has played five matches', () => {
    const before = { home: 1600, away: 1500, home_matches: 5, away_matches: 40, home_advantage: null, rest: null };
    const block = ratingBlock('american-football', false, before)!;
    assert.deepEqual([block.difference, block.home_advantage, block.home.rating], [165, 65, 1600]);
    assert.deepEqual(
      [block.parameters, ratingBlock('rugby', false, before)!.parameters],
      ['fivethirtyeight', 'assumed'],
    );
    assert.deepEqual(block.probabilities, { home_win: 71.95, draw: 0.32, away_win: 27.73 });
    assert.equal(ratingBlock('american-football', true, before)!.difference, 100);
    assert.equal(ratingBlock('basketball', false, before)!.probabilities.draw, null);
    assert.equal(ratingBlock('american-football', false, { ...before, home_matches: 4 }), null);
    assert.equal(ratingBlock('football', false, before), null);
    assert.equal(ratingBlock('american-football', false, null), null);
  });
});
