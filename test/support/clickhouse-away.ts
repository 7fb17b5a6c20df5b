/** A ClickHouse that never answers, for services whose tests need no analytics. */
import { type ClickHouse, ClickHouseUnavailable } from '../../src/db/clickhouse.ts';

const isAway = () => Promise.reject(new ClickHouseUnavailable('this service has none'));

export const clickhouseAway: ClickHouse = { query: isAway, command: isAway, insert: isAway, close: async () => {} };
