/** Runs the README's example unchanged in a separate process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from '../support/service.ts';
import { TSX } from '../support/tsx.ts';
import { until } from '../support/until.ts';

const ROOT = new URL('../../', import.meta.url);
/** Only a browser has this object. */
const LOCAL_STORAGE = 'const localStorage: Record<string, unknown> = {};\n';

describe('the client in its README example', function () {
  this.timeout(60_000);
  let service: Service;
  const folder = mkdtempSync(join(tmpdir(), 'touchline-readme-'));
  before(async () => {
    service = await startService();
  });
  after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.close();
  });

  it('prints a goal', async () => {
    const [, lines = ''] = /```ts\n(import \{ openStream \}.*?)```/s.exec(
      readFileSync(new URL('README.md', ROOT), 'utf8'),
    )!;
    const replaced = lines
      .replace("'./src/client/stream.ts'", `'${new URL('src/client/stream.ts', ROOT)}'`)
      .replace('http://127.0.0.1:8080', service.app.url)
      .replace('sk_live_…', service.app.key);
    const file = join(folder, 'readme.mts');
    writeFileSync(file, LOCAL_STORAGE + replaced);
    const child = spawn(process.execPath, [...TSX, file], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    try {
      await until('it is live', () => out === 'connecting\nlive\n', 30_000);
      await service.publish({ type: 'match.card' }, { type: 'match.goal' });
      await until('the goal', () => out.endsWith('live\nmatch.goal Home 1 0 Away\n'), 30_000);
    } finally {
      child.kill();
    }
    assert.ok(lines.split('\n').length <= 13);
  });
});
