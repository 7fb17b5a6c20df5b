/** A process's log. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutSecrets } from '../wire/secret-formats.ts';

/** Lines below a warning wait for further lines, for this time at most, because each write wakes whoever reads the log. */
const WRITE_EVERY_MS = 100;
const WRITE_BYTES = 4_096;
/** While writes fail, lines are kept up to this size, and later ones are lost. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const { warn: WARN, fatal: FATAL } = pino.levels.values as { warn: number; fatal: number };

/**
 * Writes to standard error, because standard output is for command results.
 * @param level pino log level
 * @param mixin returns further fields for a line
 */
export function openLogger(level: string, mixin?: () => object): Logger {
  return pino(
    {
      level,
      ...(mixin && { mixin }),
      redact: ['key', 'secret', '*.key', '*.secret', 'headers["x-api-key"]', 'headers.authorization', 'headers.cookie'],
    },
    openDestination(),
  );
}

/** A warning is written at once, with all lines before it. When a process ends, it writes what is left. */
function openDestination(): DestinationStream {
  const destination = pino.destination({
    dest: 2,
    minLength: WRITE_BYTES,
    periodicFlush: WRITE_EVERY_MS,
    maxLength: MAX_UNWRITTEN_BYTES,
  });
  // A reader that has left, or a full disk, must neither end the process nor change the exit code.
  destination.on('error', () => {});
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    try {
      flushSync();
    } catch {
      // The lines are lost.
    }
  };
  const stream = {
    // Asks pino for each line's level.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(text: string): void {
      // An error message may contain client input. This takes 0.3 µs a line.
      destination.write(withoutSecrets(text));
      if (stream.lastLevel >= WARN && stream.lastLevel < FATAL) destination.flush();
    },
    // pino calls it for a fatal error, after which the process ends.
    flushSync: () => destination.flushSync(),
  };
  return stream;
}
