import assert from 'node:assert/strict';
import { routes } from '../../src/competitions/routes.ts';
import type { Scorer } from '../../src/competitions/scorers.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

interface Reply {
  tournament_id: number;
  count: number;
  scorers: Scorer[];
}

describe('top scorers', () => {
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed(routes, '2023-01-15T12:00:00Z');
  });
  after(() => fed.close());

  const player = (name: string, id?: string) => ({ name, ...(id !== undefined && { id }) });
  const goal = (
    side: 'home' | 'away',
    scorer: object,
    over: { goal_type?: string; assist?: object; minute?: number } = {},
  ) => ({
    kind: 'goal',
    minute: over.minute ?? 10,
    side,
    player: scorer as { name: string },
    ...(over.assist && { assist: over.assist as { name: string } }),
    payload: { goal_type: over.goal_type ?? 'regular' },
  });
  const match = (tournament: string, home: string, away: string, over: object) =>
    fed.matches({
      id: `g${++serial}`,
      sport: 'football',
      tournament: { name: tournament, country: 'INT' },
      season: { label: '2022' },
      home: { name: home, country: 'INT' },
      away: { name: away, country: 'INT' },
      scheduled_start: `2022-12-${String(serial).padStart(2, '0')}T15:00:00Z`,
      status: 'finished',
      status_detail: 'ended',
      ...over,
    });
  const read = async (tournament: string, query = '') => {
    const id = await fed.tournamentId(tournament);
    const { status, json } = await fed.app.ask<Reply>(`/v1/tournament/${id}/scorers?${query}`);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual([json.tournament_id, json.count], [id, json.scorers.length]);
    return json.scorers;
  };

  it('scorers in sports that count points are ranked by points, whatever single incidents claim', async () => {
    const [ann, bob] = [player('Ann', 'p-ann'), player('Bob', 'p-bob')];
    const point = (side: 'home' | 'away', scorer: object, points: unknown, assist?: object) => ({
      kind: 'point',
      minute: 5,
      side,
      player: scorer as { name: string },
      ...(assist && { assist: assist as { name: string } }),
      payload: { points },
    });
    for (const sport of ['basketball', 'rugby'])
      await match(`Points of ${sport}`, 'Hawks', 'Bears', {
        sport,
        score: { home: 10, away: 3 },
        incidents: [
          point('home', ann, 5, bob),
          point('home', ann, 2),
          point('home', bob, 3),
          point('away', player('Cid', 'p-cid'), 3),
          // Both values are invalid: the first would overflow a sum, and the second is not a number.
          point('away', player('Dan', 'p-dan'), 3_000_000_000),
          point('away', player('Eve', 'p-eve'), '2'),
          goal('away', player('Fay', 'p-fay')),
        ],
      });
    for (const sport of ['basketball', 'rugby']) {
      const scorers = await read(`Points of ${sport}`);
      assert.deepEqual(
        scorers.map(({ rank, player_name, goals, assists }) => [rank, player_name, goals, assists]),
        [
          [1, 'Ann', 7, 0],
          [2, 'Bob', 3, 1],
          [2, 'Cid', 3, 0],
        ],
      );
    }
  });

  it('both assists for an ice hockey goal count, each for the player named in it', async () => {
    const assisted = (second: unknown) => {
      const scored = goal('home', player('Gus', 'p-gus'), { assist: player('Hal', 'p-hal') });
      return { ...scored, payload: { ...scored.payload, second_assist: second } };
    };
    await match('Ice Cup', 'Owls', 'Rooks', {
      sport: 'ice-hockey',
      score: { home: 4, away: 0 },
      lineups: [{ side: 'home', player: player('Ike', 'p-ike'), is_substitute: false }],
      incidents: [assisted('Ike'), assisted('Ike'), assisted(7), goal('home', player('Ike', 'p-ike'))],
    });
    const scorers = await read('Ice Cup');
    assert.deepEqual(
      scorers.map(({ player_name, goals, assists }) => [player_name, goals, assists]),
      [
        ['Gus', 3, 0],
        ['Ike', 1, 2],
      ],
    );
    assert.ok(scorers.every(({ participant_id }) => participant_id !== null));
  });

  it("a scorer's team has the name from the player's last match", async () => {
    await fed.participants({
      type: 'team',
      sport: 'football',
      name: 'Renamed Cup Side',
      name_ru: 'Новое имя',
      country: 'INT',
      former_names: [{ name: 'Old Cup Side', name_ru: 'Старое имя', from: '2020-01-01', to: '2022-06-30' }],
    });
    const goals = (...scorers: string[]) => scorers.map((name) => goal('home', player(name, name)));
    const played = (scheduled_start: string, incidents: object[]) =>
      match('Cup of Names', 'Renamed Cup Side', 'Other', {
        scheduled_start,
        score: { home: incidents.length, away: 0 },
        incidents,
      });
    await played('2022-03-01T15:00:00Z', goals('Leaver', 'Stayer'));
    await played('2022-09-01T15:00:00Z', goals('Stayer'));
    assert.deepEqual(
      (await read('Cup of Names')).map(({ player_name, team_name, team_name_ru }) => [
        player_name,
        team_name,
        team_name_ru,
      ]),
      [
        ['Stayer', 'Renamed Cup Side', 'Новое имя'],
        ['Leaver', 'Old Cup Side', 'Старое имя'],
      ],
    );
  });

  it('scorers with equal goals share a rank, penalties and assists count, but own goals and shoot-outs do not', async () => {
    const messi = player('Lionel Messi', 'messi');
    const mbappe = player('Kylian Mbappé', 'mbappe');
    const alvarez = player('Julián Álvarez', 'alvarez');
    const unlucky = player('Enzo Unlucky', 'unlucky');
    // The goals in the 2022 final and in the semi-final before it.
    await match('Final Cup', 'Argentina', 'Croatia', {
      score: { home: 3, away: 0 },
      incidents: [
        goal('home', messi, { goal_type: 'penalty', minute: 34 }),
        goal('home', alvarez, { minute: 39 }),
        goal('home', alvarez, { minute: 69, assist: messi }),
      ],
    });
    await match('Final Cup', 'Argentina', 'France', {
      status_detail: 'after_penalties',
      score: { home: 3, away: 3 },
      period_scores: [{ period: 'PEN', home: 4, away: 2 }],
      incidents: [
        goal('home', messi, { goal_type: 'penalty', minute: 23 }),
        goal('home', player('Ángel Di María', 'dimaria'), { minute: 36, assist: player('Alexis Mac Allister', 'mac') }),
        goal('away', mbappe, { goal_type: 'penalty', minute: 80 }),
        goal('away', mbappe, { minute: 81 }),
        goal('home', messi, { minute: 108 }),
        goal('away', mbappe, { goal_type: 'penalty', minute: 118 }),
        goal('home', unlucky, { goal_type: 'own_goal', minute: 119 }),
        { kind: 'penalty_shootout', period: 'PEN', side: 'away' as const, player: mbappe, payload: { scored: true } },
        { kind: 'penalty_shootout', period: 'PEN', side: 'home' as const, player: messi, payload: { scored: true } },
      ],
    });
    const list = await read('Final Cup');
    assert.deepEqual(
      list.map(({ rank, player_name, team_name, goals, assists, penalties }) => [
        rank,
        player_name,
        team_name,
        goals,
        assists,
        penalties,
      ]),
      [
        [1, 'Lionel Messi', 'Argentina', 3, 1, 2],
        [1, 'Kylian Mbappé', 'France', 3, 0, 2],
        [3, 'Julián Álvarez', 'Argentina', 2, 0, 0],
        [4, 'Ángel Di María', 'Argentina', 1, 0, 0],
      ],
    );
    assert.ok(list.every(({ participant_id, matches }) => participant_id !== null && matches === null));
    assert.deepEqual(
      (await read('Final Cup', 'limit=2')).map(({ player_name }) => player_name),
      ['Lionel Messi', 'Kylian Mbappé'],
    );
  });

  it('an empty list has a reason, and names the latest season that has scorers', async () => {
    const seasons = async () => {
      const id = await fed.tournamentId('Empty Cup');
      const { rows } = await fed.db.pool.query(
        'SELECT id, season_label AS label FROM season WHERE tournament_id = $1',
        [id],
      );
      const idOf = (label: string) => rows.find((row) => row.label === label)?.id as number;
      const ask = async (season: string) => {
        const { json } = await fed.app.ask<Record<string, unknown>>(`/v1/tournament/${id}/scorers${season}`);
        return [json.season_id, json.count, json.reason, json.latest_season_with_scorers];
      };
      return { idOf, ask };
    };
    const other = (label: string, over: object) => ({ season: { label }, ...over });
    await match('Empty Cup', 'Bonn', 'Ulm', other('2021', { score: { home: 1, away: 0 } }));
    let { idOf, ask } = await seasons();
    assert.deepEqual(await ask(''), [idOf('2021'), 0, 'no_scorers', null]);
    const scored = { score: { home: 1, away: 0 }, incidents: [goal('home', player('Rossi'))] };
    await match('Empty Cup', 'Bonn', 'Ulm', other('2019', scored));
    await match('Empty Cup', 'Bonn', 'Ulm', other('2020', scored));
    const planned = { status: 'scheduled' as const, status_detail: undefined, scheduled_start: '2022-12-31T15:00:00Z' };
    await match('Empty Cup', 'Bonn', 'Ulm', other('2022', planned));
    ({ idOf, ask } = await seasons());
    assert.deepEqual(await ask(''), [idOf('2022'), 0, 'no_results', idOf('2020')]);
    assert.deepEqual(await ask(`?season=${idOf('2021')}`), [idOf('2021'), 0, 'no_scorers', idOf('2020')]);
    assert.deepEqual(await ask(`?season=${idOf('2019')}`), [idOf('2019'), 1, undefined, undefined]);
  });

  it('scorers known only by name are identified by team and name', async () => {
    const rossi = player('Rossi');
    await match('Names Cup', 'Roma', 'Lazio', {
      score: { home: 1, away: 1 },
      incidents: [goal('home', rossi), goal('away', rossi)],
    });
    await match('Names Cup', 'Lazio', 'Inter', {
      score: { home: 2, away: 0 },
      incidents: [goal('home', rossi), goal('home', rossi, { minute: 20 })],
    });
    assert.deepEqual(
      (await read('Names Cup')).map(({ rank, participant_id, player_name, team_name, goals, assists }) => [
        rank,
        participant_id,
        player_name,
        team_name,
        goals,
        assists,
      ]),
      [
        [1, null, 'Rossi', 'Lazio', 3, null],
        [2, null, 'Rossi', 'Roma', 1, null],
      ],
    );
  });

  it("a scorer's matches are counted if every line-up is stored, and matches as an unused substitute are left out", async () => {
    const lineups = (...names: [string, boolean][]) =>
      names.map(([name, is_substitute]) => ({ side: 'home' as const, player: player(name, name), is_substitute }));
    const striker = player('Striker', 'Striker');
    const booked = {
      kind: 'card',
      minute: 5,
      side: 'away',
      player: player('Booked'),
      payload: { card_type: 'yellow' },
    };
    await match('Line-up Cup', 'Ajax', 'PSV', {
      score: { home: 1, away: 0 },
      incidents: [goal('home', striker), booked],
      lineups: lineups(['Striker', false]),
    });
    await match('Line-up Cup', 'Ajax', 'Twente', {
      score: { home: 0, away: 0 },
      incidents: [],
      lineups: lineups(['Striker', false]),
    });
    await match('Line-up Cup', 'Ajax', 'Sparta', {
      score: { home: 0, away: 0 },
      incidents: [],
      lineups: lineups(['Striker', true]),
    });
    assert.deepEqual(
      (await read('Line-up Cup')).map(({ goals, matches }) => [goals, matches]),
      [[1, 2]],
    );
    await match('Line-up Cup', 'Ajax', 'Utrecht', { score: { home: 0, away: 0 } });
    assert.deepEqual(
      (await read('Line-up Cup')).map(({ matches }) => matches),
      [null],
    );
  });

  it('goals in live matches count, but goals in abandoned matches do not', async () => {
    const one = player('One', 'one');
    await match('Live Cup', 'Gent', 'Genk', {
      status_detail: 'abandoned',
      score: { home: 1, away: 0 },
      incidents: [goal('home', one)],
    });
    assert.deepEqual(await read('Live Cup'), []);
    await match('Live Cup', 'Genk', 'Gent', {
      status: 'live',
      status_detail: 'in_play',
      minute: 12,
      score: { home: 0, away: 1 },
      incidents: [goal('away', one)],
    });
    assert.deepEqual(
      (await read('Live Cup')).map(({ player_name, goals, team_name }) => [player_name, goals, team_name]),
      [['One', 1, 'Gent']],
    );
  });
});
