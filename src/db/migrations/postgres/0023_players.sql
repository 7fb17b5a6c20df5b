-- Players for whom a source gives only a name. All data together decides which person a name means: see identity/player-links.
CREATE TABLE player_mention (
  match_id bigint NOT NULL REFERENCES match ON DELETE CASCADE,
  block text NOT NULL,                     -- incidents, lineups, player_stats or shotmap
  side text NOT NULL,                      -- side of the player: for an own goal, the opposite of the scoring side
  name text NOT NULL,                      -- as written by the source
  goals smallint NOT NULL DEFAULT 0,       -- goals of the player in the list, without own goals and shoot-outs
  played boolean NOT NULL DEFAULT true,    -- false if only carded: may be a coach
  participant_id bigint REFERENCES participant, -- null if not linked yet
  PRIMARY KEY (match_id, block, side, name)
);
CREATE INDEX player_mention_participant ON player_mention (participant_id);
CREATE INDEX player_mention_name ON player_mention (name);
CREATE INDEX player_mention_unlinked ON player_mention (match_id) WHERE participant_id IS NULL;

-- A participant known only by name that was identified as this one. Its id remains valid.
ALTER TABLE participant ADD person_id bigint REFERENCES participant;
CREATE INDEX participant_person ON participant (person_id) WHERE person_id IS NOT NULL;

ALTER TABLE match_player
  ADD yellow_cards smallint NOT NULL DEFAULT 0,
  ADD red_cards smallint NOT NULL DEFAULT 0;       -- straight, or by a second yellow card

INSERT INTO player_mention (match_id, block, side, name, goals, played)
SELECT b.match_id, b.block, r.side, r.name, sum(r.goals), bool_or(r.played OR r.name = ANY (o.names))
FROM match_block b CROSS JOIN LATERAL (
  SELECT array_agg(i -> 'payload' ->> 'player_out') AS names FROM json_array_elements(b.json::json) i WHERE i ->> 'kind' = 'subst'
) o CROSS JOIN LATERAL json_array_elements(b.json::json) i
CROSS JOIN LATERAL (
  SELECT CASE WHEN i -> 'payload' ->> 'goal_type' = 'own_goal' THEN CASE i ->> 'side' WHEN 'home' THEN 'away' WHEN 'away' THEN 'home' END
      ELSE i ->> 'side' END AS side, i ->> 'player_name' AS name,
    CASE WHEN i ->> 'kind' = 'goal' AND i -> 'payload' ->> 'goal_type' IS DISTINCT FROM 'own_goal' THEN 1 ELSE 0 END AS goals,
    i ->> 'kind' IS DISTINCT FROM 'card' AS played
  WHERE i ->> 'player_participant_id' IS NULL AND b.block IN ('incidents', 'lineups')
  UNION ALL SELECT i ->> 'side', i ->> 'assist_name', 0, true WHERE i ->> 'assist_participant_id' IS NULL AND b.block = 'incidents'
  UNION ALL SELECT i ->> 'side', i ->> 'player_name', 0, true WHERE i ->> 'participant_id' IS NULL AND b.block = 'player_stats'
  UNION ALL SELECT i ->> 'side', i -> 'player' ->> 'name', 0, true WHERE i -> 'player' ->> 'id' IS NULL AND b.block = 'shotmap'
) r
WHERE b.block IN ('incidents', 'lineups', 'player_stats', 'shotmap') AND r.side IS NOT NULL AND r.name IS NOT NULL
GROUP BY 1, 2, 3, 4;

-- Cards of identified players; the cards of others follow when their names are linked.
INSERT INTO match_player (match_id, side, player_key, participant_id, player_name, appeared, yellow_cards, red_cards)
SELECT b.match_id, i ->> 'side', 'p' || (i ->> 'player_participant_id'), (i ->> 'player_participant_id')::bigint, min(i ->> 'player_name'), false,
  count(*) FILTER (WHERE i -> 'payload' ->> 'card_type' = 'yellow'), count(*) FILTER (WHERE i -> 'payload' ->> 'card_type' IN ('red', 'second_yellow'))
FROM match_block b CROSS JOIN LATERAL json_array_elements(b.json::json) i
WHERE b.block = 'incidents' AND i ->> 'kind' = 'card' AND i ->> 'side' IS NOT NULL AND i ->> 'player_participant_id' IS NOT NULL
GROUP BY b.match_id, i ->> 'side', (i ->> 'player_participant_id')
ON CONFLICT (match_id, side, player_key) DO UPDATE SET yellow_cards = excluded.yellow_cards, red_cards = excluded.red_cards;
