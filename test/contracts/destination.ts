/** The contract that every kind of destination keeps, with a real receiver, on the whole path of a webhook. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBuckets } from '../../src/http/index.ts';
import { subscriptionItem } from '../../src/webhooks/api/subscription-item.ts';
import { sendTest } from '../../src/webhooks/delivery/requested-event.ts';
import { openSender } from '../../src/webhooks/destinations/attempt.ts';
import { openDestinations } from '../../src/webhooks/destinations/connections.ts';
import type { DestinationSettings } from '../../src/webhooks/destinations/kinds.ts';
import { reencryptSecrets } from '../../src/webhooks/subscriptions/secret-reencryption.ts';
import { changeSubscription, type NewSubscription } from '../../src/webhooks/subscriptions/subscription.ts';
import { BUILT_IN_PLANS } from '../support/accounts.ts';
import type { DispatcherOptions } from '../support/dispatcher-child.ts';
import { launcher } from '../support/launcher.ts';
import { LONG_FORMS } from '../support/long-forms.ts';
import { until } from '../support/until.ts';
import { ALLOW, createWebhookFixture, SECRET_KEYS, type WebhookFixture } from '../support/webhook-fixture.ts';

export type Mood = 'accepts' | 'refuses' | 'hangs' | 'closes';

export interface DestinationReceiver {
  settings: DestinationSettings;
  /** The setting that is a secret, and another valid value for it. */
  secret: string;
  otherSecret: string;
  /** The same settings for another receiver, which must not get the stored secret. Null if the secret is the address. */
  elsewhere: DestinationSettings | null;
  /** Settings with a private address that the service may not use. */
  hostile: DestinationSettings;
  /** Certificates that the service has to trust. */
  ca?: string | undefined;
  /** Returns what was accepted, in order: the match of each event. */
  matches(): number[];
  /** Returns the ids of the accepted events, in order. Missing if messages have no ids. */
  ids?(): string[];
  /** Resolves when the receiver behaves so. A kind that has no way to refuse an event hangs instead. */
  behave(mood: Mood): Promise<void> | void;
  close(): Promise<void>;
}

const PATIENCE = 30_000;
const SECONDS = 1_000;
/** Number of dispatchers that are killed, and of matches meanwhile. */
const KILLS = LONG_FORMS ? 12 : 3;
const MATCHES = 9;

/**
 * @param start starts an empty receiver
 * @param hasIds whether messages have ids, so that an event can be recognized
 */
