import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Fixture, inferStages } from '../../src/competitions/inferred-groups.ts';

/** Makes fixtures. Only the order of the days matters. */
const on = (day: number, ...pairs: [home: number, away: number][]): Fixture[] =>
  pairs.map(([home_id, away_id]) => ({ home_id, away_id, start: day }));

/** Makes a round robin of four sides on three days. */
const four = (day: number, [a, b, c, d]: [number, number, number, number]): Fixture[] => [
  ...on(day, [a, b], [c, d]),
  ...on(day + 1, [c, a], [b, d]),
  ...on(day + 2, [a, d], [b, c]),
];
const teams = (stages: Fixture[][][]) =>
  stages.map((groups) =>
    groups
      .map((group) => [...new Set(group.flatMap(({ home_id, away_id }) => [home_id, away_id]))].sort((a, b) => a - b))
      .sort((a, b) => a[0]! - b[0]!),
  );
const A: [number, number, number, number] = [1, 2, 3, 4];
const B: [number, number, number, number] = [5, 6, 7, 8];
const KNOCK_OUT = [...on(10, [1, 6], [5, 2]), ...on(12, [6, 2]), ...on(13, [1, 5])];

describe('inferred groups', () => {
  it('are found for two groups before semi-finals, a third-place match and a final', () => {
    const stages = inferStages([...KNOCK_OUT, ...four(1, A), ...four(1, B)]);
    assert.deepEqual(teams(stages), [[A, B]]);
    assert.equal(stages.flat(2).length, 12);
  });

  it('may have two meetings for each pair, one smaller group, and sides that join only for the knock-outs', () => {
    const back = (fixtures: Fixture[], days: number) =>
      fixtures.map(({ home_id, away_id, start }) => ({
        home_id: away_id,
        away_id: home_id,
        start: start + days,
      }));
    const three = [...on(1, [5, 6]), ...on(2, [6, 7]), ...on(3, [7, 5])];
    const first = [...four(1, A), ...three];
    const knockOut = [...on(20, [1, 9], [5, 2]), ...on(22, [1, 5])];
    assert.deepEqual(teams(inferStages([...first, ...back(first, 5), ...knockOut])), [[A, [5, 6, 7]]]);
  });

  it('are found even if most sides join only for the knock-outs, provided that these sides all begin in one round', () => {
    const groups = [...four(1, A), ...four(1, B)];
    const quarters = on(10, [1, 9], [5, 10], [11, 12], [13, 14]);
    const rest = [...on(12, [1, 5], [11, 13]), ...on(14, [1, 11])];
    assert.deepEqual(teams(inferStages([...groups, ...quarters, ...rest])), [[A, B]]);
    // Side 9 meets two sides that have not met each other. The three may be a group in which a match is missing.
    const ring = [...on(10, [9, 10]), ...on(11, [9, 11]), ...on(12, [1, 5])];
    assert.deepEqual(inferStages([...groups, ...ring]), []);
    assert.deepEqual(
      inferStages([...groups, ...on(10, [1, 9], [2, 10], [3, 11], [5, 12])]),
      [],
      'three of one group, one of the other',
    );
  });

  it('are one group for a round robin between all sides, with or without a final', () => {
    assert.deepEqual(teams(inferStages(four(1, A))), [[A]]);
    assert.deepEqual(teams(inferStages([...four(1, A), ...on(9, [1, 3])])), [[A]]);
    assert.deepEqual(teams(inferStages([...four(1, A), ...on(8, [2, 4]), ...on(9, [1, 3])])), [[A]]);
  });

  it('a second group stage is a separate stage', () => {
    const final = four(10, [1, 2, 5, 6]);
    assert.deepEqual(teams(inferStages([...four(1, A), ...four(1, B), ...final])), [[A, B], [[1, 2, 5, 6]]]);
  });

  it('begin after preliminary ties, each of which lets one side advance', () => {
    const preliminary = [...on(1, [1, 11], [5, 12]), ...on(2, [11, 1], [12, 5])];
    const stages = inferStages([...preliminary, ...four(4, A), ...four(4, B), ...KNOCK_OUT]);
    assert.deepEqual(teams(stages), [[A, B]]);
    assert.equal(stages.flat(2).length, 12);
  });

  it('do not exist for knock-out matches, two-leg ties or a single match', () => {
    assert.deepEqual(inferStages([]), []);
    assert.deepEqual(inferStages(on(1, [1, 2])), []);
    assert.deepEqual(inferStages([...on(1, [1, 2], [3, 4]), ...on(2, [2, 1], [4, 3])]), []);
    assert.deepEqual(inferStages([...on(1, [1, 2], [3, 4], [5, 6], [7, 8]), ...KNOCK_OUT]), []);
  });

  it('are not found if the fixtures can be read in more than one way', () => {
    const groups = [...four(1, A), ...four(1, B)];
    const cases: [why: string, fixtures: Fixture[]][] = [
      ['a match is missing', [...groups.slice(1), ...KNOCK_OUT]],
      ['a match was played twice', [...groups, ...on(4, [1, 2]), ...KNOCK_OUT]],
      [
        'the last match of a group is on the day of the first semi-final',
        [
          ...groups.filter(({ home_id, away_id }) => !(home_id === 2 && away_id === 3)),
          ...on(10, [2, 3]),
          ...KNOCK_OUT,
        ],
      ],
      ['two groups differ by two sides', [...on(1, [1, 2]), ...on(2, [2, 3]), ...on(3, [3, 1]), ...five(1)]],
      [
        'the winner of a first tie is in no group',
        [...on(1, [9, 10]), ...four(4, A), ...four(4, B), ...on(20, [1, 9])],
      ],
      ['one of the groups is played again', [...groups, ...four(10, A)]],
      ['a group of two', [...four(1, A), ...on(1, [5, 6])]],
      ['half of a second half follows', [...groups, ...on(10, [2, 1]), ...on(11, [6, 5])]],
      [
        'three sides and more matches than one final',
        [...on(1, [1, 2]), ...on(2, [2, 3]), ...on(3, [3, 1]), ...on(4, [1, 2]), ...on(5, [2, 3])],
      ],
      [
        'three sides, then mostly others',
        [...on(1, [1, 2]), ...on(2, [2, 3]), ...on(3, [3, 1]), ...on(5, [1, 4], [5, 6]), ...on(6, [4, 5])],
      ],
      [
        'what follows is not a knock-out',
        [...groups, ...on(10, [1, 5]), ...on(11, [5, 2]), ...on(12, [2, 6], [6, 1], [1, 2])],
      ],
    ];
    for (const [why, fixtures] of cases) assert.deepEqual(teams(inferStages(fixtures)), [], why);
  });

  /** Makes a round robin of sides 11 to 15 on five days. */
  function five(day: number): Fixture[] {
    const rounds: [number, number][][] = [
      [
        [11, 12],
        [13, 14],
      ],
      [
        [15, 11],
        [12, 13],
      ],
      [
        [14, 15],
        [11, 13],
      ],
      [
        [12, 14],
        [13, 15],
      ],
      [
        [14, 11],
        [15, 12],
      ],
    ];
    return rounds.flatMap((pairs, index) => on(day + index, ...pairs));
  }

  describe('in any order', () => {
    /** Returns the matchdays of a round robin. The first side stays in place, and all other sides rotate. */
    function matchdays(group: readonly number[]): [number, number][][] {
      const sides = group.length % 2 === 0 ? [...group] : [...group, 0];
      return Array.from({ length: sides.length - 1 }, () => {
        const pairs = sides
          .slice(0, sides.length / 2)
          .map((home, index): [number, number] => [home, sides[sides.length - 1 - index]!]);
        sides.splice(1, 0, sides.pop()!);
        return pairs.filter(([home, away]) => home !== 0 && away !== 0);
      });
    }

    /**
     * Generates a season: groups of `size` or one more sides, in which each pair meets `times` times, then a knock-out
     * between the group winners.
     */
    const season = fc
      .record({
        size: fc.integer({ min: 3, max: 5 }),
        more: fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 2, maxLength: 8 }),
        times: fc.integer({ min: 1, max: 2 }),
      })
      .map(({ size, more, times }) => {
        let side = 0;
        const groups = more.map((one) => Array.from({ length: size + one }, () => ++side));
        const stage = groups.flatMap((group) =>
          Array.from({ length: times }, () => matchdays(group))
            .flat()
            .flatMap((pairs, day) => on(day + 1, ...pairs)),
        );
        const knockOut: Fixture[] = [];
        let left = groups.map(([first]) => first!);
        for (let day = 20; left.length > 1; day += 1) {
          knockOut.push(...left.flatMap((one, index) => (index % 2 === 1 ? on(day, [left[index - 1]!, one]) : [])));
          left = left.filter((_, index) => index % 2 === 0);
        }
        return { groups, stage, knockOut };
      });

    it('groups are found in any fixture order', () => {
      fc.assert(
        fc.property(season, fc.integer({ min: 1, max: 1_000 }), ({ groups, stage, knockOut }, seed) => {
          const fixtures = [...stage, ...knockOut].sort(
            (a, b) => ((a.home_id * seed) % 97) - ((b.home_id * seed) % 97),
          );
          assert.deepEqual(teams(inferStages(fixtures)), [groups]);
        }),
        { numRuns: 200 },
      );
    });

    it('groups with a missing match are not found', () => {
      fc.assert(
        fc.property(season, fc.nat(), ({ stage, knockOut }, index) => {
          const fixtures = [...stage.filter((_, at) => at !== index % stage.length), ...knockOut];
          assert.deepEqual(inferStages(fixtures), []);
        }),
        { numRuns: 200 },
      );
    });
  });
});
