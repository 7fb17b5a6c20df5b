import assert from 'node:assert/strict';
import fc from 'fast-check';
import { z } from 'zod';
import { queryReader, readQueryString } from '../../src/http/input.ts';
import {
  bool,
  commaList,
  cursor,
  date,
  idParam,
  integer,
  limit,
  offset,
  oneValue,
  text,
  timeParam,
  timeZone,
} from '../../src/http/query.ts';

/** Returns the parsed value, or 'fault' if it is invalid. */
const read = (schema: z.ZodType, value: string): unknown => {
  const result = schema.safeParse(value);
  return result.success ? result.data : 'fault';
};
const faulty = (schema: z.ZodType, values: readonly string[]) => {
  for (const value of values) assert.equal(read(schema, value), 'fault', JSON.stringify(value));
};

describe('parameter schemas', () => {
  it('integers are read strictly', () => {
    const number = integer(-5, 1_000);
    assert.equal(read(number, '0'), 0);
    assert.equal(read(number, '-5'), -5);
    assert.equal(read(number, '1000'), 1_000);
    faulty(number, [
      '',
      ' ',
      'abc',
      '1.5',
      '1.0',
      '1e3',
      '+1',
      '-0',
      '01',
      ' 1',
      '1 ',
      '0x10',
      '1_0',
      '١',
      'NaN',
      'Infinity',
      '-6',
      '1001',
    ]);
  });

  it('every integer in the range is read unchanged', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (n) => {
        assert.equal(read(integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), String(n)), n);
      }),
    );
  });

  it('page sizes and positions must be within bounds', () => {
    const size = limit(100, 1_000);
    assert.equal(size.parse(undefined), 100);
    assert.equal(read(size, '1'), 1);
    assert.equal(read(size, '1000'), 1_000);
    faulty(size, ['0', '-1', '1001', 'abc']);
    assert.equal(read(limit(20, 100, 0), '0'), 0);
    assert.equal(offset.parse(undefined), 0);
    faulty(offset, ['-1', '9007199254740992']);
    assert.equal(read(cursor, '9007199254740991'), Number.MAX_SAFE_INTEGER);
    assert.equal(read(cursor, '0'), 0);
    faulty(idParam, ['0', '9007199254740992', '9223372036854775808', '1'.repeat(400)]);
  });

  it('booleans may be true, false, 1 or 0', () => {
    assert.deepEqual(
      ['true', 'false', '1', '0'].map((value) => read(bool, value)),
      [true, false, true, false],
    );
    faulty(bool, ['', 'TRUE', 'yes', '2', 'on', 'null']);
  });

  it('a date must be an existing day', () => {
    for (const value of ['2024-02-29', '2000-02-29', '2024-12-31', '0001-01-01', '9999-12-31'])
      assert.equal(read(date, value), value);
    faulty(date, [
      '2024-02-30',
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-04-31',
      '2024-1-1',
      '20240101',
      '0000-01-01',
      '10000-01-01',
      '',
      '2024-01-01T00:00:00Z',
      '2024-01-01 ',
    ]);
  });

  it('a time must have a zone, and a day means 00:00 UTC', () => {
    assert.equal(read(timeParam, '2024-05-19'), '2024-05-19T00:00:00.000Z');
    assert.equal(read(timeParam, '2024-05-19T15:00:00Z'), '2024-05-19T15:00:00.000Z');
    assert.equal(read(timeParam, '2024-05-19T15:00:00.5+03:00'), '2024-05-19T12:00:00.500Z');
    faulty(timeParam, [
      '2024-05-19T15:00:00',
      '2024-02-30T15:00:00Z',
      '2024-05-19T25:00:00Z',
      'now',
      '',
      '0000-05-19',
      '9999-12-31T23:59:59-14:00',
      '0001-01-01T00:00:00+14:00',
      '1716130800',
    ]);
  });

  it('a time zone may have an old or a new name, in any letter case, and the documented pattern allows them all', () => {
    const { enum: listed, pattern, examples } = timeZone.meta() as Record<string, unknown>;
    assert.equal(listed, undefined, 'a client would refuse names that a list lacks');
    const names = ['Europe/Kyiv', 'Europe/Kiev', 'Asia/Kolkata', 'Asia/Calcutta', 'America/Argentina/Buenos_Aires'];
    const others = ['europe/kyiv', 'UTC', 'utc', 'GMT', 'Etc/GMT+3', 'EST5EDT', 'America/Port-au-Prince'];
    for (const name of [...names, ...others, ...(examples as string[]), ...Intl.supportedValuesOf('timeZone')]) {
      assert.equal(read(timeZone, name), name);
      assert.match(name, new RegExp(String(pattern)));
    }
    faulty(timeZone, [
      '',
      ' ',
      '+03:00',
      '-0300',
      '3',
      'Z',
      'UTC+3',
      'GMT+3',
      'Mars/Olympus',
      'Europe',
      'Europe/Kyiv ',
    ]);
  });

  it('text length is counted in characters, not in code units', () => {
    const q = text(2, 5);
    assert.equal(read(q, ' ab '), 'ab');
    assert.equal(read(q, '😀😀😀😀😀'), '😀😀😀😀😀');
    faulty(q, ['', 'a', ' a ', '  ', 'abcdef', '😀', '😀'.repeat(6)]);
  });

  it('lists may contain only known values', () => {
    const blocks = commaList(oneValue(['a', 'b', 'c']), 2);
    assert.deepEqual(read(blocks, 'a'), ['a']);
    assert.deepEqual(read(blocks, 'b, a,b'), ['b', 'a']);
    faulty(blocks, ['', 'a,', ',', 'x', 'a,x', 'a,b,c', 'A']);
    assert.deepEqual(read(commaList(idParam), '5,7,5'), [5, 7]);
    faulty(commaList(idParam), ['5,x', '5;7', '0']);
  });
});

