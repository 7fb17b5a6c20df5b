import assert from 'node:assert/strict';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type ResolveOptions, resolveFile } from '../../src/resolve/command.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';

/** Returns the bytes of a Cyrillic text in Windows-1251. */
const cp1251 = (text: string) =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0)!;
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code;
    }),
  );

describe('touchline resolve', () => {
  let fed: Fed;
  let folder: string;
  let team: number;
  before(async () => {
    fed = await startFed([]);
    await fed.participants(
      { type: 'team', sport: 'football', name: 'Spartak', country: 'RU', name_ru: 'Спартак', id: '7' },
      { type: 'player', sport: 'football', name: 'Jan Novak', birth_date: '1990-05-17' },
    );
    team = await fed.participantId('Spartak');
    folder = mkdtempSync(join(tmpdir(), 'touchline-resolve-'));
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await fed.close();
  });
  let count = 0;
  const write = (content: string | Buffer) => {
    count += 1;
    const path = join(folder, `table-${count}.csv`);
    writeFileSync(path, content);
    return path;
  };
  const run = async (content: string | Buffer, options: ResolveOptions = {}) => {
    const path = write(content);
    const summary = await resolveFile({ pool: fed.db.pool, clock: { now: () => fed.now } }, path, options);
    assert.deepEqual(readFileSync(path), Buffer.from(content), 'the input is unchanged');
    return { ...summary, text: readFileSync(summary.output, 'utf8') };
  };
  const refuse = async (content: string | Buffer, message: RegExp, options: ResolveOptions = {}) => {
    const path = write(content);
    await assert.rejects(resolveFile({ pool: fed.db.pool, clock: { now: () => fed.now } }, path, options), message);
    assert.equal(existsSync(path.replace('.csv', '.resolved.csv')), false);
  };

  it('adds columns to a table with commas, and keeps its cells, also with quoted newlines', async () => {
    const { text, output, ...counts } = await run(
      'type,name,country,note\nteam,Spartak,RU,"two\nlines, quoted"\nteam,Nobody,RU,\n',
    );
    assert.match(output, /table-\d+\.resolved\.csv$/u);
    assert.deepEqual(counts, { rows: 2, resolved: 1, refused: 0 });
    assert.equal(
      text,
      `type,name,country,note,touchline_id,touchline_name,touchline_confidence,touchline_reason,touchline_candidates
team,Spartak,RU,"two
lines, quoted",${team},Spartak,certain,name_and_country,
team,Nobody,RU,,,,,unknown_name,
`,
    );
  });

  it('reads Windows-1251 with semicolons, Russian headers and countries, and writes UTF-8', async () => {
    const { text } = await run(cp1251('Команда;Страна\r\nСпартак;Россия\r\n'), { type: 'team' });
    assert.equal(text.split('\n')[1], `Спартак;Россия;${team};Spartak;certain;name_and_country;`);
  });

  it('reads UTF-8 with a byte order mark and tabs, and days as people write them', async () => {
    const { text, resolved } = await run('\ufefftype\tname\tbirth date\nplayer\tJan Novák\t17.05.1990\n');
    assert.equal(resolved, 1, text);
    assert.match(text, /\tcertain\tbirth_date_and_name\t/u);
  });

  it('reads ids of one provider', async () => {
    const { text } = await run('external_id,name\n7,\n,Spartak\n', { type: 'team', provider: 'tests' });
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',')[5]),
      ['external_id', 'name'],
    );
  });

  it('says in the row why it cannot be read, and goes on', async () => {
    const { text, ...counts } = await run(
      `type,name,country,birth_date\nteam,,RU,\nclub,x,,\nteam,x,Atlantis,\nplayer,x,,2094-01-01\nteam,${'x'.repeat(10_240)},,\nteam,Spartak\n`,
    );
    assert.deepEqual([counts.rows, counts.resolved, counts.refused], [6, 1, 5]);
    for (const expected of [
      'a row needs an id or a name',
      'type:',
      'Atlantis',
      'in the future',
      'at most 200 characters',
    ])
      assert.ok(text.includes(expected), expected);
    assert.match(text, /team,Spartak,,,\d+,Spartak,possible,name,\n$/u);
  });

  it('resolves more rows than fit into one batch, in order', async () => {
    const rows = Array.from({ length: 2_500 }, (_, at) => `team,${at % 2 === 0 ? 'Spartak' : 'Nobody'},${at}`);
    const { text, ...counts } = await run(`type,name,row\n${rows.join('\n')}\n`);
    assert.deepEqual([counts.rows, counts.resolved], [2_500, 1_250]);
    assert.deepEqual(
      text
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => Number(line.split(',')[2])),
      rows.map((_, at) => at),
    );
  });

  it('refuses a file that is not a table, with one line that says why', async () => {
    await refuse('', /is empty/u);
    await refuse('just a text\nwithout columns\n', /no comma, semicolon or tab/u);
    await refuse(Buffer.from([0x89, 0x50, 0, 1, 2]), /contains NUL bytes/u);
    await refuse(`type,name\n${'team,x\n'.repeat(20_000)}team,a\0b\n`, /:20002: contains NUL/u);
    await refuse('a,b\n1,2\n', /has no column name or external_id; its columns are a, b/u);
    await refuse('name,x\n1,2\n', /has no column type: say with --type/u);
    await refuse('type,name,touchline_id\n', /has a column touchline_id already/u);
    await refuse('type,name\nteam,x,y,z\n', /line 2 has 4 cells, and the header has 2/u);
    await assert.rejects(
      resolveFile({ pool: fed.db.pool, clock: { now: () => fed.now } }, join(folder, 'none.csv'), {}),
      /no such file/u,
    );
  });

  it('never overwrites a file', async () => {
    const path = write('type,name\nteam,Spartak\n');
    const deps = { pool: fed.db.pool, clock: { now: () => fed.now } };
    await assert.rejects(resolveFile(deps, path, { output: path }), /exists already/u);
    await resolveFile(deps, path, {});
    await assert.rejects(resolveFile(deps, path, {}), /exists already/u);
  });

  it('refuses a row without an end before it fills the memory', async () => {
    const path = join(folder, 'endless.csv');
    const file = createWriteStream(path);
    file.write('type,name\nteam,"');
    for (let at = 0; at < 200; at += 1) file.write('x'.repeat(1_000_000));
    file.end();
    await finished(file);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const deps = { pool: fed.db.pool, clock: { now: () => fed.now } };
    await assert.rejects(resolveFile(deps, path, {}), /a row has more than 1,000,000 characters/u);
    assert.ok(process.memoryUsage().rss - before < 150_000_000, 'the file of 200 MB is not in memory');
  }).timeout(60_000);
});
