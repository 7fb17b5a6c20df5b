import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { run, type Started, start, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';

const matchAgainst = (away: string) =>
  `Div,Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR\nE0,16/08/2024,Arsenal,${away},2,0,H\n`;
const STREAMS = [['stdout'], ['stderr'], ['stdout', 'stderr']] as const;

describe('a process whose output nobody reads', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const file = join(folder.path, 'E0.csv');
  const env: Record<string, string> = { SECRET_KEY: 'a-secret-key-of-the-tests', LOG_LEVEL: 'debug' };
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
    env.DATABASE_URL = db.url;
  });
  after(async () => {
    folder.remove();
    await db.drop();
  });

  function leave({ child }: Started, streams: readonly ('stdout' | 'stderr')[]): void {
    for (const stream of streams) child[stream]!.destroy();
  }
  async function codeWithout(args: readonly string[], streams: readonly ('stdout' | 'stderr')[]) {
    const started = start(args, { env });
    leave(started, streams);
    const [code] = await once(started.child, 'exit');
    return code;
  }

  it('completes an import with exit code 0', async () => {
    for (const [index, streams] of STREAMS.entries()) {
      writeFileSync(file, matchAgainst(['Wolves', 'Fulham', 'Everton'][index]!));
      assert.equal(await codeWithout(['import', 'football-data', file], streams), 0, streams.join());
      const { rows } = await db.pool.query('SELECT count(*)::int AS count FROM match');
      assert.deepEqual(rows, [{ count: index + 1 }]);
    }
  });

  it('ends with the same exit code as with a reader', async () => {
    for (const streams of STREAMS) {
      assert.equal(await codeWithout(['import', 'nonsense', file], streams), 2, streams.join());
      assert.equal(await codeWithout(['import', 'football-data', join(folder.path, 'none.csv')], streams), 1);
    }
    // The command writes the number of rows to standard error.
    const output = join(folder.path, 'matches.csv');
    assert.equal(await codeWithout(['export', 'matches', '--output', output], ['stderr']), 0);
  });

  it('continues to serve, and stops in an orderly way', async () => {
    const service = start(['serve', '--role', 'api'], { env });
    const [, url] = await service.until(/is ready after [\d.]+ s: (\S+)/);
    leave(service, ['stdout', 'stderr']);
    for (let request = 0; request < 20; request += 1) assert.equal((await fetch(`${url}/v1/sports`)).status, 401);
    service.child.kill('SIGTERM');
    await until('the service has ended', () => service.child.exitCode !== null, 30_000);
    assert.equal(service.child.exitCode, 0);
  });
});

describe('commands that share embedded stores', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  it('start and stop Postgres at the same time without a failure', async () => {
    const env = { DATA_DIR: join(folder.path, 'data'), SECRET_KEY: 'a-secret-key-of-the-tests' };
    assert.equal((await run(['key', 'list'], { env })).code, 0);
    for (let round = 0; round < 6; round += 1) {
      const ends = await Promise.all([0, 1, 2].map(() => run(['key', 'list'], { env })));
      for (const { code, err } of ends) assert.equal(code, 0, err);
      assert.ok(!existsSync(join(folder.path, 'data/postgres/postmaster.pid')), 'the last one has stopped it');
    }
  });
});
