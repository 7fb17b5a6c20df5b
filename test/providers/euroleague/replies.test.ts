import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { euroleague } from '../../../src/importers/euroleague/euroleague.ts';
import { type GameReplies, readGame } from '../../../src/providers/euroleague/live-game.ts';
import { boxScoreReply, headerReply, playByPlayReply } from '../../../src/providers/euroleague/replies.ts';
import { matchUpdate } from '../../../src/wire/feed-update.ts';
import { filesOf, readAll, removeFiles } from '../../importers/fixture.ts';

const RECORDED = new URL('../../../../shared/datasets/providers/euroleague/', import.meta.url);

const header = (more: object = {}) => ({
  Live: false,
  Round: '1',
  Date: '03/10/2024',
  Hour: '18:45 ',
  Stadium: 'UBER ARENA',
  Capacity: '14500',
  CodeTeamA: 'BER       ',
  CodeTeamB: 'PAN',
  ScoreA: '77',
  ScoreB: '87',
  GameTime: '40:00',
  RemainingPartialTime: '00:00',
  PhaseReducedName: 'R S ',
  Referee1: 'JAVOR, DAMIR',
  ...more,
});
const play = (number: number, type: string, team: string, minute: number, clock: string, more: object = {}) => ({
  NUMBEROFPLAY: number,
  CODETEAM: `${team}       `,
  PLAYER_ID: `P${team}   `,
  PLAYTYPE: type,
  PLAYER: `${team}, ONE`,
  MINUTE: minute,
  MARKERTIME: clock,
  ...more,
});
const plays = (lists: object, more: object = {}) => ({
  Live: false,
  CodeTeamA: 'BER       ',
  CodeTeamB: 'PAN       ',
  ActualQuarter: 4,
  FirstQuarter: [],
  SecondQuarter: [],
  ThirdQuarter: [],
  ForthQuarter: [],
  ExtraTime: [],
  ...lists,
  ...more,
});
const boxScore = (quarters: [object, object], more: object = {}) => ({
  Live: false,
  Attendance: '11856',
  ByQuarter: quarters,
  Stats: [],
  ...more,
});

interface Given {
  header?: object;
  boxScore?: object;
  playByPlay?: object;
}
function read({ header: head, boxScore: box, playByPlay }: Given) {
  const replies: GameReplies = {
    season: 2024,
    code: 1,
    header: head && headerReply.parse(head),
    boxScore: box && boxScoreReply.parse(box),
    playByPlay: playByPlay && playByPlayReply.parse(playByPlay),
  };
  const found = readGame(replies);
  if (typeof found === 'string') return { error: found, warnings: [], match: undefined };
  const { match } = matchUpdate.parse({
    schema: 1,
    provider: 'test',
    observed_at: '2024-10-03T20:00:00Z',
    kind: 'match',
    match: found.match,
  });
  return { error: undefined, warnings: found.warnings, match };
}

