/** Tests how the relay repairs Postgres if the topic has more records than Postgres knows. */
import assert from 'node:assert/strict';
import { transaction } from '../../src/db/postgres.ts';
import type { KafkaRecord } from '../../src/events/kafka-connection.ts';
import { toRecord } from '../../src/events/kafka-record.ts';
import { raised, readPosition, settleRecords } from '../../src/events/kafka-settle.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventWriter } from '../support/events.ts';

interface OutboxEventRow {
  traceparent: string | null;
  id: number;
  match_id: number;
  sport: string;
  tournament_id: number;
  type: string;
  envelope: string;
}

describe('a relay that takes over an event log on Kafka', () => {
  let db: TestDatabase;
  let events: ReturnType<typeof eventWriter>;
  before(async () => {
    db = await createTestDatabase();
  });
  after(() => db.drop());
  beforeEach(async () => {
    events = eventWriter();
    await db.pool.query('TRUNCATE outbox, match_touch');
    await db.pool.query('UPDATE relay SET base = 0, last_offset = 0');
    await transaction(db.pool, async (client) => {
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query('DELETE FROM match');
      await client.query(
        `INSERT INTO match (id, sport, tournament_id, season_id, home_id, away_id, scheduled_start, updated_at) OVERRIDING SYSTEM VALUE
         SELECT n, 'football', 7, 1, 1, 2, now(), now() FROM generate_series(1, 2) n`,
      );
    });
  });

  /** Writes as ingest does: events and the match's sequence in one transaction. */
  async function write(match: number, count: number): Promise<OutboxEventRow[]> {
    await events.write(
      db.pool,
      Array.from({ length: count }, () => ({ match })),
    );
    await db.pool.query('UPDATE match SET sequence = sequence + $2 WHERE id = $1', [match, count]);
    return outbox();
  }
  const outbox = async () =>
    (
      await db.pool.query<OutboxEventRow>(
        'SELECT id, match_id, sport, tournament_id, type, envelope, traceparent FROM outbox ORDER BY id',
      )
    ).rows;
  const inLog = (rows: readonly OutboxEventRow[], { from = 0, generation = 1, base = 0 } = {}): KafkaRecord[] =>
    rows.map((row, index) => ({
      ...toRecord({ ...row, committed_at: 0 }, { installation: 'own', generation, base }),
      offset: from + index,
      timestamp: 0,
    }));
  const settle = (records: readonly KafkaRecord[], position = { base: 0, last_offset: 0 }) =>
    transaction(db.pool, (client) => settleRecords(client, records, position));
  const sequence = async (match: number) =>
    (await db.pool.query<{ sequence: number }>('SELECT sequence FROM match WHERE id = $1', [match])).rows[0]!.sequence;
  const pendingChanges = async () =>
    (await db.pool.query<{ match_id: number }>('SELECT match_id FROM match_touch ORDER BY id')).rows.map(
      ({ match_id }) => match_id,
    );
  const numbers = async () => (await outbox()).map(({ envelope }) => /evt_\d+_\d+/.exec(envelope)![0]);

  it('removes rows from the outbox if the append arrived but its reply was lost, and stores the new end', async () => {
    const rows = await write(1, 5);
    const settled = await settle(inLog(rows.slice(0, 3)));
    assert.deepEqual(settled, { position: { base: 0, last_offset: 3 }, raisedMatches: [] });
    assert.deepEqual(
      (await outbox()).map(({ id }) => id),
      rows.slice(3).map(({ id }) => id),
    );
    assert.deepEqual(await transaction(db.pool, readPosition), { base: 0, last_offset: 3 });
    assert.deepEqual([await sequence(1), await pendingChanges()], [5, []]);
  });

  it('keeps a row in the outbox if its record id exists with another envelope', async () => {
    const [row] = await write(1, 1);
    await settle(inLog([{ ...row!, envelope: events.row({ match: 2 }).envelope }]));
    assert.equal((await outbox()).length, 1);
  });

  it('skips a late record from a former leader with an earlier base', async () => {
    const rows = await write(1, 2);
    const settled = await settle(inLog(rows, { from: 10 }), { base: 40, last_offset: 10 });
    assert.deepEqual(settled, { position: { base: 40, last_offset: 12 }, raisedMatches: [] });
    assert.equal((await outbox()).length, 2);
  });

  it('raises the base for a record with a larger base', async () => {
    const rows = await write(1, 1);
    const { position } = await settle(inLog(rows, { base: 100 }));
    assert.deepEqual(position, { base: 100, last_offset: 1 });
  });

  it('does not reuse sequence numbers from the log in a Postgres restored to an earlier state', async () => {
    const rows = await write(1, 6);
    await db.pool.query('TRUNCATE outbox');
    await db.pool.query('UPDATE match SET sequence = 4 WHERE id = 1');
    const { raisedMatches } = await settle(inLog(rows));
    assert.deepEqual(raisedMatches, [1]);
    assert.equal(await sequence(1), 6);
    assert.deepEqual(await pendingChanges(), [1]);
  });

  it('renumbers pending events whose sequence numbers are already in the log, but not events for unaffected matches', async () => {
    const logged = await write(1, 6);
    await db.pool.query('TRUNCATE outbox');
    await db.pool.query('UPDATE match SET sequence = 2 WHERE id = 1');
    events = eventWriter();
    events.row({ match: 1 });
    events.row({ match: 1 });
    await write(1, 2);
    await write(2, 1);
    assert.deepEqual(await numbers(), ['evt_1_3', 'evt_1_4', 'evt_2_1']);
    await settle(inLog(logged));
    assert.deepEqual(await numbers(), ['evt_1_7', 'evt_1_8', 'evt_2_1']);
    for (const { envelope } of await outbox()) {
      const { id, data } = JSON.parse(envelope);
      assert.equal(id, `evt_${data.match.id}_${data.sequence}`);
    }
    assert.deepEqual([await sequence(1), await sequence(2)], [8, 1]);
  });

  it('changes no state because of published events that the log repeats', async () => {
    const rows = await write(1, 3);
    await db.pool.query('TRUNCATE outbox');
    const { raisedMatches } = await settle(inLog(rows));
    assert.deepEqual([raisedMatches, await sequence(1), await pendingChanges()], [[], 3, []]);
  });

  it('raises the base if the log ends before the last cursor, so that new cursors continue after that cursor', () => {
    assert.deepEqual(raised({ base: 0, last_offset: 10 }, 0), { base: 10, last_offset: 0 });
    assert.deepEqual(raised({ base: 5, last_offset: 50 }, 20), { base: 35, last_offset: 20 });
  });

  it('refuses a record that the relay did not write, and changes no state', async () => {
    const [own, other] = inLog(await write(1, 2));
    const { base: _, ...headers } = other!.headers;
    await assert.rejects(
      settle([own!, { ...other!, headers }]),
      /^Error: the topic holds a record that the relay did not write$/,
    );
    assert.equal((await outbox()).length, 2);
    assert.deepEqual(await transaction(db.pool, readPosition), { base: 0, last_offset: 0 });
  });
});