export function destinationContract(
  kind: string,
  start: (fixture: WebhookFixture) => Promise<DestinationReceiver>,
  { hasIds = false } = {},
): void {
  describe(`a destination of the kind ${kind}`, function () {
    this.timeout(90_000);
    let fixture: WebhookFixture;
    let receiver: DestinationReceiver;

    beforeEach(async () => {
      fixture = await createWebhookFixture();
      receiver = await start(fixture);
    });
    afterEach(async () => {
      await receiver.behave('accepts');
      await fixture.close();
      await receiver.close();
    });

    const create = (more: Partial<NewSubscription> = {}) => fixture.create({ destination: receiver.settings, ...more });
    const dispatch = (timeoutMs = 8_000) =>
      fixture.dispatch({ timeoutMs, ...(receiver.ca !== undefined && { ca: receiver.ca }) });
    const publish = (...matches: number[]) =>
      fixture.publish(...matches.map((match) => ({ match, type: 'match.started' as const })));
    const accepted = (count: number) =>
      until(`${count} events are accepted`, () => receiver.matches().length >= count, PATIENCE);
    /** Lets retries become due until this many events are accepted. On a busy machine, a retry may fail as well. */
    const acceptedByRetries = async (id: number, count: number) => {
      for (let turn = 0; turn < 100 && receiver.matches().length < count; turn += 1) {
        await sleep(100);
        if ((await fixture.read(id)).pending > 0) fixture.clock.advance(70 * SECONDS);
      }
      await accepted(count);
    };
    const withSecret = (value: string | null) =>
      ({ ...receiver.settings, [receiver.secret]: value }) as DestinationSettings;
    const secretOf = (settings: DestinationSettings) =>
      (settings as unknown as Record<string, string>)[receiver.secret]!;

    it('gets each event once, and keeps the order of each match', async () => {
      const { id } = await create();
      await dispatch();
      await publish(1, 2, 1, 3, 2, 1);
      await accepted(6);
      const counts = [1, 2, 3].map((match) => receiver.matches().filter((one) => one === match).length);
      assert.deepEqual(counts, [3, 2, 1]);
      await until('all are logged', async () => (await fixture.attempts(id)).length === 6, PATIENCE);
      const attempts = await fixture.attempts(id);
      assert.deepEqual([...new Set(attempts.map(({ failure }) => failure))], [null]);
      const one = await fixture.read(id);
      assert.deepEqual([one.state, one.failures, one.ordering], ['active', 0, 'match']);
    });

    it('gets a delayed event when the delay has passed', async () => {
      fixture.clock.run();
      await create({ delay: 1 });
      await dispatch();
      const begun = Date.now();
      await publish(1);
      await accepted(1);
      assert.ok(Date.now() - begun >= 1_000, 'not before');
    });

    it('gets an event again that it has refused, with its text in the log of deliveries', async () => {
      await receiver.behave('refuses');
      const { id } = await create();
      await dispatch(2_000);
      await publish(1);
      await until('the attempt is logged', async () => (await fixture.attempts(id)).length === 1, PATIENCE);
      const [attempt] = await fixture.attempts(id);
      assert.notEqual(attempt!.failure, null);
      assert.equal(receiver.matches().length, 0);
      await receiver.behave('accepts');
      fixture.clock.advance(7 * SECONDS);
      await accepted(1);
      await until('it is delivered', async () => (await fixture.read(id)).pending === 0, PATIENCE);
      assert.equal((await fixture.read(id)).failures, 0);
    });

    it('that accepts connections and never confirms fails in time, and delays no other subscription', async () => {
      await receiver.behave('hangs');
      const { id } = await create();
      const begun = performance.now();
      await dispatch(1_000);
      await publish(1, 2);
      await until('the attempts are logged', async () => (await fixture.attempts(id)).length === 2, PATIENCE);
      const attempts = await fixture.attempts(id);
      assert.deepEqual([...new Set(attempts.map(({ failure }) => failure))], ['no reply within 1 s']);
      assert.ok(performance.now() - begun < PATIENCE);
      await receiver.behave('accepts');
      await acceptedByRetries(id, 2);
    });

    it('that closes each connection gets every event', async () => {
      await receiver.behave('closes');
      const { id } = await create();
      await dispatch();
      await publish(1, 2, 1);
      await acceptedByRetries(id, 3);
      assert.deepEqual([...new Set(receiver.matches())].sort(), [1, 2]);
    });

    if (hasIds) {
      it('loses no event, and keeps the order of each match, when dispatchers are killed', async () => {
        const options: DispatcherOptions = {
          ...{
            url: fixture.db.url,
            now: fixture.clock.now(),
            header: 'x-victim',
            secretKeys: SECRET_KEYS,
            allow: ALLOW,
          },
          ca: receiver.ca,
        };
        const processes = launcher<number>({ name: 'dispatcher-child', options });
        const ids = () => receiver.ids!();
        const { id } = await create();
        const sent: string[] = [];
        for (let round = 0; round < KILLS; round += 1) {
          const one = await processes.take();
          one.begin(round);
          const before = ids().length;
          for (let burst = 0; burst < 5; burst += 1) {
            const sketches = Array.from({ length: 40 }, (_, index) => ({ match: 1 + ((index * 7 + burst) % MATCHES) }));
            sent.push(...(await fixture.publish(...sketches)));
            await sleep(30);
          }
          await until('some have come', () => ids().length > before + 20, PATIENCE);
          await one.kill();
          await fixture.db.pool.query("UPDATE webhook_subscription SET lease_expires_at = '-infinity'");
          await fixture.db.pool.query('DELETE FROM webhook_dispatcher');
        }
        await processes.close();
        await dispatch();
        const isDone = async () => {
          const { lag, pending, held } = await fixture.read(id);
          return lag + pending + held === 0;
        };
        for (let turn = 0; turn < 200 && !(await isDone()); turn += 1) {
          await sleep(100);
          if ((await fixture.read(id)).pending > 0) fixture.clock.advance(70 * SECONDS);
        }
        await until('all have come', () => new Set(ids()).size === sent.length, PATIENCE);
        for (let match = 1; match <= MATCHES; match += 1) {
          const ofMatch = [...new Set(ids())].map((one) => one.split('_').map(Number)).filter(([, of]) => of === match);
          const sequences = ofMatch.map(([, , sequence]) => sequence);
          assert.deepEqual(
            sequences,
            [...sequences.keys()].map((index) => index + 1),
            `match ${match}`,
          );
        }
      });
    }

    it('gets a test event at once', async () => {
      const { id } = await create();
      const sender = openSender({ guard: fixture.deps.guard, ca: receiver.ca });
      const destinations = openDestinations({ guard: fixture.deps.guard, sender, ca: receiver.ca });
      const hostBuckets = createBuckets(() => fixture.clock.now());
      const sent = await sendTest({ ...fixture.deps, sender, destinations, hostBuckets }, id);
      assert.deepEqual([sent.failure, (await fixture.attempts(id)).length], [null, 1]);
      destinations.close();
      sender.close();
    });

    it('keeps its secret to itself', async () => {
      const { id } = await create();
      await dispatch();
      await receiver.behave('refuses');
      await publish(1);
      await until('the attempt is logged', async () => (await fixture.attempts(id)).length >= 1, PATIENCE);
      const one = await fixture.read(id);
      const shown =
        JSON.stringify([subscriptionItem(one, BUILT_IN_PLANS), await fixture.attempts(id)]) + fixture.logged();
      const { rows } = await fixture.db.pool.query('SELECT * FROM webhook_subscription');
      const value = secretOf(receiver.settings);
      for (const text of [shown, JSON.stringify(rows)])
        assert.ok(!text.includes(value) && !text.includes(encodeURI(value)));
      assert.equal((one.destination as unknown as Record<string, unknown>)[receiver.secret], null);
      const keys = ['another-key-of-the-tests', ...fixture.deps.secretKeys];
      // The signing secret and the secret of the destination.
      assert.deepEqual(await reencryptSecrets(fixture.db.pool, keys), { count: 2, undecryptable: [] });
    });

    it('keeps a secret that a change leaves out, but not for another receiver', async () => {
      const { id } = await create();
      const change = (destination: DestinationSettings) => changeSubscription(fixture.deps, id, { destination });
      const stored = async () => (await fixture.read(id)).destinationSecret;
      await change(withSecret(null));
      await change(withSecret(receiver.otherSecret));
      const other = await stored();
      assert.notEqual(other, null);
      await change(withSecret(secretOf(receiver.settings)));
      if (receiver.elsewhere !== null) {
        const moved = { ...receiver.elsewhere, [receiver.secret]: null } as DestinationSettings;
        await assert.rejects(change(moved), {
          code: 'invalid_parameter',
          message: new RegExp(`${receiver.secret} is missing`),
        });
      }
      await change(withSecret(null));
      await dispatch();
      await publish(1);
      await accepted(1);
    });

    it('with a private address is refused when it is created, and when it connects', async () => {
      await assert.rejects(fixture.create({ destination: receiver.hostile }), {
        code: 'invalid_parameter',
        message: /public|https|port/,
      });
      const { id } = await create();
      const complete = { ...receiver.hostile, [receiver.secret]: null };
      await fixture.db.pool.query('UPDATE webhook_subscription SET destination = $1 WHERE id = $2', [
        JSON.stringify(complete),
        id,
      ]);
      if (receiver.elsewhere !== null) {
        await dispatch(2_000);
        await publish(1);
        await until('the attempt is logged', async () => (await fixture.attempts(id)).length >= 1, PATIENCE);
        const [attempt] = await fixture.attempts(id);
        assert.equal(attempt!.cause, 'address', attempt!.failure ?? '');
      }
    });

    it('cannot become one of another kind, or a URL, and has no headers', async () => {
      const { id } = await create();
      const change = (wanted: Parameters<typeof changeSubscription>[2]) => changeSubscription(fixture.deps, id, wanted);
      const another = { kind: 'mqtt', broker: '127.0.0.1:1' } as DestinationSettings;
      const different =
        kind === 'mqtt' ? ({ kind: 'slack', url: 'https://hooks.slack.com/a' } as DestinationSettings) : another;
      await assert.rejects(change({ destination: different }), /another kind/);
      await assert.rejects(change({ url: 'http://127.0.0.1:1/' }), /cannot replace the destination/);
      await assert.rejects(
        create({ headers: [{ name: 'X-Token', value: 'a', secret: false }] }),
        /only to requests to a url/,
      );
      await assert.rejects(create({ url: 'http://127.0.0.1:1/' }), /together with a url/);
    });
  });
}
