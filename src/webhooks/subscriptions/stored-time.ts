/**
 * SQL condition for a timestamp that the service could have written. Postgres also stores infinite times, and years
 * that JavaScript and the wire format cannot express. Manual SQL may have left them in a row.
 */
export const isWritable = (column: string) =>
  `(${column} >= '1970-01-01T00:00:00Z'::timestamptz AND ${column} < '10000-01-01T00:00:00Z'::timestamptz)`;
