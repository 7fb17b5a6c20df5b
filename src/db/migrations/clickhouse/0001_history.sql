-- Matches with a result that counts. An era is one copy of the history: a rebuild fills the next one. A row is replaced by the row of
-- a later change cursor, and deleted by one with deleted = 1. The sides belong to the key: a match that gets another side gets
-- another row, and the former one is deleted.
CREATE TABLE IF NOT EXISTS played_match (
  era UInt32,
  match_id UInt64,
  tournament_id UInt64,
  day Int32,                          -- day of the start in UTC, since 1970
  home_id UInt64,
  away_id UInt64,
  season_id UInt64,
  sport LowCardinality(String),
  start Int64,                        -- seconds since 1970
  home_score UInt32,
  away_score UInt32,
  winner Enum8('home' = 1, 'draw' = 0, 'away' = -1), -- by the final result, including a shoot-out
  overtime UInt8,
  neutral UInt8,
  home_goals UInt32,                  -- without shoot-out goals
  away_goals UInt32,
  home_shots Nullable(UInt32),        -- shots on target
  away_shots Nullable(UInt32),
  home_cards Nullable(UInt32),
  away_cards Nullable(UInt32),
  version UInt64,                     -- change cursor
  deleted UInt8
) ENGINE = ReplacingMergeTree(version, deleted)
PARTITION BY era ORDER BY (era, tournament_id, day, match_id, home_id, away_id)
SETTINGS index_granularity = 1024;

-- The same by side: the matches of a side are stored together.
CREATE TABLE IF NOT EXISTS side_match
ENGINE = ReplacingMergeTree(version, deleted)
PARTITION BY era ORDER BY (era, side_id, day, match_id, home_id, away_id)
SETTINGS index_granularity = 1024
AS SELECT toUInt64(0) AS side_id, * FROM played_match WHERE 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS side_match_of_played_match TO side_match
AS SELECT arrayJoin([home_id, away_id]) AS side_id, * FROM played_match;

-- All keys of a match so far: written before its rows, so that the rows of a killed loader are found.
CREATE TABLE IF NOT EXISTS match_key (
  era UInt32,
  match_id UInt64,
  tournament_id UInt64,
  day Int32,
  home_id UInt64,
  away_id UInt64
) ENGINE = ReplacingMergeTree
PARTITION BY era ORDER BY (era, match_id, tournament_id, day, home_id, away_id)
SETTINGS index_granularity = 1024;

-- Loader's position in the changes of a database. Stored here and not in Postgres, so that it is lost together with the rows.
CREATE TABLE IF NOT EXISTS loader_position (
  era UInt32,
  database_id UUID,                   -- id of the Postgres database: rows of others are ignored
  change_cursor UInt64
) ENGINE = ReplacingMergeTree(change_cursor)
PARTITION BY era ORDER BY (era, database_id);

-- Each price, and each change of it. Not part of an era, because Postgres does not keep them.
CREATE TABLE IF NOT EXISTS odds_change (
  database_id UUID,                   -- as above, but the rows of others stay
  match_id UInt64,
  id UInt64,
  observed_at Int64,                  -- ms since 1970, by the provider's clock
  provider LowCardinality(String),
  bookmaker Nullable(String),
  market_group Nullable(String),
  market_name String,
  choice_name String,
  decimal_value Float64,
  opening_decimal Nullable(Float64),
  winning Nullable(UInt8)
) ENGINE = ReplacingMergeTree
ORDER BY (database_id, match_id, id);