describe('query strings', () => {
  it('a query string is read as browsers write it', () => {
    const entries = { ...readQueryString('a=1&b=%D0%B0+b%2B&c&d=&&e=x=y&a=2&a=3') };
    assert.deepEqual(entries, { a: ['1', '2', '3'], b: 'а b+', c: '', d: '', e: 'x=y' });
  });

  it('a query string written by URLSearchParams is read unchanged', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ minLength: 1, unit: 'binary' }), fc.string({ unit: 'binary' })),
        (values) => {
          const wellFormed = Object.fromEntries(
            Object.entries(values).map(([k, v]) => [k.toWellFormed(), v.toWellFormed()]),
          );
          assert.deepEqual({ ...readQueryString(new URLSearchParams(wellFormed).toString()) }, { ...wellFormed });
        },
      ),
    );
  });

  it('a query string cannot change or read the object prototype', () => {
    const query = readQueryString('__proto__=x&hasOwnProperty=y');
    assert.equal(Object.getPrototypeOf(query), null);
    assert.equal(({} as { x?: unknown }).x, undefined);
  });
});

describe('the query reader', () => {
  const reader = queryReader(z.object({ a: integer(1, 5), b: bool.default(false) }), { hasKey: true });

  it('computes the defaults once', () => {
    const other = queryReader(z.object({ limit: limit(10, 20) }));
    assert.equal(other.read(null, false), other.read(null, false));
    assert.deepEqual(other.read(null, true), { limit: 10 });
  });

  it('reports a missing required parameter even if the request has no query', () => {
    assert.throws(() => reader.read(null, false), { code: 'invalid_parameter', message: 'a: is required' });
  });

  it('reports a repeated parameter once', () => {
    assert.throws(() => reader.read(readQueryString('a=1&a=x'), false), { message: 'a: must be given only once' });
  });

  it('recognizes the members of a schema that has a refinement', () => {
    const refined = queryReader(
      z
        .object({ from: integer(0, 9), to: integer(0, 9) })
        .refine(({ from, to }) => from <= to, { path: ['to'], error: 'must not be before from' }),
    );
    assert.deepEqual(refined.read(readQueryString('from=1&to=2'), true), { from: 1, to: 2 });
    assert.throws(() => refined.read(readQueryString('from=3&to=2'), true), { message: 'to: must not be before from' });
  });
});
