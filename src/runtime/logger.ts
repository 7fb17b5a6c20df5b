/** A process's log. */
import { type Logger, pino } from 'pino';

/** Writes to standard error: standard output is for the results of commands. @param level of pino */
export function openLogger(level: string): Logger {
  return pino(
    {
      level,
      redact: ['key', 'secret', '*.key', '*.secret', 'headers["x-api-key"]', 'headers.authorization', 'headers.cookie'],
    },
    pino.destination(2),
  );
}
