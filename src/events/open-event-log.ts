/** The adapter that the configuration asks for. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { EventLog, LogWriter } from './event-log.ts';
import { type AppendNotices, openPostgresLog } from './postgres-log.ts';

export async function openEventLog(
  { kafkaBrokers, strict }: Pick<Config, 'kafkaBrokers' | 'strict'>,
  pool: pg.Pool,
  logger: Logger,
  notices: AppendNotices,
): Promise<EventLog & LogWriter> {
  if (kafkaBrokers.length === 0) return openPostgresLog(pool, notices);
  const { openKafkaLog } = await import('./kafka-log.ts');
  return openKafkaLog({ brokers: kafkaBrokers, pool, logger, strict });
}
