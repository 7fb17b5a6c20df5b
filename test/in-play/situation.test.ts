import assert from 'node:assert/strict';
import { inPlayParameters } from '../../src/in-play/parameters.ts';
import { toWinProbability } from '../../src/in-play/percent.ts';
import { MatchProbabilities } from '../../src/in-play/probabilities.ts';
import { type InPlayMatch, readSituation, readTurns } from '../../src/in-play/situation.ts';
import { timeline } from '../../src/in-play/timeline.ts';
import { card, goal, incident, kick, liveMatch } from './incidents.ts';

const parameters = inPlayParameters();
const chances = new MatchProbabilities({ home: 1.5, away: 1.2 }, parameters);
const now = (match: InPlayMatch) => readSituation(match, parameters);
const shown = (match: InPlayMatch) => {
  const result = chances.result(now(match));
  return result && toWinProbability(result);
};
const line = (match: InPlayMatch) => timeline(match, chances, parameters);
const extra = (minute: number | null, incidents: InPlayMatch['incidents'], over: Partial<InPlayMatch> = {}) =>
  liveMatch(minute, incidents, { status_detail: 'extra_time', ...over });

describe('players sent off', () => {
  const sentOff = (...incidents: InPlayMatch['incidents']) =>
    readTurns(incidents).filter(({ kind }) => kind === 'sent_off').length;

  it('are counted once each for a red card, a card named as a second yellow, and two yellow cards for one player', () => {
    assert.equal(sentOff(card('red', 'A', 10)), 1);
    assert.equal(sentOff(card('yellow', 'A', 10), card('second_yellow', 'A', 20)), 1);
    assert.equal(sentOff(card('yellow', 'A', 10), card('yellow', 'A', 20)), 1);
    assert.equal(sentOff(card('yellow', 'A', 10), card('yellow', 'A', 20), card('red', 'A', 20)), 1);
  });

  it('are not counted for yellow cards to two players, to two sides or to nobody', () => {
    assert.equal(sentOff(card('yellow', 'A', 10), card('yellow', 'B', 20)), 0);
    assert.equal(sentOff(card('yellow', 'A', 10), card('yellow', 'A', 20, { side: 'away' })), 0);
    assert.equal(sentOff(card('yellow', null, 10), card('yellow', null, 20)), 0);
  });

  it('do not include a coach with a red card', () => {
    assert.equal(sentOff(card('red', 'Coach', 10, { payload: { card_type: 'red', role: 'coach' } })), 0);
  });

  it('are two players for two red cards without names', () => {
    assert.equal(sentOff(card('red', null, 10), card('red', null, 10)), 2);
  });
});

describe('minutes played', () => {
  const played = (minute: number | null, over: Partial<InPlayMatch> = {}, incidents: InPlayMatch['incidents'] = []) =>
    now(liveMatch(minute, incidents, over)).played;

  it('count added time as the half’s last minute', () => {
    assert.equal(played(0), 0);
    assert.equal(played(30), 30);
    assert.equal(played(45), 44);
    assert.equal(played(45, { status_detail: 'break' }), 45);
    assert.equal(played(46), 46);
    assert.equal(played(90), 89);
    assert.ok(played(93) > 89.3 && played(93) < 89.6);
    assert.equal(played(110), 89.9);
  });

  it('equal the half-time minutes during a break, unless the second half has begun', () => {
    assert.equal(played(null, { status_detail: 'break' }), 45);
    const period_scores = ['1H', '2H'].map((period) => ({ period, home: 0, away: 0 }));
    assert.equal(played(null, { status_detail: 'break', period_scores }), 90);
  });

  it('follow the last incident, or the start of the half, if no clock is known', () => {
    assert.equal(played(null, {}, [card('yellow', 'A', 61), card('yellow', 'B', 12)]), 61);
    assert.equal(played(null), 0);
    const period_scores = ['1H', '2H'].map((period) => ({ period, home: 0, away: 0 }));
    assert.equal(played(null, { period_scores }), 46);
  });
});

