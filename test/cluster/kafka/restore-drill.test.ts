/**
 * The drill in docs/operations.md, in which all stores are lost. Postgres is restored to a point in time, and Kafka and
 * ClickHouse come back empty.
 */
import assert from 'node:assert/strict';
import { Kafka, logLevel } from 'kafkajs';
import pg from 'pg';
import { createKey } from '../../support/accounts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../../support/clickhouse-server.ts';
import { FEED_TOKEN } from '../../support/http.ts';
import { canRunKafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { LONG_FORMS } from '../../support/long-forms.ts';
import { killAll, type Pod, podEnv, startPod } from '../../support/pods.ts';
import { run } from '../../support/process.ts';
import { type RestorablePostgres, startRestorablePostgres } from '../../support/restorable-postgres.ts';
import { eventSource, type Source } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';

const PATIENCE_MS = 60_000;
const PLAYED = 12;
const LIVE = 'live';

after(stopSharedKafka);

/**
 * With `all`, every store is lost. With `postgres`, only Postgres is lost, so that Kafka and ClickHouse have data that
 * it lacks.
 */
for (const lost of LONG_FORMS ? (['all', 'postgres'] as const) : (['all'] as const))
  describe(`the drill after losing ${lost === 'all' ? 'all stores' : 'Postgres'}`, function () {
    this.timeout(300_000);
    let postgres: RestorablePostgres;
    let clickhouse: ClickHouseServer;
    let receiver: Receiver;
    let broker: string;
    let env: Record<string, string>;
    let pod: Pod;
    let key: string;
    let database: pg.Pool;
    const topic = `touchline.drill.${lost}.${process.pid}`;
    const pods: Pod[] = [];
    const sources: Source[] = [];

    before(async function () {
      if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) this.skip();
      broker = (await sharedKafka()).broker;
      [postgres, clickhouse, receiver] = await Promise.all([
        startRestorablePostgres(),
        startClickHouseServer(),
        startReceiver(),
      ]);
      env = {
        ...podEnv(postgres.url, { KAFKA_BROKERS: broker, KAFKA_TOPIC: topic, CLICKHOUSE_URL: clickhouse.url }),
        WEBHOOK_ALLOW: 'http://127.0.0.1:*',
      };
      await begin();
      database = new pg.Pool({ connectionString: postgres.url });
      database.on('error', () => {});
      ({ key } = await createKey(database, { now: () => Date.now() }, { email: 'a@example.com', plan: 'business' }));
      const account = ['--account', 'a@example.com', '--url', receiver.url, '--event-types', 'match.goal'];
      const made = await run(['webhook', 'create', ...account], { env });
      assert.equal(made.code, 0, made.err);
      await database.query('UPDATE webhook_subscription SET unconfirmed_since = NULL, version = version + 1');
    });
    after(async () => {
      for (const source of sources) source.close();
      await killAll(pods);
      await database?.end();
      await receiver?.close();
      await clickhouse?.stop();
      await postgres?.close();
    });

    function listen(lastEventId?: string): Source {
      const source = eventSource(`${pod.url}/v1/stream?key=${key}`, {
        ...(lastEventId !== undefined && { lastEventId }),
      });
      sources.push(source);
      return source;
    }
    async function begin(): Promise<void> {
      pod = await startPod('all', env);
      pods.push(pod);
    }
    const ask = async <T>(path: string): Promise<{ status: number; json: T }> => {
      const reply = await fetch(`${pod.url}${path}`, { headers: { 'X-API-Key': key } });
      return { status: reply.status, json: (await reply.json()) as T };
    };
    let observations = 0;
    const match = (id: string, state: object) => ({
      schema: 1,
      kind: 'match',
      provider: 'drill',
      observed_at: new Date(Date.now() - 120_000 + ++observations * 10).toISOString(),
      match: {
        id,
        sport: 'football',
        tournament: { name: 'League of the drill', country: 'INT' },
        season: { label: '2026' },
        home: { name: `Home of ${id}` },
        away: { name: `Away of ${id}` },
        scheduled_start: new Date(Date.now() - 3_600_000).toISOString(),
        ...state,
      },
    });
    async function feed(...updates: object[]): Promise<void> {
      const reply = await fetch(`${pod.url}/feed/v1/updates`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${FEED_TOKEN}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(updates),
      });
      const { accepted, unchanged, rejected } = (await reply.json()) as Record<string, number>;
      assert.deepEqual([accepted! + unchanged!, rejected], [updates.length, []]);
    }
    const played = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) =>
        match(`played ${from + index}`, { status: 'finished', score: { home: 2, away: (from + index) % 3 } }),
      );
    /** Returns the live match's state, as its provider knows it. */
    const live = (...goals: string[]) =>
      match(LIVE, {
        status: 'live',
        score: { home: goals.length, away: 0 },
        incidents: goals.map((id, index) => ({ id, kind: 'goal', side: 'home', minute: index + 1 })),
      });
    const goals = ({ events }: Source) => events.filter(({ type }) => type === 'match.goal');
    const eventsOfMatches = ({ events }: Source) => events.filter(({ type }) => type.startsWith('match.'));
    const webhooks = () => receiver.received.filter(({ type }) => type === 'match.goal');

    const liveId = async () =>
      (
        await database.query<{ id: number }>(
          "SELECT entity_id AS id FROM external_ref WHERE entity = 'match' AND provider = 'drill' AND external_id = $1",
          [LIVE],
        )
      ).rows[0]!.id;
    /**
     * Returns the card and the list that clients get. The time of the last change is left out, since background jobs
     * change it too.
     */
    async function served(): Promise<string> {
      const id = await liveId();
      const { json: card } = await ask<{ tournament_id: number }>(`/v1/event/${id}`);
      const { json: list } = await ask<object>('/v1/events?sport=football&limit=50');
      return JSON.stringify({ card, list }, (name, value) => (name === 'updated_at' ? undefined : value));
    }
    /** Returns the league's profile, or the problem while ClickHouse is away. */
    async function analytics(): Promise<string> {
      const { rows } = await database.query<{ id: number }>(
        "SELECT id FROM tournament WHERE name = 'League of the drill'",
      );
      const { json } = await ask<{ computed_at?: string }>(`/v1/tournament/${rows[0]!.id}/profile`);
      const { computed_at: _computed, ...rest } = json;
      return JSON.stringify(rest);
    }
    const loaded = async () =>
      (
        await database.query<{ done: boolean }>(
          `SELECT loaded_cursor = change_seq AND next_era IS NULL AND NOT EXISTS (SELECT FROM match_touch) AS done
           FROM analytics_loader, relay`,
        )
      ).rows[0]!.done;

    it('serves the restored state, repeats no cursor and no event id, and reports what was lost', async () => {
      // Feeds matches before the backup, between the backup and the point in time, and after that point. Only the last ones are lost.
      await feed(...played(0, 6), live());
      const stream = listen();
      await until('the stream is open', () => stream.connects === 1, PATIENCE_MS);
      await feed(live('g1'));
      await postgres.backup();
      await feed(...played(6, PLAYED), live('g1', 'g2'));
      await until('two goals are delivered', () => webhooks().length === 2 && goals(stream).length === 2, PATIENCE_MS);
      await until('the loader has all', loaded, PATIENCE_MS);
      // Waits for the webhooks' positions, which are saved twice a second.
      await until(
        'the position is saved',
        async () =>
          (await database.query('SELECT position >= base + last_offset AS saved FROM webhook_subscription, relay'))
            .rows[0].saved,
        PATIENCE_MS,
      );
      // Waits, since a reply may be up to a minute older than its matches.
      await until(
        'the analytics have all matches',
        async () => (await analytics()).includes(`"matches":${PLAYED},`),
        2 * PATIENCE_MS,
      );
      const before = { served: await served(), analytics: await analytics() };
      const sync = await ask<{ next_cursor: string; has_more: boolean }>('/v1/sync?limit=500');
      assert.equal(sync.json.has_more, false);
      const time = await postgres.mark();
      const known = stream.lastEventId;
      await feed(...played(PLAYED, PLAYED + 3), live('g1', 'g2', 'lost 1', 'lost 2'));
      await until(
        'the lost goals are delivered',
        () => webhooks().length === 4 && goals(stream).length === 4,
        PATIENCE_MS,
      );
      const seen = eventsOfMatches(stream);
      const lastSync = await ask<{ next_cursor: string }>(`/v1/sync?limit=500&cursor=${sync.json.next_cursor}`);
      stream.close();

      await pod.kill();
      await postgres.lose();
      if (lost === 'all') {
        const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin();
        await admin.connect();
        await admin.deleteTopics({ topics: [topic] });
        await admin.disconnect();
        await clickhouse.stop();
      }

      // Restores Postgres first, because it is the source of truth, then starts the empty stores, and then the service.
      const begun = performance.now();
      const took: Record<string, number> = {};
      const note = (what: string) => {
        took[what] = Math.round(performance.now() - begun);
      };
      await postgres.restoreTo(time);
      note('Postgres restored');
      if (lost === 'all') {
        clickhouse = await startClickHouseServer();
        env.CLICKHOUSE_URL = clickhouse.url;
      }
      await begin();
      note('service ready');
      assert.equal(await served(), before.served);
      note('cards and lists served');

      // Waits until the relay has noticed the restore, because events from before that may fall into the gap of the two clients.
      await until(
        'the relay has noticed the restore',
        async () => (await database.query('SELECT base >= 1000000000 AS passed FROM relay')).rows[0].passed,
        PATIENCE_MS,
      );
      const returned = [listen(seen.at(-1)!.id), listen(known)];
      if (lost === 'all')
        await until(
          'both have their gap',
          () => returned.every(({ events }) => events.some(({ type }) => type === 'stream.gap')),
          PATIENCE_MS,
        );
      await feed(live('g1', 'g2', 'g3'));
      await until('the next goal has come', () => returned.every((source) => goals(source).length > 0), PATIENCE_MS);
      note('next goal on streams');
      const delivered = () => new Set(webhooks().map(({ id }) => id));
      await until('the next goal is delivered', () => delivered().size === 5, PATIENCE_MS);
      note('next goal at webhooks');
      await until('the loader has all again', loaded, PATIENCE_MS);
      await until(
        'the analytics are as they were',
        async () => (await analytics()) === before.analytics,
        2 * PATIENCE_MS,
      );
      note('analytics rebuilt');

      const gaps = returned.map(({ events }) => events.filter(({ type }) => type === 'stream.gap'));
      if (lost === 'all')
        assert.ok(
          gaps.every((frames) => frames.length > 0),
          'clients have to read the state again',
        );
      const contents = new Map(seen.map(({ id, data }) => [id, data]));
      const ids = new Set(seen.map(({ data }) => (JSON.parse(data) as { id: string }).id));
      for (const { id, data } of returned.flatMap(eventsOfMatches)) {
        if (contents.get(id) === data) continue;
        assert.ok(Number(id) > Number(seen.at(-1)!.id), `${id} was the cursor of a lost event`);
        assert.ok(!ids.has((JSON.parse(data) as { id: string }).id), `${data} has the id of a lost event`);
      }
      // Every event id has only one body. The log's events after the restored position are sent again, and nothing else is.
      const bodies = new Map(webhooks().map(({ id, body }) => [id, body]));
      for (const { id, body } of webhooks()) assert.equal(body, bodies.get(id));
      const scores = [...bodies.values()].map(
        (body) => (JSON.parse(body) as { data: { match: { home: { score: number } } } }).data.match.home.score,
      );
      assert.deepEqual(scores, [1, 2, 4, 4, 3]);
      assert.equal(webhooks().length - bodies.size, lost === 'all' ? 0 : 2);

      // A sync client that has the lost state receives the restored state.
      const again = await ask<{ events: { id: number; participants: { score: number }[] }[] }>(
        `/v1/sync?limit=500&cursor=${lastSync.json.next_cursor}`,
      );
      const id = await liveId();
      const [synced] = again.json.events.filter((one) => one.id === id);
      assert.deepEqual(
        synced?.participants.map(({ score }) => score),
        [3, 0],
      );
      console.log(
        `      ${Object.entries(took)
          .map(([what, ms]) => `${what} after ${(ms / 1_000).toFixed(1)} s`)
          .join(', ')}`,
      );
      console.log('      lost: 3 results, 2 goals, which providers send again');
    });
  });
