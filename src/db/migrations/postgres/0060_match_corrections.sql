-- Corrections of matches by hand. What stands is applied to the match, in its provenance; these rows say who, when and why.
CREATE TABLE match_correction (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  match_id bigint NOT NULL,                -- no foreign key: a correction stays known when its match is deleted
  at timestamptz NOT NULL,
  actor text NOT NULL,                     -- an email, `operator`
  reason text NOT NULL,
  fields jsonb NOT NULL,                   -- corrected columns of the match
  players jsonb NOT NULL,                  -- corrected scorers by the id of the incident
  withdrawn_at timestamptz,                -- null: it stands
  withdrawn_by text
);
CREATE INDEX match_correction_match ON match_correction (match_id, id);

-- An entry without an account is a change by an operator outside of accounts.
ALTER TABLE audit_entry ALTER COLUMN account_id DROP NOT NULL;
