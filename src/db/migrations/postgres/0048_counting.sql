-- Version of the rules by which the history counts matches: the loader builds a new copy if it is older than its own.
ALTER TABLE analytics_loader ADD COLUMN counting integer NOT NULL DEFAULT 1;
