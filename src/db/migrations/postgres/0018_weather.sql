-- The weather of matches: who asks for it, how often, and what each match has.
CREATE TABLE weather_fetcher (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  failures integer NOT NULL DEFAULT 0,      -- in a row
  blocked_until timestamptz NOT NULL DEFAULT '-infinity', -- nothing is asked before
  waiting_forecasts integer NOT NULL DEFAULT 0, -- matches whose forecast is due
  waiting_archive integer NOT NULL DEFAULT 0, -- played matches whose weather is due
  caught_up_at timestamptz                  -- when no forecast was due
);
INSERT INTO weather_fetcher DEFAULT VALUES;

-- What has been asked of the provider, by day (UTC), as the provider counts it.
CREATE TABLE weather_budget (
  day date PRIMARY KEY,
  requests integer NOT NULL
);

-- The hour and the place that the weather of a match is of. A row without weather says that the provider had none.
CREATE TABLE match_weather (
  match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  latitude numeric(4, 2) NOT NULL,
  longitude numeric(5, 2) NOT NULL,
  stadium text NOT NULL,
  city text,
  kind text NOT NULL CHECK (kind IN ('forecast', 'archive', 'none')),
  next_at timestamptz NOT NULL              -- when to ask again; infinity: never
);

-- 0, 0 is how sources write that they know no coordinates.
CREATE FUNCTION is_place(latitude double precision, longitude double precision) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180 AND (abs(latitude) > 0.01 OR abs(longitude) > 0.01), false);

-- Where a venue is, to about a kilometre: by its own coordinates, else by those of another venue of its city.
CREATE VIEW venue_place AS
SELECT v.id, v.name, v.city, round(p.latitude::numeric, 2) AS latitude, round(p.longitude::numeric, 2) AS longitude
FROM venue v CROSS JOIN LATERAL (
  SELECT o.latitude, o.longitude FROM venue o
  WHERE is_place(o.latitude, o.longitude)
    AND (o.id = v.id OR (o.country = v.country AND o.city_key = v.city_key AND v.city_key <> '' AND NOT is_place(v.latitude, v.longitude)))
  ORDER BY (o.id = v.id) DESC, o.id LIMIT 1
) p;

-- The hour (the full one next to the kick-off) and the place whose weather each match should have. A match is left out without a known
-- kick-off or place, if it is not played, if another provider gives its weather, and in the demo, whose matches are not real.
CREATE VIEW weather_target AS
SELECT m.id AS match_id, m.scheduled_start AS start, date_trunc('hour', m.scheduled_start + interval '30 minutes', 'UTC') AS hour,
  p.latitude, p.longitude, p.name AS stadium, p.city
FROM match m JOIN venue_place p ON p.id = m.venue_id JOIN tournament t ON t.id = m.tournament_id
WHERE NOT m.time_tbd AND m.status_detail NOT IN ('cancelled', 'postponed') AND NOT t.demo
  AND coalesce(m.provenance #>> '{weather,0}', 'open-meteo') = 'open-meteo';
