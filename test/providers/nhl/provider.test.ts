import assert from 'node:assert/strict';
import { provider } from '../../../src/providers/nhl/provider.ts';
import { playProvider, recordings, runProvider } from '../../support/provider-run.ts';

const DAY = '2023-10-10';
const WEEK = `/v1/schedule/${DAY}`;
const SCORES = `/v1/score/${DAY}`;
const ID = 2023020001;
const PLAYS = `/v1/gamecenter/${ID}/play-by-play`;
const RAIL = `/v1/gamecenter/${ID}/right-rail`;

const game = (gameState: string, more: object = {}) => ({
  id: ID,
  season: 20232024,
  gameType: 2,
  startTimeUTC: '2023-10-10T23:00:00Z',
  gameState,
  gameScheduleState: 'OK',
  homeTeam: { id: 10, abbrev: 'TOR' },
  awayTeam: { id: 8, abbrev: 'MTL' },
  periodDescriptor: {},
  ...more,
});
/**
 * Returns a game that has begun.
 * @param left time left in the period as MM:SS, or `break`
 */
const begun = (state: string, [home, away]: [number, number], number: number, left: string, more: object = {}) =>
  game(state, {
    homeTeam: { id: 10, abbrev: 'TOR', score: home },
    awayTeam: { id: 8, abbrev: 'MTL', score: away },
    periodDescriptor: { number, periodType: number === 5 ? 'SO' : number === 4 ? 'OT' : 'REG' },
    clock: { timeRemaining: left === 'break' ? '12:00' : left, inIntermission: left === 'break' },
    ...more,
  });
const week = (...games: object[]) => ({ gameWeek: [{ date: DAY, games }] });
const scores = (...games: object[]) => ({ currentDate: DAY, games });

const PEOPLE: Record<number, string> = { 1: 'Auston Matthews', 2: 'Mitch Marner', 3: 'Cole Caufield' };
const rosterSpots = Object.entries(PEOPLE).map(([id, name]) => ({
  teamId: id === '3' ? 8 : 10,
  playerId: Number(id),
  firstName: { default: name.split(' ')[0] },
  lastName: { default: name.split(' ')[1] },
  sweaterNumber: Number(id),
  positionCode: 'C',
}));
const play = (
  eventId: number,
  sortOrder: number,
  kind: string,
  number: number,
  time: string,
  details: object = {},
) => ({
  eventId,
  sortOrder,
  periodDescriptor: { number, periodType: number === 5 ? 'SO' : number === 4 ? 'OT' : 'REG' },
  timeInPeriod: time,
  typeDescKey: kind,
  details,
});
const goal = (eventId: number, order: number, number: number, time: string, team: number, scorer: number, more = {}) =>
  play(eventId, order, 'goal', number, time, { eventOwnerTeamId: team, scoringPlayerId: scorer, ...more });
const plays = (of: object, ...list: object[]) => ({ gameDate: DAY, ...of, plays: list, rosterSpots });
const faceoff = (order: number, number: number, time: string) => play(order, order, 'faceoff', number, time);

