import assert from 'node:assert/strict';
import type { Changed } from '../../src/db/notices.ts';
import { createReplyCache, type VersionedReply } from '../../src/http/reply-cache.ts';
import { type Position, positionText } from '../../src/wire/position.ts';

describe('the reply cache', () => {
  function createCache(positions?: { beginRead(): Position; shown: Position }) {
    const clock = { now: 1_000_000 };
    let publish: (changed: Changed) => void = () => {};
    const cache = createReplyCache(
      {
        subscribe: (listener) => {
          publish = listener;
          return () => {};
        },
      },
      { now: () => clock.now, positions },
    );
    return { cache, clock, publish: (changed: Changed) => publish(changed) };
  }
  const textOf = async (reply: unknown) => String(((await reply) as { body: Buffer }).body);
  /** Creates a read that ends only when `finish` is called. */
  function slowReading() {
    let finish: (body: string) => void = () => {};
    const body = new Promise<string>((resolve) => {
      finish = resolve;
    });
    return { finish, read: async () => ({ body: await body, version: 1 }) };
  }
  /** A match or a list (null), each with a change that affects it. */
  const CONCERNED = [
    [1, [1]],
    [1, 'all'],
    [null, [5]],
    [null, 'all'],
  ] as const;

  for (const [match, changed] of CONCERNED) {
    const what = match === null ? 'a list' : 'a card';
    const of = changed === 'all' ? 'of all matches' : `of match ${changed}`;

    it(`does not serve ${what} from memory if a change ${of} came while it was being read`, async () => {
      const { cache, publish } = createCache();
      const { finish, read } = slowReading();
      const reply = cache.get('key', match, read);
      publish(changed);
      finish('before the change');
      assert.equal(await textOf(reply), 'before the change');
      const next = cache.get('key', match, async () => ({ body: 'after the change', version: 2 }));
      assert.equal(await textOf(next), 'after the change');
    });

    it(`keeps the newer reply with ${what} if an older read ends last, after a change ${of}`, async () => {
      const { cache, publish } = createCache();
      const { finish, read } = slowReading();
      const slow = cache.get('key', match, read);
      publish(changed);
      const fresh = cache.get('key', match, async () => ({ body: 'new', version: 2 }));
      assert.equal(await textOf(fresh), 'new');
      finish('old');
      assert.equal(await textOf(slow), 'old');
      assert.equal(await textOf(cache.get('key', match, async () => ({ body: 'read again', version: 3 }))), 'new');
    });
  }

  it('does not offer a previous reply to the reading function if all matches changed during the read', async () => {
    const { cache, publish } = createCache();
    const { finish, read } = slowReading();
    const reply = cache.get('key', 1, read);
    publish('all');
    finish('of the database before');
    await reply;
    let previous: VersionedReply | undefined;
    await cache.get('key', 1, async (cached) => {
      previous = cached;
      return { body: 'new', version: 1 };
    });
    assert.equal(previous, undefined);
  });

  it('shares one read among concurrent requests, and does not store a failure', async () => {
    const { cache } = createCache();
    let readings = 0;
    const read = async () => {
      readings += 1;
      if (readings === 1) throw new Error('unavailable');
      return { body: 'there', version: 1 };
    };
    const first = await Promise.allSettled([cache.get('k', 1, read), cache.get('k', 1, read)]);
    assert.deepEqual([first.map(({ status }) => status), readings], [['rejected', 'rejected'], 1]);
    assert.equal(await textOf(cache.get('k', 1, read)), 'there');
    assert.equal(await textOf(cache.get('k', 1, read)), 'there');
    assert.equal(readings, 2);
  });

  it('serves a reply for one second, counted from the start of the read', async () => {
    const { cache, clock } = createCache();
    const { finish, read } = slowReading();
    const first = cache.get('k', 1, read);
    clock.now += 700;
    finish('first');
    await first;
    const again = () => cache.get('k', 1, async () => ({ body: 'second', version: 2 }));
    clock.now += 299;
    assert.equal(await textOf(again()), 'first');
    clock.now += 1;
    assert.equal(await textOf(again()), 'second');
  });

  it('reads again if it has served a stale reply while a newer reply was being made', async () => {
    const { cache } = createCache();
    assert.equal(await textOf(cache.get('key', 1, async () => ({ body: 'old', version: 1, isStale: true }))), 'old');
    assert.equal(await textOf(cache.get('key', 1, async () => ({ body: 'new', version: 2 }))), 'new');
    assert.equal(await textOf(cache.get('key', 1, async () => ({ body: 'unread', version: 3 }))), 'new');
  });

  it('offers the previous reply to the reading function, but not if all matches may have changed since then', async () => {
    const { cache, publish } = createCache();
    const given: unknown[] = [];
    const read = (version: number) => async (cached?: VersionedReply) => {
      given.push(cached?.version);
      return cached?.version === version ? cached : { body: `body ${version}`, version };
    };
    for (const [match, changed] of [
      [1, [1]],
      [null, [9]],
    ] as const) {
      const key = `of ${match}`;
      given.length = 0;
      const first = (await cache.get(key, match, read(1))) as VersionedReply;
      publish(changed);
      const again = (await cache.get(key, match, read(1))) as VersionedReply;
      assert.equal(again.body, first.body, 'the same bytes, not read again');
      assert.equal(await textOf(cache.get(key, match, read(7))), 'body 1', 'fresh again after it was confirmed');
      publish(changed);
      assert.equal(await textOf(cache.get(key, match, read(2))), 'body 2');
      publish('all');
      assert.equal(await textOf(cache.get(key, match, read(3))), 'body 3');
      assert.deepEqual(given, [undefined, 1, 1, undefined]);
    }
  });

  it('serves the previous reply with its age for ten minutes while the store is unavailable', async () => {
    const { cache, clock, publish } = createCache();
    let readings = 0;
    const fail = async (): Promise<VersionedReply> => {
      readings += 1;
      throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
    };
    await cache.get('k', 1, async () => ({ body: 'known', version: 1 }));
    clock.now += 5_000;
    for (const age of ['5', '5']) {
      const reply = await cache.get('k', 1, fail);
      assert.deepEqual([await textOf(reply), reply.headers], ['known', { Age: age }]);
    }
    assert.equal(readings, 2);
    publish([1]);
    assert.equal(await textOf(cache.get('k', 1, fail)), 'known');
    await assert.rejects(
      async () =>
        cache.get('k', 1, async () => {
          throw new Error('a bug');
        }),
      /a bug/,
    );
    await assert.rejects(async () => cache.get('k', 1, fail), /no connection/);
    await cache.get('k', 1, async () => ({ body: 'again', version: 2 }));
    clock.now += 600_000;
    await assert.rejects(async () => cache.get('k', 1, fail), /no connection/);
  });

  it('serves the previous reply if a read takes longer than a second, and has only one read at a time', async () => {
    const { cache, clock, publish } = createCache();
    await cache.get('k', 1, async () => ({ body: 'known', version: 1 }));
    clock.now += 2_000;
    publish([1]);
    let readings = 0;
    const { finish, read } = slowReading();
    const count = () => {
      readings += 1;
      return read();
    };
    assert.equal(await textOf(cache.get('k', 1, count)), 'known');
    clock.now += 1_000;
    publish([1]);
    assert.equal(await textOf(cache.get('k', 1, count)), 'known');
    assert.equal(readings, 1);
    finish('new');
    await new Promise((resolve) => setImmediate(resolve));
    const current = await cache.get('k', 1, async () => ({ body: 'newest', version: 2 }));
    assert.deepEqual([await textOf(current), current.headers], ['newest', undefined]);
  });

  describe('with read replicas', () => {
    const at = (lsn: number): Position => ({ timeline: 1, lsn });
    /** A cache whose reads have reached 10 at first, and show what is at most 12. */
    function createReplicaCache() {
      const positions = { beginRead: () => at(10), shown: at(12) };
      const made = createCache(positions);
      let reads = 0;
      const read = async () => {
        reads += 1;
        return { body: `read ${reads}`, version: reads };
      };
      return { ...made, positions, read };
    }

    it('reads again for a client that has seen more than the cached reply has reached', async () => {
      const { cache, read } = createReplicaCache();
      assert.equal(await textOf(cache.get('k', 1, read)), 'read 1');
      assert.equal(await textOf(cache.get('k', 1, read, at(10))), 'read 1');
      assert.equal(await textOf(cache.get('k', 1, read, at(11))), 'read 2');
      assert.equal(await textOf(cache.get('k', 1, read, at(11))), 'read 2');
      assert.equal(await textOf(cache.get('k', 1, read, { timeline: 2, lsn: 1 })), 'read 3');
      assert.equal(await textOf(cache.get('k', 1, read)), 'read 3');
    });

    it('keeps the position of a reply that was read again without a change', async () => {
      const { cache, positions, read } = createReplicaCache();
      const first = await cache.get('k', 1, read);
      assert.equal(first.position, positionText(at(12)));
      positions.shown = at(20);
      const second = await cache.get('k', 1, async (cached) => cached!, at(15));
      assert.equal(second.position, positionText(at(12)));
      assert.equal(first.isFresh!(at(15)), true);
      assert.equal(first.isFresh!(at(16)), false);
      assert.equal((await cache.get('k', 1, read, at(16))).position, positionText(at(20)));
    });

    it('does not share a read that began before with a client that has seen more', async () => {
      const { cache, read } = createReplicaCache();
      const { finish, read: slow } = slowReading();
      const old = cache.get('k', 1, slow);
      assert.equal(await textOf(cache.get('k', 1, read, at(11))), 'read 1');
      finish('old');
      assert.equal(await textOf(old), 'old');
      assert.equal(await textOf(cache.get('k', 1, read, at(11))), 'read 1');
    });

    it('serves no previous reply to a client that has seen more, even if the store is unavailable', async () => {
      const { cache, read } = createReplicaCache();
      await cache.get('k', 1, read);
      const fail = () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' }));
      await assert.rejects(async () => cache.get('k', 1, fail, at(11)), /away/);
      assert.equal(await textOf(cache.get('k', 1, fail)), 'read 1');
    });
  });

  it('keeps a card in memory however many unrelated matches change', async () => {
    const { cache, publish } = createCache();
    let readings = 0;
    const read = async () => ({ body: String(++readings), version: readings });
    await cache.get('k', 1, read);
    publish([2, 3]);
    assert.equal(await textOf(cache.get('k', 1, read)), '1');
    publish([1]);
    // Publishes more changes than the cache can remember. The change to match 1 is forgotten, but still has its effect.
    for (let id = 10; id < 20_010; id += 1) publish([id]);
    assert.equal(await textOf(cache.get('k', 1, read)), '2');
  });

  it('keeps only a body’s own bytes, not the larger buffer around them, however the body was made', async () => {
    const { cache } = createCache();
    for (const body of [
      '{"имя":"Зенит"}',
      Buffer.from('{"a":1}'),
      Buffer.concat([Buffer.from('{"a"'), Buffer.from(':1}')]),
    ]) {
      const reply = (await cache.get(String(body), 1, async () => ({ body, version: 1 }))) as { body: Buffer };
      assert.equal(reply.body.buffer.byteLength, reply.body.length);
      assert.deepEqual(reply.body, Buffer.from(body));
    }
  });
});
