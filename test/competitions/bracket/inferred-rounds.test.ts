import assert from 'node:assert/strict';
import { inferRounds } from '../../../src/competitions/bracket/inferred-rounds.ts';
import type { RoundMatch } from '../../../src/competitions/bracket/knockout-rounds.ts';
import { played, read } from './fixtures.ts';

type Pair = readonly [number, number];
const match = (home: string, away: string, score: Pair, over: Parameters<typeof played>[4] = {}) =>
  played(null, home, away, score, over);
/** Makes group matches, in which every pair in a group meets once. */
const groups = (...sides: string[][]): RoundMatch[] =>
  sides.flatMap((group) => group.flatMap((home, at) => group.slice(at + 1).map((away) => match(home, away, [1, 0]))));
const letters = (count: number) =>
  Array.from({ length: count }, (_, at) => ['A', 'B', 'C', 'D'].map((one) => `${one}${at + 1}`));
/** Infers rounds from matches with groups of four. `A1`, `B1`, `C1` and `D1` are one group. */
const rounds = (matches: readonly RoundMatch[]) => read(inferRounds(matches));

describe('cup rounds that no source names', () => {
  it('four sides that play alone have semi-finals, a third-place match and the final, with a replay', () => {
    const cup = [
      match('Italy', 'Soviet Union', [0, 0], { PEN: [1, 0] }),
      match('Yugoslavia', 'England', [1, 0]),
      match('England', 'Soviet Union', [2, 0]),
      match('Italy', 'Yugoslavia', [1, 1]),
      match('Italy', 'Yugoslavia', [2, 0]),
    ];
    assert.deepEqual(rounds(cup), [
      'Semi-finals: Italy-Soviet Union 0:0 Italy (0:0, 1:0 on penalties) | Yugoslavia-England 1:0 Yugoslavia (1:0)',
      'Third place: England-Soviet Union 2:0 England (2:0)',
      'Final: Italy-Yugoslavia 2:0 Italy (1:1; 2:0 in the replay)',
    ]);
  });

  it('rounds after a group stage lead to the final, even if the third-place match is on the same day', () => {
    const cup = groups(...letters(4));
    const quarters = [
      match('A1', 'B2', [1, 0]),
      match('A2', 'B1', [0, 0], { PEN: [3, 4] }),
      match('A3', 'B4', [2, 1]),
      match('A4', 'B3', [0, 3]),
    ];
    const semis = [match('A1', 'B1', [2, 0]), match('A3', 'B3', [0, 1])];
    const day = { start: semis[1]!.start + 86_400 };
    const last = [match('A1', 'B3', [1, 0], day), match('B1', 'A3', [1, 0], day)];
    assert.deepEqual(
      rounds([...cup, ...quarters, ...semis, ...last]).map((line) => line.split(':')[0]),
      ['Quarter-finals', 'Semi-finals', 'Third place', 'Final'],
    );
    assert.match(rounds([...cup, ...quarters, ...semis, ...last]).at(-1)!, /^Final: A1-B3/);
  });

  it('the winners of two groups play the final, and before it the runners-up play for third place', () => {
    const cup = [
      ...groups(['A', 'B', 'C', 'D'], ['E', 'F', 'G', 'H']),
      match('B', 'F', [1, 0]),
      match('A', 'E', [0, 2]),
    ];
    assert.deepEqual(rounds(cup), ['Third place: B-F 1:0 B (1:0)', 'Final: A-E 0:2 E (0:2)']);
  });

  it('two legs form one tie', () => {
    const cup = [
      ...groups(['A', 'B', 'C', 'D'], ['E', 'F', 'G', 'H']),
      match('A', 'F', [1, 0]),
      match('F', 'A', [2, 0]),
      match('E', 'B', [0, 0]),
      match('B', 'E', [0, 1]),
      match('F', 'E', [3, 1]),
    ];
    assert.deepEqual(
      rounds(cup).map((line) => line.split(' (')[0]),
      ['Semi-finals: A-F 1:2 F', 'Final: F-E 3:1 F'],
    );
  });

  describe('there is no bracket', () => {
    const cup = groups(...letters(2));
    const semis = [match('A1', 'B2', [1, 0]), match('A2', 'B1', [1, 0])];
    const final = match('A1', 'A2', [1, 0]);
    const none = (...matches: RoundMatch[]) => assert.deepEqual(rounds(matches), []);

    it('for a round robin, a decider after a round robin, or a single match', () => {
      none(...groups(['A', 'B', 'C', 'D']));
      none(...groups(['A', 'B', 'C', 'D']), match('A', 'B', [1, 0]));
      none(match('A', 'B', [1, 0]));
      none(match('A', 'B', [1, 0]), match('C', 'D', [1, 0]));
    });

    it('for a final group', () => {
      none(...groups(...letters(2)), ...groups(['A1', 'B1', 'A2', 'B2']));
    });

    it('if the final, a semi-final or a score is missing, or a loser plays again', () => {
      assert.equal(rounds([...cup, ...semis, final]).length, 2);
      none(...cup, ...semis);
      none(...cup, semis[0]!, final);
      none(...cup, ...semis, { ...final, home_score: null });
      none(...cup, ...semis, { ...final, status: 'scheduled' });
      none(...cup, ...semis, match('B2', 'A2', [1, 0]));
    });

    it('for a play-off between two of many qualifying groups', () => {
      none(...groups(...letters(8)), match('B1', 'B2', [1, 0]));
    });
  });

  it('cancelled and abandoned matches do not count', () => {
    const void_ = { status_detail: 'cancelled', home_score: null, away_score: null } as const;
    const cup = [
      ...groups(['A', 'B', 'C', 'D'], ['E', 'F', 'G', 'H']),
      match('A', 'E', [0, 0], void_),
      match('A', 'E', [1, 0]),
    ];
    assert.deepEqual(rounds(cup), ['Final: A-E 1:0 A (1:0)']);
  });
});
