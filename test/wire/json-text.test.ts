import assert from 'node:assert/strict';
import fc from 'fast-check';
import { elementsOfJson, pruneJson, shapeOfJson, trimJson } from '../../src/wire/json-text.ts';

/** Generates JSON with white space, and with escapes and brackets in texts. */
const json = fc
  .tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), fc.constantFrom('', ' \n'))
  .map(([value, space, around]) => `${around}${JSON.stringify(value, null, space)}${around}`);
const hard = fc
  .array(
    fc
      .string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'a', '\u2028') })
      .map((text) => JSON.stringify({ [text]: [text] })),
  )
  .map((texts) => `[${texts.join()}]`);
const any = fc.oneof(json, hard);

function measured(value: unknown): { depth: number; containers: number } {
  if (typeof value !== 'object' || value === null) return { depth: 0, containers: 0 };
  const inner = Object.values(value).map(measured);
  return {
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    containers: inner.reduce((sum, { containers }) => sum + containers, 1),
  };
}
function pruned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((item) => pruned(item, depth - 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, pruned(item, depth - 1)]));
}

describe('JSON before it is parsed', () => {
  it('has the same depth, and number of arrays and objects, as the parsed value, for any value', () => {
    fc.assert(fc.property(any, (text) => assert.deepEqual(shapeOfJson(text), measured(JSON.parse(text)))));
  });

  it('when pruned, parses to the same value without the deeper parts, for any value', () => {
    fc.assert(
      fc.property(any, fc.integer({ min: 0, max: 5 }), (text, depth) => {
        const value = pruned(JSON.parse(text), depth);
        assert.equal(JSON.stringify(JSON.parse(pruneJson(text, depth))), JSON.stringify(value));
      }),
    );
  });

  it('when trimmed, parses to the same first members of each array and object, for any value', () => {
    const trimmed = (value: unknown, most: number): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.slice(0, most).map((item) => trimmed(item, most));
      return Object.fromEntries(
        Object.entries(value)
          .slice(0, most)
          .map(([key, item]) => [key, trimmed(item, most)]),
      );
    };
    // Leaves out names that are numbers, because JavaScript objects list those first, wherever they are in the text.
    const named = any.filter((text) => !/"\d+"\s*:/.test(text));
    fc.assert(
      fc.property(named, fc.integer({ min: 1, max: 4 }), (text, most) => {
        const value = trimmed(JSON.parse(text), most);
        assert.equal(JSON.stringify(JSON.parse(trimJson(text, most, 100_000))), JSON.stringify(value));
      }),
    );
    assert.throws(() => trimJson('[[1,2],[3]]', 9, 4), RangeError);
  });

  it('has array elements that parse to the same values as the array, for any array', () => {
    fc.assert(
      fc.property(any, (text) => {
        const value = JSON.parse(text);
        const elements = elementsOfJson(text, 1_000);
        if (!Array.isArray(value)) assert.equal(elements, null);
        else assert.equal(JSON.stringify(elements!.map((element) => JSON.parse(element))), JSON.stringify(value));
      }),
    );
  });

  it('has elements that are JSON only if the whole text is, for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', '1', ' ') });
    const isJson = (one: string) => {
      try {
        JSON.parse(one);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(text, (inner) => {
        const array = `[${inner}`;
        let elements: string[] | null = null;
        try {
          elements = elementsOfJson(array, 1_000);
        } catch (error) {
          assert.ok(error instanceof SyntaxError);
        }
        assert.equal(elements?.every(isJson) ?? false, isJson(array), array);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is a syntax error if an array is unterminated or followed by text, and a different error if it is too long', () => {
    for (const text of ['[', '[1', '[1,', '[[]', '["]', '[1]]', '[1}', '[1] 2', '[1],', '['.repeat(100_000)])
      assert.throws(() => elementsOfJson(text, 10), SyntaxError, text.slice(0, 20));
    assert.deepEqual(elementsOfJson('[]', 0), []);
    assert.deepEqual(elementsOfJson(' [ \n] ', 0), []);
    assert.deepEqual(elementsOfJson('[1, [2,3] ,"a,]"]', 3), ['1', ' [2,3] ', '"a,]"']);
    assert.throws(() => elementsOfJson('[1,2,3,4]', 3), RangeError);
    for (const text of ['', '{"a":[]}', '7', '"["']) assert.equal(elementsOfJson(text, 10), null);
  });
});