describe('win probability', () => {
  it('follows from the expected goals before the start, even if a postponed match has a wrong score', () => {
    const scheduled = liveMatch(null, [], { status: 'scheduled', status_detail: 'not_started' });
    assert.deepEqual(shown(scheduled), shown(liveMatch(0)));
    assert.deepEqual(shown({ ...scheduled, status_detail: 'postponed', home_score: 3 }), shown(scheduled));
  });

  it('equals the result once a match is finished', () => {
    const over = { status: 'finished', status_detail: 'ended' } as const;
    assert.deepEqual(shown(liveMatch(null, [goal('home', 3)], over)), { homeWin: 100, draw: 0, awayWin: 0 });
    assert.deepEqual(shown(liveMatch(null, [], over)), { homeWin: 0, draw: 100, awayWin: 0 });
    assert.deepEqual(shown(liveMatch(null, [], { ...over, status_detail: 'awarded', away_score: 3 })), {
      homeWin: 0,
      draw: 0,
      awayWin: 100,
    });
  });

  it('is absent for an abandoned or cancelled match, and for a finished match without a score', () => {
    for (const status_detail of ['abandoned', 'cancelled'] as const)
      assert.equal(shown(liveMatch(null, [goal('home', 3)], { status: 'finished', status_detail })), null);
    assert.equal(shown(liveMatch(null, [], { status: 'finished', status_detail: 'ended', home_score: null })), null);
  });

  it('is certain for a side with 40 goals, and the same as at 0:0 if both sides have 40', () => {
    const goals = (side: 'home' | 'away') => Array.from({ length: 40 }, (_, index) => goal(side, index + 1));
    assert.deepEqual(shown(liveMatch(41, goals('home'))), { homeWin: 100, draw: 0, awayWin: 0 });
    const both = liveMatch(41, [...goals('home'), ...goals('away')]);
    assert.deepEqual(shown(both), shown(liveMatch(41)));
  });

  it('counts a red card in minute 1 from that minute on, and a red card without a minute from the present minute on', () => {
    const early = shown(liveMatch(1, [card('red', 'A', 1)]))!;
    assert.ok(early.homeWin < shown(liveMatch(1))!.homeWin - 15);
    assert.deepEqual(shown(liveMatch(60, [card('red', 'A', null)])), shown(liveMatch(60, [card('red', 'A', 1)])));
  });

  it('uses the present score at the earlier minute if the clock jumps back', () => {
    const back = liveMatch(50, [goal('home', 70)]);
    assert.deepEqual(shown(back), shown(liveMatch(50, [goal('home', 10)])));
    assert.deepEqual(
      line(back).map(({ played }) => played),
      line(back)
        .map(({ played }) => played)
        .toSorted((a, b) => a - b),
    );
  });

  it('covers the result after extra time, and the chance to advance', () => {
    const level = extra(100, [goal('home', 10), goal('away', 20)]);
    const result = shown(level)!;
    assert.ok(result.draw > 50 && result.draw < 75, `${result.draw}`);
    const { home, away } = chances.advance(now(level), null)!;
    assert.ok(Math.abs(home + away - 1) < 1e-9);
    assert.ok(home > 0.5 && home < 0.6, `${home}`);
    const ahead = extra(115, [goal('home', 10), goal('away', 20), goal('away', 101, { period: 'ET' })]);
    assert.ok(chances.advance(now(ahead), null)!.away > 0.9);
    assert.ok(shown(ahead)!.awayWin > 85);
  });

  it('distinguishes the match score from the tie score in a second leg’s extra time', () => {
    // The 1:0 after 90 minutes makes up for the first leg. A goal in extra time would decide the tie for the away side.
    const leg = extra(119, [goal('home', 10), goal('away', 101, { period: 'ET' })]);
    assert.ok(shown(leg)!.draw > 90);
    assert.ok(chances.advance(now(leg), null)!.away > 0.95);
  });

  it('treats a shoot-out as a draw, and the kicks change the chance to advance', () => {
    const kicks = [kick('home', true), kick('away', false)];
    const shootOut = liveMatch(120, [goal('home', 10), goal('away', 20), ...kicks], { status_detail: 'penalties' });
    assert.deepEqual(shown(shootOut), { homeWin: 0, draw: 100, awayWin: 0 });
    const { home } = chances.advance(now(shootOut), null)!;
    assert.ok(home > 0.75 && home < 0.9, `${home}`);
    const over = { ...shootOut, status: 'finished', status_detail: 'after_penalties' } as const;
    const period_scores = [{ period: 'PEN', home: 3, away: 4 }];
    assert.deepEqual(chances.advance(now({ ...over, period_scores }), null), { home: 0, away: 1 });
  });

  it('has the chance to advance from the start, with the first-leg lead, if the match decides a tie', () => {
    const start = now(liveMatch(0));
    const { home } = chances.advance(start, { lead: 0 })!;
    const result = chances.result(start)!;
    assert.ok(home > result.home + result.draw * 0.45 && home < result.home + result.draw * 0.6, `${home}`);
    assert.ok(chances.advance(start, { lead: 3 })!.home > 0.97);
    assert.equal(chances.advance(start, null), null);
    const over = now(liveMatch(null, [goal('away', 9)], { status: 'finished', status_detail: 'ended' }));
    assert.equal(chances.advance(over, null), null);
    const unlisted = liveMatch(null, [], { status: 'finished', status_detail: 'ended', home_score: 2 });
    assert.equal(chances.advance(now(unlisted), null), null);
    assert.deepEqual(chances.advance(over, { lead: 2 }), { home: 1, away: 0 });
    assert.deepEqual(chances.advance(over, { lead: 0 }), { home: 0, away: 1 });
  });
});

