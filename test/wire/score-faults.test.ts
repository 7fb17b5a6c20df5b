import assert from 'node:assert/strict';
import type { MatchUpdate } from '../../src/wire/feed-update.ts';
import { scoreFaults } from '../../src/wire/score-faults.ts';

type Given = [sport: string, score: string, periods: string, over?: object];

/** @param periods scores as in "Q1 20:18 Q2 15:15" */
function listFaults([sport, score, periods, over = {}]: Given) {
  const sides = (text: string) => {
    const [home, away] = text.split(':').map(Number);
    return { home: home!, away: away! };
  };
  const words = periods.split(' ').filter(Boolean);
  const period_scores = words.flatMap((word, index) =>
    index % 2 === 0 ? [{ period: word, ...sides(words[index + 1]!) }] : [],
  );
  const match = { sport, status: 'finished', score: sides(score), period_scores, ...over };
  return scoreFaults({ match } as unknown as MatchUpdate).map(({ path, code, detail }) => `${path} ${code}: ${detail}`);
}

describe('a finished match’s score', () => {
  it('is accepted if the periods add up to it', () => {
    const right: Given[] = [
      ['basketball', '80:75', 'Q1 20:18 Q2 15:15 Q3 20:22 Q4 25:20'],
      ['basketball', '90:85', 'Q1 20:18 Q2 15:15 Q3 20:22 Q4 25:25 OT 10:5'],
      ['ice-hockey', '2:2', 'P1 1:0 P2 0:1 P3 1:1 OT 0:0 SO 2:1', { status_detail: 'after_penalties' }],
      ['football', '3:3', '1H 2:0 2H 0:2 ET 1:1 PEN 4:2', { status_detail: 'after_penalties' }],
      ['baseball', '5:3', 'I1 0:0 I2 1:0 I3 0:0 I4 0:2 I5 0:0 I6 3:0 I7 1:1 I8 0:0 I9 0:0'],
      ['tennis', '2:1', 'S1 6:4 S2 6:7 S3 6:0'],
      ['volleyball', '3:2', 'S1 25:20 S2 20:25 S3 25:20 S4 20:25 S5 15:13'],
      ['rugby', '24:24', '1H 0:7 2H 24:17 PEN 6:4', { status_detail: 'after_penalties' }],
      // Fifteen overtimes, each in a separate period.
      [
        'basketball',
        '75:73',
        `Q1 15:15 Q2 15:15 Q3 15:15 Q4 15:15 ${Array.from({ length: 15 }, (_, n) => `OT${n + 1} ${n === 14 ? '1:0' : n === 0 ? '1:0' : '1:1'}`).join(' ')}`,
      ],
    ];
    for (const given of right) assert.deepEqual(listFaults(given), [], JSON.stringify(given));
  });

  it('is reported together with the periods’ sum if they differ', () => {
    assert.deepEqual(listFaults(['basketball', '89:80', 'Q1 20:20 Q2 20:20 Q3 20:20 Q4 27:20']), [
      'match.period_scores score_mismatch: the periods add up to 87:80, not 89:80',
    ]);
    assert.deepEqual(listFaults(['tennis', '2:0', 'S1 6:4 S2 4:6 S3 6:4']).length, 1);
    assert.deepEqual(
      listFaults(['baseball', '4:3', 'I1 0:0 I2 1:0 I3 0:0 I4 0:2 I5 0:0 I6 3:0 I7 1:1 I8 0:0 I9 0:0']).length,
      1,
    );
    assert.deepEqual(
      listFaults(['football', '1:0', '1H 2:0']).length,
      1,
      'more goals in the first half than in the match',
    );
  });

  it('must not be level in a sport without draws', () => {
    assert.match(
      listFaults(['tennis', '1:1', 'S1 6:4 S2 4:6'])[0]!,
      /^match.score score_mismatch: a match of tennis cannot end 1:1; if a side gave up/,
    );
    assert.equal(listFaults(['volleyball', '2:2', '']).length, 1);
    assert.deepEqual(
      listFaults(['basketball', '80:80', 'Q1 20:20 Q2 20:20 Q3 20:20 Q4 20:20']),
      [],
      'ties exist in games of two legs',
    );
  });

  it('is not checked if the match is not over, if periods are missing, if the result was awarded, or if a side gave up', () => {
    const unchecked: Given[] = [
      ['basketball', '89:80', 'Q1 20:20', { status: 'live' }],
      ['football', '3:1', '1H 1:0'],
      ['football', '3:0', '1H 0:0 2H 0:0', { status_detail: 'awarded' }],
      ['tennis', '2:1', 'S1 4:6 S2 2:1', { status_detail: 'retired' }],
      ['tennis', '2:0', '', { status_detail: 'walkover' }],
      ['cricket', '250:240', 'I1 100:240'],
      ['a-sport-of-the-database', '1:0', 'Q1 5:5'],
    ];
    for (const given of unchecked) assert.deepEqual(listFaults(given), [], JSON.stringify(given));
  });
});
