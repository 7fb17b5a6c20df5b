import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkFile } from '../../src/feed/feed-file.ts';

const NOW = Date.parse('2024-05-19T14:00:00Z');

describe('the command touchline feed check', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'feed-check-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const side = (name: string) => ({ name, country: 'GB-ENG' });
  const update = (match: object = {}, over: object = {}) => ({
    ...{ schema: 1, kind: 'match', provider: 'acme', observed_at: '2024-05-19T14:00:00Z' },
    ...over,
    match: {
      id: 'm1',
      sport: 'football',
      tournament: { name: 'League', country: 'GB-ENG' },
      season: { label: '2023/24' },
      home: side('Reds'),
      away: side('Blues'),
      ...match,
    },
  });

  /** @returns the printed lines, and the error message */
  async function check(text: string): Promise<string[]> {
    const file = join(folder, 'updates');
    writeFileSync(file, text);
    const lines: string[] = [];
    await checkFile(file, { now: () => NOW }, (line) => lines.push(line)).catch((error: Error) =>
      lines.push(`failed: ${error.message}`),
    );
    return lines;
  }

  it('counts valid updates in a document, an array or lines', async () => {
    const [one, two] = [update(), update({ id: 'm2' })];
    assert.deepEqual(await check(JSON.stringify(one, null, 2)), ['1 updates, 1 valid']);
    assert.deepEqual(await check(JSON.stringify([one, two], null, 2)), ['2 updates, 2 valid']);
    assert.deepEqual(await check(`${JSON.stringify(one)}\n\n${JSON.stringify(two)}\n`), ['2 updates, 2 valid']);
    assert.deepEqual(await check('[]'), ['0 updates, 0 valid']);
    assert.deepEqual(await check(''), ['0 updates, 0 valid']);
  });

  it('reports for each fault the line, the path and what is expected', async () => {
    const wrong = update({ score: { home: -1, away: 0 }, refere: 'R', status: 'over' });
    const text = `[\n${JSON.stringify(update())},\n${JSON.stringify(wrong, null, 2)}]`;
    const lineOf = (part: string) => text.slice(0, text.indexOf(part)).split('\n').length;
    const lines = await check(text);
    assert.equal(
      lines[0],
      `line ${lineOf('"over"')}: match.status: Invalid option: expected one of "scheduled"|"live"|"finished" (invalid_value)`,
    );
    assert.equal(lines[1], '  expected: one of scheduled, live, finished');
    assert.equal(
      lines[2],
      `line ${lineOf('"home": -1')}: match.score.home: Too small: expected number to be >=0 (too_small)`,
    );
    assert.equal(lines[3], '  expected: an integer from 0 to 32767');
    assert.equal(lines[4], `line ${lineOf('"refere"')}: match.refere: is not known here (unknown_field)`);
    assert.match(lines[5]!, /^ {2}expected: fields here are id \(required\), sport \(required\),.* referee,/);
    assert.deepEqual(lines.slice(6), ['2 updates, 1 valid', 'failed: 1 updates would be rejected']);
  });

  it('counts empty lines too, and continues after a line that is not JSON', async () => {
    const lines = await check(`${JSON.stringify(update())}\n\n{"schema":1,\n${JSON.stringify(update({ home: 1 }))}\n`);
    assert.match(lines[0]!, /^line 3: update: .*\(invalid_json\)$/);
    assert.match(lines[1]!, /^line 4: match\.home: .*\(invalid_type\)$/);
    assert.match(lines[2]!, /expected: an object with id, type, name \(required\), name_ru, country/);
    assert.equal(lines[3], '3 updates, 1 valid');
  });

  it('checks what the service can check without a database: sports, countries, times, scores and the reserved provider', async () => {
    const faults: [object, RegExp][] = [
      [update({ sport: 'fotball' }), /match\.sport: known sports: football/],
      [update({ home: { ...side('Reds'), country: 'XX' } }), /match\.home\.country: XX is not a known country code/],
      [update({}, { observed_at: '2024-05-19T14:06:00Z' }), /observed_at: must not be in the future \(in_future\)/],
      [
        update({
          status: 'finished',
          score: { home: 2, away: 0 },
          period_scores: [
            { period: '1H', home: 1, away: 0 },
            { period: '2H', home: 0, away: 0 },
          ],
        }),
        /score_mismatch/,
      ],
      [update({}, { provider: 'operator' }), /reserved_provider/],
      [{ schema: 1, kind: 'wish' }, /kind: [\s\S]*expected: "kind" is one of match, participant, tournament, venue/],
      [
        {
          ...update(),
          kind: 'participant',
          participant: { type: 'team', sport: 'chess', name: 'N' },
          match: undefined,
        },
        /participant\.sport: known sports/,
      ],
      [null as unknown as object, /update: /],
      [
        update({ incidents: [{ kind: 'goal', minuet: 3 }] }),
        /match\.incidents\.0\.minuet[\s\S]*fields here are id, minute, minute_plus/,
      ],
      [update({ fight: { method: 'KO', finish_round: 1 } }), /match\.fight: exists for mma only/],
    ];
    for (const [given, expected] of faults) assert.match((await check(JSON.stringify(given))).join('\n'), expected);
  });

  it('names prices that would be left out, but does not count these as faults', async () => {
    const lines = await check(
      JSON.stringify(update({ odds: [{ market_name: 'm', choice_name: '1', decimal_value: 1 }] })),
    );
    assert.deepEqual(lines, [
      'line 1: match.odds.0.decimal_value: must be more than 1: this price is left out',
      '1 updates, 1 valid',
    ]);
  });

  it('fails with one line if a file cannot be read or is not JSON', async () => {
    const [failure] = await check('[{"schema":1},');
    assert.match(failure!, /^failed: the file is not JSON: the array does not end$/);
    await assert.rejects(
      checkFile(join(folder, 'none'), { now: () => NOW }, () => {}),
      /^Error: cannot read .*none$/,
    );
    writeFileSync(join(folder, 'latin'), Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]));
    await assert.rejects(
      checkFile(join(folder, 'latin'), { now: () => NOW }, () => {}),
      /the file is not UTF-8/,
    );
  });
});
