-- A player's sums of the figures that only the player's sport has, such as runs and wickets in cricket. Null in other sports, and if
-- a match has no such figures.
ALTER TABLE player_figures ADD COLUMN own_sums json;
