import assert from 'node:assert/strict';
import mqtt, { type IPublishPacket, type MqttClient } from 'mqtt';
import type { DestinationSettings } from '../../../src/webhooks/destinations/kinds.ts';
import { destinationContract } from '../../contracts/destination.ts';
import { startMoodProxy } from '../../support/mood-proxy.ts';
import { canRunMosquitto, type Mosquitto, MQTT_PASSWORD, MQTT_USER, startMosquitto } from '../../support/mosquitto.ts';
import { until } from '../../support/until.ts';
import { createWebhookFixture, type WebhookFixture } from '../../support/webhook-fixture.ts';

const PATIENCE = 20_000;

interface Seen {
  topic: string;
  payload: string;
  retain: boolean;
  properties: IPublishPacket['properties'];
}

/** Connects a subscriber to everything. */
async function subscribe(broker: Mosquitto): Promise<{ seen: Seen[]; client: MqttClient }> {
  const seen: Seen[] = [];
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, {
    protocolVersion: 5,
    username: MQTT_USER,
    password: MQTT_PASSWORD,
  });
  client.on('message', (topic, payload, { retain, properties }) =>
    seen.push({ topic, payload: payload.toString(), retain, properties }),
  );
  await client.subscribeAsync('#', { qos: 1, rap: true });
  return { seen, client };
}

const settingsFor = (port: number, more: object = {}): DestinationSettings => ({
  kind: 'mqtt',
  broker: `127.0.0.1:${port}`,
  prefix: 'touchline',
  home_assistant: true,
  tls: false,
  username: MQTT_USER,
  password: MQTT_PASSWORD,
  ...more,
});

