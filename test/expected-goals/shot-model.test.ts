/** Tests the expected goals of single shots. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ModelledShot } from '../../src/expected-goals/shot-features.ts';
import { expectedGoals, shippedModel } from '../../src/expected-goals/shot-model.ts';

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
/** Returns the expected goals for a shot that is the only one in its match. */
const alone = (over: Partial<ModelledShot>) => expectedGoals([shot(over)])[0];

describe('expected goals', () => {
  it('are, for a penalty, the share of fitted penalties that were scored, whatever coordinates the penalty has', () => {
    assert.equal(shippedModel().penalty, 0.716867);
    for (const over of [{}, { x: null, y: null }, { x: 10, y: 50 }, { bodyPart: null, minute: null }])
      assert.equal(alone({ situation: 'penalty', ...over }), 0.7169);
  });

  it('are unknown for own goals, shoot-out kicks and shots from play without coordinates', () => {
    for (const over of [
      { shotType: 'own_goal' },
      { shotType: 'Own-Goal' },
      { situation: 'shootout' },
      { situation: 'Penalty shoot-out' },
      { x: null },
      { y: null },
    ])
      assert.equal(alone(over), null, JSON.stringify(over));
  });

  it('are the same for an unknown body part as for the foot', () => {
    const foot = alone({});
    for (const bodyPart of [null, 'other', 'left_foot', 'knee']) assert.equal(alone({ bodyPart }), foot);
    assert.ok(alone({ bodyPart: 'head' })! < foot!);
    assert.equal(alone({ bodyPart: 'Header' }), alone({ bodyPart: 'head' }));
  });

  it('fall with distance, and are the same on both sides of the pitch', () => {
    const by = [99, 95, 90, 85, 80, 70, 60, 50].map((x) => alone({ x })!);
    assert.deepEqual(
      by,
      by.toSorted((a, b) => b - a),
    );
    assert.ok(by[0]! > 0.7 && by.at(-1)! < 0.02, by.join());
    assert.equal(alone({ y: 30 }), alone({ y: 70 }));
  });

  it('take a free kick, a fast break, a rebound and the lead into account, however a provider spells them', () => {
    assert.equal(alone({ situation: 'free-kick' }), alone({ situation: 'free_kick' }));
    assert.equal(alone({ situation: 'Counter attack' }), alone({ situation: 'fast_break' }));
    assert.ok(alone({ situation: 'fast_break' })! > alone({})!);
    const [, rebound] = expectedGoals([shot({ x: 80 }), shot()]);
    assert.ok(rebound! > alone({})!);
    const other = expectedGoals([shot({ x: 80, side: 'away' }), shot()])[1];
    const later = expectedGoals([shot({ x: 80 }), shot({ minute: 11 })])[1];
    assert.deepEqual([other, later], [alone({}), alone({})]);
    const [, leading] = expectedGoals([shot({ shotType: 'goal' }), shot({ minute: 20 })]);
    const [, behind] = expectedGoals([shot({ shotType: 'goal', side: 'away' }), shot({ minute: 20 })]);
    const [, gifted] = expectedGoals([shot({ shotType: 'own_goal', side: 'away' }), shot({ minute: 20 })]);
    assert.ok(leading! > alone({})! && alone({})! > behind!);
    assert.equal(gifted, leading);
  });

  it('are the same if a provider lists the newest shot first', () => {
    const shots = [shot({ x: 80, minute: 3 }), shot({ minute: 3 }), shot({ shotType: 'goal', minute: 8 }), shot()];
    assert.deepEqual(expectedGoals(shots.toReversed()), expectedGoals(shots).toReversed());
  });

  it('are probabilities that neither the shot outcome nor later shots change', () => {
    const any = fc.record({
      side: fc.constantFrom('home' as const, 'away' as const),
      minute: fc.option(fc.integer({ min: 0, max: 130 })),
      shotType: fc.constantFrom('goal', 'save', 'miss', 'block', 'own_goal', ''),
      situation: fc.option(fc.constantFrom('penalty', 'free_kick', 'fast_break', 'regular', 'shootout', '…')),
      bodyPart: fc.option(fc.constantFrom('head', 'left_foot', '')),
      x: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
      y: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 2, maxLength: 12 }), (shots) => {
        const played = shots.toSorted((a, b) => (a.minute ?? 0) - (b.minute ?? 0));
        const expected = expectedGoals(played);
        for (const xg of expected) assert.ok(xg === null || (xg >= 0 && xg <= 1), `${xg}`);
        const last = played.at(-1)!;
        if (last.shotType === 'own_goal') return;
        assert.equal(expectedGoals([...played.slice(0, -1), { ...last, shotType: 'goal' }]).at(-1), expected.at(-1));
        assert.deepEqual(expectedGoals(played.slice(0, -1)), expected.slice(0, -1));
      }),
    );
  });
});
