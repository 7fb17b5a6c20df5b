import assert from 'node:assert/strict';
import { pino } from 'pino';
import { applyUpdates } from '../../src/apply/apply.ts';
import { loadDemoLeague, playDemo, prepareDemo } from '../../src/demo/demo.ts';
import { play } from '../../src/demo/play.ts';
import { shippedRecording } from '../../src/demo/recording.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import type { FeedUpdate } from '../../src/wire/feed-update.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

describe('the demo in a database', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());

  function demo(clock: { now(): number } = { now: () => Date.now() }) {
    const deps = { pool: db.pool, clock, changes: { publish: () => {} }, entities: new EntityCache() };
    const apply = (updates: FeedUpdate[], options: { events: boolean }) => applyUpdates(deps, updates, options);
    return { pool: db.pool, clock, logger: pino({ level: 'silent' }), apply };
  }
  const count = async (sql: string, values: unknown[] = []) =>
    Number((await db.pool.query(`SELECT count(*) FROM ${sql}`, values)).rows[0].count);

  it('loads its sample once, without events', async () => {
    assert.ok((await loadDemoLeague(demo())) > 100);
    assert.equal(await loadDemoLeague(demo()), 0);
    assert.equal(await count("match WHERE status = 'finished'"), 96 + 2 * 132);
    assert.equal(await count("match WHERE status = 'scheduled'"), 36);
    assert.equal(await count('outbox'), 0);
    assert.equal(await count("tournament WHERE name LIKE 'Touchline Demo %' AND demo"), 2);
  });

  const liveNow = async () =>
    (
      await db.pool.query(
        `SELECT m.id, m.minute, m.home_score AS home, m.away_score AS away, m.sequence::int, c.item FROM match m
         JOIN match_card c ON c.match_id = m.id WHERE m.status = 'live'`,
      )
    ).rows;

  it('has a live match as soon as it is prepared, in the state that the events give', async () => {
    assert.equal(await prepareDemo(demo()), 0, 'the sample is there already');
    const [match, ...others] = await liveNow();
    assert.deepEqual(others, []);
    assert.deepEqual([match.minute, match.home, match.away], [78, 2, 0]);
    const { rows } = await db.pool.query('SELECT type, envelope FROM outbox ORDER BY id');
    const events = rows.map(({ envelope }) => JSON.parse(envelope));
    assert.deepEqual(
      events.map(({ data }) => data.sequence),
      Array.from({ length: match.sequence }, (_, i) => i + 1),
    );
    const types = rows.map(({ type }) => type);
    assert.deepEqual(types.slice(0, 3), ['match.created', 'match.lineup_confirmed', 'match.started']);
    assert.equal(types.filter((type) => type === 'match.goal').length, 2);
    const newest = events.at(-1)!.data.match;
    assert.deepEqual([newest.minute, newest.home.score, newest.away.score, newest.status], [78, 2, 0, 'live']);
    const { scheduled_start } = JSON.parse(match.item);
    const played = Date.now() - Date.parse(scheduled_start);
    assert.ok(played > 120_000 && played < 300_000, `kicked off ${played} ms ago, at thirty times the speed`);
  });

  it('keeps the live match after a restart, or starts a new one', async () => {
    const [{ id }] = await liveNow();
    await prepareDemo(demo());
    assert.deepEqual(
      (await liveNow()).map((match) => match.id),
      [id],
    );
    await db.pool.query("UPDATE match SET status = 'finished', status_detail = 'ended' WHERE id = $1", [id]);
    await prepareDemo(demo());
    const [next, ...others] = await liveNow();
    assert.deepEqual([next.minute, others], [78, []]);
    assert.notEqual(next.id, id);
    // A final that was listed but had not begun when the process was killed.
    await db.pool.query(
      "UPDATE match SET status = 'scheduled', status_detail = 'not_started', minute = NULL, home_score = NULL, away_score = NULL, period_scores = '[]' WHERE id = $1",
      [next.id],
    );
    await prepareDemo(demo());
    assert.deepEqual(
      (await liveNow()).map((match) => [match.id, match.minute]),
      [[next.id, 78]],
    );
    await db.pool.query('DELETE FROM match WHERE id = ANY ($1)', [[id, next.id]]);
    await db.pool.query("DELETE FROM external_ref WHERE entity = 'match' AND entity_id = ANY ($1)", [[id, next.id]]);
    await db.pool.query('DELETE FROM outbox');
  });

  it('plays the final twice as two demo cup matches, never in the World Cup', async () => {
    const recording = await shippedRecording('world-cup-final-2022');
    let now = Date.parse('2026-11-21T12:00:00Z');
    const sleep = async (ms: number) => {
      now += ms;
    };
    const { apply } = demo({ now: () => now });
    const live = (updates: FeedUpdate[]) => apply(updates, { events: true });
    for (const matchId of ['cup-final-1', 'cup-final-2']) {
      await play({ apply: live, clock: { now: () => now }, sleep }, recording, {
        matchId,
        season: { label: '2026' },
        signal: new AbortController().signal,
      });
    }
    const { rows } = await db.pool.query(
      `SELECT t.name AS tournament, m.status, m.status_detail, m.home_score, m.away_score, m.lineup_confirmed, m.finalized
       FROM external_ref r JOIN match m ON m.id = r.entity_id JOIN tournament t ON t.id = m.tournament_id
       WHERE r.entity = 'match' AND r.external_id LIKE 'cup-final-%' ORDER BY m.id`,
    );
    const played = {
      tournament: 'Touchline Demo Cup',
      status: 'finished',
      status_detail: 'after_penalties',
      home_score: 3,
      away_score: 3,
      lineup_confirmed: true,
      finalized: true,
    };
    assert.deepEqual(rows, [played, played]);
    const events = await db.pool.query('SELECT type, count(*)::int AS count FROM outbox GROUP BY type ORDER BY type');
    const counts = Object.fromEntries(events.rows.map((row) => [row.type, row.count]));
    assert.equal(counts['match.created'], 2);
    assert.equal(counts['match.goal'], 12);
    assert.equal(counts['match.card'], 16);
    assert.equal(counts['match.substitution'], 26);
    assert.equal(counts['match.penalty_shootout'], 16);
    assert.equal(counts['match.started'], 2);
    assert.equal(counts['match.finished'], 2);
    assert.equal(counts['match.correction'], undefined);
    assert.equal(counts['match.incident_updated'], undefined);
    assert.equal(counts['match.score_changed'], undefined);
  });

  it('stops at once, and resumes the matches at the next start', async () => {
    const first = new AbortController();
    const playing = playDemo(demo(), first.signal);
    const finals = () => count("external_ref WHERE entity = 'match' AND external_id LIKE 'cup-final-%'");
    await until('the third final has begun', async () => (await finals()) >= 3, 20_000);
    const begun = Date.now();
    first.abort();
    await playing;
    assert.ok(Date.now() - begun < 2_000);
    const second = new AbortController();
    const again = playDemo(demo(), second.signal);
    await new Promise((resolve) => setTimeout(resolve, 300));
    second.abort();
    await again;
    assert.equal(await finals(), 3, 'the final that was cut continues; no new one begins');
  });
});
