import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { landingReply, playByPlayReply, rightRailReply, scheduledGame } from '../../../src/providers/nhl/replies.ts';
import { readReplies } from '../../../src/providers/nhl/replies-of-game.ts';
import { matchUpdate } from '../../../src/wire/feed-update.ts';

const RECORDED = new URL('../../../../shared/datasets/providers/nhl/', import.meta.url);

const side = (abbrev: string, id: number, score?: number) => ({ id, abbrev, ...(score !== undefined && { score }) });
const game = (more: object = {}) => ({
  id: 2023020001,
  season: 20232024,
  gameType: 2,
  startTimeUTC: '2023-10-10T23:00:00Z',
  gameState: 'OFF',
  gameScheduleState: 'OK',
  homeTeam: side('TOR', 10, 3),
  awayTeam: side('MTL', 8, 2),
  periodDescriptor: { number: 3, periodType: 'REG' },
  ...more,
});
const PEOPLE = { 1: 'Auston Matthews', 2: 'Mitch Marner', 3: 'Cole Caufield', 4: 'Nick Suzuki' };
const rosterSpots = Object.entries(PEOPLE).map(([id, name]) => ({
  teamId: Number(id) < 3 ? 10 : 8,
  playerId: Number(id),
  firstName: { default: name.split(' ')[0] },
  lastName: { default: name.split(' ')[1] },
  sweaterNumber: Number(id),
  positionCode: 'C',
}));
const play = (sortOrder: number, typeDescKey: string, number: number, time: string, details: object = {}) => ({
  eventId: 1000 - sortOrder,
  sortOrder,
  periodDescriptor: { number, periodType: number > 3 ? 'OT' : 'REG' },
  timeInPeriod: time,
  typeDescKey,
  details,
});
const goal = (order: number, number: number, time: string, team: number, scorer: number, more: object = {}) =>
  play(order, 'goal', number, time, { eventOwnerTeamId: team, scoringPlayerId: scorer, ...more });

interface Given {
  scheduled?: object;
  landing?: object;
  playByPlay?: object;
  rightRail?: object;
}
function read(given: Given) {
  const found = readReplies({
    scheduled: given.scheduled && scheduledGame.parse(given.scheduled),
    landing: given.landing && landingReply.parse(given.landing),
    playByPlay: given.playByPlay && playByPlayReply.parse(given.playByPlay),
    rightRail: given.rightRail && rightRailReply.parse(given.rightRail),
  });
  if (typeof found === 'string') return { error: found, warnings: [], match: undefined };
  const envelope = { schema: 1, provider: 'test', observed_at: '2024-01-01T00:00:00Z', kind: 'match' } as const;
  return { error: undefined, ...found, match: matchUpdate.parse({ ...envelope, match: found.match }).match };
}

