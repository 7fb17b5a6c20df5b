import { deepEqual } from 'node:assert/strict';
import { grouped } from '../../src/wire/grouped.ts';

describe('grouped', () => {
  it('has the items of each key in their order, and the keys in the order of their first items', () => {
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
