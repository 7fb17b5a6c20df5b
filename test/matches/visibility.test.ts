import assert from 'node:assert/strict';
import { pino } from 'pino';
import { finalizeQuietMatches } from '../../src/apply/upkeep/finalize-matches.ts';
import { type Changed, openMatchChanges } from '../../src/db/notices.ts';
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

  it('is seen by the next GET in the same process, in the card and the lists', async () => {
    const id = await bench.accept({ status: 'live' });
    for (let home = 1; home <= 30; home++) {
      // Fills the caches before each change.
      await Promise.all([score(here, id), live(here, id), listed(here, id)]);
      const { json } = await here.post(bench.update({ score: { home, away: 0 } }));
      assert.equal(json.accepted, 1);
      assert.deepEqual(await Promise.all([score(here, id), live(here, id), listed(here, id)]), [home, home, home]);
    }
  });

  it('is seen by every process within a second', async () => {
    const id = await bench.accept({ status: 'live' });
    const waits: number[] = [];
    for (let home = 1; home <= 10; home++) {
      await Promise.all([score(there, id), live(there, id)]);
      await here.post(bench.update({ score: { home, away: 0 } }));
      const begun = performance.now();
      await until('both show it', async () => (await score(there, id)) === home && (await live(there, id)) === home);
      waits.push(performance.now() - begun);
    }
    const slowest = Math.max(...waits);
    assert.ok(slowest < 1_000, `${slowest} ms`);
  });

  it('is seen by every process within a second even if its notice is lost', async () => {
    const id = await bench.accept({ status: 'live' });
    await score(there, id);
    // Changes the match without sending a notice.
    await bench.accept({ score: { home: 7, away: 0 } });
    const begun = performance.now();
    await until('it is seen', async () => (await score(there, id)) === 7);
    const waited = performance.now() - begun;
    assert.ok(waited <= 1_500, `${waited} ms`);
  });

  it('is also seen if it concerns a name or finality', async () => {
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

  it('to one match does not discard cached replies about the rest', async () => {
    const first = await bench.accept();
    bench.nextMatch();
    const second = await bench.accept();
    await card(here, first);
    // Changes the card without sending a notice. The cache must not read it again.
    await bench.db.pool.query('UPDATE match_card SET detail = replace(detail, $2, $3) WHERE match_id = $1', [
      first,
      '"referee":null',
      '"referee":"Nobody"',
    ]);
    await here.post(bench.update({ referee: 'Second' }));
    assert.equal((await card(here, second)).referee, 'Second');
    assert.equal((await card(here, first)).referee, null);
  });

  it('is published once to every listener in every process, with the ids, or as "all" for thousands of matches', async () => {
    const logger = pino({ level: 'silent' });
    const [one, two] = [await openMatchChanges(bench.db.url, logger), await openMatchChanges(bench.db.url, logger)];
    const heard: { where: string; changed: Changed }[] = [];
    const ends = [one, two].map((changes, index) =>
      changes.subscribe((changed) => heard.push({ where: ['here', 'there'][index]!, changed })),
    );
    const heardThere = async (count: number) => {
      const there = () => heard.filter(({ where }) => where === 'there');
      await until(`${count} notices are heard there`, () => there().length >= count);
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
    const still: Changed[] = [];
    two.subscribe((changed) => still.push(changed));
    one.publish([4]);
    await one.close();
    await until('a listener that has not ended has heard it', () => still.length > 0);
    assert.equal(heard.length, 5);
    await two.close();
  });

  it('to every match is reported if the listening connection is lost', async () => {
    const heard: Changed[] = [];
    const end = there.changes.subscribe((changed) => heard.push(changed));
    await bench.db.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'touchline % changes'",
    );
    await until('everything may have changed', () => heard.includes('all'));
    await until('notices are heard again', () => {
      here.changes.publish([9]);
      return heard.some((changed) => changed !== 'all');
    });
    assert.deepEqual(
      heard.find((changed) => changed !== 'all'),
      [9],
    );
    end();
  });
});
