/** Reads where the log ends according to Postgres, and corrects Postgres if the topic turns out to have more records. */
import type pg from 'pg';
import { firstRow } from '../db/postgres.ts';
import type { KafkaRecord } from './kafka-connection.ts';
import { cursorBase, readOrigin } from './kafka-record.ts';
import { markChanged } from './pending-changes.ts';

export interface Position {
  base: number;
  /**
   * The last record's offset, counted from 1. In Kafka, where offsets begin at 0, it is the offset that the next
   * record will have.
   */
  last_offset: number;
}

export const POSITION = 'SELECT base, last_offset FROM relay';

export async function readPosition(client: pg.PoolClient): Promise<Position> {
  const { rows } = await client.query<Position>(POSITION);
  return firstRow(rows);
}

export const setPosition = ({ base, last_offset }: Position) =>
  `UPDATE relay SET base = ${base}, last_offset = ${last_offset}`;

export async function writePosition(client: pg.PoolClient, position: Position): Promise<void> {
  await client.query(setPosition(position));
}

/**
 * Returns the position for a log that ends before the last cursor. From this position on, cursors are larger than all
 * that were assigned before.
 */
export const raised = ({ base, last_offset }: Position, end: number): Position => ({
  base: base + last_offset - end,
  last_offset: end,
});

/**
 * Deletes outbox rows that turn out to be in the log, and raises the event sequences of matches for which the log has
 * later events.
 * @param records at least one
 * @returns the log's end after `records`, and the matches whose sequences were raised
 */
export async function settleRecords(
  client: pg.PoolClient,
  records: readonly KafkaRecord[],
  position: Position,
): Promise<{ position: Position; raisedMatches: number[] }> {
  // Late records from a former leader are skipped, as readers skip them too.
  const counting = records.filter((record) => cursorBase(record) >= position.base);
  const { rows } = await client.query<{ id: number }>(
    `DELETE FROM outbox o USING unnest($1::bigint[], $2::text[]) AS r (id, envelope)
     WHERE o.id = r.id AND o.envelope = r.envelope RETURNING o.id`,
    [counting.map((record) => readOrigin(record).outboxId), counting.map(({ value }) => value)],
  );
  const known = new Set(rows.map(({ id }) => id));
  const unknown = counting.filter((record) => !known.has(readOrigin(record).outboxId));
  const raisedMatches = await passLogged(client, unknown);
  const next = {
    base: Math.max(position.base, ...counting.map(cursorBase)),
    last_offset: records.at(-1)!.offset + 1,
  };
  await writePosition(client, next);
  return { position: next, raisedMatches };
}

const ENVELOPE_HEAD = /^\{"id":"evt_(\d+)_(\d+)","type":"([^"]+)","data":\{"schema":(\d+),"sequence":\d+/;

const readSequence = (envelope: string) => Number(ENVELOPE_HEAD.exec(envelope)?.[2] ?? 0);

/**
 * Raises event sequences if Postgres was restored to a state older than the log. Otherwise sequences that the log has
 * used would be assigned again. A record that only repeats an event in Postgres changes nothing.
 * @returns the ids of the matches whose sequences were raised
 */
async function passLogged(client: pg.PoolClient, records: readonly KafkaRecord[]): Promise<number[]> {
  const logged = new Map<number, number>();
  for (const { key, value } of records) {
    logged.set(Number(key), Math.max(logged.get(Number(key)) ?? 0, readSequence(value)));
  }
  if (logged.size === 0) return [];
  const { rows: matches } = await client.query<{ id: number; sequence: number }>(
    'SELECT id, sequence FROM match WHERE id = ANY ($1) ORDER BY id FOR UPDATE',
    [[...logged.keys()]],
  );
  // Read while the matches are locked, so that no event about them is being written.
  const { rows: pending } = await client.query<{ id: number; match_id: number; envelope: string }>(
    'SELECT id, match_id, envelope FROM outbox WHERE match_id = ANY ($1) ORDER BY id',
    [matches.map(({ id }) => id)],
  );
  const raisedMatches: number[] = [];
  for (const { id, sequence } of matches) {
    const own = pending.filter((row) => row.match_id === id);
    const next = own[0] === undefined ? sequence + 1 : readSequence(own[0].envelope);
    const by = logged.get(id)! + 1 - next;
    if (by <= 0) continue;
    raisedMatches.push(id);
    await client.query('UPDATE match SET sequence = sequence + $2 WHERE id = $1', [id, by]);
    for (const row of own) {
      await client.query('UPDATE outbox SET envelope = $2 WHERE id = $1', [row.id, renumbered(row.envelope, by)]);
    }
  }
  await markChanged(client, raisedMatches);
  return raisedMatches;
}

const renumbered = (envelope: string, by: number) =>
  envelope.replace(ENVELOPE_HEAD, (_all, match, sequence, type, schema) => {
    const next = Number(sequence) + by;
    return `{"id":"evt_${match}_${next}","type":"${type}","data":{"schema":${schema},"sequence":${next}`;
  });
