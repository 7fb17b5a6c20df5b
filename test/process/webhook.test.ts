import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../../src/client/webhook.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { run, start, temporaryFolder } from '../support/process.ts';
import { until } from '../support/until.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

describe('touchline webhook', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  const env: Record<string, string> = {
    DATA_DIR: `${folder.path}/data`,
    WEBHOOK_ALLOW: 'http://127.0.0.1:*',
    SECRET_KEY: 'a-secret-key-of-the-tests',
    FEED_TOKEN: 'feed-token-of-the-tests',
  };
  let db: TestDatabase;
  let receiver: Receiver;

  before(async () => {
    db = await createTestDatabase();
    env.DATABASE_URL = db.url;
    receiver = await startReceiver();
    await run(['key', 'create', '--account', 'a@example.com', '--plan', 'pro'], { env });
  });
  after(async () => {
    await receiver.close();
    await db.drop();
    folder.remove();
  });

  const webhook = (...args: string[]) => run(['webhook', ...args], { env });
  const create = (...args: string[]) => webhook('create', '--account', 'a@example.com', '--url', receiver.url, ...args);

  it('creates, lists, tests, rotates, pauses, enables and deletes subscriptions', async () => {
    const made = await create('--event-types', 'match.*', '--sports', 'football');
    assert.equal(made.code, 0, made.err);
    const [, id, secret] = /^(\d+) (whsec_\S+)\n$/.exec(made.out)!;
    const listed = await webhook('list');
    assert.equal(listed.out, `${id} active, 0 events behind a@example.com ${receiver.url}\n`);
    const tested = await webhook('test', id!);
    assert.match(tested.out, /^evt_0_\d+ delivered: status 200 after \d+ ms\n$/);
    const { headers, body } = receiver.received[0]!;
    assert.equal(verifyWebhook(headers, body, secret!).type, 'webhook.test');
    new Webhook(secret!).verify(body, headers as Record<string, string>);
    const rotated = (await webhook('rotate', id!)).out.trim();
    assert.match(rotated, /^whsec_/);
    await webhook('test', id!);
    for (const one of [secret!, rotated]) verifyWebhook(receiver.received[1]!.headers, receiver.received[1]!.body, one);
    await db.pool.query('UPDATE webhook_subscription SET gap = \'{"at":"2026-03-01T12:00:00Z","from":3,"to":9}\'');
    assert.equal(
      (await webhook('list')).out,
      `${id} active, 0 events behind, events after cursor 3 up to 9 were no longer in the event log on 2026-03-01T12:00:00Z and will not be sent a@example.com ${receiver.url}\n`,
    );
    await webhook('pause', id!);
    assert.match((await webhook('list', '--account', 'A@example.com')).out, /^\d+ paused, /);
    assert.equal((await webhook('enable', id!, '--replay-from', '0')).code, 0);
    assert.match((await webhook('list')).out, /^\d+ active, 0 events behind a@/);
    assert.match(
      (await webhook('log', id!, '--event-type', 'webhook.test')).out,
      /^DELIVERY .*\ndlv_.* status 200, \d+ ms\ndlv_.*\n$/,
    );
    assert.equal((await webhook('replay', id!, '--cursor', '0')).out, 'events after cursor 0 are sent again\n');
    assert.equal((await webhook('delete', id!)).code, 0);
    assert.equal((await webhook('list')).out, '');
  });

  it('explains an error in one line, or shows the usage', async () => {
    for (const [args, pattern] of [
      [['delete', '999'], /^touchline: There is no webhook subscription 999\.\n$/],
      [['log', '999'], /^touchline: There is no webhook subscription 999\.\n$/],
      [['test', '999'], /^touchline: There is no webhook subscription 999\.\n$/],
      [
        ['create', '--account', 'a@example.com', '--url', 'https://10.0.0.1/'],
        /^touchline: url: is not a public address\n$/,
      ],
      [['create', '--account', 'b@example.com', '--url', receiver.url], /^touchline: account: there is no account/],
    ] as const) {
      const { code, err } = await webhook(...args);
      assert.deepEqual([code, pattern.test(err)], [1, true], err);
    }
    for (const args of [
      ['create'],
      ['pause'],
      ['pause', 'x'],
      ['replay', '1'],
      ['create', '--account', 'a@b.c', '--url', 'x', '--leagues', 'x'],
      ['nonsense'],
    ]) {
      const { code, err } = await webhook(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, /Usage: touchline webhook/);
    }
  });

  it('receives signed events that a running service replays, and the service counts them', async () => {
    const made = await create();
    const secret = made.out.trim().split(' ')[1]!;
    const before = receiver.received.length;
    const service = start(['serve'], { env });
    const [, admin] = await service.until(/health and metrics: (http:\/\/\S+)\)/);
    const played = await run(['play', 'world-cup-final-2022', '--speed', '100000'], { env });
    assert.equal(played.code, 0, played.err);
    const types = () => receiver.received.slice(before).map(({ type }) => type);
    await until('the match has been delivered', () => types().includes('match.finished'), 30_000);
    assert.ok(types().filter((type) => type === 'match.goal').length >= 6);
    for (const { headers, body } of receiver.received.slice(before)) {
      new Webhook(secret).verify(body, headers as Record<string, string>);
    }
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    assert.ok(Number(/^touchline_webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(metrics)![1]) > 6);
    const { err } = await service.interrupt();
    assert.equal(err, '', 'a healthy service logs nothing');
  });

  it('listen forwards signed events of the stream, and continues after the service was away', async () => {
    const made = await run(['key', 'create', '--account', 'l@example.com', '--plan', 'pro'], { env });
    const [key] = /\b\w+_live_\w+\b/.exec(made.out)!;
    let answers = 0;
    const near = await startReceiver((_request, response) =>
      response.writeHead(answers++ === 1 ? 500 : 202).end('thanks'),
    );
    let service = start(['serve'], { env });
    const ready = /ready after \S+ s: (http:\/\/[^\s/]+)/;
    const [, url] = await service.until(ready);
    const listener = start(['listen', '--forward', near.url, '--url', url!, '--event-types', 'match.goal'], {
      env: { TOUCHLINE_KEY: key },
    });
    try {
      const [, secret] = await listener.until(/^Signing secret: (whsec_\S+)$/m);
      await listener.until(/^Connected$/m);
      await service.interrupt();
      await listener.until(/^Not connected, next attempt in \d+\.\d s: /m);
      await run(['play', 'world-cup-final-2022', '--speed', '100000'], { env });
      service = start(['serve'], { env: { ...env, PORT: new URL(url!).port } });
      await until('the goals have arrived', () => near.received.length >= 6, 60_000);
      for (const { headers, body, type } of near.received) {
        assert.equal(type, 'match.goal');
        assert.equal(verifyWebhook(headers, body, secret!).type, 'match.goal');
        new Webhook(secret!).verify(body, headers as Record<string, string>);
        assert.deepEqual(Object.keys(JSON.parse(body)), ['id', 'type', 'data']);
      }
      const scores = near.received.map(({ body }) => {
        const { home, away } = JSON.parse(body).data.match;
        return `${home.score}:${away.score}`;
      });
      assert.deepEqual(scores.slice(0, 4), ['1:0', '2:0', '2:1', '2:2']);
      await listener.until(/^match\.goal evt_\S+ → 202 after \d+ ms$/m);
      await listener.until(/^match\.goal evt_\S+ → 500 after \d+ ms$/m);
      await near.close();
      assert.equal((await listener.interrupt()).code, 0);
    } finally {
      listener.child.kill('SIGKILL');
      await service.interrupt();
      await near.close().catch(() => {});
    }
  });

  it('trigger sends a sample event through listen, and explains in one line what is wrong', async () => {
    const made = await run(['key', 'create', '--account', 't@example.com', '--plan', 'pro'], { env });
    const [key] = /\b\w+_live_\w+\b/.exec(made.out)!;
    const near = await startReceiver();
    const service = start(['serve'], { env });
    const [, url] = await service.until(/ready after \S+ s: (http:\/\/[^\s/]+)/);
    const own = { env: { TOUCHLINE_KEY: key } };
    const types = ['--event-types', 'match.card,match.wicket'];
    const listener = start(['listen', '--forward', near.url, '--url', url!, ...types], own);
    const trigger = (...args: string[]) => run(['trigger', '--url', url!, ...args], own);
    try {
      const [, secret] = await listener.until(/^Signing secret: (whsec_\S+)$/m);
      await listener.until(/^Connected$/m);
      const goal = await trigger('match.goal');
      assert.equal(goal.code, 0, goal.err);
      const sent = await trigger('match.card', '--sport', 'handball', '--tournament', '7');
      assert.match(sent.out, /^match\.card evt_0_\d+ was sent to the streams that are open now\n$/);
      await listener.until(/^match\.card evt_0_\d+ → 200 after \d+ ms$/m);
      assert.equal(near.received.length, 1, 'the goal did not pass the filter');
      const [{ headers, body }] = near.received as [(typeof near.received)[0]];
      assert.equal(verifyWebhook(headers, body, secret!).type, 'match.card');
      const { data } = JSON.parse(body);
      assert.deepEqual([data.sample, data.match.sport, data.match.tournament_id], [true, 'handball', 7]);
      for (const [args, message] of [
        [['match.gaol'], /event_type/],
        [['match.goal', '--sport', 'chess'], /sport/],
        [['match.goal', '--tournament', '0'], /tournament/],
      ] as const) {
        const { code, err } = await trigger(...args);
        assert.equal(code, 1);
        assert.match(err, message);
        assert.match(err, /^touchline: .*\n$/);
      }
      const { err } = await run(['trigger', 'match.goal'], {});
      assert.match(err, /^touchline: TOUCHLINE_KEY is missing/);
    } finally {
      await listener.interrupt();
      await service.interrupt();
      await near.close();
    }
  });

  it('listen explains in one line what is wrong', async () => {
    const listen = (args: string[], more: Record<string, string> = {}) => run(['listen', ...args], { env: more });
    const forward = ['--forward', 'http://127.0.0.1:9/hook'];
    assert.match((await listen(forward)).err, /^touchline: TOUCHLINE_KEY is missing: a secret key of your account\n$/);
    for (const [args, message] of [
      [[], /required option '--forward <url>'/],
      [['--forward', 'localhost:3000'], /must be an address that begins with http/],
      [[...forward, '--leagues', '1,x'], /must be a whole number/],
      [[...forward, '--delay', '1.5'], /must be a whole number/],
    ] as const) {
      const { code, err } = await listen([...args], { TOUCHLINE_KEY: 'sk_live_x' });
      assert.equal(code, 2);
      assert.match(err, message);
    }
    const service = start(['serve'], { env });
    const [, url] = await service.until(/ready after \S+ s: (http:\/\/\S+)/);
    const wrong = await listen([...forward, '--url', url!], { TOUCHLINE_KEY: 'sk_live_unknown' });
    const { out } = await run(['key', 'create', '--account', 'late@example.com', '--plan', 'pro'], { env });
    const late = await listen([...forward, '--url', url!, '--delay', '601'], { TOUCHLINE_KEY: out.trim() });
    await service.interrupt();
    assert.equal(late.code, 1);
    assert.match(late.err, /^touchline: .*delay.*600.*\n$/);
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /^touchline: .*key.*\n$/);
  });
});