describe('Euroleague replies', () => {
  after(removeFiles);

  it('give state, start, round, venue and referee in a game header, before, during and after the game', () => {
    const { match } = read({ header: header() });
    assert.deepEqual(
      [match?.id, match?.status, match?.status_detail, match?.score, match?.scheduled_start, match?.round_num],
      ['E2024_1', 'finished', 'ended', { home: 77, away: 87 }, '2024-10-03T16:45:00Z', 1],
    );
    assert.deepEqual(match?.venue, { name: 'Uber Arena', country: 'DE', capacity: 14500 });
    assert.equal(match?.referee, 'Damir Javor');
    const ahead = read({ header: header({ ScoreA: '0', ScoreB: '0', GameTime: '00:00' }) });
    assert.deepEqual([ahead.match?.status, ahead.match?.score], ['scheduled', undefined]);
    const live = { Live: true, ScoreA: '30', ScoreB: '31', GameTime: '12:34', RemainingPartialTime: '07:26' };
    const running = read({ header: header(live) });
    assert.deepEqual(
      [running.match?.status, running.match?.status_detail, running.match?.minute, running.match?.score],
      ['live', 'in_play', 13, { home: 30, away: 31 }],
    );
    const paused = read({ header: header({ ...live, RemainingPartialTime: '00:00' }) });
    assert.equal(paused.match?.status_detail, 'break');
    const start = read({ header: header({ ...live, ScoreA: '0', ScoreB: '0' }) });
    assert.deepEqual([start.match?.status, start.match?.score], ['live', { home: 0, away: 0 }]);
  });

  it('give all overtimes as one period, and the minute says in which overtime a play was', () => {
    const quarters: [object, object] = [
      { Quarter1: 20, Quarter2: 20, Quarter3: 20, Quarter4: 20, Extra1: 2, Extra2: 3 },
      { Quarter1: 20, Quarter2: 20, Quarter3: 20, Quarter4: 20, Extra1: 2, Extra2: 1 },
    ];
    const { match, warnings } = read({
      header: header({ ScoreA: '85', ScoreB: '83' }),
      boxScore: boxScore(quarters),
    });
    assert.deepEqual(warnings, []);
    assert.deepEqual(match?.period_scores?.at(-1), { period: 'OT', home: 5, away: 3 });
    assert.equal(match?.status_detail, 'after_extra_time');
    const played = read({
      playByPlay: plays({
        ExtraTime: [
          play(1, '2FGM', 'BER', 41, '04:30'),
          play(2, 'EP', '', 46, '', { PLAYER: null }),
          play(3, 'FTM', 'PAN', 50, '00:30'),
        ],
      }),
    });
    assert.deepEqual(
      played.match?.incidents?.map(({ kind, minute, period }) => [kind, minute, period]),
      [
        ['point', 41, 'OT'],
        ['period_end', 45, 'OT'],
        ['point', 50, 'OT'],
      ],
    );
  });

  it('give a play that was added late in its right place, and an assist to the basket in the same second', () => {
    const { match } = read({
      playByPlay: plays({
        FirstQuarter: [
          play(49, 'BP', '', 1, '', { PLAYER: null }),
          play(60, '3FGM', 'BER', 2, '08:10'),
          play(61, 'AS', 'BER', 2, '08:10', { PLAYER: 'TWO, BER', PLAYER_ID: 'P2' }),
          play(55, '2FGM', 'PAN', 1, '09:10'),
          play(70, 'EP', '', 11, '', { PLAYER: null }),
        ],
      }),
    });
    assert.deepEqual(
      match?.incidents?.map(({ id, minute, player, assist, payload }) => [
        id,
        minute,
        player?.name,
        assist?.name,
        payload.score,
      ]),
      [
        ['55', 1, 'One Pan', undefined, { home: 0, away: 2 }],
        ['60', 2, 'One Ber', 'Ber Two', { home: 3, away: 2 }],
        ['70', 10, undefined, undefined, { home: 3, away: 2 }],
      ],
    );
  });

  it('lose parts that contradict the final score, with a warning, but in a live game such parts may lag', () => {
    const quarters: [object, object] = [{ Quarter1: 20 }, { Quarter1: 18 }];
    const list = { FirstQuarter: [play(60, '3FGM', 'BER', 2, '08:10')] };
    const over = read({ header: header(), boxScore: boxScore(quarters), playByPlay: plays(list) });
    assert.deepEqual(over.warnings, [
      'the periods add up to 20:18, not to 77:87',
      'the plays add up to 3:0, not to 77:87',
    ]);
    assert.deepEqual(
      [over.match?.score, over.match?.period_scores, over.match?.incidents],
      [{ home: 77, away: 87 }, undefined, undefined],
    );
    const live = header({ Live: true, ScoreA: '22', ScoreB: '18', GameTime: '10:10', RemainingPartialTime: '09:50' });
    const running = read({ header: live, boxScore: boxScore(quarters), playByPlay: plays(list) });
    assert.deepEqual(running.warnings, []);
    assert.deepEqual([running.match?.period_scores, running.match?.incidents?.length], [undefined, 1]);
  });

  it('are refused with a reason for a tie, an unknown club or missing teams, and no value is invented', () => {
    const tie = read({ header: header({ ScoreA: '80', ScoreB: '80' }) });
    assert.deepEqual([tie.match?.status, tie.match?.score], [undefined, undefined]);
    assert.deepEqual(tie.warnings, ['80:80 is a tie, which basketball does not have']);
    assert.match(read({ header: header({ CodeTeamB: 'XYZ' }) }).error ?? '', /^the team code "XYZ" is not known/);
    assert.match(read({ boxScore: boxScore([{}, {}]) }).error ?? '', /^neither a Header nor a PlaybyPlay/);
    const forfeit = read({ header: header({ ScoreA: '20', ScoreB: '0' }) });
    assert.equal(forfeit.match?.status_detail, 'awarded');
  });

  it('are joined into one record if they belong to one game, and only damaged or unrelated replies are rejected', async () => {
    const game = (id: number) => JSON.stringify(header({ ScoreA: '70', ScoreB: String(70 + id) }));
    const { matches, faults } = await readAll(
      euroleague,
      filesOf({
        'Header_E2024_1_final.json': game(1),
        'PlaybyPlay_E2024_1_final.json': '{"Live":fal',
        'Header_E2024_1_again.json': game(1),
        'Header_E2024_2.json.gz': game(2),
        'Boxscore_E2024_3.json': '{"gamePk": 1}',
        'schedule_2024.json': JSON.stringify({ data: [{ id: 7 }] }),
      }),
    );
    assert.deepEqual(
      matches.map(({ id, score }) => [id, score]),
      [
        ['E2024_1', { home: 70, away: 71 }],
        ['E2024_2', { home: 70, away: 72 }],
      ],
    );
    assert.deepEqual(
      faults.map(
        ({ position, detail }) => `${position.split('/').at(-1)} ${detail.replace(/(?<=cannot be read): .*/, '')}`,
      ),
      [
        'Boxscore_E2024_3.json is not a Boxscore reply: Live: Invalid input: expected boolean, received undefined',
        'Header_E2024_1_final.json is left out: another file is the Header of E2024_1, too',
        'PlaybyPlay_E2024_1_final.json cannot be read',
        'schedule_2024.json#1 gameCode: Invalid input: expected number, received undefined',
      ],
    );
  });

  describe('that were recorded', () => {
    const recorded = (name: string) => JSON.parse(gunzipSync(readFileSync(new URL(name, RECORDED))).toString());
    before(function () {
      if (existsSync(RECORDED)) return;
      console.warn(`      SKIPPED: ${RECORDED.pathname} is not there`);
      this.skip();
    });

    it('give every period and basket, line-ups and player figures for a game with overtime', () => {
      const { match, warnings } = read({
        boxScore: recorded('Boxscore_E2024_35_final.json.gz'),
        playByPlay: recorded('PlaybyPlay_E2024_35_final.json.gz'),
      });
      assert.deepEqual(warnings, []);
      assert.deepEqual([match?.score, match?.status_detail], [{ home: 94, away: 98 }, 'after_extra_time']);
      const points = match!.incidents!.filter(({ kind }) => kind === 'point');
      const sum = points.reduce((total, { payload }) => total + Number(payload.points), 0);
      assert.equal(sum, 94 + 98);
      for (const side of ['home', 'away'] as const) {
        const starters = match!.lineups!.filter((entry) => entry.side === side && !entry.is_substitute);
        assert.equal(starters.length, 5);
      }
      const punter = match!.player_stats!.find(({ player }) => player.name === 'Kevin Punter');
      assert.deepEqual([punter?.stats.points, punter?.stats.minutes, punter?.player.id], [26, '26:49', 'P009862']);
      // Each player's points have to be the same in the play-by-play and in the box score.
      for (const { player, stats } of match!.player_stats!) {
        const scored = points
          .filter((point) => point.player?.id === player.id)
          .reduce((total, { payload }) => total + Number(payload.points), 0);
        assert.equal(scored, stats.points, player.name);
      }
    });

    it('are read together with the schedule', async () => {
      const { matches, faults } = await readAll(euroleague, RECORDED.pathname);
      assert.deepEqual(faults, []);
      assert.deepEqual([matches.length, new Set(matches.map(({ id }) => id)).size], [26, 26]);
      const both = matches.find(({ id }) => id === 'E2024_35');
      assert.deepEqual([both?.scheduled_start, both?.incidents?.length], ['2024-10-18T18:00:00Z', 99]);
    });
  });
});
