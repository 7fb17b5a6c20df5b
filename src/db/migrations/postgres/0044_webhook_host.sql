-- no-transaction
-- Subscriptions by the host of their URL; queries use the same expression (hostSql).
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_subscription_host
  ON webhook_subscription (substring(url FROM '^[a-z]+://(\[[^]]*\]|[^/:?#[]+)')) WHERE ended_at IS NULL;
