/** Tests tables in sports for which no open data set has matches. The matches come from feed updates. */
import assert from 'node:assert/strict';
import { routes } from '../../src/competitions/routes.ts';
import type { StandingsRow } from '../../src/competitions/standings.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

type Period = [period: string, home: number, away: number];
type Played = [home: string, away: string, score: [number, number], periods?: Period[]];

describe('tables by the sport’s rules', () => {
  let fed: Fed;
  before(async () => {
    fed = await startFed(routes, '2026-06-15T12:00:00Z');
  });
  after(() => fed.close());

  const table = async (sport: string, played: Played[], rules: object = {}) => {
    const name = `League of ${sport}`;
    await fed.tournaments({ name, country: 'INT', sport, rules: { table: true, ...rules } });
    await fed.matches(
      ...played.map(([home, away, [own, other], periods = []], index) => ({
        id: `${sport}-${index}`,
        sport,
        tournament: { name, country: 'INT' },
        season: { label: '2026' },
        home: { name: home, country: 'INT' },
        away: { name: away, country: 'INT' },
        scheduled_start: `2026-0${1 + Math.floor(index / 28)}-${String(1 + (index % 28)).padStart(2, '0')}T12:00:00Z`,
        status: 'finished' as const,
        score: { home: own, away: other },
        period_scores: periods.map(([period, first, second]) => ({ period, home: first, away: second })),
      })),
    );
    const id = await fed.tournamentId(name);
    const { json } = await fed.app.ask<{ table: StandingsRow[] }>(`/v1/tournament/${id}/standings`);
    return json.table;
  };

  it('volleyball gives three points for a win in up to four sets, and two to the winner and one to the loser of a fifth set', async () => {
    const won = (sets: string): Period[] =>
      [...sets].map((side, index) => [`S${index + 1}`, side === 'h' ? 25 : 20, side === 'h' ? 20 : 25]);
    const rows = await table('volleyball', [
      ['Cranes', 'Badgers', [3, 2], won('hahah')],
      ['Badgers', 'Foxes', [3, 0], won('hhh')],
      ['Foxes', 'Cranes', [1, 3], won('haaa')],
    ]);
    assert.deepEqual(
      rows.map(({ name, points, wins, overtime_wins, overtime_losses }) => [
        name,
        points,
        wins,
        overtime_wins,
        overtime_losses,
      ]),
      [
        ['Cranes', 5, 2, 1, 0],
        ['Badgers', 4, 1, 0, 1],
        ['Foxes', 0, 0, 0, 0],
      ],
    );
  });

  it('Australian football orders level sides by points for as a percentage of points against', async () => {
    const rows = await table('aussie-rules', [
      ['Dingoes', 'Gulls', [100, 60]],
      ['Gulls', 'Roos', [90, 89]],
      ['Roos', 'Dingoes', [120, 80]],
      ['Dingoes', 'Magpies', [70, 70]],
    ]);
    assert.deepEqual(
      rows.map(({ name, points, scores_for, scores_against }) => [
        name,
        points,
        Math.round((1000 * scores_for) / scores_against) / 10,
      ]),
      [
        ['Dingoes', 6, 100],
        ['Roos', 4, 122.9],
        ['Gulls', 4, 79.4],
        ['Magpies', 2, 100],
      ],
    );
  });

  it('handball gives two points for a win, futsal three and cricket two', async () => {
    const matches: Played[] = [
      ['One', 'Two', [3, 1]],
      ['Two', 'Three', [2, 2]],
      ['Three', 'One', [1, 4]],
    ];
    const points = async (sport: string) => (await table(sport, matches)).map((row) => `${row.name} ${row.points}`);
    assert.deepEqual(await points('handball'), ['One 4', 'Two 1', 'Three 1']);
    assert.deepEqual(await points('futsal'), ['One 6', 'Two 1', 'Three 1']);
    // Level sides are not ordered by the difference of runs.
    assert.deepEqual(await points('cricket'), ['One 4', 'Three 1', 'Two 1']);
  });

  it('the NHL gives a point for a loss after overtime, and orders by wins in regular time', async () => {
    const regular: Period[] = [
      ['P1', 1, 0],
      ['P2', 1, 1],
      ['P3', 0, 1],
    ];
    const rows = await table(
      'ice-hockey',
      [
        ['Elks', 'Otters', [3, 2], [...regular, ['OT', 1, 0]]],
        ['Otters', 'Bears', [2, 2], [...regular, ['OT', 0, 0], ['SO', 1, 0]]],
        [
          'Bears',
          'Elks',
          [4, 2],
          [
            ['P1', 2, 1],
            ['P2', 1, 1],
            ['P3', 1, 0],
          ],
        ],
      ],
      { points: { win: 2, draw: 1, loss: 0, overtime_loss: 1 }, tie_breaks: ['points', 'regulation_wins'] },
    );
    assert.deepEqual(
      rows.map(({ name, points, wins, losses, overtime_losses }) => [name, points, wins, losses, overtime_losses]),
      [
        ['Bears', 3, 1, 1, 1],
        ['Otters', 3, 1, 1, 1],
        ['Elks', 2, 1, 1, 0],
      ],
    );
  });

  it('rugby gives two points for a draw, and no bonus for a loss by more than the margin', async () => {
    const rows = await table(
      'rugby',
      [
        ['Stags', 'Ravens', [33, 17]],
        ['Ravens', 'Stags', [20, 20]],
      ],
      { bonus: [{ lost_by_at_most: 5, points: 1 }] },
    );
    assert.deepEqual(
      rows.map(({ name, points, bonus_points }) => [name, points, bonus_points]),
      [
        ['Stags', 6, 0],
        ['Ravens', 2, 0],
      ],
    );
  });
});
