-- Plans that are declared beside the configured ones, such as by resources of Kubernetes.
CREATE TABLE declared_plan (
  name text PRIMARY KEY,                   -- the value that accounts store
  definition jsonb NOT NULL,               -- as an entry of the list plans in PLANS_FILE
  changed_at timestamptz NOT NULL
);
