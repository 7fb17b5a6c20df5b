/** An event as a record in the Kafka topic. The envelope is the value. Headers contain what filters and the relay need. */
import type { LogRecord } from './event-log.ts';
import type { KafkaRecord } from './kafka-connection.ts';
import type { SentEvent } from './send-spans.ts';

export interface OutboxEvent extends SentEvent {
  id: number;
  sport: string;
  tournament_id: number;
  /** When the event was committed, in ms since 1970. */
  committed_at: number;
}

/** The relay that wrote a record, as the record names it. */
export interface Origin {
  outboxId: number;
  generation: number;
  /** The base: cursor = base + offset, with offsets counted from 1. */
  base: number;
}

/** @param traceparent names the span that appends the record; null if there is none */
export const toRecord = (
  row: OutboxEvent,
  { installation, generation, base }: { installation: string; generation: number; base: number },
  traceparent: string | null = row.traceparent,
): Omit<KafkaRecord, 'offset' | 'timestamp'> => ({
  key: String(row.match_id),
  value: row.envelope,
  headers: {
    installation,
    outbox: String(row.id),
    generation: String(generation),
    base: String(base),
    sport: row.sport,
    tournament: String(row.tournament_id),
    type: row.type,
    committed: String(row.committed_at),
    ...(traceparent !== null && { traceparent }),
  },
});

export const readOrigin = ({ headers }: KafkaRecord): Origin => ({
  outboxId: Number(headers.outbox),
  generation: Number(headers.generation),
  base: cursorBase({ headers }),
});

export function cursorBase({ headers }: Pick<KafkaRecord, 'headers'>): number {
  const base = Number(headers.base);
  if (!Number.isSafeInteger(base)) throw new Error('the topic holds a record that the relay did not write');
  return base;
}

export const cursorOf = (record: KafkaRecord): number => cursorBase(record) + record.offset + 1;

export const toEvent = (record: KafkaRecord): LogRecord => ({
  cursor: cursorOf(record),
  matchId: Number(record.key),
  sport: record.headers.sport!,
  tournamentId: Number(record.headers.tournament),
  type: record.headers.type!,
  envelope: record.value,
  traceparent: record.headers.traceparent ?? null,
  committedAt: record.headers.committed === undefined ? null : Number(record.headers.committed),
  appendedAt: record.timestamp,
});
