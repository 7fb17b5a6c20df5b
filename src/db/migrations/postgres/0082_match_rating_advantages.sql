-- Points by which the home side leads besides its rating: for playing at home, and because the other side, or the home side itself
-- (negative), played on the day before. Null until `touchline ratings` has run again.
ALTER TABLE match_rating ADD COLUMN home_advantage float8, ADD COLUMN rest float8;
