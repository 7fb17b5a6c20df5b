import assert from 'node:assert/strict';
import type pg from 'pg';
import type { OutboxRow } from '../../src/apply/store.ts';
import { transaction } from '../../src/db/postgres.ts';
import type { KafkaRecord } from '../../src/events/kafka-client.ts';
import { toRecord } from '../../src/events/kafka-record.ts';
import { type Position, raised, readPosition, settleRecords } from '../../src/events/kafka-settle.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter, type Sketch } from '../support/events.ts';

describe('a position that is raised to the end of the log', () => {
  /** The cursor of the next record: offsets are counted from 1 there. */
  const next = ({ base, last_offset }: Position) => base + last_offset + 1;

  it('gives the cursor after the last one to the next record, where the offsets are lower', () => {
    const before = { base: 100, last_offset: 40 };
    assert.deepEqual(raised(before, 0), { base: 140, last_offset: 0 });
    assert.deepEqual(raised(before, 25), { base: 115, last_offset: 25 });
    for (const end of [0, 25, 40]) assert.equal(next(raised(before, end)), 141);
  });

  it('stays as it is where the log ends at the last cursor', () => {
    assert.deepEqual(raised({ base: 3, last_offset: 7 }, 7), { base: 3, last_offset: 7 });
  });
});

