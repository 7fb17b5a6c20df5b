-- The result, home, away or draw, where the score does not show it: after a revised target in cricket, or in a drawn match of two innings.
ALTER TABLE match ADD COLUMN given_winner text;
