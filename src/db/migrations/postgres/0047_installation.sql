-- Several installations may share a Kafka. `analytics_loader.database_id` names this one.
CREATE TABLE installation (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- Topic of the event log unless KAFKA_TOPIC gives another one.
  kafka_topic text NOT NULL
);
-- An installation with events keeps the name that all had before.
INSERT INTO installation (kafka_topic)
SELECT CASE WHEN base + last_offset > 0 THEN 'touchline.events' ELSE 'touchline.events.' || left(database_id::text, 8) END
FROM relay, analytics_loader;
