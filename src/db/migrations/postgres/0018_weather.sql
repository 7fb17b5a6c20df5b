-- The weather of matches: the fetcher's state, its requests, and the weather of each match.
CREATE TABLE weather_fetcher (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  generation bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamptz NOT NULL DEFAULT '-infinity',
  failures integer NOT NULL DEFAULT 0,      -- consecutive
  blocked_until timestamptz NOT NULL DEFAULT '-infinity', -- no request before this time
  waiting_forecasts integer NOT NULL DEFAULT 0, -- matches whose forecast is due
  waiting_archive integer NOT NULL DEFAULT 0, -- played matches whose weather is due
  caught_up_at timestamptz                  -- when no forecast was last due
);
INSERT INTO weather_fetcher DEFAULT VALUES;

-- Requests to the provider by day (UTC), as the provider counts them.
CREATE TABLE weather_budget (
  day date PRIMARY KEY,
  requests integer NOT NULL
);

-- The hour and the place of a match's weather. A row without weather means that the provider had none.
CREATE TABLE match_weather (
  match_id bigint PRIMARY KEY REFERENCES match ON DELETE CASCADE,
  hour timestamptz NOT NULL,
  latitude numeric(4, 2) NOT NULL,
  longitude numeric(5, 2) NOT NULL,
  stadium text NOT NULL,
  city text,
  kind text NOT NULL CHECK (kind IN ('forecast', 'archive', 'none')),
  next_at timestamptz NOT NULL              -- next request; infinity for never
);

-- Sources write unknown coordinates as 0, 0.
CREATE FUNCTION is_place(latitude double precision, longitude double precision) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(latitude BETWEEN -90 AND 90 AND longitude BETWEEN -180 AND 180 AND (abs(latitude) > 0.01 OR abs(longitude) > 0.01), false);

-- Location of a venue, to about a kilometre: its own coordinates, or else the coordinates of another venue of its city.
CREATE VIEW venue_place AS
SELECT v.id, v.name, v.city, round(p.latitude::numeric, 2) AS latitude, round(p.longitude::numeric, 2) AS longitude
FROM venue v CROSS JOIN LATERAL (
  SELECT o.latitude, o.longitude FROM venue o
  WHERE is_place(o.latitude, o.longitude)
    AND (o.id = v.id OR (o.country = v.country AND o.city_key = v.city_key AND v.city_key <> '' AND NOT is_place(v.latitude, v.longitude)))
  ORDER BY (o.id = v.id) DESC, o.id LIMIT 1
) p;

-- The full hour nearest to the kick-off and the place whose weather each match should have. Excludes matches without a known kick-off
-- or place, matches that are not played, matches whose weather another provider gives, and the demo, whose matches are not real.
CREATE VIEW weather_target AS
SELECT m.id AS match_id, m.scheduled_start AS start, date_trunc('hour', m.scheduled_start + interval '30 minutes', 'UTC') AS hour,
  p.latitude, p.longitude, p.name AS stadium, p.city
FROM match m JOIN venue_place p ON p.id = m.venue_id JOIN tournament t ON t.id = m.tournament_id
WHERE NOT m.time_tbd AND m.status_detail NOT IN ('cancelled', 'postponed') AND NOT t.demo
  AND coalesce(m.provenance #>> '{weather,0}', 'open-meteo') = 'open-meteo';
