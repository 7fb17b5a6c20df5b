import assert from 'node:assert/strict';
import pg from 'pg';
import { routes } from '../../src/statistics/routes.ts';
import { listStatistics } from '../../src/statistics/statistics.ts';
import { feedUpdate, type MatchUpdateInput } from '../../src/wire/feed-update.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

type Match = MatchUpdateInput['match'];
type Incident = NonNullable<Match['incidents']>[number];
type Player = { name: string; birth_date: string };

interface Figures {
  matches: number | null;
  starts: number | null;
  minutes: number | null;
  goals: number | null;
  assists: number | null;
  yellow_cards: number | null;
  red_cards: number | null;
  clean_sheets: number | null;
}
interface SeasonFigures extends Figures {
  season_label: string;
  tournament: string;
  team_name: string;
  wins: number | null;
  draws: number | null;
  losses: number | null;
  goals_against: number | null;
  penalties: number | null;
  own_goals: number | null;
}
interface SquadPlayer extends Figures {
  participant_id: number | null;
  player_name: string;
  shirt_number: string | null;
  position: string | null;
}
interface Leader {
  rank: number;
  player_name: string;
  team_name: string;
  value: number;
  matches: number | null;
}

const person = (name: string, serial: number): Player => ({ name, birth_date: `199${serial}-01-01` });
const KEEPER = person('Kurt Keeper', 0);
const DEFENDER = person('Dora Defender', 1);
const STRIKER = person('Stan Striker', 2);
const RESERVE = person('Rita Reserve', 3);
const VISITOR = person('Vic Visitor', 4);

