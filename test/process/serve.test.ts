import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { matchDetail } from '../../src/wire/match.ts';
import { run, type Started, start, temporaryFolder } from '../support/process.ts';

const READY = /ready after ([\d.]+) s: (http:\S+)/;

/** Runs one of the three printed commands, as a user would after copying it. */
const copy = (command: string) => execFileSync('bash', ['-c', command], { encoding: 'utf8', timeout: 20_000 });

describe('touchline serve', function () {
  this.timeout(90_000);
  const folder = temporaryFolder();
  const env = { DATA_DIR: join(folder.path, 'data'), DEMO: '1' };
  after(() => folder.remove());

  let service: Started;
  let printed: string;
  /** Asserts that a ready process answers the first request. */
  async function assertLive(running: Started): Promise<void> {
    const key = /Demo key: (\S+)/.exec(printed)![1]!;
    const url = READY.exec(running.output())![2]!;
    const reply = await fetch(`${url}/v1/events/live`, { headers: { 'X-API-Key': key } });
    const { count } = (await reply.json()) as { count: number };
    assert.ok(count > 0, 'no match is live');
  }

  it('is ready on a first start, and prints progress, an address, a key and three commands', async () => {
    service = start(['serve'], { env });
    await service.until(READY);
    await service.until(/The stream:.*\n/);
    printed = service.output();
    assert.match(printed, /Starting Postgres/);
    assert.match(printed, /Loaded the sample catalogue/);
  });

  it('answers the three printed commands', () => {
    const command = (name: string) => new RegExp(`${name}: +(curl .*)`).exec(printed)![1]!;
    matchDetail.parse(JSON.parse(copy(command('A card'))));
    const live = JSON.parse(copy(command('The live list')));
    assert.equal(live.count, live.events.length);
    assert.ok(live.count > 0, 'a match is live from the first moment');
    const stream = copy(`timeout 2 ${command('The stream')} || true`);
    assert.match(stream, /^: connected cursor=\d+\nretry: 1000\nid: \d+\n\n/);
  });

  it('opens the embedded ClickHouse after REST', async () => {
    await service.until(/ClickHouse [\d.]+ is ready/);
    assert.ok(service.output().search(READY) < service.output().search(/ClickHouse/));
  });

  it('lets commands run at the same time', async () => {
    const made = await run(['key', 'create', '--account', 'beside@example.com', '--plan', 'pro'], { env });
    assert.deepEqual([made.code, made.err], [0, '']);
    const url = READY.exec(printed)![2]!;
    const reply = await fetch(`${url}/v1/sports`, { headers: { 'X-API-Key': made.out.trim() } });
    assert.equal(reply.status, 200);
  });

  it('reports a port in use in one line, and does not disturb the running process', async () => {
    const port = new URL(READY.exec(printed)![2]!).port;
    const second = await run(['serve'], { env: { ...env, PORT: port } });
    assert.equal(second.code, 1);
    assert.match(second.err, new RegExp(`^touchline: port ${port} on 127.0.0.1 is in use\n$`));
    const url = READY.exec(printed)![2]!;
    assert.equal((await fetch(`${url}/v1/openapi.json`)).status, 200);
  });

  it('stops all parts properly on Ctrl-C, even with an open stream', async () => {
    const url = READY.exec(printed)![2]!;
    const key = /Demo key: (\S+)/.exec(printed)![1]!;
    const stream = await fetch(`${url}/v1/stream`, { headers: { 'X-API-Key': key } });
    const text = stream.text();
    const ended = await service.interrupt();
    assert.deepEqual([ended.code, ended.err], [0, '']);
    assert.match(ended.out, /Stopping\nStopped\n$/);
    assert.match(await text, /: server-cycle; reconnect with Last-Event-Id\nid: \d+\n\n$/);
    assert.equal(readdirSync(join(env.DATA_DIR, 'postgres')).includes('postmaster.pid'), false);
  });

  it('finds its data and key again, even after a kill that left Postgres running', async () => {
    const again = start(['serve'], { env });
    await again.until(/The stream:.*\n/);
    const key = /Demo key: (\S+)/.exec(printed)![1]!;
    assert.match(again.output(), new RegExp(key));
    assert.doesNotMatch(again.output(), /Loaded the sample/);
    await assertLive(again);
    again.child.kill('SIGKILL');
    await again.finished;
    const third = start(['serve'], { env });
    await third.until(READY);
    await assertLive(third);
    assert.equal((await third.interrupt()).code, 0);
    assert.equal(readdirSync(join(env.DATA_DIR, 'postgres')).includes('postmaster.pid'), false);
  });

  it('names a port that is already in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const { code, err } = await run(['serve'], { env: { ...env, DEMO: '0', PORT: `${port}` } });
    other.close();
    assert.equal(code, 1);
    assert.match(err, /^touchline: port \d+ on 127.0.0.1 is in use\n$/);
  });

  it('stops properly on a signal during the start', async () => {
    const starting = start(['serve'], { env });
    await starting.until(/Starting Postgres/);
    const { code, out } = await starting.interrupt();
    assert.equal(code, 0);
    assert.match(out, /Stopped\n$/);
    assert.equal(readdirSync(join(env.DATA_DIR, 'postgres')).includes('postmaster.pid'), false);
  });

  it('shows imported history at the time set by --now, and the pages say that the clock was set', async () => {
    const own = temporaryFolder();
    const data = { DATA_DIR: join(own.path, 'data'), PUBLIC_SITE: '1' };
    const update = (id: string, scheduled_start: string, over: object) =>
      JSON.stringify({
        schema: 1,
        kind: 'match',
        provider: 'history',
        observed_at: '2024-05-20T12:00:00Z',
        match: {
          id,
          sport: 'football',
          tournament: { name: 'Old League', country: 'FR' },
          season: { label: '2023/24' },
          home: { name: 'Lens', country: 'FR' },
          away: { name: 'Brest', country: 'FR' },
          scheduled_start,
          ...over,
        },
      });
    const history = [
      update('1', '2024-05-10T19:00:00Z', { status: 'finished', status_detail: 'ended', score: { home: 2, away: 1 } }),
      update('2', '2024-05-20T19:00:00Z', {}),
    ];
    assert.equal((await run(['feed', '-'], { env: data, input: history.join('\n') })).code, 0);
    const service = start(['serve', '--now', '2024-05-19T14:00:00+02:00'], { env: data });
    const [, , url] = await service.until(READY);
    await service.until(/The clock of the service shows 2024-05-19T12:00:\d\dZ/);
    const page = async (lang: string) => (await fetch(`${url}/?lang=${lang}`)).text();
    const shown = await page('en');
    assert.match(
      shown,
      /The clock of this service was set, and results of later matches are shown too\. It shows 2024-05-19 12:0\d UTC\./,
    );
    assert.match(
      await page('ru'),
      /Часы этого сервиса переставлены, а результаты более поздних матчей тоже показаны\. Часы показывают 2024-05-19 12:0\d UTC\./,
    );
    const [next, last] = [shown.indexOf('date=2024-05-20'), shown.lastIndexOf('date=2024-05-10')];
    assert.ok(next > 0 && last > next, 'the nearest days with matches');
    assert.match(shown.slice(next, last), /2024-05-20T19:00:00Z/);
    assert.match(shown.slice(last), /Lens/);
    for (const lang of ['en', 'ru'])
      assert.match(await (await fetch(`${url}/docs/leagues.html?lang=${lang}`)).text(), / 2024-05-19 12:0\d UTC\./);
    assert.equal((await service.interrupt()).code, 0);
    own.remove();
  });

  it('runs as an unprivileged user', async function () {
    if (process.getuid?.() !== 0) this.skip();
    const own = temporaryFolder();
    chownSync(own.path, 1_000, 1_000);
    const service = start(['serve'], { env: { DATA_DIR: join(own.path, 'data') }, uid: 1_000 });
    await service.until(READY);
    assert.equal((await service.interrupt()).code, 0);
    own.remove();
  });
});

