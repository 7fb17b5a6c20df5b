/** Handles uncaught errors. */
import type { Logger } from 'pino';

/**
 * For a server process. An unhandled rejection belongs to one request or one piece of work, so it is logged, and the
 * process goes on. After an uncaught exception the process state is unknown, so it is logged, and the process ends with
 * code 1.
 */
export function logUncaught(logger: Pick<Logger, 'error' | 'fatal'>): void {
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'a promise rejection was not handled'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an exception was not caught; the process ends');
    process.exit(1);
  });
}