describe('statistics over REST', () => {
  let fed: Fed;
  let serial = 0;
  before(async () => {
    fed = await startFed(routes);
  });
  after(() => fed.close());

  const match = (over: Partial<Match>): Match => ({
    id: `s${++serial}`,
    sport: 'football',
    tournament: { name: 'League', country: 'GB-ENG' },
    season: { label: '2023/24' },
    home: { name: 'Rowan', country: 'GB-ENG' },
    away: { name: 'Cedar', country: 'GB-ENG' },
    scheduled_start: new Date(Date.UTC(2023, 7, serial)).toISOString(),
    status: 'finished',
    status_detail: 'ended',
    score: { home: 0, away: 0 },
    ...over,
  });
  const incident = (
    kind: string,
    player: Player,
    minute: number,
    payload: object = {},
    over: object = {},
  ): Incident => ({
    kind,
    side: 'home',
    player,
    minute,
    period: minute > 45 ? '2H' : '1H',
    payload: { ...payload },
    ...over,
  });
  const listed = (player: Player, position: string, shirt_number: string, is_substitute = false) => ({
    side: 'home' as const,
    player,
    position,
    shirt_number,
    is_substitute,
  });
  const XI = [
    listed(KEEPER, 'GK', '1'),
    listed(DEFENDER, 'DF', '4'),
    listed(STRIKER, 'FW', '9'),
    listed(RESERVE, 'MF', '14', true),
  ];
  const visitors = [
    { side: 'away' as const, player: VISITOR, position: 'FW', shirt_number: '7', is_substitute: false },
  ];
  const booked = incident('card', DEFENDER, 30, { card_type: 'yellow' });
  const change = incident('subst', RESERVE, 60, { player_in: 'Rita Reserve', player_out: 'Stan Striker' });

  const ask = async <T>(path: string) => {
    const { status, json } = await fed.app.ask<T>(path);
    assert.equal(status, 200, `${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const seasons = async (name: string, query = '') =>
    (await ask<{ statistics: SeasonFigures[] }>(`/v1/participant/${await fed.participantId(name)}/statistics?${query}`))
      .statistics;
  const figures = async (name: string, ...names: (keyof SeasonFigures)[]) =>
    (await seasons(name)).map((season) => names.map((figure) => season[figure]));
  const squad = async (name: string, query = '') =>
    ask<{ season_label: string | null; season_labels: string[]; count: number; squad: SquadPlayer[] }>(
      `/v1/participant/${await fed.participantId(name)}/squad?${query}`,
    );
  const leaders = async (tournament: string, query: string) =>
    ask<{
      count: number;
      leaders: Leader[];
      reason?: string;
      season_label: string;
      latest_season_with_leaders?: number | null;
    }>(`/v1/tournament/${await fed.tournamentId(tournament)}/leaders?${query}`);

  it('a season with complete data has every figure', async () => {
    await fed.matches(
      match({
        score: { home: 2, away: 0 },
        lineups: [...XI, ...visitors],
        incidents: [
          incident('goal', STRIKER, 10, { goal_type: 'penalty' }),
          booked,
          change,
          incident('goal', RESERVE, 80, { goal_type: 'regular' }, { assist: DEFENDER }),
        ],
      }),
      match({
        score: { home: 0, away: 2 },
        lineups: [...XI, ...visitors],
        incidents: [
          incident('goal', DEFENDER, 5, { goal_type: 'own_goal' }, { side: 'away' }),
          incident('goal', VISITOR, 50, { goal_type: 'regular' }, { side: 'away' }),
          incident('card', DEFENDER, 70, { card_type: 'red' }),
        ],
      }),
      // In this match the goalkeeper is replaced, so it does not count as a clean sheet.
      match({
        lineups: [...XI, ...visitors],
        incidents: [incident('subst', RESERVE, 85, { player_in: 'Rita Reserve', player_out: 'Kurt Keeper' })],
      }),
      // This match does not count until it has ended.
      match({ status: 'live', status_detail: 'in_play', lineups: XI, incidents: [booked] }),
    );
    assert.deepEqual(
      await figures('Rowan', 'matches', 'wins', 'draws', 'losses', 'goals', 'goals_against', 'clean_sheets'),
      [[3, 1, 1, 1, 2, 2, 2]],
    );
    assert.deepEqual(
      await figures('Rowan', 'assists', 'penalties', 'own_goals', 'yellow_cards', 'red_cards', 'minutes', 'starts'),
      [[1, 1, 1, 1, 1, null, null]],
    );
    const player = [
      'matches',
      'starts',
      'minutes',
      'goals',
      'penalties',
      'assists',
      'yellow_cards',
      'red_cards',
      'own_goals',
      'clean_sheets',
    ] as const;
    assert.deepEqual(await figures('Stan Striker', ...player), [[3, 3, 240, 1, 1, 0, 0, 0, 0, null]]);
    assert.deepEqual(await figures('Rita Reserve', ...player), [[2, 0, 35, 1, 0, 0, 0, 0, 0, null]]);
    assert.deepEqual(await figures('Dora Defender', ...player), [[3, 3, 250, 0, 0, 1, 1, 1, 1, null]]);
    assert.deepEqual(await figures('Kurt Keeper', ...player), [[3, 3, 265, 0, 0, 0, 0, 0, 0, 1]]);
    assert.deepEqual(await figures('Kurt Keeper', 'season_label', 'tournament', 'team_name', 'wins'), [
      ['2023/24', 'League', 'Rowan', null],
    ]);
  });

  it('a squad has numbers and positions, is ordered by line and number, and is the newest season’s squad by default', async () => {
    const { season_label, season_labels, count, squad: players } = await squad('Rowan');
    assert.deepEqual([season_label, season_labels, count], ['2023/24', ['2023/24'], 4]);
    assert.deepEqual(
      players.map(({ player_name, position, shirt_number, matches, minutes, goals }) => [
        player_name,
        position,
        shirt_number,
        matches,
        minutes,
        goals,
      ]),
      [
        ['Kurt Keeper', 'GK', '1', 3, 265, 0],
        ['Dora Defender', 'DF', '4', 3, 250, 0],
        ['Rita Reserve', 'MF', '14', 2, 35, 1],
        ['Stan Striker', 'FW', '9', 3, 240, 1],
      ],
    );
  });

  it('a squad’s figures add up over a season’s competitions', async () => {
    await fed.matches(
      match({
        tournament: { name: 'Cup', country: 'GB-ENG' },
        score: { home: 1, away: 0 },
        lineups: [...XI.slice(0, 2), { ...XI[2]!, shirt_number: '99', is_substitute: true }],
        incidents: [
          incident('subst', STRIKER, 46, { player_in: 'Stan Striker' }),
          incident('goal', STRIKER, 90, { goal_type: 'regular' }),
        ],
      }),
    );
    const striker = (await squad('Rowan')).squad.find(({ player_name }) => player_name === 'Stan Striker');
    assert.deepEqual(
      [striker?.matches, striker?.starts, striker?.minutes, striker?.goals, striker?.shirt_number],
      [4, 3, 284, 2, '9'],
    );
    // None of the cup's matches says who made assists, so the sum over both competitions is unknown.
    assert.equal(striker?.assists, null);
    const cup = await fed.tournamentId('Cup');
    assert.deepEqual(
      (await seasons('Stan Striker', `tournament=${cup}`)).map(({ tournament, goals }) => [tournament, goals]),
      [['Cup', 1]],
    );
    assert.deepEqual(await seasons('Stan Striker', 'season=999999'), []);
  });

  it('a figure that no source gives is null, never 0', async () => {
    const unknown = { tournament: { name: 'Dim League', country: 'GB-ENG' }, home: { name: 'Fog', country: 'GB-ENG' } };
    const dim = { ...unknown, season: { label: '2022/23' }, away: { name: 'Mist', country: 'GB-ENG' } };
    const regular = { goal_type: 'regular' };
    // Some sources have only starters, so nobody knows who came on.
    await fed.matches(match({ ...dim, lineups: [XI[2]!] }));
    const shown = ['matches', 'starts', 'minutes', 'goals', 'yellow_cards'] as const;
    const ofFog = async (name: string) =>
      (await seasons(name))
        .filter(({ team_name }) => team_name === 'Fog')
        .map((one) => shown.map((figure) => one[figure]));
    assert.deepEqual(await ofFog('Stan Striker'), [[null, 1, null, 0, null]]);
    // This match has only goals, without line-ups or cards.
    await fed.matches(
      match({ ...dim, score: { home: 1, away: 0 }, incidents: [incident('goal', STRIKER, 9, regular)] }),
    );
    assert.deepEqual(await ofFog('Stan Striker'), [[null, null, null, 1, null]]);
    // One of the goals has no known scorer.
    await fed.matches(
      match({ ...dim, score: { home: 2, away: 0 }, incidents: [incident('goal', STRIKER, 9, regular)] }),
    );
    assert.deepEqual(await ofFog('Stan Striker'), [[null, null, null, null, null]]);
    assert.deepEqual(
      (await seasons('Fog')).map(({ goals, yellow_cards, assists }) => [goals, yellow_cards, assists]),
      [[3, null, null]],
    );
  });

  it('a team’s cards come from the team statistics if these exist', async () => {
    const statistic = (stat_name: string, home_value: number) => ({
      period: 'ALL',
      group_name: null,
      stat_name,
      home_value,
      away_value: 0,
      home_text: null,
      away_text: null,
    });
    await fed.matches(
      match({
        tournament: { name: 'Counted League', country: 'GB-ENG' },
        home: { name: 'Counted', country: 'GB-ENG' },
        statistics: [statistic('Yellow cards', 4), statistic('Red cards', 1)],
      }),
    );
    assert.deepEqual(await figures('Counted', 'yellow_cards', 'red_cards'), [[4, 1]]);
  });

  describe('a player with two yellow cards in a match', () => {
    const over = {
      tournament: { name: 'Strict League', country: 'GB-ENG' },
      home: { name: 'Stern', country: 'GB-ENG' },
      lineups: [...XI, ...visitors],
    };
    const shown = (card_type: string, minute: number, player = DEFENDER) =>
      incident('card', player, minute, { card_type });
    const ways: [title: string, incidents: Incident[]][] = [
      ['that the source calls yellow', [shown('yellow', 20), shown('yellow', 70)]],
      ['of which the source calls one second yellow', [shown('yellow', 20), shown('second_yellow', 70)]],
      ['of which the source calls one yellow_red', [shown('yellow', 20), shown('yellow_red', 70)]],
      ['and the red one that followed', [shown('yellow', 20), shown('yellow', 70), shown('red', 70)]],
      ['with the red one first', [shown('yellow', 20), shown('red', 70), shown('yellow', 70)]],
    ];
    let played: Match;
    before(() => {
      played = match(over);
    });
    const cards = async () => [
      await figures('Stern', 'yellow_cards', 'red_cards'),
      (await seasons('Dora Defender'))
        .filter(({ team_name }) => team_name === 'Stern')
        .map(({ yellow_cards, red_cards, minutes }) => [yellow_cards, red_cards, minutes]),
      (await squad('Stern')).squad
        .filter(({ player_name }) => player_name === 'Dora Defender')
        .map(({ yellow_cards, red_cards }) => [yellow_cards, red_cards]),
      (await leaders('Strict League', 'stat=red_cards')).leaders.map(({ player_name, value }) => [player_name, value]),
    ];

    for (const [title, incidents] of ways)
      it(`${title} has one yellow and one red card`, async () => {
        await fed.matches({ ...played, incidents });
        assert.deepEqual(await cards(), [[[1, 1]], [[1, 1, 70]], [[1, 1]], [['Dora Defender', 1]]]);
      });

    it('has one yellow card again after the source has withdrawn the second one', async () => {
      await fed.matches({ ...played, incidents: [shown('yellow', 20)] });
      assert.deepEqual(await cards(), [[[1, 0]], [[1, 0, 90]], [[1, 0]], []]);
    });

    it('differs from two players with one yellow card each, and from a player with one in each of two matches', async () => {
      await fed.matches(
        { ...played, incidents: [shown('yellow', 20), shown('yellow', 30, STRIKER)] },
        match({ ...over, incidents: [shown('yellow', 50)] }),
      );
      assert.deepEqual(await cards(), [[[3, 0]], [[2, 0, 180]], [[2, 0]], []]);
    });

    it('counts as sent off only in sports that have this rule', async () => {
      const inSport = (sport: string) =>
        match({
          ...over,
          sport,
          tournament: { name: `Strict ${sport}`, country: 'GB-ENG' },
          home: { name: `Stern ${sport}`, country: 'GB-ENG' },
          lineups: [],
          incidents: [shown('yellow', 20, person('Two', 6)), shown('yellow', 70, person('Two', 6))],
        });
      await fed.matches(inSport('futsal'), inSport('rugby'));
      assert.deepEqual(await figures('Stern futsal', 'yellow_cards', 'red_cards'), [[1, 1]]);
      assert.deepEqual(await figures('Stern rugby', 'yellow_cards', 'red_cards'), [[2, 0]]);
    });
  });

  describe('a national team’s squad', () => {
    const home = { name: 'Argentina', country: 'AR' };
    const finals = { tournament: { name: 'World Trophy', country: 'INT' }, season: { label: '2026' } };
    const qualifying = {
      tournament: { name: 'World Trophy Qualification', country: 'INT' },
      season: { label: '2026' },
    };
    const scorer = person('Leo Scorer', 7);
    const reserve = person('Rex Reserve', 8);
    const goal = (player: Player) => incident('goal', player, 9, { goal_type: 'regular' });
    const listedFor = (player: Player, shirt_number: string, over: object = {}) => ({
      type: 'player' as const,
      sport: 'football',
      ...player,
      squads: [{ ...finals, team: home, shirt_number, position: 'F', ...over }],
    });
    const brief = async (query = '') => {
      const found = await ask<{
        season_labels: string[];
        competitions: { tournament: string; is_listed: boolean; is_counted: boolean }[];
        squad: SquadPlayer[];
      }>(`/v1/participant/${await fed.participantId('Argentina')}/squad?${query}`);
      return {
        competitions: found.competitions.map(({ tournament, is_listed, is_counted }) => [
          tournament,
          is_listed,
          is_counted,
        ]),
        squad: found.squad.map(({ player_name, shirt_number, goals }) => [player_name, shirt_number, goals]),
      };
    };
    before(async () => {
      await fed.tournaments(
        { sport: 'football', ...finals.tournament, importance: 90 },
        { sport: 'football', ...qualifying.tournament, importance: 60 },
      );
      await fed.matches(
        match({
          ...qualifying,
          home,
          score: { home: 2, away: 0 },
          incidents: [goal(scorer), goal(person('Old Hand', 9))],
        }),
      );
    });

    it('has the players who appeared until a list is known', async () => {
      const { competitions, squad: players } = await brief();
      assert.deepEqual(competitions, [['World Trophy Qualification', false, true]]);
      assert.deepEqual(
        players.map(([name]) => name),
        ['Leo Scorer', 'Old Hand'],
      );
    });

    it('equals the list even before the first match, has figures afterwards, and is separate from the squad in qualifying', async () => {
      await fed.participants(listedFor(scorer, '10'), listedFor(reserve, '23'));
      const both = [
        ['World Trophy', true, true],
        ['World Trophy Qualification', false, false],
      ];
      assert.deepEqual(await brief(), {
        competitions: both,
        squad: [
          ['Leo Scorer', '10', 0],
          ['Rex Reserve', '23', 0],
        ],
      });
      await fed.matches(match({ ...finals, home, score: { home: 1, away: 0 }, incidents: [goal(scorer)] }));
      const own = [
        ['Leo Scorer', '10', 1],
        ['Rex Reserve', '23', 0],
      ];
      assert.deepEqual(await brief('season_label=2026'), { competitions: both, squad: own });
      const id = await fed.tournamentId('World Trophy Qualification');
      const other = await brief(`tournament=${id}`);
      assert.deepEqual(
        other.competitions.map(([, , counted]) => counted),
        [false, true],
      );
      assert.deepEqual(other.squad, [
        ['Leo Scorer', null, 1],
        ['Old Hand', null, 1],
      ]);
      const { rows } = await fed.db.pool.query<{ id: number }>('SELECT id FROM season WHERE tournament_id = $1', [id]);
      assert.deepEqual(await brief(`season=${rows[0]!.id}`), other);
    });

    it('changes with the list, but not if the same list comes again', async () => {
      const again = await fed.participants(listedFor(scorer, '10'), listedFor(reserve, '23'));
      assert.deepEqual(
        again.map(({ outcome }) => outcome),
        ['unchanged', 'unchanged'],
      );
      await fed.participants(listedFor(reserve, '9'));
      assert.deepEqual((await brief()).squad[0], ['Rex Reserve', '9', 0]);
    });

    it('cannot be part of a team update, and cannot name an unknown country', async () => {
      const envelope = { schema: 1, provider: 'tests', observed_at: '2024-01-01T00:00:00Z', kind: 'participant' };
      const { squads } = listedFor(scorer, '10');
      const parsed = feedUpdate.safeParse({
        ...envelope,
        participant: { type: 'team', sport: 'football', name: 'T', squads },
      });
      assert.match(parsed.error!.issues[0]!.message, /exist for players only/);
      await assert.rejects(
        fed.participants(listedFor(scorer, '10', { team: { ...home, country: 'XX' } })),
        /participant\.squads\[0\]\.team\.country/,
      );
    });
  });

  it('an awarded match counts with the awarded result, as in tables, and an abandoned match does not count', async () => {
    const over = {
      tournament: { name: 'Court League', country: 'GB-ENG' },
      home: { name: 'Verdict', country: 'GB-ENG' },
    };
    await fed.matches(
      match({ ...over, status_detail: 'awarded', score: { home: 3, away: 0 } }),
      match({ ...over, status_detail: 'abandoned', score: { home: 1, away: 0 } }),
    );
    assert.deepEqual(await figures('Verdict', 'matches', 'wins', 'goals'), [[1, 1, 3]]);
  });

  it('a shoot-out without a score is won by the side that the source names as winner', async () => {
    const over = {
      tournament: { name: 'Kicks Trophy', country: 'GB-ENG' },
      home: { name: 'Spot', country: 'GB-ENG' },
      status_detail: 'after_penalties' as const,
      score: { home: 1, away: 1 },
    };
    await fed.matches(
      match({ ...over, shootout_winner: 'home' }),
      match({ ...over, shootout_winner: 'away' }),
      match(over),
    );
    assert.deepEqual(await figures('Spot', 'wins', 'draws', 'losses'), [[1, 1, 1]]);
  });

  it('a player at two clubs in a season has an entry for each, and the leaders count both', async () => {
    const mover = person('Mo Mover', 5);
    const over = { tournament: { name: 'Market League', country: 'GB-ENG' }, score: { home: 1, away: 0 } };
    const goal = incident('goal', mover, 9, { goal_type: 'regular' });
    const other = incident('goal', STRIKER, 9, { goal_type: 'regular' });
    await fed.matches(
      match({ ...over, home: { name: 'Former Club', country: 'GB-ENG' }, incidents: [goal] }),
      match({ ...over, home: { name: 'New Club', country: 'GB-ENG' }, incidents: [goal] }),
      match({ ...over, home: { name: 'Rowan', country: 'GB-ENG' }, incidents: [other] }),
    );
    assert.deepEqual(await figures('Mo Mover', 'team_name', 'goals'), [
      ['New Club', 1],
      ['Former Club', 1],
    ]);
    const { leaders: list } = await leaders('Market League', '');
    assert.deepEqual(
      list.map(({ rank, player_name, team_name, value, matches }) => [rank, player_name, team_name, value, matches]),
      [
        [1, 'Mo Mover', 'New Club', 2, null],
        [2, 'Stan Striker', 'Rowan', 1, null],
      ],
    );
  });

  it('a player whose figure is unknown at one of two clubs is no leader, even if he has none there', async () => {
    const mover = person('Una Unknown', 6);
    const over = { tournament: { name: 'Half League', country: 'GB-ENG' } };
    const goal = incident('goal', mover, 9, { goal_type: 'regular' });
    const club = { name: 'Silent Club', country: 'GB-ENG' };
    await fed.matches(
      match({ ...over, score: { home: 1, away: 0 }, incidents: [goal] }),
      match({ ...over, score: { home: 1, away: 0 }, home: club, lineups: [listed(mover, 'FW', '9')] }),
    );
    assert.deepEqual(await figures('Una Unknown', 'team_name', 'goals'), [
      ['Silent Club', null],
      ['Rowan', 1],
    ]);
    assert.deepEqual((await leaders('Half League', '')).leaders, []);
  });

  it('leaders are ranked by any figure, and equal values share a rank', async () => {
    const values = async (stat: string, more = '') =>
      (await leaders('League', `stat=${stat}${more}`)).leaders.map(({ rank, player_name, value }) => [
        rank,
        player_name,
        value,
      ]);
    assert.deepEqual(
      await values('goals'),
      [
        [1, 'Rita Reserve', 1],
        [2, 'Stan Striker', 1],
        [1, 'Vic Visitor', 1],
      ].map(([, name, value]) => [1, name, value]),
    );
    assert.deepEqual(await values('goals_and_assists', '&limit=2'), [
      [1, 'Rita Reserve', 1],
      [1, 'Dora Defender', 1],
    ]);
    assert.deepEqual(await values('cards'), [[1, 'Dora Defender', 2]]);
    assert.deepEqual(await values('own_goals'), [[1, 'Dora Defender', 1]]);
    assert.deepEqual(await values('penalties'), [[1, 'Stan Striker', 1]]);
    assert.deepEqual(await values('clean_sheets'), [[1, 'Kurt Keeper', 1]]);
    assert.deepEqual(await values('minutes', '&limit=3'), [
      [1, 'Vic Visitor', 270],
      [2, 'Kurt Keeper', 265],
      [3, 'Dora Defender', 250],
    ]);
  });

  it('an empty leader list has a reason', async () => {
    const { reason } = await leaders('Dim League', 'stat=minutes');
    assert.equal(reason, 'unknown');
    await fed.matches(
      match({
        tournament: { name: 'Next League', country: 'GB-ENG' },
        status: 'scheduled',
        status_detail: 'not_started',
        score: null,
      }),
    );
    assert.equal((await leaders('Next League', '')).reason, 'no_results');
  });

  it('an empty leader list names the latest season that has leaders by the same figure', async () => {
    const tournament = { name: 'Gap League', country: 'GB-ENG' } as const;
    const latest = async (query: string) => (await leaders('Gap League', query)).latest_season_with_leaders;
    const season = async (label: string) =>
      (
        await fed.db.pool.query<{ id: number }>(
          'SELECT s.id FROM season s JOIN tournament t ON t.id = s.tournament_id WHERE t.name = $1 AND s.season_label = $2',
          [tournament.name, label],
        )
      ).rows[0]!.id;
    const played = (label: string, over: Partial<Match>) =>
      match({ tournament, season: { label }, scheduled_start: `${label.slice(0, 4)}-09-01T15:00:00Z`, ...over });
    const goal = incident('goal', STRIKER, 9, { goal_type: 'regular' });
    await fed.matches(played('2023/24', { score: { home: 1, away: 0 } }));
    assert.equal(await latest(''), null, 'no season names any player');

    await fed.matches(
      played('2019/20', { score: { home: 1, away: 0 }, incidents: [goal, booked] }),
      played('2020/21', { score: { home: 1, away: 0 }, incidents: [goal] }),
      // Only one of two goals is known, so all figures are unknown.
      played('2021/22', { score: { home: 2, away: 0 }, incidents: [goal] }),
    );
    assert.equal(await latest(''), await season('2020/21'));
    assert.equal(await latest('stat=cards'), await season('2019/20'));
    assert.equal(await latest('stat=minutes'), null);
    const gap = `season=${await season('2021/22')}`;
    assert.deepEqual(
      [(await leaders('Gap League', gap)).reason, await latest(gap)],
      ['unknown', await season('2020/21')],
    );
    assert.equal(await latest(`season=${await season('2020/21')}`), undefined, 'a list with leaders needs no hint');

    await fed.matches(played('2022/23', { score: { home: 1, away: 0 }, incidents: [goal] }));
    assert.equal(await latest(''), await season('2022/23'), 'another season has leaders now');
    await fed.tournaments({ name: 'Season-less Cup', sport: 'football', country: 'GB-ENG' });
    const none = await leaders('Season-less Cup', '');
    assert.deepEqual([none.reason, none.latest_season_with_leaders], ['no_results', null]);
  });

  it('an empty leader list reads at most three seasons more, and only those that have leaders once figures are stored', async () => {
    const tournament = { name: 'Old Gap League', country: 'GB-ENG' } as const;
    const goal = incident('goal', STRIKER, 9, { goal_type: 'regular' });
    for (const year of [2001, 2002, 2003, 2004, 2005])
      await fed.matches(
        match({
          tournament,
          season: { label: String(year) },
          scheduled_start: `${year}-09-01T15:00:00Z`,
          // In every season except 2001, one of two goals is not known.
          score: { home: year === 2001 ? 1 : 2, away: 0 },
          incidents: [goal],
        }),
      );
    const read: string[] = [];
    const { query } = pg.Client.prototype;
    const watched = function (this: pg.Client, ...given: unknown[]): unknown {
      const { text, values } = given[0] as { text?: string; values?: unknown[] };
      if (text?.endsWith('AS "season"')) read.push(String(values?.[0]));
      return (query as (...all: unknown[]) => unknown).apply(this, given);
    };
    pg.Client.prototype.query = watched as typeof query;
    try {
      for (const [list, most] of [
        // 2005, which is the requested season, 2004, 2003 and 2002.
        ['goals', 4],
        // 2001, the only season with leaders.
        ['goals', 1],
        ['goals', 0],
        ['goals&limit=7', 2],
        ['own_goals', 1],
      ] as const) {
        read.length = 0;
        await leaders('Old Gap League', `stat=${list}`);
        // A season whose figures are stale is read twice.
        assert.equal(new Set(read).size, most, `${list} reads ${new Set(read).size} seasons`);
      }
    } finally {
      pg.Client.prototype.query = query;
    }
  });

  it('only empty statistics and an empty squad have a reason', async () => {
    await fed.participants({ name: 'Idle', sport: 'football', type: 'team', country: 'GB-ENG' });
    const reasons = async (name: string) => {
      const path = `/v1/participant/${await fed.participantId(name)}`;
      const replies = ['statistics', 'squad'].map((what) => ask<{ reason?: string }>(`${path}/${what}`));
      return (await Promise.all(replies)).map(({ reason }) => reason);
    };
    assert.deepEqual(await reasons('Idle'), ['no_results', 'no_players']);
    assert.deepEqual(await reasons('Rowan'), [undefined, undefined]);
    const path = `/v1/participant/${await fed.participantId('Rowan')}/statistics?season=${Number.MAX_SAFE_INTEGER}`;
    assert.equal((await ask<{ reason?: string }>(path)).reason, 'no_results');
  });

  it('invalid requests get a clear error', async () => {
    const rowan = await fed.participantId('Rowan');
    const striker = await fed.participantId('Stan Striker');
    const league = await fed.tournamentId('League');
    const cases: [path: string, status: number, detail: RegExp][] = [
      ['/v1/participant/999999/statistics', 404, /no participant 999999/],
      ['/v1/participant/999999/missing', 404, /no participant 999999/],
      ['/v1/tournament/999999/missing', 404, /no tournament 999999/],
      [`/v1/tournament/${league}/missing?season=999999`, 404, /has no season 999999/],
      [`/v1/participant/${striker}/squad`, 404, /is a player and has no squad/],
      [`/v1/participant/${rowan}/squad?season_label=1999/00`, 404, /No players .* in the season 1999\/00/],
      [`/v1/participant/${rowan}/statistics?season=x`, 422, /season: must be an integer/],
      [`/v1/tournament/${league}/leaders?stat=beauty`, 422, /stat: must be one of goals, assists/],
      [`/v1/tournament/${league}/leaders?season=999999`, 404, /has no season 999999/],
      [`/v1/tournament/${league}/leaders?limit=501`, 422, /limit: must be an integer from 1 to 500/],
    ];
    for (const [path, status, detail] of cases) {
      const { status: got, json } = await fed.app.ask(path);
      assert.equal(got, status, path);
      assert.match(json.detail, detail, path);
    }
  });

  it('a reply changes when the matches change', async () => {
    const over = {
      tournament: { name: 'Fresh League', country: 'GB-ENG' },
      home: { name: 'Fresh', country: 'GB-ENG' },
    };
    const played = match({ ...over, score: { home: 1, away: 0 } });
    await fed.matches(played);
    assert.deepEqual(await figures('Fresh', 'goals'), [[1]]);
    await fed.matches({ ...played, score: { home: 4, away: 0 } });
    assert.deepEqual(await figures('Fresh', 'goals'), [[4]]);
  });

  it('a plan without a league does not show the league’s seasons', async () => {
    const cup = await fed.tournamentId('Cup');
    const { list } = await listStatistics(fed.db.pool, await fed.participantId('Stan Striker'), {
      access: { sports: [], tournaments: [cup] },
    });
    assert.deepEqual(
      list.map(({ tournament }) => tournament),
      ['Cup'],
    );
  });

  describe('missing players', () => {
    const absent = (player_name: string, side: 'home' | 'away' = 'home') => ({
      side,
      player_name,
      position: 'FW',
      type: 'missing',
      status: 'out',
      reason_text: 'knee injury',
    });
    interface Missing {
      cards: { event_id: number }[];
      count: number;
      missing: { team_id: number; player_name: string; player_participant_id: number | null; reason_text: string }[];
    }
    const read = async (name: string) => ask<Missing>(`/v1/participant/${await fed.participantId(name)}/missing`);
    const coming = (day: number, missing_players?: ReturnType<typeof absent>[]) =>
      match({
        scheduled_start: `2024-06-${String(day).padStart(2, '0')}T15:00:00Z`,
        status: 'scheduled',
        status_detail: 'not_started',
        score: null,
        ...(missing_players && { missing_players }),
      });

    it('are unknown without a match card', async () => {
      const { cards, count } = await read('Rowan');
      assert.deepEqual([cards, count], [[], 0]);
    });

    it('come from the next match that lists them, and names get ids', async () => {
      await fed.matches(
        { ...match({ missing_players: [absent('Kurt Keeper')] }), scheduled_start: '2024-05-20T15:00:00Z' },
        coming(5),
        coming(8, [absent('stan striker'), absent('Nobody Known'), absent('Vic Visitor', 'away')]),
        coming(20, [absent('Dora Defender')]),
      );
      const { cards, missing } = await read('Rowan');
      assert.equal(cards.length, 1);
      const striker = await fed.participantId('Stan Striker');
      assert.deepEqual(
        missing.map(({ player_name, player_participant_id, reason_text }) => [
          player_name,
          player_participant_id,
          reason_text,
        ]),
        [
          ['stan striker', striker, 'knee injury'],
          ['Nobody Known', null, 'knee injury'],
        ],
      );
      assert.deepEqual(
        (await read('Stan Striker')).missing.map(({ player_name }) => player_name),
        ['stan striker'],
      );
      assert.equal((await read('Kurt Keeper')).count, 0);
    });

    it('are listed for all teams of a season', async () => {
      type OfSeason = Missing & { tournament_id: number; season_id: number };
      const id = await fed.tournamentId('League');
      const listed = await ask<OfSeason>(`/v1/tournament/${id}/missing`);
      assert.equal(listed.tournament_id, id);
      const home = await fed.participantId('Rowan');
      const { rows } = await fed.db.pool.query('SELECT away_id FROM match WHERE id = $1', [listed.cards[0]!.event_id]);
      const away = rows[0].away_id as number;
      assert.deepEqual(
        listed.missing
          .map(({ player_name, team_id }) => [player_name, team_id])
          .toSorted(([a], [b]) => (a! < b! ? 1 : -1)),
        [
          ['stan striker', home],
          ['Vic Visitor', away],
          ['Nobody Known', home],
        ],
      );
      assert.equal(listed.count, 3);
      const linked = listed.missing.flatMap(({ player_participant_id }) => player_participant_id ?? []);
      assert.ok(linked.includes(await fed.participantId('Stan Striker')));
      assert.deepEqual(await ask<OfSeason>(`/v1/tournament/${id}/missing?season=${listed.season_id}`), listed);
    });

    it('come from the last match that listed them if no match is to come', async () => {
      fed.now = Date.parse('2024-07-15T12:00:00Z');
      try {
        assert.deepEqual(
          (await read('Rowan')).missing.map(({ player_name }) => player_name),
          ['Dora Defender'],
        );
      } finally {
        fed.now = Date.parse('2024-06-01T12:00:00Z');
      }
    });
  });
});
