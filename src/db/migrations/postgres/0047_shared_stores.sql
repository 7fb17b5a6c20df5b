-- Several installations may share a Kafka, and a database of ClickHouse. `analytics_loader.database_id` names this one.

-- The topic of the event log unless KAFKA_TOPIC gives another one. Installations with events keep the name that all had before.
ALTER TABLE relay ADD COLUMN kafka_topic text NOT NULL DEFAULT 'touchline.events';
UPDATE relay SET kafka_topic = 'touchline.events.' || left(database_id::text, 8) FROM analytics_loader WHERE base + last_offset = 0;

-- Eras of a new installation begin at a multiple of 65,536 of its own, so that no other one has them.
UPDATE analytics_loader SET era = (1 + ('x' || left(database_id::text, 4))::bit(16)::integer % 32767) * 65536 + 1
WHERE era = 1 AND next_era IS NULL AND loaded_cursor = 0 AND caught_up_at IS NULL;
