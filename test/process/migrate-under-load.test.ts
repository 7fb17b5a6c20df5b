/**
 * Tests that this version's roles keep working while the database is migrated to the next version: with new columns, a
 * concurrent index, and contract steps.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { openStream, type StreamEvent, type StreamHandle } from '../../src/client/stream.ts';
import { migratePostgres } from '../../src/db/migrate.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { createKey } from '../support/accounts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../support/clickhouse-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { FEED_TOKEN } from '../support/http.ts';
import { liveMatches } from '../support/live-matches.ts';
import { killAll, type Pod, type PodRole, podEnv, startPod } from '../support/pods.ts';
import { temporaryFolder } from '../support/process.ts';
import { testMigrations } from '../support/test-migrations.ts';
import { until } from '../support/until.ts';

const MATCHES = 20_000;
const PLANS =
  'default: load\nplans:\n  - { name: load, title: Load, windows: { burst: 100000, day: 10000000 }, stream: true }\n';
const PROVIDERS = 3;
const LIVE = 4;
/** Number of goals after which a provider's matches end and new ones begin. */
const GOALS = 12;
/** Number of rounds that every client has to complete while a migration waits for a lock. */
const ROUNDS_MEANWHILE = 5;
const PATIENCE_MS = 60_000;

/** Adds matches in earlier seasons, so that building an index takes a while. */
const CATALOGUE = `
  WITH t AS (INSERT INTO tournament (sport, country, name, key) VALUES ('football', 'INT', 'Past', 'past') RETURNING id),
    s AS (INSERT INTO season (tournament_id, season_label) SELECT id, '2020' FROM t RETURNING id, tournament_id),
    p AS (INSERT INTO participant (type, sport, name, key) SELECT 'team', 'football', 'Past ' || n, 'past ' || n FROM generate_series(1, 100) n RETURNING id),
    sides AS (SELECT array_agg(id) AS ids FROM p),
    m AS (INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, home_score, away_score, finalized, updated_at)
      SELECT 'football', s.tournament_id, s.id, ids[1 + n % 100], ids[1 + (n + 1) % 100], '2020-01-01Z'::timestamptz + n * interval '1 minute', 'finished', 1, 0, true, now()
      FROM s, sides, generate_series(1, ${MATCHES}) n RETURNING id)
  INSERT INTO match_card (match_id, item, detail) SELECT id, json_build_object('id', id)::text, '"season_label":"2020"' FROM m`;

/** A client that repeats its requests until it is stopped. */
interface Client {
  rounds: number;
  stop(): Promise<void>;
}

