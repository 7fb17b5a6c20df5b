/** The log of a process. */
import { type Logger, pino } from 'pino';

/** Writes to standard error: standard output is for what a command answers. @param level of pino */
export function openLogger(level: string): Logger {
  return pino(
    {
      level,
      redact: ['key', 'secret', '*.key', '*.secret', 'headers["x-api-key"]', 'headers.authorization', 'headers.cookie'],
    },
    pino.destination(2),
  );
}
