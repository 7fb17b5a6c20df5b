/** Sources that are declared in the database while jobs run, with a real HTTP source and a real database. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import { readVariables } from '../../src/config/variable.ts';
import { Problem } from '../../src/http/errors.ts';
import { startDeclaredSources } from '../../src/jobs/declared-sources.ts';
import { prepareSources } from '../../src/jobs/live-sources.ts';
import { createJobMetrics } from '../../src/jobs/metrics.ts';
import { type PollingConfig, pollingVariables } from '../../src/polling/config.ts';
import { declareSource, readDeclaredSources, sourceState, withdrawSource } from '../../src/polling/declared-sources.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { jobContext } from '../support/jobs.ts';
import { enterMatch, type OpenLigaDbServer, startOpenLigaDb } from '../support/openligadb.ts';
import { until } from '../support/until.ts';

const NOW = Date.parse('2026-11-21T14:00:00Z');
const PATIENCE = 20_000;
const isProblem = (text: RegExp) => (error: unknown) =>
  error instanceof Problem && error.code === 'invalid_parameter' && text.test(error.message);

describe('declared sources', function () {
  this.timeout(60_000);
  let db: TestDatabase;
  let source: OpenLigaDbServer;
  let mirror: OpenLigaDbServer;
  let now = NOW;
  const clock = { now: () => now };
  const stops: (() => Promise<void>)[] = [];
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(async () => {
    now = NOW;
    [source, mirror] = [await startOpenLigaDb(() => now), await startOpenLigaDb(() => now)];
    source.matches.push(enterMatch(['1. FC Köln', 'Hamburger SV'], NOW + 600_000));
  });
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await Promise.all([source.close(), mirror.close()]);
    await db.pool.query(
      'DELETE FROM declared_source; DELETE FROM source; DELETE FROM source_budget; DELETE FROM source_scope',
    );
  });

  const declare = (over: object = {}, configured: PollingConfig['providers'] = []) =>
    declareSource(
      { pool: db.pool, clock, configured },
      { provider: 'openligadb', scopes: ['bl1'], url: source.url, ...over },
    );
  const configOf = (env: Record<string, string>) => readVariables(env, pollingVariables, () => []);
  /** Starts what a process with the role `jobs` does for declared sources. @returns the registry with its metrics */
  function startJobs(env: Record<string, string> = {}, logged: object[] = [], everyMs = 50): Registry {
    const registry = new Registry();
    const logger = { info: () => {}, warn: (line: object) => void logged.push(line), error: () => {} } as never;
    const context = jobContext({ pool: db.pool, clock, config: configOf(env), logger, registry });
    const running = startDeclaredSources(context as never, createJobMetrics(registry, db.pool), everyMs);
    stops.push(() => running.stop());
    return registry;
  }
  const state = () => sourceState(db.pool, clock, 'openligadb');
  const isAsked = (server: OpenLigaDbServer, text: string) => server.asked.some((path) => path.includes(text));
  const used = async () => {
    const { rows } = await db.pool.query('SELECT coalesce(sum(requests), 0)::int AS used FROM source_budget');
    return rows[0].used as number;
  };

  it('are polled, changed and stopped without a restart, and keep the known state', async () => {
    const registry = startJobs();
    assert.deepEqual(await state(), { isPolled: false, answeredAt: null, fault: null, faultSince: null });
    assert.equal(await declare(), true);
    assert.equal(await declare(), false);
    await until('it is polled', async () => (await state()).answeredAt !== null, PATIENCE);
    assert.deepEqual(await state(), {
      isPolled: true,
      answeredAt: '2026-11-21T14:00:00Z',
      fault: null,
      faultSince: null,
    });
    await until('the match is stored', async () => (await db.pool.query('SELECT FROM match')).rowCount === 1, PATIENCE);
    assert.match(await registry.metrics(), /touchline_job_interval_seconds\{name="poll_openligadb"\}/);
    const known = () => db.pool.query("SELECT scope, known FROM source_scope WHERE scope = 'bl1'");
    await until('the state is saved', async () => (await known()).rowCount === 1, PATIENCE);
    const before = (await known()).rows;

    source.asked.length = 0;
    assert.equal(await declare({ scopes: ['bl1', 'bl2', 'bl2'] }), true);
    await until('the second league is polled', () => isAsked(source, 'bl2'), PATIENCE);
    // The requests for the first league are not due again.
    assert.ok(!source.asked.includes('/getmatchdata/bl1/2026'), source.asked.join());

    assert.equal(await withdrawSource(db.pool, 'openligadb'), true);
    assert.equal(await withdrawSource(db.pool, 'openligadb'), false);
    assert.equal((await state()).isPolled, false);
    await until(
      'the job has ended',
      async () => !/interval_seconds\{name="poll_openligadb"\}/.test(await registry.metrics()),
      PATIENCE,
    );
    source.asked.length = 0;
    now += 60_000;
    assert.deepEqual((await known()).rows, before);
    await declare();
    await until('it is polled again', async () => (await state()).isPolled, PATIENCE);
    assert.ok(!source.asked.includes('/getmatchdata/bl1/2026'), source.asked.join());
  });

  it('follow a definition that changes during a request, which is ended', async () => {
    let held: ServerResponse | null = null;
    source.fault = (_, response) => {
      held ??= response;
      return true;
    };
    startJobs();
    await declare();
    await until('a request is open', () => held !== null, PATIENCE);
    const ended = new Promise((resolve) => held!.once('close', resolve));
    await declare({ url: mirror.url });
    await ended;
    await until('the mirror is polled', () => mirror.asked.length > 0, PATIENCE);
    await until('it answers', async () => (await state()).answeredAt !== null, PATIENCE);
    assert.equal((await state()).fault, null);
  });

  it('send no request after they have been withdrawn, even if one was open', async () => {
    let held: ServerResponse | null = null;
    source.fault = (_, response) => {
      held ??= response;
      return true;
    };
    startJobs();
    await declare();
    await until('a request is open', () => held !== null, PATIENCE);
    await withdrawSource(db.pool, 'openligadb');
    const before = await used();
    await new Promise((resolve) => held!.once('close', resolve));
    await until('the job has ended', async () => (await holder()) === null, PATIENCE);
    assert.equal(await used(), before);
    assert.equal((await state()).isPolled, false);
  });
  const holder = async () =>
    (await db.pool.query("SELECT holder FROM job WHERE name = 'poll_openligadb'")).rows[0]?.holder ?? null;

  it('send nothing by a former definition, even from a process that has not read the new one', async () => {
    await declare({ scopes: ['bl1', 'bl2', 'bl3'], daily_requests: 100 });
    const registry = startJobs({}, [], 600_000);
    await until('it is polled', async () => (await used()) >= 5 && (await state()).isPolled, PATIENCE);
    const smaller = await used();
    await declare({ scopes: ['bl1', 'bl2', 'bl3'], daily_requests: smaller });
    const before = await used();
    // Every path is due again.
    now += 7 * 3_600_000;
    const turns = async () =>
      Number(/runs_total\{name="poll_openligadb",result="idle"\} (\d+)/.exec(await registry.metrics())?.[1]);
    const done = await turns();
    await until('the process has had turns', async () => (await turns()) >= done + 2, PATIENCE);
    assert.equal(await used(), before);
    await stops.pop()!();
    startJobs();
    const daily = async () => (await db.pool.query('SELECT daily_requests FROM source')).rows[0]?.daily_requests;
    await until('the new definition is polled', async () => (await daily()) === smaller, PATIENCE);
    assert.equal(await used(), before);
  });

  it('are refused with a wrong definition, without consent, and if PROVIDERS has the source', async () => {
    const wrong: [object | null, RegExp][] = [
      [null, /source: /],
      [{ provider: 'espn' }, /espn is not a provider; providers are /],
      [{ provider: '__proto__' }, /is not a provider/],
      [{ scopes: [] }, /give the shortcut of a league/],
      [{ scopes: [''] }, /give the shortcut of a league/],
      [{ scopes: ['bl1', '../x'] }, /give the shortcut of a league/],
      [{ scopes: ['bl\u0000'] }, /give the shortcut of a league/],
      [{ scopes: Array.from({ length: 101 }, (_, index) => `l${index}`) }, /scopes: /],
      [{ provider: 'nhl', scopes: ['east'], accept_terms: true }, /write nhl without a colon/],
      [{ provider: 'nhl', scopes: [] }, /is off until you accept its terms with accept_terms: true/],
      [{ daily_requests: 0 }, /daily_requests: /],
      [{ daily_requests: 1e9 }, /daily_requests: /],
      [{ daily_requests: '20' }, /daily_requests: /],
      [{ url: 'ftp://example.com' }, /url: /],
      [{ url: 'javascript:alert(1)' }, /url: /],
      [{ url: 'http://example.com/\u0000' }, /url: /],
      [{ token: 'x' }, /token/],
    ];
    for (const [over, text] of wrong) {
      const given = over === null ? null : { provider: 'openligadb', scopes: ['bl1'], ...over };
      await assert.rejects(
        declareSource({ pool: db.pool, clock, configured: [] }, given),
        isProblem(text),
        JSON.stringify(given),
      );
    }
    const configured = configOf({ PROVIDERS: 'openligadb:bl2' }).providers;
    await assert.rejects(declare({}, configured), isProblem(/openligadb is in PROVIDERS/));
    assert.deepEqual(await readDeclaredSources(db.pool), []);
    assert.equal(await declare({ provider: 'nhl', scopes: [], accept_terms: true }), true);
  });

  it('are left alone if this process may not poll them, and the reason is shown', async () => {
    const logged: { source: string; reason: string }[] = [];
    await declare();
    await declare({ provider: 'squiggle', scopes: [] });
    await db.pool.query(
      `INSERT INTO declared_source (provider, definition, changed_at) VALUES ('mlb', '{"provider": "mlb", "pace": 3}', now())`,
    );
    startJobs({ PROVIDERS: 'openligadb:bl2' }, logged);
    await until('all are read', () => logged.length === 3, PATIENCE);
    assert.deepEqual(
      logged.map(({ source: name, reason }) => `${name}: ${reason.slice(0, 60)}`),
      [
        'mlb: this version cannot read the definition',
        'openligadb: PROVIDERS has the source, too',
        'squiggle: Squiggle is off until you set PROVIDERS_CONTACT to an addres',
      ],
    );
    const { fault } = await sourceState(db.pool, clock, 'squiggle');
    assert.match(fault!, /PROVIDERS_CONTACT/);
    assert.equal(source.asked.length, 0);
  });

  it('are polled by one process at a time, and stay visible when a process starts', async () => {
    await declare();
    startJobs();
    startJobs();
    await until('it is polled', async () => (await state()).isPolled, PATIENCE);
    await prepareSources(configOf({ PROVIDERS: 'openfootball:en.1' }), db.pool);
    assert.equal((await state()).isPolled, true);
    assert.equal(source.asked.filter((path) => path === '/getcurrentgroup/bl1').length, 1);
  });

  it('show the last failure until the source answers again', async () => {
    source.fault = (_, response) => {
      response.writeHead(503).end();
      return true;
    };
    startJobs();
    await declare();
    await until('it has failed', async () => (await state()).fault !== null, PATIENCE);
    const { isPolled, answeredAt, fault, faultSince } = await state();
    assert.deepEqual([isPolled, answeredAt, faultSince], [true, null, '2026-11-21T14:00:00Z']);
    assert.match(fault!, /: status 503$/);
    source.fault = null;
    now += 3_600_000;
    await until('it answers', async () => (await state()).answeredAt !== null, PATIENCE);
    await until('it has no fault', async () => (await state()).fault === null, PATIENCE);
  });

  it('begin at once at a new address, even if the old one has failed', async () => {
    await db.pool.query(
      "INSERT INTO source (name, failures, blocked_until) VALUES ('openligadb', 7, to_timestamp($1 / 1000.0))",
      [NOW + 3_600_000],
    );
    startJobs();
    await declare();
    await declare({ url: mirror.url });
    await until('the mirror is polled', () => mirror.asked.length > 0, PATIENCE);
  });
});
