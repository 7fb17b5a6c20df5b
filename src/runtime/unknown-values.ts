/** Reads values of unknown types, namely what was thrown, and parsed JSON. */

/** Returns a member of an object or a list. Undefined if there is none, or the value is neither. */
export const readMember = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Returns the message of what was thrown. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the code in an error from Node or Postgres, such as `ENOENT`, or undefined if there is none. */
export function readErrorCode(error: unknown): string | undefined {
  const code = readMember(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
