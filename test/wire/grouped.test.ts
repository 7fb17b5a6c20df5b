import { deepEqual } from 'node:assert/strict';
import { grouped } from '../../src/wire/grouped.ts';

describe('grouped', () => {
  it('keeps the items under each key in order, and orders the keys by first item', () => {
    const lengths = grouped(['three', 'one', 'seven', 'two', 'four'], ({ length }) => length);
    deepEqual(
      [...lengths],
      [
        [5, ['three', 'seven']],
        [3, ['one', 'two']],
        [4, ['four']],
      ],
    );
    deepEqual([...grouped([], String)], []);
  });
});
