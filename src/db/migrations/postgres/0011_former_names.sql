-- Names that a participant had at other times. The periods of one participant do not overlap: they are replaced together,
-- under the lock of its row (an exclusion constraint would need btree_gist).
CREATE TABLE participant_name (
  participant_id bigint NOT NULL REFERENCES participant ON DELETE CASCADE,
  valid_from date NOT NULL,                -- -infinity: open
  valid_to date NOT NULL,                  -- inclusive; infinity: open
  name text NOT NULL,
  name_ru text,
  PRIMARY KEY (participant_id, valid_from),
  CHECK (valid_from <= valid_to)
);

-- The names of a participant at a match that starts then, by its day in UTC. One row, planned as part of the calling statement.
CREATE FUNCTION names_at(of_participant bigint, start timestamptz) RETURNS TABLE (name text, name_ru text) LANGUAGE sql STABLE PARALLEL SAFE
BEGIN ATOMIC
  SELECT coalesce(n.name, p.name), CASE WHEN n.participant_id IS NULL THEN p.name_ru ELSE n.name_ru END
  FROM participant p
  LEFT JOIN participant_name n ON n.participant_id = p.id AND (start AT TIME ZONE 'UTC')::date BETWEEN n.valid_from AND n.valid_to
  WHERE p.id = of_participant;
END;

-- All former names, oldest first: [{"name", "name_ru", "from", "to"}], where null is an open end.
CREATE FUNCTION former_names(of_participant bigint) RETURNS json LANGUAGE sql STABLE PARALLEL SAFE
RETURN (SELECT coalesce(json_agg(json_build_object('name', n.name, 'name_ru', n.name_ru,
    'from', nullif(n.valid_from, '-infinity'), 'to', nullif(n.valid_to, 'infinity')) ORDER BY n.valid_from), '[]')
  FROM participant_name n WHERE n.participant_id = of_participant);
