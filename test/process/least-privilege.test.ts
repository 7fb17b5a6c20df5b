/** Runs each role as a process whose user in Postgres has only the rights of that role. The server's log has what Postgres has refused. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts';
import { killAll, type Pod, type PodRole, podEnv, startPod } from '../support/pods.ts';
import { run } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const PATIENCE_MS = 60_000;
const ROLES = [
  'ingest',
  'relay',
  'dispatcher',
  'stream',
  'api',
  'loader',
  'jobs',
] as const satisfies readonly PodRole[];
/** Each documented request, by route. Their ids are those of another catalogue. */
const EXAMPLES = JSON.parse(readFileSync('src/examples.json', 'utf8')) as Record<string, { request: string }>;

describe('roles whose users in Postgres have only their rights', function () {
  this.timeout(240_000);
  let postgres: OwnPostgres;
  let clickhouse: ClickHouseServer;
  let receiver: Receiver;
  let admin: pg.Pool;
  let key: string;
  const pods = new Map<PodRole, Pod>();
  const userUrl = (role: string) => postgres.url.replace(/user=\w+/, `user=${role}_login`);
  before(async () => {
    [postgres, clickhouse, receiver] = await Promise.all([
      startOwnPostgres(),
      startClickHouseServer(),
      startReceiver(),
    ]);
    admin = new pg.Pool({ connectionString: postgres.url, max: 2 });
    const { code, out, err } = await run(['migrate', '--grants'], { env: { DATABASE_URL: postgres.url } });
    assert.deepEqual([code, out, err], [0, 'The database is up to date\n', '']);
    for (const role of [...ROLES, 'corrections'])
      await admin.query(`CREATE ROLE ${role}_login LOGIN IN ROLE touchline_${role}`);
    ({ key } = await createKey(admin, systemClock, { email: 'least@example.com', plan: 'pro' }));
    const common = podEnv(postgres.url, {
      CLICKHOUSE_URL: clickhouse.url,
      WEBHOOK_ALLOW: 'http://127.0.0.1:*',
      WEATHER_URL: 'off',
      DATABASE_CORRECTIONS_URL: userUrl('corrections'),
      DEMO: '1',
    });
    // One after another, since two cores start them no sooner together.
    for (const role of ROLES) pods.set(role, await startPod(role, { ...common, DATABASE_URL: userUrl(role) }));
  });
  after(async () => {
    await killAll(pods.values());
    await receiver?.close();
    await clickhouse?.stop();
    await admin?.end();
    await postgres?.close();
  });

  const url = (role: PodRole) => pods.get(role)!.url;
  const ask = (role: PodRole, path: string, init: RequestInit = {}) =>
    fetch(url(role) + path, { ...init, headers: { 'X-API-Key': key, 'Content-Type': 'application/json' } });
  const metric = async (role: PodRole, name: string) => {
    const text = await (await fetch(`${pods.get(role)!.adminUrl}/metrics`)).text();
    return Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  };

  it('deliver what the demo plays to webhooks and streams', async () => {
    const made = await ask('api', '/v1/account/webhooks', {
      method: 'POST',
      body: JSON.stringify({ url: receiver.url }),
    });
    assert.equal(made.status, 201, await made.text());
    const stream = await ask('stream', '/v1/stream');
    assert.equal(stream.status, 200);
    let text = '';
    for await (const chunk of stream.body!) {
      text += Buffer.from(chunk).toString();
      if (/\nevent: match\./.test(text)) break;
    }
    await until('a webhook is delivered', () => receiver.events().length > 0, PATIENCE_MS);
  });

  it('answer every documented request for reading', async () => {
    for (const [route, { request }] of Object.entries(EXAMPLES)) {
      if (!route.startsWith('GET ') || /stream|\/mcp/.test(route)) continue;
      const reply = await ask(route.includes('/feed/') ? 'ingest' : 'api', request);
      await reply.arrayBuffer();
      assert.ok(reply.status < 500, `${request}: ${reply.status}`);
    }
    for (const path of ['/', '/search?q=united', '/account', '/v1/sync', '/v1/events/live', '/reference'])
      assert.ok((await ask('api', path)).status < 500, path);
  });

  it('run all jobs, and move the matches to ClickHouse', async () => {
    const { rows } = await admin.query<{ name: string }>('SELECT name FROM job');
    assert.ok(rows.length > 5);
    await until(
      'ClickHouse has all changes',
      async () => (await metric('loader', 'touchline_loader_lag_seconds')) === 0,
      PATIENCE_MS,
    );
    await until(
      'jobs have run',
      async () => (await admin.query('SELECT FROM job WHERE succeeded_at > added_at')).rowCount! > 5,
      PATIENCE_MS,
    );
    const text = await (await fetch(`${pods.get('jobs')!.adminUrl}/metrics`)).text();
    for (const [line] of text.matchAll(/^touchline_job_runs_total\{.*result="failed"\} .*$/gm))
      assert.match(line, / 0$/);
  });

  it('stop without having been refused anything', async () => {
    for (const pod of pods.values()) {
      const { status } = await fetch(`${pod.adminUrl}/metrics`);
      assert.equal(status, 200);
      assert.equal((await pod.stop()).code, 0, pod.role);
    }
    const refused = readFileSync(postgres.log, 'utf8')
      .split('\n')
      .filter((line) => line.includes('denied'));
    assert.deepEqual(refused, []);
  });
});
