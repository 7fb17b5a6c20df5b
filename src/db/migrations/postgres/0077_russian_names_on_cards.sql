-- The lists of the search have given these teams Russian names, which the cards of their matches do not show yet.
INSERT INTO card_refresh
SELECT m.id FROM participant p JOIN match m ON m.home_id = p.id WHERE p.name_ru IS NOT NULL AND NOT p.provenance ? 'name_ru'
UNION
SELECT m.id FROM participant p JOIN match m ON m.away_id = p.id WHERE p.name_ru IS NOT NULL AND NOT p.provenance ? 'name_ru'
ON CONFLICT DO NOTHING;
