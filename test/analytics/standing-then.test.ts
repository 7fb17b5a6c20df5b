import assert from 'node:assert/strict';
import { type Analytics, type Match, startAnalytics } from '../support/analytics.ts';
import { apiBench, match } from './api-bench.ts';

describe('a side’s standing before a match', function () {
  this.timeout(60_000);
  let service: Analytics;
  before(async () => {
    service = await startAnalytics();
  });
  after(() => service?.close());
  const { load, league, card } = apiBench(() => service);

  /** Returns both sides as `place played points goals`; null for a side without a place. */
  const standings = async (id: number) => {
    const { home, away } = await card(id);
    return [home, away].map(({ standing }) =>
      standing === null
        ? null
        : `${standing.position} ${standing.played} ${standing.points} ${standing.goals_for}:${standing.goals_against}`,
    );
  };

  it("is the table before the match date, not today's", async () => {
    await league('Then');
    const ids = await load(
      match('Then', '2024-01-01', 'A', 'B', [3, 0]),
      match('Then', '2024-01-08', 'C', 'A', [1, 1]),
      // This match is on the same day, hours earlier.
      match('Then', '2024-01-15T10:00:00Z', 'B', 'C', [9, 0]),
      match('Then', '2024-01-15T15:00:00Z', 'A', 'C'),
      match('Then', '2024-01-15T20:00:00Z', 'A', 'B', [0, 5]),
      match('Then', '2024-01-16T00:00:00Z', 'A', 'B'),
      // These two matches do not count. One was abandoned, and the other has no result.
      match('Then', '2024-01-02', 'C', 'B', [7, 0], { status_detail: 'abandoned' }),
      match('Then', '2024-01-03', 'C', 'B', [7, 0], { status: 'live' }),
    );
    assert.deepEqual(await standings(ids[0]!), [null, null]);
    assert.deepEqual(await standings(ids[1]!), ['2 0 0 0:0', '1 1 3 3:0']);
    assert.deepEqual(await standings(ids[3]!), ['1 2 4 4:1', '2 1 1 1:1']);
    assert.deepEqual(await standings(ids[5]!), ['2 3 4 4:6', '1 3 6 14:3']);
    const { home } = await card(ids[3]!, 'explain=true');
    assert.deepEqual(home.standing!.explain, { event_ids: [ids[1], ids[0]], truncated: false });
  });

  it('reflects points deductions, and the points for a win that the rules define', async () => {
    await league('Minus', {
      rules: { points: { win: 2, draw: 1, loss: 0 } },
      seasons: [
        { label: '2023/24', points_adjustments: [{ participant: { name: 'Minus A', country: 'GB-ENG' }, points: -3 }] },
      ],
    });
    const ids = await load(match('Minus', '2024-01-01', 'A', 'B', [3, 0]), match('Minus', '2024-01-08', 'A', 'B'));
    assert.deepEqual(await standings(ids[1]!), ['2 1 -1 3:0', '1 1 0 0:3']);
    assert.equal((await card(ids[1]!)).home.form.overall.ppg, 2);
  });

  it('includes a decision from the following day on, and points that an appeal gave back', async () => {
    const decision = (points: number, decided_on: string) => ({
      participant: { name: 'Appeal A', country: 'GB-ENG' },
      points,
      decided_on,
    });
    await league('Appeal', {
      seasons: [{ label: '2023/24', points_adjustments: [decision(-10, '2024-01-10'), decision(4, '2024-01-20')] }],
    });
    const ids = await load(
      match('Appeal', '2024-01-01', 'A', 'B', [3, 0]),
      match('Appeal', '2024-01-10', 'A', 'B', [1, 0]),
      match('Appeal', '2024-01-11', 'A', 'B', [1, 0]),
      match('Appeal', '2024-01-21', 'A', 'B'),
    );
    assert.deepEqual(await standings(ids[1]!), ['1 1 3 3:0', '2 1 0 0:3']);
    assert.deepEqual(await standings(ids[2]!), ['2 2 -4 4:0', '1 2 0 0:4']);
    assert.deepEqual(await standings(ids[3]!), ['1 3 3 5:0', '2 3 0 0:5']);
  });

  it("is the table for the side's group", async () => {
    const group = (name: string) => ({ group_name: name });
    const ids = await load(
      match('Grouped', '2024-01-01', 'A', 'B', [3, 0], group('Group 1')),
      match('Grouped', '2024-01-01', 'C', 'D', [1, 1], group('Group 2')),
      match('Grouped', '2024-01-02', 'D', 'E', [0, 2], group('Group 2')),
      match('Grouped', '2024-02-01', 'D', 'B', undefined, { round_name: 'Semi-finals' }),
    );
    assert.deepEqual(await standings(ids[3]!), ['3 2 1 1:3', '2 1 0 0:3']);
    const { home, away } = await card(ids[3]!, 'explain=true');
    assert.deepEqual(home.standing!.explain!.event_ids, [ids[2], ids[1]]);
    assert.deepEqual(away.standing!.explain!.event_ids, [ids[0]]);
    // Group 2 began on the first day, but these sides had not played before.
    assert.deepEqual(await standings(ids[1]!), [null, null]);
  });

  it("is the whole league's table before the split, and the table of the side's part afterwards", async () => {
    const rules = {
      split: {
        after: 3,
        groups: [
          { name: 'Top', places: [1, 2], meetings: 2, points: 'halve_up', results: false },
          { name: 'Bottom', places: [3, 4], meetings: 2, points: 'keep' },
        ],
      },
    };
    await league('Split', { rules });
    const regular: Match[] = [
      match('Split', '2024-01-01', 'A', 'B', [1, 0]),
      match('Split', '2024-01-01', 'C', 'D', [1, 0]),
      match('Split', '2024-01-08', 'A', 'C', [1, 0]),
      match('Split', '2024-01-08', 'B', 'D', [1, 0]),
      match('Split', '2024-01-15', 'A', 'D', [1, 0]),
      match('Split', '2024-01-15', 'B', 'C', [1, 0]),
    ];
    const ids = await load(
      ...regular,
      match('Split', '2024-03-01', 'A', 'B', [0, 2]),
      match('Split', '2024-03-01', 'D', 'C', [2, 0]),
      match('Split', '2024-03-08', 'B', 'A', [1, 1]),
      match('Split', '2024-03-08', 'C', 'D', [0, 1]),
    );
    // First two of three rounds have been played, then all three, before the first match after the split.
    assert.deepEqual(await standings(ids[4]!), ['1 2 6 2:0', '4 2 0 0:2']);
    assert.deepEqual(await standings(ids[6]!), ['1 3 9 3:0', '2 3 6 2:1']);
    // A takes 5 points along, and B takes 3 and the points for its win. C and D keep their points.
    assert.deepEqual(await standings(ids[8]!), ['1 1 6 2:0', '2 1 5 0:2']);
    assert.deepEqual(await standings(ids[9]!), ['2 4 3 1:4', '1 4 3 2:3']);
    const { home } = await card(ids[8]!, 'explain=true');
    assert.ok(home.standing!.explain!.event_ids.includes(ids[6]!));
  });

  it('is null for a cup, and for a league whose rules exclude a table', async () => {
    await league('No Table', { rules: { table: false } });
    const cup = { round_name: 'Round of 16' };
    const ids = await load(
      match('A Cup', '2024-01-01', 'A', 'B', [3, 0], cup),
      match('A Cup', '2024-02-01', 'A', 'C', undefined, { round_name: 'Final' }),
      match('No Table', '2024-01-01', 'A', 'B', [3, 0]),
      match('No Table', '2024-02-01', 'A', 'B'),
    );
    assert.deepEqual(await standings(ids[1]!), [null, null]);
    assert.deepEqual(await standings(ids[3]!), [null, null]);
    assert.equal((await card(ids[3]!)).home.form.overall.matches, 1);
  });
});
