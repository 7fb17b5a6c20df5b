-- no-transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS member_favourite_team ON member_favourite (entity_id, member_id) WHERE kind = 'team';
