import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { feedFile } from '../../src/feed/feed-file.ts';
import { type Line, linesOf, readAhead, SourceAborted } from '../../src/feed/ndjson-lines.ts';
import { feedReceiver, parseArrival, readDocument, receiveDocument, receiveLines } from '../../src/feed/receive.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench } from '../support/feed.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

async function* chunked(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesIn(text: string | Buffer, size: number, max = 100) {
  const lines: [string, boolean][] = [];
  for await (const together of linesOf(chunked(Buffer.from(text), size), max))
    for (const { bytes, isTruncated } of together) lines.push([bytes.toString(), isTruncated]);
  return lines;
}

describe('byte lines', () => {
  it('are the same for all chunk sizes', async () => {
    const text = 'one\n\ntwo \u2028 and \u2029 still two\r\nпять\nlast';
    const expected = ['one', '', 'two \u2028 and \u2029 still two\r', 'пять', 'last'].map((line) => [line, false]);
    for (let size = 1; size <= Buffer.byteLength(text) + 1; size++)
      assert.deepEqual(await linesIn(text, size), expected);
    assert.deepEqual(await linesIn('', 5), []);
    assert.deepEqual(await linesIn('\n', 5), [['', false]]);
  });

  it('are truncated at the limit, by bytes, and the following lines are complete', async () => {
    for (const size of [1, 3, 50]) {
      const lines = await linesIn(`short\n${'ю'.repeat(10)}\n12345678\nend`, size, 8);
      assert.deepEqual(lines, [
        ['short', false],
        ['ю'.repeat(4), true],
        ['12345678', false],
        ['end', false],
      ]);
    }
  });

  it('end with an error if the source is aborted, and the incomplete line is left out', async () => {
    async function* broken() {
      yield Buffer.from('one\ntw');
      throw new Error('gone');
    }
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const lines of linesOf(broken(), 100)) seen.push(...lines.map(({ bytes }) => bytes.toString()));
    }, SourceAborted);
    assert.deepEqual(seen, ['one']);
  });
});

describe('lines that are read ahead', () => {
  const line = (text: string): Line => ({ bytes: Buffer.from(text), isTruncated: false });
  const textOf = (lines: Line[]) => lines.map(({ bytes }) => bytes.toString()).join();

  it('are delivered together, in order, if they arrive in the meantime, and reading ahead stops at the limit', async () => {
    let read = 0;
    async function* source() {
      for (let number = 10; number < 40; number++) {
        read += 1;
        yield [line(`${number}`)];
      }
    }
    const seen: string[] = [];
    for await (const lines of readAhead(source(), 10)) {
      seen.push(textOf(lines));
      const before = read;
      for (let turns = 0; turns < 50; turns++) await turn();
      assert.ok(read - before <= 6, `${read - before} read ahead`);
    }
    assert.equal(seen.join(), Array.from({ length: 30 }, (_, index) => index + 10).join());
    assert.ok(seen.length < 15, `${seen.length} times`);
  });

  it('come before the source’s error', async () => {
    async function* broken() {
      yield [line('a')];
      yield [line('b')];
      throw new SourceAborted(new Error('gone'));
    }
    const seen: string[] = [];
    await assert.rejects(async () => {
      for await (const lines of readAhead(broken(), 100)) {
        seen.push(textOf(lines));
        for (let turns = 0; turns < 10; turns++) await turn();
      }
    }, SourceAborted);
    assert.equal(seen.join(), 'a,b');
  });

  it('can be abandoned while the source is silent', async () => {
    async function* silent() {
      yield [line('a')];
      await new Promise(() => {});
    }
    for await (const lines of readAhead(silent(), 100)) {
      assert.equal(textOf(lines), 'a');
      break;
    }
  });

  it('do not exist for an empty source', async () => {
    async function* empty() {}
    for await (const lines of readAhead(empty(), 100)) assert.fail(textOf(lines));
  });
});

/** Returns every member of every object and array in the value. */
function placesIn(value: unknown, found: [holder: object, key: string][] = []): [holder: object, key: string][] {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    found.push([value, key]);
    placesIn(member, found);
  }
  return found;
}

const RUNS = LONG_FORMS ? 200 : 80;
const MIB = 1_048_576;

