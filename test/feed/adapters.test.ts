/** Tests the adapters in docs/feed.md against the running service. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR } from '../../src/accounts/audit.ts';
import { createFeedToken } from '../../src/feed/feed-tokens.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { type FeedApp, SECRET_KEYS, startFeedApp } from '../support/feed-app.ts';
import { TSX } from '../support/tsx.ts';
import { until } from '../support/until.ts';

const TEXT = readFileSync(new URL('../../docs/feed.md', import.meta.url), 'utf8');
/** Maximum number of lines for an adapter. */
const MAX_LINES = 40;
const hasPython = spawnSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 8)']).status === 0;

const ADAPTERS = [
  { language: 'ts', file: 'adapter.mts', signs: false, command: [process.execPath, ...TSX] },
  { language: 'python', file: 'adapter.py', signs: true, command: ['python3'] },
];

describe('the adapters in docs/feed.md', function () {
  this.timeout(60_000);
  let bench: FeedBench;
  let service: FeedApp;
  let source: Server;
  let folder: string;
  let games: object[] = [];
  let child: ChildProcess | null = null;
  before(async () => {
    bench = await openFeedBench();
    bench.now = Date.now();
    service = await startFeedApp(bench);
    source = createServer((_, response) => response.end(JSON.stringify(games)));
    await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
    folder = mkdtempSync(join(tmpdir(), 'adapter-'));
  });
  afterEach(async () => {
    if (child === null) return;
    const ended = new Promise((done) => child!.once('exit', done));
    child.kill();
    await ended;
    child = null;
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    source.close();
    await service.close();
    await bench.db.drop();
  });

  for (const { language, file, signs, command } of ADAPTERS) {
    it(`written in ${language} send what the source has, with a token of their own, and report what is rejected`, async function () {
      if (language === 'python' && !hasPython) {
        console.warn('      skipped: python3 is not installed, its adapter is not run');
        this.skip();
      }
      const code = new RegExp(`^\`\`\`${language} adapter\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(TEXT)![1]!;
      assert.ok(code.trim().split('\n').length <= MAX_LINES, 'it is longer than a screen');
      writeFileSync(join(folder, file), code);
      const deps = { pool: bench.db.pool, clock: bench.deps.clock, secretKeys: SECRET_KEYS };
      const { id, token } = await createFeedToken(deps, { provider: 'acme', sports: ['football'], signs }, OPERATOR);
      const game = { league: 'Made-up League', season: '2025/26', start: '2026-03-01T15:00:00Z' };
      games = [
        { ...game, id: `${language}-1`, home: `${language} Reds`, away: 'Blues', state: 'in', goals: [2, 1] },
        { ...game, id: `${language}-2`, home: 'Same', away: 'Same', state: 'pre', goals: null },
      ];
      const [program, ...args] = command;
      child = spawn(program!, [...args, join(folder, file)], {
        env: {
          ...process.env,
          BASE: service.app.url,
          FEED_TOKEN: token,
          SOURCE: `http://127.0.0.1:${(source.address() as AddressInfo).port}`,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let errors = '';
      child.stderr!.setEncoding('utf8').on('data', (text: string) => {
        errors += text;
      });
      const stored = async () => {
        const { rows } = await bench.db.pool.query(
          `SELECT m.status, m.home_score, m.away_score FROM external_ref r JOIN match m ON m.id = r.entity_id
           WHERE r.entity = 'match' AND r.provider = 'acme' AND r.external_id = $1`,
          [`${language}-1`],
        );
        return rows[0];
      };
      await until(
        'the match is stored',
        async () => (await stored()) !== undefined || child!.exitCode !== null,
        30_000,
      );
      assert.deepEqual(await stored(), { status: 'live', home_score: 2, away_score: 1 }, errors);
      await until('the rejection is reported', () => errors.includes('same_sides'), 10_000);
      const { rows } = await bench.db.pool.query('SELECT last_used_at FROM feed_token WHERE id = $1', [id]);
      assert.ok(rows[0].last_used_at !== null);
      await bench.db.pool.query('UPDATE feed_token SET revoked_at = now()');
    });
  }
});