describe('MQTT', function () {
  this.timeout(60_000);
  before(function () {
    if (!canRunMosquitto()) this.skip();
  });

  destinationContract(
    'mqtt',
    async () => {
      const broker = await startMosquitto();
      const proxy = await startMoodProxy(() => broker.port, { replies: 2 });
      const { seen, client } = await subscribe(broker);
      return {
        settings: settingsFor(proxy.port),
        secret: 'password',
        otherSecret: 'another password',
        elsewhere: settingsFor(1),
        hostile: settingsFor(8_883, { broker: '10.0.0.1:8883', tls: true }),
        matches: () =>
          seen.flatMap(({ topic }) => {
            const [, match] = /^touchline\/football\/7\/(\d+)\/match\./.exec(topic) ?? [];
            return match === undefined ? [] : [Number(match)];
          }),
        ids: () =>
          seen
            .filter(({ topic }) => /\/match\.[a-z_]+$/.test(topic))
            .map(({ payload }) => (JSON.parse(payload) as { id: string }).id),
        behave: (mood) => proxy.behave(mood),
        async close() {
          await client.endAsync(true);
          await proxy.close();
          await broker.stop();
        },
      };
    },
    { hasIds: true },
  );

  describe('messages', () => {
    let fixture: WebhookFixture;
    let broker: Mosquitto;
    let seen: Seen[];
    let client: MqttClient;
    beforeEach(async () => {
      fixture = await createWebhookFixture();
      broker = await startMosquitto();
      ({ seen, client } = await subscribe(broker));
    });
    afterEach(async () => {
      await fixture.close();
      await client.endAsync(true);
      await broker.stop();
    });
    const find = (topic: string) => seen.findLast((one) => one.topic === topic);
    const have = (topic: string) => until(`${topic} is published`, () => find(topic) !== undefined, PATIENCE);
    const json = (topic: string) => JSON.parse(find(topic)!.payload) as Record<string, unknown>;

    it('are the event with its signature, and the retained state of its match', async () => {
      await fixture.create({ destination: settingsFor(broker.port, { prefix: 'home/scores' }) });
      await fixture.dispatch();
      const [id] = await fixture.publish({ match: 3 });
      await have('home/scores/football/7/3/state');
      const event = find('home/scores/football/7/3/match.goal')!;
      assert.deepEqual([event.retain, (JSON.parse(event.payload) as { id: string }).id], [false, id]);
      const headers = event.properties!.userProperties!;
      assert.equal(headers['webhook-id'], id);
      assert.match(String(headers['webhook-signature']), /^v1,/);
      const state = json('home/scores/football/7/3/state');
      assert.deepEqual([state.state, state.minute, state.tournament], ['1–0', 10, 'First League']);
      // A subscriber that comes later gets the state at once.
      const late = await subscribe(broker);
      await until('the state is retained', () =>
        late.seen.some(({ topic }) => topic === 'home/scores/football/7/3/state'),
      );
      assert.ok(!late.seen.some(({ topic }) => topic.endsWith('match.goal')));
      assert.ok(late.seen[0]!.properties!.messageExpiryInterval! <= 86_400);
      await late.client.endAsync(true);
    });

    it('make a sensor for each match in Home Assistant, once', async () => {
      const { id } = await fixture.create({ destination: settingsFor(broker.port) });
      await fixture.dispatch();
      await fixture.publish({ match: 3 }, { match: 3 }, { match: 4 });
      const topic = (match: number) => `homeassistant/sensor/touchline_${id}/match_${match}/config`;
      await have(topic(4));
      assert.equal(seen.filter((one) => one.topic === topic(3)).length, 1);
      const config = json(topic(3));
      assert.deepEqual(
        [config.name, config.unique_id, config.state_topic, config.json_attributes_topic, config.value_template],
        [
          'Home – Away',
          `touchline_${id}_match_3`,
          'touchline/football/7/3/state',
          'touchline/football/7/3/state',
          '{{ value_json.state }}',
        ],
      );
    });

    it('make a sensor for each team that the subscription names, which shows its newest match', async () => {
      const { id } = await fixture.create({ destination: settingsFor(broker.port), participantIds: [2] });
      await fixture.dispatch();
      await fixture.publish({ match: 3 }, { match: 4, sides: [2, 9], name: 'Two' });
      await until(
        'both matches are shown',
        () => seen.filter(({ topic }) => topic === 'touchline/team/2').length === 2,
        PATIENCE,
      );
      const sensors = seen.filter(({ topic }) => topic.startsWith('homeassistant/')).map(({ topic }) => topic);
      assert.deepEqual(sensors, [`homeassistant/sensor/touchline_${id}/team_2/config`]);
      assert.equal(json('touchline/team/2').id, 4);
      assert.equal(find('touchline/team/2')!.properties?.messageExpiryInterval, undefined);
    });

    it('leave out sensors if the owner does not want them', async () => {
      await fixture.create({ destination: settingsFor(broker.port, { home_assistant: false }) });
      await fixture.dispatch();
      await fixture.publish({ match: 3 });
      await have('touchline/football/7/3/state');
      assert.ok(!seen.some(({ topic }) => topic.startsWith('homeassistant/')));
    });

    it('are refused with the reason for a wrong password', async () => {
      const { id } = await fixture.create({ destination: settingsFor(broker.port, { password: 'wrong' }) });
      await fixture.dispatch();
      await fixture.publish({ match: 3 });
      await until('the attempt is logged', async () => (await fixture.attempts(id)).length === 1, PATIENCE);
      const [attempt] = await fixture.attempts(id);
      assert.deepEqual([attempt!.failure, attempt!.cause], ['the user name or the password is wrong', 'rejected']);
    });

    it('arrive after the broker has crashed and started again', async () => {
      const { id } = await fixture.create({ destination: settingsFor(broker.port) });
      await fixture.dispatch();
      await fixture.publish({ match: 3 });
      await until('it is delivered', async () => (await fixture.attempts(id)).length === 1, PATIENCE);
      await broker.kill();
      await fixture.publish({ match: 4 });
      await until('the attempt has failed', async () => (await fixture.read(id)).pending === 1, PATIENCE);
      await broker.start();
      await until('the subscriber is back', () => client.connected, PATIENCE);
      fixture.clock.advance(7_000);
      await have('touchline/football/7/4/state');
    });
  });
});
