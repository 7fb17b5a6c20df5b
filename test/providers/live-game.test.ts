/** Follows live games from the sources' replies, poll by poll, to the events that clients receive. */
import assert from 'node:assert/strict';
import { readGame } from '../../src/providers/euroleague/live-game.ts';
import { headerReply, playByPlayReply as playsReply } from '../../src/providers/euroleague/replies.ts';
import { playByPlayReply } from '../../src/providers/nhl/replies.ts';
import { readReplies } from '../../src/providers/nhl/replies-of-game.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

describe('a live game that is polled', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());

  const eventsAfter = async (match: MatchFields) => {
    await bench.feed(bench.update(match));
    return types(await bench.events());
  };

  it('has an event for each basket and each quarter end in basketball, and no event twice', async () => {
    const basket = (number: number, type: string, team: string, minute: number, clock: string) => ({
      NUMBEROFPLAY: number,
      CODETEAM: `${team}       `,
      PLAYER_ID: `P${team}`,
      PLAYTYPE: type,
      PLAYER: `${team}, ONE`,
      MINUTE: minute,
      MARKERTIME: clock,
    });
    const poll = (
      live: boolean,
      score: [number, number],
      time: string,
      left: string,
      first: object[],
      extra: object[],
    ) => {
      const found = readGame({
        season: 2024,
        code: 1,
        header: headerReply.parse({
          Live: live,
          Round: '1',
          Date: '01/05/2024',
          Hour: '16:00',
          CodeTeamA: 'BER',
          CodeTeamB: 'PAN',
          ScoreA: String(score[0]),
          ScoreB: String(score[1]),
          GameTime: time,
          RemainingPartialTime: left,
          PhaseReducedName: 'RS',
        }),
        playByPlay: playsReply.parse({
          Live: live,
          CodeTeamA: 'BER       ',
          CodeTeamB: 'PAN       ',
          ActualQuarter: extra.length > 0 ? 5 : 1,
          FirstQuarter: first,
          ExtraTime: extra,
        }),
      });
      assert.ok(typeof found !== 'string');
      assert.deepEqual(found.warnings, []);
      return found.match;
    };
    const first = basket(7, '2FGM', 'BER', 1, '09:30');
    const second = basket(5, '3FGM', 'PAN', 1, '09:05');
    const end = { ...basket(9, 'EP', '', 11, ''), PLAYER: null };
    const overtime = basket(90, '2FGM', 'BER', 41, '04:30');

    assert.deepEqual(await eventsAfter(poll(false, [0, 0], '00:00', '10:00', [], [])), ['match.created']);
    assert.deepEqual(await eventsAfter(poll(true, [0, 0], '00:01', '09:59', [], [])), ['match.started']);
    assert.deepEqual(await eventsAfter(poll(true, [2, 0], '00:31', '09:29', [first], [])), ['match.point']);
    assert.deepEqual(await eventsAfter(poll(true, [2, 0], '00:40', '09:20', [first], [])), []);
    assert.deepEqual(await eventsAfter(poll(true, [2, 3], '10:00', '00:00', [first, second, end], [])), [
      'match.point',
      'match.period_ended',
    ]);
    // The scorer is corrected later.
    const corrected = { ...second, PLAYER: 'OTHER, TWO', PLAYER_ID: 'P9' };
    assert.deepEqual(await eventsAfter(poll(true, [2, 3], '10:00', '00:00', [first, corrected, end], [])), [
      'match.incident_updated',
    ]);
    const done = poll(false, [4, 3], '45:00', '00:00', [first, corrected, end], [overtime]);
    assert.deepEqual(await eventsAfter(done), ['match.point', 'match.finished']);
    assert.deepEqual(await eventsAfter(done), []);
    const { rows } = await bench.db.pool.query("SELECT id FROM match WHERE sport = 'basketball'");
    const card = await bench.card(rows[0].id);
    assert.deepEqual(
      [card.status_detail, card.extra.period_scores.at(-1)],
      ['after_extra_time', { period: 'OT', home: 2, away: 0 }],
    );
  });

  it('has every goal, a disallowed goal, penalties, and a shoot-out that does not count as a goal, in ice hockey', async () => {
    const people = { 1: 'Ann', 2: 'Bob', 3: 'Cid' };
    const play = (id: number, kind: string, number: number, time: string, team: number, details: object = {}) => ({
      eventId: id,
      sortOrder: id,
      periodDescriptor: { number, periodType: number === 5 ? 'SO' : number === 4 ? 'OT' : 'REG' },
      timeInPeriod: time,
      typeDescKey: kind,
      details: { eventOwnerTeamId: team, ...details },
    });
    const poll = (state: string, score: [number, number], number: number, plays: object[]) => {
      const found = readReplies({
        playByPlay: playByPlayReply.parse({
          id: 2023020001,
          season: 20232024,
          gameType: 2,
          startTimeUTC: '2024-05-01T14:00:00Z',
          gameState: state,
          gameScheduleState: 'OK',
          homeTeam: { id: 10, abbrev: 'TOR', score: score[0] },
          awayTeam: { id: 8, abbrev: 'MTL', score: score[1] },
          ...(number > 0 && { periodDescriptor: { number, periodType: number === 5 ? 'SO' : 'REG' } }),
          plays,
          rosterSpots: Object.entries(people).map(([id, name]) => ({
            teamId: 10,
            playerId: Number(id),
            firstName: { default: name },
            lastName: { default: 'Player' },
            positionCode: 'C',
          })),
        }),
      });
      assert.ok(typeof found !== 'string');
      assert.deepEqual(found.warnings, []);
      return found.match;
    };
    const goal = play(10, 'goal', 1, '05:00', 10, { scoringPlayerId: 1 });
    const assisted = play(10, 'goal', 1, '05:00', 10, { scoringPlayerId: 1, assist1PlayerId: 2 });
    const disallowed = play(20, 'goal', 1, '09:00', 10, { scoringPlayerId: 3 });
    const penalty = play(30, 'penalty', 2, '01:00', 8, { duration: 2, descKey: 'tripping' });
    const reply = play(40, 'goal', 3, '19:00', 8, {});
    const shots = [
      play(50, 'shot-on-goal', 5, '00:00', 8, {}),
      play(51, 'goal', 5, '00:00', 10, { scoringPlayerId: 2 }),
    ];

    assert.deepEqual(await eventsAfter(poll('FUT', [0, 0], 0, [])), ['match.created', 'match.lineup_confirmed']);
    assert.deepEqual(await eventsAfter(poll('LIVE', [0, 0], 0, [])), ['match.started']);
    assert.deepEqual(await eventsAfter(poll('LIVE', [1, 0], 1, [goal])), ['match.goal']);
    assert.deepEqual(await eventsAfter(poll('LIVE', [1, 0], 1, [assisted])), ['match.incident_updated']);
    assert.deepEqual(await eventsAfter(poll('LIVE', [2, 0], 1, [assisted, disallowed])), ['match.goal']);
    assert.deepEqual(await eventsAfter(poll('LIVE', [1, 0], 1, [assisted])), ['match.goal_cancelled']);
    assert.deepEqual(await eventsAfter(poll('LIVE', [1, 0], 2, [assisted, penalty])), ['match.incident']);
    assert.deepEqual(await eventsAfter(poll('CRIT', [1, 1], 3, [assisted, penalty, reply])), ['match.goal']);
    const shootOut = [assisted, penalty, reply, ...shots];
    assert.deepEqual(await eventsAfter(poll('LIVE', [1, 1], 5, shootOut)), [
      'match.period_started',
      'match.penalty_shootout',
      'match.penalty_shootout',
    ]);
    assert.deepEqual(await eventsAfter(poll('FINAL', [2, 1], 5, shootOut)), ['match.finished']);
    const { rows } = await bench.db.pool.query("SELECT id FROM match WHERE sport = 'ice-hockey'");
    const card = await bench.card(rows[0].id);
    assert.deepEqual(
      [card.status_detail, card.participants.map(({ score }) => score), card.extra.period_scores.at(-1)],
      ['after_penalties', [1, 1], { period: 'SO', home: 1, away: 0 }],
    );
  });

  it('lists a person who plays two sports as two participants', async () => {
    const person = { id: 'p-both', name: 'Ann Both', birth_date: '1990-01-01' };
    for (const sport of ['basketball', 'ice-hockey']) {
      bench.nextMatch();
      await bench.accept({ sport, lineups: [{ side: 'home', player: person, is_substitute: false }] });
    }
    const { rows } = await bench.db.pool.query(
      "SELECT sport, person_id FROM participant WHERE name = 'Ann Both' ORDER BY sport",
    );
    assert.deepEqual(rows, [
      { sport: 'basketball', person_id: null },
      { sport: 'ice-hockey', person_id: null },
    ]);
  });
});
