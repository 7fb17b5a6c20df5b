-- Matches whose later events wait because an earlier event failed. These events stay in the log, before the position.
CREATE TABLE webhook_held_match (
  subscription_id bigint NOT NULL REFERENCES webhook_subscription,
  match_id bigint NOT NULL,
  cursor bigint NOT NULL,                      -- the first event that waits
  PRIMARY KEY (subscription_id, match_id)
);
