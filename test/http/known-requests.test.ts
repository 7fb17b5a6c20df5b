/**
 * Tests that a request which is answered from memory gets the same response, and leaves the same counts and log lines,
 * as one that goes through the app. Two apps get the same requests. Those to the second have a header that the service
 * does not know, so none of them is a known request.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { keyStore } from '../../src/accounts/keys/key-store.ts';
import { Limiter } from '../../src/accounts/limits/limiter.ts';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { UsageRecorder } from '../../src/accounts/usage/usage-recorder.ts';
import type { Changed } from '../../src/db/notices.ts';
import { createApp } from '../../src/http/app.ts';
import { createReplyCaches } from '../../src/http/reply-caches.ts';
import { listen } from '../../src/http/server.ts';
import { routes } from '../../src/matches/routes.ts';
import { createKey } from '../support/accounts.ts';
import { createTestDatabase } from '../support/database.ts';
import { type FeedBench, openFeedBench } from '../support/feed.ts';
import { testConfig } from '../support/http.ts';
import { LONG_FORMS } from '../support/long-forms.ts';

const ORDINARY = 'X-Ordinary: 1';
const PLANS = {
  default: 'limited',
  plans: [
    { name: 'limited', title: 'Limited', windows: { burst: 1_000, day: 2_000, month: 100_000 } },
    { name: 'small', title: 'Small', windows: { day: 30 } },
    { name: 'open', title: 'Open' },
    { name: 'rugby', title: 'Rugby', access: { sports: ['rugby'] } },
    { name: 'football', title: 'Football', access: { sports: ['football'] } },
  ],
};
const KEYS = ['limited', 'small', 'open', 'rugby', 'football', 'visitors', 'walled', 'expiring'];
/** Parts of a response, or of a log line, that differ between two processes: the date, request ids, the burst that is left, which Postgres refills by its own clock. */
const OWN_PARTS = /\r\nDate: .*|[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}|(?<="burst";r=)\d+;t=\d+/g;
/** Headers that a known request may have. */
const USUAL = [
  'Accept-Encoding: br',
  'Accept-Encoding: gzip, br;q=0.5',
  'accept-encoding: identity',
  'Accept-Language: ru',
  'ACCEPT-LANGUAGE: en-GB',
  'User-Agent: a',
  'Cookie: a=b',
  'Accept: */*',
  'Referer: https://example.com/',
  'X-Forwarded-For: 10.1.2.3',
];
const UNUSUAL = [
  'X-Forwarded-Host: example.com',
  'X-Forwarded-Proto: https',
  'Origin: https://example.com',
  'Prefer: handling=strict',
  'If-None-Match: *',
  'Range: bytes=0-5',
  'Authorization: Bearer x',
  'X-API-Key: second',
  'X-API-Key: ',
  'Host: example.com',
  'Content-Length: 0',
  'X-Request-Id: two',
];
const HEADERS = [...USUAL, ...UNUSUAL];
interface Request {
  kind: 'request';
  method: string;
  target: string;
  /** Name of the key. Empty for no key. */
  key: string;
  headers: string[];
  /** How often the request is sent. */
  times: number;
}
type Step =
  | Request
  | { kind: 'change'; match: number; goals: number }
  | { kind: 'wait'; ms: number }
  | { kind: 'account'; key: number; what: 'revoked' | 'suspended' | 'plan' };
/** Members of a log line that differ between two processes. */
const OWN_MEMBERS = ['time', 'pid', 'hostname', 'ms'];
const START = Date.parse('2026-03-01T12:00:00Z');

