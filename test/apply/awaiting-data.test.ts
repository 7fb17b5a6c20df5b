import assert from 'node:assert/strict';
import { applyUpdates } from '../../src/apply/apply.ts';
import { isAwaitingData } from '../../src/apply/stored/awaiting-data.ts';
import { markAwaitingData } from '../../src/apply/upkeep/mark-awaiting-data.ts';
import { liveMatches } from '../../src/matches/live-matches.ts';
import { SPORTS } from '../../src/sports/sports.ts';
import { statusText } from '../../src/web/status-text.ts';
import { feedUpdate } from '../../src/wire/feed-update.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** When this file's matches start. */
const START = Date.parse('2024-05-01T14:00:00Z');

describe('a match without news', () => {
  let bench: FeedBench;
  before(async () => {
    bench = await openFeedBench();
  });
  after(() => bench.db.drop());
  beforeEach(async () => {
    await bench.db.pool.query('DELETE FROM match');
    await bench.db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
    await bench.events();
    bench.nextMatch();
    bench.now = START - HOUR;
  });

  const mark = () => markAwaitingData(bench.deps);
  const shown = async (id: number) => {
    const { status, status_detail } = await bench.card(id);
    return [status, status_detail];
  };
  /** Creates a match that awaits data, and discards the events about it. */
  const waiting = async (fields: MatchFields = {}, later = 3 * DAY) => {
    const id = await bench.accept(fields);
    bench.now += later;
    assert.equal(await mark(), 1);
    await bench.events();
    return id;
  };

  it('a football match awaits data from 4 hours after the start, and an event reports it', async () => {
    const id = await bench.accept();
    await bench.events();
    bench.now = START + 4 * HOUR;
    assert.equal(await mark(), 0);
    assert.deepEqual(await shown(id), ['scheduled', 'not_started']);
    await bench.db.pool.query('DELETE FROM match_touch');
    bench.published.length = 0;
    const before = await bench.db.pool.query('SELECT version::int FROM match WHERE id = $1', [id]);
    bench.now += SECOND;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(id), ['scheduled', 'awaiting_data']);
    const [reported, ...none] = await bench.events();
    assert.deepEqual(none, []);
    assert.deepEqual(
      [reported!.type, reported!.data.occurred_at, reported!.data.sequence, reported!.data.changes, reported!.data.previous],
      ['match.rescheduled', '2024-05-01T18:00:01Z', 2, { status_detail: 'awaiting_data' }, { status_detail: 'not_started' }],
    ); // biome-ignore format: pairs
    assert.deepEqual([reported!.data.match.status, reported!.data.match.status_detail], ['scheduled', 'awaiting_data']);
    const after = await bench.db.pool.query('SELECT version::int FROM match WHERE id = $1', [id]);
    assert.equal(after.rows[0].version, before.rows[0].version + 1);
    assert.equal((await bench.card(id)).updated_at, '2024-05-01T18:00:01Z');
    assert.equal((await bench.db.pool.query('SELECT 1 FROM match_touch WHERE match_id = $1', [id])).rowCount, 1);
    assert.deepEqual(bench.published, [id]);
    assert.equal(await mark(), 0);
  });

  it('a match with a known day and no time awaits data 4 hours after the end of that day', async () => {
    const id = await bench.accept({ scheduled_start: '2024-05-01T00:00:00Z', time_tbd: true });
    bench.now = Date.parse('2024-05-02T04:00:00Z');
    assert.equal(await mark(), 0);
    bench.now += SECOND;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(id), ['scheduled', 'awaiting_data']);
  });

  it('a live football match awaits data after 2 hours without news, and a correction event reports it', async () => {
    await bench.accept();
    bench.now = START;
    const id = await bench.accept({ status: 'live', minute: 1 });
    bench.now += HOUR;
    // A repeated update counts as news too.
    assert.equal((await bench.feed(bench.update({ status: 'live', minute: 1 })))[0]!.outcome, 'unchanged');
    const heard = bench.now;
    // An attendance does not count as news.
    bench.now += HOUR;
    await bench.accept({ attendance: 12 });
    await bench.events();
    bench.now = heard + 2 * HOUR;
    assert.equal(await mark(), 0);
    bench.now += SECOND;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(id), ['live', 'awaiting_data']);
    const [reported, ...none] = await bench.events();
    assert.deepEqual(none, []);
    assert.deepEqual(
      [reported!.type, reported!.data.changes, reported!.data.previous, reported!.data.match.status_detail],
      ['match.correction', { status_detail: 'awaiting_data' }, { status_detail: 'in_play' }, 'awaiting_data'],
    );
  });

  it('incidents count as news for a live match', async () => {
    bench.now = START;
    await bench.accept({ status: 'live' });
    bench.now += 110 * MINUTE;
    await bench.accept({ incidents: [{ kind: 'card', side: 'home', minute: 80 }] });
    bench.now += 110 * MINUTE;
    assert.equal(await mark(), 0);
    bench.now += 11 * MINUTE;
    assert.equal(await mark(), 1);
  });

  const news: [what: string, before: MatchFields, after: MatchFields, shown: string[], events: string[]][] = [
    ['a late result ends it', {}, { status: 'finished', score: { home: 1, away: 0 } }, ['finished', 'ended'], ['match.score_changed', 'match.finished']],
    ['a cancellation ends it', {}, { status_detail: 'cancelled' }, ['finished', 'cancelled'], ['match.cancelled']],
    ['a late kick-off ends it', {}, { status: 'live' }, ['live', 'in_play'], ['match.started']],
    ['a postponement ends it', {}, { status_detail: 'postponed' }, ['scheduled', 'postponed'], ['match.postponed']],
    ['a new start ends it', {}, { status: 'scheduled', scheduled_start: '2024-05-09T14:00:00Z' }, ['scheduled', 'not_started'], ['match.rescheduled']],
    ['a new start of a delayed match ends it, and the match is delayed as before', { status_detail: 'delayed' }, { scheduled_start: '2024-05-09T14:00:00Z' }, ['scheduled', 'delayed'], ['match.rescheduled']],
    ['the same fixture again does not end it', {}, { status: 'scheduled' }, ['scheduled', 'awaiting_data'], []],
    ['the same fixture with its detail does not end it', {}, { status_detail: 'not_started' }, ['scheduled', 'awaiting_data'], []],
    ['a referee does not end it', {}, { referee: 'Someone' }, ['scheduled', 'awaiting_data'], []],
    ['a minute of a silent live match ends it', { status: 'live', status_detail: 'break' }, { minute: 46 }, ['live', 'break'], ['match.correction']],
    ['a goal in a silent live match ends it', { status: 'live' }, { status_detail: 'in_play', score: { home: 1, away: 0 } }, ['live', 'in_play'], ['match.correction', 'match.score_changed']],
    ['a suspension of a silent live match ends it', { status: 'live' }, { status_detail: 'suspended' }, ['live', 'suspended'], ['match.suspended']],
    ['the end of a silent live match ends it', { status: 'live' }, { status: 'finished' }, ['finished', 'ended'], ['match.finished']],
    ['another day for a silent live match ends it', { status: 'live' }, { status: 'scheduled', status_detail: 'suspended' }, ['scheduled', 'suspended'], ['match.suspended']],
    ['the attendance of a silent live match does not end it', { status: 'live' }, { attendance: 9 }, ['live', 'awaiting_data'], []],
  ]; // biome-ignore format: a table
  for (const [what, before, after, expected, events] of news) {
    it(`when a match awaits data, ${what}`, async () => {
      const id = await waiting(before);
      await bench.feed(bench.update(after));
      assert.deepEqual(await shown(id), expected);
      const reported = await bench.events();
      assert.deepEqual(types(reported), events);
      const last = reported.at(-1);
      if (last !== undefined) assert.deepEqual([last.data.match.status, last.data.match.status_detail], expected);
      // Housekeeping does not mark a match a second time.
      assert.equal(await mark(), 0);
    });
  }

  it('the event for a new start time has the states before and after the change', async () => {
    await waiting();
    await bench.accept({ scheduled_start: '2024-05-09T14:00:00Z' });
    const [event] = await bench.events();
    assert.deepEqual(
      [event!.data.changes, event!.data.previous],
      [
        { scheduled_start: '2024-05-09T14:00:00Z', status_detail: 'not_started' },
        { scheduled_start: '2024-05-01T14:00:00Z', status_detail: 'awaiting_data' },
      ],
    );
  });

  it('an update observed before the silence began does not end the waiting', async () => {
    const id = await waiting({ status: 'live' });
    const late = bench.update({ status: 'live', minute: 30 }, { observed_at: new Date(START).toISOString() });
    await bench.feed(late);
    assert.deepEqual(await shown(id), ['live', 'awaiting_data']);
    assert.deepEqual(await bench.events(), []);
  });

  it('a postponed match without a new date waits for 180 days, and a suspended one for two days', async () => {
    const postponed = await bench.accept({ status_detail: 'postponed' });
    bench.nextMatch();
    bench.now = START;
    const suspended = await bench.accept({ status: 'live', status_detail: 'suspended' });
    const stopped = bench.now;
    bench.now = stopped + 2 * DAY;
    assert.equal(await mark(), 0);
    bench.now += SECOND;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(suspended), ['live', 'awaiting_data']);
    bench.now = START + 180 * DAY;
    assert.equal(await mark(), 0);
    assert.deepEqual(await shown(postponed), ['scheduled', 'postponed']);
    bench.now += SECOND;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(postponed), ['scheduled', 'awaiting_data']);
  });

  it('a match that awaits data is listed on the front page as neither live nor upcoming', async () => {
    const start = new Date(START).toISOString();
    const live = async () => (await liveMatches(bench.db.pool)).length;
    await bench.accept({ scheduled_start: start });
    bench.nextMatch();
    const id = await bench.accept({ status: 'live' });
    assert.equal(await live(), 1);
    bench.now += DAY;
    assert.equal(await mark(), 2);
    assert.equal(await live(), 0);
    const item = (await bench.card(id)) as Parameters<typeof statusText>[0];
    assert.deepEqual([statusText(item, 'en'), statusText(item, 'ru')], ['Awaiting data', 'Ждём данных']);
  });

  it('the former status returns, with an event, if the clock is set back, and the match awaits data again once the clock has advanced', async () => {
    const id = await waiting();
    bench.now = START - 2 * DAY;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(id), ['scheduled', 'not_started']);
    const events = await bench.events();
    assert.deepEqual(types(events), ['match.rescheduled']);
    assert.deepEqual(events[0]!.data.changes, { status_detail: 'not_started' });
    assert.equal(await mark(), 0);
    bench.now = START + 5 * HOUR;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(id), ['scheduled', 'awaiting_data']);
  });

  it('a finished match never awaits data', async () => {
    await bench.accept({ status: 'finished', score: { home: 1, away: 0 } });
    bench.now += 900 * DAY;
    assert.equal(await mark(), 0);
  });

  it('an imported past fixture awaits data at once without an event, and a future fixture does not', async () => {
    bench.now = START + 3 * DAY;
    const history = (scheduled_start: string) =>
      feedUpdate.parse(bench.update({ scheduled_start }, { provider: 'openfootball' }));
    const imported = async (update: ReturnType<typeof history>) =>
      (await applyUpdates(bench.deps, [update], { events: false }))[0]!;
    const past = await imported(history('2019-04-06T14:00:00Z'));
    assert.deepEqual(await shown(past.matchId!), ['scheduled', 'awaiting_data']);
    assert.equal((await imported(history('2019-04-06T14:00:00Z'))).outcome, 'unchanged');
    bench.nextMatch();
    const next = await imported(history('2024-05-05T14:00:00Z'));
    assert.deepEqual(await shown(next.matchId!), ['scheduled', 'not_started']);
    // The match's day passes without a result.
    bench.now += 2 * DAY;
    assert.equal(await mark(), 1);
    assert.deepEqual(await shown(next.matchId!), ['scheduled', 'awaiting_data']);
    assert.deepEqual(await bench.events(), []);
  });

  it('450 matches are found in one run, even among matches that do not await data', async () => {
    await bench.accept({ status_detail: 'postponed' });
    const copies = (detail: string, count: number) =>
      bench.db.pool.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, status_detail, provenance, updated_at)
         SELECT sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, $1, provenance, updated_at
         FROM (SELECT * FROM match LIMIT 1) one, generate_series(1, $2)`,
        [detail, count],
      );
    await copies('postponed', 450);
    await copies('not_started', 450);
    bench.now += 3 * DAY;
    assert.equal(await mark(), 450);
    const { rows } = await bench.db.pool.query(
      'SELECT status_detail, count(*)::int AS n FROM match WHERE awaiting_data GROUP BY 1',
    );
    assert.deepEqual(rows, [{ status_detail: 'not_started', n: 450 }]);
  });

  it('no feed may send awaiting_data as a status', () => {
    const refused = feedUpdate.safeParse(bench.update({ status_detail: 'awaiting_data' as 'ended' }));
    assert.deepEqual(
      refused.error?.issues.map(({ path }) => path.join('.')),
      ['match.status_detail'],
    );
  });

  it('every sport has its own waiting times', () => {
    for (const { slug } of SPORTS) {
      const fixture = { sport: slug, scheduled_start: '2024-05-01T14:00:00Z', time_tbd: false };
      const scheduled = { ...fixture, status: 'scheduled', status_detail: 'not_started' } as const;
      const live = { ...fixture, status: 'live', status_detail: 'in_play' } as const;
      const provenance = { status: { provider: 'live', observedAt: START } };
      assert.equal(isAwaitingData(scheduled, provenance, START + 3 * HOUR), false, slug);
      assert.equal(isAwaitingData(live, provenance, START + HOUR), false, slug);
      assert.equal(isAwaitingData(scheduled, provenance, START + 2 * DAY + SECOND), true, slug);
      assert.equal(isAwaitingData(live, provenance, START + DAY + SECOND), true, slug);
    }
  });
});
