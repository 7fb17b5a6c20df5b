-- The side that won a shoot-out, home or away, where a source has the winner; the score of the shoot-out is in period_scores if known.
ALTER TABLE match ADD COLUMN shootout_winner text;
