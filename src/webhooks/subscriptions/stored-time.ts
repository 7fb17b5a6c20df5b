/**
 * SQL that tells whether the service could have written this timestamp. Postgres also stores infinite times and years
 * outside the range that JavaScript and the wire format have, and manual SQL may leave them in a row.
 */
export const isWritable = (column: string) =>
  `(${column} >= '1970-01-01T00:00:00Z'::timestamptz AND ${column} < '10000-01-01T00:00:00Z'::timestamptz)`;
