import assert from 'node:assert/strict';
import { provider } from '../../../src/providers/euroleague/provider.ts';
import { playProvider, recordings, runProvider } from '../../support/provider-run.ts';

const SCHEDULE = '/v2/competitions/E/seasons/E2024/games';
const path = (kind: string, code = 1) => `/api/${kind}?gamecode=${code}&seasoncode=E2024`;
const [HEADER, PLAYS, BOX] = ['Header', 'PlaybyPlay', 'Boxscore'].map((kind) => path(kind)) as [string, string, string];

const scheduled = (played: boolean, score?: readonly [home: number, away: number], more: object = {}) => ({
  gameCode: 1,
  season: { year: 2024 },
  phaseType: { code: 'RS' },
  round: 1,
  played,
  confirmedHour: true,
  utcDate: '2024-10-03T16:45:00Z',
  local: { club: { code: 'BER', name: 'ALBA Berlin' }, score: score?.[0] ?? 0 },
  road: { club: { code: 'PAN', name: 'Panathinaikos' }, score: score?.[1] ?? 0 },
  venue: { name: 'UBER ARENA', capacity: 11_856 },
  ...more,
});
const season = (...data: unknown[]) => ({ data });
const header = (live: boolean, [home, away]: readonly [number, number], time: string, more: object = {}) => ({
  Live: live,
  Round: '1',
  Date: '03/10/2024',
  Hour: '18:45 ',
  Stadium: 'UBER ARENA',
  CodeTeamA: 'BER',
  CodeTeamB: 'PAN',
  ScoreA: String(home),
  ScoreB: String(away),
  GameTime: time,
  RemainingPartialTime: '05:00',
  PhaseReducedName: 'R S ',
  CompetitionReducedName: 'E2024     ',
  Referee1: 'JAVOR, DAMIR',
  ...more,
});
const play = (number: number, type: string, team: string, minute: number, clock: string) => ({
  NUMBEROFPLAY: number,
  CODETEAM: team.padEnd(10),
  PLAYER_ID: team ? `P${team}` : '',
  PLAYTYPE: type,
  PLAYER: team ? `${team}, ONE` : null,
  MINUTE: minute,
  MARKERTIME: clock,
});
const plays = (live: boolean, first: object[], more: object = {}) => ({
  Live: live,
  CodeTeamA: 'BER       ',
  CodeTeamB: 'PAN       ',
  ActualQuarter: 1,
  FirstQuarter: first,
  ...more,
});
const two = play(7, '2FGM', 'BER', 1, '09:30');
const three = play(5, '3FGM', 'PAN', 1, '09:05');
const boxSide = (club: string, starters: number, points: number, more: object = {}) => ({
  Team: club,
  Coach: `${club}, COACH`,
  PlayersStats: Array.from({ length: 6 }, (_, index) => ({
    Player_ID: `P${club}${index}`,
    Player: `${club}${index}, ANN`,
    Team: club,
    IsStarter: index < starters ? 1 : 0,
    Dorsal: String(index),
    Minutes: index < starters ? '10:00' : 'DNP',
    Points: points,
  })),
  totr: { Points: points },
  ...more,
});
const box = (live: boolean, starters = 5, points = 3) => ({
  Live: live,
  Attendance: '11856',
  ByQuarter: [],
  Stats: [boxSide('BER', starters, points), boxSide('PAN', starters, points)],
});

