/** Tests the momentum that is computed from shots. */
import assert from 'node:assert/strict';
import { shotMomentum } from '../../src/expected-goals/momentum.ts';
import type { ModelledShot } from '../../src/expected-goals/shot-features.ts';
import { expectedGoals } from '../../src/expected-goals/shot-model.ts';

const shot = (over: Partial<ModelledShot> = {}): ModelledShot => ({
  side: 'home',
  minute: 10,
  shotType: 'miss',
  situation: 'regular',
  bodyPart: 'right_foot',
  x: 89,
  y: 50,
  ...over,
});

describe('momentum from shots', () => {
  const points = (shots: ModelledShot[], isOver = false) =>
    shotMomentum(shots, expectedGoals(shots), isOver)?.graphPoints ?? null;

  it('halves in four minutes, and covers every minute once the match is over', () => {
    const graph = points([shot({ situation: 'penalty', minute: 10 })], true)!;
    assert.equal(graph.length, 90);
    // The first value is 100 × tanh((0.05 + 0.7169) ÷ 0.5). Four minutes later, half of the sum is left.
    assert.deepEqual(
      [9, 10, 14, 90].map((minute) => graph[minute - 1]),
      [
        { minute: 9, value: 0 },
        { minute: 10, value: 91 },
        { minute: 14, value: 65 },
        { minute: 90, value: 0 },
      ],
    );
    assert.ok(points([shot({ side: 'away' })])!.at(-1)!.value < 0);
  });

  it('ends with the last shot in a live match, and ignores impossible times', () => {
    assert.equal(points([shot({ minute: 33 })])!.length, 33);
    assert.equal(points([shot({ minute: 118 })], true)!.length, 118);
    assert.equal(points([shot({ minute: 0 })])![0]!.minute, 1);
    for (const minute of [null, 151, Number.MAX_SAFE_INTEGER]) assert.equal(points([shot({ minute })], true), null);
    assert.equal(points([shot({ shotType: 'own_goal' })], true), null);
  });
});
