-- The server and the timeline of Postgres on which the relay has worked: another one means that Postgres was restored or failed over.
ALTER TABLE relay ADD COLUMN history text;
