import assert from 'node:assert/strict';
import { plansText } from '../../src/accounts/plans/plan-file.ts';
import { OfferedPlans } from '../../src/accounts/plans/plans.ts';
import { createKey } from '../support/accounts.ts';
import { type Service, startService } from '../support/service.ts';
import { openStream } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { openWebSocket } from '../support/websocket-client.ts';

/** Events to publish, as sport and tournament. */
const EVENTS = [
  ['football', 7],
  ['football', 8],
  ['tennis', 9],
  ['basketball', 8],
] as const;
/** One of the plans includes all tennis, and one tournament in a different sport. */
const PLANS = new OfferedPlans(
  plansText.parse(`
default: some
plans: [{ name: some, title: Some, stream: true, access: { sports: [tennis], tournaments: [7] } }]
`),
);

describe('a plan with access to some sports and tournaments', () => {
  let service: Service;
  let key: string;
  let opened: (() => void)[] = [];
  before(async () => {
    service = await startService({ plans: PLANS });
    ({ key } = await createKey(service.db.pool, service.clock, { email: 'some@example.com', plan: 'some' }, PLANS));
  });
  after(async () => {
    await service.close();
  });
  afterEach(async () => {
    for (const end of opened) end();
    opened = [];
    await until('no stream is left', () => service.deps.hub.held() + service.deps.admission.held() === 0);
  });

  const publish = () => service.publish(...EVENTS.map(([sport, tournament]) => ({ sport, tournament })));
  /** Returns the events' positions among those that were published. */
  const positions = (cursors: readonly number[], from: number) => cursors.map((cursor) => cursor - from - 1);

  for (const [asked, expected] of [
    ['', [0, 2]],
    ['sport=football', [0]],
    ['sport=football,tennis', [0, 2]],
    ['league=8,9', [2]],
    ['league=7', [0]],
    ['sport=tennis&league=7', []],
    ['sport=basketball', []],
    ['event_type=match.*', [0, 2]],
    ['event_type=match.card', []],
  ] as const) {
    it(`gives a client the requested events (${asked === '' ? 'everything' : asked}) that the plan allows, live, missed and replayed`, async () => {
      const from = service.deps.hub.head();
      const query = `key=${key}&${asked}`;
      const live = openWebSocket(`${service.app.url}/v1/stream/ws?${query}`);
      opened.push(live.cut);
      const liveSse = await openStream(`${service.app.url}/v1/stream?${query}`);
      opened.push(liveSse.close);
      await live.next('connected');
      await liveSse.until('connected');
      await publish();
      const missed = openWebSocket(`${service.app.url}/v1/stream/ws?${query}&cursor=${from}`);
      opened.push(missed.cut);
      const missedSse = await openStream(`${service.app.url}/v1/stream?${query}&last_event_id=${from}`);
      opened.push(missedSse.close);
      for (const client of [live, missed]) {
        client.say({ type: 'ping', ref: 'end' });
        await client.next('pong');
        const cursors = client.messages().flatMap((message) => (message.id === undefined ? [] : [message.cursor]));
        assert.deepEqual(positions(cursors, from), expected);
      }
      for (const stream of [liveSse, missedSse]) {
        const events = () => stream.frames().filter(({ event }) => event?.startsWith('match.'));
        await until('all have come', () => events().length === expected.length);
        assert.deepEqual(
          positions(
            events().map(({ id }) => Number(id)),
            from,
          ),
          expected,
        );
      }
      const replay = await service.app.ask<{ events: { cursor: number }[]; next_cursor: number }>(
        `/v1/stream/replay?${asked}&since=${from}`,
        { key },
      );
      assert.equal(replay.status, 200, replay.text);
      assert.deepEqual(
        positions(
          replay.json.events.map(({ cursor }) => cursor),
          from,
        ),
        expected,
      );
      assert.equal(replay.json.next_cursor, from + EVENTS.length);
    });
  }

  it('also limits the events when a client later sends a subscribe message', async () => {
    const client = openWebSocket(`${service.app.url}/v1/stream/ws?key=${key}&sport=tennis`);
    opened.push(client.cut);
    await client.next('connected');
    client.say({ type: 'subscribe', ref: 1, filters: { sport: ['football', 'basketball'] } });
    await client.next('subscribed');
    const from = service.deps.hub.head();
    await publish();
    client.say({ type: 'ping', ref: 'end' });
    await client.next('pong');
    const cursors = client.messages().flatMap((message) => (message.id === undefined ? [] : [message.cursor]));
    assert.deepEqual(positions(cursors, from), [0]);
  });
});
