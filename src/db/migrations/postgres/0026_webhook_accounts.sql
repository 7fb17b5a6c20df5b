-- Webhooks as their owners manage them: more filters, notes of the owner, and a delivery log that can be searched.
ALTER TABLE webhook_subscription
  ADD match_ids bigint[] NOT NULL DEFAULT '{}',       -- empty: all
  ADD participant_ids bigint[] NOT NULL DEFAULT '{}', -- of either side; empty: all
  ADD description text NOT NULL DEFAULT '',           -- both are the owner's, and mean nothing here
  ADD metadata jsonb NOT NULL DEFAULT '{}';

ALTER TABLE webhook_attempt
  ADD cursor bigint,                                  -- of an event: where its envelope is in the log; null: it is stored with the delivery
  ADD body text,                                      -- of a ping or a test event, which is in no log
  ADD cause text,                                     -- of a failure: timeout, tls, server_error
  ADD reply text,                                     -- the first bytes of the reply's body
  ADD single boolean NOT NULL DEFAULT false;          -- it is all there is of its delivery: no row of webhook_delivery

-- The list of deliveries, newest first; all attempts of one delivery, or of the events of one match; what has failed.
CREATE INDEX webhook_attempt_single ON webhook_attempt (subscription_id, at) WHERE single;
CREATE INDEX webhook_attempt_failed ON webhook_attempt (subscription_id, at) WHERE single AND failure IS NOT NULL;
CREATE INDEX webhook_attempt_delivery ON webhook_attempt (delivery_id COLLATE "C");
DROP INDEX webhook_attempt_subscription;
CREATE INDEX webhook_delivery_state ON webhook_delivery (subscription_id, state, created_at);
