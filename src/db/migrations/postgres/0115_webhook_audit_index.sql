-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS webhook_subscription_audit ON webhook_subscription (id)
  WHERE event_types && ARRAY['account.changed', 'account.*'];
