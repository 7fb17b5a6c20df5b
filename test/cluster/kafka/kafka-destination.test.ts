import assert from 'node:assert/strict';
import { Kafka as KafkaClient, logLevel } from 'kafkajs';
import type { DestinationSettings } from '../../../src/webhooks/destinations/kinds.ts';
import { destinationContract } from '../../contracts/destination.ts';
import { canRunKafka, type Kafka, sharedKafka, stopSharedKafka } from '../../support/kafka.ts';
import { PASSWORD, STRANGER, USER } from '../../support/kafka-listeners.ts';
import { startMoodProxy } from '../../support/mood-proxy.ts';
import { until } from '../../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../../support/webhook-fixture.ts';

const PATIENCE = 30_000;
/** Pieces of replies to the requests before the first record: versions, metadata. */
const REPLIES = 6;

interface Seen {
  key: string | null;
  value: string;
  headers: Record<string, string>;
}

let kafka: Kafka;
let topics = 0;

const client = () => new KafkaClient({ clientId: 'test', brokers: [kafka.broker], logLevel: logLevel.NOTHING });

/** Creates a topic with several partitions, and reads it from the beginning. */
async function openTopic(settings: { name: string; value: string }[] = []) {
  topics += 1;
  const topic = `destination.${process.pid}.${topics}`;
  const admin = client().admin();
  await admin.connect();
  await admin.createTopics({ topics: [{ topic, numPartitions: 3, configEntries: settings }], waitForLeaders: true });
  const consumer = client().consumer({ groupId: `group-${topic}`, maxWaitTimeInMs: 100 });
  const seen: Seen[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: async ({ message }) => {
      const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]);
      seen.push({
        key: message.key?.toString() ?? null,
        value: String(message.value),
        headers: Object.fromEntries(headers),
      });
    },
  });
  return {
    topic,
    seen,
    admin,
    async close() {
      await consumer.disconnect();
      await admin.deleteTopics({ topics: [topic] }).catch(() => {});
      await admin.disconnect();
    },
  };
}

const settingsFor = (brokers: string[], topic: string, more: object = {}): DestinationSettings => ({
  kind: 'kafka',
  brokers,
  topic,
  mechanism: 'scram-sha-512',
  tls: false,
  username: null,
  password: null,
  ...more,
});

