import assert from 'node:assert/strict';
import fc from 'fast-check';
import { headToHead } from '../../src/analytics/form/head-to-head.ts';
import { played, premierLeague } from './matches.ts';

const MEETINGS = [
  played(1, 1, '2:1', 2),
  played(2, 2, '3:0', 1),
  played(3, 2, '1:1', 1),
  played(4, 2, '0:1', 1),
  played(5, 1, '4:0', 3),
  played(6, 3, '2:2', 2),
];

describe('head-to-head', () => {
  it('counts from team_a’s point of view at either ground, and shows each score with that match’s home side first', () => {
    assert.deepEqual(headToHead(MEETINGS, 1, 2), {
      matches: 4,
      team_a_wins: 2,
      draws: 1,
      team_b_wins: 1,
      goals_avg: 2.25,
      over_2_5: 50,
      btts: 50,
      recent: [
        { date: '2024-01-05', score: '0:1', home: 'team_b' },
        { date: '2024-01-04', score: '1:1', home: 'team_b' },
        { date: '2024-01-03', score: '3:0', home: 'team_b' },
        { date: '2024-01-02', score: '2:1', home: 'team_a' },
      ],
    });
  });

  it('has no rates if the sides never met, or if a side is compared with itself', () => {
    const empty = {
      matches: 0,
      team_a_wins: 0,
      draws: 0,
      team_b_wins: 0,
      goals_avg: null,
      over_2_5: null,
      btts: null,
      recent: [],
    };
    assert.deepEqual(headToHead([], 1, 2), empty);
    assert.deepEqual(headToHead(MEETINGS, 1, 9), empty);
    assert.deepEqual(headToHead([...MEETINGS, played(7, 1, '1:0', 1)], 1, 1), empty);
  });

  it('counts a shoot-out as a win, with only the goals from the match', () => {
    const h2h = headToHead([{ ...played(1, 2, '0:0', 1), winner: 'away' }], 1, 2);
    assert.deepEqual([h2h.team_a_wins, h2h.draws, h2h.goals_avg], [1, 0, 0]);
    assert.equal(h2h.recent[0]?.score, '0:0');
  });

  it('counts all meetings and lists the newest ten', () => {
    const twelve = Array.from({ length: 12 }, (_, day) => played(day, 1, '1:0', 2));
    const { matches, recent } = headToHead(twelve, 2, 1);
    assert.equal(matches, 12);
    assert.deepEqual([recent.length, recent[0]?.date, recent[9]?.date], [10, '2024-01-12', '2024-01-03']);
  });

  it('shows two 2:0 wins for Arsenal against Bournemouth in 2015/16', function () {
    const { matches, idOf } = premierLeague(this, '1516');
    const h2h = headToHead(matches, idOf('Bournemouth'), idOf('Arsenal'));
    assert.deepEqual([h2h.team_a_wins, h2h.draws, h2h.team_b_wins], [0, 0, 2]);
    assert.deepEqual(h2h.recent, [
      { date: '2016-02-07', score: '0:2', home: 'team_a' },
      { date: '2015-12-28', score: '2:0', home: 'team_b' },
    ]);
  });

  it("from team_b's view has the wins swapped and the same rates", () => {
    const side = fc.integer({ min: 1, max: 3 });
    fc.assert(
      fc.property(fc.array(fc.tuple(side, fc.nat(6), fc.nat(6), side), { maxLength: 30 }), (rows) => {
        const matches = rows.map(([home, h, a, away], day) => played(day, home, `${h}:${a}`, away));
        const [a, b] = [headToHead(matches, 1, 2), headToHead(matches, 2, 1)];
        assert.equal(a.team_a_wins + a.draws + a.team_b_wins, a.matches);
        assert.deepEqual([a.team_a_wins, a.team_b_wins], [b.team_b_wins, b.team_a_wins]);
        assert.deepEqual([a.matches, a.goals_avg, a.over_2_5, a.btts], [b.matches, b.goals_avg, b.over_2_5, b.btts]);
        assert.deepEqual(
          a.recent.map(({ score }) => score),
          b.recent.map(({ score }) => score),
        );
      }),
    );
  });
});
