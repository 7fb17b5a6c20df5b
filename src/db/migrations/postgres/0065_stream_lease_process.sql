-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS stream_lease_process ON stream_lease (left(holder, 12));
