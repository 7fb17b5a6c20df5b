-- `meta.completeness` is measured from the contents of a block: cards with these blocks are re-rendered in small slices.
INSERT INTO card_refresh
SELECT DISTINCT match_id FROM match_block
WHERE block IN ('lineups', 'incidents', 'statistics', 'player_stats', 'coaches', 'shotmap', 'momentum', 'best_players', 'average_positions')
ON CONFLICT DO NOTHING;
