/** A process's log. */
import { type Logger, pino } from 'pino';

/**
 * Writes to standard error: standard output is for the results of commands.
 * @param level of pino
 * @param mixin returns further fields of a line
 */
export function openLogger(level: string, mixin?: () => object): Logger {
  return pino(
    {
      level,
      ...(mixin && { mixin }),
      redact: ['key', 'secret', '*.key', '*.secret', 'headers["x-api-key"]', 'headers.authorization', 'headers.cookie'],
    },
    pino.destination(2),
  );
}
