/**
 * Tests, for every provider, replies in which some value is damaged. That value is left out and reported, and the rest
 * of the reply is used.
 */
import fc from 'fast-check';
import { provider as euroleague } from '../../src/providers/euroleague/provider.ts';
import { provider as mlb } from '../../src/providers/mlb/provider.ts';
import { provider as nhl } from '../../src/providers/nhl/provider.ts';
import { provider as openfootball } from '../../src/providers/openfootball/provider.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { provider as squiggle } from '../../src/providers/squiggle/provider.ts';
import { runProvider } from '../support/provider-run.ts';

interface Sample {
  provider: Provider;
  scope?: string;
  at: string;
  /** Replies, in an order in which the provider reads all of them. */
  replies: readonly (readonly [path: string, body: unknown])[];
}

const NHL_GAME = {
  id: 2023020001,
  season: 20232024,
  gameType: 2,
  startTimeUTC: '2023-10-10T23:00:00Z',
  gameState: 'LIVE',
  gameScheduleState: 'OK',
  venue: { default: 'Arena' },
  venueLocation: { default: 'Toronto' },
  homeTeam: { id: 10, abbrev: 'TOR', score: 1 },
  awayTeam: { id: 8, abbrev: 'MTL', score: 0 },
  periodDescriptor: { number: 1, periodType: 'REG' },
  clock: { timeRemaining: '10:00', inIntermission: false },
};
const MLB_GAME = {
  gamePk: 745444,
  gameType: 'D',
  season: '2024',
  gameDate: '2024-07-05T02:10:00Z',
  officialDate: '2024-07-04',
  status: { abstractGameState: 'Live', detailedState: 'In Progress', codedGameState: 'I', startTimeTBD: false },
  teams: { home: { team: { id: 137 }, score: 0 }, away: { team: { id: 119 }, score: 1 } },
  venue: { name: 'Oracle Park' },
};
const boxSide = (id: number) => ({
  team: { id },
  players: {
    ID1: {
      person: { id, fullName: 'Ann Able' },
      battingOrder: '100',
      position: { abbreviation: 'P' },
      stats: { batting: { hits: 1 } },
    },
  },
  pitchers: [1],
  teamStats: { batting: { runs: 1, hits: 2 }, fielding: { errors: 0 } },
});
const euroleagueSide = (club: string) => ({
  Coach: 'COACH, ANN',
  PlayersStats: [
    { Player_ID: 'P1', Player: 'ABLE, ANN', Team: club, IsStarter: 1, Dorsal: '4', Minutes: '10:00', Points: 2 },
  ],
  totr: { Points: 2 },
});
const EUROLEAGUE = (kind: string) => `/api/${kind}?gamecode=1&seasoncode=E2024`;

