-- Services that jobs request over HTTP: failures in a row, and the time before which no request is sent.
CREATE TABLE source (
  name text PRIMARY KEY,
  failures integer NOT NULL DEFAULT 0,
  blocked_until timestamptz NOT NULL DEFAULT '-infinity'
);
INSERT INTO source (name, failures, blocked_until) SELECT 'open-meteo', failures, blocked_until FROM weather_fetcher;

-- Requests to a source by day (UTC), as the source counts them.
CREATE TABLE source_budget (
  source text NOT NULL,
  day date NOT NULL,
  requests integer NOT NULL,
  PRIMARY KEY (source, day)
);
INSERT INTO source_budget (source, day, requests) SELECT 'open-meteo', day, requests FROM weather_budget;
