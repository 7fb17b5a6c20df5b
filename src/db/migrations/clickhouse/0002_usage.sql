-- Requests of accounts on finished days, as in Postgres. A part has the rows of one move; a repeated move replaces it.
CREATE TABLE IF NOT EXISTS account_usage (
  database_id UUID,                   -- id of the Postgres database: accounts of others are ignored
  account_id UInt64,
  day Date,
  key_id UInt64,
  endpoint LowCardinality(String),
  status UInt16,
  part UInt32,
  requests UInt64,
  billable UInt64
) ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(day) ORDER BY (database_id, account_id, day, key_id, endpoint, status, part)
TTL day + INTERVAL 400 DAY;
