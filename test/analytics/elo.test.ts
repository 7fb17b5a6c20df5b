import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { backtest } from '../../src/analytics/backtest/match-backtest.ts';
import { ClubElo, type ClubMatch, marginFactor, startingRating } from '../../src/analytics/elo/clubs.ts';
import { differencesBefore } from '../../src/analytics/elo/differences.ts';
import { expectedResult } from '../../src/analytics/elo/elo.ts';
import { LeagueLinks } from '../../src/analytics/elo/league-links.ts';
import { matchWeight } from '../../src/analytics/elo/match-weights.ts';
import { goalIndex, type NationalMatch, NationalTeamElo } from '../../src/analytics/elo/national-teams.ts';
import { fitOutcomes, outcomeForecast } from '../../src/analytics/elo/outcomes.ts';
import { clubRatings, nationalRatings } from '../../src/analytics/elo/ratings.ts';
import { snapshotDays } from '../../src/analytics/elo/snapshot-days.ts';
import { fitEloCommand } from '../../src/analytics/fit/fit-elo.ts';
import { matchDays } from '../../src/analytics/samples/match-days.ts';
import { sourceOf, TWO_LEAGUES } from './history.ts';

const DAY = 86_400;
const at = (day: string) => Date.parse(`${day}T15:00:00Z`) / 1000;
const near = (actual: number, expected: number, what?: string) =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${what ?? ''} ${actual} is not ${expected}`);

let lastId = 0;
const national = (
  home_id: number,
  away_id: number,
  score: [number, number],
  over: Partial<NationalMatch> = {},
): NationalMatch => ({
  id: ++lastId,
  start: at('2024-06-01'),
  home_id,
  away_id,
  home_score: score[0],
  away_score: score[1],
  host: null,
  weight: 20,
  ...over,
});
const club = (home_id: number, away_id: number, score: [number, number], over: Partial<ClubMatch> = {}): ClubMatch => ({
  id: ++lastId,
  start: at('2024-06-01'),
  home_id,
  away_id,
  home_score: score[0],
  away_score: score[1],
  host: 'home',
  tournament_id: 1,
  season_id: 1,
  country: 'ES',
  tier: 1,
  importance: 90,
  ...over,
});
const setOf = (...clubs: number[]) => new Set(clubs);

/** Generates matches between eight teams on a few days. */
const someMatches = fc
  .array(
    fc.record({
      day: fc.nat(5),
      home: fc.nat(7),
      away: fc.nat(7),
      home_score: fc.nat(6),
      away_score: fc.nat(6),
      host: fc.constantFrom('home', 'away', null),
      weight: fc.constantFrom(20, 30, 40, 50, 60),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((list) =>
    list
      .filter(({ home, away }) => home !== away)
      .map(
        ({ day, home, away, home_score, away_score, host, weight }, index): NationalMatch => ({
          id: index + 1,
          start: day * DAY + index,
          home_id: home + 1,
          away_id: away + 1,
          home_score,
          away_score,
          host,
          weight,
        }),
      ),
  );
const playAll = (matches: readonly NationalMatch[]) => {
  const elo = new NationalTeamElo();
  for (const { matches: day } of matchDays(matches)) elo.play(day);
  return elo;
};

describe('Elo ratings', () => {
  describe('national teams', () => {
    it('a match moves K × G × (W − We) points', () => {
      // The example on eloratings.net/about: 630 against 500 points.
      assert.equal(expectedResult(130).toFixed(3), '0.679');
      const elo = new NationalTeamElo();
      elo.ratings.enter(1, 630);
      elo.ratings.enter(2, 500);
      elo.play([national(1, 2, [3, 1])]);
      near(elo.ratings.of(1)!, 630 + 20 * 1.5 * (1 - expectedResult(130)));
      const home = new NationalTeamElo();
      home.play([national(1, 2, [0, 0], { host: 'home', weight: 60 })]);
      near(home.ratings.of(1)!, 1500 + 60 * (0.5 - expectedResult(100)));
      const away = new NationalTeamElo();
      away.play([national(1, 2, [0, 0], { host: 'away', weight: 60 })]);
      near(away.ratings.of(2)!, home.ratings.of(1)!);
    });

    it('margins and tournaments have the published factors', () => {
      assert.deepEqual([0, 1, 2, 3, 4, 5, -3].map(goalIndex), [1, 1, 1.5, 1.75, 1.875, 2, 1.75]);
      const tournaments = {
        'FIFA World Cup': 60,
        'Copa América': 50,
        'FIFA World Cup Qualification': 40,
        'UEFA Nations League': 40,
        'British Home Championship': 30,
        'International Friendlies': 20,
      };
      for (const [name, weight] of Object.entries(tournaments)) assert.equal(matchWeight(name), weight, name);
    });

    it('the teams’ points together stay constant', () => {
      fc.assert(
        fc.property(someMatches, (matches) => {
          const { ratings } = playAll(matches);
          const teams = [...ratings.teams()];
          const sum = teams.reduce((total, team) => total + ratings.of(team)!, 0);
          assert.ok(Math.abs(sum - 1500 * teams.length) < 1e-6);
        }),
      );
    });

    it('ratings do not depend on the input order, even within a day', () => {
      fc.assert(
        fc.property(someMatches, fc.infiniteStream(fc.nat()), (matches, random) => {
          const order = matches.map((match) => ({ match, key: random.next().value as number }));
          const shuffled = order.toSorted((a, b) => a.key - b.key).map(({ match }) => match);
          const sameDay = shuffled.map((match) => ({ ...match, start: Math.floor(match.start / DAY) * DAY }));
          const [one, other] = [playAll(matches).ratings, playAll(sameDay).ratings];
          for (const team of one.teams()) assert.ok(Math.abs(one.of(team)! - other.of(team)!) < 1e-6);
        }),
      );
    });

    it('ratings are the same if the sides are swapped', () => {
      const turned = ({ home_id, away_id, home_score, away_score, host, ...match }: NationalMatch): NationalMatch => ({
        ...match,
        home_id: away_id,
        away_id: home_id,
        home_score: away_score,
        away_score: home_score,
        host: host === null ? null : host === 'home' ? 'away' : 'home',
      });
      fc.assert(
        fc.property(someMatches, (matches) => {
          const [one, other] = [playAll(matches).ratings, playAll(matches.map(turned)).ratings];
          for (const team of one.teams()) assert.ok(Math.abs(one.of(team)! - other.of(team)!) < 1e-6);
        }),
      );
    });

    it('a match uses ratings from earlier days only', () => {
      fc.assert(
        fc.property(someMatches, fc.nat(5), fc.nat(9), (matches, day, score) => {
          const later = matches.map((match) =>
            match.start >= day * DAY ? { ...match, home_score: score, away_score: 0 } : match,
          );
          const [before, after] = [matches, later].map((all) => differencesBefore(new NationalTeamElo(), all));
          for (const { id, start } of matches)
            if (start < (day + 1) * DAY) assert.equal(after!.get(id), before!.get(id));
        }),
      );
    });
  });

  describe('clubs', () => {
    it('a match moves 20 × the root of the margin × (R − E) points, with the country’s home advantage', () => {
      assert.deepEqual([0, 1, 4, -9].map(marginFactor), [1, 1, 2, 3]);
      assert.deepEqual([startingRating(90), startingRating(50)], [1700, 1380]);
      const elo = new ClubElo(new Map([[1, setOf(1, 2)]]));
      elo.play([club(1, 2, [4, 0])]);
      const points = 20 * 2 * (1 - expectedResult(100));
      near(elo.ratings.of(1)!, 1700 + points);
      near(elo.ratings.of(2)!, 1700 - points);
      // After this match, home advantage in this country is worth more. In a different country it is unchanged.
      near(elo.difference(club(1, 2, [0, 0])), 2 * points + 100 + 0.075 * points);
      near(elo.difference(club(3, 4, [0, 0], { country: 'IT', tournament_id: 2, season_id: 9 })), 100);
      near(elo.difference(club(1, 2, [0, 0], { host: null })), 2 * points);
    });

    it('promoted clubs get the relegated clubs’ rating, and the rest keep their points', () => {
      const seasons = new Map([
        [1, setOf(1, 2, 3, 4)],
        [2, setOf(1, 2, 5, 6)],
      ]);
      const elo = new ClubElo(seasons);
      elo.play([club(1, 3, [3, 0]), club(2, 4, [1, 1])]);
      const [three, four, one] = [3, 4, 1].map((id) => elo.ratings.of(id)!) as [number, number, number];
      const next = { season_id: 2, start: at('2024-08-20'), host: null } as const;
      near(elo.difference(club(1, 5, [0, 0], next)), one - (three + four) / 2, 'before its first match');
      elo.play([club(1, 2, [0, 0], { ...next, start: at('2024-08-18') })]);
      near(elo.ratings.of(5)!, (three + four) / 2);
      near(elo.ratings.of(6)!, (three + four) / 2);
      near(elo.ratings.of(3)!, three);
    });

    it('a match between two leagues moves the points of every club in both, and keeps their total', () => {
      const seasons = new Map([
        [1, setOf(1, 2)],
        [2, setOf(11, 12, 13, 14)],
      ]);
      const elo = new ClubElo(seasons);
      const italian = { country: 'IT', tournament_id: 2, season_id: 2 };
      elo.play([club(1, 2, [0, 0]), club(11, 12, [0, 0], italian), club(13, 14, [0, 0], italian)]);
      const before = new Map([1, 2, 11, 12, 13, 14].map((id) => [id, elo.ratings.of(id)!]));
      const cup = club(1, 11, [1, 0], {
        country: 'INT',
        tournament_id: 3,
        season_id: 3,
        tier: null,
        start: at('2024-06-05'),
      });
      const points = 20 * (1 - expectedResult(elo.difference(cup)));
      elo.play([cup]);
      const gained = (id: number) => elo.ratings.of(id)! - before.get(id)!;
      near(gained(2), (5 * points) / 2);
      near(gained(1), points + (5 * points) / 2);
      near(gained(12), (-5 * points) / 4);
      near(gained(11), -points - (5 * points) / 4);
      near(
        [...before.keys()].reduce((sum, id) => sum + gained(id), 0),
        0,
      );
    });

    it('a match against a club without a league moves the points of those two clubs only', () => {
      const elo = new ClubElo(new Map([[1, setOf(1, 2)]]));
      elo.play([club(1, 2, [0, 0])]);
      const two = elo.ratings.of(2)!;
      const cup = { country: 'INT', tournament_id: 3, season_id: 3, tier: null, start: at('2024-06-05') };
      elo.play([club(1, 99, [1, 0], cup)]);
      near(elo.ratings.of(2)!, two);
      near(elo.ratings.of(1)! + elo.ratings.of(99)!, startingRating(30) + 2 * 1700 - two);
      assert.deepEqual(elo.leagueClubs('ES', at('2024-06-06')), [1, 2]);
    });

    it('two leagues are compared only if matches link them', () => {
      const links = new LeagueLinks();
      links.note('ES', 'IT', 100);
      links.note('IT', 'FR', 50);
      links.note('BR', 'AR', 100);
      const clubs = new Map([
        ['ES', 20],
        ['IT', 20],
        ['FR', 18],
        ['BR', 30],
        ['AR', 25],
        ['JP', 99],
      ]);
      assert.deepEqual([...links.largestGroup(clubs, 0)].toSorted(), ['ES', 'FR', 'IT']);
      assert.deepEqual([...links.largestGroup(clubs, 60)].toSorted(), ['AR', 'BR']);
      assert.deepEqual([...links.largestGroup(clubs, 101)], []);
    });
  });

  describe('published rankings', () => {
    it('appear at month ends and year ends', () => {
      const days = snapshotDays(at('2010-03-05'), at('2024-02-10'), '2024-06-01');
      const first = ['2010-12-31', '2011-12-31', '2012-12-31', '2013-12-31', '2014-03-31', '2014-04-30'];
      assert.deepEqual(days.slice(0, 6), first);
      assert.deepEqual(days.slice(-3), ['2023-12-31', '2024-01-31', '2024-02-29']);
      // The month in progress is included.
      assert.deepEqual(snapshotDays(at('2024-01-05'), at('2024-02-10'), '2024-02-20'), ['2024-01-31', '2024-02-10']);
      assert.deepEqual(snapshotDays(at('2024-02-10'), at('2024-02-10'), '2024-03-01'), ['2024-02-29']);
    });

    it('list teams with 30 matches, at least one of them in the last four years, and teams with equal points share a rank', async () => {
      const seasons = new Map();
      const rounds = Array.from({ length: 30 }, (_, round) => at('2020-01-01') + round * DAY);
      const matches = rounds.flatMap((start) => [national(1, 2, [1, 1], { start }), national(3, 4, [1, 1], { start })]);
      const newcomer = national(5, 1, [0, 0], { start: at('2020-02-05') });
      const late = rounds.map((_, round) => national(6, 7, [1, 0], { start: at('2024-03-01') + round * DAY }));
      const given = { national: [...matches, newcomer, ...late], clubs: [], seasons };
      const ratings = await nationalRatings(given, '2026-01-01', setImmediate);
      const ranked = (day: string) =>
        ratings.snapshots
          .find(({ published_at }) => published_at === day)
          ?.ranked.map(({ participant_id, rank }) => [participant_id, rank]);
      assert.equal(ranked('2020-01-31')?.length, 4);
      assert.deepEqual(ranked('2020-02-29'), [
        [1, 1],
        [2, 1],
        [3, 1],
        [4, 1],
      ]);
      assert.deepEqual(ranked('2024-03-31'), [
        [6, 1],
        [7, 2],
      ]);
      const none = await clubRatings({ national: [], clubs: [], seasons }, '2026-01-01', setImmediate);
      assert.deepEqual(none.snapshots, []);
    });
  });

  describe('Elo forecasts', () => {
    const curve = { slope: 0.005, draw: 0.6 };
    it('add up to 1, and are mirrored if the sides are swapped', () => {
      fc.assert(
        fc.property(fc.double({ min: -1500, max: 1500, noNaN: true }), (difference) => {
          const one = outcomeForecast(difference, curve);
          const other = outcomeForecast(-difference, curve);
          near(one.home + one.draw + one.away, 1);
          near(one.home, other.away);
          assert.ok(Math.min(one.home, one.draw, one.away) > 0);
        }),
      );
    });

    it('are computed from ratings by a curve that is fitted to results', () => {
      const sample = Array.from({ length: 4_000 }, (_, index) => {
        const difference = (index % 81) * 10 - 400;
        const { home, draw } = outcomeForecast(difference, curve);
        const quantile = ((index * 7_919) % 4_001) / 4_001;
        return { difference, result: quantile < home ? 1 : quantile < home + draw ? 0.5 : 0 };
      });
      const { slope, draw } = fitOutcomes(sample);
      assert.ok(Math.abs(slope - curve.slope) < 3e-4, `${slope}`);
      assert.ok(Math.abs(draw - curve.draw) < 0.06, `${draw}`);
      assert.throws(() => fitOutcomes([]), /no match/);
    });

    it('come from a fit on early matches only', async () => {
      const early = Array.from({ length: 60 }, (_, round) =>
        national(1, 2, [round % 3 === 0 ? 1 : 0, round % 3 === 1 ? 1 : 0], { start: at('1960-01-01') + round * DAY }),
      );
      const clubMatches = early.map((match) =>
        club(1, 2, [match.home_score, match.away_score], { start: at('2000-01-01') + match.id * DAY }),
      );
      const later = early.map((match) => ({ ...match, id: match.id + 1_000, start: at('2010-01-01'), home_score: 9 }));
      const fit = async (nationals: NationalMatch[]) => {
        const lines: string[] = [];
        const seasons = new Map([[1, setOf(1, 2)]]);
        const ratedMatches = async () => ({ national: nationals, clubs: clubMatches, seasons });
        await fitEloCommand({ ...sourceOf([]), ratedMatches }, (line) => lines.push(line));
        return lines;
      };
      const lines = await fit(early);
      assert.match(
        lines[0]!,
        /^clubs: slope 0.\d+, draw \d.\d+; log-loss \d.\d{4} of 60 matches from 1995-07-01 until 2005-07-01$/,
      );
      assert.match(lines[1]!, /^national teams: .* of 60 matches from 1950-01-01 until 1991-01-01$/);
      assert.deepEqual(await fit([...early, ...later]), lines);
      await assert.rejects(
        fitEloCommand(sourceOf([]), () => {}),
        /no ratings/,
      );
    });

    it('are compared with the other models in a backtest, for football only', async () => {
      const checkpoints = mkdtempSync(join(tmpdir(), 'touchline-elo-'));
      try {
        const options = { from: 0, to: Number.MAX_SAFE_INTEGER, checkpoints };
        const report = await backtest(sourceOf(...TWO_LEAGUES), options);
        const { elo, poisson } = report.all!.models;
        assert.ok(elo!.rps > 0.1 && elo!.rps < 0.3, `${elo!.rps}`);
        assert.equal(elo!.over_under_2_5_log_loss, null);
        assert.notEqual(poisson!.over_under_2_5_log_loss, null);
        const source = sourceOf(...TWO_LEAGUES);
        const hockey = {
          ...source,
          tournaments: async () => (await source.tournaments()).map((one) => ({ ...one, sport: 'ice-hockey' })),
        };
        const other = await backtest(hockey, options);
        assert.equal(other.all!.models.elo, undefined);
        assert.equal(other.all!.matches, report.all!.matches);
      } finally {
        rmSync(checkpoints, { recursive: true, force: true });
      }
    });
  });
});
