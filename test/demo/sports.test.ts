import assert from 'node:assert/strict';
import { pino } from 'pino';
import { applyUpdates } from '../../src/apply/apply.ts';
import { playDemo } from '../../src/demo/demo.ts';
import { play } from '../../src/demo/play.ts';
import { recordedSports, sportRecording } from '../../src/demo/recording.ts';
import { EntityCache } from '../../src/identity/entities.ts';
import { SPORTS } from '../../src/sports/sports.ts';
import type { FeedUpdate } from '../../src/wire/feed-update.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

/** By sport, how the recorded match ends. */
const RESULTS: Record<string, [detail: string, score: string, periods: string]> = {
  'american-football': ['ended', '18:14', 'Q1 Q2 Q3 Q4'],
  'aussie-rules': ['ended', '51:54', 'Q1 Q2 Q3 Q4'],
  baseball: ['ended', '4:6', 'I1 I2 I3 I4 I5 I6 I7 I8 I9'],
  basketball: ['after_extra_time', '86:84', 'Q1 Q2 Q3 Q4 OT'],
  cricket: ['ended', '163:167', 'I1 I2'],
  darts: ['ended', '3:6', 'F1 F2 F3 F4 F5 F6 F7 F8 F9'],
  esports: ['ended', '2:3', 'M1 M2 M3 M4 M5'],
  futsal: ['ended', '6:2', '1H 2H'],
  handball: ['ended', '22:26', '1H 2H'],
  'ice-hockey': ['after_penalties', '4:4', 'P1 P2 P3 OT SO'],
  mma: ['ended', '1:0', 'R1 R2 R3'],
  rugby: ['ended', '20:36', '1H 2H'],
  snooker: ['ended', '5:2', 'F1 F2 F3 F4 F5 F6 F7'],
  'table-tennis': ['ended', '3:1', 'S1 S2 S3 S4'],
  tennis: ['ended', '2:1', 'S1 S2 S3'],
  volleyball: ['ended', '2:3', 'S1 S2 S3 S4 S5'],
};

describe('the recorded matches in every sport except football', () => {
  let db: TestDatabase;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  const demo = (clock: { now(): number }) => {
    const deps = { pool: db.pool, clock, changes: { publish: () => {} }, entities: new EntityCache() };
    const apply = (updates: FeedUpdate[], options: { events: boolean }) => applyUpdates(deps, updates, options);
    return { pool: db.pool, clock, logger: pino({ level: 'silent' }), apply };
  };

  it('include one for each sport except football', async () => {
    const others = SPORTS.map(({ slug }) => slug).filter((slug) => slug !== 'football');
    assert.deepEqual(await recordedSports(), others.sort());
    assert.deepEqual(Object.keys(RESULTS), others);
  });

  for (const [sport, [detail, score, periods]] of Object.entries(RESULTS))
    it(`play a ${sport} match from the first event to the last`, async () => {
      let now = Date.parse('2026-11-21T12:00:00Z');
      const { apply, clock } = demo({ now: () => now });
      const sleep = async (ms: number) => {
        now += ms;
      };
      await play({ apply: (updates) => apply(updates, { events: true }), clock, sleep }, await sportRecording(sport), {
        matchId: `test-${sport}`,
        signal: new AbortController().signal,
      });
      const { rows } = await db.pool.query(
        `SELECT m.id, m.status, m.status_detail, m.home_score || ':' || m.away_score AS score, m.finalized, m.sequence::int,
           (SELECT string_agg(p ->> 'period', ' ') FROM json_array_elements(m.period_scores) p) AS periods
         FROM match m JOIN external_ref r ON r.entity = 'match' AND r.entity_id = m.id WHERE r.external_id = $1`,
        [`test-${sport}`],
      );
      const [{ id, sequence, ...match }] = rows;
      assert.deepEqual(match, { status: 'finished', status_detail: detail, score, finalized: true, periods });
      const events = await db.pool.query('SELECT type, envelope FROM outbox WHERE match_id = $1 ORDER BY id', [id]);
      const envelopes = events.rows.map(({ envelope }) => JSON.parse(envelope));
      assert.deepEqual(
        envelopes.map(({ data }) => data.sequence),
        Array.from({ length: sequence }, (_, index) => index + 1),
        'no event is missing, and none comes twice',
      );
      const types = events.rows.map(({ type }) => type);
      assert.deepEqual(
        [types[0], types.includes('match.started'), types.at(-1)],
        ['match.created', true, 'match.finalized'],
      );
      assert.ok(types.includes('match.finished'));
      const totals = envelopes.map(({ data }) => (data.match.home.score ?? 0) + (data.match.away.score ?? 0));
      assert.equal(totals[types.indexOf('match.started')], 0);
      assert.deepEqual(
        totals,
        totals.toSorted((a, b) => a - b),
        'no score is taken back',
      );
      const last = envelopes.at(-1)!.data.match;
      assert.equal(`${last.home.score}:${last.away.score}`, score);
    });

  it('are live four at a time, in tournaments marked as invented', async () => {
    await db.pool.query('TRUNCATE match CASCADE');
    await db.pool.query("DELETE FROM external_ref WHERE entity = 'match'");
    const stop = new AbortController();
    const playing = playDemo(demo({ now: () => Date.now() }), stop.signal);
    const liveSports = async () =>
      (
        await db.pool.query<{ sport: string }>(
          `SELECT DISTINCT m.sport FROM match m JOIN tournament t ON t.id = m.tournament_id WHERE m.sport <> 'football' AND t.demo`,
        )
      ).rows.length;
    await until('four sports are played', async () => (await liveSports()) === 4);
    stop.abort();
    await playing;
  });
});