describe('records at the end of the Kafka log that Postgres has to settle', () => {
  let db: TestDatabase;
  let pool: pg.Pool;
  let events: ReturnType<typeof eventWriter>;
  let from: Position;
  before(async () => {
    db = await createTestDatabase();
    ({ pool } = db);
  });
  after(() => db.drop());
  beforeEach(async () => {
    await transaction(pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query('TRUNCATE match, match_touch, outbox CASCADE');
      await client.query(
        `INSERT INTO match (id, sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at) OVERRIDING SYSTEM VALUE
         SELECT id, 'football', 7, 1, 1, 2, now(), now() FROM generate_series(1, 3) id`,
      );
      await client.query('UPDATE relay SET base = 0, last_offset = 0');
    });
    events = eventWriter();
    from = { base: 0, last_offset: 0 };
  });

  /** Rows for the sketches, in the sequence of their match. */
  const rowsOf = (...sketches: Sketch[]) => sketches.map((sketch) => events.row(sketch));
  /** The outbox rows with these ids. */
  async function wait(firstId: number, rows: readonly OutboxRow[]): Promise<void> {
    for (const [index, row] of rows.entries())
      await pool.query(
        'INSERT INTO outbox (id, match_id, sport, tournament_id, type, envelope) OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)',
        [firstId + index, row.match_id, row.sport, row.tournament_id, row.type, row.envelope],
      );
  }
  /** As a relay of this base has appended them from this offset on. */
  const logged = (rows: readonly OutboxRow[], { firstId = 1, offset = 0, base = 0 } = {}): KafkaRecord[] =>
    rows.map((row, index) => ({ offset: offset + index, ...toRecord({ id: firstId + index, ...row }, 1, base) }));
  const settle = (records: readonly KafkaRecord[], position = from) =>
    transaction(pool, (client) => settleRecords(client, records, position));

  const waiting = async () =>
    (await pool.query<{ id: number; envelope: string }>('SELECT id, envelope FROM outbox ORDER BY id')).rows;
  const touched = async () =>
    (await pool.query<{ match_id: number }>('SELECT match_id FROM match_touch ORDER BY match_id')).rows.map(
      (row) => row.match_id,
    );
  const sequences = async () =>
    (await pool.query<{ sequence: number }>('SELECT sequence FROM match ORDER BY id')).rows.map((row) => row.sequence);
  const setSequence = (match: number, sequence: number) =>
    pool.query('UPDATE match SET sequence = $2 WHERE id = $1', [match, sequence]);
  const position = () => transaction(pool, readPosition);

  it('take their rows out of the outbox, and leave the others', async () => {
    const rows = rowsOf({}, {}, {});
    await wait(1, rows);
    await setSequence(1, 3);
    const settled = await settle(logged(rows.slice(0, 2)));
    assert.deepEqual(settled, { position: { base: 0, last_offset: 2 }, raisedMatches: [] });
    assert.deepEqual(await waiting(), [{ id: 3, envelope: rows[2]!.envelope }]);
    assert.deepEqual(await position(), { base: 0, last_offset: 2 });
    assert.deepEqual([await sequences(), await touched()], [[3, 0, 0], []]);
  });

  it('change nothing but the position, where Postgres knows them: a repeat', async () => {
    await setSequence(1, 2);
    const settled = await settle(logged(rowsOf({}, {}), { offset: 5 }));
    assert.deepEqual(settled, { position: { base: 0, last_offset: 7 }, raisedMatches: [] });
    assert.deepEqual([await sequences(), await touched()], [[2, 0, 0], []]);
  });

  it('do not count where a former leader has written them late, with a lower base', async () => {
    const rows = rowsOf({}, {});
    await wait(1, rows);
    const settled = await settle(logged(rows, { base: 9 }), { base: 10, last_offset: 0 });
    assert.deepEqual(settled, { position: { base: 10, last_offset: 2 }, raisedMatches: [] });
    assert.deepEqual(
      (await waiting()).map(({ id }) => id),
      [1, 2],
    );
    assert.deepEqual([await sequences(), await touched()], [[0, 0, 0], []]);
  });

  it('give their base to a Postgres that has a lower one', async () => {
    const rows = rowsOf({}, {}, {});
    await wait(1, rows);
    const records = [...logged(rows.slice(0, 1)), ...logged(rows.slice(1), { firstId: 2, offset: 1, base: 100 })];
    assert.deepEqual((await settle(records)).position, { base: 100, last_offset: 3 });
    assert.deepEqual(await position(), { base: 100, last_offset: 3 });
    assert.deepEqual(await waiting(), []);
  });

  it('raise the sequence of a match that Postgres has lost events of, and touch it', async () => {
    await setSequence(1, 1);
    await setSequence(2, 1);
    // Of the second match nothing is lost.
    const records = logged(rowsOf({ match: 1 }, { match: 2 }, { match: 1 }, { match: 1 }));
    assert.deepEqual(await settle(records), { position: { base: 0, last_offset: 4 }, raisedMatches: [1] });
    assert.deepEqual([await sequences(), await touched()], [[3, 1, 0], [1]]);
  });

  it('leave a match alone that Postgres does not know', async () => {
    const settled = await settle(logged(rowsOf({ match: 99 })));
    assert.deepEqual(settled.raisedMatches, []);
    assert.deepEqual([await sequences(), await touched()], [[0, 0, 0], []]);
  });

  it('keep the row whose id has been used again, for another event, and number it after the last one', async () => {
    const [first, second] = rowsOf({ name: 'Before' }, { name: 'Before' });
    const again = eventWriter();
    const later = [again.row({ name: 'Later' }), again.row({ name: 'Later' })];
    await wait(1, later);
    await setSequence(1, 2);
    const { raisedMatches } = await settle(logged([first!, second!]));
    assert.deepEqual(raisedMatches, [1]);
    const kept = (await waiting()).map(({ id, envelope }) => ({ id, ...JSON.parse(envelope) }));
    assert.deepEqual(
      kept.map(({ id, data }) => [id, data.sequence, data.match.home.name]),
      [
        ['evt_1_3', 3, 'Later'],
        ['evt_1_4', 4, 'Later'],
      ],
    );
    // Nothing else of them has changed.
    const unnumbered = (envelope: string) => envelope.replace(/evt_1_\d+/, '').replace(/"sequence":\d+/, '');
    assert.deepEqual(
      (await waiting()).map(({ envelope }) => unnumbered(envelope)),
      later.map(({ envelope }) => unnumbered(envelope)),
    );
    assert.deepEqual([await sequences(), await touched()], [[4, 0, 0], [1]]);
  });

  it('are refused where the relay has not written one of them, and nothing changes', async () => {
    const rows = rowsOf({}, {});
    await wait(1, rows);
    const [own, other] = logged(rows);
    const { base: _, ...headers } = other!.headers;
    await assert.rejects(
      settle([own!, { ...other!, headers }]),
      /^Error: the topic holds a record that the relay did not write$/,
    );
    assert.equal((await waiting()).length, 2);
    assert.deepEqual(await position(), from);
  });
});
