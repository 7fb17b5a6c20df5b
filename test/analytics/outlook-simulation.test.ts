import assert from 'node:assert/strict';
import { fitLeague } from '../../src/analytics/calibrated/calibrated-model.ts';
import { type SamplerFor, samplers } from '../../src/analytics/outlook/score-sampler.ts';
import { isDecided, type SimulatedTable, simulate } from '../../src/analytics/outlook/simulate.ts';
import { missingFixtures, wholeRounds } from '../../src/competitions/round-robin.ts';
import { tableRules } from '../../src/competitions/rules.ts';
import type { PlannedTable, SeasonPlan } from '../../src/competitions/season-plan.ts';
import type { Result } from '../../src/competitions/side-totals.ts';
import { match, sportOf } from './history.ts';

const NAMES = ['Ant', 'Bee', 'Cat', 'Dog', 'Eel', 'Fox'];
type Score = [home: number, away: number, homeScore: number, awayScore: number];

const results = (scores: readonly Score[]): Result[] =>
  scores.flatMap(([home, away, scored, conceded]) => {
    const outcome = (mine: number, theirs: number) => (mine > theirs ? 'W' : mine < theirs ? 'L' : 'D');
    return [
      {
        team: home,
        opponent: away,
        away: false,
        scored,
        conceded,
        outcome: outcome(scored, conceded),
        overtime: false,
      },
      {
        team: away,
        opponent: home,
        away: true,
        scored: conceded,
        conceded: scored,
        outcome: outcome(conceded, scored),
        overtime: false,
      },
    ];
  });
const table = (
  sides: number[],
  played: Score[],
  toPlay: [home: number, away: number][],
  extras: Partial<PlannedTable['extras']> = {},
  group: string | null = null,
): PlannedTable => ({
  group,
  sides: sides.map((id) => ({
    id,
    name: NAMES[id - 1]!,
    name_ru: null,
    current_name: NAMES[id - 1]!,
    adjustment: 0,
    placed: null,
  })),
  results: results(played),
  fixtures: toPlay.map(([home, away], index) => ({ id: index + 1, home, away, neutral: false })),
  extras: { adjustments: new Map(), placed: new Map(), playOffs: [], ...extras },
});
const plan = (tables: SeasonPlan['tables'], rules: object = {}, over: Partial<SeasonPlan> = {}): SeasonPlan => ({
  rules: tableRules('football', [rules]),
  tables,
  division: null,
  championLeads: true,
  unknown: 0,
  isEnded: false,
  lacksResults: false,
  ...over,
});
/** Returns a function that draws one of these scores, each with the same probability. */
const drawn =
  (...scores: [number, number][]): SamplerFor =>
  () =>
  (random, into) => {
    const [home, away] = scores[(random.next() >>> 0) % scores.length]!;
    Object.assign(into, { home, away, overtime: false });
  };
const fixed = (home: number, away: number) => drawn([home, away]);
const run = (season: SeasonPlan, sampler: SamplerFor | null, seed = 1, runs = 2_000) =>
  simulate(season, sampler, { runs, seed });
/** Returns how often a side finished in each place, as shares. */
const shares = (tables: SimulatedTable[], id: number, runs = 2_000) =>
  [...tables[0]!.sides.find((side) => side.id === id)!.places].map((times) => times / runs);
const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 0.04, `${actual}`);

