import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { finalizeQuietMatches } from '../../src/apply/housekeeping.ts';
import { type Changed, openMatchChanges } from '../../src/db/notices.ts';
import { createReplyCache, type VersionedReply } from '../../src/matches/reply-cache.ts';
import { type Card, type FeedBench, openFeedBench } from '../support/feed.ts';
import { type FeedApp, startFeedApp } from '../support/feed-app.ts';
import { until } from '../support/until.ts';

describe('a change', () => {
  let bench: FeedBench;
  let here: FeedApp;
  let there: FeedApp;
  before(async () => {
    bench = await openFeedBench();
    [here, there] = [await startFeedApp(bench), await startFeedApp(bench)];
  });
  after(async () => {
    await here.close();
    await there.close();
    await bench.db.drop();
  });
  beforeEach(() => bench.nextMatch());

  const card = async (service: FeedApp, id: number) => (await service.get<Card>(`/v1/event/${id}`)).json;
  const score = async (service: FeedApp, id: number) => (await card(service, id)).participants[0]!.score;
  const live = async (service: FeedApp, id: number) =>
    (await service.get<{ events: Card[] }>('/v1/events/live')).json.events.find((one) => one.id === id)?.participants[0]
      ?.score;
  const listed = async (service: FeedApp, id: number) =>
    (await service.get<{ events: Card[] }>('/v1/events?limit=1000')).json.events.find((one) => one.id === id)
      ?.participants[0]?.score;

  it('is seen by the next GET of the same process, in the card and the lists, every time', async () => {
    const id = await bench.accept({ status: 'live' });
    for (let home = 1; home <= 30; home++) {
      // Held in the cache before each change.
      await Promise.all([score(here, id), live(here, id), listed(here, id)]);
      const { json } = await here.post(bench.update({ score: { home, away: 0 } }));
      assert.equal(json.accepted, 1);
      assert.deepEqual(await Promise.all([score(here, id), live(here, id), listed(here, id)]), [home, home, home]);
    }
  });

  it('is seen by other processes within a second, in practice at once', async () => {
    const id = await bench.accept({ status: 'live' });
    const waits: number[] = [];
    for (let home = 1; home <= 10; home++) {
      await Promise.all([score(there, id), live(there, id)]);
      await here.post(bench.update({ score: { home, away: 0 } }));
      const begun = performance.now();
      await until(
        'it is seen there',
        async () => (await score(there, id)) === home && (await live(there, id)) === home,
      );
      waits.push(performance.now() - begun);
    }
    const slowest = Math.max(...waits);
    assert.ok(slowest < 1_000, `${slowest} ms`);
  });

  it('is seen by other processes within a second also when its notice is lost', async () => {
    const id = await bench.accept({ status: 'live' });
    await score(there, id);
    // Applied by somebody who tells nobody.
    await bench.accept({ score: { home: 7, away: 0 } });
    const begun = performance.now();
    await until('it is seen there', async () => (await score(there, id)) === 7);
    const waited = performance.now() - begun;
    assert.ok(waited <= 1_500, `${waited} ms`);
  });

  it('of a name and of finality is seen as well', async () => {
    const id = await bench.accept({ status: 'finished', score: { home: 1, away: 0 } });
    assert.equal((await card(here, id)).finalized, false);
    const update = bench.update();
    update.match.home = { ...update.match.home, name: 'Quite Another' };
    await here.post(update);
    assert.equal((await card(here, id)).participants[0]!.name, 'Quite Another');
    bench.now += 25 * 3_600_000;
    await finalizeQuietMatches({ ...bench.deps, changes: here.changes });
    assert.equal((await card(here, id)).finalized, true);
  });

  it('of one match leaves what is held of others', async () => {
    const first = await bench.accept();
    bench.nextMatch();
    const second = await bench.accept();
    await card(here, first);
    // Behind the back of the cache: it must not look again, for nobody said that this one has changed.
    await bench.db.pool.query('UPDATE match_card SET detail = replace(detail, $2, $3) WHERE match_id = $1', [
      first,
      '"referee":null',
      '"referee":"Nobody"',
    ]);
    await here.post(bench.update({ referee: 'Second' }));
    assert.equal((await card(here, second)).referee, 'Second');
    assert.equal((await card(here, first)).referee, null);
  });

  it('is told to every listener of every process once, with its ids, or as all where they are very many', async () => {
    const logger = pino({ level: 'silent' });
    const [one, two] = [await openMatchChanges(bench.db.url, logger), await openMatchChanges(bench.db.url, logger)];
    const heard: { where: string; changed: Changed }[] = [];
    const ends = [one, two].map((changes, index) =>
      changes.subscribe((changed) => heard.push({ where: ['here', 'there'][index]!, changed })),
    );
    const heardThere = async (count: number) => {
      const there = () => heard.filter(({ where }) => where === 'there');
      await until('the other process has heard', () => there().length >= count);
      return there().map(({ changed }) => changed);
    };
    one.publish([]);
    one.publish([1, 2]);
    one.publish([3]);
    assert.deepEqual(heard, [
      { where: 'here', changed: [1, 2] },
      { where: 'here', changed: [3] },
    ]);
    assert.deepEqual(await heardThere(1), [[1, 2, 3]]);
    one.publish(Array.from({ length: 1_000 }, (_, index) => index));
    assert.deepEqual(await heardThere(2), [[1, 2, 3], 'all']);
    for (const end of ends) end();
    one.publish([4]);
    await one.close();
    await sleep(50);
    assert.equal(heard.length, 5);
    await two.close();
  });

  it('that comes while the listening connection is lost is made up for: everything may have changed', async () => {
    const heard: Changed[] = [];
    const end = there.changes.subscribe((changed) => heard.push(changed));
    await bench.db.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'touchline % changes'",
    );
    await until('everything may have changed', () => heard.includes('all'));
    heard.length = 0;
    for (let tries = 0; tries < 50 && heard.length === 0; tries++) {
      here.changes.publish([9]);
      await sleep(50);
    }
    assert.deepEqual(heard[0], [9]);
    end();
  });
});