describe('NHL replies', () => {
  it('have schedule states that are translated into the service’s states', () => {
    const state = (more: object) => {
      const { match, warnings } = read({ scheduled: game(more) });
      return [match?.status, match?.status_detail, match?.score, match?.finalized, warnings.length];
    };
    const ahead = { homeTeam: side('TOR', 10), awayTeam: side('MTL', 8), periodDescriptor: {} };
    assert.deepEqual(state({ ...ahead, gameState: 'FUT' }), ['scheduled', 'not_started', undefined, undefined, 0]);
    assert.deepEqual(state({ ...ahead, gameState: 'PRE' }), ['scheduled', 'not_started', undefined, undefined, 0]);
    assert.deepEqual(state({ ...ahead, gameState: 'FUT', gameScheduleState: 'PPD' }), [
      'scheduled',
      'postponed',
      undefined,
      undefined,
      0,
    ]);
    assert.deepEqual(state({ gameState: 'FUT', gameScheduleState: 'CNCL' }).slice(0, 2), ['finished', 'cancelled']);
    assert.deepEqual(state({ gameState: 'LIVE', gameScheduleState: 'SUSP' }).slice(0, 2), ['live', 'suspended']);
    // A game that has just begun has no period, clock or score yet.
    assert.deepEqual(state({ ...ahead, gameState: 'LIVE' }), ['live', 'in_play', { home: 0, away: 0 }, undefined, 0]);
    assert.deepEqual(state({ gameState: 'CRIT' }), ['live', 'in_play', { home: 3, away: 2 }, undefined, 0]);
    assert.deepEqual(state({ gameState: 'OVER' }), ['finished', 'ended', { home: 3, away: 2 }, false, 0]);
    assert.deepEqual(state({}), ['finished', 'ended', { home: 3, away: 2 }, true, 0]);
    assert.deepEqual(state({ gameState: 'NEW' }), [undefined, undefined, undefined, undefined, 1]);
  });

  it('give minute, breaks, overtime and shoot-out in a live game by the clock and the period', () => {
    const live = (number: number, periodType: string, timeRemaining: string, more: object = {}) => {
      const { match } = read({
        scheduled: game({
          gameState: 'LIVE',
          homeTeam: side('TOR', 10, 2),
          periodDescriptor: { number, periodType },
          clock: { timeRemaining, inIntermission: false, ...more },
        }),
      });
      return [match?.status_detail, match?.minute];
    };
    assert.deepEqual(live(1, 'REG', '20:00'), ['in_play', 1]);
    assert.deepEqual(live(2, 'REG', '00:00', { inIntermission: true }), ['break', 40]);
    assert.deepEqual(live(4, 'OT', '04:59'), ['extra_time', 61]);
    assert.deepEqual(live(5, 'SO', '00:00'), ['penalties', undefined]);
  });

  it('do not count the deciding shoot-out goal as a goal, and name the winner in the period SO', () => {
    const { match } = read({
      scheduled: game({ periodDescriptor: { number: 5, periodType: 'SO' }, gameOutcome: { lastPeriodType: 'SO' } }),
    });
    assert.deepEqual(
      [match?.status_detail, match?.score, match?.period_scores],
      ['after_penalties', { home: 2, away: 2 }, [{ period: 'SO', home: 1, away: 0 }]],
    );
  });

  it('give goals with assists and the score after the goal, and penalties with minutes, in playing order', () => {
    const { match, warnings } = read({
      playByPlay: {
        ...game(),
        rosterSpots,
        plays: [
          goal(90, 3, '19:59', 10, 1, { assist1PlayerId: 2 }),
          play(10, 'penalty', 1, '00:30', {
            eventOwnerTeamId: 8,
            committedByPlayerId: 4,
            duration: 2,
            descKey: 'high-sticking',
          }),
          goal(20, 1, '01:00', 10, 1, { assist1PlayerId: 2, assist2PlayerId: 99 }),
          goal(30, 2, '20:00', 8, 3, { assist1PlayerId: 4 }),
          play(31, 'period-end', 2, '20:00'),
          goal(40, 3, '00:05', 8, 4),
          goal(50, 3, '00:25', 10, 2),
          play(55, 'faceoff', 3, '01:00', { eventOwnerTeamId: 8 }),
        ],
      },
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      match?.incidents?.map(({ id, kind, minute, side: of, player, assist, payload }) => [
        id,
        kind,
        minute,
        of,
        player?.name,
        assist?.name,
        payload.score ?? payload.minutes,
      ]),
      [
        ['990', 'suspension', 1, 'away', 'Nick Suzuki', undefined, 2],
        ['980', 'goal', 2, 'home', 'Auston Matthews', 'Mitch Marner', { home: 1, away: 0 }],
        ['970', 'goal', 40, 'away', 'Cole Caufield', 'Nick Suzuki', { home: 1, away: 1 }],
        ['969', 'period_end', 40, null, undefined, undefined, { home: 1, away: 1 }],
        ['960', 'goal', 41, 'away', 'Nick Suzuki', undefined, { home: 1, away: 2 }],
        ['950', 'goal', 41, 'home', 'Mitch Marner', undefined, { home: 2, away: 2 }],
        ['910', 'goal', 60, 'home', 'Auston Matthews', 'Mitch Marner', { home: 3, away: 2 }],
      ],
    );
    assert.equal(match?.incidents?.[0]?.payload.reason, 'high sticking');
    assert.deepEqual(match?.period_scores, [
      { period: 'P1', home: 1, away: 0 },
      { period: 'P2', home: 0, away: 1 },
      { period: 'P3', home: 2, away: 1 },
    ]);
    assert.equal(match?.lineups?.length, 4);
  });

  it('give fifteen play-off overtimes as one period, each with twenty minutes', () => {
    const { match } = read({
      playByPlay: {
        ...game({ id: 2023030417, gameType: 3, periodDescriptor: { number: 18, periodType: 'OT' } }),
        homeTeam: side('TOR', 10, 1),
        awayTeam: side('MTL', 8, 0),
        rosterSpots,
        plays: [goal(5, 18, '19:30', 10, 1)],
      },
    });
    assert.equal(match?.round_name, 'Final, Game 7');
    assert.deepEqual(
      match?.period_scores?.map(({ period, home }) => [period, home]),
      [
        ['P1', 0],
        ['P2', 0],
        ['P3', 0],
        ['OT', 1],
      ],
    );
    assert.deepEqual([match?.incidents?.[0]?.minute, match?.status_detail], [360, 'after_extra_time']);
  });

  it('are refused with a reason for goals that do not add up, a tie, an unsupported game type or an unknown team', () => {
    const few = read({ playByPlay: { ...game(), rosterSpots, plays: [goal(1, 1, '01:00', 10, 1)] } });
    assert.deepEqual(few.warnings, ['the goals add up to 1:0, not to 3:2']);
    assert.deepEqual([few.match?.score, few.match?.incidents], [{ home: 3, away: 2 }, undefined]);
    const tie = read({ scheduled: game({ awayTeam: side('MTL', 8, 3) }) });
    assert.deepEqual(tie.warnings, ['3:3 is a tie, which the NHL does not have']);
    assert.equal(tie.match?.status, undefined);
    assert.match(read({ scheduled: game({ gameType: 1 }) }).error!, /^the game type 1 is neither/);
    assert.match(read({ scheduled: game({ awayTeam: side('XYZ', 1, 0) }) }).error!, /"XYZ" is not known/);
    assert.match(read({ scheduled: game({ awayTeam: side('TOR', 10, 0) }) }).error!, /plays against itself/);
    assert.match(read({ rightRail: {} }).error!, /^no schedule, landing or play-by-play/);
    // A live score may already include a goal that is not listed yet.
    const live = read({
      playByPlay: { ...game({ gameState: 'LIVE' }), rosterSpots, plays: [goal(1, 1, '01:00', 10, 1)] },
    });
    assert.deepEqual([live.warnings, live.match?.incidents?.length, live.match?.period_scores], [[], 1, undefined]);
  });

  describe('that were recorded', () => {
    const recorded = (name: string) => JSON.parse(gunzipSync(readFileSync(new URL(name, RECORDED))).toString());
    before(function () {
      if (existsSync(RECORDED)) return;
      console.warn(`      SKIPPED: ${RECORDED.pathname} is not there`);
      this.skip();
    });

    it('give shots, officials and statistics for a game that a shoot-out decided', () => {
      const { match, warnings } = read({
        landing: recorded('landing_2023020207_final-shootout.json.gz'),
        rightRail: recorded('right-rail_2023020207_final-shootout.json.gz'),
      });
      assert.deepEqual(warnings, []);
      assert.deepEqual([match?.score, match?.status_detail], [{ home: 4, away: 4 }, 'after_penalties']);
      assert.deepEqual(match?.period_scores?.slice(-2), [
        { period: 'OT', home: 0, away: 0 },
        { period: 'SO', home: 2, away: 1 },
      ]);
      const kinds = (kind: string) => match!.incidents!.filter((incident) => incident.kind === kind);
      assert.deepEqual([kinds('goal').length, kinds('penalty_shootout').length], [8, 10]);
      assert.equal(match?.referee, 'Chris Lee, Kevin Pollock');
      assert.deepEqual(
        match?.coaches?.map(({ coach_name }) => coach_name),
        ['Sheldon Keefe', 'Ryan Huska'],
      );
      const texts = Object.fromEntries(
        match!.statistics!.map(({ stat_name, home_text, away_text }) => [stat_name, [home_text, away_text]]),
      );
      assert.deepEqual(texts['Shots on goal'], ['36', '28']);
      assert.deepEqual(texts['Face-offs won'], ['59%', '41%']);
      assert.deepEqual(texts['Power plays'], ['1/1', '0/2']);
    });

    it('give all goals, penalties and players for a play-off game', () => {
      const { match, warnings } = read({ playByPlay: recorded('play-by-play_2024030121_final-playoff.json.gz') });
      assert.deepEqual(warnings, []);
      assert.deepEqual([match?.round_name, match?.score], ['Round of 16, Game 1', { home: 2, away: 6 }]);
      const minutes = match!.incidents!.flatMap(({ kind, payload }) => (kind === 'suspension' ? payload.minutes : []));
      assert.deepEqual(minutes, [2, 2, 2, 2, 2, 2]);
      assert.equal(match?.lineups?.length, 40);
      assert.deepEqual(
        match?.lineups?.filter(({ is_substitute }) => is_substitute).map(({ position }) => position),
        ['G', 'G'],
      );
    });

    it('are read for a game in overtime, in its last minute or just begun', () => {
      const overtime = read({ landing: recorded('landing_2022030181_final-playoff-ot.json.gz') });
      assert.deepEqual(
        [overtime.match?.status_detail, overtime.match?.score, overtime.match?.period_scores?.at(-1)],
        ['after_extra_time', { home: 3, away: 4 }, { period: 'OT', home: 0, away: 1 }],
      );
      const last = read({ landing: recorded('landing_2023020206_crit_EDITED.json.gz') });
      assert.deepEqual([last.match?.status, last.match?.minute], ['live', 59]);
      const begun = read({ landing: recorded('landing_2023020205_live-just-started_EDITED.json.gz') });
      assert.deepEqual(
        [begun.match?.status, begun.match?.score, begun.match?.minute, begun.match?.period_scores],
        ['live', { home: 0, away: 0 }, undefined, [{ period: 'P1', home: 0, away: 0 }]],
      );
    });
  });
});
