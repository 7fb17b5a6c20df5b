-- Without a subselect Postgres inlines match_winner; with one each call costs as much as a small statement.
CREATE FUNCTION shootout_winner(periods json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
  SELECT CASE WHEN (p ->> 'home')::int > (p ->> 'away')::int THEN 'home' WHEN (p ->> 'home')::int < (p ->> 'away')::int THEN 'away' END
  FROM json_array_elements(periods) p WHERE p ->> 'period' IN ('PEN', 'SO') LIMIT 1);

CREATE OR REPLACE FUNCTION match_winner(home integer, away integer, periods json) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN home > away THEN 'home'
  WHEN home < away THEN 'away'
  WHEN home = away THEN coalesce(shootout_winner(periods), 'draw')
END;
