/**
 * SQL: whether a time in a row is one that we could have written. Postgres also stores infinite times and years that neither JavaScript
 * nor the format of the wire has; SQL by hand may leave them in a row.
 */
export const isWritable = (column: string) =>
  `(${column} >= '1970-01-01T00:00:00Z'::timestamptz AND ${column} < '10000-01-01T00:00:00Z'::timestamptz)`;