describe('failures of touchline serve', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());
  const oneLine = (err: string) => assert.match(err, /^touchline: [^\n]+\n$/);

  it('explain problems with a data folder', async () => {
    // If the test runs as root, Postgres runs as the user nobody.
    const owner = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
    const makeFolder = (name: string, uid = owner) => {
      const path = join(folder.path, name);
      mkdirSync(join(path, 'postgres'), { recursive: true, mode: 0o755 });
      if (uid !== undefined) chownSync(join(path, 'postgres'), uid, uid);
      return path;
    };
    const broken = makeFolder('broken');
    writeFileSync(join(broken, 'postgres/PG_VERSION'), '18\n');
    const { code, err } = await run(['serve'], { env: { DATA_DIR: broken } });
    assert.equal(code, 1);
    oneLine(err);
    assert.match(err, /Postgres does not start/);
    const foreign = makeFolder('foreign');
    writeFileSync(join(foreign, 'postgres/notes.txt'), 'mine');
    const refused = await run(['serve'], { env: { DATA_DIR: foreign } });
    oneLine(refused.err);
    assert.match(refused.err, /has no Postgres data/);
    if (owner === 65_534) {
      const other = await run(['serve'], { env: { DATA_DIR: makeFolder('other', 1_000) } });
      oneLine(other.err);
      assert.match(other.err, /postgres belongs to the user with the id 1000, and Postgres runs as 65534 here: /);
      const unseen = await run(['serve'], { env: { DATA_DIR: broken }, uid: 1_000 });
      oneLine(unseen.err);
      assert.match(unseen.err, /cannot be written|belongs to the user with the id 65534/);
    }
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    const notAFolder = await run(['serve'], { env: { DATA_DIR: file } });
    oneLine(notAFolder.err);
    assert.equal(notAFolder.code, 1);
  });

  it('explain why a clock cannot be set', async () => {
    const refuse = async (now: string, env: Record<string, string> = {}, role = 'all') => {
      const { code, err } = await run(['serve', '--role', role, '--now', now], {
        env: {
          DATA_DIR: join(folder.path, 'clock'),
          SECRET_KEY: '0123456789abcdef',
          FEED_TOKEN: 'a-token-of-the-feed',
          ...env,
        },
      });
      assert.equal(code, 1);
      return err;
    };
    for (const now of ['yesterday', '2026-05-10', '2026-05-10T12:00:00', '2026-13-10T12:00:00Z', ''])
      assert.equal(await refuse(now), `touchline: --now: ${now} is not a time such as 2026-05-10T12:00:00Z\n`);
    assert.equal(await refuse('2126-05-10T12:00:00Z'), 'touchline: --now: 2126-05-10T12:00:00Z is in the future\n');
    const stores = 'touchline: --now: only a process with all roles and embedded stores accepts it\n';
    const database = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' };
    assert.equal(await refuse('2024-05-10T12:00:00Z', database), stores);
    assert.equal(await refuse('2024-05-10T12:00:00Z', database, 'api'), stores);
  });

  it('report every configuration error at once', async () => {
    const { code, err } = await run(['serve'], { env: { PORT: 'x', BASE_URL: 'nowhere', DATABASE_URL: 'mysql://a' } });
    assert.equal(code, 1);
    oneLine(err);
    for (const name of ['PORT', 'BASE_URL', 'DATABASE_URL']) assert.match(err, new RegExp(name));
  });

  it('report a missing external Postgres, for which commands do not wait', async () => {
    const { code, err } = await run(['account', 'list'], {
      env: { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', SECRET_KEY: '0123456789abcdef' },
    });
    assert.equal(code, 1);
    oneLine(err);
  });
});
