import assert from 'node:assert/strict';
import { canRunNginx, startNginx } from '../../support/nginx.ts';
import { type OpenStream, openStream } from '../../support/stream-client.ts';
import { until } from '../../support/until.ts';
import { createHarness, goal, type Harness, playing, type Site } from '../site.ts';

/** Returns the frames' data, in order. */
const shownBy = (stream: OpenStream) =>
  stream.frames().flatMap(({ data }) => (data === undefined ? [] : [JSON.parse(data) as Record<string, unknown>]));

describe('the streams for the service’s pages', () => {
  let harness: Harness;
  let site: Site;
  const streams: OpenStream[] = [];
  before(async () => {
    harness = await createHarness();
    site = await harness.start();
  });
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await until('nothing is stored', () => site.livePages.size === 0);
  });
  after(() => harness.drop());

  async function open(path: string, headers: Record<string, string> = {}, at = site): Promise<OpenStream> {
    const stream = await openStream(at.url + path, headers);
    streams.push(stream);
    return stream;
  }
  const connected = async (path: string) => {
    const stream = await open(path);
    assert.equal(stream.status, 200);
    await stream.until('retry: 2000');
    return stream;
  };
  let marks = 0;
  /** Causes an event, and waits for it. By then, everything before it has been sent. */
  async function mark(stream: OpenStream): Promise<void> {
    marks += 1;
    const id = await harness.apply('mark', playing('Mark', 'Other', [marks, 0], 1));
    await stream.until(`"id":${id},"status":"live","status_detail":"in_play","minute":1,"home":{"score":${marks}}`);
  }

  it('send only the data that the page shows for a goal, and nothing more from the event', async () => {
    const id = await harness.apply('goal', playing('Red Stars', 'Blue Moons', [0, 0], 10));
    const [front, one] = [await connected('/live'), await connected(`/live?match=${id}`)];
    await harness.apply(
      'goal',
      playing('Red Stars', 'Blue Moons', [1, 0], 11, { incidents: [goal('g1', 'home', 11, 'A. Scorer', [1, 0])] }),
    );
    const match = {
      id,
      status: 'live',
      status_detail: 'in_play',
      minute: 11,
      home: { score: 1 },
      away: { score: 0 },
    };
    for (const stream of [front, one]) {
      await stream.until('match.goal');
      assert.deepEqual(shownBy(stream).at(-1), { type: 'match.goal', match, side: 'home' });
      assert.doesNotMatch(stream.text(), /Scorer|Red Stars|sequence|evt_/);
    }
  });

  it('never show a match that is not in progress, and the page learns only that the lists have changed', async () => {
    const front = await connected('/live');
    await harness.apply('later', {
      home: { name: 'Crows' },
      away: { name: 'Doves' },
      scheduled_start: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await harness.apply('later', {
      home: { name: 'Crows' },
      away: { name: 'Doves' },
      scheduled_start: new Date(Date.now() + 7_200_000).toISOString(),
      lineup_confirmed: true,
      lineups: [{ side: 'home', player: { name: 'A. Player' }, is_substitute: false }],
    });
    await harness.apply('past', { status: 'finished', status_detail: 'ended', score: { home: 4, away: 0 } });
    await harness.apply('past', { status: 'finished', status_detail: 'ended', score: { home: 5, away: 0 } });
    await mark(front);
    const hints = shownBy(front)
      .slice(0, -1)
      .filter(({ type }) => type !== 'match.started');
    assert.ok(hints.length >= 3);
    for (const hint of hints) assert.deepEqual(hint, { type: 'refresh' });
  });

  it('report that the lists have changed when a match ends', async () => {
    const id = await harness.apply('ends', playing('Larks', 'Wrens', [0, 0], 89));
    const [front, one] = [await connected('/live'), await connected(`/live?match=${id}`)];
    await harness.apply('ends', playing('Larks', 'Wrens', [0, 0], 90, { status: 'finished', status_detail: 'ended' }));
    for (const stream of [front, one]) {
      await stream.until('refresh');
      assert.deepEqual(shownBy(stream).at(-1), { type: 'refresh' });
      assert.doesNotMatch(stream.text(), /finished/);
    }
  });

  it('give a match page only events from that match, while it is in progress', async () => {
    const id = await harness.apply('mine', playing('Owls', 'Rooks', [0, 0], 20));
    const one = await connected(`/live?match=${id}`);
    const front = await connected('/live');
    await harness.apply('yours', playing('Kites', 'Hawks', [3, 0], 20));
    await mark(front);
    await harness.apply('mine', playing('Owls', 'Rooks', [1, 0], 21));
    await one.until('match.score_changed');
    for (const { match } of shownBy(one)) assert.equal((match as { id: number }).id, id);
  });

  it('do not exist for a match that is unknown or not in progress', async () => {
    const past = await harness.apply('over', { status: 'finished', score: { home: 1, away: 0 } });
    const next = await harness.apply('next', { scheduled_start: new Date(Date.now() + 3_600_000).toISOString() });
    for (const id of [past, next, 999_999]) assert.equal((await open(`/live?match=${id}`)).status, 404);
    for (const id of ['0', '-1', 'x', '9007199254740992', '1,2'])
      assert.equal((await open(`/live?match=${id}`)).status, 422, id);
  });

  it('take no cursor, filter or key, because they offer no replay and no search', async () => {
    const before = await connected('/live');
    await mark(before);
    for (const query of ['?last_event_id=0', '?sport=football&league=1&event_type=match.*', '?client=abcdefgh']) {
      const stream = await open(`/live${query}`, { 'Last-Event-ID': '0' });
      assert.equal(stream.status, 200);
      await mark(stream);
      assert.equal(shownBy(stream).length, 1, query);
    }
  });

  it('never contain prices', async () => {
    const id = await harness.apply('priced', playing('Swifts', 'Swans', [0, 0], 5));
    const one = await connected(`/live?match=${id}`);
    const odds = (price: number) => [{ bookmaker: 'A', market_name: '1x2', choice_name: 'home', decimal_value: price }];
    await harness.apply('priced', playing('Swifts', 'Swans', [0, 0], 5, { odds: odds(2) } as object));
    await harness.apply('priced', playing('Swifts', 'Swans', [0, 0], 5, { odds: odds(3) } as object));
    await harness.apply('priced', playing('Swifts', 'Swans', [1, 0], 6));
    await one.until('match.score_changed');
    assert.doesNotMatch(one.text(), /odds/);
  });

  it('leave out live matches beyond the 200 that the front page lists', async () => {
    const crowd = (name: string, minute: number) => ({
      ...playing(`Home ${name}`, `Away ${name}`, [0, minute], minute),
      // In the list, this tournament comes before the matches of other tests.
      tournament: { name: 'A Crowd', country: 'INT' },
    });
    const before = (await harness.pool.query(`SELECT FROM match WHERE status = 'live'`)).rowCount!;
    const ids = new Map<string, number>();
    for (let n = 0; n < 200; n += 1) ids.set(`${n}`, await harness.apply(`crowd-${n}`, crowd(`${n}`, 1)));
    const page = await (await fetch(`${site.url}/?live=1`)).text();
    const listed = [...ids].filter(([, id]) => page.includes(`data-match="${id}"`));
    assert.equal([...page.matchAll(/data-status="live"/g)].length, 200);
    assert.equal(listed.length, 200);
    const hidden = await harness.apply('hidden', playing('Zebras', 'Zorillas', [0, 0], 1));
    assert.ok(before > 0 && !page.includes(`data-match="${hidden}"`));
    const front = await connected('/live');
    await harness.apply('hidden', playing('Zebras', 'Zorillas', [5, 0], 2));
    const last = ids.get('199')!;
    await harness.apply('crowd-199', crowd('199', 7));
    await front.until(`"id":${last},"status":"live","status_detail":"in_play","minute":7`);
    assert.ok(!shownBy(front).some(({ match }) => (match as { id: number } | undefined)?.id === hidden));
    assert.equal((await open(`/live?match=${hidden}`)).status, 200, 'it has a page of its own');
    for (const [n] of ids)
      await harness.apply(`crowd-${n}`, { ...crowd(n, 8), status: 'finished', status_detail: 'ended' });
  }).timeout(30_000);

  it('are opened for 100 of 1,500 requests from one address, and the rest are told when to retry', async () => {
    // The clock does not advance, so that no bucket refills.
    const clock = { now: () => Date.parse('2026-03-01T12:00:00Z') };
    const still = await harness.start({ clock });
    const statuses: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const some = await Promise.all(Array.from({ length: 50 }, () => open('/live', {}, still)));
      for (const stream of some) {
        statuses.push(stream.status);
        if (stream.status === 200) continue;
        assert.match(stream.headers['retry-after']!, /^\d+$/);
        stream.close();
      }
    }
    assert.equal(statuses.length, 1_500);
    assert.equal(statuses.filter((status) => status === 200).length, 100);
    assert.equal(statuses.filter((status) => status === 429).length, 1_400);
    await still.stop();
  }).timeout(30_000);

  it('come through nginx from the role stream, and arrive as they are written', async function () {
    if (!canRunNginx()) this.skip();
    const nginx = await startNginx({ api: [1], ingest: [1], stream: [site.port] });
    try {
      const stream = await openStream(`${nginx.url}/live`, { 'Accept-Encoding': 'gzip' });
      assert.equal(stream.status, 200);
      assert.equal(stream.headers['content-encoding'], undefined);
      await stream.until('retry: 2000');
      await mark(stream);
      stream.close();
    } finally {
      await nginx.close();
    }
  });

  it('are opened for 1,000 requests from many addresses, and each IPv6 network counts as one address', async () => {
    const behind = await harness.start({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const openFrom = async (address: (n: number) => string, count: number) => {
      const some = await Promise.all(
        Array.from({ length: count }, (_, n) => open('/live', { 'X-Forwarded-For': address(n) }, behind)),
      );
      return some.filter(({ status }) => status === 200).length;
    };
    assert.equal(await openFrom((n) => `2001:db8:1:2:${n.toString(16)}::1`, 120), 100);
    for (let network = 1; network < 10; network += 1)
      assert.equal(await openFrom(() => `198.51.100.${network}`, 100), 100);
    assert.equal(await openFrom((n) => `203.0.113.${n}`, 50), 0);
    await behind.stop();
  }).timeout(30_000);

  it("end with a member's session on a site that is not public", async () => {
    const closed = await harness.start({ env: { PUBLIC_SITE: '0' } });
    const [first, second] = [await harness.signIn(), await harness.signIn()];
    const mine = await open('/live', { cookie: first.cookie }, closed);
    const yours = await open('/live', { cookie: second.cookie }, closed);
    assert.deepEqual([mine.status, yours.status], [200, 200]);
    await first.end();
    await mine.ended;
    assert.equal((await open('/live', { cookie: first.cookie }, closed)).status, 404);
    await harness.pool.query('UPDATE account SET suspended_at = now() WHERE id = $1', [second.accountId]);
    await yours.ended;
    await closed.stop();
  });
});
