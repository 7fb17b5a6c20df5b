import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { cachePurge } from '../../src/jobs/cache-purge.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';
import { type Answer, type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { createHarness, playing } from '../web/site.ts';

const ALL = ['touchline'];
const PATIENCE_MS = 15_000;
const { cachePurgeUrl, cachePurgeHeader } = cachePurge.variables as Record<
  string,
  { schema: { safeParse(text?: string): { success: boolean } } }
>;

describe('purging caches in front', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let receiver: Receiver;
  let lines: { level: number; msg: string; err?: { message: string } }[];
  let registry: Registry;
  let jobs: { stop(): Promise<void> }[];
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(async () => {
    receiver = await startReceiver();
    await db.pool.query('TRUNCATE job, match_change, match_tombstone');
    await db.pool.query('UPDATE relay SET change_seq = 0');
    lines = [];
    jobs = [];
  });
  afterEach(async () => {
    await Promise.all(jobs.map((job) => job.stop()));
    await receiver.close();
  });

  interface Given {
    url?: string;
    header?: string;
    allow?: string[];
    pool?: TestDatabase['pool'];
  }
  function start({
    url = `${receiver.url}/purge?zone=1`,
    header,
    allow = ['http://127.0.0.1:*'],
    pool = db.pool,
  }: Given = {}) {
    const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line)) });
    registry = new Registry();
    const config = { cachePurgeUrl: url, cachePurgeHeader: header, webhookAllow: allow };
    const job = startTestJob(cachePurge, { pool, clock: { now: () => Date.now() }, config, logger, registry });
    jobs.push(job);
    return job;
  }
  /** Assigns the next change cursors to matches, as the relay does. */
  async function change(first: number, count = 1, tournament = 7): Promise<void> {
    await db.pool.query(
      `WITH seq AS (UPDATE relay SET change_seq = change_seq + $2 RETURNING change_seq - $2 AS start)
       INSERT INTO match_change (match_id, change_cursor, sport, tournament_id)
       SELECT $1 + n, start + n + 1, 'football', $3 FROM seq, generate_series(0, $2::int - 1) n
       ON CONFLICT (match_id) DO UPDATE SET change_cursor = excluded.change_cursor`,
      [first, count, tournament],
    );
  }
  const batches = () => receiver.received.map(({ body }) => (JSON.parse(body) as { tags: string[] }).tags);
  const received = (count: number) => until(`${count} batches`, () => batches().length >= count, PATIENCE_MS);
  const metric = async (line: string) => Number((await registry.metrics()).split(`\n${line} `)[1]?.split('\n')[0]);
  const lag = () => metric('touchline_cache_purge_lag_seconds');
  const failed = () => metric('touchline_job_runs_total{name="cache_purge",result="failed"}');
  const outages = () => lines.filter(({ level }) => level >= 50);

  it('purges everything when a process begins, and then what has changed, with the header that has the secret', async () => {
    await change(1, 3);
    start({ header: 'Fastly-Key:  abc: def ' });
    await received(1);
    assert.deepEqual(batches(), [ALL]);
    await change(5);
    await received(2);
    assert.deepEqual(batches()[1], ['matches', 'match-5', 'tournament-7']);
    const { headers, path } = receiver.received[1]!;
    assert.deepEqual(
      [path, headers['content-type'], headers['surrogate-key'], headers['fastly-key'], headers.authorization],
      ['/hook/purge?zone=1', 'application/json', 'matches match-5 tournament-7', 'abc: def', undefined],
    );
    assert.equal(outages().length, 0);
  });

  it('names a changed match, its tournament and both sides, and a match that was removed', async () => {
    const harness = await createHarness();
    const site = await harness.start();
    const id = await harness.apply('live', playing('Red Stars', 'Blue Moons', [0, 0], 10));
    const { rows } = await harness.pool.query<{ tags: string[] }>(
      `SELECT ARRAY['matches', 'match-' || id, 'tournament-' || tournament_id, 'participant-' || home_id, 'participant-' || away_id] AS tags
       FROM match WHERE id = $1`,
      [id],
    );
    start({ pool: harness.pool });
    await received(1);
    await harness.apply('live', playing('Red Stars', 'Blue Moons', [1, 0], 11));
    await received(2);
    assert.deepEqual(batches()[1], rows[0]!.tags);
    await harness.pool.query(
      `WITH seq AS (UPDATE relay SET change_seq = change_seq + 1 RETURNING change_seq)
       INSERT INTO match_tombstone (change_cursor, match_id, sport, tournament_id, reason) SELECT change_seq, 99, 'football', 3, 'deleted' FROM seq`,
    );
    await received(3);
    assert.deepEqual(batches()[2], ['matches', 'match-99', 'tournament-3']);
    await Promise.all(jobs.map((job) => job.stop()));
    await site.stop();
    await harness.drop();
  });

  it('sends batches of at most 100 tags without skipping or repeating a match', async () => {
    start();
    await received(1);
    await change(1, 250);
    await received(4);
    const [, ...sent] = batches();
    for (const tags of sent) assert.ok(tags.length <= 100 && tags[0] === 'matches');
    const matches = sent.flat().filter((tag) => tag.startsWith('match-'));
    assert.deepEqual(
      matches,
      Array.from({ length: 250 }, (_, n) => `match-${n + 1}`),
    );
  });

  it('purges everything at once after an import of 10,000 matches', async () => {
    start();
    await received(1);
    await change(1, 10_000);
    await received(2);
    await change(20_000);
    await received(3);
    assert.deepEqual(batches(), [ALL, ALL, ['matches', 'match-20000', 'tournament-7']]);
  });

  it('purges everything after a restore, which sets the change cursor back', async () => {
    await change(1, 500);
    start();
    await received(1);
    await db.pool.query('TRUNCATE match_change');
    await db.pool.query('UPDATE relay SET change_seq = 100');
    await received(2);
    await change(3);
    await received(3);
    assert.deepEqual(batches(), [ALL, ALL, ['matches', 'match-3', 'tournament-7']]);
  });

  const refusing: Record<string, [Answer, string]> = {
    'answers 500': [(_, response) => response.writeHead(500).end(), 'status 500'],
    'redirects to a private address': [
      (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/' }).end(),
      'status 302',
    ],
    'cuts the connection': [(_, response) => response.destroy(), 'connection broken'],
  };
  for (const [what, [answer, message]] of Object.entries(refusing)) {
    it(`keeps changes for a receiver that ${what}, waits longer each time, and logs the outage once`, async () => {
      start();
      await received(1);
      receiver.answer = answer;
      await change(1);
      await until('the first refusal', async () => (await failed()) > 0, PATIENCE_MS);
      await change(2);
      const both = ['matches', 'match-1', 'tournament-7', 'match-2'];
      const refused = () => batches().some((tags) => tags.includes('match-2'));
      await until('the second one', refused, PATIENCE_MS);
      assert.ok((await lag()) > 0);
      assert.deepEqual(
        outages().map(({ err }) => err!.message),
        [message],
      );
      assert.deepEqual(batches()[1], both.slice(0, 3));
      receiver.answer = (_, response) => response.end();
      await until('the recovery', () => lines.some(({ msg }) => msg.includes('again')), PATIENCE_MS);
      await until('nothing waits', async () => (await lag()) === 0);
      assert.deepEqual(batches().at(-1), both);
      assert.equal(outages().length, 1);
    });
  }

  it('gives up on a receiver that never answers, and can be stopped while it waits', async () => {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const job = start({ url: `http://127.0.0.1:${port}/` });
    await until('it is asked', () => sockets.size > 0);
    await job.stop();
    assert.equal(outages().length, 0);
    start({ url: `http://127.0.0.1:${port}/` });
    await until('it gives up', () => outages().length > 0, PATIENCE_MS);
    assert.match(outages()[0]!.err!.message, /no reply within 8 s/);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it('never connects to an address that is not public, unless the address is allowed', async () => {
    const addresses = [
      receiver.url,
      'https://127.0.0.1/',
      'https://localhost/',
      'https://10.0.0.1/',
      'http://example.com/',
      'https://[::1]/',
      'https://2130706433/',
    ];
    for (const url of addresses) {
      const job = start({ url, allow: [] });
      const before = outages().length;
      await until(`${url} is refused`, () => outages().length > before, PATIENCE_MS);
      assert.match(outages().at(-1)!.err!.message, /^the address (is not a public|must)/, url);
      await job.stop();
    }
    assert.equal(receiver.connections(), 0);
  });

  it('only one of two processes sends, and the second one takes over', async () => {
    const first = start();
    await received(1);
    start();
    await change(1);
    await received(2);
    await first.stop();
    await received(3);
    await change(2);
    await received(4);
    assert.deepEqual(batches(), [
      ALL,
      ['matches', 'match-1', 'tournament-7'],
      ALL,
      ['matches', 'match-2', 'tournament-7'],
    ]);
  });

  it('is off without a URL, and refuses settings that are no URL or header', async () => {
    const config = { webhookAllow: [] };
    registry = new Registry();
    jobs.push(startTestJob(cachePurge, { pool: db.pool, clock: { now: () => Date.now() }, config, registry }));
    assert.equal(await lag(), 0);
    assert.equal((await db.pool.query('SELECT FROM job')).rows.length, 0);
    for (const text of ['x', 'ftp://example.com/', '/purge'])
      assert.ok(!cachePurgeUrl!.schema.safeParse(text).success, text);
    for (const text of ['token', ': x', 'A b: x', 'A:', 'A: x\r\nB: y', `A: ${'x'.repeat(5_000)}`])
      assert.ok(!cachePurgeHeader!.schema.safeParse(text).success, text);
    for (const text of [undefined, 'Authorization: Bearer x', 'Fastly-Key:x'])
      assert.ok(cachePurgeHeader!.schema.safeParse(text).success, text);
  });
});
