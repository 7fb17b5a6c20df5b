-- Notices to a subscription's owner that deliveries fail, have stopped, or succeed again.
CREATE TABLE webhook_notice (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  subscription_id bigint NOT NULL REFERENCES webhook_subscription ON DELETE CASCADE, -- that the notice is about
  generation bigint NOT NULL,                  -- of the lease under which it was decided
  number integer NOT NULL,                     -- within that lease, so that a repeated save adds nothing
  type text NOT NULL,                          -- webhook.failing, webhook.disabled, webhook.recovered
  at timestamptz NOT NULL,
  since timestamptz,                           -- first failure after the last success
  failure text,                                -- the last failure; null if it has recovered
  reason text,                                 -- why it was disabled
  cursor bigint,                               -- its position when it was disabled
  queued_at timestamptz,                       -- when the deliveries to the account's other subscriptions were stored
  mail_due_at timestamptz,                     -- when the mail is to be sent (again); null if that is done
  mailed_at timestamptz,
  UNIQUE (subscription_id, generation, number)
);
CREATE INDEX webhook_notice_unqueued ON webhook_notice (id) WHERE queued_at IS NULL;
CREATE INDEX webhook_notice_mail_due ON webhook_notice (mail_due_at) WHERE mail_due_at IS NOT NULL;