describe('the cache of replies', () => {
  function cacheWithChanges() {
    let tell: (changed: Changed) => void = () => {};
    const cache = createReplyCache({
      subscribe: (listener) => {
        tell = listener;
        return () => {};
      },
    });
    return { cache, tell: (changed: Changed) => tell(changed) };
  }
  const textOf = async (reply: unknown) => String(((await reply) as { body: Buffer }).body);

  it('never keeps what was read before a change, though it was made after it', async () => {
    const { cache, tell } = cacheWithChanges();
    for (const [match, changed] of [
      [1, [1]],
      [1, 'all'],
      [null, [5]],
      [null, 'all'],
    ] as const) {
      let finish: (body: string) => void = () => {};
      const key = `${match} ${changed}`;
      const slow = cache.get(key, match, async () => ({
        body: await new Promise<string>((done) => (finish = done)),
        version: 1,
      }));
      tell(changed);
      const fresh = cache.get(key, match, async () => ({ body: 'new', version: 2 }));
      finish('old');
      assert.deepEqual([await textOf(slow), await textOf(fresh)], ['old', 'new']);
      assert.equal(await textOf(cache.get(key, match, async () => ({ body: 'made again', version: 3 }))), 'new');
    }
  });

  it('shares one reading among those who ask at the same time, and keeps no failure', async () => {
    const { cache } = cacheWithChanges();
    let readings = 0;
    const read = async () => {
      readings += 1;
      await sleep(10);
      if (readings === 1) throw new Error('away');
      return { body: 'there', version: 1 };
    };
    const first = await Promise.allSettled([cache.get('k', 1, read), cache.get('k', 1, read)]);
    assert.deepEqual([first.map(({ status }) => status), readings], [['rejected', 'rejected'], 1]);
    assert.equal(await textOf(cache.get('k', 1, read)), 'there');
    assert.equal(await textOf(cache.get('k', 1, read)), 'there');
    assert.equal(readings, 2);
  });

  it('counts its second from when the reading began', async () => {
    const { cache } = cacheWithChanges();
    let readings = 0;
    const read = async () => {
      readings += 1;
      await sleep(readings === 1 ? 700 : 0);
      return { body: String(readings), version: readings };
    };
    const begun = performance.now();
    await cache.get('k', 1, read);
    await sleep(Math.max(0, 1_050 - (performance.now() - begun)));
    assert.equal(await textOf(cache.get('k', 1, read)), '2');
  });

  it('gives what it holds back to who reads again, but not when everything may have changed', async () => {
    const { cache, tell } = cacheWithChanges();
    const given: unknown[] = [];
    const read = (version: number) => async (held?: VersionedReply) => {
      given.push(held?.version);
      return held?.version === version ? held : { body: `body ${version}`, version };
    };
    for (const [match, changed] of [
      [1, [1]],
      [null, [9]],
    ] as const) {
      const key = `held ${match}`;
      given.length = 0;
      const first = (await cache.get(key, match, read(1))) as VersionedReply;
      tell(changed);
      const again = (await cache.get(key, match, read(1))) as VersionedReply;
      assert.equal(again.body, first.body, 'the same bytes, not read again');
      assert.equal(await textOf(cache.get(key, match, read(7))), 'body 1', 'fresh again after it was confirmed');
      tell(changed);
      assert.equal(await textOf(cache.get(key, match, read(2))), 'body 2');
      tell('all');
      assert.equal(await textOf(cache.get(key, match, read(3))), 'body 3');
      assert.deepEqual(given, [undefined, 1, 1, undefined]);
    }
  });

  it('keeps a card while other matches change, however many they are', async () => {
    const { cache, tell } = cacheWithChanges();
    let readings = 0;
    const read = async () => ({ body: String(++readings), version: readings });
    await cache.get('k', 1, read);
    tell([2, 3]);
    assert.equal(await textOf(cache.get('k', 1, read)), '1');
    tell([1]);
    // More changes than are remembered: that of match 1 is forgotten, not what follows from it.
    for (let id = 10; id < 20_010; id += 1) tell([id]);
    assert.equal(await textOf(cache.get('k', 1, read)), '2');
  });
});
