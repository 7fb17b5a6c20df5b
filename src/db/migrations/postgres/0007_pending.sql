-- Undated updates of a history source for matches that do not exist yet; applied when the match is created.
CREATE TABLE match_pending (
  provider text NOT NULL,
  external_id text NOT NULL,
  season_id bigint NOT NULL,
  home_id bigint NOT NULL,
  away_id bigint NOT NULL,
  observed_at bigint NOT NULL,             -- ms
  update_text text NOT NULL,               -- the whole feed update
  PRIMARY KEY (provider, external_id)
);
CREATE INDEX match_pending_pairing ON match_pending (season_id, home_id, away_id);

-- From this version on each field has an owner, and each provider its own statistics.
UPDATE match SET provenance = provenance - '{state,round,statistics}'::text[]
  || jsonb_strip_nulls(jsonb_build_object(
    'status', provenance -> 'state', 'status_detail', provenance -> 'state', 'minute', provenance -> 'state',
    'score', provenance -> 'state', 'period_scores', provenance -> 'state', 'finalized', provenance -> 'state',
    'round_num', provenance -> 'round', 'round_name', provenance -> 'round', 'group_name', provenance -> 'round',
    'start_time', provenance -> 'start'))
  || CASE WHEN provenance ? 'statistics'
    THEN jsonb_build_object('statistics/' || (provenance #>> '{statistics,0}'), provenance -> 'statistics') ELSE '{}' END
WHERE provenance ?| '{state,round,statistics}';