describe('a migration while the service runs', function () {
  this.timeout(180_000);
  const folder = temporaryFolder();
  const pods: Pod[] = [];
  const clients: Client[] = [];
  const failures: string[] = [];
  const events: StreamEvent[] = [];
  /** Goals that each provider has reported for its matches, by provider. */
  const told = new Map<string, number>();
  const ended = new Set<string>();
  let db: TestDatabase;
  let clickhouse: ClickHouseServer;
  let stream: StreamHandle;
  let url: (role: PodRole) => string;
  let key: string;

  before(async () => {
    const file = join(folder.path, 'plans.yaml');
    writeFileSync(file, PLANS);
    const plans = new OfferedPlans(plansText.parse(PLANS));
    [db, clickhouse] = await Promise.all([createTestDatabase(), startClickHouseServer()]);
    await db.pool.query(CATALOGUE);
    await db.pool.query('ANALYZE');
    const env = podEnv(db.url, { PLANS_FILE: file, CLICKHOUSE_URL: clickhouse.url });
    const roles: PodRole[] = ['ingest', 'api', 'relay', 'stream', 'loader', 'jobs'];
    pods.push(...(await Promise.all(roles.map((role) => startPod(role, env)))));
    url = (role) => pods.find((pod) => pod.role === role)!.url;
    ({ key } = await createKey(db.pool, systemClock, { email: 'load@example.com', plan: 'load' }, plans));
    let isLive = false;
    stream = openStream({
      url: url('stream'),
      key,
      onEvent: (event) => void events.push(event),
      onState: ({ phase }) => {
        isLive ||= phase === 'live';
        if (phase === 'skipped' || phase === 'failed') failures.push(`stream: ${phase}`);
      },
    });
    await until('the stream is live', () => isLive, PATIENCE_MS);
    for (let n = 0; n < PROVIDERS; n += 1) clients.push(provider(`p${n}`));
    for (const path of ['/v1/events/live', '/v1/events?sport=football&status=finished&limit=20', '/v1/sync?limit=20'])
      clients.push(reader(() => path));
    clients.push(reader(() => `/v1/event/${1 + Math.floor(Math.random() * MATCHES)}`));
  });
  after(async () => {
    stream?.close();
    await Promise.all(clients.map((client) => client.stop()));
    await killAll(pods);
    await clickhouse?.stop();
    await db?.drop();
    folder.remove();
  });

  function client(ask: (round: number) => Promise<void>): Client {
    let isStopped = false;
    const one = { rounds: 0, stop: async () => {} };
    const running = (async () => {
      while (!isStopped) {
        await ask(one.rounds).catch((error) => failures.push(String(error.cause ?? error)));
        one.rounds += 1;
      }
    })();
    one.stop = async () => {
      isStopped = true;
      await running;
    };
    return one;
  }
  const reader = (path: () => string) =>
    client(async () => {
      const asked = path();
      const reply = await fetch(url('api') + asked, { headers: { 'X-API-Key': key } });
      const text = await reply.text();
      if (reply.status !== 200) failures.push(`${asked}: ${reply.status} ${text.slice(0, 200)}`);
    });
  /** Creates a provider that reports a goal for each match in every round. After the last goal the matches end. */
  const provider = (name: string) =>
    client(async (round) => {
      const series = `${name}-${Math.floor(round / GOALS)}`;
      const goals = 1 + (round % GOALS);
      const updates = liveMatches(series, LIVE, goals).map(({ match, ...update }) => ({
        ...update,
        match: { ...match, status: goals === GOALS ? 'finished' : 'live' },
      }));
      const reply = await fetch(`${url('ingest')}/feed/v1/updates`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(updates),
      });
      const text = await reply.text();
      if (reply.status !== 200 || JSON.parse(text).accepted !== LIVE) failures.push(`feed: ${reply.status} ${text}`);
      for (const { match } of updates) {
        told.set(match.id, goals);
        if (goals === GOALS) ended.add(match.id);
      }
    });

  /** Waits until every client has been served several times. */
  async function allGoOn(): Promise<void> {
    const before = clients.map(({ rounds }) => rounds);
    const goesOn = () => clients.every(({ rounds }, n) => rounds >= before[n]! + ROUNDS_MEANWHILE);
    await until('every client has been answered', goesOn, PATIENCE_MS);
  }

  /** Migrations that were applied after those of this version. */
  const applied: Record<string, string> = {};

  /**
   * Migrates while a different transaction holds locks. It releases them when all clients have been served in the
   * meantime.
   */
  async function migrate(files: Record<string, string>, blocking: string): Promise<void> {
    Object.assign(applied, files);
    const { folder, remove } = testMigrations(applied);
    const holder = await db.pool.connect();
    try {
      const { rows } = await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await holder.query('BEGIN');
      await holder.query(blocking);
      const migration = migratePostgres(db.pool, { folder });
      await until('the migration waits', () => blocks(rows[0]!.pid), PATIENCE_MS);
      await allGoOn();
      await until('it still waits', () => blocks(rows[0]!.pid), PATIENCE_MS);
      await holder.query('COMMIT');
      assert.deepEqual(await migration, Object.keys(files));
    } finally {
      holder.release(true);
      remove();
    }
    await allGoOn();
    assert.deepEqual(failures, []);
  }
  const blocks = async (pid: number) =>
    (await db.pool.query('SELECT FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))', [pid])).rowCount !== 0;

  const READS_MATCHES = 'SELECT FROM match LIMIT 1';
  const WRITES_MATCHES = 'UPDATE match SET minute = minute WHERE id = -1';

  it('can add a column unknown to this version to every table', async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'schema_migration' ORDER BY relname`,
    );
    assert.ok(rows.length > 40);
    const files = rows.map(({ name }, n): [string, string] => [
      `${9_000 + n}_${name}.sql`,
      `ALTER TABLE ${name} ADD COLUMN of_next_version integer NOT NULL DEFAULT 7;\n`,
    ]);
    await migrate(Object.fromEntries(files), READS_MATCHES);
  });

  it('can build a match index', async () => {
    const sql =
      '-- no-transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS match_next ON match (of_next_version, minute);\n';
    await migrate({ '9100_match_next.sql': sql }, WRITES_MATCHES);
    const { rows } = await db.pool.query("SELECT indisvalid FROM pg_index WHERE indexrelid = 'match_next'::regclass");
    assert.deepEqual(rows, [{ indisvalid: true }]);
  });

  it('can drop a match index and a match column', async () => {
    const index =
      '-- no-transaction\n-- contract: no longer read since 0.1.0\nDROP INDEX CONCURRENTLY IF EXISTS match_next;\n';
    await migrate({ '9101_drop_match_next.sql': index }, READS_MATCHES);
    const column = '-- contract: no longer read since 0.1.0\nALTER TABLE match DROP COLUMN of_next_version;\n';
    await migrate({ '9102_drop_column.sql': column }, READS_MATCHES);
  });

  it('loses and repeats no update and no event', async () => {
    await Promise.all(clients.map((one) => one.stop()));
    const { rows: matches } = await db.pool.query<{ id: number; name: string; goals: number; sequence: number }>(
      `SELECT m.id, r.external_id AS name, m.home_score AS goals, m.sequence FROM match m
       JOIN external_ref r ON r.entity = 'match' AND r.entity_id = m.id`,
    );
    assert.deepEqual(new Map(matches.map(({ name, goals }) => [name, goals])), told);
    const sum = matches.reduce((total, { sequence }) => total + sequence, 0);
    await until('the stream has all events', () => events.length >= sum, PATIENCE_MS);
    assert.equal(events.length, sum);
    const sequences = new Map<number, number[]>();
    for (const { data } of events) {
      const { sequence, match } = data as { sequence: number; match: { id: number } };
      sequences.set(match.id, [...(sequences.get(match.id) ?? []), sequence]);
    }
    for (const { id, name, sequence } of matches)
      assert.deepEqual(
        sequences.get(id),
        Array.from({ length: sequence }, (_, n) => n + 1),
        name,
      );
    await until('the loader has all results', async () => (await loaded()) === ended.size, PATIENCE_MS);
    assert.deepEqual(failures, []);
    const errors = pods.flatMap(({ role, started }) =>
      `${started.output()}\n${started.errors()}`
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line))
        .map((line) => `${role}: ${line}`),
    );
    assert.deepEqual(errors, []);
  });

  async function loaded(): Promise<number> {
    const body = `SELECT uniqExact(match_id) FROM played_match FINAL WHERE home_score = ${GOALS}`;
    return Number(await (await fetch(clickhouse.url, { method: 'POST', body })).text());
  }
});