describe('the timeline', () => {
  const reasons = (match: InPlayMatch) => line(match).map(({ reason, minute }) => `${reason} ${minute}`);

  it('has the start, each minute, each goal and sending-off, half-time, and the present', () => {
    const match = liveMatch(47, [goal('home', 2), card('red', 'A', 3), goal('away', 45, { minute_plus: 2 })]);
    assert.deepEqual(reasons(match).slice(0, 5), ['start 0', 'minute 1', 'goal 2', 'sent_off 3', 'minute 4']);
    assert.deepEqual(reasons(match).slice(-5), ['minute 44', 'goal 45', 'period 45', 'minute 46', 'now 47']);
    const points = line(match);
    assert.deepEqual(points.find(({ reason, minute_plus }) => reason === 'goal' && minute_plus === 2)?.away_score, 1);
    assert.equal(points.length, 49);
    for (const { homeWin, draw, awayWin } of points) assert.equal(Math.round(10 * (homeWin + draw + awayWin)), 1_000);
  });

  it('ends at the present probability', () => {
    for (const match of [liveMatch(0), liveMatch(33, [goal('home', 20)]), liveMatch(90, [goal('away', 45)])]) {
      const { homeWin, draw, awayWin } = line(match).at(-1)!;
      assert.deepEqual({ homeWin, draw, awayWin }, shown(match));
    }
  });

  it('forgets a goal that is revoked', () => {
    assert.deepEqual(line(liveMatch(60, [])), line(liveMatch(60, [incident({ kind: 'var', minute: 50 })])));
    assert.ok(line(liveMatch(60)).every(({ home_score, away_score }) => home_score + away_score === 0));
  });

  it('has only the start and the present if a goal has no minute, or the goals do not add up to the score', () => {
    assert.deepEqual(reasons(liveMatch(60, [goal('home', null)])), ['start 0', 'now 60']);
    assert.deepEqual(reasons(liveMatch(60, [goal('home', 5)], { home_score: 2 })), ['start 0', 'now 60']);
  });

  it('ends with the result once the match is over, and covers extra time', () => {
    const over = { status: 'finished', status_detail: 'ended' } as const;
    assert.deepEqual(reasons(liveMatch(null, [goal('home', 5)], over)).at(-1), 'end 90');
    const long = liveMatch(null, [goal('home', 5), goal('away', 6), goal('away', 118, { period: 'ET' })], {
      status: 'finished',
      status_detail: 'after_extra_time',
    });
    const points = line(long);
    assert.deepEqual(
      points.filter(({ reason }) => reason === 'period').map(({ minute }) => minute),
      [45, 90, 120],
    );
    assert.equal(points.at(-1)!.awayWin, 100);
    assert.ok(points.find(({ minute }) => minute === 89)!.draw > 80);
    assert.ok(points.find(({ reason, minute }) => reason === 'period' && minute === 90)!.draw < 60);
  });

  it('is empty for a match that will not be played, and has only the start for an upcoming match', () => {
    assert.deepEqual(line(liveMatch(null, [], { status: 'finished', status_detail: 'cancelled' })), []);
    assert.deepEqual(reasons(liveMatch(null, [], { status: 'scheduled', status_detail: 'not_started' })), ['start 0']);
  });

  it('has a limited length, whatever the incidents are', () => {
    const incidents = Array.from({ length: 3_000 }, (_, index) => goal('home', index % 90));
    assert.ok(line(liveMatch(90, incidents)).length <= 400);
  });
});