describe('Kafka topics of subscribers', function () {
  this.timeout(120_000);
  before(async function () {
    if (process.env.KAFKA_BROKERS !== undefined || !canRunKafka()) return this.skip();
    kafka = await sharedKafka();
  });
  after(stopSharedKafka);

  const matchIn = ({ value }: Seen): number[] => {
    const { data } = JSON.parse(value) as { data: { match?: { id: number } } };
    return data.match === undefined ? [] : [data.match.id];
  };

  destinationContract(
    'kafka',
    async () => {
      const opened = await openTopic();
      const { authority, brokers } = kafka.secured!;
      const port = Number(brokers.sasl.split(':')[1]);
      // The broker advertises its own address, so the proxy takes part only in what comes before the first record.
      const proxy = await startMoodProxy(() => port, { replies: REPLIES });
      const secured = { tls: true, username: USER, password: PASSWORD };
      return {
        settings: settingsFor([`127.0.0.1:${proxy.port}`], opened.topic, secured),
        secret: 'password',
        otherSecret: 'another password',
        elsewhere: settingsFor(['127.0.0.1:1'], opened.topic, secured),
        hostile: settingsFor(['10.0.0.1:9093'], opened.topic, secured),
        ca: authority.ca,
        matches: () => opened.seen.flatMap(matchIn),
        ids: () =>
          opened.seen.flatMap(({ headers }) => (headers['webhook-id'] === undefined ? [] : [headers['webhook-id']])),
        behave: (mood) => proxy.behave(mood),
        async close() {
          await proxy.close();
          await opened.close();
        },
      };
    },
    { hasIds: true },
  );

  describe('records', () => {
    let fixture: WebhookFixture;
    let opened: Awaited<ReturnType<typeof openTopic>>;
    beforeEach(async () => {
      fixture = await createWebhookFixture();
      opened = await openTopic([{ name: 'max.message.bytes', value: '2000' }]);
    });
    afterEach(async () => {
      await fixture.close();
      await opened.close();
    });
    const logged = (id: number, count = 1) =>
      until(`${count} attempts are logged`, async () => (await fixture.attempts(id)).length >= count, PATIENCE);

    it('have the match as their key, and the event id and the signature as headers', async () => {
      await fixture.create({ destination: settingsFor([kafka.broker], opened.topic) });
      await fixture.dispatch();
      const ids = await fixture.publish({ match: 3 }, { match: 4 }, { match: 3 });
      await until('all have come', () => opened.seen.length === 3, PATIENCE);
      assert.deepEqual(opened.seen.map(({ key }) => key).sort(), ['3', '3', '4']);
      const ofThree = opened.seen.filter(({ key }) => key === '3').map(({ headers }) => headers['webhook-id']);
      assert.deepEqual(ofThree, [ids[0], ids[2]]);
      for (const { headers, value } of opened.seen) {
        assert.match(headers['webhook-signature']!, /^v1,/);
        assert.equal((JSON.parse(value) as { id: string }).id, headers['webhook-id']);
      }
    });

    for (const [what, more, failure] of [
      ['a wrong password', { password: 'wrong' }, 'the user name or the password is wrong'],
      ['a user without rights', { username: STRANGER }, 'the user may not write to the topic'],
    ] as const) {
      it(`fail with a reason for ${what}`, async () => {
        const { authority, brokers } = kafka.secured!;
        const secured = { tls: true, username: USER, password: PASSWORD, ...more };
        const { id } = await fixture.create({ destination: settingsFor([brokers.sasl], opened.topic, secured) });
        await fixture.dispatch({ ca: authority.ca });
        await fixture.publish({ match: 3 });
        await logged(id);
        const [attempt] = await fixture.attempts(id);
        assert.deepEqual([attempt!.failure, attempt!.cause], [failure, 'rejected']);
      });
    }

    it('fail while the topic is missing, and arrive when it is back', async () => {
      const { id } = await fixture.create({ destination: settingsFor([kafka.broker], opened.topic) });
      await fixture.dispatch();
      await fixture.publish({ match: 3 });
      await until('it has come', () => opened.seen.length === 1, PATIENCE);
      await opened.admin.deleteTopics({ topics: [opened.topic] });
      await until('the topic is gone', async () => !(await opened.admin.listTopics()).includes(opened.topic), PATIENCE);
      await fixture.publish({ match: 3 });
      await logged(id, 2);
      const [attempt] = await fixture.attempts(id);
      assert.deepEqual([attempt!.failure, attempt!.cause], ['the topic does not exist', 'rejected']);
      await opened.admin.createTopics({ topics: [{ topic: opened.topic, numPartitions: 1 }], waitForLeaders: true });
      fixture.clock.advance(7_000);
      await until('it is delivered', async () => (await fixture.read(id)).pending === 0, PATIENCE);
      const [offsets] = await opened.admin.fetchTopicOffsets(opened.topic);
      assert.equal(offsets!.high, '1');
    });

    it('that are too large fail without an effect on others', async () => {
      const { id } = await fixture.create({ destination: settingsFor([kafka.broker], opened.topic) });
      await fixture.dispatch();
      await fixture.publish({ match: 3, previous: { text: 'x'.repeat(3_000) } }, { match: 4 }, { match: 5 });
      await until('the others have come', () => opened.seen.length === 2, PATIENCE);
      await logged(id, 3);
      const failed = (await fixture.attempts(id)).filter(({ failure }) => failure !== null);
      assert.deepEqual(
        failed.map(({ failure }) => failure),
        ['the event is larger than the topic allows'],
      );
    });

    it('go to no private address that the metadata name', async () => {
      // The broker is reached by a name that is allowed, but names 127.0.0.1 in its metadata.
      const { createGuard } = await import('../../../src/outbound/address-guard.ts');
      const { openSender } = await import('../../../src/webhooks/destinations/attempt.ts');
      const { openDestinations } = await import('../../../src/webhooks/destinations/connections.ts');
      const guard = createGuard({ allow: [`http://localhost:${kafka.broker.split(':')[1]}`] });
      const { id } = await fixture.create({ destination: settingsFor([kafka.broker], opened.topic) });
      const renamed = settingsFor([kafka.broker.replace('127.0.0.1', 'localhost')], opened.topic);
      await fixture.db.pool.query('UPDATE webhook_subscription SET destination = $1', [JSON.stringify(renamed)]);
      const sender = openSender({ guard });
      await fixture.dispatch({ sender, destinations: openDestinations({ guard, sender }) });
      await fixture.publish({ match: 3 });
      await logged(id);
      const [attempt] = await fixture.attempts(id);
      assert.deepEqual([attempt!.cause, opened.seen.length], ['address', 0]);
    });
  });
});
