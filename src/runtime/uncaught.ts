/** Handles uncaught errors. */
import type { Logger } from 'pino';

/**
 * Logs uncaught errors in a server process. After an unhandled rejection, the process continues, since only one
 * request or piece of work has failed. After an uncaught exception, the process ends with code 1, since its state is
 * unknown.
 */
export function logUncaught(logger: Pick<Logger, 'error' | 'fatal'>): void {
  process.on('unhandledRejection', (reason) => logger.error({ err: reason }, 'a promise rejection was not handled'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'an exception was not caught; the process ends');
    process.exit(1);
  });
}
