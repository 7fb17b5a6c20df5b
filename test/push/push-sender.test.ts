import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createPushFixture, type PushFixture, SECRET_KEYS } from '../support/push-fixture.ts';
import { type PushService, startPushService } from '../support/push-service.ts';
import { TSX } from '../support/tsx.ts';
import { until } from '../support/until.ts';

const ARSENAL = 11;
const CHELSEA = 12;
const MINUTE = 60_000;
const PATIENCE = 20_000;
const CHILD = fileURLToPath(new URL('../support/push-child.ts', import.meta.url));

describe('notifications for browsers', function () {
  this.timeout(60_000);
  let fixture: PushFixture;
  let service: PushService;

  beforeEach(async () => {
    fixture = await createPushFixture();
    service = await startPushService();
  });
  afterEach(async () => {
    await fixture.close();
    await service.close();
  });

  const end = (match = 1) => ({
    match,
    type: 'match.finished' as const,
    sides: [ARSENAL, CHELSEA] as const,
    name: 'Arsenal',
  });
  const names = () => service.received.map(({ path }) => path.slice('/push/'.length)).sort();
  const has = (count: number) => until(`${count} have come`, () => service.received.length >= count, PATIENCE);
  const counted = (registry: Parameters<PushFixture['count']>[0], outcome: string, wanted: number) =>
    until(`${wanted} are ${outcome}`, async () => (await fixture.count(registry, outcome)) === wanted, PATIENCE);
  const stored = async () => (await fixture.db.pool.query('SELECT FROM push_browser')).rowCount;
  const positions = async () => {
    const { rows } = await fixture.db.pool.query<{ service: string; cursor: number }>('SELECT * FROM push_position');
    return new Map(rows.map(({ service: name, cursor }) => [name, cursor]));
  };
  /** Starts a sender that leads. Events from then on are sent. */
  async function lead(over?: Parameters<PushFixture['start']>[0]) {
    const sender = fixture.start(over);
    await until('it leads', async () => (await positions()).size === 5);
    return sender;
  }
  /** Makes a fan of Arsenal with a browser of the same name. */
  async function fan(name: string, more?: Parameters<PushFixture['add']>[2], teams = [ARSENAL]) {
    const { memberId } = await fixture.member(`${name}@example.com`, teams);
    const browser = service.browser(name);
    await fixture.add(memberId, browser, more);
    return { memberId, browser };
  }

  it('reach the browsers of members who follow a side, encrypted and in the language of each', async () => {
    await fan('fan');
    await fan('guest', { lang: 'ru' }, [CHELSEA]);
    await fan('both', {}, [ARSENAL, CHELSEA]);
    await fan('other', {}, [99]);
    const { registry } = await lead();
    await fixture.publish(end(), { ...end(), type: 'match.odds_changed' });
    await has(3);
    await counted(registry, 'sent', 3);
    assert.deepEqual(names(), ['both', 'fan', 'guest']);
    const got = (name: string) => service.received.find(({ path }) => path === `/push/${name}`)!;
    assert.deepEqual(got('fan').payload, {
      title: 'Arsenal 1–0 Away',
      body: '🏁 Live',
      tag: '1-match.finished-1',
      renotify: true,
      path: 'match/1',
      lang: 'en',
    });
    assert.equal(got('guest').payload.title, 'Хозяева 1–0 Away');
    const { headers } = got('fan');
    assert.equal(headers['content-encoding'], 'aes128gcm');
    assert.equal(headers.urgency, 'high');
    assert.match(String(headers.topic), /^[\w-]{32}$/);
    const ttl = Number(headers.ttl);
    assert.ok(ttl > 590 && ttl <= 600, String(ttl));
    const { rows } = await fixture.db.pool.query('SELECT public_key FROM push_keys');
    const [, token = '', key] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization))!;
    assert.equal(key, rows[0].public_key);
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
    assert.deepEqual([claims.aud, claims.sub], [service.url, 'mailto:operator@example.com']);
    assert.ok(!fixture.logged().includes('/push/'));
  });

  it('follow a change of favourites at once', async () => {
    const { memberId } = await fan('fan');
    await fan('other');
    await lead();
    await fixture.publish(end(1));
    await has(2);
    await fixture.db.pool.query('DELETE FROM member_favourite WHERE member_id = $1', [memberId]);
    await fixture.publish(end(2));
    await has(3);
    await fixture.publish(end(3));
    await has(4);
    assert.deepEqual(names(), ['fan', 'other', 'other', 'other']);
  });

  it('reach members who follow a team under an id that leads to the same team', async () => {
    const { rows } = await fixture.db.pool.query<{ id: number }>(
      `INSERT INTO participant (type, sport, name, key) VALUES ('team', 'football', 'Reds', 'a'), ('team', 'football', 'The Reds', 'b')
       RETURNING id`,
    );
    const [team, former] = rows.map(({ id }) => id) as [number, number];
    await fixture.db.pool.query('UPDATE participant SET person_id = $1 WHERE id = $2', [team, former]);
    await fan('former', {}, [former]);
    await fan('present', {}, [team]);
    await lead();
    await fixture.publish({ ...end(), sides: [team, CHELSEA] });
    await has(2);
    assert.deepEqual(names(), ['former', 'present']);
  });

  it('remove a browser that is gone, and no other', async () => {
    for (const name of ['here', 'gone', 'missing', 'refused']) await fan(name);
    const status: Record<string, number> = { gone: 410, missing: 404, refused: 403 };
    service.answer = ({ path }) => status[path.slice('/push/'.length)] ?? 201;
    const { registry } = await lead();
    await fixture.publish(end());
    await counted(registry, 'gone', 2);
    await counted(registry, 'refused', 1);
    await counted(registry, 'sent', 1);
    await until('two are left', async () => (await stored()) === 2);
    await fixture.publish(end(2));
    await counted(registry, 'sent', 2);
    assert.equal(service.received.length, 6);
  });

  it('rest while a push service asks for it, and hold up no other service', async () => {
    await fan('here', { service: 'mozilla' });
    await fan('busy');
    service.answer = ({ path }, response) => {
      if (path !== '/push/busy') return 201;
      response.writeHead(429, { 'Retry-After': '3600' }).end();
      return null;
    };
    const { registry } = await lead();
    await fixture.publish(end(1));
    await has(2);
    await fixture.publish(end(2));
    await has(3);
    assert.deepEqual(names(), ['busy', 'here', 'here']);
    fixture.clock.advance(59 * MINUTE);
    await fixture.publish(end(3));
    await has(4);
    await counted(registry, 'expired', 2);
    assert.deepEqual(names(), ['busy', 'here', 'here', 'here'], 'the service is asked again only after an hour');
    service.answer = () => 201;
    fixture.clock.advance(2 * MINUTE);
    await fixture.publish(end(4));
    await has(7);
    assert.deepEqual(
      service.received
        .slice(4)
        .map(({ path, payload }) => `${path} ${payload.path}`)
        .sort(),
      ['/push/busy match/3', '/push/busy match/4', '/push/here match/4'],
    );
  });

  it('are tried five times if a service fails, and until they are too old if it does not reply', async () => {
    await fan('broken');
    service.answer = () => 500;
    const { registry } = await lead();
    /** Lets the clock run until something holds. */
    const pass = (what: string, holds: () => boolean | Promise<boolean>) =>
      until(
        what,
        () => {
          fixture.clock.advance(100);
          return holds();
        },
        PATIENCE,
      );
    await fixture.publish(end());
    await pass('it is given up', async () => (await fixture.count(registry, 'failed')) === 1);
    assert.equal(service.received.length, 5);
    service.answer = (_pushed, response) => {
      response.destroy();
      return null;
    };
    await fixture.publish(end(2));
    await pass('it is tried more than five times', () => service.received.length >= 11);
    service.answer = () => 201;
    await pass('it is sent', async () => (await fixture.count(registry, 'sent')) === 1);
    assert.equal(await fixture.count(registry, 'failed'), 1);
  });

  it('are not sent about news that is older than ten minutes, also after a restart', async () => {
    await fan('fan');
    const first = await lead();
    await fixture.publish(end(1));
    await has(1);
    await first.stop();
    // The relay stamps an event a little later, and the clock may only move after that.
    const stored = (count: number) =>
      until(`${count} events are in the log`, async () => {
        const { rows } = await fixture.db.pool.query('SELECT count(*)::int AS count FROM event_log');
        return rows[0].count === count;
      });
    await fixture.publish(end(2));
    await stored(2);
    fixture.clock.advance(6 * MINUTE);
    await fixture.publish(end(3));
    const second = await lead();
    await has(3);
    await second.stop();
    await fixture.publish(end(4));
    await stored(4);
    fixture.clock.advance(10 * MINUTE);
    await lead();
    await until('the old one is skipped', async () => {
      const { rows } = await fixture.db.pool.query('SELECT max(cursor) AS head FROM event_log');
      return (await positions()).get('other') === rows[0].head;
    });
    assert.deepEqual(
      service.received.map(({ payload }) => payload.path),
      ['match/1', 'match/2', 'match/3'],
    );
    const ttl = Number(service.received[1]!.headers.ttl);
    assert.ok(ttl > 230 && ttl <= 240, `the push service drops it with the news: ${ttl}`);
  });

  it('are sent by one process at a time, and the next one continues', async () => {
    await fan('fan');
    const first = await lead();
    fixture.start();
    for (let match = 1; match <= 20; match += 1) await fixture.publish(end(match));
    await has(20);
    await first.stop();
    for (let match = 21; match <= 40; match += 1) await fixture.publish(end(match));
    await has(40);
    assert.deepEqual(
      service.received.map(({ payload }) => payload.path),
      Array.from({ length: 40 }, (_, at) => `match/${at + 1}`),
    );
  });

  it('are not lost if the process is killed between sending and saving, and replace the ones that come twice', async () => {
    const { memberId } = await fixture.member('crowd@example.com', [ARSENAL]);
    const browsers = Array.from({ length: 300 }, (_, at) => service.browser(String(at)));
    const insert = `UPDATE push_browser SET member_id = $1 WHERE member_id <> $1`;
    for (const [at, browser] of browsers.entries()) {
      // The limit of 20 holds for an account.
      const one = await fixture.member(`crowd-${at}@example.com`, []);
      await fixture.add(one.memberId, browser);
    }
    await fixture.db.pool.query(insert, [memberId]);
    const child = fork(
      CHILD,
      [JSON.stringify({ url: fixture.db.url, secretKeys: SECRET_KEYS, allow: ['http://127.0.0.1:*'] })],
      { execArgv: [...TSX] },
    );
    const exited = once(child, 'exit');
    await until('it leads', async () => (await positions()).size === 5, PATIENCE);
    service.answer = () => {
      if (service.received.length < 250) return 201;
      // Meanwhile, the positions are saved at least once in the middle of a page.
      if (service.received.length === 250) setTimeout(() => child.kill('SIGKILL'), 3_000);
      return null;
    };
    await fixture.publish(end());
    await exited;
    service.answer = () => 201;
    await fixture.db.pool.query("UPDATE push_sender SET expires_at = '-infinity'");
    const { registry } = fixture.start();
    await until('all are sent', async () => (await fixture.count(registry, 'sent')) >= 100, PATIENCE);
    const times = new Map<string, number>();
    for (const name of names()) times.set(name, (times.get(name) ?? 0) + 1);
    assert.equal(times.size, 300, 'none is lost');
    const twice = [...times.values()].filter((count) => count > 1).length;
    assert.ok(twice > 0 && twice <= 100, `only the second page of 200 comes again: ${twice}`);
    assert.deepEqual(new Set(service.received.map(({ payload }) => payload.tag)), new Set(['1-match.finished-1']));
    assert.equal(new Set(service.received.map(({ headers }) => headers.topic)).size, 1);
  });

  it('go to no private address, even if one is stored', async () => {
    const { browser, memberId } = await fan('here');
    const inner = { ...browser, endpoint: 'https://127.0.0.1/push/here' };
    await fixture.add(memberId, inner, { service: 'google' });
    const { registry } = await lead();
    await fixture.publish(end());
    await until('it is refused', async () => (await fixture.count(registry, 'refused', 'google')) === 1, PATIENCE);
    await has(1);
    assert.equal(service.received.length, 1);
  });
});
