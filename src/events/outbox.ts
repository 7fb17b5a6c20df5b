/** The outbox. Events are committed to it together with the changes, and stay in it until the relay moves them into the log. */
import { prepared, type Queryable, texts } from '../db/postgres.ts';
import { currentTraceparent } from '../runtime/tracing.ts';

export interface OutboxRow {
  match_id: number;
  sport: string;
  tournament_id: number;
  type: string;
  envelope: string;
}

const WRITE_OUTBOX = prepared(
  'write outbox',
  `INSERT INTO outbox (match_id, sport, tournament_id, type, envelope)
   SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[])`,
);

const WRITE_TRACED_OUTBOX = prepared(
  'write traced outbox',
  `INSERT INTO outbox (match_id, sport, tournament_id, type, envelope, traceparent)
   SELECT *, $6::text FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[])`,
);

/** Writes events. In a sampled trace, each row names the span that writes it. */
export async function writeOutbox(client: Queryable, rows: readonly OutboxRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = [
    rows.map((row) => row.match_id),
    rows.map((row) => row.sport),
    rows.map((row) => row.tournament_id),
    rows.map((row) => row.type),
    texts(rows.map((row) => row.envelope)),
  ];
  const traceparent = currentTraceparent();
  await client.query(traceparent === null ? WRITE_OUTBOX(values) : WRITE_TRACED_OUTBOX([...values, traceparent]));
}
