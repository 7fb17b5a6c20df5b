/** A process's log. */
import { type DestinationStream, type Logger, pino } from 'pino';
import { withoutSecrets } from '../wire/secret-formats.ts';
import { withSourcePositions } from './source-positions.ts';

/**
 * Maximum time for which lines below a warning are held back, so that several are written together. Each write wakes
 * the program that reads the log.
 */
const WRITE_EVERY_MS = 100;
const WRITE_BYTES = 4_096;
/** Maximum size of the lines that wait while writes fail. Any more are lost. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;
const { warn: WARN, fatal: FATAL } = pino.levels.values as { warn: number; fatal: number };

/**
 * Opens a log on standard error, because standard output is for command results.
 * @param level pino log level
 * @param mixin returns fields to add to a line
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

/**
 * Opens the destination. A warning is written at once, with all lines before it. When the process ends, the lines that
 * still wait are written.
 */
function openDestination(): DestinationStream {
  const destination = pino.destination({
    dest: 2,
    minLength: WRITE_BYTES,
    periodicFlush: WRITE_EVERY_MS,
    maxLength: MAX_UNWRITTEN_BYTES,
  });
  // If the log's reader has exited or the disk is full, the process must not end, and the exit code must not change.
  destination.on('error', () => {});
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    try {
      flushSync();
    } catch {
      // The lines are lost, which must not stop the process either.
    }
  };
  const stream = {
    // Makes pino set `lastLevel` for each line.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(text: string): void {
      // Removes secrets, since an error message may contain client input. This takes 0.3 µs per line.
      const shown = withoutSecrets(text);
      destination.write(stream.lastLevel >= WARN ? withSourcePositions(shown) : shown);
      if (stream.lastLevel >= WARN && stream.lastLevel < FATAL) destination.flush();
    },
    // pino calls this for a fatal error, after which the process ends.
    flushSync: () => destination.flushSync(),
  };
  return stream;
}
