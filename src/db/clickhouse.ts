/** The analytical store: a ClickHouse server by address, or the embedded engine in the data folder. */
import { join } from 'node:path';
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';

export interface ClickHouse {
  client: ClickHouseClient;
  /** Of the engine. */
  version: string;
  close(): Promise<void>;
}

/** Its errors are thrown; the caller logs them. */
const LOG = { level: ClickHouseLogLevel.OFF };

/** @throws {Error} with one clear line */
export async function openClickHouse(url: string | undefined, dataDir: string): Promise<ClickHouse> {
  const client = url === undefined ? await embedded(dataDir) : createClient({ url, log: LOG });
  const rows = await client.query({ query: 'SELECT version() AS version', format: 'JSONEachRow' });
  const [row] = await rows.json<{ version: string }>();
  return { client, version: row!.version, close: () => client.close() };
}

async function embedded(dataDir: string): Promise<ClickHouseClient> {
  let chdb: typeof import('chdb/connection');
  try {
    // Half a gigabyte, and left out of the image: loaded only where it is used.
    chdb = await import('chdb/connection');
  } catch {
    throw new Error(
      'embedded ClickHouse: the package chdb is not installed; set CLICKHOUSE_URL, or run npm install without --omit=optional',
    );
  }
  const connection = chdb.createChdbConnection({ path: join(dataDir, 'clickhouse') });
  return createClient({ connection, log: LOG } as unknown as Parameters<typeof createClient>[0]);
}
