-- Webhooks managed by their owners: more filters, the owner's notes, and a searchable delivery log.
ALTER TABLE webhook_subscription
  ADD match_ids bigint[] NOT NULL DEFAULT '{}',       -- empty for all
  ADD participant_ids bigint[] NOT NULL DEFAULT '{}', -- either side; empty for all
  ADD description text NOT NULL DEFAULT '',           -- the owner's note, like metadata; the service ignores both
  ADD metadata jsonb NOT NULL DEFAULT '{}';

ALTER TABLE webhook_attempt
  ADD cursor bigint,                                  -- for an event: position of its envelope in the log; null if it is stored with the delivery
  ADD body text,                                      -- for a ping or a test event, which is in no log
  ADD cause text,                                     -- cause of a failure: timeout, tls, server_error
  ADD reply text,                                     -- first bytes of the reply's body
  ADD single boolean NOT NULL DEFAULT false;          -- the only record of its delivery: there is no row in webhook_delivery

-- For the list of deliveries, newest first; all attempts of one delivery, or of the events of one match; failures.
CREATE INDEX webhook_attempt_single ON webhook_attempt (subscription_id, at) WHERE single;
CREATE INDEX webhook_attempt_failed ON webhook_attempt (subscription_id, at) WHERE single AND failure IS NOT NULL;
CREATE INDEX webhook_attempt_delivery ON webhook_attempt (delivery_id COLLATE "C");
DROP INDEX webhook_attempt_subscription;
CREATE INDEX webhook_delivery_state ON webhook_delivery (subscription_id, state, created_at);