describe('known requests', function () {
  this.timeout(300_000);
  let bench: FeedBench;
  const ids: number[] = [];
  const listeners: ((changed: Changed) => void)[] = [];
  before(async () => {
    bench = await openFeedBench();
    for (let n = 0; n < 8; n += 1) {
      bench.nextMatch();
      ids.push(await bench.accept({ status: n % 2 ? 'live' : 'scheduled', sport: n % 3 ? 'football' : 'rugby' }));
    }
  });
  after(() => bench.db.drop());

  /** Starts a process with its own accounts, limits and counts. The matches are shared. */
  async function startProcess(config: Partial<typeof testConfig>) {
    const db = await createTestDatabase();
    const time = { now: START };
    const clock = { now: () => time.now };
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { level: 'info' },
      { write: (line: string) => void lines.push(JSON.parse(line.replaceAll(OWN_PARTS, ''))) },
    );
    const plans = new OfferedPlans(plansText.parse(JSON.stringify(PLANS)));
    const keys: Record<string, string> = {};
    for (const name of KEYS) {
      const plan = plans.names.includes(name) ? name : 'limited';
      const { key } = await createKey(
        db.pool,
        clock,
        { email: `${name}@example.com`, plan, kind: name === 'visitors' ? 'pk' : 'sk' },
        plans,
      );
      keys[name] = key;
    }
    await db.pool.query("UPDATE api_key SET addresses = '{10.0.0.0/8}' WHERE id = $1", [KEYS.indexOf('walled') + 1]);
    await db.pool.query('UPDATE api_key SET expires_at = $2 WHERE id = $1', [KEYS.length, new Date(START + 4_000)]);
    const registry = new Registry();
    const changes = { subscribe: (listener: (changed: Changed) => void) => void listeners.push(listener) };
    const deps = {
      config: { ...testConfig, ...config },
      clock,
      logger,
      pool: bench.db.pool,
      reads: bench.db.pool,
      caches: createReplyCaches(changes, registry),
    };
    const limiter = new Limiter({ pool: db.pool, clock, logger, plans });
    const usage = new UsageRecorder({ pool: db.pool, clock, logger });
    const app = createApp(routes as never[], deps as never, {
      keys: keyStore(db.pool),
      chargeRequest: limiter.charge,
      recordRequest: usage.record,
      accessOf: (principal) => plans.of(principal).access,
      registry,
    });
    const server = await listen(app.listener, { host: '127.0.0.1', port: 0 });
    return {
      db,
      keys,
      lines,
      time,
      /** Sends a request on a connection of its own. @returns the response's bytes */
      send: (head: string) =>
        new Promise<string>((resolve, reject) => {
          const socket = connect(server.port, '127.0.0.1');
          const chunks: Buffer[] = [];
          socket.on('data', (chunk) => chunks.push(chunk));
          socket.once('error', reject);
          socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1').replaceAll(OWN_PARTS, '')));
          socket.write(`${head}\r\nConnection: close\r\n\r\n`);
        }),
      async known(): Promise<number> {
        const { values } = await registry.getSingleMetric('touchline_cache_requests_total')!.get();
        return values.find(({ labels }) => labels.cache === 'requests' && labels.result === 'hit')?.value ?? 0;
      },
      /** Returns what the requests have left behind. */
      async close() {
        await server.close();
        await limiter.close();
        await usage.close();
        const cells = await db.pool.query('SELECT * FROM account_usage ORDER BY key_id, day, endpoint, status');
        const used = await db.pool.query('SELECT id, last_used_at, last_used_from FROM api_key ORDER BY id');
        const { values } = await registry.getSingleMetric('touchline_http_request_duration_seconds')!.get();
        const counts = values.filter((value) => 'metricName' in value && String(value.metricName).endsWith('_count'));
        await db.drop();
        return {
          cells: cells.rows,
          used: used.rows,
          counts: counts.map(({ labels, value }) => ({ labels, value })),
          lines: lines.map((line) =>
            Object.fromEntries(Object.entries(line).filter(([name]) => !OWN_MEMBERS.includes(name))),
          ),
        };
      },
    };
  }
  type Process = Awaited<ReturnType<typeof startProcess>>;

  const target = () =>
    fc.oneof(
      { weight: 6, arbitrary: fc.nat(2).map((n) => `/v1/event/${ids[n]}`) },
      { weight: 2, arbitrary: fc.nat(1).map((n) => `/v1/event/${ids[n]}?blocks=incidents`) },
      {
        weight: 8,
        arbitrary: fc.constantFrom(
          '/v1/events',
          '/v1/events?limit=3',
          '/v1/events?limit=3&x=1',
          '/v1/events?sport=rugby',
          '/v1/events?fields=id,status',
          '/v1/events?limit=3&blocks=incidents',
          '/v1/events?limit=3&blocks=incidents&fields=id,incidents',
          '/v1/events/live',
          '/v1/events?format=csv',
          '/v1/events?limit=0',
          '/v1/event/999999',
          '/v1/event/%00',
          '/nothing',
          `/v1/events?${'y'.repeat(8_000)}`,
        ),
      },
    );
  const header = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...USUAL) }, fc.constantFrom(...UNUSUAL));
  const step = (): fc.Arbitrary<Step> =>
    fc.oneof(
      {
        weight: 20,
        arbitrary: fc.record({
          kind: fc.constant('request' as const),
          method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'OPTIONS'),
          target: target(),
          key: fc.oneof({ weight: 5, arbitrary: fc.constant('limited') }, fc.constantFrom(...KEYS, 'unknown', '')),
          headers: fc.array(header, { maxLength: 2 }),
          times: fc.constantFrom(1, 2, 4),
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant('change' as const), match: fc.nat(2), goals: fc.nat(9) }) },
      {
        weight: 2,
        arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(400, 1_500, 6_000) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('account' as const),
          key: fc.nat(KEYS.length - 1),
          what: fc.constantFrom('revoked', 'suspended', 'plan'),
        }),
      },
    );

  const ACCOUNT_CHANGES = {
    revoked: 'UPDATE api_key SET revoked_at = $2 WHERE id = $1',
    suspended: 'UPDATE account SET suspended_at = $2 WHERE id = (SELECT account_id FROM api_key WHERE id = $1)',
    plan: "UPDATE account SET plan = CASE plan WHEN 'rugby' THEN 'football' ELSE 'rugby' END WHERE id = (SELECT account_id FROM api_key WHERE id = $1 AND $2::timestamptz IS NOT NULL)",
  } as const;
  let requests = 0;

  async function take(one: Step, processes: readonly [Process, Process]): Promise<void> {
    if (one.kind === 'change') {
      const id = ids[one.match]!;
      await bench.db.pool.query(
        `WITH changed AS (UPDATE match SET version = version + 1 WHERE id = $1 RETURNING id)
         UPDATE match_card c SET item = regexp_replace(c.item, '"round":.*?,', '"round":"${one.goals}",') FROM changed WHERE c.match_id = changed.id`,
        [id],
      );
      for (const listener of listeners) listener([id]);
    }
    for (const { time, db } of processes) {
      if (one.kind === 'wait') time.now += one.ms;
      if (one.kind === 'account') await db.pool.query(ACCOUNT_CHANGES[one.what], [one.key + 1, new Date(time.now)]);
    }
    if (one.kind !== 'request') return;
    for (let n = 0; n < one.times; n += 1) {
      requests += 1;
      const [known, ordinary] = processes;
      const head = ({ keys }: Process, more: string[]): string => {
        const key = one.key === '' ? [] : [`X-API-Key: ${keys[one.key] ?? 'sk_unknown'}`];
        const lines = [`${one.method} ${one.target} HTTP/1.1`, 'Host: 127.0.0.1', `X-Request-Id: r${requests}`];
        return [...lines, ...key, ...one.headers, ...more].join('\r\n');
      };
      const sent = await known.send(head(known, []));
      assert.equal(sent, await ordinary.send(head(ordinary, [ORDINARY])), head(known, []));
    }
  }

  const CONFIGS = [
    ['without a public address', {}],
    ['behind a proxy', { trustedProxies: ['127.0.0.1'] }],
    ['with a public address', { baseUrl: 'https://scores.example', trustedProxies: ['127.0.0.1'] }],
  ] as const;

  async function compare(config: Partial<typeof testConfig>, steps: readonly Step[]): Promise<number> {
    listeners.length = 0;
    const processes = [await startProcess(config), await startProcess(config)] as const;
    try {
      for (const one of steps) await take(one, processes);
      assert.equal(await processes[1].known(), 0);
      return await processes[0].known();
    } finally {
      const [known, ordinary] = [await processes[0].close(), await processes[1].close()];
      assert.deepEqual(known, ordinary);
    }
  }

  const get = (over: Partial<Request> = {}): Request => ({
    kind: 'request',
    method: 'GET',
    target: `/v1/event/${ids[0]}`,
    key: 'limited',
    headers: [],
    times: 1,
    ...over,
  });
  const known = (over: Partial<Request> = {}) => get({ ...over, times: 4 });
  const list = { target: '/v1/events' };

  for (const [what, config] of CONFIGS) {
    it(`are answered as through the app if a header, method or address differs, ${what}`, async () => {
      const steps = [
        ...HEADERS.flatMap((one) => [known(), get({ headers: [one] }), get()]),
        ...['HEAD', 'OPTIONS', 'POST'].map((method) => get({ method })),
        known({ target: `/v1/events?${'y'.repeat(8_000)}` }),
        ...['br', 'gzip', 'identity', ''].map((coding) => known({ ...list, headers: [`Accept-Encoding: ${coding}`] })),
        { kind: 'change' as const, match: 0, goals: 3 },
        get({ times: 2 }),
        known(list),
        { kind: 'change' as const, match: 1, goals: 3 },
        get({ ...list, times: 2 }),
        ...['walled', 'visitors', 'unknown', '', 'open'].map((key) => get({ key, times: 3 })),
        ...['limited', 'rugby', 'football', 'rugby'].map((key) => known({ ...list, key })),
        get({ key: 'small', times: 33 }),
        { kind: 'wait' as const, ms: 86_400_000 },
        get({ key: 'small' }),
      ];
      assert.ok((await compare(config, steps)) > HEADERS.length);
    });

    it(`are answered, charged, counted and logged as through the app, ${what}`, async () => {
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(step(), { minLength: 20, maxLength: 60 }), async (steps) => {
          answered += await compare(config, steps);
        }),
        { numRuns: LONG_FORMS ? 200 : 5, endOnFailure: true },
      );
      assert.ok(answered > 20, `${answered} requests were known`);
    });
  }

  for (const what of ['revoked', 'suspended', 'plan'] as const)
    it(`end within 5 s if the key is ${what === 'plan' ? 'on a plan with different matches' : what}`, async () => {
      const change = { kind: 'account' as const, key: 0, what };
      await compare({}, [known(list), change, get(list), { kind: 'wait', ms: 5_000 }, get({ ...list, times: 2 })]);
    });

  it('end when the key expires', async () => {
    const expiring = { key: 'expiring' };
    await compare({}, [known(expiring), { kind: 'wait', ms: 4_500 }, get(expiring)]);
  });
});
