/**
 * Simulates a whole day of each source, and checks how soon news is known and how many requests that takes. They have
 * to stay below half of the budget, above which the poller would send fewer requests.
 */
import assert from 'node:assert/strict';
import { provider as euroleague } from '../../src/providers/euroleague/provider.ts';
import { provider as mlb } from '../../src/providers/mlb/provider.ts';
import { provider as nhl } from '../../src/providers/nhl/provider.ts';
import { provider as squiggle } from '../../src/providers/squiggle/provider.ts';
import { countAsked, firstTime, type PolledDay, pollDay } from '../support/polled-day.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** A game in the models of the sources. */
interface Game {
  id: number;
  /** Milliseconds since 1970. */
  start: number;
}
/** Minutes from the start at which the home side scores, in every game. */
const SCORES = [7, 31, 66, 101, 140];
const scoreAt = (minutes: number) => SCORES.filter((at) => at <= minutes).length;

const games = (count: number, first: number, start: string, pause: number): Game[] =>
  Array.from({ length: count }, (_, index) => ({
    id: first + index,
    start: Date.parse(start) + index * pause * MINUTE,
  }));

/** Checks that each game's start, scores and end are known within half a minute. */
function assertSoon(day: PolledDay, all: readonly Game[], lastsMinutes: number, toId: (id: number) => string): void {
  for (const { id, start } of all) {
    const within = (what: string, at: number, found: number | undefined) => {
      const lag = found === undefined ? Number.POSITIVE_INFINITY : found - at;
      assert.ok(lag >= 0 && lag <= 30 * SECOND, `${what} of ${id} is known after ${lag / SECOND} s`);
    };
    within(
      'the start',
      start,
      firstTime(day, toId(id), ({ status }) => status === 'live'),
    );
    for (const [index, minute] of SCORES.entries())
      within(
        `score ${index + 1}`,
        start + minute * MINUTE,
        firstTime(day, toId(id), ({ score }) => score?.home === index + 1),
      );
    within(
      'the end',
      start + lastsMinutes * MINUTE,
      firstTime(day, toId(id), ({ status }) => status === 'finished'),
    );
  }
}

