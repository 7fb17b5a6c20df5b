-- Awarded matches and walkovers leave the history, and matches without cards that have substitutions count as card-free: the
-- loader builds a new copy, and the former one answers until it is complete.
UPDATE analytics_loader SET next_era = greatest(era, next_era) + 1, next_cursor = 0, next_reason = coalesce(next_reason, 'rebuild')
WHERE loaded_cursor > 0;