describe('season simulations', () => {
  it('a side with one match left finishes first as often as simulated results of that match put it ahead', async () => {
    // Ant leads by three points. Of the four possible results, Bee overtakes it only by 2:0.
    const season = plan([table([1, 2], [[1, 2, 1, 0]], [[2, 1]])]);
    const outcome = await run(season, drawn([2, 0], [0, 0], [0, 1], [1, 2]));
    near(shares(outcome, 2)[0]!, 0.25);
    near(shares(outcome, 1)[0]!, 0.75);
    const points = outcome[0]!.sides.find(({ id }) => id === 1)!.points / 2_000;
    // Ant has 3 points, and gains 0, 1, 3 or 3 with equal probability.
    assert.ok(Math.abs(points - 4.75) < 0.1, `${points}`);
  });

  it('tie-breakers apply in the order that the rules give', async () => {
    // Ant and Bee will both have 6 points. Bee won at Ant, but Ant has the better goal difference.
    const played: Score[] = [
      [1, 2, 0, 1],
      [1, 3, 5, 0],
      [3, 2, 0, 1],
    ];
    const season = (...tie_breaks: string[]) => plan([table([1, 2, 3], played, [[1, 3]])], { tie_breaks });
    assert.deepEqual(shares(await run(season('goal_difference', 'head_to_head_points'), fixed(1, 0)), 1), [1, 0, 0]);
    assert.deepEqual(shares(await run(season('head_to_head_points', 'goal_difference'), fixed(1, 0)), 1), [0, 1, 0]);
  });

  it('head-to-head tie-breakers count the simulated matches', async () => {
    // Ant beat Bee by one goal, and loses the simulated match by two goals.
    const played: Score[] = [
      [1, 2, 1, 0],
      [1, 3, 0, 0],
      [2, 3, 0, 0],
    ];
    const season = plan([table([1, 2, 3], played, [[2, 1]])], { tie_breaks: ['head_to_head_goal_difference', 'name'] });
    assert.deepEqual(shares(await run(season, fixed(2, 0)), 2), [1, 0, 0]);
  });

  it('a points deduction in the last round changes the champion', async () => {
    const sides = (points: number) =>
      plan([table([1, 2], [[1, 2, 1, 0]], [[2, 1]], { adjustments: new Map([[1, points]]) })]);
    assert.deepEqual(shares(await run(sides(0), fixed(0, 0)), 1), [1, 0]);
    assert.deepEqual(shares(await run(sides(-4), fixed(0, 0)), 1), [0, 1]);
  });

  it('a side that the organizer has placed last finishes last whatever it wins', async () => {
    const season = plan([
      table(
        [1, 2, 3],
        [],
        [
          [1, 2],
          [1, 3],
        ],
        { placed: new Map([[1, 3]]) },
      ),
    ]);
    assert.deepEqual(shares(await run(season, fixed(9, 0)), 1), [0, 0, 1]);
  });

  it('sides that stay level are ordered by lot while the season goes on, and by name once it is over', async () => {
    const open = plan([
      table(
        [1, 2, 3],
        [],
        [
          [1, 2],
          [2, 3],
          [3, 1],
        ],
      ),
    ]);
    const outcome = await run(open, fixed(0, 0));
    for (const id of [1, 2, 3]) for (const share of shares(outcome, id)) near(share, 1 / 3);
    const over = plan([table([1, 2], [[1, 2, 0, 0]], [])]);
    assert.equal(isDecided(over), true);
    assert.deepEqual(shares(await run(over, null, 1, 1), 1, 1), [1, 0]);
  });

  it('groups are separate tables', async () => {
    const season = plan([table([1, 2], [], [[1, 2]], {}, 'Group A'), table([3, 4], [], [[3, 4]], {}, 'Group B')]);
    const outcome = await run(season, fixed(1, 0));
    assert.deepEqual(
      outcome.map(({ group, sides }) => [group, sides.map(({ id, places }) => [id, [...places]])]),
      [
        [
          'Group A',
          [
            [1, [2_000, 0]],
            [2, [0, 2_000]],
          ],
        ],
        [
          'Group B',
          [
            [3, [2_000, 0]],
            [4, [0, 2_000]],
          ],
        ],
      ],
    );
  });

  describe('in a divided league', () => {
    const groups = [
      { name: 'Top', places: [1, 2], meetings: 2, points: 'halve_up' },
      { name: 'Bottom', places: [3, 4], meetings: 1 },
    ];
    const rules = { split: { after: 3, groups } };
    const divided = (played: Score[], toPlay: [number, number][]) => {
      const season = plan([table([1, 2, 3, 4], played, toPlay)], rules);
      return { ...season, division: { split: season.rules.split!, later: [] } };
    };
    // After these matches, the sides have 9, 6, 3 and 0 points.
    const regular: Score[] = [
      [1, 2, 1, 0],
      [1, 3, 1, 0],
      [1, 4, 1, 0],
      [2, 3, 1, 0],
      [2, 4, 1, 0],
      [3, 4, 1, 0],
    ];

    it('sides stay in the groups into which the league has been split, and matches within each group are played', async () => {
      const season = divided(regular, []);
      assert.equal(isDecided(season), false);
      const outcome = await run(season, drawn([1, 0], [0, 1]));
      // Ant has 5 points (4.5 rounded up) and Bee 3, so Bee has to win both matches against Ant.
      near(shares(outcome, 2)[0]!, 0.25);
      assert.deepEqual(shares(outcome, 2).slice(2), [0, 0]);
      // The bottom group keeps its results. If Dog wins, Cat and Dog both have 3 points and 1:3 goals.
      near(shares(outcome, 4)[2]!, 0.25);
      assert.deepEqual(shares(outcome, 4).slice(0, 2), [0, 0]);
    });

    it('the simulated regular season decides which sides play in which group', async () => {
      // Without the last match, Cat has 0 points and Bee 6. Neither Cat nor Dog can then finish second.
      const outcome = await run(divided(regular.slice(0, 5), [[3, 4]]), drawn([1, 0], [0, 1]));
      assert.deepEqual(shares(outcome, 3).slice(0, 2), [0, 0]);
      // Cat and Dog each win the last match of the regular season in half of the runs.
      assert.ok(shares(outcome, 4)[2]! > 0.3 && shares(outcome, 3)[2]! > 0.3);
    });

    it('matches that were played after the split count', async () => {
      const season = divided(regular, []);
      const played = (home_id: number, away_id: number) => ({
        ...{ id: 9, group: null, round: '', matchday: null, start: 0, abandoned: false, lacks_result: false },
        ...{
          overtime: false,
          shoot_out: false,
          set_points: null,
          figures: null,
          counted: true as const,
          home_score: 3,
          away_score: 0,
          winner: 'home' as const,
        },
        home_id,
        away_id,
      });
      const outcome = await run(
        { ...season, division: { ...season.division, later: [played(2, 1), played(1, 2), played(3, 4)] } },
        null,
        1,
        1,
      );
      // Ant has 5 + 3 points, and the other side 3 + 3.
      assert.deepEqual(shares(outcome, 1, 1), [1, 0, 0, 0]);
    });
  });

  describe('with the calibrated model', () => {
    const league = [match(0, 1, '2:0', 2), match(1, 2, '1:1', 1), match(2, 1, '3:1', 2)];
    const fit = fitLeague(league, match(9, 1, '0:0', 2).start, sportOf({ low_score_correlation: -0.1 }))!;
    const season = plan([table([1, 2], [], [[1, 2]])]);

    it('the same seed gives the same figures, and a different seed gives different figures', async () => {
      const places = async (seed: number) => {
        const [{ sides }] = (await run(season, samplers(fit, false), seed)) as [SimulatedTable];
        return sides.map((side) => [...side.places]);
      };
      assert.deepEqual(await places(7), await places(7));
      assert.notDeepEqual(await places(7), await places(8));
    });

    it('scores are as frequent as the model says', async () => {
      const { predictCalibrated } = await import('../../src/analytics/calibrated/calibrated-model.ts');
      const { probabilities } = predictCalibrated(fit, 1, 2, false)!;
      const [{ sides }] = (await run(season, samplers(fit, false), 3, 20_000)) as [SimulatedTable];
      const points = sides.find(({ id }) => id === 1)!.points / 20_000;
      const expected = 3 * probabilities.home_win + probabilities.draw;
      assert.ok(Math.abs(points - expected) < 0.03, `${points} instead of ${expected}`);
    });

    it('a sport without draws decides level scores in overtime', async () => {
      const hockey = plan([table([1, 2], [], [[1, 2]])], {
        points: { win: 3, draw: 1, loss: 0, overtime_win: 2, overtime_loss: 1 },
      });
      const [{ sides }] = (await run(hockey, samplers(fit, true))) as [SimulatedTable];
      assert.equal(
        sides.reduce((sum, { points }) => sum + points, 0),
        3 * 2_000,
      );
    });
  });

  describe('fixtures that no source lists', () => {
    const listed = (...pairs: [number, number][]) => pairs.map(([home_id, away_id]) => ({ home_id, away_id }));

    it('a round robin is recognized from the listed matches', () => {
      assert.equal(wholeRounds(listed([1, 2], [2, 1])), 2);
      assert.equal(wholeRounds(listed([1, 2], [2, 3], [3, 1])), 1);
      assert.equal(wholeRounds(listed([1, 2], [2, 3])), null);
      assert.equal(wholeRounds([]), null);
    });

    it('the second half of a season mirrors the first half, with home and away exchanged', () => {
      assert.deepEqual(missingFixtures([1, 2, 3], listed([1, 2], [2, 3], [3, 1]), 2), {
        fixtures: [
          { home: 2, away: 1, neutral: false },
          { home: 1, away: 3, neutral: false },
          { home: 3, away: 2, neutral: false },
        ],
        unknown: 3,
      });
    });

    it('an odd last meeting is at a neutral venue, and a surplus meeting adds no fixture', () => {
      assert.deepEqual(missingFixtures([1, 2], listed([1, 2], [2, 1]), 3).fixtures, [
        { home: 1, away: 2, neutral: true },
      ]);
      assert.deepEqual(missingFixtures([1, 2], listed([1, 2], [2, 1], [1, 2]), 2), { fixtures: [], unknown: 0 });
    });

    it('a tournament without a format gets a count of missing fixtures, but no pairings', () => {
      assert.deepEqual(missingFixtures([1, 2, 3, 4], listed([1, 2], [1, 3]), null), { fixtures: [], unknown: 2 });
    });
  });
});