describe('received updates', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    bench.nextMatch();
    await bench.db.pool.query('DELETE FROM feed_rejection');
  });

  const text = (fields: MatchFields = {}) => JSON.stringify(bench.update(fields));
  /** Returns an update as JSON, with one more member in its match. */
  const withMember = (member: string) => text().replace('"match":{', `"match":{${member},`);
  const receive = async (one: string) => {
    const receiver = feedReceiver(bench.deps);
    await receiver.receive([parseArrival(one)]);
    return receiver.tally;
  };
  const rejections = async () =>
    (await bench.db.pool.query('SELECT provider, update_text, errors FROM feed_rejection ORDER BY id')).rows;
  const size = (bytes: number) => text({ referee: 'R' }).replace('"referee":"R"', `"referee":"R"${' '.repeat(bytes)}`);

  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const many = (count: number, item: string) => `[${Array.from({ length: count }, () => item).join()}]`;
  const hostile: [name: string, update: () => string, faults: [path: string, code: string][]][] = [
    ['NUL in a name', () => withMember('"referee":"a\\u0000b"'), [['match.referee', 'nul']]],
    ['NUL in a payload', () => withMember('"incidents":[{"kind":"var","payload":{"a":["\\u0000"]}}]'), [['match.incidents.0.payload.a.0', 'nul']]],
    ['NUL in a key', () => withMember('"incidents":[{"kind":"var","payload":{"a\\u0000":1}}]'), [['match.incidents.0.payload.a\uFFFD', 'nul']]],
    ['a lone surrogate', () => withMember('"referee":"\\ud800"'), [['match.referee', 'malformed_unicode']]],
    ['a lone surrogate in a key', () => withMember('"incidents":[{"kind":"var","payload":{"\\udc00":1}}]'), [['match.incidents.0.payload.\uFFFD', 'malformed_unicode']]],
    ['a score of -1', () => text({ score: { home: -1, away: 0 } }), [['match.score.home', 'too_small']]],
    ['a score of half a goal', () => withMember('"score":{"home":0.5,"away":0}'), [['match.score.home', 'invalid_type']]],
    ['half a score', () => withMember('"score":{"home":1}'), [['match.score.away', 'required']]],
    ['2^53', () => withMember('"attendance":9007199254740992'), [['match.attendance', 'unsafe_integer']]],
    ['2^53 in a payload', () => withMember('"incidents":[{"kind":"var","payload":{"n":-9007199254740993}}]'), [['match.incidents.0.payload.n', 'unsafe_integer']]],
    ['a number without end', () => withMember('"incidents":[{"kind":"var","payload":{"n":1e999}}]'), [['match.incidents.0.payload.n', 'too_big']]],
    ['deep nesting', () => withMember(`"incidents":[{"kind":"var","payload":{"d":${deep(60)}}}]`), [[`match.incidents.0.payload.d${'.0'.repeat(36)}`, 'too_deep']]],
    ['endless nesting', () => withMember(`"lineups":${deep(200_000)}`), [[`match.lineups${'.0'.repeat(39)}`, 'too_deep']]],
    ['unknown fields', () => withMember('"colour":1,"shape":2'), [['match.colour', 'unknown_field'], ['match.shape', 'unknown_field']]],
    ['an unknown field deep down', () => withMember('"incidents":[{"kind":"var"},{"kind":"var","minuet":3}]'), [['match.incidents.1.minuet', 'unknown_field']]],
    ['__proto__', () => withMember('"incidents":[{"kind":"var","payload":{"__proto__":{"a":1}}}]'), [['match.incidents.0.payload.__proto__', 'reserved_name']]],
    ['a huge array', () => withMember(`"statistics":${many(2_001, '{"period":"ALL","group_name":null,"stat_name":"s","home_value":1,"away_value":1,"home_text":null,"away_text":null}')}`), [['match.statistics', 'too_big']]],
    ['a payload of 17 KB', () => withMember(`"incidents":[{"kind":"var","payload":{"t":"${'x'.repeat(17_000)}"}}]`), [['match.incidents.0.payload', 'custom']]],
    ['an unknown country code', () => withMember('"venue":{"name":"V","country":"england"}'), [['match.venue.country', 'invalid_format']]],
    ['an odd kind', () => withMember('"incidents":[{"kind":"Own Goal"}]'), [['match.incidents.0.kind', 'invalid_format']]],
    ['the provider of corrections by hand', () => text().replace('"provider":"live"', '"provider":"operator"'), [['provider', 'reserved_provider']]],
    ['an unknown kind of update', () => '{"schema":1,"provider":"live","kind":"wish"}', [['kind', 'invalid_union']]],
    ['another version of the schema', () => text().replace('"schema":1', '"schema":2'), [['schema', 'invalid_value']]],
    ['no provider', () => text().replace('"provider":"live",', ''), [['provider', 'required']]],
    ['a provider in capitals', () => text().replace('"live"', '"Live"'), [['provider', 'invalid_format']]],
    ['a day that does not exist', () => text({ scheduled_start: '2024-02-30T10:00:00Z' }), [['match.scheduled_start', 'invalid_format']]],
    ['a time without a zone', () => text({ scheduled_start: '2024-02-03T10:00:00' }), [['match.scheduled_start', 'invalid_format']]],
    ['a year beyond the calendar', () => text({ scheduled_start: '9999-12-31T23:59:59-10:00' }), [['match.scheduled_start', 'custom']]],
    ['the year 0', () => text({ season: { label: '2024', start_date: '0000-01-01' } }), [['match.season.start_date', 'custom']]],
    ['blank text', () => text({ referee: ' \t' }), [['match.referee', 'custom']]],
    ['a text of 201 characters', () => text({ referee: 'x'.repeat(201) }), [['match.referee', 'too_big']]],
    ['a price as text', () => withMember('"odds":[{"market_name":"m","choice_name":"1","decimal_value":"0.9"}]'), [['match.odds.0.decimal_value', 'invalid_type']]],
    ['a price beyond all odds', () => withMember('"odds":[{"market_name":"m","choice_name":"1","decimal_value":10001}]'), [['match.odds.0.decimal_value', 'too_big']]],
    ['prices that are no list', () => withMember('"odds":{"decimal_value":1}'), [['match.odds', 'invalid_type']]],
    ['no update at all', () => '7', [['', 'invalid_type']]],
    ['null', () => 'null', [['', 'invalid_type']]],
    ['no JSON', () => '{"schema":1,', [['', 'invalid_json']]],
  ]; // biome-ignore format: a table
  for (const [name, update, faults] of hostile) {
    it(`are rejected with each error’s path, and stored: an update with ${name}`, async () => {
      const given = update();
      const { rejected, rejectedCount, accepted } = await receive(given);
      assert.deepEqual([accepted, rejectedCount], [0, 1]);
      assert.deepEqual(
        rejected[0]!.errors.map(({ path, code }) => [path, code]),
        faults,
      );
      for (const { detail } of rejected[0]!.errors) assert.ok(detail.length > 0);
      const stored = await rejections();
      assert.equal(stored.length, 1);
      assert.equal(stored[0].update_text, given);
      assert.deepEqual(
        stored[0].errors.map((fault: { path: string }) => fault.path),
        faults.map(([path]) => path),
      );
      assert.deepEqual((await bench.db.pool.query("SELECT 1 FROM external_ref WHERE entity = 'match'")).rows, []);
    });
  }

  it('keep valid prices, and lose prices of 1 and less, which are reported', async () => {
    const price = (choice: string, prices: string) =>
      `{"market_name":"FT","choice_name":"${choice}","decimal_value":${prices}}`;
    const odds = [price('1', '1'), price('X', '3.4'), price('2', '-7'), price('3', '2.5,"opening_decimal":0.5')];
    const tally = await receive(withMember(`"minute":31,"odds":[${odds}]`));
    assert.deepEqual([tally.accepted, tally.rejectedCount], [1, 0]);
    assert.deepEqual(
      tally.leftOut.map(({ index, path, code }) => [index, path, code]),
      [
        [0, 'match.odds.0.decimal_value', 'too_small'],
        [0, 'match.odds.2.decimal_value', 'too_small'],
        [0, 'match.odds.3.opening_decimal', 'too_small'],
      ],
    );
    const { rows } = await bench.db.pool.query("SELECT json::json AS odds FROM match_block WHERE block = 'odds'");
    assert.deepEqual(
      rows[0].odds.map((entry: { choice_name: string; decimal_value: number; opening_decimal: number | null }) => [
        entry.choice_name,
        entry.decimal_value,
        entry.opening_decimal,
      ]),
      [
        ['X', 3.4, null],
        ['3', 2.5, null],
      ],
    );
    const dead = await receive(withMember(`"odds":${many(1_500, price('1', '1'))}`));
    assert.deepEqual([dead.rejectedCount, dead.leftOut.length], [0, 1_000]);
  });

  it('get the first hundred errors quickly if they have thousands', async () => {
    const begun = performance.now();
    const { rejected } = await receive(withMember(`"incidents":${many(2_000, '{}')}`));
    assert.deepEqual([rejected[0]!.errors.length, rejected[0]!.errors[99]!.path], [100, 'match.incidents.99.kind']);
    const points = await receive(withMember(`"momentum":{"graphPoints":${many(500_000, '1')}}`));
    assert.deepEqual(
      points.rejected[0]!.errors.map(({ path, code }) => [path, code]),
      [['match.momentum.graphPoints', 'too_big']],
    );
    const countries = Array.from({ length: 100 }, (_, index) => `"c${index}":${many(4_900, '0')}`);
    const channels = await receive(withMember(`"tv_channels":{${countries.join()}}`));
    assert.equal(channels.rejected[0]!.errors[0]!.code, 'too_big');
    assert.ok(performance.now() - begun < 2_500, `${performance.now() - begun} ms`);
  });

  it('are stored with 0 for -0, so that a repeated update is not a change', async () => {
    const update = withMember(
      '"status":"live","minute":-0,"incidents":[{"kind":"var","minute":-0,"payload":{"n":-0}}]',
    );
    assert.equal((await receive(update)).accepted, 1);
    assert.equal((await receive(update)).unchanged, 1);
    await bench.db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
  });

  it('have at most 1 MiB', async () => {
    const base = Buffer.byteLength(size(0));
    const atLimit = await receive(size(MIB - base));
    assert.deepEqual([atLimit.accepted, atLimit.rejectedCount], [1, 0]);
    const over = await receive(size(MIB - base + 1));
    assert.equal(over.rejected[0]!.errors[0]!.code, 'too_large');
    const [stored] = await rejections();
    assert.equal(stored.update_text.length, 10_000);
    await bench.db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
  });

  it('are not affected by invalid lines, among long lines and in any chunks', async () => {
    const good = () => {
      bench.nextMatch();
      return text();
    };
    const first = good();
    const cyrillic = `{"schema":1,"x":"${'ю'.repeat(600_000)}"}`;
    const lines = [
      first,
      'not json',
      '',
      `   ${good()}\r`,
      'x'.repeat(5 * 1024 * 1024),
      cyrillic,
      JSON.stringify({ ...JSON.parse(good()), match: { ...JSON.parse(good()).match, referee: 'two\u2028lines' } }),
      first,
      Buffer.from([0x7b, 0xff, 0x7d]),
      good(),
    ];
    const bytes = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
    const tally = await receiveLines(bench.deps, chunked(bytes.subarray(0, -1), 65_536));
    assert.deepEqual([tally.accepted, tally.unchanged, tally.rejectedCount], [4, 1, 4]);
    assert.deepEqual(
      tally.rejected.map(({ index, errors }) => [index, errors[0]!.code]),
      [
        [1, 'invalid_json'],
        [3, 'too_large'],
        [4, 'too_large'],
        [7, 'invalid_utf8'],
      ],
    );
    assert.equal((await rejections()).length, 4);
  });

  it('are applied from an aborted source if their line is complete', async () => {
    const whole = text({ referee: 'Whole' });
    bench.nextMatch();
    const half = text({ referee: 'Half' });
    async function* cut() {
      // The second update is complete JSON, but its line may go on.
      yield Buffer.from(`${whole}\n${half}`);
      throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
    }
    await assert.rejects(receiveLines(bench.deps, cut()), SourceAborted);
    const { rows } = await bench.db.pool.query("SELECT referee FROM match WHERE referee IN ('Whole', 'Half')");
    assert.deepEqual(rows, [{ referee: 'Whole' }]);
  });

  it('in an array are independent, even with very deep nesting', async () => {
    const good = [1, 2].map(() => {
      bench.nextMatch();
      return text();
    });
    const document = `[${good[0]},${deep(100_000)},{"schema":1},${good[1]}]`;
    const tally = await receiveDocument(bench.deps, await readDocument(document));
    assert.deepEqual([tally.accepted, tally.rejected.map(({ index }) => index)], [2, [1, 2]]);
    assert.equal((await rejections()).length, 2);
  });

  it('get a reply that lists up to a thousand rejections and counts the rest', async () => {
    const tally = await receiveLines(bench.deps, chunked(Buffer.from('{}\n'.repeat(1_003)), 1_000));
    assert.deepEqual([tally.rejected.length, tally.rejectedCount, (await rejections()).length], [1_000, 1_003, 1_003]);
  });

  it('are applied or rejected with a path after random mutations, and leave valid cards', async function () {
    this.timeout(60_000);
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        '',
        0,
        -1,
        -0,
        1e308,
        2 ** 53,
        0.1,
        true,
        [],
        {},
        'x'.repeat(300),
        '\u0000',
        '\ud800',
        '2024-02-30',
      ),
      fc.constantFrom<unknown>(
        'GB',
        'XX',
        'home',
        'finished',
        'cancelled',
        'player',
        'tennis',
        '2024-05-01T10:00:00Z',
        [null],
        [[]],
        { id: '1' },
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const mutations = fc.array(
      fc.tuple(fc.nat(10_000), odd, fc.constantFrom('set', 'drop', 'add', 'copy', 'copy', 'copy')),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(mutations, fc.boolean(), async (changes, fresh) => {
        if (fresh) bench.nextMatch();
        const update = JSON.parse(text({ ...FOOTBALL_GIVEN, status: 'live', score: { home: 1, away: 0 } }));
        for (const [pick, value, how] of changes) {
          const places = placesIn(update);
          const [holder, key] = places[pick % places.length]!;
          if (how === 'set') (holder as Record<string, unknown>)[key] = value;
          else if (how === 'copy') {
            const [from, name] = places[(pick * 31 + 7) % places.length]!;
            (holder as Record<string, unknown>)[key] = structuredClone((from as Record<string, unknown>)[name]);
          } else if (how === 'drop') delete (holder as Record<string, unknown>)[key];
          else (holder as Record<string, unknown>)[`odd${pick % 3}`] = value;
        }
        const tally = await receive(JSON.stringify(update));
        assert.equal(tally.accepted + tally.unchanged + tally.rejectedCount, 1);
        for (const { path, code, detail } of tally.rejected[0]?.errors ?? []) {
          assert.notEqual(code, 'refused_by_store', `${detail}: ${JSON.stringify(update)}`);
          assert.ok(path !== '' || code === 'invalid_type', `${code} has no path`);
        }
        const { rows } = await bench.db.pool.query<{ id: number }>('SELECT max(id) AS id FROM match');
        if (rows[0]!.id !== null) await bench.card(rows[0]!.id);
      }),
      { numRuns: RUNS },
    );
  });

  describe('updates from a file', () => {
    let folder: string;
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'touchline-feed-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    async function run(content: string | Buffer): Promise<string[]> {
      const file = join(folder, 'updates');
      writeFileSync(file, content);
      const said: string[] = [];
      await feedFile(bench.deps, file, (line) => said.push(line)).catch((error: Error) =>
        said.push(`! ${error.message}`),
      );
      return said;
    }

    it('may be NDJSON, one update or an array, formatted or not, with or without a byte order mark', async () => {
      const one = JSON.parse(text());
      const shapes = [
        `${JSON.stringify(one)}\n${JSON.stringify(one)}\n`,
        JSON.stringify(one),
        JSON.stringify(one, null, 2),
        JSON.stringify([one]),
        `\uFEFF${JSON.stringify([one, one], null, '\t')}\n`,
        `\uFEFF${JSON.stringify(one)}`,
      ];
      const counts = [
        '1 accepted, 1 unchanged',
        '0 accepted, 1',
        '0 accepted, 1',
        '0 accepted, 1',
        '0 accepted, 2',
        '0 accepted, 1',
      ];
      for (const [index, shape] of shapes.entries()) {
        const [said, ...more] = await run(shape);
        assert.ok(said!.startsWith(counts[index]!), `${index}: ${said}`);
        assert.deepEqual(more, []);
      }
      assert.deepEqual(await run(''), ['0 accepted, 0 unchanged, 0 rejected']);
    });

    it('are applied by a command that prints the rejections, and that fails with one line if the file cannot be read', async () => {
      const said = await run(`${text({ sport: 'quidditch' })}\n${text()}\n`);
      assert.match(said[0]!, /^rejected 0: match\.sport: known sports: football, /);
      assert.deepEqual(said.slice(1), ['1 accepted, 0 unchanged, 1 rejected', '! 1 updates were rejected']);
      assert.deepEqual(await run('[{"schema":1},'), ['! the file is not JSON: the array does not end']);
      assert.deepEqual(await run(Buffer.from([0x5b, 0xff])), ['! the file is not UTF-8']);
      const missing = join(folder, 'missing');
      await assert.rejects(
        feedFile(bench.deps, missing, () => {}),
        new Error(`cannot read ${missing}`),
      );
      await assert.rejects(
        feedFile(bench.deps, folder, () => {}),
        /^Error: cannot read .*: EISDIR/,
      );
    });
  });
});
