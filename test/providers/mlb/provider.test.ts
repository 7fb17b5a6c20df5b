import assert from 'node:assert/strict';
import { findTeam } from '../../../src/importers/retrosheet/teams.ts';
import { provider } from '../../../src/providers/mlb/provider.ts';
import { dataRows } from '../../../src/wire/data-file.ts';
import { playProvider, runProvider } from '../../support/provider-run.ts';

const DAY = '2024-07-04';
const SCHEDULE = `/api/v1/schedule?sportId=1&date=${DAY}`;
const PK = 745444;
const BOX = `/api/v1/game/${PK}/boxscore`;
const START = '2024-07-05T02:10:00Z';

const STATES: Record<string, readonly [abstract: string, detailed: string]> = {
  S: ['Preview', 'Scheduled'],
  P: ['Preview', 'Warmup'],
  I: ['Live', 'In Progress'],
  M: ['Live', 'Manager challenge'],
  N: ['Live', 'Umpire review'],
  D: ['Final', 'Postponed'],
  C: ['Final', 'Cancelled'],
  F: ['Final', 'Final'],
  O: ['Final', 'Game Over'],
  T: ['Live', 'Suspended'],
  U: ['Live', 'Suspended: Rain'],
  Q: ['Final', 'Forfeit'],
  R: ['Final', 'Forfeit'],
};
const status = (code: string, more: object = {}) => ({
  abstractGameState: STATES[code]?.[0] ?? 'Other',
  detailedState: STATES[code]?.[1] ?? 'Unknown',
  codedGameState: code,
  startTimeTBD: false,
  ...more,
});
const game = (code: string, score?: readonly [home: number, away: number], more: object = {}) => ({
  gamePk: PK,
  gameType: 'R',
  season: '2024',
  gameDate: START,
  officialDate: DAY,
  status: status(code),
  teams: {
    home: { team: { id: 137, name: 'San Francisco Giants' }, ...(score && { score: score[0] }) },
    away: { team: { id: 119, name: 'Los Angeles Dodgers' }, ...(score && { score: score[1] }) },
  },
  venue: { id: 2395, name: 'Oracle Park' },
  ...more,
});
const day = (...games: object[]) => ({ dates: [{ date: DAY, games }] });

const PEOPLE: Record<number, string> = { 1: 'Mookie Betts', 2: 'Will Smith', 3: 'Matt Chapman', 4: 'Ryan Walker' };
interface AtBat {
  runs?: readonly [home: number, away: number];
  type?: string;
  batter?: number;
  isOpen?: boolean;
  events?: object[];
}
const atBat = (index: number, inning: number, half: 'top' | 'bottom', one: AtBat = {}) => ({
  about: { atBatIndex: index, inning, halfInning: half, isComplete: !one.isOpen },
  result: {
    ...(one.isOpen ? {} : { eventType: one.type ?? 'field_out' }),
    ...(one.runs && { homeScore: one.runs[0], awayScore: one.runs[1] }),
  },
  matchup: { batter: { id: one.batter ?? 1, fullName: PEOPLE[one.batter ?? 1] } },
  playEvents: one.events ?? [],
});
const action = (index: number, eventType: string, more: object = {}) => ({
  index,
  type: 'action',
  details: { eventType, ...more },
});
type Innings = readonly (readonly [home: number | null, away: number | null])[];
const lines = (innings: Innings, isTopInning: boolean, outs: number) => {
  const half = (runs: number | null) => (runs === null ? { hits: 0 } : { runs, hits: runs });
  const sum = (side: 0 | 1) => innings.reduce((all, one) => all + (one[side] ?? 0), 0);
  return {
    currentInning: innings.length,
    isTopInning,
    outs,
    innings: innings.map(([home, away], index) => ({ num: index + 1, home: half(home), away: half(away) })),
    teams: { home: { runs: sum(0) }, away: { runs: sum(1) } },
  };
};
const feed = (code: string, stamp: string, linescore: object, plays: object[], more: object = {}) => ({
  gamePk: PK,
  metaData: { wait: 10, timeStamp: stamp },
  gameData: {
    datetime: { dateTime: START },
    status: status(code),
    teams: { home: { id: 137 }, away: { id: 119 } },
  },
  liveData: { plays: { allPlays: plays }, linescore },
  ...more,
});

/** Returns nine batters, a pitcher and a man on the bench for a side. */
const boxPlayers = (from: number) =>
  Object.fromEntries(
    Array.from({ length: 11 }, (_, index) => [
      `ID${from + index}`,
      {
        person: { id: from + index, fullName: `Player ${from + index}` },
        jerseyNumber: String(index),
        position: { abbreviation: 'PH' },
        allPositions: [{ abbreviation: index === 9 ? 'P' : 'RF' }],
        ...(index < 9 && { battingOrder: `${index + 1}00` }),
        stats: {
          batting: index < 9 ? { atBats: 4, runs: 1, hits: 2, avg: '.300' } : {},
          pitching: index === 9 ? { inningsPitched: '6.1', earnedRuns: 2 } : {},
        },
      },
    ]),
  );
