/** Reads values of unknown types, such as a thrown value or parsed JSON. */

/** Returns a member of an object or a list. Undefined if there is no such member, or if the value is not an object or a list. */
export const readMember = (value: unknown, name: PropertyKey): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Returns the message of a thrown value. */
export const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Returns the code of an error from Node or Postgres, such as `ENOENT`. Undefined if the error has none. */
export function readErrorCode(error: unknown): string | undefined {
  const code = readMember(error, 'code');
  return typeof code === 'string' ? code : undefined;
}
