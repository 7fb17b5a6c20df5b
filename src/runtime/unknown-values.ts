/** Reads values of unknown types: what was thrown, and parsed JSON. */

/** Returns a member of an object or a list; undefined: there is none, or the value is neither. */
export const memberOf = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Returns the message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the code of an error of Node or Postgres, such as `ENOENT`; undefined: it has none. */
export function codeOf(error: unknown): string | undefined {
  const code = memberOf(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