const boxSide = (id: number, from: number, hits: number) => ({
  team: { id },
  players: boxPlayers(from),
  pitchers: [from + 9],
  batters: [],
  teamStats: { batting: { runs: 3, hits, doubles: 1, leftOnBase: 7, avg: '.250' }, fielding: { errors: 1 } },
});
const box = (more: object = {}) => ({
  teams: { home: boxSide(137, 100, 8), away: boxSide(119, 200, 6) },
  officials: [
    { official: { fullName: 'Second Base' }, officialType: 'Second Base' },
    { official: { fullName: 'Pat Hoberg' }, officialType: 'Home Plate' },
  ],
  info: [
    { label: 'Weather', value: '62 degrees.' },
    { label: 'Att', value: '37,120.' },
  ],
  ...more,
});

const feedPath = (run: ReturnType<typeof runProvider>, at: string) =>
  run.requests(at).find(({ path }) => path.includes('/feed/live'))!.path;

describe('the MLB provider', () => {
  const ahead = () => {
    const run = runProvider(provider);
    run.read(SCHEDULE, day(game('S')), '2024-07-04T12:00:00Z');
    return run;
  };
  const AT = '2024-07-05T02:40:00Z';
  const first = [
    atBat(0, 1, 'top', { runs: [0, 1], type: 'home_run', batter: 1 }),
    atBat(1, 1, 'bottom', { runs: [0, 1] }),
  ];
  const live = () => {
    const run = ahead();
    run.read(SCHEDULE, day(game('I', [0, 1])), AT);
    const path = feedPath(run, AT);
    run.read(path, feed('I', '20240705_024000', lines([[null, 1]], false, 1), first), AT);
    return { run, path };
  };

  it('runs only if its terms are accepted, has no scopes, and uses the same teams as the Retrosheet importer', () => {
    assert.match(provider.start('al') as string, /one league/);
    assert.equal(provider.requires, 'acceptance');
    assert.match(provider.notice, /individual, non-commercial, non-bulk/);
    const codes =
      'ANA ARI BAL BOS CHN CIN CLE COL DET HOU KCA LAN WAS NYN ATH PIT SDN SEA SFN SLN TBA TEX TOR MIN PHI ATL CHA MIA NYA MIL ALS NLS';
    const theirs = codes.split(' ').map((code) => `${findTeam(code)!.name} ${findTeam(code)!.country}`);
    const ours = dataRows('identity/mlb-teams.csv', ['name', 'country']).map(
      ({ name, country }) => `${name} ${country}`,
    );
    assert.deepEqual([...ours].sort(), [...theirs].sort());
  });

  it('reads seven days ahead, the league day while games are on, and each game’s feed no sooner than the feed asks for', () => {
    const run = ahead();
    const schedules = run.plan('2024-07-04T12:00:00Z', 'schedule');
    assert.deepEqual(
      [schedules.length, schedules[0], schedules[6]],
      [7, `${SCHEDULE} every 10800 s`, '/api/v1/schedule?sportId=1&date=2024-07-10 every 43200 s'],
    );
    assert.deepEqual(run.plan('2024-07-05T01:54:00Z'), []);
    // In UTC, the game is on the next day.
    assert.deepEqual(run.plan('2024-07-05T01:55:00Z'), [`${SCHEDULE} every 20 s`]);
    assert.deepEqual(run.plan('2024-07-05T01:55:00Z', 'box'), [`${BOX} every 600 s`]);
    run.read(SCHEDULE, day(game('I', [0, 0])), '2024-07-05T02:12:00Z');
    const path = feedPath(run, '2024-07-05T02:12:00Z');
    assert.match(path, /^\/api\/v1\.1\/game\/745444\/feed\/live\?fields=gamePk,metaData,wait,timeStamp,/);
    assert.equal(run.requests('2024-07-05T02:12:00Z').find((one) => one.path === path)!.version, undefined);
    run.read(path, feed('I', '20240705_021200', lines([[null, 0]], true, 0), []), '2024-07-05T02:12:05Z');
    assert.deepEqual(run.plan('2024-07-05T02:13:00Z'), [`${SCHEDULE} every 60 s`, `${path} every 20 s`]);
    const slow = feed('I', '20240705_021300', lines([[null, 0]], true, 0), [], {
      metaData: { wait: 30, timeStamp: '20240705_021300' },
    });
    run.read(path, slow, '2024-07-05T02:13:05Z');
    assert.deepEqual(run.plan('2024-07-05T02:14:00Z', 'feed'), [`${path} every 36 s`]);
  });

  it('asks for the box score in each inning and at the end', () => {
    const { run, path } = live();
    const version = () => run.requests('2024-07-05T03:00:00Z').find((one) => one.path === BOX)!.version;
    const before = version();
    run.read(path, feed('I', '20240705_024500', lines([[null, 1]], false, 2), first), '2024-07-05T02:45:00Z');
    assert.equal(version(), before);
    run.read(
      path,
      feed(
        'I',
        '20240705_025000',
        lines(
          [
            [0, 1],
            [null, 0],
          ],
          true,
          0,
        ),
        first,
      ),
      '2024-07-05T02:50:00Z',
    );
    assert.notEqual(version(), before);
    const inning = version();
    run.read(path, feed('O', '20240705_050000', lines([[0, 1]], false, 3), first), '2024-07-05T05:00:00Z');
    assert.notEqual(version(), inning);
  });

  it('reads a finished game again for an hour, and takes it as final on the next day', () => {
    const { run, path } = live();
    const end = (code: string, stamp: string) => feed(code, stamp, lines([[0, 1]], false, 3), first);
    assert.equal(run.match(path, end('O', '20240705_050000'), '2024-07-05T05:00:00Z')?.finalized, undefined);
    assert.deepEqual(run.plan('2024-07-05T05:30:00Z', '745444'), [`${path} every 600 s`, `${BOX} every 600 s`]);
    assert.deepEqual(run.plan('2024-07-05T06:01:00Z', '745444'), []);
    assert.deepEqual(run.plan('2024-07-05T17:01:00Z', 'feed'), [`${path} every 600 s`]);
    assert.equal(run.match(path, end('F', '20240705_060000'), '2024-07-05T17:01:00Z')?.finalized, true);
    assert.deepEqual(run.plan('2024-07-05T17:02:00Z', '745444'), []);
    const { updates, unknown } = run.read(SCHEDULE, day(game('F', [0, 1])), '2024-07-05T18:00:00Z');
    assert.deepEqual([updates, unknown], [[], []]);
  });

  it('takes the state from `codedGameState`, not from `abstractGameState`', () => {
    const state = (code: string, score?: readonly [number, number], more: object = {}) => {
      const { updates, unknown } = runProvider(provider).read(
        SCHEDULE,
        day(game(code, score, { status: status(code, more) })),
        '2024-07-05T02:30:00Z',
      );
      const [update] = updates;
      assert.ok(update?.kind === 'match');
      const { status: is, status_detail: detail, score: given } = update.match;
      return [
        is,
        detail,
        given && `${given.home}:${given.away}`,
        unknown.map(({ path }) => path.replace('dates[0].games[0].', '')).join(),
      ];
    };
    assert.deepEqual(state('S'), ['scheduled', 'not_started', undefined, '']);
    // During a warm-up, the abstract state is Live.
    assert.deepEqual(state('P', [0, 0], { abstractGameState: 'Live' }), ['scheduled', 'not_started', undefined, '']);
    assert.deepEqual(state('P', [0, 0], { detailedState: 'Delayed Start' }), ['scheduled', 'delayed', undefined, '']);
    assert.deepEqual(state('I', [2, 1]), ['live', 'in_play', '2:1', '']);
    assert.deepEqual(state('M', [2, 1]), ['live', 'in_play', '2:1', '']);
    assert.deepEqual(state('N', [2, 1]), ['live', 'in_play', '2:1', '']);
    assert.deepEqual(state('I', [2, 1], { detailedState: 'Delayed: Rain' }), ['live', 'interrupted', '2:1', '']);
    assert.deepEqual(state('D'), ['scheduled', 'postponed', undefined, '']);
    assert.deepEqual(state('C'), ['finished', 'cancelled', undefined, '']);
    assert.deepEqual(state('F', [2, 1]), ['finished', 'ended', '2:1', '']);
    assert.deepEqual(state('O', [2, 1]), ['finished', 'ended', '2:1', '']);
    assert.deepEqual(state('T', [2, 1]), ['live', 'suspended', '2:1', '']);
    assert.deepEqual(state('U', [2, 1]), ['live', 'suspended', '2:1', '']);
    assert.deepEqual(state('Q', [9, 0]), ['finished', 'awarded', '9:0', '']);
    assert.deepEqual(state('R', [0, 9]), ['finished', 'awarded', '0:9', '']);
    // An unknown code, or an end without a result, gives no state at all.
    assert.deepEqual(state('X', [2, 1]), [undefined, undefined, undefined, 'status.codedGameState']);
    assert.deepEqual(state('toString', [2, 1]), [undefined, undefined, undefined, 'status.codedGameState']);
    assert.deepEqual(state('F'), [undefined, undefined, undefined, 'teams']);
    assert.deepEqual(state('Q', [0, 0]), [undefined, undefined, undefined, 'teams']);
  });

  it('gives the start in UTC, or the date at the park if no time is set, and adds the league’s name to its rounds', () => {
    const match = (more: object) =>
      runProvider(provider).match(SCHEDULE, day(game('S', undefined, more)), '2024-07-04T00:00:00Z');
    const late = match({});
    assert.deepEqual(
      [late?.scheduled_start, late?.time_tbd, late?.venue, late?.home.name, late?.season],
      [START, false, { name: 'Oracle Park', country: 'US' }, 'San Francisco Giants', { label: '2024' }],
    );
    const unsure = match({ status: status('S', { startTimeTBD: true }), gameDate: '2024-07-05T07:33:00Z' });
    assert.deepEqual([unsure?.scheduled_start, unsure?.time_tbd], ['2024-07-04T00:00:00Z', true]);
    const round = (gameType: string) => match({ gameType })?.round_name;
    assert.deepEqual(['R', 'F', 'D', 'L', 'W'].map(round), [
      undefined,
      'National League, Wild Card Series',
      'National League, Division Series',
      'National League, League Championship Series',
      'World Series',
    ]);
    assert.equal(match({ gameType: 'S' }), undefined);
    assert.equal(match({ gameType: 'A' })?.tournament.name, 'MLB All-Star Game');
  });

  it('takes runs from the running score, even within an at-bat, and leaves out innings whose runs the source does not give', () => {
    const { run, path } = live();
    const plays = [
      ...first,
      atBat(2, 2, 'top', {
        runs: [0, 3],
        type: 'double',
        batter: 2,
        events: [{ index: 0, type: 'pitch' }, action(1, 'wild_pitch', { homeScore: 0, awayScore: 2 })],
      }),
      atBat(3, 2, 'bottom', {
        isOpen: true,
        events: [
          {
            ...action(0, 'pitching_substitution', { description: 'Pitching Change: Ryan Walker replaces Logan Webb.' }),
            player: { id: 4 },
          },
          action(1, 'offensive_substitution', {
            description:
              'Offensive Substitution: Pinch-hitter Matt Chapman replaces left fielder Thairo Estrada, batting 3rd.',
          }),
          action(2, 'stolen_base_home', { homeScore: 1, awayScore: 3 }),
          action(3, 'mound_visit'),
        ],
      }),
    ];
    const match = run.match(
      path,
      feed(
        'I',
        '20240705_030000',
        lines(
          [
            [0, 1],
            [1, 2],
            [null, null],
          ],
          false,
          0,
        ),
        plays,
      ),
      '2024-07-05T03:00:00Z',
    );
    assert.deepEqual(match?.period_scores, [
      { period: 'I1', home: 0, away: 1 },
      { period: 'I2', home: 1, away: 2 },
    ]);
    assert.deepEqual(
      match?.incidents?.map(({ id, kind, period, side, player, payload }) => [
        id,
        kind,
        period,
        side,
        player?.name,
        payload,
      ]),
      [
        [
          '0',
          'point',
          'I1',
          'away',
          'Mookie Betts',
          { points: 1, point_type: 'home_run', score: { home: 0, away: 1 } },
        ],
        ['end-1', 'period_end', 'I1', null, undefined, { score: { home: 0, away: 1 } }],
        ['2.1', 'point', 'I2', 'away', undefined, { points: 1, point_type: 'wild_pitch', score: { home: 0, away: 2 } }],
        ['2', 'point', 'I2', 'away', 'Will Smith', { points: 1, point_type: 'double', score: { home: 0, away: 3 } }],
        ['3.0', 'subst', 'I2', 'away', 'Ryan Walker', { player_in: 'Ryan Walker', player_out: 'Logan Webb' }],
        ['3.1', 'subst', 'I2', 'home', 'Matt Chapman', { player_in: 'Matt Chapman', player_out: 'Thairo Estrada' }],
        [
          '3.2',
          'point',
          'I2',
          'home',
          undefined,
          { points: 1, point_type: 'stolen_base_home', score: { home: 1, away: 3 } },
        ],
      ],
    );
  });

  it('makes a commentary line from each at-bat, and from each event in it', () => {
    const { run, path } = live();
    const stolen = 'Mookie Betts steals 2nd base.';
    const struck = 'Will Smith strikes out swinging.';
    const events = [action(0, 'stolen_base_2b', { description: stolen }), { index: 1, type: 'pitch' }];
    const turn = atBat(1, 1, 'bottom', { type: 'strikeout', batter: 2, events });
    const plays = [
      { ...atBat(2, 2, 'top', { isOpen: true }), result: { description: 'Ann Able is up.' } },
      { ...turn, result: { ...turn.result, description: struck } },
      atBat(0, 1, 'top', { runs: [0, 1], type: 'home_run' }),
    ];
    const body = feed(
      'I',
      '20240705_030000',
      lines(
        [
          [0, 1],
          [null, 0],
        ],
        true,
        0,
      ),
      plays,
    );
    const line = (text: string, type: string, player_name: string | null) => ({
      minute: null,
      text,
      text_en: text,
      type,
      side: 'home',
      player_name,
    });
    assert.deepEqual(run.match(path, body, '2024-07-05T03:00:00Z')?.commentary, [
      line(stolen, 'stolen_base_2b', null),
      line(struck, 'strikeout', 'Will Smith'),
    ]);
  });

  it('takes line-ups, figures, statistics, umpire and attendance from the box score', () => {
    const { run } = live();
    const match = run.match(BOX, box(), '2024-07-05T03:00:00Z');
    const home = match?.lineups?.filter(({ side }) => side === 'home') ?? [];
    assert.deepEqual(
      [home.length, home.filter(({ is_substitute }) => !is_substitute).length, match?.lineup_confirmed],
      [11, 10, true],
    );
    assert.deepEqual(home[9], {
      side: 'home',
      player: { id: '109', name: 'Player 109' },
      position: 'P',
      shirt_number: '9',
      is_substitute: false,
    });
    assert.deepEqual(
      match?.statistics?.map(({ stat_name, home_value, away_value }) => [stat_name, home_value, away_value]),
      [
        ['Runs', 3, 3],
        ['Hits', 8, 6],
        ['Errors', 1, 1],
        ['Doubles', 1, 1],
        ['Left on base', 7, 7],
      ],
    );
    assert.deepEqual([match?.referee, match?.attendance, match?.status], ['Pat Hoberg', 37_120, undefined]);
    assert.deepEqual(match?.player_stats?.find(({ player }) => player.id === '109')?.stats, {
      innings_pitched: '6.1',
      earned_runs: 2,
    });
    assert.equal(match?.player_stats?.length, 20);
    // Before the first pitch the reply gives only line-ups, and only when both are complete.
    const early = ahead();
    assert.deepEqual(Object.keys(early.match(BOX, box(), '2024-07-05T02:00:00Z')!).slice(6), [
      'lineups',
      'lineup_confirmed',
      'referee',
      'attendance',
    ]);
    const one = { ...boxSide(137, 100, 0), players: {} };
    const half = early.match(
      BOX,
      { ...box(), teams: { home: one, away: boxSide(119, 200, 0) } },
      '2024-07-05T02:00:00Z',
    );
    assert.equal(half?.lineups, undefined);
    // If a player cannot be read, only that list is left out.
    const broken = { ...boxSide(137, 100, 0), players: { ...boxPlayers(100), ID1: { person: { id: 1 } } } };
    const reading = run.read(
      BOX,
      { ...box(), teams: { home: broken, away: boxSide(119, 200, 0) } },
      '2024-07-05T03:00:00Z',
    );
    const [update] = reading.updates;
    assert.ok(update?.kind === 'match');
    assert.deepEqual(
      [update.match.lineups, update.match.player_stats, update.match.statistics?.length, reading.unknown[0]?.path],
      [undefined, undefined, 5, 'teams.home.players.ID1.person.fullName'],
    );
    assert.equal(
      run.match(BOX, { teams: { home: { team: { id: 137 } }, away: { team: { id: 119 } } } }, AT),
      undefined,
    );
  });

  it('neither ends nor begins a match because of a stale reply, nor takes a run back', () => {
    const { run, path } = live();
    const at = '2024-07-05T03:00:00Z';
    const refused = (of: string, body: unknown, when = at) => {
      const { updates, unknown } = run.read(of, body, when);
      assert.deepEqual(updates, []);
      return unknown.map(({ value }) => value).join();
    };
    assert.equal(refused(SCHEDULE, day(game('S'))), 'ahead after it was live');
    assert.equal(refused(SCHEDULE, day(game('I', [0, 0]))), 'a lower score than before');
    assert.equal(refused(path, feed('S', '20240705_030000', lines([], true, 0), [])), 'ahead after it was live');
    assert.equal(
      refused(path, feed('I', '20240705_023000', lines([[null, 1]], false, 1), first)),
      'an earlier time stamp than before',
    );
    assert.equal(
      refused(path, feed('I', '20240705_030000', lines([[null, 1]], true, 0), first)),
      'an earlier time of play than before',
    );
    // The line score is older than the plays.
    const behind = run.match(path, feed('I', '20240705_030100', lines([[null, 0]], false, 2), first), at);
    assert.deepEqual(behind?.score, { home: 0, away: 1 });
    run.read(path, feed('F', '20240705_050000', lines([[0, 1]], false, 3), first), '2024-07-05T05:00:00Z');
    const later = '2024-07-05T05:10:00Z';
    assert.equal(refused(SCHEDULE, day(game('I', [0, 1])), later), 'live after it was over');
    assert.equal(
      refused(path, feed('I', '20240705_051000', lines([[0, 1]], false, 3), first), later),
      'live after it was over',
    );
    assert.equal(
      refused(path, feed('F', '20240705_045900', lines([[0, 2]], false, 3), first), later),
      'an earlier time stamp than before',
    );
  });

  it('removes a run from the incidents and from the score if a review takes that run back', () => {
    const { run, path } = live();
    const reviewed = [
      atBat(0, 1, 'top', { runs: [0, 0], type: 'field_out' }),
      ...first.slice(1).map((one) => ({ ...one, result: {} })),
    ];
    const match = run.match(
      path,
      feed('I', '20240705_024100', lines([[null, 0]], false, 0), reviewed),
      '2024-07-05T02:41:00Z',
    );
    assert.deepEqual([match?.score, match?.incidents], [{ home: 0, away: 0 }, []]);
  });

  it('leaves out plays and innings that do not add up to a result, and reports unreadable values', () => {
    const { run, path } = live();
    const read = (body: object) => {
      const { updates, unknown } = run.read(path, body, '2024-07-05T05:00:00Z');
      const [update] = updates;
      return { match: update?.kind === 'match' ? update.match : undefined, unknown: unknown.map((one) => one.path) };
    };
    const more = { ...lines([[0, 1]], false, 3), teams: { home: { runs: 0 }, away: { runs: 2 } } };
    const wrong = read(feed('F', '20240705_050000', more, first));
    assert.deepEqual(
      [wrong.match?.score, wrong.match?.period_scores, wrong.match?.incidents, wrong.unknown],
      [{ home: 0, away: 2 }, undefined, undefined, ['liveData.linescore.innings', 'liveData.plays.allPlays']],
    );
    const fresh = live();
    const broken = fresh.run.read(
      fresh.path,
      feed('I', '20240705_025000', lines([[null, 1]], false, 2), [...first, { about: { atBatIndex: 'x' } }]),
      '2024-07-05T02:50:00Z',
    );
    const [update] = broken.updates;
    assert.ok(update?.kind === 'match');
    assert.deepEqual(
      [update.match.score, update.match.incidents, broken.unknown[0]?.path],
      [{ home: 0, away: 1 }, undefined, 'liveData.plays.allPlays[2].about.atBatIndex'],
    );
    // An unknown state, or an end without a score, does not end the game.
    for (const body of [
      feed('X', '20240705_025100', lines([[null, 1]], false, 2), first),
      feed('F', '20240705_025200', { innings: [], teams: {} }, first),
    ]) {
      const end = fresh.run.read(fresh.path, body, '2024-07-05T02:52:00Z');
      assert.ok(end.updates.every((one) => one.kind === 'match' && one.match.status === undefined));
      assert.equal(end.unknown.length, 1);
      assert.equal(fresh.run.plan('2024-07-05T02:53:00Z', 'feed').length, 1);
    }
  });

  it('applies the schedule alone if the game feed does not arrive', () => {
    const run = ahead();
    const at = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000).toISOString();
    assert.equal(run.match(SCHEDULE, day(game('I', [0, 0])), at(20)), undefined);
    const version = (seconds: number) => run.requests(at(seconds)).find(({ path }) => path === SCHEDULE)!.version;
    assert.notEqual(version(30), version(90));
    assert.equal(run.match(SCHEDULE, day(game('I', [0, 1])), at(120)), undefined);
    assert.deepEqual(run.match(SCHEDULE, day(game('I', [0, 1])), at(140))?.score, { home: 0, away: 1 });
    assert.equal(run.match(SCHEDULE, day(game('F', [0, 1])), at(9_000))?.status, 'finished');
  });

  it('moves a postponed game to its new day, and continues a suspended game on the new day with the original start', () => {
    const run = ahead();
    assert.equal(run.match(SCHEDULE, day(game('D')), '2024-07-04T20:00:00Z')?.status_detail, 'postponed');
    assert.equal(run.match(SCHEDULE, day(game('D')), '2024-07-04T20:00:20Z'), undefined);
    assert.deepEqual(run.plan('2024-07-05T02:20:00Z'), []);
    const next = '/api/v1/schedule?sportId=1&date=2024-07-06';
    const onNext = (...games: object[]) => ({ dates: [{ date: '2024-07-06', games }] });
    const moved = run.match(
      next,
      onNext(game('S', undefined, { gameDate: '2024-07-06T20:00:00Z' })),
      '2024-07-04T22:00:00Z',
    );
    assert.deepEqual([moved?.status_detail, moved?.scheduled_start], ['not_started', '2024-07-06T20:00:00Z']);
    assert.equal(run.match(SCHEDULE, day(game('D')), '2024-07-04T22:10:00Z'), undefined);

    const { run: halted, path } = live();
    const stop = halted.match(
      path,
      feed('U', '20240705_030000', lines([[null, 1]], false, 1), first),
      '2024-07-05T03:00:00Z',
    );
    assert.deepEqual([stop?.status, stop?.status_detail], ['live', 'suspended']);
    assert.deepEqual(halted.plan('2024-07-05T03:10:00Z'), []);
    const resumed = game('U', [0, 1], { gameDate: '2024-07-06T20:00:00Z', resumedFrom: START });
    const listed = halted.match(next, onNext(resumed), '2024-07-05T12:00:00Z');
    assert.deepEqual([listed?.status_detail, listed?.scheduled_start], ['suspended', undefined]);
    halted.read(next, onNext({ ...resumed, status: status('I') }), '2024-07-06T20:01:00Z');
    assert.equal(halted.plan('2024-07-06T20:01:00Z', 'feed')[0], `${path} every 20 s`);
    const goesOn = halted.match(
      path,
      feed('I', '20240706_200100', lines([[null, 1]], false, 2), first),
      '2024-07-06T20:01:05Z',
    );
    assert.equal(goesOn?.status_detail, 'in_play');
  });

  it('refuses replies with a wrong structure, or for another day or game', () => {
    const { run, path } = live();
    for (const body of [null, [], 'text', {}, { dates: {} }]) assert.match(run.refuse(SCHEDULE, body, AT), /no dates/);
    assert.match(run.refuse(SCHEDULE, { dates: [{ date: '2024-07-03', games: [] }] }, AT), /of 2024-07-03/);
    for (const body of [null, 'text', {}, { gamePk: PK }]) run.refuse(path, body, AT);
    const of = feed('I', '20240705_030000', lines([[null, 1]], false, 1), first);
    assert.match(run.refuse(path, { ...of, gamePk: 1 }, AT), /of game 1/);
    const swapped = { ...of.gameData, teams: { home: { id: 119 }, away: { id: 137 } } };
    assert.match(run.refuse(path, { ...of, gameData: swapped }, AT), /teams are 119 and 137/);
    assert.match(run.refuse(path, { ...of, metaData: { wait: 10 } }, AT), /metaData\.timeStamp/);
    assert.match(
      run.refuse(BOX, { teams: { home: { team: { id: 1 } }, away: { team: { id: 119 } } } }, AT),
      /teams are 1/,
    );
    assert.match(run.refuse('/api/v1/game/5/boxscore', box(), AT), /not known/);
    assert.match(run.refuse('/api/v1/teams', {}, AT), /no request/);
  });

  it('deletes nothing after an empty list or if a game vanishes, and continues after an unreadable game', () => {
    const { run } = live();
    const before = run.known;
    assert.deepEqual(run.read(SCHEDULE, { dates: [] }, AT).updates, []);
    assert.deepEqual(run.read(SCHEDULE, day(), AT).updates, []);
    assert.deepEqual(run.known, before);
    const { updates, unknown } = runProvider(provider).read(
      SCHEDULE,
      day(
        { ...game('S'), gamePk: 'x' },
        { ...game('S'), gamePk: 2, teams: { home: { team: { id: 1 } }, away: { team: { id: 119 } } } },
        game('S'),
      ),
      '2024-07-04T12:00:00Z',
    );
    assert.deepEqual(
      [updates.length, unknown.map(({ path }) => path)],
      [1, ['dates[0].games[0].gamePk', 'dates[0].games[1]']],
    );
  });

  it('can plan requests for a thousand simultaneous live games', () => {
    const run = runProvider(provider);
    run.read(
      SCHEDULE,
      day(...Array.from({ length: 1_000 }, (_, index) => game('I', [0, 0], { gamePk: PK + index }))),
      AT,
    );
    const paths = run.requests('2024-07-05T02:40:20Z').map(({ path }) => path);
    assert.deepEqual([paths[0], paths.length, new Set(paths).size], [SCHEDULE, 2_007, 2_007]);
  });

  it('gives the card, and every event once and in order, when it reads a game reply by reply', async () => {
    const play = await playProvider(provider);
    const list = (of: object, time: string) => play.events(SCHEDULE, day(of), `2024-07-${time}Z`);
    assert.deepEqual(await list(game('S'), '04T12:00:00'), ['match.created']);
    assert.deepEqual(await play.events(BOX, box(), '2024-07-05T01:56:00Z'), ['match.lineup_confirmed']);
    assert.deepEqual(await list(game('P'), '05T02:00:00'), []);
    assert.deepEqual(await list(game('I', [0, 0]), '05T02:10:20'), []);
    const path = feedPath(play.run, '2024-07-05T02:10:21Z');
    const own = (code: string, time: string, of: object, ...plays: object[]) =>
      play.events(
        path,
        feed(code, `202407${time.replace('T', '_').replaceAll(':', '')}`, of, plays),
        `2024-07-${time}Z`,
      );
    const open = atBat(0, 1, 'top', { isOpen: true });
    const homer = atBat(0, 1, 'top', { runs: [0, 1], type: 'home_run' });
    const out = atBat(1, 1, 'bottom', { runs: [0, 1], batter: 3 });
    assert.deepEqual(await own('I', '05T02:10:21', lines([[null, 0]], true, 0), open), ['match.started']);
    assert.deepEqual(await own('I', '05T02:11:00', lines([[null, 1]], true, 0), homer), ['match.point']);
    assert.deepEqual(await own('I', '05T02:11:20', lines([[null, 1]], true, 0), homer), []);
    // An old reply, a list from yesterday, and a list without games cause no event.
    assert.deepEqual(await own('I', '05T02:10:30', lines([[null, 0]], true, 0), open), []);
    assert.deepEqual(await list(game('S'), '05T02:12:00'), []);
    assert.deepEqual(await play.events(SCHEDULE, { dates: [] }, '2024-07-05T02:12:20Z'), []);
    const two = lines(
      [
        [0, 1],
        [null, 0],
      ],
      true,
      0,
    );
    assert.deepEqual(await own('I', '05T02:20:00', two, homer, out, atBat(2, 2, 'top')), ['match.period_ended']);
    const double = atBat(3, 2, 'bottom', { runs: [2, 1], type: 'double', batter: 3 });
    const ahead = lines(
      [
        [0, 1],
        [2, 0],
      ],
      false,
      0,
    );
    assert.deepEqual(await own('I', '05T02:30:00', ahead, homer, out, atBat(2, 2, 'top'), double), ['match.point']);
    // After a review, the second run does not count.
    const single = atBat(3, 2, 'bottom', { runs: [1, 1], type: 'single', batter: 3 });
    const level = lines(
      [
        [0, 1],
        [1, 0],
      ],
      false,
      1,
    );
    assert.deepEqual(await own('M', '05T02:31:00', ahead, homer, out, atBat(2, 2, 'top'), double), []);
    assert.deepEqual(await own('I', '05T02:32:00', level, homer, out, atBat(2, 2, 'top'), single), [
      'match.incident_updated',
    ]);
    const stopped = { ...level };
    assert.deepEqual(await own('U', '05T02:40:00', stopped, homer, out, atBat(2, 2, 'top'), single), [
      'match.suspended',
    ]);
    assert.deepEqual(await own('I', '05T03:20:00', level, homer, out, atBat(2, 2, 'top'), single), ['match.resumed']);
    const change = atBat(4, 2, 'bottom', {
      runs: [2, 1],
      type: 'single',
      batter: 2,
      events: [
        action(0, 'offensive_substitution', {
          description: 'Offensive Substitution: Pinch-hitter Will Smith replaces Ann Able.',
        }),
      ],
    });
    const won = lines(
      [
        [0, 1],
        [2, 0],
      ],
      false,
      2,
    );
    const all = [homer, out, atBat(2, 2, 'top'), single, change];
    assert.deepEqual(await own('I', '05T03:25:00', won, ...all), ['match.substitution', 'match.point']);
    assert.deepEqual(await play.events(BOX, box(), '2024-07-05T03:26:00Z'), ['match.statistics_updated']);
    assert.deepEqual(await list(game('O', [2, 1]), '05T03:30:00'), []);
    assert.deepEqual(await own('O', '05T03:30:05', won, ...all), ['match.period_ended', 'match.finished']);
    assert.deepEqual(await list(game('I', [2, 1]), '05T03:30:20'), []);
    assert.deepEqual(await own('F', '05T16:00:00', won, ...all), ['match.finalized']);
    const card = await play.card(String(PK));
    assert.deepEqual(
      [card.status, card.status_detail, card.finalized, card.participants.map(({ name, score }) => [name, score])],
      [
        'finished',
        'ended',
        true,
        [
          ['San Francisco Giants', 2],
          ['Los Angeles Dodgers', 1],
        ],
      ],
    );
    assert.deepEqual(card.extra.period_scores, [
      { period: 'I1', home: 0, away: 1 },
      { period: 'I2', home: 2, away: 0 },
    ]);
    assert.deepEqual(
      card.incidents?.map(({ kind, period, player_name }) => [kind, period, player_name]),
      [
        ['point', 'I1', 'Mookie Betts'],
        ['period_end', 'I1', null],
        ['point', 'I2', 'Matt Chapman'],
        ['subst', 'I2', 'Will Smith'],
        ['point', 'I2', 'Will Smith'],
        ['period_end', 'I2', null],
      ],
    );
    assert.equal(card.statistics?.length, 5);
    await play.close();
  });
});
