/** The relay's state, with the last change cursor and this Postgres's history, which the log and the relay write. */
import { firstRow, type Queryable } from '../db/postgres.ts';

/** @returns the last change cursor, after it was raised */
export async function raiseChangeCursor(client: Queryable, by: number): Promise<number> {
  const { rows } = await client.query<{ change_seq: number }>(
    'UPDATE relay SET change_seq = change_seq + $1 RETURNING change_seq',
    [by],
  );
  return firstRow(rows).change_seq;
}

/**
 * Events reach the log before the changes get cursors, so this log end and the last change cursor match without a gap.
 */
const ALL_ASSIGNED =
  'UPDATE relay SET stamped_cursor = base + last_offset WHERE stamped_cursor IS DISTINCT FROM base + last_offset';

export async function noteAllAssigned(client: Queryable): Promise<void> {
  await client.query(ALL_ASSIGNED);
}

/** @param history the server and the timeline, or `restored` */
export async function setHistory(client: Queryable, history: string): Promise<void> {
  await client.query('UPDATE relay SET history = $1', [history]);
}
