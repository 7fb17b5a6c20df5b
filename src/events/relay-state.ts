/**
 * The parts of the relay's state that both the log and the relay write: the last change cursor, and this Postgres's
 * history.
 */
import { firstRow, type Queryable } from '../db/postgres.ts';

/** @returns the raised change cursor */
export async function raiseChangeCursor(client: Queryable, by: number): Promise<number> {
  const { rows } = await client.query<{ change_seq: number }>(
    'UPDATE relay SET change_seq = change_seq + $1 RETURNING change_seq',
    [by],
  );
  return firstRow(rows).change_seq;
}

/**
 * Records that all changes up to the log's end have cursors. Since events reach the log before their changes get
 * cursors, this end and the last change cursor then belong together.
 */
const ALL_ASSIGNED =
  'UPDATE relay SET stamped_cursor = base + last_offset WHERE stamped_cursor IS DISTINCT FROM base + last_offset';

export async function noteAllAssigned(client: Queryable): Promise<void> {
  await client.query(ALL_ASSIGNED);
}

/** @param history the server and the timeline, or `restored` after a restore */
export async function setHistory(client: Queryable, history: string): Promise<void> {
  await client.query('UPDATE relay SET history = $1', [history]);
}
