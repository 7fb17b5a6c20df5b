import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { sameJson } from '../../src/apply/stored/blocks.ts';

/** Returns the value with the keys of all objects in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, turned(member)] as const);
  return Object.fromEntries(members.reverse());
}

const anyJson = fc.jsonValue({ maxDepth: 4, stringUnit: 'grapheme' });

describe('sameJson', () => {
  it('finds a value equal to itself with reordered keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        assert.ok(sameJson(JSON.stringify(value), JSON.stringify(turned(value))));
      }),
    );
  });

  it('finds different values unequal, even with the same characters in another order', () => {
    const value = fc.oneof(
      anyJson,
      fc.dictionary(fc.constantFrom('ab', 'ba'), fc.constantFrom(12, 21, '12', [1, 2], [2, 1])),
    );
    fc.assert(
      fc.property(value, value, (one, other) => {
        const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
        assert.equal(sameJson(a, b), isDeepStrictEqual(JSON.parse(a), JSON.parse(b)));
      }),
      { numRuns: 1_000 },
    );
    assert.ok(!sameJson('{"a":12,"b":21}', '{"a":21,"b":12}'));
    assert.ok(!sameJson('[1,2]', '[2,1]'));
  });
});
