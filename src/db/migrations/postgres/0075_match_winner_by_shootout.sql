-- As match_winner of three arguments, with the side that won the shoot-out if its score is not among the periods.
CREATE FUNCTION match_winner(home integer, away integer, periods json, shootout text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
  WHEN home > away THEN 'home'
  WHEN home < away THEN 'away'
  WHEN home = away THEN coalesce(shootout_winner(periods), shootout, 'draw')
END;
