/** Readers with a rack (KIP-392): three real brokers in three zones, and what each of them sends. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { transaction } from '../../../src/db/postgres.ts';
import { LogAway } from '../../../src/events/event-log.ts';
import { followLog } from '../../../src/events/follower.ts';
import { openCluster as connect } from '../../../src/events/kafka-cluster.ts';
import { type KafkaLog, openKafkaLog } from '../../../src/events/kafka-log.ts';
import { relayLease } from '../../../src/events/relay-lease.ts';
import { createRing } from '../../../src/events/ring.ts';
import { playing } from '../../contracts/streams-over-pods.ts';
import { openCluster } from '../../support/cluster.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventWriter } from '../../support/events.ts';
import { canRunKafka } from '../../support/kafka.ts';
import { type RackBroker, type RackBrokers, startRackBrokers } from '../../support/kafka-brokers.ts';
import { LONG_FORMS } from '../../support/long-forms.ts';
import { eventSource } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';

const ZONES = ['zone-a', 'zone-b', 'zone-c'];
const EVENTS = 300;
const PATIENCE_MS = 60_000;
const logger = pino({ level: process.env.LOG_LEVEL ?? 'silent' });

describe('readers in three zones, on three brokers', function () {
  this.timeout(180_000);
  let kafka: RackBrokers;
  let db: TestDatabase;
  let topic: string;
  let topics = 0;
  const open: { close(): Promise<void> }[] = [];
  before(async function () {
    const reason =
      process.env.KAFKA_BROKERS !== undefined || !canRunKafka()
        ? 'Java and Maven are needed for three brokers'
        : LONG_FORMS
          ? null
          : 'three brokers take two minutes, so only the nightly run starts them (LONG_FORMS=1)';
    if (reason !== null) {
      console.log(`      SKIPPED: ${reason}`);
      this.skip();
    }
    kafka = await startRackBrokers(ZONES);
  });
  beforeEach(async () => {
    db = await createTestDatabase();
    topics += 1;
    topic = `touchline.zones.${topics}`;
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
    await db.drop();
  });
  after(() => kafka?.stop());

  const addresses = () => kafka.brokers.map(({ broker }) => broker);
  async function openLog(kafkaRack?: string): Promise<KafkaLog> {
    for (const end = performance.now() + PATIENCE_MS; ; ) {
      try {
        const log = await openKafkaLog({ brokers: addresses(), topic, access: { kafkaRack }, pool: db.pool, logger });
        open.push(log);
        return log;
      } catch (error) {
        // Tries again as a role does, since not all brokers know a new topic at once.
        if (!(error instanceof LogAway) || performance.now() > end) throw error;
      }
    }
  }

  /** Returns the broker that leads the topic's partition, and those that follow. The first follower is not the controller. */
  async function roles(): Promise<{ leader: RackBroker; followers: [RackBroker, RackBroker] }> {
    const { cluster, close } = connect({ brokers: addresses(), topic, debug: () => {} });
    await cluster.connect();
    await cluster.addTargetTopic(topic);
    const [partition] = cluster.findTopicPartitionMetadata(topic);
    close();
    assert.equal(partition!.replicas.length, 3);
    const leader = kafka.brokers.find(({ id }) => id === partition!.leader)!;
    const [first, second] = kafka.brokers.filter((one) => one !== leader).sort((a, b) => b.id - a.id);
    return { leader, followers: [first!, second!] };
  }

  /** Follows the log as a stream process does. @returns the envelopes that have arrived so far */
  async function follow(log: KafkaLog): Promise<string[]> {
    const seen: string[] = [];
    const ring = createRing(0, 50_000);
    const follower = await followLog({
      log,
      ring,
      capacity: 50_000,
      everyMs: 10,
      logger,
      async onEntries() {
        while (seen.length < ring.end()) seen.push(ring.at(seen.length).envelope);
      },
      onGap: async () => assert.fail('a gap'),
    });
    open.push({ close: () => follower.stop() });
    return seen;
  }

  /** Appends events as the relay does, a few at a time. @returns the envelopes */
  async function append(log: KafkaLog, count: number, isEnough: () => boolean = () => false): Promise<string[]> {
    const events = eventWriter();
    const written: string[] = [];
    const lease = await transaction(db.pool, async (client) => {
      await client.query("UPDATE relay SET expires_at = '-infinity'");
      return relayLease.take(client, 'test');
    });
    while (written.length < count && !isEnough()) {
      written.push(...(await events.write(db.pool, [{ match: 1 }, { match: 2 }, { match: 3 }])));
      // An append fails while a broker that has just gone still counts as in sync. The relay repeats it.
      while ((await log.move(lease!).catch(() => 1)) > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return written;
  }

  const haveArrived = (readers: readonly string[][], written: readonly string[]) =>
    until('all events have arrived', () => readers.every((seen) => seen.length >= written.length), PATIENCE_MS);

  /** Returns what each broker sends while readers with these racks follow the log. */
  async function sentTo(racks: readonly (string | undefined)[]) {
    const writer = await openLog();
    const { leader, followers } = await roles();
    const readers = await Promise.all(racks.map(async (rack) => follow(await openLog(rack))));
    // The first events are read from the leader, which also names the replica.
    const written = await append(writer, 3);
    await haveArrived(readers, written);
    const before = new Map(kafka.brokers.map((one) => [one, one.bytesSent()]));
    written.push(...(await append(writer, EVENTS)));
    await haveArrived(readers, written);
    for (const seen of readers) assert.deepEqual(seen, written);
    const sent = (broker: RackBroker) => broker.bytesSent() - before.get(broker)!;
    return { leader: sent(leader), followers: followers.map(sent) };
  }

  it('without a rack, the leader serves all of them', async () => {
    const { leader, followers } = await sentTo([undefined, undefined, undefined]);
    assert.ok(leader > 0);
    assert.deepEqual(followers, [0, 0]);
  });

  it('with racks, each broker serves the reader in its zone', async () => {
    const { leader, followers } = await sentTo(ZONES);
    const all = leader + followers[0]! + followers[1]!;
    console.log(`    of ${all} bytes, the leader sent ${leader}, and the followers ${followers.join(' and ')}`);
    // The leader also sends what the writer checks.
    assert.ok(leader < 0.6 * all, `${leader} of ${all}`);
    for (const bytes of followers) assert.ok(bytes > 0.2 * all, `${bytes} of ${all}`);
  });

  it('a reader in a zone without a broker is served by the leader', async () => {
    const { leader, followers } = await sentTo(['zone-d']);
    assert.ok(leader > 0);
    assert.deepEqual(followers, [0, 0]);
  });

  for (const [fault, fail, repair] of [
    ['is killed', (one: RackBroker) => one.kill(), (one: RackBroker) => one.start()],
    ['hangs', async (one: RackBroker) => one.pause(), async (one: RackBroker) => one.resume()],
  ] as const)
    it(`no event is lost or repeated if the replica ${fault}, and the replica serves again afterwards`, async () => {
      const writer = await openLog();
      const { followers } = await roles();
      const [nearby] = followers;
      const seen = await follow(await openLog(nearby.rack));
      const written = await append(writer, 30);
      await until('the replica serves', () => nearby.bytesSent() > 0 && seen.length >= 30, PATIENCE_MS);
      await fail(nearby);
      written.push(...(await append(writer, 30)));
      await haveArrived([seen], written);
      await repair(nearby);
      const before = nearby.bytesSent();
      written.push(...(await append(writer, 30_000, () => nearby.bytesSent() > before)));
      await haveArrived([seen], written);
      assert.deepEqual(seen, written);
    });

  it('a stream process with KAFKA_RACK gets the events from the replica in its zone', async () => {
    await openLog();
    const { leader, followers } = await roles();
    const env = { KAFKA_BROKERS: addresses().join(), KAFKA_TOPIC: topic, KAFKA_RACK: followers[0].rack };
    const cluster = await openCluster({ db, maxStreams: 2, env });
    open.push(cluster);
    const source = eventSource(`${cluster.url}/v1/stream?key=${cluster.key}`, { hurry: 10 });
    open.push({ close: async () => source.close() });
    await until('the stream is open', () => source.lastEventId !== '', PATIENCE_MS);
    const { tell } = playing(cluster.ingest.url, 'zones');
    async function play(rounds: number): Promise<void> {
      for (let round = 0; round < rounds; round += 1) await tell();
      const { rows } = await db.pool.query<{ events: number }>('SELECT sum(sequence)::int AS events FROM match');
      await until('all events have arrived', () => source.events.length >= rows[0]!.events, PATIENCE_MS);
    }
    await play(1);
    const before = [leader.bytesSent(), followers[0].bytesSent()] as const;
    await play(20);
    const [fromLeader, fromReplica] = [leader.bytesSent() - before[0], followers[0].bytesSent() - before[1]];
    console.log(`    the leader sent ${fromLeader} bytes, and the replica ${fromReplica}`);
    assert.ok(fromReplica > 4 * fromLeader, `${fromReplica}, ${fromLeader}`);
  });
});
