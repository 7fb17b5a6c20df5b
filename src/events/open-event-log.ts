/** Opens the event log that is configured. */
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { KafkaAccess } from '../config/kafka.ts';
import type { EventLog, LogWriter } from './event-log.ts';
import { type AppendNotices, openPostgresLog } from './postgres-log.ts';

/** @param onForeign called when the log turns out to hold events of another installation */
export async function openEventLog(
  config: Pick<Config, 'kafkaBrokers' | 'kafkaTopic' | 'strict'> & KafkaAccess,
  pool: pg.Pool,
  logger: Logger,
  notices: AppendNotices,
  onForeign?: () => void,
): Promise<EventLog & LogWriter> {
  const { kafkaBrokers, kafkaTopic, strict } = config;
  if (kafkaBrokers.length === 0) return openPostgresLog(pool, notices);
  const { openKafkaLog } = await import('./kafka-log.ts');
  return openKafkaLog({ brokers: kafkaBrokers, topic: kafkaTopic, access: config, pool, logger, strict, onForeign });
}
