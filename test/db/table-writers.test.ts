import assert from 'node:assert/strict';
import { loadModule } from 'libpg-query';
import { writerFaults, writtenTables } from '../support/statements/table-writers.ts';

describe('a table’s writers', () => {
  before(loadModule);

  it('are found in each statement, even within WITH, PREPARE and COPY', () => {
    const tables = (text: string) => [...writtenTables(text)].sort();
    assert.deepEqual(tables('SELECT * FROM match FOR UPDATE'), []);
    assert.deepEqual(tables('INSERT INTO outbox (id) SELECT id FROM match'), ['outbox']);
    assert.deepEqual(tables('WITH gone AS (DELETE FROM outbox RETURNING id) UPDATE relay SET base = 1'), [
      'outbox',
      'relay',
    ]);
    assert.deepEqual(tables('PREPARE one AS DELETE FROM outbox'), ['outbox']);
    assert.deepEqual(tables('COPY match (id) FROM STDIN'), ['match']);
    assert.deepEqual(tables('COPY (SELECT 1) TO STDOUT'), []);
    assert.deepEqual(tables('TRUNCATE match, outbox'), ['match', 'outbox']);
    assert.deepEqual(tables('BEGIN; DELETE FROM match; COMMIT'), ['match']);
  });

  it('must all be in one folder, or in the folders that an exception lists', () => {
    const statements = new Map([
      ['DELETE FROM outbox', new Set(['src/events/postgres-log.ts:1:2', 'src/events/kafka/writer.ts:3:4'])],
      ['UPDATE relay SET base = 1', new Set(['src/events/postgres-log.ts:5:6'])],
      [
        'UPDATE relay SET base = 2',
        new Set(['src/relay/relay.ts:7:8', 'operators/webhook-subscription/queries.ts:1:1']),
      ],
    ]);
    assert.deepEqual(writerFaults(statements, {}), [
      'the table relay is written by events, operators, relay: one of them must have the statements',
    ]);
    const reason = 'none';
    assert.deepEqual(writerFaults(statements, { relay: { rooms: ['events', 'operators', 'relay'], reason } }), []);
    assert.equal(writerFaults(statements, { relay: { rooms: ['events', 'relay'], reason } }).length, 1);
  });
});
