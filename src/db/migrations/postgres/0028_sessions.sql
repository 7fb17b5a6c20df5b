-- Session of the process that holds a row for a time: others take over at once when it has ended. Null: only by expiry.
ALTER TABLE relay ADD COLUMN session bigint;
ALTER TABLE analytics_loader ADD COLUMN session bigint;
ALTER TABLE weather_fetcher ADD COLUMN session bigint;
ALTER TABLE search_refresh ADD COLUMN session bigint;
ALTER TABLE coverage_refresh ADD COLUMN session bigint;
ALTER TABLE webhook_dispatcher ADD COLUMN session bigint;
ALTER TABLE stream_lease ADD COLUMN session bigint;
