/** Tests exports with the programs for which they are made. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { exportCommand } from '../../src/export/command.ts';
import { FORMAT_NAMES } from '../../src/export/formats.ts';
import { EXPORT_KINDS } from '../../src/export/rows.ts';
import { type Fed, startFed } from '../catalogue/feeding.ts';
import { AWKWARD, FORMULA, feedExported } from '../export/exported.ts';
import { temporaryFolder } from '../support/process.ts';
import { missingOf, pythonTools, run, SOURCES } from './toolbox.ts';

describe('exports', function () {
  this.timeout(600_000);
  const folder = temporaryFolder();
  let fed: Fed;
  before(async () => {
    fed = await startFed([]);
    await feedExported(fed);
  });
  after(async () => {
    folder.remove();
    await fed.close();
  });

  it('are read by pandas and DuckDB in every format', async function () {
    if (missingOf(['python3']).length > 0) {
      console.warn('      SKIPPED, because this machine has no python3: pandas and DuckDB read every format');
      this.skip();
    }
    for (const kind of EXPORT_KINDS)
      for (const format of FORMAT_NAMES)
        await exportCommand(fed.db.pool, kind, { format, output: join(folder.path, `${kind}.${format}`) });
    const env = await pythonTools();
    const { out } = await run('python3', [join(SOURCES, 'python/read_exports.py'), folder.path], { env });
    const found = JSON.parse(out) as Record<string, unknown>;
    const { rows } = await fed.db.pool.query<{ first: number }>('SELECT min(id) AS first FROM match');
    const first = rows[0]!.first;
    for (const format of FORMAT_NAMES) assert.deepEqual(found[format], [4, first, 4, first], format);
    assert.deepEqual(found.types, { scheduled_start: 'datetime64[ms, UTC]', time_tbd: 'bool' });
    assert.deepEqual(found.goal, [12, AWKWARD, 'regular']);
    assert.deepEqual([found.score, found.unknown], [2, 1]);
    assert.deepEqual(found.odds, [
      ['1', 1.85],
      ['-1.5', 3.2],
    ]);
    assert.deepEqual(found.joined, [[FORMULA, 'Ann Able']]);
  });
});