describe('a polled day', function () {
  this.timeout(60_000);

  it('with fifteen NHL games appears in the service within half a minute', () => {
    const all = games(15, 2023020001, '2023-10-10T17:00:00Z', 30);
    const LASTS = 150;
    const toReply = ({ id, start }: Game, now: number) => {
      const minutes = (now - start) / MINUTE;
      const state = minutes < 0 ? 'FUT' : minutes < LASTS ? 'LIVE' : minutes < LASTS + 30 ? 'FINAL' : 'OFF';
      const period = Math.min(3, 1 + Math.floor(minutes / 50));
      const left = Math.max(0, Math.round(1_200 - (Math.min(minutes, LASTS - 0.01) % 50) * 24));
      return {
        id,
        season: 20232024,
        gameType: 2,
        startTimeUTC: iso(start),
        gameState: state,
        gameScheduleState: 'OK',
        homeTeam: { id: 10, abbrev: 'TOR', score: scoreAt(minutes) },
        awayTeam: { id: 8, abbrev: 'MTL', score: 0 },
        ...(state !== 'FUT' && {
          periodDescriptor: { number: period, periodType: 'REG' },
          clock: {
            timeRemaining: `${String(Math.floor(left / 60)).padStart(2, '0')}:${String(left % 60).padStart(2, '0')}`,
          },
        }),
      };
    };
    const answer = (path: string, now: number) => {
      const listed = all.map((game) => toReply(game, now));
      if (path.startsWith('/v1/schedule')) {
        const date = path.slice(-10);
        return { gameWeek: [{ date, games: date === '2023-10-10' ? listed : [] }] };
      }
      if (path.startsWith('/v1/score'))
        return { currentDate: path.slice(-10), games: path.endsWith('2023-10-10') ? listed : [] };
      const game = all.find(({ id }) => path.includes(String(id)))!;
      const minutes = (now - game.start) / MINUTE;
      if (path.endsWith('/right-rail'))
        return { teamGameStats: [{ category: 'sog', homeValue: Math.floor(minutes), awayValue: 1 }] };
      const goals = SCORES.slice(0, scoreAt(minutes)).map((minute, index) => ({
        eventId: index,
        sortOrder: minute,
        periodDescriptor: { number: Math.min(3, 1 + Math.floor(minute / 50)), periodType: 'REG' },
        timeInPeriod: '05:00',
        typeDescKey: 'goal',
        details: { eventOwnerTeamId: 10 },
      }));
      return { ...toReply(game, now), gameDate: '2023-10-10', plays: goals, rosterSpots: [] };
    };
    const day = pollDay(nhl, '2023-10-10T10:00:00Z', '2023-10-11T10:00:00Z', answer);
    assertSoon(day, all, LASTS, String);
    const requests = countAsked(day);
    assert.ok(requests < nhl.dailyRequests / 2, `${requests} requests`);
    assert.ok(countAsked(day, '/play-by-play') < 15 * 220, `${countAsked(day, '/play-by-play')} play-by-plays`);
    assert.equal(new Set(day.updates.filter(({ match }) => match.finalized).map(({ match }) => match.id)).size, 15);
  });

  it('with fifteen MLB games appears in the service within half a minute, and no feed is read sooner than it asks for', () => {
    const all = games(15, 745001, '2024-07-04T17:00:00Z', 30);
    const LASTS = 170;
    const code = (minutes: number) => (minutes < 0 ? 'S' : minutes < LASTS ? 'I' : 'F');
    const answer = (path: string, now: number) => {
      const minutesAt = ({ start }: Game) => (now - start) / MINUTE;
      const status = (game: Game) => ({ codedGameState: code(minutesAt(game)) });
      if (path.includes('/schedule')) {
        const date = path.slice(-10);
        if (date !== '2024-07-04') return { dates: [] };
        const listed = all.map((game) => ({
          gamePk: game.id,
          gameType: 'R',
          season: '2024',
          gameDate: iso(game.start),
          officialDate: date,
          status: status(game),
          teams: {
            home: { team: { id: 137 }, score: scoreAt(minutesAt(game)) },
            away: { team: { id: 119 }, score: 0 },
          },
        }));
        return { dates: [{ date, games: listed }] };
      }
      const game = all.find(({ id }) => path.includes(`/game/${id}/`))!;
      const minutes = minutesAt(game);
      if (path.endsWith('/boxscore')) return { teams: { home: { team: { id: 137 } }, away: { team: { id: 119 } } } };
      const inning = Math.min(9, 1 + Math.floor(Math.max(0, minutes) / 19));
      const runs = SCORES.slice(0, scoreAt(minutes)).map((minute) => Math.min(9, 1 + Math.floor(minute / 19)));
      return {
        gamePk: game.id,
        metaData: { wait: 10, timeStamp: iso(now).replace(/[-:Z]/gu, '').replace('T', '_') },
        gameData: {
          datetime: { dateTime: iso(game.start) },
          status: status(game),
          teams: { home: { id: 137 }, away: { id: 119 } },
        },
        liveData: {
          plays: {
            allPlays: runs.map((number, index) => ({
              about: { atBatIndex: index, halfInning: 'bottom', inning: number, isComplete: true },
              result: { eventType: 'single', homeScore: index + 1, awayScore: 0 },
            })),
          },
          linescore: {
            currentInning: inning,
            isTopInning: false,
            outs: 0,
            innings: Array.from({ length: inning }, (_, index) => ({
              num: index + 1,
              home: { runs: runs.filter((number) => number === index + 1).length },
              away: { runs: 0 },
            })),
            teams: { home: { runs: runs.length }, away: { runs: 0 } },
          },
        },
      };
    };
    const day = pollDay(mlb, '2024-07-04T10:00:00Z', '2024-07-05T20:00:00Z', answer);
    assertSoon(day, all, LASTS, String);
    assert.ok(countAsked(day) < mlb.dailyRequests / 2, `${countAsked(day)} requests`);
    for (const [path, times] of day.asked) {
      if (!path.includes('/feed/live')) continue;
      const pauses = times.slice(1).map((at, index) => at - times[index]!);
      assert.ok(Math.min(...pauses) >= 18 * SECOND, `${path.slice(0, 30)} after ${Math.min(...pauses)} ms`);
    }
    assert.equal(new Set(day.updates.filter(({ match }) => match.finalized).map(({ match }) => match.id)).size, 15);
  });

  it('with five Euroleague games appears in the service within half a minute', () => {
    const all = games(5, 1, '2024-10-03T16:00:00Z', 45);
    const LASTS = 145;
    const answer = (path: string, now: number) => {
      if (path.startsWith('/v2/'))
        return {
          data: all.map(({ id, start }) => ({
            gameCode: id,
            season: { year: 2024 },
            phaseType: { code: 'RS' },
            round: 1,
            played: false,
            confirmedHour: true,
            utcDate: iso(start),
            local: { club: { code: 'BER' }, score: 0 },
            road: { club: { code: 'PAN' }, score: 0 },
          })),
        };
      const game = all.find(({ id }) => path.includes(`gamecode=${id}&`))!;
      const minutes = (now - game.start) / MINUTE;
      const isLive = minutes >= 0 && minutes < LASTS;
      const points = 2 * scoreAt(minutes);
      const played = Math.max(0, Math.min(40, minutes * (40 / LASTS)));
      const clubs = { CodeTeamA: 'BER', CodeTeamB: 'PAN' };
      if (path.includes('/Header'))
        return {
          Live: isLive,
          ...clubs,
          ScoreA: String(points),
          ScoreB: '0',
          GameTime: `${Math.floor(played)}:00`,
          PhaseReducedName: 'RS',
        };
      if (path.includes('/Boxscore')) return { Live: isLive, Stats: [] };
      const play = (number: number, type: string) => ({
        NUMBEROFPLAY: number,
        CODETEAM: type === '2FGM' ? 'BER' : '',
        PLAYTYPE: type,
        MINUTE: 1,
        MARKERTIME: type === '2FGM' ? '09:00' : '',
      });
      const baskets = SCORES.slice(0, scoreAt(minutes)).map((_, index) => play(index + 2, '2FGM'));
      const end = minutes >= LASTS ? [play(99, 'EG')] : [];
      return { Live: isLive, ...clubs, ActualQuarter: 1, FirstQuarter: [play(1, 'BP'), ...baskets, ...end] };
    };
    const day = pollDay(euroleague, '2024-10-03T08:00:00Z', '2024-10-04T08:00:00Z', answer);
    // Each basket is worth two points.
    for (const update of day.updates) {
      const { score } = update.match;
      if (score) update.match = { ...update.match, score: { home: score.home / 2, away: 0 } };
    }
    assertSoon(day, all, LASTS, (id) => `E2024_${id}`);
    assert.ok(countAsked(day) < euroleague.dailyRequests / 2, `${countAsked(day)} requests`);
  });

  it('with four consecutive Squiggle games appears in the service within half a minute without server-sent events', () => {
    const all = games(4, 35704, '2024-03-16T02:45:00Z', 165);
    const LASTS = 150;
    const answer = (path: string, now: number) => {
      const listed = all.map(({ id, start }) => {
        const minutes = (now - start) / MINUTE;
        const complete = minutes < 0 ? 0 : Math.min(100, Math.max(1, Math.floor(minutes * (100 / LASTS))));
        const hgoals = Math.max(0, scoreAt(minutes));
        return {
          id,
          year: 2024,
          round: 1,
          hteam: 'Carlton',
          hteamid: 3,
          ateam: 'Richmond',
          ateamid: 14,
          unixtime: start / SECOND,
          complete,
          timestr: complete === 0 ? null : complete === 100 ? 'Full Time' : `Q1 ${Math.floor(minutes)}:00`,
          updated: iso(now).replace('T', ' ').replace('Z', ''),
          hgoals: 0,
          hbehinds: hgoals,
          hscore: hgoals,
          agoals: 0,
          abehinds: 0,
          ascore: 0,
        };
      });
      return path.includes('year=2024') ? { games: listed } : { games: [] };
    };
    const day = pollDay(squiggle, '2024-03-16T00:00:00Z', '2024-03-17T00:00:00Z', answer);
    assertSoon(day, all, LASTS, String);
    assert.ok(countAsked(day) < squiggle.dailyRequests / 2, `${countAsked(day)} requests`);
  });
});