const SAMPLES: Sample[] = [
  {
    provider: squiggle,
    at: '2024-03-14T09:00:00Z',
    replies: [
      [
        '/?q=games;year=2024;round=1',
        {
          games: [
            {
              id: 35704,
              year: 2024,
              round: 1,
              roundname: 'Round 1',
              hteam: 'Carlton',
              hteamid: 3,
              ateam: 'Richmond',
              ateamid: 14,
              unixtime: 1710405000,
              venue: 'M.C.G.',
              is_final: 0,
              complete: 20,
              timestr: 'Q1 20:00',
              updated: '2024-03-14 20:00:00',
              hgoals: 1,
              hbehinds: 0,
              hscore: 6,
              agoals: 0,
              abehinds: 1,
              ascore: 1,
            },
          ],
        },
      ],
      [
        '/events/35704',
        { gameid: 35704, complete: 21, timestr: 'Q1 21:00', score: { hgoals: 2, hbehinds: 0, hscore: 12 } },
      ],
    ],
  },
  {
    provider: nhl,
    at: '2023-10-10T23:20:00Z',
    replies: [
      ['/v1/schedule/2023-10-10', { gameWeek: [{ date: '2023-10-10', games: [NHL_GAME] }] }],
      ['/v1/score/2023-10-10', { currentDate: '2023-10-10', games: [NHL_GAME] }],
      [
        '/v1/gamecenter/2023020001/play-by-play',
        {
          ...NHL_GAME,
          gameDate: '2023-10-10',
          plays: [
            {
              eventId: 7,
              sortOrder: 70,
              periodDescriptor: { number: 1, periodType: 'REG' },
              timeInPeriod: '05:00',
              typeDescKey: 'goal',
              details: { eventOwnerTeamId: 10, scoringPlayerId: 1, assist1PlayerId: 1 },
            },
          ],
          rosterSpots: [
            {
              teamId: 10,
              playerId: 1,
              firstName: { default: 'Ann' },
              lastName: { default: 'Able' },
              sweaterNumber: 4,
              positionCode: 'C',
            },
          ],
        },
      ],
      [
        '/v1/gamecenter/2023020001/right-rail',
        {
          gameInfo: { referees: [{ default: 'Ref One' }], homeTeam: { headCoach: { default: 'Coach One' } } },
          teamGameStats: [
            { category: 'sog', homeValue: 3, awayValue: 2 },
            { category: 'powerPlay', homeValue: '1/2', awayValue: '0/1' },
          ],
        },
      ],
    ],
  },
  {
    provider: mlb,
    at: '2024-07-05T02:40:00Z',
    replies: [
      ['/api/v1/schedule?sportId=1&date=2024-07-04', { dates: [{ date: '2024-07-04', games: [MLB_GAME] }] }],
      [
        '/api/v1.1/game/745444/feed/live?fields=',
        {
          gamePk: 745444,
          metaData: { wait: 10, timeStamp: '20240705_024000' },
          gameData: {
            datetime: { dateTime: MLB_GAME.gameDate },
            status: MLB_GAME.status,
            teams: { home: { id: 137 }, away: { id: 119 } },
          },
          liveData: {
            plays: {
              allPlays: [
                {
                  about: { atBatIndex: 0, halfInning: 'top', inning: 1, isComplete: true },
                  result: { eventType: 'home_run', homeScore: 0, awayScore: 1 },
                  matchup: { batter: { id: 1, fullName: 'Ann Able' } },
                  playEvents: [
                    {
                      index: 0,
                      type: 'action',
                      details: {
                        eventType: 'pitching_substitution',
                        description: 'Pitching Change: Ann Able replaces Bea Bold.',
                      },
                      player: { id: 2 },
                    },
                  ],
                },
              ],
            },
            linescore: {
              currentInning: 1,
              isTopInning: true,
              outs: 0,
              innings: [{ num: 1, home: {}, away: { runs: 1 } }],
              teams: { home: { runs: 0 }, away: { runs: 1 } },
            },
          },
        },
      ],
      [
        '/api/v1/game/745444/boxscore',
        {
          teams: { home: boxSide(137), away: boxSide(119) },
          officials: [{ official: { fullName: 'Ump One' }, officialType: 'Home Plate' }],
          info: [{ label: 'Att', value: '37,120.' }],
        },
      ],
    ],
  },
  {
    provider: euroleague,
    at: '2024-10-03T17:00:00Z',
    replies: [
      [
        '/v2/competitions/E/seasons/E2024/games',
        {
          data: [
            {
              gameCode: 1,
              season: { year: 2024 },
              phaseType: { code: 'RS' },
              round: 1,
              played: false,
              confirmedHour: true,
              utcDate: '2024-10-03T16:45:00Z',
              local: { club: { code: 'BER' }, score: 0 },
              road: { club: { code: 'PAN' }, score: 0 },
              venue: { name: 'UBER ARENA', capacity: 11_856 },
              audience: 11_000,
              referee1: { name: 'REF, ANN' },
            },
          ],
        },
      ],
      [
        EUROLEAGUE('Header'),
        {
          Live: true,
          Round: '1',
          Date: '03/10/2024',
          Hour: '18:45',
          Stadium: 'UBER ARENA',
          Capacity: '11856',
          CodeTeamA: 'BER',
          CodeTeamB: 'PAN',
          ScoreA: '2',
          ScoreB: '0',
          GameTime: '00:31',
          RemainingPartialTime: '09:29',
          PhaseReducedName: 'R S ',
          Referee1: 'REF, ANN',
        },
      ],
      [
        EUROLEAGUE('PlaybyPlay'),
        {
          Live: true,
          CodeTeamA: 'BER       ',
          CodeTeamB: 'PAN       ',
          ActualQuarter: 1,
          FirstQuarter: [
            {
              NUMBEROFPLAY: 7,
              CODETEAM: 'BER       ',
              PLAYER_ID: 'P1',
              PLAYTYPE: '2FGM',
              PLAYER: 'ABLE, ANN',
              MINUTE: 1,
              MARKERTIME: '09:30',
            },
          ],
        },
      ],
      [
        EUROLEAGUE('Boxscore'),
        { Live: true, Attendance: '11856', ByQuarter: [], Stats: [euroleagueSide('BER'), euroleagueSide('PAN')] },
      ],
    ],
  },
  {
    provider: openfootball,
    scope: 'en.1',
    at: '2026-07-10T06:00:00Z',
    replies: [
      [
        '/2026-27/en.1.json',
        {
          name: 'English Premier League 2026/27',
          matches: [
            {
              round: 'Matchday 1',
              date: '2026-08-15',
              time: '15:00',
              team1: 'Arsenal FC',
              team2: 'Chelsea FC',
              score: { ht: [0, 0], ft: [1, 0] },
            },
          ],
        },
      ],
    ],
  },
];

/** Returns the paths of all values in a reply. */
function paths(value: unknown, at: readonly string[] = []): string[][] {
  const below = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [[...at], ...below.flatMap(([key, part]) => paths(part, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const DAMAGE = fc.oneof(
  fc.constantFrom(
    null,
    '',
    ' ',
    0,
    -1,
    1.5,
    1e21,
    99_999,
    2_147_483_648,
    true,
    [],
    {},
    [null],
    [[]],
    'NaN',
    '9'.repeat(40),
    'x'.repeat(300),
    '\0',
    '\ud800',
    '2024-13-45',
    '2024-01-01T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '1000000:99',
    '__proto__',
    'toString',
    { toString: null },
    Number.MAX_SAFE_INTEGER,
  ),
  fc.jsonValue(),
);

describe('replies with a damaged value', () => {
  for (const { provider, scope, at, replies } of SAMPLES) {
    it(`do not stop ${provider.title}, and the feed accepts each update`, () => {
      const whole = runProvider(provider, scope);
      for (const [path, body] of replies) whole.read(path, body, at);
      for (const [index, [path, body]] of replies.entries()) {
        const before = runProvider(provider, scope);
        for (const [earlier, good] of replies.slice(0, index)) before.read(earlier, good, at);
        const property = fc.property(fc.constantFrom(...paths(body)), DAMAGE, (place, damage) => {
          const run = runProvider(provider, scope);
          run.known = structuredClone(before.known);
          run.attempt(path, replaced(body, place, damage), at);
          provider.requests(Date.parse(at), run.known);
          provider.streams?.(Date.parse(at), run.known);
        });
        fc.assert(property, { numRuns: 400 });
      }
    });
  }
});
