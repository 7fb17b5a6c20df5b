import assert from 'node:assert/strict';
import { pino } from 'pino';

import { storeRejections } from '../../src/apply/rejections.ts';
import { recordDeletion } from '../../src/apply/resolve/find-matches.ts';
import { createHousekeeping, finalizeQuietMatches } from '../../src/apply/upkeep/finalize-matches.ts';
import { drainCardRefresh } from '../../src/apply/write/card-refresh.ts';

import { relayLease } from '../../src/events/relay-lease.ts';
import { housekeeping } from '../../src/jobs/housekeeping.ts';
import { assignChangeCursors } from '../../src/relay/change-cursors.ts';
import { FOOTBALL_GIVEN } from '../support/blocks.ts';
import { type FeedBench, type MatchFields, openFeedBench, types } from '../support/feed.ts';
import { startTestJob } from '../support/jobs.ts';
import { until } from '../support/until.ts';

const FINISHED: MatchFields = { status: 'finished', score: { home: 1, away: 0 } };
const SECOND = 1_000;
/** Milliseconds per day. */
const DAY = 86_400_000;

describe('housekeeping', () => {
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
  });

  describe('finality', () => {
    it('a match becomes final 24 hours after the end, not a second earlier, and an event reports it', async () => {
      const id = await bench.accept(FINISHED);
      const finishedAt = bench.now;
      await bench.events();
      bench.now = finishedAt + DAY - SECOND;
      assert.equal(await finalizeQuietMatches(bench.deps), 0);
      assert.equal((await bench.card(id)).finalized, false);
      const before = await bench.db.pool.query('SELECT version::int FROM match WHERE id = $1', [id]);
      await bench.db.pool.query('DELETE FROM match_touch');
      bench.published.length = 0;
      bench.now = finishedAt + DAY;
      assert.equal(await finalizeQuietMatches(bench.deps), 1);
      const card = await bench.card(id);
      const now = `${new Date(bench.now).toISOString().slice(0, 19)}Z`;
      assert.deepEqual([card.finalized, card.updated_at], [true, now]);
      const [reported, ...none] = await bench.events();
      assert.deepEqual(
        [reported!.type, reported!.data.occurred_at, reported!.data.sequence, none],
        ['match.finalized', now, 2, []],
      );
      const after = await bench.db.pool.query('SELECT version::int FROM match WHERE id = $1', [id]);
      assert.equal(after.rows[0].version, before.rows[0].version + 1);
      assert.equal((await bench.db.pool.query('SELECT 1 FROM match_touch WHERE match_id = $1', [id])).rowCount, 1);
      assert.deepEqual(bench.published, [id]);
      assert.equal(await finalizeQuietMatches(bench.deps), 0);
    });

    it('a match becomes final 24 hours after the last change', async () => {
      const id = await bench.accept(FINISHED);
      bench.now += DAY / 2;
      await bench.accept({ attendance: 9 });
      bench.now += DAY / 2 + SECOND;
      assert.equal(await finalizeQuietMatches(bench.deps), 0);
      // A repeated update changes nothing.
      assert.equal((await bench.feed(bench.update({ attendance: 9 })))[0]!.outcome, 'unchanged');
      bench.now += DAY / 2;
      assert.equal(await finalizeQuietMatches(bench.deps), 1);
      assert.equal((await bench.card(id)).finalized, true);
    });

    it('a match that is not over does not become final, however old it is', async () => {
      await bench.accept({ status: 'live' });
      bench.nextMatch();
      await bench.accept();
      bench.now += 3 * DAY;
      assert.equal(await finalizeQuietMatches(bench.deps), 0);
    });

    it('450 matches become final in one run', async () => {
      await bench.db.pool.query('DELETE FROM outbox');
      const matches = 450;
      await bench.accept(FINISHED);
      await bench.db.pool.query(
        `INSERT INTO match (sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, status_detail, updated_at)
         SELECT sport, tournament_id, season_id, home_id, away_id, scheduled_start, status, status_detail, updated_at FROM match, generate_series(2, $1)`,
        [matches],
      );
      bench.now += DAY;
      assert.equal(await finalizeQuietMatches(bench.deps), matches);
    });
  });

  describe('a final match', () => {
    const corrections: [name: string, fields: MatchFields, events: string[]][] = [
      ['its score', { score: { home: 2, away: 0 } }, ['match.correction']],
      ['its status', { status: 'live' }, ['match.correction']],
      ['its attendance', { attendance: 1 }, []],
      ['an incident', { incidents: [{ kind: 'goal', side: 'home' }] }, ['match.goal']],
      ['a block', { statistics: FOOTBALL_GIVEN.statistics }, ['match.statistics_updated']],
    ];
    for (const [name, fields, events] of corrections) {
      it(`a final match is no longer final after a correction to ${name}, and becomes final again`, async () => {
        const id = await bench.accept({ ...FINISHED, finalized: true });
        await bench.events();
        await bench.accept(fields);
        assert.equal((await bench.card(id)).finalized, false);
        assert.deepEqual(types(await bench.events()), events);
        bench.now += DAY;
        assert.equal(await finalizeQuietMatches(bench.deps), fields.status === 'live' ? 0 : 1);
      });
    }

    it('a final match stays final when a correction declares it final', async () => {
      const id = await bench.accept({ ...FINISHED, finalized: true });
      await bench.accept({ score: { home: 2, away: 0 }, statistics: [], finalized: true });
      assert.equal((await bench.card(id)).finalized, true);
    });

    it('a feed can declare a match final and withdraw that declaration', async () => {
      const id = await bench.accept(FINISHED);
      await bench.events();
      await bench.accept({ finalized: true });
      assert.deepEqual(types(await bench.events()), ['match.finalized']);
      assert.equal((await bench.card(id)).finalized, true);
      await bench.accept({ finalized: false });
      assert.equal((await bench.card(id)).finalized, false);
    });

    it('a final match stays final when the same update comes again, or a name changes', async () => {
      const id = await bench.accept({ ...FINISHED, finalized: true });
      assert.equal((await bench.feed(bench.update(FINISHED)))[0]!.outcome, 'unchanged');
      await bench.feed(bench.update({ tournament: { id: 'l1', name: 'Renamed League', country: 'GB-ENG' } }));
      const card = await bench.card(id);
      assert.deepEqual([card.finalized, card.tournament], [true, 'Renamed League']);
    });
  });

  it('the relay assigns change cursors to a moved match’s tombstone and then to the match itself', async () => {
    const stamp = (generation: number) => assignChangeCursors(bench.db.pool, generation);
    const lease = await relayLease.take(bench.db.pool, 'test');
    const gone = await bench.accept();
    bench.nextMatch();
    const moved = await bench.accept();
    while ((await stamp(lease!)) > 0);
    const { rows: before } = await bench.db.pool.query('SELECT change_seq::int FROM relay');
    await bench.accept({ tournament: { id: 'l3', name: 'Third League', country: 'GB-ENG' } });
    const { rows: ids } = await bench.db.pool.query(
      "SELECT external_id FROM external_ref WHERE entity = 'match' AND entity_id = $1",
      [gone],
    );
    await bench.accept({ id: ids[0].external_id, deleted: true });
    while ((await stamp(lease!)) > 0);
    const { rows } = await bench.db.pool.query(
      'SELECT match_id::int, sport, reason, merged_into, change_cursor::int AS cursor FROM match_tombstone WHERE change_cursor > $1 ORDER BY match_id',
      [before[0].change_seq],
    );
    assert.deepEqual(
      rows.map(({ match_id, sport, reason, merged_into }) => [match_id, sport, reason, merged_into]),
      [
        [gone, 'football', 'deleted', null],
        [moved, 'football', 'moved', null],
      ],
    );
    const changes = await bench.db.pool.query(
      'SELECT match_id::int, change_cursor::int AS cursor FROM match_change WHERE match_id = ANY ($1)',
      [[gone, moved]],
    );
    assert.deepEqual(
      changes.rows.map(({ match_id }) => match_id),
      [moved],
    );
    // The change comes after the tombstone, so that a client of both tournaments does not delete the moved match.
    assert.ok(changes.rows[0].cursor > rows[1].cursor);
  });

  it('housekeeping deletes old rejections and deletions, renders cards that a stopped process left, and replaces silent leaders', async () => {
    const id = await bench.accept(FINISHED);
    await bench.db.pool.query("UPDATE participant SET name = 'Left Over' WHERE name LIKE 'Home %'");
    await bench.db.pool.query('INSERT INTO card_refresh VALUES ($1)', [id]);
    bench.nextMatch();
    const led = await bench.accept({ status: 'live' });
    await bench.feed(bench.update({ ...FINISHED }, { provider: 'second' }));
    bench.now += 6 * 60 * SECOND;
    const rejection = { text: '{}', errors: [] };
    await storeRejections(bench.db.pool, bench.now - 31 * DAY, [{ ...rejection, provider: 'old' }]);
    await storeRejections(bench.db.pool, bench.now - 29 * DAY, [{ ...rejection, provider: 'new' }]);
    await recordDeletion(bench.db.pool, 'old', '1', bench.now - 31 * DAY);
    await recordDeletion(bench.db.pool, 'new', '1', bench.now - 29 * DAY);
    await createHousekeeping(bench.deps)();
    assert.equal((await bench.card(id)).participants[0]!.name, 'Left Over');
    assert.equal((await bench.card(led)).status, 'finished');
    for (const table of ['feed_rejection', "match_deletion WHERE external_id = '1'"]) {
      const { rows } = await bench.db.pool.query(`SELECT provider FROM ${table}`);
      assert.deepEqual(rows, [{ provider: 'new' }], table);
    }
  });

  it('a housekeeping failure for one match or one task does not block the rest, and is logged', async () => {
    const finished = await bench.accept(FINISHED);
    bench.now += DAY;
    const led: number[] = [];
    for (let count = 0; count < 2; count += 1) {
      bench.nextMatch();
      led.push(await bench.accept({ status: 'live' }));
      await bench.feed(bench.update({ ...FINISHED }, { provider: 'second' }));
    }
    await bench.db.pool.query("UPDATE match_claim SET value = '{' WHERE match_id = $1 AND member = 'references'", [
      led[0],
    ]);
    bench.now += 6 * 60 * SECOND;
    const lines: string[] = [];
    const logger = pino({}, { write: (line: string) => lines.push(line) });
    const running = startTestJob(housekeeping, { ...bench.deps, logger });
    await until('the failure is logged', () => lines.length > 0);
    await running.stop();
    assert.equal((await bench.card(led[0]!)).status, 'live');
    assert.equal((await bench.card(led[1]!)).status, 'finished');
    assert.equal((await bench.card(finished)).finalized, true);
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['housekeeping failed, retrying in a minute'],
    );
  });

  it('existing teams get former names that a new release brings, unless a provider has given them names', async () => {
    const international = (home: string, scheduled_start: string): MatchFields => ({
      tournament: { id: 'wc', name: 'FIFA World Cup', country: 'INT' },
      home: { name: home, country: 'INT' },
      scheduled_start,
      status: 'finished',
      score: { home: 1, away: 0 },
    });
    const shown = async (id: number) => (await bench.card(id)).participants[0]!.name;
    const old = await bench.accept(international('Soviet Union', '1990-06-13T15:00:00Z'));
    bench.nextMatch();
    const recent = await bench.accept(international('Russia', '2018-06-14T15:00:00Z'));
    bench.nextMatch();
    const dropped = await bench.accept(international('Not Listed', '2018-06-15T15:00:00Z'));
    bench.nextMatch();
    const own = await bench.accept(international('Burma', '1970-12-01T15:00:00Z'));
    const observed_at = new Date(bench.now).toISOString();
    const participant = { type: 'team', sport: 'football', name: 'Myanmar', country: 'MM' } as const;
    await bench.feed({
      schema: 1,
      kind: 'participant',
      provider: 'live',
      observed_at,
      participant: { ...participant, former_names: [] },
    });
    // The state after a release that did not have the list.
    await bench.db.pool.query('DELETE FROM participant_name');
    await bench.db.pool.query(
      "INSERT INTO participant_name SELECT id, '2010-01-01', 'infinity', 'Dropped' FROM participant WHERE name IN ('Russia', 'Not Listed')",
    );
    await bench.db.pool.query('INSERT INTO card_refresh SELECT id FROM match');
    await drainCardRefresh(bench.deps);
    const all = () => Promise.all([old, recent, dropped, own].map(shown));
    assert.deepEqual(await all(), ['Russia', 'Dropped', 'Dropped', 'Myanmar']);
    await bench.db.pool.query('DELETE FROM match_touch');
    await createHousekeeping(bench.deps)();
    assert.deepEqual(await all(), ['Soviet Union', 'Russia', 'Not Listed', 'Myanmar']);
    const { rows } = await bench.db.pool.query<{ match_id: number }>('SELECT match_id FROM match_touch ORDER BY 1');
    assert.deepEqual(
      rows.map(({ match_id }) => match_id),
      [old, recent, dropped],
    );
  });

  it('the former fixture of a match that left a calendar is deleted once no calendar shows it', async () => {
    const { pool } = bench.db;
    const count = async () =>
      (await pool.query<{ n: number }>('SELECT count(*)::int AS n FROM former_fixture')).rows[0]!.n;
    const run = createHousekeeping(bench.deps);
    await pool.query('DELETE FROM former_fixture');
    const start = bench.now;
    await bench.accept({ scheduled_start: new Date(start).toISOString() });
    await bench.accept({ deleted: true });
    bench.now = start + 90 * DAY;
    await run();
    assert.equal(await count(), 1);
    bench.now = start + 92 * DAY;
    await run();
    assert.equal(await count(), 0);
  });
});
