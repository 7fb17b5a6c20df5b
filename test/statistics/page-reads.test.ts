/** Pages read in one statement the same figures as REST does in several. */
import assert from 'node:assert/strict';
import { readAll } from '../../src/db/reads.ts';
import { COMMON_FIGURES, type CommonFigure } from '../../src/sports/sport-words.ts';
import { sumOrNull } from '../../src/statistics/figures.ts';
import { readLeaders } from '../../src/statistics/leaders.ts';
import {
  lastSeasonsRead,
  playerSeasonsRead,
  readPlayerSeasons,
  withFreshFigures,
} from '../../src/statistics/season-figures.ts';
import { readSquad, squadRead } from '../../src/statistics/squad.ts';
import { listStatistics, shownStatistics, statisticsNamesRead } from '../../src/statistics/statistics.ts';
import { feedLeague } from '../web/sample-league.ts';
import { createHarness, type Harness } from '../web/site.ts';

const NOW = Date.parse('2025-05-24T12:00:00Z');

describe('reads for pages', () => {
  let harness: Harness;
  before(async () => {
    harness = await createHarness();
    await feedLeague(harness, NOW);
    // A national team has a squad for each competition. The more important competition is older.
    for (const [name, importance, start] of [
      ['World Finals', 90, '2024-06-01T12:00:00Z'],
      ['World Friendlies', 10, '2024-09-01T12:00:00Z'],
    ] as const) {
      await harness.apply(name, {
        tournament: { name, country: 'INT' },
        season: { label: '2024' },
        scheduled_start: start,
        home: { name: 'England', country: 'GB-ENG' },
        away: { name: 'Scotland', country: 'GB-SCT' },
        status: 'finished',
        score: { home: 1, away: 0 },
        lineups: [
          { side: 'home', player: { name: `Player in ${name}`, birth_date: '2000-01-01' }, is_substitute: false },
        ],
      });
      await harness.pool.query('UPDATE tournament SET importance = $2 WHERE name = $1', [name, importance]);
    }
  });
  after(() => harness.drop());

  const ids = async (type: string) =>
    (
      await harness.pool.query<{ id: number }>(
        'SELECT id FROM participant WHERE type = $1 AND person_id IS NULL ORDER BY id',
        [type],
      )
    ).rows.map(({ id }) => id);
  const compareSquads = async (): Promise<number> => {
    const seasons = await harness.pool.query<{ id: number; season_label: string }>(
      'SELECT id, season_label FROM season',
    );
    const filters = [
      {},
      { season_label: 'unknown' },
      ...seasons.rows.flatMap(({ id, season_label }) => [
        { season: id },
        { season_label },
        { season: id, season_label },
      ]),
    ];
    let players = 0;
    for (const team of await ids('team'))
      for (const filter of filters) {
        const { squad } = await withFreshFigures(harness.pool, () =>
          readAll(harness.pool, { squad: squadRead(team, filter) }),
        );
        const expected = await readSquad(harness.pool, team, filter, null);
        assert.deepEqual(
          squad && { ...squad, competitions: squad.competitions.map(({ tournament_ru: _, ...one }) => one) },
          expected && {
            ...expected,
            squad: expected.squad.map((player) => ({ ...player, birth_date: null, country: null })),
          },
          JSON.stringify([team, filter]),
        );
        players += squad?.squad.length ?? 0;
      }
    return players;
  };
  const readStatistics = (id: number) =>
    withFreshFigures(harness.pool, async () => {
      const { sides, players, names } = await readAll(harness.pool, {
        sides: lastSeasonsRead(id),
        players: playerSeasonsRead(id),
        names: statisticsNamesRead(id),
      });
      return shownStatistics(sides, players, names).map(
        ({ tournament_ru: _, is_national: __, own: ___, ...one }) => one,
      );
    });

  it('give the squads of all teams, seasons and competitions', async () => {
    assert.ok((await compareSquads()) > 20);
  });

  it('give the statistics of all teams and players', async () => {
    for (const id of [...(await ids('team')), ...(await ids('player'))])
      assert.deepEqual(await readStatistics(id), (await listStatistics(harness.pool, id, { access: null })).list);
  });

  it('rank the players of all seasons by the figures that each player has alone', async () => {
    const figures = (stat: CommonFigure) =>
      stat === 'goals_and_assists'
        ? (['goals', 'assists'] as const)
        : stat === 'cards'
          ? (['yellow_cards', 'red_cards'] as const)
          : ([stat] as const);
    const players = await ids('player');
    const { rows } = await harness.pool.query<{ id: number }>('SELECT id FROM season ORDER BY id');
    let count = 0;
    for (const { id } of rows) {
      const own = new Map<number, Awaited<ReturnType<typeof readPlayerSeasons>>>();
      for (const player of players) own.set(player, await readPlayerSeasons(harness.pool, player, [id]));
      for (const stat of COMMON_FIGURES) {
        const { leaders } = await readLeaders({ pool: harness.pool, reads: harness.pool }, id, stat, 500);
        const expected = [...own].flatMap(([participant_id, teams]) => {
          const value = sumOrNull(figures(stat), (name) => sumOrNull(teams, (team) => team.figures[name])) ?? 0;
          return value > 0 ? [{ participant_id, value }] : [];
        });
        assert.deepEqual(
          new Map(leaders.flatMap(({ participant_id, value }) => (participant_id ? [[participant_id, value]] : []))),
          new Map(expected.map(({ participant_id, value }) => [participant_id, value])),
          stat,
        );
        for (const limit of [1, 2, 3])
          assert.deepEqual(
            (await readLeaders({ pool: harness.pool, reads: harness.pool }, id, stat, limit)).leaders,
            leaders.slice(0, limit),
            stat,
          );
        count += expected.length;
      }
    }
    assert.ok(count > 5, `${count} values`);
  });

  it('compute figures that a change has made stale', async () => {
    const [team] = (
      await harness.pool.query<{ id: number }>(
        'SELECT team_id AS id FROM player_figures GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1',
      )
    ).rows;
    const [before] = await readStatistics(team!.id);
    await harness.pool.query('UPDATE team_figures SET goals = 77, revision = 0 WHERE team_id = $1', [team!.id]);
    assert.deepEqual((await readStatistics(team!.id))[0], before);
    await harness.pool.query('UPDATE team_figures SET revision = 0');
    await harness.pool.query('UPDATE season_figures SET revision = 0');
    assert.ok((await compareSquads()) > 20);
  });

  it('give only the last seasons of a team if asked for them', async () => {
    for (const id of await ids('team')) {
      const { all, one } = await withFreshFigures(harness.pool, () =>
        readAll(harness.pool, { all: lastSeasonsRead(id), one: lastSeasonsRead(id, 1) }),
      );
      assert.deepEqual(one, all.slice(0, 1));
    }
  });
});