describe('the Euroleague provider', () => {
  const ahead = () => {
    const run = runProvider(provider);
    run.read(SCHEDULE, season(scheduled(false)), '2024-10-03T08:00:00Z');
    return run;
  };
  const AT = '2024-10-03T16:47:00Z';
  const live = () => {
    const run = ahead();
    run.read(HEADER, header(true, [2, 3], '00:55'), AT);
    run.read(PLAYS, plays(true, [two, three]), AT);
    return run;
  };

  it('has no scopes, and reads the schedule from another host', () => {
    assert.match(provider.start('eurocup') as string, /one league/);
    assert.deepEqual(Object.keys(provider.otherUrls!), ['/v2/']);
  });

  it('reads the schedule every three hours, and the next season’s from July on', () => {
    const run = runProvider(provider);
    assert.deepEqual(run.plan('2025-06-30T12:00:00Z', ''), [`${SCHEDULE} every 10800 s`]);
    assert.deepEqual(run.plan('2025-07-01T12:00:00Z', ''), ['/v2/competitions/E/seasons/E2025/games every 10800 s']);
  });

  it('reads a live game’s header every 20 s, its plays at once if the header has news, and everything again for an hour after the end', () => {
    const run = ahead();
    assert.deepEqual(run.plan('2024-10-03T16:29:00Z', 'api'), []);
    assert.deepEqual(run.plan('2024-10-03T16:30:00Z', 'api'), [`${HEADER} every 20 s`, `${BOX} every 180 s`]);
    const on = live();
    assert.deepEqual(on.plan(AT, 'api'), [`${HEADER} every 20 s`, `${PLAYS} every 60 s`, `${BOX} every 180 s`]);
    const version = () => on.requests(AT).find((one) => one.path === PLAYS)!.version;
    const before = version();
    on.read(HEADER, header(true, [2, 3], '01:20'), AT);
    assert.equal(version(), before);
    on.read(HEADER, header(true, [4, 3], '01:40'), AT);
    assert.notEqual(version(), before);
    assert.deepEqual(on.plan(AT, 'Play'), [`${PLAYS} every 20 s`]);
    const end = plays(false, [two, three, play(8, '2FGM', 'BER', 1, '09:00'), play(90, 'EG', '', 41, '')]);
    on.read(HEADER, header(false, [4, 3], '40:00'), '2024-10-03T18:40:00Z');
    on.read(PLAYS, end, '2024-10-03T18:40:01Z');
    assert.deepEqual(on.plan('2024-10-03T19:30:00Z', 'api'), [
      `${HEADER} every 600 s`,
      `${PLAYS} every 600 s`,
      `${BOX} every 600 s`,
    ]);
    assert.deepEqual(on.plan('2024-10-03T19:41:00Z', 'api'), []);
  });

  it('reads a missed game as soon as the schedule has the result', () => {
    const run = ahead();
    run.read(SCHEDULE, season(scheduled(true, [77, 87])), '2024-10-04T08:00:00Z');
    assert.deepEqual(run.plan('2024-10-04T08:00:00Z', 'Play'), [`${PLAYS} every 600 s`]);
    const late = run.match(SCHEDULE, season(scheduled(true, [77, 87])), '2024-10-04T11:00:00Z');
    assert.deepEqual([late?.status, late?.score], ['finished', { home: 77, away: 87 }]);
  });

  it('takes ground, referees and the minute from the header, and the score from the plays', () => {
    const run = ahead();
    const before = run.match(HEADER, header(false, [0, 0], '00:00'), '2024-10-03T16:31:00Z');
    assert.deepEqual(
      [before?.status, before?.venue?.name, before?.referee, before?.round_num],
      ['scheduled', 'Uber Arena', 'Damir Javor', 1],
    );
    assert.equal(run.match(HEADER, header(false, [0, 0], '00:00'), '2024-10-03T16:32:00Z'), undefined);
    assert.equal(run.match(HEADER, header(true, [2, 0], '00:31'), AT), undefined);
    assert.deepEqual(run.match(PLAYS, plays(true, [two]), AT)?.score, { home: 2, away: 0 });
    const minute = run.match(HEADER, header(true, [2, 0], '01:10'), AT);
    assert.deepEqual(
      [minute?.status, minute?.minute, minute?.score, minute?.status_detail],
      ['live', 2, undefined, undefined],
    );
    assert.equal(run.match(HEADER, header(true, [2, 3], '01:30'), AT), undefined);
  });

  it('applies the header alone if the plays do not arrive', () => {
    const run = ahead();
    const at = (seconds: number) => new Date(Date.parse('2024-10-03T16:46:00Z') + seconds * 1_000).toISOString();
    assert.equal(run.match(HEADER, header(true, [2, 0], '00:31'), at(0)), undefined);
    const version = (seconds: number) => run.requests(at(seconds)).find((one) => one.path === HEADER)!.version;
    assert.notEqual(version(10), version(70));
    assert.equal(run.match(HEADER, header(true, [2, 3], '01:31'), at(100)), undefined);
    const late = run.match(HEADER, header(true, [4, 3], '02:10'), at(120));
    assert.deepEqual([late?.status, late?.minute, late?.score], ['live', 3, { home: 4, away: 3 }]);
    const end = run.match(HEADER, header(false, [80, 70], '40:00'), at(7_000));
    assert.deepEqual([end?.status, end?.score], ['finished', { home: 80, away: 70 }]);
  });

  it('neither ends nor begins a match because of a stale reply, nor takes points back', () => {
    const run = live();
    const refused = (kind: string, body: unknown, at = AT) => {
      const { updates, unknown } = run.read(kind, body, at);
      assert.deepEqual(updates, []);
      return unknown.map(({ value }) => value).join();
    };
    // The schedule does not show that the game is live. That is neither news nor a fault.
    assert.equal(refused(SCHEDULE, season(scheduled(false))), '');
    assert.equal(refused(HEADER, header(false, [0, 0], '00:00')), 'ahead after it was live');
    assert.equal(refused(HEADER, header(true, [2, 0], '00:31')), 'a lower score than before');
    assert.equal(refused(PLAYS, plays(true, [two])), 'an earlier play than before');
    // In these replies the game has ended, but the time or the final play is missing.
    assert.equal(refused(HEADER, header(false, [2, 3], '12:00')), 'not live after 12:00');
    assert.equal(refused(HEADER, header(false, [2, 3], '40:00', { GameTime: null })), 'not live after no time');
    assert.equal(
      refused(PLAYS, plays(false, [two, three, play(8, '2FGM', 'BER', 1, '09:00')])),
      'not live, although the plays do not have the end of the game',
    );
    const end = plays(false, [two, three, play(90, 'EG', '', 41, '')]);
    run.read(PLAYS, end, '2024-10-03T18:40:00Z');
    const later = '2024-10-03T18:41:00Z';
    assert.equal(refused(HEADER, header(true, [2, 3], '39:59'), later), 'live after it was over');
    assert.equal(refused(PLAYS, plays(true, [two, three]), later), 'live after it was over');
    assert.equal(refused(SCHEDULE, season(scheduled(false)), later), '');
  });

  it('removes a disallowed basket together with its points', () => {
    const foul = play(9, 'CM', 'BER', 1, '09:00');
    const match = live().match(PLAYS, plays(true, [two, foul, play(10, 'TO', 'PAN', 1, '08:50')]), AT);
    assert.deepEqual([match?.score, match?.incidents?.length], [{ home: 2, away: 0 }, 1]);
  });

  it('gives line-ups once each side has five starters, and figures once the game has begun', () => {
    const run = ahead();
    const blocks = (body: object, of = run) => Object.keys(of.match(BOX, body, '2024-10-03T16:40:00Z') ?? {}).slice(6);
    assert.deepEqual(blocks(box(false, 0, 0)), ['coaches']);
    assert.deepEqual(blocks(box(false, 5, 0)), ['coaches', 'lineups', 'lineup_confirmed']);
    assert.deepEqual(blocks(box(true), live()), [
      'coaches',
      'lineups',
      'lineup_confirmed',
      'statistics',
      'player_stats',
    ]);
    // A reply without players does not empty the lists.
    assert.equal(live().match(BOX, { Live: true, Stats: [] }, AT), undefined);
  });

  it('accepts empty replies before a game begins', () => {
    const run = ahead();
    for (const kind of [HEADER, PLAYS, BOX]) {
      for (const body of [null, {}, ''])
        assert.deepEqual(run.read(kind, body, AT), { known: run.known, updates: [], unknown: [] });
      assert.match(live().refuse(kind, null, AT), /is empty/);
    }
  });

  it('refuses replies with a wrong structure, or for another season or game', () => {
    const run = live();
    for (const body of [null, [], 'text', {}, { data: {} }])
      assert.match(run.refuse(SCHEDULE, body, AT), /no list of games/);
    assert.match(
      run.refuse(SCHEDULE, season(scheduled(false, [0, 0], { season: { year: 2023 } })), AT),
      /another season/,
    );
    for (const kind of [HEADER, PLAYS]) for (const body of [[], 'text', { Live: 'yes' }]) run.refuse(kind, body, AT);
    assert.match(run.refuse(HEADER, header(true, [0, 0], '01:00', { CodeTeamA: 'MAD' }), AT), /teams are MAD and PAN/);
    assert.match(
      run.refuse(HEADER, header(true, [0, 0], '01:00', { CompetitionReducedName: 'U2024' }), AT),
      /of U2024/,
    );
    assert.match(
      run.refuse(PLAYS, plays(true, [], { CodeTeamA: 'PAN', CodeTeamB: 'BER' }), AT),
      /teams are PAN and BER/,
    );
    const swapped = { ...box(true), Stats: [boxSide('PAN', 5, 1), boxSide('BER', 5, 1)] };
    assert.match(run.refuse(BOX, swapped, AT), /players are of PAN, not of BER/);
    assert.match(run.refuse(path('Header', 9), header(true, [0, 0], '01:00'), AT), /not known/);
    assert.match(run.refuse('/api/Points?gamecode=1&seasoncode=E2024', {}, AT), /no request/);
  });

  it('deletes nothing after an empty schedule, and continues after an unreadable game', () => {
    const run = live();
    const before = run.known;
    assert.deepEqual(run.read(SCHEDULE, season(), AT).updates, []);
    assert.deepEqual(run.known, before);
    const { updates, unknown } = runProvider(provider).read(
      SCHEDULE,
      season(
        scheduled(false, [0, 0], { gameCode: 'x' }),
        scheduled(false, [0, 0], { gameCode: 2, local: { club: { code: 'XYZ' } } }),
        scheduled(true, [80, 80], { gameCode: 3 }),
        scheduled(false),
      ),
      '2024-10-03T08:00:00Z',
    );
    assert.deepEqual(
      unknown.map((one) => one.path),
      ['data[0].gameCode', 'data[1]', 'data[2]'],
    );
    // The tied game has no result, but counts as a fixture.
    assert.deepEqual(
      updates.map((one) => one.kind === 'match' && one.match.status),
      [undefined, 'scheduled'],
    );
  });

  it('can plan requests for a thousand simultaneous live games', () => {
    const run = runProvider(provider);
    const many = Array.from({ length: 1_000 }, (_, index) => scheduled(false, undefined, { gameCode: index + 1 }));
    run.read(SCHEDULE, season(...many), '2024-10-03T16:40:00Z');
    const paths = run.requests(AT).map((one) => one.path);
    assert.deepEqual([paths[0], paths.length, new Set(paths).size], [HEADER, 2_001, 2_001]);
  });

  it('gives the card, and every event once and in order, when it reads a game reply by reply', async () => {
    const run = await playProvider(provider);
    const step = (kind: string, body: unknown, time: string) => run.events(kind, body, `2024-10-03T${time}Z`);
    assert.deepEqual(await step(SCHEDULE, season(scheduled(false)), '08:00:00'), ['match.created']);
    assert.deepEqual(await step(HEADER, header(false, [0, 0], '00:00'), '16:31:00'), []);
    assert.deepEqual(await step(BOX, box(false, 5, 0), '16:40:00'), ['match.lineup_confirmed']);
    assert.deepEqual(await step(HEADER, header(true, [0, 0], '00:05'), '16:46:00'), []);
    const begin = play(1, 'BP', '', 1, '');
    assert.deepEqual(await step(PLAYS, plays(true, [begin]), '16:46:01'), ['match.started']);
    assert.deepEqual(await step(HEADER, header(true, [2, 3], '00:56'), '16:47:00'), []);
    assert.deepEqual(await step(PLAYS, plays(true, [begin, two, three]), '16:47:01'), ['match.point', 'match.point']);
    assert.deepEqual(await step(HEADER, header(true, [2, 3], '01:20'), '16:47:20'), []);
    // An old reply, a header from yesterday, and a schedule without games cause no event.
    assert.deepEqual(await step(PLAYS, plays(true, [begin, two]), '16:47:21'), []);
    assert.deepEqual(await step(HEADER, header(false, [0, 0], '00:00'), '16:47:40'), []);
    assert.deepEqual(await step(SCHEDULE, season(), '16:47:50'), []);
    const first = [begin, two, three, play(40, 'EP', '', 11, '')];
    assert.deepEqual(
      await step(HEADER, header(true, [2, 3], '10:00', { RemainingPartialTime: '00:00' }), '17:10:00'),
      [],
    );
    assert.deepEqual(await step(PLAYS, plays(true, first), '17:10:01'), ['match.period_ended']);
    const second = { SecondQuarter: [play(41, 'BP', '', 11, ''), play(42, 'FTM', 'BER', 11, '09:50')] };
    assert.deepEqual(await step(PLAYS, plays(true, first, second), '17:13:00'), [
      'match.period_started',
      'match.point',
    ]);
    // The scorer is corrected later.
    const corrected = {
      SecondQuarter: [second.SecondQuarter[0]!, { ...second.SecondQuarter[1]!, PLAYER: 'OTHER, TWO', PLAYER_ID: 'P9' }],
    };
    assert.deepEqual(await step(PLAYS, plays(true, first, corrected), '17:14:00'), ['match.incident_updated']);
    assert.deepEqual(await step(BOX, box(true), '17:15:00'), ['match.statistics_updated']);
    const third = { ThirdQuarter: [play(60, '2FGM', 'BER', 25, '05:00')] };
    const last = {
      ForthQuarter: [play(80, '3FGM', 'PAN', 40, '00:10'), play(90, 'EP', '', 41, ''), play(91, 'EG', '', 41, '')],
    };
    const all = { ...corrected, ...third, ...last };
    assert.deepEqual(await step(HEADER, header(false, [5, 6], '40:00'), '18:40:00'), []);
    assert.deepEqual(await step(PLAYS, plays(false, first, all), '18:40:01'), [
      'match.point',
      'match.point',
      'match.period_ended',
      'match.finished',
    ]);
    assert.deepEqual(await step(HEADER, header(true, [5, 6], '39:59'), '18:40:20'), []);
    assert.deepEqual(await step(BOX, box(false), '18:41:00'), []);
    assert.deepEqual(await step(SCHEDULE, season(scheduled(true, [5, 6])), '21:00:00'), []);
    const card = await run.card('E2024_1');
    assert.deepEqual(
      [card.status, card.status_detail, card.participants.map(({ name, score }) => [name, score])],
      [
        'finished',
        'ended',
        [
          ['Alba Berlin', 5],
          ['Panathinaikos', 6],
        ],
      ],
    );
    assert.deepEqual(card.extra.period_scores, [
      { period: 'Q1', home: 2, away: 3 },
      { period: 'Q2', home: 1, away: 0 },
      { period: 'Q3', home: 2, away: 0 },
      { period: 'Q4', home: 0, away: 3 },
    ]);
    assert.deepEqual(
      card.incidents?.map(({ kind, period, player_name }) => [kind, period, player_name]),
      [
        ['point', 'Q1', 'One Ber'],
        ['point', 'Q1', 'One Pan'],
        ['period_end', 'Q1', null],
        ['point', 'Q2', 'Two Other'],
        ['point', 'Q3', 'One Ber'],
        ['point', 'Q4', 'One Pan'],
        ['period_end', 'Q4', null],
      ],
    );
    await run.close();
  });

  describe('with recorded replies', () => {
    const recorded = recordings('euroleague');
    before(recorded.skip);

    it('reads a schedule and two games, one with overtime, without an unknown value', () => {
      const all = recorded.read('schedule_E2024_subset.json.gz');
      const schedule = runProvider(provider).read(SCHEDULE, all, '2025-05-03T00:00:00Z');
      assert.deepEqual([schedule.updates.length, schedule.unknown], [26, []]);
      const at = '2024-10-03T19:00:00Z';
      const run = runProvider(provider);
      // Returns the schedule as it was before the games.
      const before = season(...all.data.map((game: object) => ({ ...game, played: false })));
      run.read(SCHEDULE, before, '2024-10-03T12:00:00Z');
      const end = run.match(HEADER, recorded.read('Header_E2024_1_final.json.gz'), at);
      assert.equal(end, undefined);
      const first = run.match(PLAYS, recorded.read('PlaybyPlay_E2024_1_final.json.gz'), at);
      assert.deepEqual(
        [first?.status, first?.status_detail, first?.score],
        ['finished', 'ended', { home: 77, away: 87 }],
      );
      const blocks = run.match(BOX, recorded.read('Boxscore_E2024_1_final.json.gz'), at);
      assert.deepEqual([blocks?.lineups?.length, blocks?.attendance], [24, 11_856]);
      const late = '2024-10-18T20:40:00Z';
      run.read(SCHEDULE, before, '2024-10-18T12:00:00Z');
      const overtime = run.match(path('PlaybyPlay', 35), recorded.read('PlaybyPlay_E2024_35_final.json.gz'), late);
      assert.deepEqual([overtime?.status_detail, overtime?.score], ['after_extra_time', { home: 94, away: 98 }]);
      assert.ok(run.match(path('Boxscore', 35), recorded.read('Boxscore_E2024_35_final.json.gz'), late)?.player_stats);
    });
  });
});