describe('the NHL provider', () => {
  const ahead = () => {
    const run = runProvider(provider);
    run.read(WEEK, week(game('FUT')), '2023-10-10T12:00:00Z');
    return run;
  };
  const live = () => {
    const run = ahead();
    run.read(SCORES, scores(begun('LIVE', [1, 0], 2, '10:00')), '2023-10-11T00:00:00Z');
    run.read(
      PLAYS,
      plays(begun('LIVE', [1, 0], 2, '10:00'), goal(7, 70, 1, '05:00', 10, 1), faceoff(200, 2, '10:00')),
      '2023-10-11T00:00:01Z',
    );
    return run;
  };

  it('runs only if its terms are accepted, and has no scopes', () => {
    assert.match(provider.start('east') as string, /one league/);
    assert.equal(provider.requires, 'acceptance');
    assert.match(provider.notice, /no terms/);
  });

  it('reads the schedule by league day, the scores on a day with games, and each live game separately', () => {
    const run = ahead();
    assert.deepEqual(run.plan('2023-10-10T12:00:00Z', 'schedule'), [
      '/v1/schedule/2023-10-10 every 10800 s',
      '/v1/schedule/2023-10-17 every 43200 s',
    ]);
    // The league's day lasts until the games in the west are over.
    assert.equal(run.plan('2023-10-11T09:59:00Z', 'schedule')[0], '/v1/schedule/2023-10-10 every 10800 s');
    assert.equal(run.plan('2023-10-11T10:01:00Z', 'schedule')[0], '/v1/schedule/2023-10-11 every 10800 s');
    assert.deepEqual(run.plan('2023-10-10T22:44:00Z', 'game'), []);
    assert.deepEqual(run.plan('2023-10-10T22:44:00Z', 'score'), []);
    assert.deepEqual(run.plan('2023-10-10T22:45:00Z'), [`${SCORES} every 20 s`]);
    assert.deepEqual(run.plan('2023-10-10T22:45:00Z', 'game'), [`${PLAYS} every 300 s`]);
    const played = live();
    assert.deepEqual(played.plan('2023-10-11T00:00:02Z', `${ID}`), [`${PLAYS} every 60 s`, `${RAIL} every 300 s`]);
    const requests = played.requests('2023-10-11T00:00:02Z');
    assert.deepEqual([requests[0]!.path, requests[0]!.isLive], [SCORES, true]);
  });

  it('reads the play-by-play at once if the scores have news, and the statistics at each period end', () => {
    const run = live();
    const versions = () =>
      run.requests('2023-10-11T00:00:30Z').flatMap(({ path, version }) => (path.includes(`${ID}`) ? [version] : []));
    const [mark, rail] = versions();
    run.read(SCORES, scores(begun('LIVE', [1, 0], 2, '09:00')), '2023-10-11T00:01:00Z');
    assert.deepEqual(versions(), [mark, rail]);
    run.read(SCORES, scores(begun('LIVE', [2, 0], 2, '08:00')), '2023-10-11T00:02:00Z');
    assert.deepEqual([versions()[0] === mark, versions()[1]], [false, rail]);
    assert.deepEqual(run.plan('2023-10-11T00:02:00Z', 'play-by-play'), [`${PLAYS} every 20 s`]);
    run.read(SCORES, scores(begun('LIVE', [2, 0], 2, 'break')), '2023-10-11T00:20:00Z');
    assert.notEqual(versions()[1], rail);
  });

  it('reads a game at once when it ends, again for an hour, and for the last time when the result is official', () => {
    const run = live();
    const end = begun('FINAL', [1, 0], 3, '00:00');
    run.read(SCORES, scores(end), '2023-10-11T01:30:00Z');
    // The game is not over until the play-by-play says so.
    assert.deepEqual(run.plan('2023-10-11T01:30:00Z', `${ID}`), [`${PLAYS} every 20 s`, `${RAIL} every 300 s`]);
    run.read(PLAYS, plays(end, goal(7, 70, 1, '05:00', 10, 1)), '2023-10-11T01:30:02Z');
    assert.deepEqual(run.plan('2023-10-11T02:00:00Z', `${ID}`), [`${PLAYS} every 600 s`, `${RAIL} every 600 s`]);
    assert.deepEqual(run.plan('2023-10-11T02:00:00Z', 'score'), [`${SCORES} every 600 s`]);
    assert.deepEqual(run.plan('2023-10-11T03:00:00Z', `${ID}`), []);
    assert.deepEqual(run.plan('2023-10-11T03:00:00Z', 'score'), [`${SCORES} every 3600 s`]);
    const official = begun('OFF', [1, 0], 3, '00:00');
    assert.equal(run.match(SCORES, scores(official), '2023-10-11T12:00:00Z'), undefined);
    assert.deepEqual(run.plan('2023-10-11T12:00:00Z', `${ID}`), [`${PLAYS} every 600 s`, `${RAIL} every 600 s`]);
    const last = run.match(PLAYS, plays(official, goal(7, 70, 1, '05:00', 10, 2)), '2023-10-11T12:00:01Z');
    assert.deepEqual([last?.finalized, last?.incidents?.length], [true, 1]);
    assert.deepEqual(run.plan('2023-10-11T12:00:02Z', `${ID}`), []);
    assert.deepEqual(run.plan('2023-10-11T12:00:02Z', 'score'), []);
  });

  it('applies the scores alone if the play-by-play does not arrive', () => {
    const run = ahead();
    const at = (seconds: number) => new Date(Date.parse('2023-10-10T23:00:00Z') + seconds * 1_000).toISOString();
    const begin = scores(game('LIVE'));
    assert.equal(run.match(SCORES, begin, at(10)), undefined);
    // Until then the list has to be sent completely, even if it has not changed.
    const version = (seconds: number) => run.requests(at(seconds)).find(({ path }) => path === SCORES)!.version;
    assert.notEqual(version(30), version(90));
    assert.equal(run.match(SCORES, begin, at(129)), undefined);
    const begins = run.match(SCORES, begin, at(130));
    assert.deepEqual([begins?.status, begins?.score], ['live', { home: 0, away: 0 }]);
    const scored = scores(begun('LIVE', [1, 0], 1, '15:00'));
    assert.deepEqual(run.match(SCORES, scored, at(300))?.score, { home: 1, away: 0 });
    const over = scores(begun('FINAL', [1, 0], 3, '00:00'));
    assert.equal(run.match(SCORES, over, at(9_000))?.status, 'finished');
    assert.equal(
      live()
        .requests('2023-10-11T00:00:02Z')
        .find(({ path }) => path === SCORES)!.version,
      undefined,
    );
  });

  it('neither ends nor begins a match because of a stale reply, nor takes a goal back', () => {
    const run = live();
    const at = '2023-10-11T00:10:00Z';
    const refused = (path: string, body: unknown, when = at) => {
      const { updates, unknown } = run.read(path, body, when);
      assert.deepEqual(updates, []);
      return unknown.map(({ value }) => value).join();
    };
    // Replies from yesterday.
    assert.equal(refused(SCORES, scores(game('FUT'))), 'ahead after it was live');
    assert.equal(refused(PLAYS, plays(game('FUT'))), 'ahead after it was live');
    assert.equal(refused(WEEK, week(game('PRE'))), 'ahead after it was live');
    // Replies from an earlier minute.
    const earlier = begun('LIVE', [1, 0], 1, '02:00');
    assert.equal(refused(SCORES, scores(earlier)), 'an earlier time of play than before');
    assert.equal(refused(PLAYS, plays(earlier, goal(7, 70, 1, '05:00', 10, 1))), 'an earlier time of play than before');
    assert.equal(
      refused(PLAYS, plays(begun('LIVE', [0, 0], 2, '10:00'), faceoff(150, 2, '09:00'))),
      'an earlier play than before',
    );
    // A falling score is refused, in the list and in a play-by-play that still has the goal.
    assert.equal(refused(SCORES, scores(begun('LIVE', [0, 0], 2, '10:00'))), 'a lower score than before');
    const fallen = run.read(
      PLAYS,
      plays(begun('LIVE', [0, 0], 2, '09:00'), goal(7, 70, 1, '05:00', 10, 1), faceoff(210, 2, '11:00')),
      at,
    );
    const [update] = fallen.updates;
    assert.ok(update?.kind === 'match');
    assert.deepEqual([update.match.score, fallen.unknown[0]?.path], [{ home: 1, away: 0 }, 'homeTeam.score']);
    // A game that is over stays over.
    run.read(PLAYS, plays(begun('FINAL', [1, 0], 3, '00:00'), goal(7, 70, 1, '05:00', 10, 1)), '2023-10-11T01:40:00Z');
    const later = '2023-10-11T01:50:00Z';
    assert.equal(refused(SCORES, scores(begun('LIVE', [1, 0], 3, '00:10')), later), 'live after it was over');
    assert.equal(refused(PLAYS, plays(begun('CRIT', [1, 0], 3, '00:10')), later), 'live after it was over');
    assert.equal(refused(WEEK, week(game('FUT')), later), 'ahead after it was over');
  });

  it('removes a disallowed goal from the incidents and from the score', () => {
    const match = live().match(
      PLAYS,
      plays(begun('LIVE', [0, 0], 2, '09:30'), faceoff(200, 2, '10:00'), faceoff(205, 2, '10:20')),
      '2023-10-11T00:01:00Z',
    );
    assert.deepEqual([match?.score, match?.incidents], [{ home: 0, away: 0 }, []]);
  });

  it('leaves out a game that the source reports as live hours before the start, or for the first time long after the start', () => {
    const early = ahead().read(SCORES, scores(begun('LIVE', [1, 0], 1, '10:00')), '2023-10-10T14:00:00Z');
    assert.deepEqual([early.updates.length, early.unknown[0]?.value], [0, 'live hours before the start']);
    const late = runProvider(provider).read(SCORES, scores(begun('LIVE', [1, 0], 1, '10:00')), '2023-10-13T14:00:00Z');
    assert.deepEqual([late.updates.length, late.unknown[0]?.value], [0, 'live long after the start']);
    // Our clock is ten minutes slow.
    const slow = ahead().match(PLAYS, plays(begun('LIVE', [0, 0], 1, '19:50')), '2023-10-10T22:50:10Z', {
      sourceTime: Date.parse('2023-10-10T23:00:10Z'),
    });
    assert.equal(slow?.status, 'live');
  });

  it('reports unknown states, which neither end a match nor empty a block', () => {
    const run = live();
    const at = '2023-10-11T00:10:00Z';
    const inWeek = run.read(WEEK, week(begun('NEW', [1, 0], 2, '10:00')), at);
    assert.deepEqual(inWeek.unknown, [{ path: 'gameWeek[0].games[0]', value: 'gameState "NEW" is not known' }]);
    const [update] = inWeek.updates;
    assert.ok(update?.kind === 'match');
    assert.deepEqual([update.match.status, update.match.score], [undefined, undefined]);
    assert.deepEqual(run.read(PLAYS, plays(begun('NEW', [1, 0], 2, '10:00')), at).updates, []);
    const period = live().read(
      PLAYS,
      plays({ ...begun('FINAL', [1, 0], 4, '00:00'), periodDescriptor: { number: 4, periodType: '4ON4' } }),
      '2023-10-11T01:40:00Z',
    );
    const [inPeriod] = period.updates;
    assert.ok(inPeriod?.kind === 'match');
    assert.deepEqual(
      [period.unknown.at(-1), inPeriod.match.status, inPeriod.match.score],
      [{ path: 'periodDescriptor.periodType', value: '4ON4' }, undefined, undefined],
    );
    const broken = run.match(
      PLAYS,
      {
        ...plays(
          begun('LIVE', [1, 0], 2, '09:00'),
          { ...goal(7, 70, 1, '05:00', 10, 1), timeInPeriod: null },
          faceoff(220, 2, '11:00'),
        ),
        rosterSpots: [...rosterSpots, { teamId: 'x' }],
      },
      at,
    );
    assert.deepEqual(
      [broken?.score, broken?.incidents, broken?.lineups, broken?.period_scores],
      [{ home: 1, away: 0 }, undefined, undefined, undefined],
    );
    // An end without a score, or with a tie, is ignored, and the match continues.
    for (const result of [game('FINAL'), begun('FINAL', [1, 1], 3, '00:00')]) {
      const end = run.read(PLAYS, plays(result), '2023-10-11T01:40:00Z');
      const [only] = end.updates;
      assert.ok(only?.kind === 'match');
      assert.deepEqual([only.match.status, end.unknown.length], [undefined, 1]);
      assert.ok(run.plan('2023-10-11T01:40:00Z').includes(`${SCORES} every 20 s`));
    }
  });

  it('refuses replies with a wrong structure, or for another day or game', () => {
    const run = live();
    const at = '2023-10-11T00:10:00Z';
    for (const body of [null, [], 'text', {}, { gameWeek: {} }])
      assert.match(run.refuse(WEEK, body, at), /no gameWeek/);
    for (const body of [null, [], 'text', {}, { games: {} }])
      assert.match(run.refuse(SCORES, body, at), /no list of games/);
    assert.match(run.refuse(SCORES, { currentDate: '2023-10-09', games: [] }, at), /is of "2023-10-09"/);
    assert.match(run.refuse(WEEK, { gameWeek: [{ date: '2023-10-03', games: [] }] }, at), /week of "2023-10-03"/);
    for (const body of [null, 'text', {}, { plays: [] }]) run.refuse(PLAYS, body, at);
    assert.match(
      run.refuse(PLAYS, plays({ ...begun('LIVE', [1, 0], 2, '09:00'), id: 2023020002 }), at),
      /of game 2023020002/,
    );
    for (const body of [null, 'text', [], { teamGameStats: {} }]) run.refuse(RAIL, body, at);
    assert.match(run.refuse('/v1/gamecenter/2023020099/right-rail', {}, at), /not known/);
    assert.match(run.refuse('/v1/standings/now', {}, at), /no request/);
  });

  it('deletes nothing after an empty list or if a game vanishes, and continues after an unreadable game', () => {
    const run = live();
    const before = run.known;
    assert.deepEqual(run.read(SCORES, scores(), '2023-10-11T00:10:00Z').updates, []);
    assert.deepEqual(run.read(WEEK, { gameWeek: [] }, '2023-10-11T00:10:00Z').updates, []);
    assert.deepEqual(run.known, before);
    const { updates, unknown } = runProvider(provider).read(
      WEEK,
      week(
        { ...game('FUT'), id: 'x' },
        { ...game('FUT'), id: 2023020002, homeTeam: { id: 99, abbrev: 'XYZ' } },
        { ...game('FUT'), id: 2023010003, gameType: 1 },
        game('FUT'),
      ),
      '2023-10-10T12:00:00Z',
    );
    assert.deepEqual(
      unknown.map(({ path }) => path),
      ['gameWeek[0].games[0].id', 'gameWeek[0].games[1]'],
    );
    assert.equal(updates.length, 1);
  });

  it('uses the new day for a postponed game that is listed on both days', () => {
    const moved = game('FUT', { startTimeUTC: '2023-10-12T23:00:00Z' });
    const old = game('FUT', { gameScheduleState: 'PPD' });
    const run = ahead();
    assert.equal(run.match(SCORES, scores(old), '2023-10-10T20:00:00Z')?.status_detail, 'postponed');
    assert.equal(run.match(SCORES, scores(old), '2023-10-10T20:00:20Z'), undefined);
    const both = {
      gameWeek: [
        { date: DAY, games: [old] },
        { date: '2023-10-12', games: [moved] },
      ],
    };
    const match = run.match(WEEK, both, '2023-10-10T21:00:00Z');
    assert.deepEqual([match?.status_detail, match?.scheduled_start], ['not_started', '2023-10-12T23:00:00Z']);
    assert.equal(run.match(SCORES, scores(old), '2023-10-10T21:00:20Z'), undefined);
  });

  it('takes statistics and officials from the right rail, and nothing if it is empty', () => {
    const run = live();
    const match = run.match(
      RAIL,
      {
        gameInfo: { referees: [{ default: 'Chris Lee' }], homeTeam: { headCoach: { default: 'Sheldon Keefe' } } },
        teamGameStats: [
          { category: 'sog', homeValue: 12, awayValue: 9 },
          { category: 'unheardOf', homeValue: 1, awayValue: 1 },
        ],
      },
      '2023-10-11T00:05:00Z',
    );
    assert.deepEqual(
      [match?.id, match?.status, match?.referee, match?.statistics?.map(({ stat_name }) => stat_name)],
      ['2023020001', undefined, 'Chris Lee', ['Shots on goal']],
    );
    assert.equal(run.match(RAIL, { teamGameStats: [], gameInfo: null }, '2023-10-11T00:06:00Z'), undefined);
  });

  it('can plan requests for a thousand simultaneous live games', () => {
    const run = runProvider(provider);
    const many = Array.from({ length: 1_000 }, (_, index) => ({
      ...begun('LIVE', [1, 0], 2, '10:00'),
      id: ID + index,
    }));
    run.read(SCORES, scores(...many), '2023-10-11T00:00:00Z');
    const paths = run.requests('2023-10-11T00:00:20Z').map(({ path }) => path);
    assert.deepEqual([paths[0], paths.length, new Set(paths).size], [SCORES, 2_003, 2_003]);
  });

  it('gives the card, and every event once and in order, when it reads a game reply by reply', async () => {
    const run = await playProvider(provider);
    const first = goal(51, 10, 1, '05:00', 10, 1);
    const assisted = goal(51, 10, 1, '05:00', 10, 1, { assist1PlayerId: 2 });
    const disallowed = goal(52, 20, 1, '09:00', 10, 2);
    const penalty = play(53, 30, 'penalty', 2, '01:00', {
      eventOwnerTeamId: 8,
      committedByPlayerId: 3,
      duration: 2,
      descKey: 'tripping',
    });
    const equal = goal(54, 40, 3, '19:00', 8, 3);
    const regular = [assisted, play(55, 25, 'period-end', 1, '20:00'), penalty, equal];
    const shots = [
      play(60, 60, 'shot-on-goal', 5, '00:00', { eventOwnerTeamId: 8, shootingPlayerId: 3 }),
      goal(61, 61, 5, '00:00', 10, 2),
    ];
    const step = (path: string, body: unknown, time: string) => run.events(path, body, `2023-10-${time}Z`);
    const list = (of: object, time: string) => step(SCORES, scores(of), time);
    const own = (of: object, time: string, ...all: object[]) => step(PLAYS, plays(of, ...all), time);

    assert.deepEqual(await step(WEEK, week(game('FUT')), '10T12:00:00'), ['match.created']);
    assert.deepEqual(await own(game('PRE'), '10T22:46:00'), ['match.lineup_confirmed']);
    assert.deepEqual(await list(game('PRE'), '10T22:50:00'), []);
    // The game lacks the clock and the period.
    assert.deepEqual(await list(game('LIVE'), '10T23:00:20'), []);
    assert.deepEqual(await own(game('LIVE'), '10T23:00:21'), ['match.started']);
    const one = begun('LIVE', [1, 0], 1, '14:50');
    assert.deepEqual(await list(one, '10T23:06:00'), []);
    assert.deepEqual(await own(one, '10T23:06:01', first), ['match.goal']);
    assert.deepEqual(await own(begun('LIVE', [1, 0], 1, '14:00'), '10T23:07:01', assisted), ['match.incident_updated']);
    assert.deepEqual(await own(begun('LIVE', [2, 0], 1, '11:00'), '10T23:11:00', assisted, disallowed), ['match.goal']);
    const undone = begun('LIVE', [1, 0], 1, '10:50');
    assert.deepEqual(await own(undone, '10T23:14:00', assisted, faceoff(22, 1, '09:10')), ['match.goal_cancelled']);
    // An old reply, a list from yesterday, and a list without games cause no event.
    assert.deepEqual(await own(one, '10T23:14:20', first), []);
    assert.deepEqual(await list(game('FUT'), '10T23:14:30'), []);
    assert.deepEqual(await step(SCORES, scores(), '10T23:14:40'), []);
    const pause = begun('LIVE', [1, 0], 1, 'break');
    assert.deepEqual(await own(pause, '10T23:40:00', ...regular.slice(0, 2)), ['match.period_ended']);
    const second = begun('LIVE', [1, 0], 2, '18:55');
    assert.deepEqual(await own(second, '10T23:58:00', ...regular.slice(0, 3)), [
      'match.period_started',
      'match.incident',
    ]);
    const rail = { teamGameStats: [{ category: 'sog', homeValue: 12, awayValue: 9 }], gameInfo: null };
    assert.deepEqual(await step(RAIL, rail, '10T23:59:00'), ['match.statistics_updated']);
    assert.deepEqual(await own(begun('CRIT', [1, 1], 3, '00:58'), '11T01:10:00', ...regular), ['match.goal']);
    const overtime = begun('LIVE', [1, 1], 4, '05:00');
    assert.deepEqual(await own(overtime, '11T01:14:00', ...regular, faceoff(45, 4, '00:00')), ['match.period_started']);
    const shootOut = begun('LIVE', [1, 1], 5, '00:00');
    assert.deepEqual(await own(shootOut, '11T01:25:00', ...regular, ...shots), [
      'match.period_started',
      'match.penalty_shootout',
      'match.penalty_shootout',
    ]);
    const end = begun('FINAL', [2, 1], 5, '00:00', { gameOutcome: { lastPeriodType: 'SO' } });
    assert.deepEqual(await list(end, '11T01:29:00'), []);
    assert.deepEqual(await own(end, '11T01:29:01', ...regular, ...shots), ['match.finished']);
    assert.deepEqual(await list(shootOut, '11T01:29:20'), []);
    assert.deepEqual(await own(shootOut, '11T01:29:21', ...regular, ...shots), []);
    // First a scorer is revised, and then the result becomes official.
    const revised = [goal(51, 10, 1, '05:00', 10, 2, { assist1PlayerId: 1 }), ...regular.slice(1)];
    assert.deepEqual(await own(end, '11T01:50:00', ...revised, ...shots), ['match.incident_updated']);
    const official = { ...end, gameState: 'OFF' };
    assert.deepEqual(await list(official, '11T12:00:00'), []);
    assert.deepEqual(await own(official, '11T12:00:01', ...revised, ...shots), ['match.finalized']);

    const card = await run.card(String(ID));
    assert.deepEqual(
      [card.status, card.status_detail, card.finalized, card.participants.map(({ name, score }) => [name, score])],
      [
        'finished',
        'after_penalties',
        true,
        [
          ['Toronto Maple Leafs', 1],
          ['Montreal Canadiens', 1],
        ],
      ],
    );
    assert.deepEqual(card.extra.period_scores, [
      { period: 'P1', home: 1, away: 0 },
      { period: 'P2', home: 0, away: 0 },
      { period: 'P3', home: 0, away: 1 },
      { period: 'OT', home: 0, away: 0 },
      { period: 'SO', home: 1, away: 0 },
    ]);
    assert.deepEqual(
      card.incidents?.map(({ kind, player_name, minute }) => [kind, player_name, minute]),
      [
        ['goal', 'Mitch Marner', 6],
        ['period_end', null, 20],
        ['suspension', 'Cole Caufield', 22],
        ['goal', 'Cole Caufield', 60],
        ['penalty_shootout', 'Cole Caufield', null],
        ['penalty_shootout', 'Mitch Marner', null],
      ],
    );
    await run.close();
  });

  describe('with recorded replies', () => {
    const recorded = recordings('nhl');
    before(recorded.skip);

    it('gives one update for each game in a week with all states, and finds no unknown value', () => {
      const run = runProvider(provider);
      const all = recorded.read('schedule_2023-11-08_all-states_EDITED.json.gz');
      const { updates, unknown } = run.read('/v1/schedule/2023-11-08', all, '2023-11-11T04:00:00Z');
      assert.deepEqual(unknown, []);
      const states = updates.flatMap((update) =>
        update.kind === 'match' ? [`${update.match.id} ${update.match.status} ${update.match.status_detail}`] : [],
      );
      assert.deepEqual([states.length, new Set(states).size], [30, 30]);
      for (const state of [
        '2023020207 finished after_penalties',
        '2023020206 live in_play',
        '2023020209 finished ended',
        '2023020205 live in_play',
        '2023020217 scheduled not_started',
        // This game was postponed the day before.
        '2023020214 scheduled not_started',
      ])
        assert.ok(states.includes(state), `${state} is missing in ${states.join('\n')}`);
      assert.deepEqual(run.plan('2023-11-11T04:00:00Z', 'score'), [
        '/v1/score/2023-11-10 every 20 s',
        '/v1/score/2023-11-08 every 600 s',
        '/v1/score/2023-11-09 every 600 s',
      ]);
    });

    it('gives a complete game from play-by-play and right rail', () => {
      const run = runProvider(provider);
      const whole = recorded.read('play-by-play_2024030121_final-playoff.json.gz');
      const match = run.match('/v1/gamecenter/2024030121/play-by-play', whole, '2025-04-23T04:00:00Z');
      assert.deepEqual([match?.status, match?.score, match?.lineups?.length], ['finished', { home: 2, away: 6 }, 40]);
      const list = recorded.read('schedule_2023-11-08_all-states_EDITED.json.gz');
      run.read('/v1/schedule/2023-11-08', list, '2023-11-11T04:00:00Z');
      const rail = recorded.read('right-rail_2023020207_final-shootout.json.gz');
      const blocks = run.match('/v1/gamecenter/2023020207/right-rail', rail, '2023-11-11T04:00:00Z');
      assert.deepEqual([blocks?.statistics?.length, blocks?.referee], [8, 'Chris Lee, Kevin Pollock']);
    });
  });
});
