-- Names of linked players in full, in the blocks of a match: a source writes "Isak A.", and the participant is Alexander Isak. A name
-- that means two participants, or one that is not linked yet, stays as it is.
CREATE FUNCTION shown_names(of_match bigint, shown text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  abbreviated CONSTANT text := '(^|\s)\S{1,3}\.';
  one record;
BEGIN
  FOR one IN
    SELECT r.name, min(p.name) AS full_name
    FROM player_mention r LEFT JOIN participant g ON g.id = r.participant_id LEFT JOIN participant p ON p.id = coalesce(g.person_id, g.id)
    WHERE r.match_id = of_match AND r.name ~ abbreviated
    GROUP BY r.name HAVING count(DISTINCT p.id) = 1 AND bool_and(p.id IS NOT NULL AND p.name !~ abbreviated)
  LOOP
    shown := replace(shown, ':' || to_json(one.name)::text, ':' || to_json(one.full_name)::text);
  END LOOP;
  RETURN shown;
END $$;
